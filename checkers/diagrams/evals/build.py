"""Builds the graph of evaluations from a history; pure, and the same for the same history."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from nomadspec.checkers.diagrams.evals.causes import Causes, list_chain
from nomadspec.checkers.diagrams.evals.makers import APPLIER, DRAINER, find_actor, find_maker
from nomadspec.checkers.diagrams.evals.records import (
    CommittedPlan,
    DagEdge,
    DagNode,
    EdgeKind,
    EvalDag,
    Fact,
    History,
    NodeKind,
    Subject,
    What,
    node_id,
)
from nomadspec.model.cluster.entities import Allocation, Deployment, Evaluation
from nomadspec.model.cluster.entities.allocation import is_server_terminal
from nomadspec.model.cluster.entities.evaluation import is_terminal
from nomadspec.model.lifecycle.allocation import ALLOCATION_CLIENT

_UUID_LENGTH: Final = 36
_UUID_DASHES: Final = 4
_TROUBLE: Final = frozenset(str(status.value) for status in ALLOCATION_CLIENT.trouble)
_SHORT: Final = 8


def build_dag(history: History) -> EvalDag:
    """Build the graph; an event is in it where it led to something."""
    objects = [
        *map(_node_of_eval, history.evals),
        *map(_node_of_alloc, history.allocs),
        *map(_node_of_deployment, history.deployments),
    ]
    known = {node.id for node in objects}
    facts = {fact.key: fact for fact in history.facts}
    edges = {
        edge for edge in _list_edges(history) if edge.source in known | set(facts) and edge.target in known
    }
    used = {edge.source for edge in edges} & set(facts)
    drains = [edge for edge in _list_drains(history) if edge.target in used]
    edges |= set(drains)
    used |= {edge.source for edge in drains}
    edges |= {edge for key in used for edge in _list_origins(facts[key]) if edge.source in known}
    edges |= set(_list_sequence(fact for fact in history.facts if fact.key in used))
    jobs = {node.id: node.job for node in objects}
    makers = _find_makers(history, facts, edges)
    objects = [replace(node, component=makers.get(node.id, node.component)) for node in objects]
    nodes = [*objects, *(_node_of_fact(facts[key], jobs) for key in used)]
    dag = EvalDag(history.title, tuple(sorted(nodes, key=rank)), sort_edges(nodes, edges))
    return _mark_no_ops(dag, history.plans) if history.has_plans else dag


def _find_makers(history: History, facts: Mapping[str, Fact], edges: Iterable[DagEdge]) -> dict[str, str]:
    """Find the component that made each evaluation: as it was seen, else from what it was made for."""
    made_for: dict[str, list[Fact]] = defaultdict(list)
    for edge in edges:
        if edge.source in facts:
            made_for[edge.target].append(facts[edge.source])
    keys = [(_of_eval(entry.id), entry) for entry in history.evals]
    return {key: history.makers.get(entry.id) or find_maker(entry, made_for[key]) for key, entry in keys}


def rank(node: DagNode) -> tuple[int, str, str]:
    """Order nodes: by index, then by kind and ID."""
    return (node.index, node.kind.value, node.id)


def sort_edges(nodes: Iterable[DagNode], edges: Iterable[DagEdge]) -> tuple[DagEdge, ...]:
    """Order edges by their ends."""
    ranks = {node.id: rank(node) for node in nodes}
    return tuple(sorted(edges, key=lambda edge: (ranks[edge.source], ranks[edge.target], edge.kind.value)))


def shorten(name: str) -> str:
    """Shorten the ID of a real object as Nomad's own command line does."""
    return name[:_SHORT] if len(name) == _UUID_LENGTH and name.count("-") == _UUID_DASHES else name


def _node_of_eval(entry: Evaluation) -> DagNode:
    status = () if entry.status == "complete" else (entry.status,)
    label = (entry.job_id or shorten(entry.id), *map(str, status), str(entry.triggered_by))
    key = node_id(NodeKind.EVAL, entry.id)
    return DagNode(
        key, NodeKind.EVAL, label, str(entry.status), entry.namespace, entry.job_id, entry.create_index
    )


