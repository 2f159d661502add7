"""Pictures of graphs of evaluations: frames by job or component, colours by status, shapes as in Nomad's."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from io import BytesIO
from typing import Final, Literal

import networkx as nx

from nomadspec.checkers.diagrams.dag import strip_stamp
from nomadspec.checkers.diagrams.evals.makers import COMPONENTS
from nomadspec.checkers.diagrams.evals.records import ENDING, DagEdge, DagNode, EdgeKind, EvalDag, NodeKind
from nomadspec.checkers.diagrams.graph import Cluster, Edge, EdgeStyle, Graph, Node, NodeStyle, Shape
from nomadspec.checkers.diagrams.lifecycle import find_status_style
from nomadspec.checkers.diagrams.palette import ENDED, GOOD, LIVE, TROUBLE
from nomadspec.checkers.diagrams.render import render_graph
from nomadspec.checkers.escaping import escape_line
from nomadspec.model.errors import UsageError
from nomadspec.model.lifecycle.allocation import ALLOCATION_CLIENT
from nomadspec.model.lifecycle.deployment import DEPLOYMENT
from nomadspec.model.lifecycle.evaluation import EVALUATION

MOST_DRAWN: Final = 1000
"""No picture of more nodes is drawn: nobody could read it."""
MOST_PAINTED: Final = 400
"""A PNG of more nodes would be larger than Graphviz paints."""

Frames = Literal["job", "component"]
"""What the frames stand for: the jobs that nodes belong to, or the components that made them."""

_MOST_ABREAST: Final = 40
"""A picture of more nodes goes from left to right: it is scrolled as text is, and labels are wide."""
_LABEL_LENGTH: Final = 40
_SHAPES: Final[Mapping[NodeKind, Shape]] = {
    NodeKind.EVAL: "stadium",
    NodeKind.ALLOC: "box",
    NodeKind.DEPLOYMENT: "box",
    NodeKind.EVENT: "circle",
}
_NAMES: Final = {
    NodeKind.EVAL: "evaluation",
    NodeKind.ALLOC: "allocation",
    NodeKind.DEPLOYMENT: "deployment",
}
_WIDTHS: Final = {NodeKind.EVAL: 4.0, NodeKind.ALLOC: 1.0, NodeKind.DEPLOYMENT: 2.0}
_MEANINGS: Final[Mapping[NodeStyle, str]] = {
    LIVE: "open",
    GOOD: "ended well",
    TROUBLE: "failed or lost",
    ENDED: "ended otherwise",
}
_TONES: Final[Mapping[str, NodeStyle]] = {
    str(status.value): find_status_style(lifecycle, status)
    for lifecycle in (EVALUATION, ALLOCATION_CLIENT, DEPLOYMENT)
    for status in lifecycle.statuses
}
_EVENT: Final = NodeStyle("event", "event", fill=LIVE.fill, stroke=LIVE.stroke, shape="circle", width=1)
_EDGES: Final[Mapping[EdgeKind, EdgeStyle]] = {
    EdgeKind.PREVIOUS: EdgeStyle("previous", "previous evaluation", stroke="#0f7a52", width=2),
    EdgeKind.NEXT: EdgeStyle("next", "next evaluation", stroke="#0f7a52", width=2),
    EdgeKind.BLOCKED: EdgeStyle("blocked", "blocked evaluation", stroke="#a86b00", width=2),
    EdgeKind.CAUSED: EdgeStyle("caused", "caused", stroke="#3c4650"),
    EdgeKind.PLACED: EdgeStyle("placed", "placed", stroke="#2a62a8"),
    EdgeKind.RESCHEDULED: EdgeStyle("rescheduled", "rescheduled", stroke="#7a3fa0"),
    EdgeKind.REPLACED: EdgeStyle("replaced", "replaced", stroke="#7a3fa0"),
    EdgeKind.THEN: EdgeStyle("then", "and then", stroke="#8a939d", is_dashed=True),
    EdgeKind.STOPPED: EdgeStyle("stopped", "stopped", stroke="#b3321b", is_dashed=True),
    EdgeKind.PREEMPTED: EdgeStyle("preempted", "preempted", stroke="#c2520a", is_dashed=True),
}
_FREE: Final = frozenset({EdgeKind.STOPPED, EdgeKind.PREEMPTED, EdgeKind.THEN})
"""These do not decide what stands below what."""


def render_dag(dag: EvalDag, fmt: str, frames: Frames = "job") -> bytes:
    """Write or draw a graph of evaluations, with a frame for each job or each component."""
    if fmt == "graphml":
        return to_graphml(dag)
    most = MOST_PAINTED if fmt == "png" else MOST_DRAWN
    if len(dag.nodes) > most:
        raise UsageError(
            f"The picture would have {len(dag.nodes):,} nodes, and as {fmt} at most {most:,} are drawn: "
            "look at a part with --focus ID --depth N, leave allocations out with --show evals, "
            "or write --format json or graphml."
        )
    return render_graph(draw_dag(dag, frames), fmt)


def draw_dag(dag: EvalDag, frames: Frames = "job") -> Graph:
    """Make the picture; nodes are numbered in it, since IDs may be anything."""
    names = {node.id: f"{node.kind.value}{place}" for place, node in enumerate(dag.nodes, 1)}
    labels = _list_frames(dag, frames)
    clusters = {key: Cluster(f"{frames}{place}", label) for place, (key, label) in enumerate(labels, 1)}
    homes = {key: cluster.id for key, cluster in clusters.items()}
    return Graph(
        title=dag.title,
        nodes=tuple(
            Node(names[node.id], _label(node), _style(node), homes.get(_find_frame(node, frames), ""))
            for node in dag.nodes
        ),
        edges=tuple(_list_drawn(dag, names)),
        clusters=tuple(clusters.values()),
        direction="TB" if len(dag.nodes) <= _MOST_ABREAST else "LR",
    )


def _find_frame(node: DagNode, frames: Frames) -> tuple[str, str]:
    return ("", node.component) if frames == "component" else (node.namespace, node.job)


def _list_frames(dag: EvalDag, frames: Frames) -> list[tuple[tuple[str, str], str]]:
    """List the frames with their labels: jobs in the order of their nodes, components in theirs."""
    found = dict.fromkeys(_find_frame(node, frames) for node in dag.nodes)
    if frames == "component":
        return [(("", name), name) for name in COMPONENTS if ("", name) in found]
    return [((namespace, job), _name_job(namespace, job)) for namespace, job in found if job]


def _list_drawn(dag: EvalDag, names: Mapping[str, str]) -> list[Edge]:
    """Draw one edge where several links of evaluations say the same: previous, next and blocked."""
    kinds: dict[tuple[str, str], set[EdgeKind]] = defaultdict(set)
    for edge in dag.edges:
        kinds[edge.source, edge.target].add(edge.kind)
    return [
        _draw_edge(DagEdge(*ends, kind), names)
        for ends, all_kinds in kinds.items()
        for kind in _pick(all_kinds)
    ]


def _pick(kinds: set[EdgeKind]) -> list[EdgeKind]:
    chain = [kind for kind in (EdgeKind.BLOCKED, EdgeKind.NEXT, EdgeKind.PREVIOUS) if kind in kinds][:1]
    return chain + [
        kind for kind in EdgeKind if kind in kinds - {EdgeKind.BLOCKED, EdgeKind.NEXT, EdgeKind.PREVIOUS}
    ]


def _draw_edge(edge: DagEdge, names: Mapping[str, str]) -> Edge:
    return Edge(
        names[edge.source],
        names[edge.target],
        _EDGES[edge.kind],
        weight=3 if edge.kind in {EdgeKind.PREVIOUS, EdgeKind.NEXT, EdgeKind.BLOCKED} else 1,
        is_ranking=edge.kind not in _FREE,
        is_against=edge.kind in ENDING,
    )


def _label(node: DagNode) -> str:
    lines = [*map(_shorten, node.label)]
    if node.is_no_op:
        lines.append("no-op")
    if node.count > 1:
        lines.append(f"{node.count} times" if node.kind == NodeKind.EVENT else f"{node.count} alike")
    return "\n".join(lines)


def _shorten(line: str) -> str:
    shown = escape_line(line)
    return shown if len(shown) <= _LABEL_LENGTH else f"{shown[:_LABEL_LENGTH]}…"


def _name_job(namespace: str, job: str) -> str:
    name = f"job {job}" if namespace in {"", "default"} else f"job {job} in {namespace}"
    return _shorten(name)


def _style(node: DagNode) -> NodeStyle:
    if node.kind == NodeKind.EVENT:
        return _EVENT
    tone = _TONES.get(node.status, ENDED)
    kind = _NAMES[node.kind]
    return replace(
        tone,
        name=f"{kind}_{tone.name}",
        meaning=f"{kind}, {_MEANINGS[tone]}",
        shape=_SHAPES[node.kind],
        width=_WIDTHS[node.kind],
    )


def data_of(dag: EvalDag) -> dict[str, object]:
    """Write the graph as data: docs/reference/json/dag.json says what its fields mean."""
    return {
        "nodes": [node_data(node) for node in dag.nodes],
        "edges": [
            {"source": edge.source, "target": edge.target, "kind": edge.kind.value} for edge in dag.edges
        ],
    }


def node_data(node: DagNode) -> dict[str, object]:
    """Write a node as data."""
    return {
        "id": node.id,
        "kind": node.kind.value,
        "label": list(node.label),
        "status": node.status,
        "namespace": node.namespace,
        "job": node.job,
        "index": node.index,
        "component": node.component,
        "is_no_op": node.is_no_op,
        "members": list(node.members),
    }


def to_graphml(dag: EvalDag) -> bytes:
    """Write the graph as GraphML, for other programs."""
    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph(title=escape_line(dag.title))
    for node in dag.nodes:
        data = {
            name: value for name, value in node_data(node).items() if name not in {"id", "label", "members"}
        }
        texts = {
            name: escape_line(value) if isinstance(value, str) else value for name, value in data.items()
        }
        label = escape_line(" / ".join(node.label))
        members = escape_line(json.dumps(node.members))
        graph.add_node(escape_line(node.id), **texts, label=label, members=members)
    for edge in dag.edges:
        source, target = escape_line(edge.source), escape_line(edge.target)
        graph.add_edge(source, target, key=edge.kind.value, kind=edge.kind.value)
    buffer = BytesIO()
    nx.write_graphml_xml(graph, buffer)
    return strip_stamp(buffer.getvalue())
