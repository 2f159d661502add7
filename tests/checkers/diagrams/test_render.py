"""Graphs in the formats that people ask for."""

import pytest

from nomadspec.checkers.diagrams.graph import Graph, Node, NodeStyle
from nomadspec.checkers.diagrams.render import FORMATS, render_graph
from nomadspec.model.errors import UsageError

DOT_GRAPH = Graph("One", (Node("one", "one", NodeStyle("only")),), ())


@pytest.mark.parametrize(
    ("fmt", "start"),
    [("mermaid", b"flowchart LR"), ("dot", b"digraph One {"), ("svg", b"<?xml"), ("png", b"\x89PNG")],
)
def test_each_format_looks_like_itself(fmt: str, start: bytes) -> None:
    assert render_graph(DOT_GRAPH, fmt).startswith(start)


def test_an_unknown_format_names_the_known_ones() -> None:
    with pytest.raises(UsageError, match=r"'gif'; choose one of mermaid, dot, svg, png"):
        render_graph(DOT_GRAPH, "gif")


def test_the_formats_are_listed() -> None:
    assert FORMATS == ("mermaid", "dot", "svg", "png")