def _node_of_alloc(alloc: Allocation) -> DagNode:
    status = (
        f"{alloc.client_status}, {alloc.desired_status}" if is_server_terminal(alloc) else alloc.client_status
    )
    label = (_short_name(alloc.name) or shorten(alloc.id), str(status))
    key = node_id(NodeKind.ALLOC, alloc.id)
    return DagNode(
        key,
        NodeKind.ALLOC,
        label,
        _alloc_status(alloc),
        alloc.namespace,
        alloc.job_id,
        alloc.create_index,
        APPLIER,
    )


def _alloc_status(alloc: Allocation) -> str:
    if alloc.client_status in _TROUBLE:
        return str(alloc.client_status)
    return str(alloc.desired_status if is_server_terminal(alloc) else alloc.client_status)


def _short_name(name: str) -> str:
    return name.partition(".")[2] or name


def _node_of_deployment(deployment: Deployment) -> DagNode:
    label = ("deployment", f"version {deployment.job_version}", str(deployment.status))
    key = node_id(NodeKind.DEPLOYMENT, deployment.id)
    return DagNode(
        key,
        NodeKind.DEPLOYMENT,
        label,
        str(deployment.status),
        deployment.namespace,
        deployment.job_id,
        deployment.create_index,
        APPLIER,
    )


def _node_of_fact(fact: Fact, jobs: dict[str, str]) -> DagNode:
    match fact.subject:
        case Subject.NODE:
            label, job = (shorten(fact.detail or fact.id), fact.what.value), ""
        case Subject.JOB:
            label, job = (f"job {fact.id}", fact.what.value), fact.id
        case Subject.ALLOC:
            name = _short_name(fact.detail) or shorten(fact.id)
            label, job = (name, fact.what.value), jobs.get(node_id(NodeKind.ALLOC, fact.id), "")
        case Subject.DEPLOYMENT:
            words = fact.detail.rpartition(" ")[2] if fact.what.value == "changes status" else fact.what.value
            label, job = ("deployment", words), jobs.get(node_id(NodeKind.DEPLOYMENT, fact.id), "")
    return DagNode(
        fact.key, NodeKind.EVENT, label, "event", fact.namespace, job, fact.index, find_actor(fact)
    )


def _list_edges(history: History) -> Iterator[DagEdge]:
    yield from _list_edges_to_evals(history)
    evicted = {alloc.id for alloc in history.allocs if alloc.preempted_by_allocation}
    for plan in history.plans:
        preempted = tuple(alloc for alloc in plan.preempted if alloc not in evicted)
        yield from _list_edges_of_plan(replace(plan, preempted=preempted))
    yield from _list_edges_to_allocs(history)
    yield from _list_edges_to_deployments(history)


def _list_edges_to_evals(history: History) -> Iterator[DagEdge]:
    causes, known = Causes(history), {entry.id for entry in history.evals}
    linked = set()
    for entry in history.evals:
        for source, target, name in list_chain(entry):
            if source in known and target in known:
                linked.add(target)
                yield DagEdge(_of_eval(source), _of_eval(target), EdgeKind(name))
    for entry in history.evals:
        if entry.id not in linked:
            found = causes.find(entry)
            if not found and entry.deployment_id:
                found = [node_id(NodeKind.DEPLOYMENT, entry.deployment_id)]
            yield from (DagEdge(source, _of_eval(entry.id), EdgeKind.CAUSED) for source in found)


def _list_edges_of_plan(plan: CommittedPlan) -> Iterator[DagEdge]:
    source = _of_eval(plan.eval_id)
    ends = (
        (plan.placed, EdgeKind.PLACED),
        (plan.stopped, EdgeKind.STOPPED),
        (plan.preempted, EdgeKind.PREEMPTED),
    )
    for allocs, kind in ends:
        yield from (DagEdge(source, node_id(NodeKind.ALLOC, alloc), kind) for alloc in allocs)


