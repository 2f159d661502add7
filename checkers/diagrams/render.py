"""A graph in any of the formats that people ask for."""

from typing import Final

from nomadspec.checkers.diagrams.dot import to_dot
from nomadspec.checkers.diagrams.graph import Graph
from nomadspec.checkers.diagrams.mermaid import to_mermaid
from nomadspec.checkers.diagrams.picture import draw_picture
from nomadspec.model.errors import UsageError

FORMATS: Final = ("mermaid", "dot", "svg", "png")


def render_graph(graph: Graph, fmt: str) -> bytes:
    """Write or draw a graph."""
    match fmt:
        case "mermaid":
            return to_mermaid(graph).encode()
        case "dot":
            return to_dot(graph).encode()
        case "svg" | "png":
            return draw_picture(to_dot(graph), fmt)
        case _:
            raise UsageError(f"A diagram cannot be written as {fmt!r}; choose one of {', '.join(FORMATS)}.")
