"""A graph as DOT text, for Graphviz."""

import html
from collections.abc import Iterator

from graphviz import Digraph
from graphviz import escape as escape_backslashes

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
from nomadspec.checkers.escaping import escape_lines

FONT = "DejaVu Sans Condensed,Arial,Helvetica,sans-serif"
SHAPES = {"stadium": "box", "circle": "ellipse", "box": "box"}
LEGEND_COLUMNS = 4
NODE_DEFAULTS = {"fontname": FONT, "fontsize": "14", "height": "0.45", "margin": "0.16,0.05"}
LABEL = {
    "shape": "box",
    "style": "filled",
    "fillcolor": "white",
    "color": "white",
    "fontsize": "11",
    "margin": "0.05,0.02",
    "height": "0",
}
EDGE_DEFAULTS = {"fontname": FONT, "fontsize": "11", "arrowsize": "0.75"}


def escape(text: str) -> str:
    """Write text into a table of Graphviz."""
    return html.escape(escape_lines(text))


def escape_label(text: str) -> str:
    """Write text into a label of Graphviz."""
    return str(escape_backslashes(escape_lines(text)))


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
    back = _find_back_edges(graph)
    for number, edge in enumerate(list_edges(graph)):
        if edge.label:
            _add_halves(dot, edge, f"on {number}", is_back=edge in back)
        else:
            ranks = {} if edge.is_ranking and not edge.is_overlay else {"constraint": "false"}
            ends = escape_label(edge.source), escape_label(edge.target)
            if edge.is_against:
                ends, ranks = (ends[1], ends[0]), {**ranks, "dir": "back"}
            dot.edge(*ends, **_edge_attributes(edge), **ranks)
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
        "ranksep": "0.35",
        "outputorder": "edgesfirst",
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


def _add_halves(dot: Digraph, edge: Edge, name: str, *, is_back: bool) -> None:
    """Draw an edge through a node that bears its label, which nothing is drawn over.

    Graphviz finds room for nodes in any case, while it leads edges through the labels of others. An edge that
    leads back is laid out the other way round, so that its label stands between its ends too.
    """
    attributes = _edge_attributes(edge)
    dot.node(name, escape_label(edge.label), **LABEL, fontcolor=edge.style.stroke)
    source, target = escape_label(edge.source), escape_label(edge.target)
    is_free = edge.is_overlay or not edge.is_ranking or edge.source == edge.target
    ranks = {"constraint": "false"} if is_free else {}
    if is_back and not is_free:
        dot.edge(target, name, **attributes, dir="back")
        dot.edge(name, source, **attributes, dir="none")
    else:
        dot.edge(source, name, **attributes, dir="none", **({} if edge.is_ranking else ranks))
        dot.edge(name, target, **attributes, **ranks)


def _find_back_edges(graph: Graph) -> frozenset[Edge]:
    """Find the edges that lead back to where a walk from the first nodes has come from."""
    leaving: dict[str, list[Edge]] = {node.id: [] for node in graph.nodes}
    for edge in list_edges(graph):
        if edge.is_ranking and not edge.is_overlay:
            leaving[edge.source].append(edge)
    found, done, path = set[Edge](), set[str](), dict[str, Iterator[Edge]]()
    for start, edges in leaving.items():
        path[start] = iter(() if start in done else edges)
        while path:
            last = next(reversed(path))
            onward = next(path[last], None)
            if onward is None:
                done.add(last)
                del path[last]
            elif onward.target in path:
                found.add(onward)
            elif onward.target not in done:
                path[onward.target] = iter(leaving[onward.target])
    return frozenset(found)


def _edge_attributes(edge: Edge) -> dict[str, str]:
    style = edge.style
    attributes = {"color": style.stroke, "penwidth": f"{style.width:g}"}
    if style.is_dashed:
        attributes["style"] = "dashed"
    if edge.weight != 1:
        attributes["weight"] = str(edge.weight)
    return attributes


def _legend(graph: Graph) -> str:
    """Explain the styles that mean something, as a table under the title."""
    cells = [_swatch(style) for style in list_node_styles(graph) if style.meaning]
    cells += [_stroke(style) for style in list_edge_styles(graph) if style.meaning]
    rows = [cells[start : start + LEGEND_COLUMNS] for start in range(0, len(cells), LEGEND_COLUMNS)]
    title = _whole_row(f"<B>{escape(graph.title)}</B>")
    notes = "".join(_whole_row(escape(note)) for note in graph.notes)
    body = "".join(f"<TR>{''.join(row)}</TR>" for row in rows)
    return f'<<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="4" CELLPADDING="2">{title}{body}{notes}</TABLE>>'


def _whole_row(text: str) -> str:
    return f'<TR><TD COLSPAN="{2 * LEGEND_COLUMNS}" ALIGN="LEFT">{text}</TD></TR>'


def _swatch(style: NodeStyle) -> str:
    dashed = ' STYLE="DASHED"' if style.is_dashed else ""
    cell = f'<TD BORDER="1" BGCOLOR="{style.fill}" COLOR="{style.stroke}"{dashed}>      </TD>'
    return cell + _meaning(style.meaning)


def _stroke(style: EdgeStyle) -> str:
    arrow = "⇢" if style.is_dashed else "⟶"
    return f'<TD><FONT COLOR="{style.stroke}" POINT-SIZE="15">{arrow}</FONT></TD>{_meaning(style.meaning)}'


def _meaning(text: str) -> str:
    return f'<TD ALIGN="LEFT">{escape(text)}</TD>'