def _list_edges_to_allocs(history: History) -> Iterator[DagEdge]:
    placed = {alloc for plan in history.plans for alloc in plan.placed}
    births = {entry.id: entry.create_index for entry in history.evals}
    for alloc in history.allocs:
        target = node_id(NodeKind.ALLOC, alloc.id)
        # An update in place gives an allocation the ID of a later evaluation.
        if alloc.id not in placed and births.get(alloc.eval_id, 0) <= alloc.create_index:
            yield DagEdge(_of_eval(alloc.eval_id), target, EdgeKind.PLACED)
        if alloc.previous_allocation:
            previous = node_id(NodeKind.ALLOC, alloc.previous_allocation)
            yield DagEdge(previous, target, _kind_of_successor(alloc))
        if alloc.preempted_by_allocation:
            by = node_id(NodeKind.ALLOC, alloc.preempted_by_allocation)
            yield DagEdge(by, target, EdgeKind.PREEMPTED)


def _kind_of_successor(alloc: Allocation) -> EdgeKind:
    events = (alloc.reschedule_tracker.events if alloc.reschedule_tracker else None) or ()
    is_rescheduled = any(event.prev_alloc_id == alloc.previous_allocation for event in events)
    return EdgeKind.RESCHEDULED if is_rescheduled else EdgeKind.REPLACED


def _list_edges_to_deployments(history: History) -> Iterator[DagEdge]:
    makers = {plan.index: plan.eval_id for plan in history.plans}
    first = {
        alloc.deployment_id: alloc.eval_id
        for alloc in sorted(history.allocs, key=lambda alloc: (alloc.create_index, alloc.id), reverse=True)
    }
    births = {entry.id: entry.create_index for entry in history.evals}
    for deployment in history.deployments:
        maker = makers.get(deployment.create_index) or first.get(deployment.id, "")
        if births.get(maker, 0) <= deployment.create_index:
            yield DagEdge(_of_eval(maker), node_id(NodeKind.DEPLOYMENT, deployment.id), EdgeKind.CAUSED)


def _list_origins(fact: Fact) -> Iterator[DagEdge]:
    """List what an event comes from: the allocation or deployment that it happened to."""
    if fact.subject == Subject.ALLOC:
        yield DagEdge(node_id(NodeKind.ALLOC, fact.id), fact.key, EdgeKind.CAUSED)
    elif fact.subject == Subject.DEPLOYMENT:
        yield DagEdge(node_id(NodeKind.DEPLOYMENT, fact.id), fact.key, EdgeKind.CAUSED)


def _list_drains(history: History) -> Iterator[DagEdge]:
    """List which drain of a node had the drainer ask an allocation to move."""
    homes = {alloc.id: alloc.node_id for alloc in history.allocs}
    draining: dict[str, Fact] = {}
    ended: set[tuple[str, int]] = set()
    for fact in history.facts:
        if fact.what is What.DRAINING:
            draining[fact.id] = fact
        elif fact.what is What.DRAINED:
            ended.add((fact.id, fact.index))
        elif fact.what is What.ASKED and fact.actor in {"", DRAINER}:
            drain = draining.get(homes.get(fact.id, ""))
            if drain is not None and not any(
                node == drain.id and drain.index < index < fact.index for node, index in ended
            ):
                yield DagEdge(drain.key, fact.key, EdgeKind.CAUSED)


def _list_sequence(facts: Iterable[Fact]) -> Iterator[DagEdge]:
    """List which event of a node came after which."""
    last: dict[str, Fact] = {}
    for fact in facts:
        if fact.subject == Subject.NODE:
            before = last.get(fact.id)
            if before is not None and before.key != fact.key:
                yield DagEdge(before.key, fact.key, EdgeKind.THEN)
            last[fact.id] = fact


def _of_eval(eval_id: str) -> str:
    return node_id(NodeKind.EVAL, eval_id)


def _mark_no_ops(dag: EvalDag, plans: Iterable[CommittedPlan]) -> EvalDag:
    """Mark the evaluations that are over, changed nothing and led to nothing."""
    busy = {edge.source for edge in dag.edges} | {_of_eval(plan.eval_id) for plan in plans if plan.updated}
    nodes = (
        replace(node, is_no_op=True)
        if node.kind == NodeKind.EVAL and node.id not in busy and is_terminal(Evaluation(status=node.status))
        else node
        for node in dag.nodes
    )
    return replace(dag, nodes=tuple(nodes))
