"""A graph as DOT text, for Graphviz."""

from html import escape

from graphviz import Digraph
from graphviz import escape as escape_label

from nomadspec.checkers.diagrams.graph import (
    Cluster,
    Edge,
    EdgeStyle,
    Graph,
    Node,
    NodeStyle,
    list_edge_styles,
    list_edges,
    list_node_styles,
)

FONT = "DejaVu Sans Condensed,Arial,Helvetica,sans-serif"
SHAPES = {"stadium": "box", "circle": "ellipse", "box": "box"}
LEGEND_COLUMNS = 4
LONE_LOOP = "sw"
NODE_DEFAULTS = {"fontname": FONT, "fontsize": "14", "height": "0.45", "margin": "0.16,0.05"}
EDGE_DEFAULTS = {"fontname": FONT, "fontsize": "11", "arrowsize": "0.75"}


def to_dot(graph: Graph) -> str:
    """Write a graph as DOT."""
    dot = Digraph(
        escape_label(graph.title),
        graph_attr=_graph_attributes(graph),
        node_attr=NODE_DEFAULTS,
        edge_attr=EDGE_DEFAULTS,
    )
    _add_nodes(dot, graph, cluster="")
    for cluster in graph.clusters:
        with dot.subgraph(name=f"cluster_{cluster.id}", graph_attr=_frame(cluster)) as frame:
            _add_nodes(frame, graph, cluster.id)
    for edge in list_edges(graph):
        attributes = _edge_attributes(edge, _side_of_loop(graph, edge))
        dot.edge(escape_label(edge.source), escape_label(edge.target), **attributes)
    dot.attr("graph", label=_legend(graph))
    return str(dot.source)


def _graph_attributes(graph: Graph) -> dict[str, str]:
    return {
        "rankdir": graph.direction,
        "bgcolor": "white",
        "fontname": FONT,
        "fontsize": "11",
        "labelloc": "b",
        "labeljust": "l",
        "nodesep": "0.45",
        "ranksep": "0.7",
        "pad": "0.2",
    } | ({"newrank": "true"} if graph.clusters else {})  # frames do not bend the order of what is in them


def _frame(cluster: Cluster) -> dict[str, str]:
    return {
        "label": escape_label(cluster.label),
        "style": "rounded",
        "color": "#b8c0c8",
        "fontcolor": "#57606a",
        "labeljust": "l",
        "labelloc": "t",  # edges leave at the bottom
    }


def _add_nodes(dot: Digraph, graph: Graph, cluster: str) -> None:
    for node in graph.nodes:
        if node.cluster == cluster:
            dot.node(escape_label(node.id), escape_label(node.label), **_node_attributes(node))


def _node_attributes(node: Node) -> dict[str, str]:
    style = node.style
    looks = ["filled"] + ["rounded"] * (style.shape == "stadium") + ["dashed"] * style.is_dashed
    return {
        "shape": SHAPES[style.shape],
        "style": ",".join(looks),
        "fillcolor": style.fill,
        "color": style.stroke,
        "fontcolor": style.text,
        "penwidth": f"{style.width:g}",
    }


def _side_of_loop(graph: Graph, edge: Edge) -> str:
    """Send a dashed loop to a corner where few edges pass, and two loops to opposite sides."""
    if edge.source != edge.target:
        return ""
    loops = [other for other in list_edges(graph) if other.source == other.target == edge.source]
    if len(loops) == 1:
        return LONE_LOOP if edge.style.is_dashed else ""
    return "sn"[loops.index(edge) % 2]


def _edge_attributes(edge: Edge, side: str) -> dict[str, str]:
    style = edge.style
    attributes = {"color": style.stroke, "fontcolor": style.stroke, "penwidth": f"{style.width:g}"}
    if style.is_dashed:
        attributes["style"] = "dashed"
    if edge.weight != 1:
        attributes["weight"] = str(edge.weight)
    if not edge.is_ranking:
        attributes["constraint"] = "false"
    if side:
        attributes |= {"tailport": side, "headport": side}
    if edge.label:
        attributes["label"] = _edge_label(edge.label, is_shifted=side == LONE_LOOP)
    return attributes


def _edge_label(text: str, *, is_shifted: bool) -> str:
    """Keep the text off the line by the margins of a table, or shift it left by an empty cell."""
    lines = "<BR/>".join(escape(line) for line in text.split("\n"))
    shift = '<TD WIDTH="110"></TD>' if is_shifted else ""
    return f'<<TABLE BORDER="0"><TR><TD>{lines}</TD>{shift}</TR></TABLE>>'


def _legend(graph: Graph) -> str:
    """Explain the styles that mean something, as a table under the title."""
    cells = [_swatch(style) for style in list_node_styles(graph) if style.meaning]
    cells += [_stroke(style) for style in list_edge_styles(graph) if style.meaning]
    rows = [cells[start : start + LEGEND_COLUMNS] for start in range(0, len(cells), LEGEND_COLUMNS)]
    title = f'<TR><TD COLSPAN="{2 * LEGEND_COLUMNS}" ALIGN="LEFT"><B>{escape(graph.title)}</B></TD></TR>'
    body = "".join(f"<TR>{''.join(row)}</TR>" for row in rows)
    return f'<<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="4" CELLPADDING="2">{title}{body}</TABLE>>'


def _swatch(style: NodeStyle) -> str:
    dashed = ' STYLE="DASHED"' if style.is_dashed else ""
    cell = f'<TD BORDER="1" BGCOLOR="{style.fill}" COLOR="{style.stroke}"{dashed}>      </TD>'
    return cell + _meaning(style.meaning)


def _stroke(style: EdgeStyle) -> str:
    arrow = "⇢" if style.is_dashed else "⟶"
    return f'<TD><FONT COLOR="{style.stroke}" POINT-SIZE="15">{arrow}</FONT></TD>{_meaning(style.meaning)}'


def _meaning(text: str) -> str:
    return f'<TD ALIGN="LEFT">{escape(text)}</TD>'
