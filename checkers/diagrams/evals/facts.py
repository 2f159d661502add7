"""Facts: what two states that follow one another differ in, or what a single state lets one infer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from nomadspec.checkers.diagrams.evals.records import Fact, Subject, What
from nomadspec.model.cluster.entities import (
    Allocation,
    AllocClient,
    Deployment,
    Evaluation,
    Job,
    Node,
    NodeStatus,
)
from nomadspec.model.cluster.store.state import State

_TABLES: Final = ("nodes", "jobs", "allocs", "deployments")
_OF_STATUS: Final[Mapping[str, What]] = {
    NodeStatus.DOWN: What.DOWN,
    NodeStatus.DISCONNECTED: What.DISCONNECTED,
    NodeStatus.READY: What.READY,
}
_ENDS: Final[Mapping[str, What]] = {
    AllocClient.FAILED: What.FAILED,
    AllocClient.COMPLETE: What.ENDED,
}


def compare_states(before: State, after: State) -> list[Fact]:
    """List what an entry of the log changed, as facts with its index."""
    facts = [
        fact
        for table in _TABLES
        for old, new in list_changes(getattr(before, table), getattr(after, table))
        for fact in _COMPARERS[table](old, new)
    ]
    return [replace(fact, index=after.latest_index) for fact in facts]


def list_changes(before: Mapping[Any, Any], after: Mapping[Any, Any]) -> Iterator[tuple[Any, Any]]:
    """List the rows of a table that are new, changed or gone, by key; None stands for no row."""
    if before is after:
        return
    changed = [key for key, row in after.items() if before.get(key) is not row]
    gone = [] if len(after) == len(before) and not changed else [key for key in before if key not in after]
    for key in sorted([*changed, *gone]):
        yield before.get(key), after.get(key)


def _compare_nodes(old: Node | None, new: Node | None) -> Iterator[Fact]:
    node = new or old
    if node is None:
        return
    about = Fact(0, Subject.NODE, node.id, What.CHANGED, detail=node.name or node.id)
    if old is None:
        yield replace(about, what=What.JOINED)
    elif new is None:
        yield replace(about, what=What.PURGED)
    elif (old.drain_strategy is None) != (new.drain_strategy is None):
        yield replace(about, what=What.DRAINED if new.drain_strategy is None else What.DRAINING)
    elif old.status != new.status:
        yield replace(about, what=_OF_STATUS.get(new.status, What.CHANGED))
    elif old.scheduling_eligibility != new.scheduling_eligibility:
        yield replace(about, what=What.ELIGIBILITY)
    elif old.computed_class != new.computed_class or old.node_resources != new.node_resources:
        yield about


def _compare_jobs(old: Job | None, new: Job | None) -> Iterator[Fact]:
    job = new or old
    if job is None:
        return
    about = Fact(0, Subject.JOB, job.id, What.REGISTERED, job.namespace)
    if new is None:
        yield replace(about, what=What.PURGED)
    elif new.stop and not (old and old.stop):
        yield replace(about, what=What.STOPPED)
    elif old is None or old.version != new.version or old.job_modify_index != new.job_modify_index:
        yield about


def _compare_allocs(old: Allocation | None, new: Allocation | None) -> Iterator[Fact]:
    if new is None or old is None:
        return
    about = Fact(0, Subject.ALLOC, new.id, What.CHANGED, new.namespace, new.name)
    if old.client_status != new.client_status and new.client_status in _ENDS:
        yield replace(about, what=_ENDS[new.client_status])
    if new.desired_transition != old.desired_transition:
        yield replace(about, what=What.ASKED)
    if _read_health(new) is not None and _read_health(new) != _read_health(old):
        yield replace(about, what=What.HEALTHY if _read_health(new) else What.UNHEALTHY)


def _read_health(alloc: Allocation) -> bool | None:
    return alloc.deployment_status.healthy if alloc.deployment_status else None


def _compare_deployments(old: Deployment | None, new: Deployment | None) -> Iterator[Fact]:
    if new is None or old is None:
        return
    about = Fact(0, Subject.DEPLOYMENT, new.id, What.PROMOTED, new.namespace, new.job_id)
    if _count_promoted(new) > _count_promoted(old):
        yield about
    elif new.status != old.status:
        yield replace(about, what=What.STATUS, detail=f"{new.job_id} {new.status}")


def _count_promoted(deployment: Deployment) -> int:
    return sum(group is not None and group.promoted for group in deployment.task_groups.values())


_COMPARERS: Final[Mapping[str, Any]] = {
    "nodes": _compare_nodes,
    "jobs": _compare_jobs,
    "allocs": _compare_allocs,
    "deployments": _compare_deployments,
}


def infer_facts(evals: Iterable[Evaluation], allocs: Iterable[Allocation]) -> list[Fact]:
    """List what must have happened, as far as objects remember it: evaluations their job and node, ..."""
    found: dict[str, Fact] = {}
    for entry in evals:
        for fact in _infer_of_eval(entry):
            found.setdefault(fact.key, fact)
    for alloc in allocs:
        for fact in _infer_of_alloc(alloc):
            found.setdefault(fact.key, fact)
    return sorted(found.values(), key=lambda fact: (fact.index, fact.key))


def _infer_of_eval(entry: Evaluation) -> Iterator[Fact]:
    if entry.node_id and entry.node_modify_index:
        drains = entry.triggered_by == "node-drain"
        what = What.DRAINING if drains else What.CHANGED
        yield Fact(entry.node_modify_index, Subject.NODE, entry.node_id, what, detail=entry.node_id)
    if entry.job_modify_index and entry.triggered_by in {"job-register", "job-deregister"}:
        what = What.REGISTERED if entry.triggered_by == "job-register" else What.STOPPED
        yield Fact(entry.job_modify_index, Subject.JOB, entry.job_id, what, entry.namespace)


def _infer_of_alloc(alloc: Allocation) -> Iterator[Fact]:
    status = alloc.deployment_status
    if status is not None and status.healthy is not None and status.modify_index:
        what = What.HEALTHY if status.healthy else What.UNHEALTHY
        yield Fact(status.modify_index, Subject.ALLOC, alloc.id, what, alloc.namespace, alloc.name)
    if alloc.client_status == AllocClient.FAILED:
        yield Fact(alloc.modify_index, Subject.ALLOC, alloc.id, What.FAILED, alloc.namespace, alloc.name)
