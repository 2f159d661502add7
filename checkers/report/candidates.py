"""The nodes that the scheduler does not consider, each with its reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from nomadspec.checkers.report.table import count_of, join_names
from nomadspec.model.cluster.entities import Eligibility, Evaluation, Job, Node, NodeStatus
from nomadspec.model.cluster.entities.node import is_draining, is_in_datacenters, is_scanned_in_pool
from nomadspec.model.cluster.scheduler.reasons import Dropped, Exhausted, Filtered, Selection, Visit
from nomadspec.model.cluster.scheduler.snapshot import Snapshot

_BY_CLASS: Final = ("FEAS-21", "FEAS-22")
"""The rules by which a node is filtered because another of its computed class was, for the job or a group."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A node that the job may not use."""

    node_id: str
    name: str
    reason: str
    """In a word that others share: ``down``, ``ineligible``, ``in another datacenter``."""
    why: str
    """In full, with what was compared."""
    rule: str


@dataclass(frozen=True, slots=True)
class Survey:
    """How many nodes there are, and which of them the job may not use."""

    nodes: int
    left_out: Sequence[LeftOut]

    def describe(self) -> str:
        """Say in a sentence how many nodes are left, and why the others are not."""
        if not self.nodes:
            return "the input has no nodes, so placements cannot be explained"
        left = self.nodes - len(self.left_out)
        reasons = Counter(one.reason for one in self.left_out)
        told = [f"{count:,} {reason}" for reason, count in reasons.most_common()]
        others = f"; {join_names(told)}" if told else ""
        are = "is a candidate" if left == 1 else "are candidates"
        return f"{left:,} of {count_of(self.nodes, 'node')} {are}{others}"

    def data(self) -> dict[str, object]:
        """Write it as an object."""
        left_out = [
            {"node_id": one.node_id, "name": one.name, "reason": one.reason, "why": one.why, "rule": one.rule}
            for one in self.left_out
        ]
        return {"nodes": self.nodes, "left_out": left_out}


def survey(snapshot: Snapshot, evaluation: Evaluation) -> Survey:
    """Find the nodes that the job of an evaluation may not use; without a job nothing is looked for."""
    job = snapshot.find_job(evaluation.namespace, evaluation.job_id)
    found = [] if job is None else [one for node in snapshot.nodes if (one := _judge(node, job)) is not None]
    return Survey(len(snapshot.nodes), found)


def _judge(node: Node, job: Job) -> LeftOut | None:
    """Find the first reason why a job may not use a node: what an operator would mend first."""
    if node.status != NodeStatus.READY:
        return _leave_out(node, node.status, f"its status is {node.status}", "FEAS-06")
    if is_draining(node):
        return _leave_out(node, "draining", "it is being drained", "FEAS-06")
    if node.scheduling_eligibility != Eligibility.ELIGIBLE:
        return _leave_out(node, "ineligible", f"it is marked {node.scheduling_eligibility}", "FEAS-06")
    if not is_scanned_in_pool(node, job.node_pool):
        why = f"it is in pool {node.node_pool!r}, the job asks for {job.node_pool!r}"
        return _leave_out(node, "in another pool", why, "FEAS-07")
    if not is_in_datacenters(node, job.datacenters):
        asked = join_names([repr(name) for name in job.datacenters]) or "none"
        why = f"it is in datacenter {node.datacenter!r}, the job asks for {asked}"
        return _leave_out(node, "in another datacenter", why, "FEAS-08")
    return None


def _leave_out(node: Node, reason: str, why: str, rule: str) -> LeftOut:
    return LeftOut(node.id, node.name, reason, why, rule)


def summarise_searches(selections: Sequence[Selection]) -> Iterator[tuple[str, str]]:
    """Say of every group how many of its searches found a node, and what kept the last one that did not."""
    causes = _find_causes([visit for one in selections for visit in one.visits])
    asked = sorted((one for one in selections if not one.is_trial), key=lambda one: one.group)
    for group, found in groupby(asked, key=lambda one: one.group):
        last = {one.alloc_name: one for one in found}
        missing = [one for one in last.values() if not one.chosen]
        placed = f"{len(last) - len(missing)} of {count_of(len(last), 'placement')} found a node"
        yield (
            group,
            placed
            + (f"; {missing[-1].alloc_name}: {_count_reasons(missing[-1], causes)}" if missing else ""),
        )


def _find_causes(visits: Sequence[Visit]) -> Mapping[str, str]:
    """Find for nodes that share the fate of their class why the first of it was filtered."""
    shared = {
        visit.node_id: visit for visit in visits if isinstance(visit, Filtered) and visit.rule in _BY_CLASS
    }
    first = {
        str(shared[visit.node_id].operands): visit.text
        for visit in reversed(visits)
        if isinstance(visit, Filtered) and visit.rule not in _BY_CLASS and visit.node_id in shared
    }
    return {node: first[key] for node, visit in shared.items() if (key := str(visit.operands)) in first}


def _count_reasons(selection: Selection, causes: Mapping[str, str]) -> str:
    reasons = Counter(reason for visit in selection.visits if (reason := _find_reason(visit, causes)))
    told = [f"{count_of(count, 'node')} {reason}" for reason, count in reasons.most_common()]
    return join_names(told) or "no candidate node"


def _find_reason(visit: Visit, causes: Mapping[str, str]) -> str:
    match visit:
        case Filtered():
            is_shared = visit.rule in _BY_CLASS
            return f"filtered ({causes.get(visit.node_id, visit.text) if is_shared else visit.text})"
        case Exhausted():
            return f"exhausted ({visit.dimension})"
        case Dropped():
            return f"skipped ({visit.rule})"
        case _:
            return ""
