"""Judges what clients report: an automaton for each allocation, and a status that its tasks decide."""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter
from typing import Final

from msgspec.structs import replace

from nomadspec.checkers.oracle.explain.health import compare_health
from nomadspec.checkers.oracle.judgement import ABSENT, Difference
from nomadspec.checkers.oracle.plain_json import make_plain
from nomadspec.model.cluster.entities import Allocation, AllocClient, NodeStatus
from nomadspec.model.cluster.entities.allocation import compute_client_status, is_reported_end
from nomadspec.model.cluster.entities.scalar import NS_PER_S
from nomadspec.model.cluster.entities.task_state import TaskStatus
from nomadspec.model.cluster.policy.reschedule import find_own_group
from nomadspec.model.cluster.policy.run_limit import compute_deadline_ns, has_run_out
from nomadspec.model.cluster.store import State
from nomadspec.model.cluster.store.requests import AllocClientUpdate
from nomadspec.model.lifecycle.allocation import ALLOCATION_CLIENT, SAID_BY_CLIENTS
from nomadspec.model.lifecycle.table import is_legal
from nomadspec.model.specification.profiles import Profile

_OVERRUN: Final = "allocation exceeded max_run_duration"
_LATE_NS: Final = 3 * NS_PER_S
"""So long after its time, and after its tasks were told to end, it is known that an allocation has ended."""
_SENT: Final = frozenset(
    {
        "id",
        "node_id",
        "task_states",
        "client_status",
        "client_description",
        "deployment_status",
        "network_status",
        "modify_time_ns",
    }
)
"""What a client sends, and when a server got it."""
_UNSENT: Final = tuple(name for name in Allocation.__struct_fields__ if name not in _SENT)
_read_unsent: Final = attrgetter(*_UNSENT)
_UNSET: Final = _read_unsent(Allocation())


def compare_reports(
    request: AllocClientUpdate, before: State, path: str, profile: Profile
) -> Iterator[Difference]:
    """Compare the reports of a client with what may become of its allocations.

    Spec: OBJ-213, OBJ-218, CLIENT-05, CLIENT-08, ALLOC-10.
    """
    for at, report in enumerate(request.alloc):
        stored = before.find_alloc(report.id)
        if stored is not None:
            yield from _compare_report(report, stored, f"{path}.Alloc[{at}]", profile)
            yield from _compare_sent(report, f"{path}.Alloc[{at}]")
            yield from _compare_tasks(report, stored, f"{path}.Alloc[{at}]")
            yield from compare_health(report, stored, before, f"{path}.Alloc[{at}]")
            yield from _compare_overrun(report, stored, before, f"{path}.Alloc[{at}]")


def _compare_report(
    report: Allocation, stored: Allocation, path: str, profile: Profile
) -> Iterator[Difference]:
    status = f"{path}.ClientStatus"
    if report.client_status not in SAID_BY_CLIENTS:
        yield Difference(status, report.client_status, list(SAID_BY_CLIENTS), "OBJ-213")
    elif not _may_follow(stored.client_status, report.client_status, profile):
        yield Difference(status, report.client_status, f"what may follow {stored.client_status}", "OBJ-213")
    elif report.task_states and report.client_description != _OVERRUN:
        computed, words = compute_client_status(report.task_states)
        if report.client_status != computed:
            yield Difference(status, report.client_status, computed, "CLIENT-05")
        elif report.client_description != words:
            yield Difference(f"{path}.ClientDescription", report.client_description, words, "OBJ-218")
    if report.node_id and report.node_id != stored.node_id:
        yield Difference(f"{path}.NodeID", report.node_id, stored.node_id, "CLIENT-08")


def _compare_sent(report: Allocation, path: str) -> Iterator[Difference]:
    """A client sends what it knows better than the servers, and nothing else of an allocation.

    Spec: CLIENT-08.
    """
    if (sent := _read_unsent(report)) == _UNSET:
        return
    for name, told, unset in zip(_UNSENT, sent, _UNSET, strict=True):
        if told != unset:
            yield Difference(f"{path}.{name}", make_plain(told), make_plain(unset), "CLIENT-08")


def _compare_tasks(report: Allocation, stored: Allocation, path: str) -> Iterator[Difference]:
    """The tasks are those of the group; each has a time at which it ended once it is over, or all are.

    Spec: CLIENT-06, CLIENT-08.
    """
    group = find_own_group(stored)
    names = {task.name for task in group.tasks} if group is not None else set(report.task_states)
    if report.task_states and report.task_states.keys() != names:
        yield Difference(f"{path}.TaskStates", sorted(report.task_states), sorted(names), "CLIENT-08")
    is_over = is_reported_end(report.client_status)
    for name, state in report.task_states.items():
        is_due = is_over or state.state == TaskStatus.DEAD
        if bool(state.finished_at_ns) != is_due:
            model = "when it ended" if is_due else ABSENT
            told = state.finished_at_ns or ABSENT
            yield Difference(f"{path}.TaskStates.{name}.FinishedAt", told, model, "CLIENT-06")


def _compare_overrun(
    report: Allocation, stored: Allocation, before: State, path: str
) -> Iterator[Difference]:
    """A client ends what has run for as long as its group allows, in whichever version it may know.

    Spec: CLIENT-09, OBJ-245.
    """
    if report.client_description != _OVERRUN or report.client_description == stored.client_description:
        return
    versions = before.list_job_versions(stored.namespace, stored.job_id)
    known = (stored, *(replace(stored, job=job) for job in versions))
    dues_ns = [due_ns for alloc in known if (due_ns := compute_deadline_ns(alloc)) is not None]
    if not dues_ns or report.modify_time_ns < min(dues_ns) - NS_PER_S:
        yield Difference(f"{path}.ClientDescription", report.client_description, dues_ns, "CLIENT-09")


def list_overrun(state: State, ended_ns: int) -> Iterator[Difference]:
    """List what ran on although its client had to end it long before.

    Spec: CLIENT-09, OBJ-245.
    """
    for alloc in state.list_allocs():
        node = state.find_node(alloc.node_id)
        is_alive = node is not None and node.status == NodeStatus.READY
        group = find_own_group(alloc)
        kill_ns = max((task.kill_timeout_ns or 0 for task in group.tasks), default=0) if group else 0
        if is_alive and has_run_out(alloc, ended_ns - kill_ns - _LATE_NS):
            path = f"raft-log[{alloc.create_index}].AllocsUpdated[{alloc.id}]"
            yield Difference(path, alloc.client_status, _OVERRUN, "CLIENT-09")


def _may_follow(before: str, after: str, profile: Profile) -> bool:
    source, target = AllocClient(before), AllocClient(after)
    return is_legal(ALLOCATION_CLIENT, source, target, profile)
