"""A graph as a Mermaid flowchart."""

import re

from nomadspec.checkers.diagrams.graph import (
    Edge,
    Graph,
    Node,
    NodeStyle,
    list_edge_styles,
    list_edges,
    list_node_styles,
)

BRACKETS = {"stadium": ("([", "])"), "circle": ("((", "))"), "box": ("[", "]")}
RESERVED = {"end", "default", "graph", "subgraph", "style", "class", "click", "flowchart", "linkStyle"}


def to_mermaid(graph: Graph) -> str:
    """Write a graph as a Mermaid flowchart."""
    edges = list_edges(graph)
    lines = [
        f"flowchart {graph.direction}",
        *(f"    {_node(node)}" for node in graph.nodes if not node.cluster),
        *(line for cluster in graph.clusters for line in _frame(graph, cluster.id, cluster.label)),
        *(f"    {_edge(edge)}" for edge in edges),
        *_legend(graph),
        *(f"    {_class(style)}" for style in list_node_styles(graph)),
        *(f"    class {_members(graph, style)} {style.name}" for style in list_node_styles(graph)),
        *_link_styles(graph, edges),
    ]
    return "\n".join(lines) + "\n"


def _node(node: Node) -> str:
    left, right = BRACKETS[node.style.shape]
    return f"{_id(node.id)}{left}{_text(node.label)}{right}"


def _frame(graph: Graph, cluster_id: str, label: str) -> list[str]:
    members = [f"        {_node(node)}" for node in graph.nodes if node.cluster == cluster_id]
    return [f"    subgraph {_id('in ' + cluster_id)}[{_text(label)}]", *members, "    end"]


def _edge(edge: Edge) -> str:
    arrow = "-.->" if edge.style.is_dashed else "-->"
    label = f"|{_text(edge.label)}|" if edge.label else ""
    return f"{_id(edge.source)} {arrow}{label} {_id(edge.target)}"


def _legend(graph: Graph) -> list[str]:
    """Show each style that means something once, in a frame of its own."""
    nodes = [
        f"        key_{style.name}{BRACKETS[style.shape][0]}{_text(style.meaning)}{BRACKETS[style.shape][1]}"
        for style in list_node_styles(graph)
        if style.meaning
    ]
    edges = [
        f"        from_{style.name}[ ] {'-.->' if style.is_dashed else '-->'}|{_text(style.meaning)}| "
        f"to_{style.name}[ ]"
        for style in list_edge_styles(graph)
        if style.meaning
    ]
    if not nodes and not edges:
        return []
    return [f"    subgraph key[{_text(graph.title)}]", "        direction TB", *nodes, *edges, "    end"]


def _members(graph: Graph, style: NodeStyle) -> str:
    members = [_id(node.id) for node in graph.nodes if node.style == style]
    return ",".join(members + [f"key_{style.name}"] * bool(style.meaning))


def _class(style: NodeStyle) -> str:
    dashes = ",stroke-dasharray:5 5" if style.is_dashed else ""
    looks = (
        f"fill:{style.fill},stroke:{style.stroke},color:{style.text},stroke-width:{style.width:g}px{dashes}"
    )
    return f"classDef {style.name} {looks}"


def _link_styles(graph: Graph, edges: tuple[Edge, ...]) -> list[str]:
    """Colour the edges, which Mermaid names by their number; those of the legend come last."""
    drawn = [edge.style for edge in edges] + [style for style in list_edge_styles(graph) if style.meaning]
    return [
        f"    linkStyle {','.join(str(n) for n, used in enumerate(drawn) if used == style)} "
        f"stroke:{style.stroke},color:{style.stroke},stroke-width:{style.width:g}px"
        for style in list_edge_styles(graph)
    ]


def _id(name: str) -> str:
    safe = re.sub(r"\W", "_", name)
    return f"{safe}_" if safe in RESERVED else safe


def _text(text: str) -> str:
    escaped = text.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;").replace(">", "&gt;")
    return '"' + escaped.replace("\n", "<br/>") + '"'
