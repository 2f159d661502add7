"""What can be asked of a graph of evaluations: why, the longest chain, what made most, circles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import networkx as nx

from nomadspec.checkers.diagrams.evals.folding import by_id
from nomadspec.checkers.diagrams.evals.records import (
    CHAIN,
    ENDING,
    DagEdge,
    DagNode,
    EdgeKind,
    EvalDag,
    NodeKind,
)
from nomadspec.model.errors import UsageError

_STRONGEST: Final = {kind: place for place, kind in enumerate(reversed((
    EdgeKind.PLACED, EdgeKind.PREVIOUS, EdgeKind.BLOCKED, EdgeKind.NEXT, EdgeKind.CAUSED,
)))}  # fmt: skip
"""Which of several causes a chain follows."""


@dataclass(frozen=True, slots=True)
class Link:
    """One step of a chain: a node, and how the one before it led to it; nothing did to the first."""

    node: DagNode
    kind: EdgeKind | None


@dataclass(frozen=True, slots=True)
class Storm:
    """What began something, and how many evaluations came of it."""

    origin: DagNode
    direct: int
    evals: int
    no_ops: int


def explain(dag: EvalDag, node: DagNode) -> list[Link]:
    """Follow the causes of a node back to where they begin, and give the way from there, the node last."""
    nodes, chain, seen = by_id(dag), [], set()
    here, coming = node, _find_strongest(dag)
    while here.id not in seen:
        seen.add(here.id)
        edge = coming.get(here.id)
        chain.append(Link(here, edge.kind if edge else None))
        if edge is None:
            break
        here = nodes[edge.source]
    return list(reversed(chain))


def _find_strongest(dag: EvalDag) -> dict[str, DagEdge]:
    """Find for each node the edge that a chain of causes follows: the strongest kind, the latest source."""
    ranks = {node.id: rank for rank, node in enumerate(dag.nodes)}
    found: dict[str, DagEdge] = {}
    for edge in sorted(
        dag.causal_edges, key=lambda each: (_STRONGEST.get(each.kind, -1), ranks[each.source])
    ):
        found[edge.target] = edge
    return found


def list_ends(dag: EvalDag, node: DagNode) -> list[Link]:
    """List what ended an allocation."""
    nodes = by_id(dag)
    ends = (edge for edge in dag.edges if edge.target == node.id and edge.kind in ENDING)
    return [Link(nodes[edge.source], edge.kind) for edge in ends]


def find_critical_path(dag: EvalDag) -> list[DagNode]:
    """Find the chain of causes with the most evaluations, and of these with the most steps."""
    graph, nodes = _causal(dag), by_id(dag)
    if not nx.is_directed_acyclic_graph(graph):
        raise UsageError("Causes go in circles, so that there is no longest chain of them: see the cycles.")
    return [nodes[name] for name in nx.dag_longest_path(graph, weight="weight")]


def list_storms(dag: EvalDag) -> list[Storm]:
    """List what began something, with the evaluations that came of it, those with the most first."""
    graph, nodes = _causal(dag), by_id(dag)
    storms = []
    for node in dag.nodes:
        if graph.in_degree(node.id) or node.kind not in {NodeKind.EVENT, NodeKind.EVAL}:
            continue
        below = [nodes[name] for name in nx.descendants(graph, node.id) | {node.id}]
        evals = [each for each in below if each.kind == NodeKind.EVAL]
        direct = sum(nodes[name].kind == NodeKind.EVAL for name in graph.successors(node.id))
        if evals:
            storms.append(Storm(node, direct, len(evals), sum(each.is_no_op for each in evals)))
    return sorted(storms, key=lambda storm: -storm.evals)


def list_cycles(dag: EvalDag) -> list[list[DagNode]]:
    """List the circles that previous, next and blocked evaluations make; a sound cluster has none."""
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(node.id for node in dag.nodes if node.kind == NodeKind.EVAL)
    graph.add_edges_from((edge.source, edge.target) for edge in dag.edges if edge.kind in CHAIN)
    circles = [
        part for part in nx.strongly_connected_components(graph) if len(part) > 1 or _loops(graph, part)
    ]
    found = ([node for node in dag.nodes if node.id in circle] for circle in circles)
    return sorted(found, key=lambda circle: circle[0].id)


def _loops(graph: nx.DiGraph[str], part: set[str]) -> bool:
    return any(graph.has_edge(name, name) for name in part)


def _causal(dag: EvalDag) -> nx.DiGraph[str]:
    """Give the graph of causes; a step to an evaluation weighs more than all others together."""
    graph: nx.DiGraph[str] = nx.DiGraph()
    kinds = {node.id: node.kind for node in dag.nodes}
    graph.add_nodes_from(kinds)
    for edge in dag.causal_edges:
        weight = len(kinds) if kinds[edge.target] == NodeKind.EVAL else 1
        graph.add_edge(edge.source, edge.target, weight=weight)
    return graph
