"""Graphs as Mermaid flowcharts."""

import pytest

from nomadspec.checkers.diagrams.graph import Cluster, Edge, EdgeStyle, Graph, Node, NodeStyle
from nomadspec.checkers.diagrams.mermaid import name_colour, to_mermaid

PLAIN = NodeStyle("plain", "a plain thing", fill="#eeeeee", stroke="#111111", text="#222222", width=2)
FAINT = NodeStyle("faint", shape="circle", is_dashed=True)
STEP = EdgeStyle("step", "one step", stroke="#333333", width=1)
LEAP = EdgeStyle("leap", stroke="#444444", is_dashed=True)

EXPECTED = """\
flowchart LR
    a_thing(["a &quot;thing&quot;"])
    end_(("end"))
    subgraph in_x["the x"]
        c(["c"])
    end
    a_thing --- on0["on<br/>and on"] --> end_
    end_ -.-> c
    key_plain(["a plain thing"])
    key["Things<br/>black: one step"]
    style key fill:#ffffff,stroke:#b8c0c8,font-size:12px,text-align:left
    classDef plain fill:#eeeeee,stroke:#111111,color:#222222,stroke-width:2px
    classDef faint fill:#ffffff,stroke:#333333,color:#1b1f24,stroke-width:1.5px,stroke-dasharray:5 5
    class a_thing,c,key_plain plain
    class end_ faint
    linkStyle 0,1 stroke:#333333,stroke-width:1px
    classDef on_step fill:#ffffff,stroke:#ffffff,color:#333333,font-size:12px
    class on0 on_step
    linkStyle 2 stroke:#444444,stroke-width:1.2px
"""


def test_a_flowchart_has_nodes_frames_edges_legend_and_styles() -> None:
    graph = Graph(
        title="Things",
        nodes=(
            Node("a thing", 'a "thing"', PLAIN),
            Node("end", "end", FAINT),
            Node("c", "c", PLAIN, cluster="x"),
        ),
        edges=(Edge("end", "c", LEAP), Edge("a thing", "end", STEP, label="on\nand on")),
        clusters=(Cluster("x", "the x"),),
    )

    assert to_mermaid(graph) == EXPECTED


def test_an_id_in_a_label_breaks_at_no_hyphen() -> None:
    graph = Graph("Things", nodes=(Node("a", "canceled in-queue [BUG-013]", PLAIN),), edges=(), clusters=())

    assert "canceled in-queue [BUG\N{NON-BREAKING HYPHEN}013]" in to_mermaid(graph)


def test_without_meanings_there_is_no_legend() -> None:
    graph = Graph("Bare", (Node("a", "a", FAINT),), (Edge("a", "a", LEAP),))

    assert "key" not in to_mermaid(graph)


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("#c2520a", "orange"),
        ("#0f7a52", "green"),
        ("#2a62a8", "blue"),
        ("#b3261e", "red"),
        ("#7a4fb5", "violet"),
        ("#3c4650", "black"),
        ("#b8c0c8", "grey"),
        ("#e0d010", "yellow"),
        ("#d01040", "red"),
    ],
)
def test_a_colour_has_the_name_that_people_give_it(code: str, name: str) -> None:
    assert name == name_colour(code)


def test_notes_stand_below_the_legend() -> None:
    graph = Graph("Bare", (Node("a", "a", FAINT),), (), notes=("X-1: what it is",))

    assert 'key["Bare<br/>X-1: what it is"]' in to_mermaid(graph)
