"""What an act changed in the state of a cluster, in the fields that its command line shows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from nomadspec.checkers.pages.page import Change
from nomadspec.model.cluster.entities import Allocation, Deployment, Evaluation, Job, Node
from nomadspec.model.cluster.entities.node import is_draining
from nomadspec.model.cluster.store.state import State

_ABSENT: Final = "absent"


def _show_node(node: Node) -> Mapping[str, str]:
    drain = {"drain": "yes"} if is_draining(node) else {}
    return {"status": node.status, "eligibility": node.scheduling_eligibility, **drain}


def _show_job(job: Job) -> Mapping[str, str]:
    stopped = {"stopped": "yes"} if job.stop else {}
    return {"status": job.status, "version": str(job.version), **stopped}


def _show_eval(evaluation: Evaluation) -> Mapping[str, str]:
    return {"status": evaluation.status, "trigger": evaluation.triggered_by}


def _show_alloc(alloc: Allocation) -> Mapping[str, str]:
    return {"desired": alloc.desired_status, "client": alloc.client_status, "node": alloc.node_id}


def _show_deployment(deployment: Deployment) -> Mapping[str, str]:
    return {"status": deployment.status}


_TABLES: Final[Mapping[str, tuple[str, Callable[[Any], Mapping[str, str]]]]] = {
    "nodes": ("node", _show_node),
    "jobs": ("job", _show_job),
    "deployments": ("deployment", _show_deployment),
    "evals": ("eval", _show_eval),
    "allocs": ("alloc", _show_alloc),
}
KINDS: Final = tuple(word for word, _ in _TABLES.values())
"""What the objects are, in the order in which they are shown."""


def list_cluster_changes(before: State, after: State) -> list[Change]:
    """List the fields of nodes, jobs, deployments, evaluations and allocations that differ."""
    return [
        Change(f"{word} {name} {key}", old.get(key, _ABSENT), new.get(key, _ABSENT))
        for word, name, old, new in _list_differences(before, after)
        for key in dict.fromkeys([*old, *new])
        if old.get(key) != new.get(key)
    ]


def list_objects(state: State) -> Iterator[tuple[str, str, Mapping[str, str]]]:
    """List the objects of a state: kind, ID, and the fields that the command line shows."""
    for table, (word, show) in _TABLES.items():
        for key, row in getattr(state, table).items():
            yield word, _name(key), show(row)


def _list_differences(
    before: State, after: State
) -> Iterator[tuple[str, str, Mapping[str, str], Mapping[str, str]]]:
    for table, (word, show) in _TABLES.items():
        old, new = getattr(before, table), getattr(after, table)
        if old is new:
            continue
        for key in dict.fromkeys([*old, *new]):
            was, now = old.get(key), new.get(key)
            if was is not now:
                yield word, _name(key), {} if was is None else show(was), {} if now is None else show(now)


def _name(key: str | tuple[str, str]) -> str:
    """Write a key: of jobs the namespace is left out where it is the usual one."""
    if isinstance(key, str):
        return key
    namespace, job_id = key
    return job_id if namespace == "default" else f"{namespace}/{job_id}"
