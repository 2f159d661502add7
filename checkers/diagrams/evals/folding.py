"""Makes a graph of evaluations smaller: folds what is alike, keeps what is near or of one kind."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from nomadspec.checkers.diagrams.evals.build import sort_edges
from nomadspec.checkers.diagrams.evals.records import (
    ENDING,
    ORDER,
    DagEdge,
    DagNode,
    EdgeKind,
    EvalDag,
    NodeKind,
)
from nomadspec.model.errors import UnknownNameError, UsageError

LEAST_FOLDED: Final = 3
"""Fewer that are alike are shown each by itself."""

_SUCCESSION: Final = frozenset({EdgeKind.RESCHEDULED, EdgeKind.REPLACED})


def fold(dag: EvalDag) -> EvalDag:
    """Show nodes as one that are alike, and whose causes and effects are alike.

    What is alike has equally long ways behind it, so that folding makes no circles. Of the events of a node
    the order is left out where one of them is folded.
    """
    blocks: dict[int, list[DagNode]] = defaultdict(list)
    for node, block in zip(dag.nodes, _find_blocks(dag), strict=True):
        blocks[block].append(node)
    folded = [group for group in blocks.values() if len(group) >= LEAST_FOLDED]
    heads = {node.id: group[0].id for group in folded for node in group}
    merged = {group[0].id: _merge(group) for group in folded}
    nodes = tuple(merged.get(node.id, node) for node in dag.nodes if heads.get(node.id, node.id) == node.id)
    edges = {
        DagEdge(heads.get(edge.source, edge.source), heads.get(edge.target, edge.target), edge.kind)
        for edge in dag.edges
        if edge.kind not in ORDER or not {edge.source, edge.target} & set(heads)
    }
    return EvalDag(dag.title, nodes, sort_edges(nodes, edges))


def _find_blocks(dag: EvalDag) -> list[int]:
    """Number the classes of nodes that are alike with what surrounds them, by refining.

    Of an event only what it is counts for its effects: two nodes are lost in the same way for a job, whatever
    else they ran.
    """
    places = {node.id: place for place, node in enumerate(dag.nodes)}
    looks = _number(_look(node) for node in dag.nodes)
    onward: list[list[tuple[str, int]]] = [[] for _ in dag.nodes]
    origins: list[set[tuple[str, int]]] = [set() for _ in dag.nodes]
    for edge in dag.edges:
        source, target = places[edge.source], places[edge.target]
        if edge.kind in ORDER:
            continue
        onward[source].append((f"to {edge.kind}", target))
        if dag.nodes[source].kind == NodeKind.EVENT:
            origins[target].add((edge.kind, looks[source]))
        else:
            onward[target].append((f"from {edge.kind}", source))
    blocks = _number(zip(looks, map(frozenset, origins), strict=True))
    while True:
        finer = _number(
            (block, frozenset((way, blocks[other]) for way, other in onward[place]))
            for place, block in enumerate(blocks)
        )
        if len(set(finer)) == len(set(blocks)):
            return blocks
        blocks = finer


def _look(node: DagNode) -> object:
    """Give all by which nodes of a kind are told apart, whatever the names of nodes and of instances are."""
    has_own_name = node.kind in {NodeKind.ALLOC, NodeKind.EVENT} and node.job != node.label[0].removeprefix(
        "job "
    )
    label = node.label[1:] if has_own_name else node.label
    return (node.kind, node.namespace, node.job, label, node.status, node.is_no_op, node.component)


def _number(looks: Iterable[object]) -> list[int]:
    numbers: dict[object, int] = {}
    return [numbers.setdefault(look, len(numbers)) for look in looks]


def _merge(group: list[DagNode]) -> DagNode:
    first = group[0]
    lines = zip(*(node.label for node in group), strict=True)
    label = tuple(texts[0] if len(set(texts)) == 1 else f"{texts[0]}, …" for texts in lines)
    return replace(first, label=label, members=tuple(node.name for node in group))


def keep_evals(dag: EvalDag) -> EvalDag:
    """Show only evaluations and events; where an allocation stands between two, they are joined."""
    kept = {node.id for node in dag.nodes if node.kind in {NodeKind.EVAL, NodeKind.EVENT}}
    after: dict[str, list[DagEdge]] = defaultdict(list)
    for edge in dag.edges:
        if edge.kind not in ENDING | _SUCCESSION:
            after[edge.source].append(edge)
    edges = set()
    for source in sorted(kept):
        for edge in after[source]:
            if edge.target in kept:
                edges.add(edge)
            else:
                onward = (each for each in after[edge.target] if each.target in kept)
                edges |= {DagEdge(source, each.target, EdgeKind.CAUSED) for each in onward}
    nodes = tuple(node for node in dag.nodes if node.id in kept)
    return EvalDag(dag.title, nodes, sort_edges(nodes, edges))


def focus(dag: EvalDag, node: DagNode, depth: int) -> EvalDag:
    """Keep what is at most so many steps away from a node, whichever way the steps lead."""
    near: dict[str, set[str]] = defaultdict(set)
    for edge in dag.edges:
        near[edge.source].add(edge.target)
        near[edge.target].add(edge.source)
    reached = frontier = {node.id}
    for _ in range(depth):
        frontier = {other for each in frontier for other in near[each]} - reached
        reached |= frontier
    return _restrict(dag, reached)


def _restrict(dag: EvalDag, kept: set[str]) -> EvalDag:
    nodes = tuple(node for node in dag.nodes if node.id in kept)
    edges = tuple(edge for edge in dag.edges if edge.source in kept and edge.target in kept)
    return EvalDag(dag.title, nodes, edges)


def find_node(dag: EvalDag, text: str) -> DagNode:
    """Find an evaluation, an allocation or a deployment by its ID or the beginning of one.

    An allocation is found by its name as well, with its job before it or not: of several the youngest.
    """
    objects = [node for node in dag.nodes if node.kind != NodeKind.EVENT]
    exact = [node for node in objects if node.name == text]
    allocs = [node for node in objects if node.kind == NodeKind.ALLOC]
    named = [node for node in allocs if text in {node.label[0], f"{node.job}.{node.label[0]}"}][-1:]
    begun = [node for node in objects if text and node.name.startswith(text)]
    found = exact or named or begun
    if len(found) == 1:
        return found[0]
    if found:
        names = ", ".join(node.id for node in found[:LEAST_FOLDED])
        raise UsageError(f"{text!r} could be {names} or others: give more of the ID.")
    known = [node.label[0] for node in allocs] + [node.name for node in objects]
    raise UnknownNameError("evaluation, allocation or deployment", text, dict.fromkeys(known))


def by_id(dag: EvalDag) -> Mapping[str, DagNode]:
    """Give the nodes by their IDs."""
    return {node.id: node for node in dag.nodes}
