"""Graphs as DOT."""

import re

from nomadspec.checkers.diagrams.dot import to_dot
from nomadspec.checkers.diagrams.graph import Cluster, Edge, EdgeStyle, Graph, Node, NodeStyle

PLAIN = NodeStyle("plain", "a plain thing", fill="#eeeeee", stroke="#111111")
FAINT = NodeStyle("faint", shape="circle", is_dashed=True)
STEP = EdgeStyle("step", "one step")
LEAP = EdgeStyle("leap", is_dashed=True)


def draw(*nodes: Node, edges: tuple[Edge, ...] = (), clusters: tuple[Cluster, ...] = ()) -> list[str]:
    return to_dot(Graph("A & B", nodes, edges, clusters)).splitlines()


def find(lines: list[str], start: str) -> str:
    return next(line.strip() for line in lines if line.strip().startswith(start))


def test_a_node_shows_its_label_and_style() -> None:
    line = find(draw(Node("a", "first", PLAIN)), "a [")

    assert line.startswith("a [label=first ")
    assert all(text in line for text in ("shape=box", 'style="filled,rounded"', 'fillcolor="#eeeeee"'))


def test_a_dashed_circle_is_an_ellipse_with_a_dashed_frame() -> None:
    line = find(draw(Node("a", "first", FAINT)), "a [")

    assert 'shape=ellipse style="filled,dashed"' in line


def test_a_label_is_a_node_in_the_middle_of_its_edge() -> None:
    edge = Edge("a", "b", LEAP, label="up & away\nfar", weight=7, is_ranking=False)
    lines = draw(Node("a", "a", PLAIN), Node("b", "b", PLAIN), edges=(edge,))

    assert 'label="up & away\nfar"' in "\n".join(lines)
    assert "dir=none" in find(lines, 'a -> "on 0"')
    assert all(
        text in find(lines, '"on 0" -> b') for text in ("style=dashed", "weight=7", "constraint=false")
    )


def test_what_leads_back_is_laid_out_the_other_way_round() -> None:
    there, back = Edge("a", "b", STEP, label="there"), Edge("b", "a", STEP, label="back")
    lines = draw(Node("a", "a", PLAIN), Node("b", "b", PLAIN), edges=(there, back))

    assert ["dir=none" in find(lines, 'a -> "on 0"'), "dir=back" in find(lines, 'a -> "on 1"')] == [
        True,
        True,
    ]
    assert "constraint" not in "".join(lines)


def test_what_is_laid_over_a_picture_moves_only_its_own_label() -> None:
    edge = Edge("a", "b", STEP, label="by a defect", is_overlay=True)
    lines = draw(Node("a", "a", PLAIN), Node("b", "b", PLAIN), edges=(edge,))

    assert ["constraint=false" in find(lines, start) for start in ('a -> "on 0"', '"on 0" -> b')] == [
        False,
        True,
    ]


def test_a_labelled_loop_leads_through_its_label() -> None:
    lines = draw(Node("a", "a", PLAIN), edges=(Edge("a", "a", STEP, label="again"),))

    assert "constraint=false" in find(lines, '"on 0" -> a')


def test_an_edge_without_label_has_none() -> None:
    line = find(draw(Node("a", "a", PLAIN), Node("b", "b", PLAIN), edges=(Edge("a", "b", STEP),)), "a -> b")

    assert "label" not in line


def test_clusters_frame_their_nodes() -> None:
    lines = draw(Node("a", "a", PLAIN, cluster="x"), Node("b", "b", PLAIN), clusters=(Cluster("x", "the x"),))
    start, end = lines.index("\tsubgraph cluster_x {"), lines.index("\t}")

    assert [line.strip()[:3] for line in lines[start + 2 : end]] == ["a ["]


def test_the_legend_explains_the_styles_that_mean_something() -> None:
    legend = find(
        draw(Node("a", "a", PLAIN), Node("b", "b", FAINT), edges=(Edge("a", "b", STEP),)), "graph [label=<"
    )

    assert all(text in legend for text in ("A &amp; B", "a plain thing", "one step"))
    assert legend.count("ALIGN") == 3


def test_quotes_and_backslashes_are_escaped() -> None:
    assert r'label="say \"a\\b\""' in find(draw(Node("a", 'say "a\\b"', PLAIN)), "a [")


def test_notes_stand_below_the_legend() -> None:
    source = to_dot(Graph(title="Things", nodes=(), edges=(), notes=("X-1: what <it> is",)))

    assert re.search(r"<B>Things</B></TD></TR><TR><TD[^>]*>X-1: what &lt;it&gt; is</TD></TR></TABLE>", source)
