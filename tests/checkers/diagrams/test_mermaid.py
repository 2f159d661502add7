"""Graphs as Mermaid flowcharts."""

from nomadspec.checkers.diagrams.graph import Cluster, Edge, EdgeStyle, Graph, Node, NodeStyle
from nomadspec.checkers.diagrams.mermaid import to_mermaid

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
    a_thing -->|"on<br/>and on"| end_
    end_ -.-> c
    subgraph key["Things"]
        direction TB
        key_plain(["a plain thing"])
        from_step[ ] -->|"one step"| to_step[ ]
    end
    classDef plain fill:#eeeeee,stroke:#111111,color:#222222,stroke-width:2px
    classDef faint fill:#ffffff,stroke:#333333,color:#1b1f24,stroke-width:1.5px,stroke-dasharray:5 5
    class a_thing,c,key_plain plain
    class end_ faint
    linkStyle 0,2 stroke:#333333,color:#333333,stroke-width:1px
    linkStyle 1 stroke:#444444,color:#444444,stroke-width:1.2px
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


def test_without_meanings_there_is_no_legend() -> None:
    graph = Graph("Bare", (Node("a", "a", FAINT),), (Edge("a", "a", LEAP),))

    assert "subgraph" not in to_mermaid(graph)
