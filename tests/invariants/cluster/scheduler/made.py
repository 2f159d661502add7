"""Decisions that tests make: the states before and after, and one plan that leads from one to the other."""

from typing import Any

from nomadspec.invariants.cluster.scheduler import PROPERTIES, Decision
from nomadspec.model.cluster.entities import Allocation, Evaluation, Job, Node, Plan
from nomadspec.model.cluster.scheduler.outcome import Outcome
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.model.cluster.scheduler.made import NOW_NS, make_eval, make_job, make_snapshot


def make_decision(
    *nodes: Node,
    job: Job | None = None,
    had: tuple[Allocation, ...] = (),
    placed: tuple[Allocation, ...] = (),
    stopped: tuple[Allocation, ...] = (),
    updated_evals: tuple[Evaluation, ...] = (),
    **evaluation: Any,
) -> Decision:
    """Make a decision that places and stops allocations."""
    known = job or make_job()
    gone = {alloc.id: alloc for alloc in stopped}
    after = [gone.get(alloc.id, alloc) for alloc in had]
    plan = Plan(job=known, node_allocation=_by_node(placed), node_update=_by_node(stopped))
    return Decision(
        before=make_snapshot(known, *nodes, *had),
        evaluation=make_eval(**evaluation),
        outcome=Outcome(plans=(plan,) if placed or stopped else (), updated_evals=updated_evals),
        after=make_snapshot(known, *nodes, *after, *placed),
        now_ns=NOW_NS,
        profile=NOMAD_2_0,
    )


def _by_node(allocs: tuple[Allocation, ...]) -> dict[str, tuple[Allocation, ...]]:
    nodes = dict.fromkeys(alloc.node_id for alloc in allocs)
    return {node: tuple(alloc for alloc in allocs if alloc.node_id == node) for node in nodes}


def ask(name: str, decision: Decision) -> list[str]:
    """Ask a property what is wrong."""
    return list(PROPERTIES[name](decision))
