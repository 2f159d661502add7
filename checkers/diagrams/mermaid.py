"""A graph as a Mermaid flowchart."""

import re
from colorsys import rgb_to_hls

from nomadspec.checkers.diagrams.graph import (
    Edge,
    EdgeStyle,
    Graph,
    Node,
    NodeStyle,
    list_edge_styles,
    list_edges,
    list_node_styles,
)
from nomadspec.checkers.escaping import escape_markup

BRACKETS = {"stadium": ("([", "])"), "circle": ("((", "))"), "box": ("[", "]")}
FAINT = "#b8c0c8"
GREYISH = 0.2
HUES = (
    (12, "red"),
    (45, "orange"),
    (70, "yellow"),
    (165, "green"),
    (255, "blue"),
    (320, "violet"),
    (361, "red"),
)
"""Up to which angle of the colour wheel people give a colour which name."""
RESERVED = {"end", "default", "graph", "subgraph", "style", "class", "click", "flowchart", "linkStyle"}

CITED = re.compile(r"\[[\w/]+-[\w/-]+\]")
"""An ID in brackets, as of a quirk: a browser would break the label at its hyphen."""


def to_mermaid(graph: Graph) -> str:
    """Write a graph as a Mermaid flowchart.

    What stands on an edge is a node of its own between two halves of it: Mermaid finds room for nodes, but
    lays the labels of edges over each other.
    """
    edges = list_edges(graph)
    lines = [
        f"flowchart {graph.direction}",
        *(f"    {_node(node)}" for node in graph.nodes if not node.cluster),
        *(line for cluster in graph.clusters for line in _frame(graph, cluster.id, cluster.label)),
        *(f"    {_edge(number, edge)}" for number, edge in enumerate(edges)),
        *_legend(graph),
        *(f"    {_class(style)}" for style in list_node_styles(graph)),
        *(f"    class {_members(graph, style)} {style.name}" for style in list_node_styles(graph)),
        *(line for style in list_edge_styles(graph) for line in _style_edges(style, edges)),
    ]
    return "\n".join(lines) + "\n"


def _node(node: Node) -> str:
    left, right = BRACKETS[node.style.shape]
    return f"{_id(node.id)}{left}{_text(node.label)}{right}"


def _frame(graph: Graph, cluster_id: str, label: str) -> list[str]:
    members = [f"        {_node(node)}" for node in graph.nodes if node.cluster == cluster_id]
    return [f"    subgraph {_id('in ' + cluster_id)}[{_text(label)}]", *members, "    end"]


def _edge(number: int, edge: Edge) -> str:
    arrow, line = ("-.->", "-.-") if edge.style.is_dashed else ("-->", "---")
    if not edge.label:
        return f"{_id(edge.source)} {arrow} {_id(edge.target)}"
    return f"{_id(edge.source)} {line} on{number}[{_text(edge.label)}] {arrow} {_id(edge.target)}"


def _legend(graph: Graph) -> list[str]:
    """Show each style of a node once, and say in a text what the colours of edges mean; both take a corner.

    There is no frame around them: Mermaid leads edges through frames.
    """
    nodes = [
        f"    key_{style.name}{BRACKETS[style.shape][0]}{_text(style.meaning)}{BRACKETS[style.shape][1]}"
        for style in list_node_styles(graph)
        if style.meaning
    ]
    edges = [f"{_describe(style)}: {style.meaning}" for style in list_edge_styles(graph) if style.meaning]
    if not nodes and not edges and not graph.notes:
        return []
    told = "\n".join([graph.title, *edges, *graph.notes])
    return [
        *nodes,
        f"    key[{_text(told)}]",
        f"    style key fill:#ffffff,stroke:{FAINT},font-size:12px,text-align:left",
    ]


def _describe(style: EdgeStyle) -> str:
    return f"dashed {name_colour(style.stroke)}" if style.is_dashed else name_colour(style.stroke)


def name_colour(code: str) -> str:
    """Name a colour as people would: ``#c2520a`` is orange."""
    red, green, blue = (int(code[at : at + 2], 16) / 255 for at in (1, 3, 5))
    hue, lightness, saturation = rgb_to_hls(red, green, blue)
    if saturation < GREYISH:
        return "grey" if lightness > 1 / 2 else "black"
    return next(name for limit, name in HUES if hue * 360 < limit)


def _members(graph: Graph, style: NodeStyle) -> str:
    members = [_id(node.id) for node in graph.nodes if node.style == style]
    return ",".join(members + [f"key_{style.name}"] * bool(style.meaning))


def _class(style: NodeStyle) -> str:
    dashes = ",stroke-dasharray:5 5" if style.is_dashed else ""
    looks = (
        f"fill:{style.fill},stroke:{style.stroke},color:{style.text},stroke-width:{style.width:g}px{dashes}"
    )
    return f"classDef {style.name} {looks}"


def _style_edges(style: EdgeStyle, edges: tuple[Edge, ...]) -> list[str]:
    """Colour the edges of a style, which Mermaid names by their number, and what stands on them."""
    numbers, members, links = list[int](), list[str](), 0
    for number, edge in enumerate(edges):
        halves = 2 if edge.label else 1
        if edge.style == style:
            numbers += range(links, links + halves)
            members += [f"on{number}"] * bool(edge.label)
        links += halves
    drawn = ",".join(map(str, numbers))
    lines = [f"    linkStyle {drawn} stroke:{style.stroke},stroke-width:{style.width:g}px"]
    if members:
        looks = f"fill:#ffffff,stroke:#ffffff,color:{style.stroke},font-size:12px"
        lines += [f"    classDef on_{style.name} {looks}", f"    class {','.join(members)} on_{style.name}"]
    return lines


def _id(name: str) -> str:
    safe = re.sub(r"\W", "_", name)
    return f"{safe}_" if safe in RESERVED else safe


def _text(text: str) -> str:
    whole = CITED.sub(lambda found: found[0].replace("-", "\N{NON-BREAKING HYPHEN}"), text)
    return f'"{escape_markup(whole)}"'
