"""What a picture is made of: nodes, edges, clusters and the styles that they share.

A builder turns something into a ``Graph``, and ``render.render_graph(graph, fmt)`` turns the graph into
bytes::

    OPEN = NodeStyle("open", "may be entered", fill="#d5f6ea", stroke="#1d9467")
    STEP = EdgeStyle("step", "one step")
    graph = Graph(
        title="Door",
        nodes=(Node("shut", "shut", OPEN), Node("open", "open", OPEN)),
        edges=(Edge("shut", "open", STEP, label="pulled"),),
    )
    render_graph(graph, "svg")

Nodes are drawn in the order given, edges are sorted, and equal graphs give equal text. Styles that name a
meaning are explained in the legend, in the order in which they first occur. An edge with a high
``weight`` is kept short and straight; an edge with ``is_ranking`` off does not push its ends apart, and one
with ``is_overlay`` on leaves the nodes where they would be without it.
Labels may have several lines. A cluster is a frame around the nodes that name it.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeVar

Shape = Literal["stadium", "circle", "box"]
Direction = Literal["LR", "TB"]


@dataclass(frozen=True, slots=True)
class NodeStyle:
    """How a kind of node looks, and what that means."""

    name: str
    meaning: str = ""
    fill: str = "#ffffff"
    stroke: str = "#333333"
    text: str = "#1b1f24"
    shape: Shape = "stadium"
    width: float = 1.5
    is_dashed: bool = False


@dataclass(frozen=True, slots=True)
class EdgeStyle:
    """How a kind of edge looks, and what that means."""

    name: str
    meaning: str = ""
    stroke: str = "#333333"
    width: float = 1.2
    is_dashed: bool = False


@dataclass(frozen=True, slots=True)
class Node:
    """One node; its ID is unique in the graph and has no colon, which DOT reads as a port."""

    id: str
    label: str
    style: NodeStyle
    cluster: str = ""


@dataclass(frozen=True, slots=True)
class Edge:
    """One edge between two nodes, named by their IDs."""

    source: str
    target: str
    style: EdgeStyle
    label: str = ""
    weight: int = 1
    is_ranking: bool = True
    is_overlay: bool = False
    """Whether it is laid over a picture whose nodes stand as if it were not there."""
    is_against: bool = False
    """Whether it leads back to what is further up, so that it is laid out the other way round."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """A frame around nodes."""

    id: str
    label: str


@dataclass(frozen=True, slots=True)
class Graph:
    """Everything that is in one picture."""

    title: str
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    clusters: tuple[Cluster, ...] = ()
    direction: Direction = "LR"
    notes: tuple[str, ...] = ()
    """What stands below the legend, a line each, such as the titles of the IDs on edges."""


StyleT = TypeVar("StyleT", NodeStyle, EdgeStyle)


def list_edges(graph: Graph) -> tuple[Edge, ...]:
    """List the edges in the order in which they are drawn: by source, target, style and label."""
    rank = {node.id: position for position, node in enumerate(graph.nodes)}
    return tuple(
        sorted(graph.edges, key=lambda e: (rank[e.source], rank[e.target], e.style.name, e.label)),
    )


def list_node_styles(graph: Graph) -> tuple[NodeStyle, ...]:
    """List the styles of the nodes, each once, in order of their first use."""
    return _unique(node.style for node in graph.nodes)


def list_edge_styles(graph: Graph) -> tuple[EdgeStyle, ...]:
    """List the styles of the edges, each once, in order of their first use."""
    return _unique(edge.style for edge in list_edges(graph))


def _unique(styles: Iterable[StyleT]) -> tuple[StyleT, ...]:
    return tuple(dict.fromkeys(styles))
