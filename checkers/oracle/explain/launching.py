"""Judges the children that periodic and parameterized jobs are given."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from msgspec.structs import replace

from nomadspec.checkers.oracle.compare import Rules, compare
from nomadspec.checkers.oracle.judgement import ABSENT, Difference
from nomadspec.checkers.oracle.plain import write_plain
from nomadspec.model.cluster.components.periodic import LAUNCH_MARK
from nomadspec.model.cluster.entities import Job
from nomadspec.model.cluster.entities.job import is_parameterized, is_periodic_active
from nomadspec.model.cluster.entities.scalar import NS_PER_S
from nomadspec.model.cluster.store import State
from nomadspec.model.cluster.store.requests import JobRegister

_LATE_NS: Final = 10 * NS_PER_S
"""A child is submitted at most so long after the time that it is launched for."""
_RULES: Final[Rules] = (("", "JOB-25"),)
_OWN: Final = (
    "ID",
    "Name",
    "ParentID",
    "Periodic",
    "Status",
    "StatusDescription",
    "SubmitTime",
    "Version",
    "Stable",
    "CreateIndex",
    "ModifyIndex",
    "JobModifyIndex",
    "Dispatched",
    "DispatchIdempotencyToken",
    "Meta",
    "Payload",
)
"""What a child does not have from its parent."""


def compare_child(
    request: JobRegister, recent: Sequence[State], path: str, known_ns: int
) -> Iterator[Difference]:
    """Compare a child with the job that it was made of, and its time with that of recent entries.

    Spec: JOB-21, JOB-25, OBJ-061.
    """
    child = request.job
    if child is None or not child.parent_id or recent[0].find_job(child.namespace, child.id) is not None:
        return
    parents = [
        job for state in recent if (job := state.find_job(child.namespace, child.parent_id)) is not None
    ]
    if not parents:
        yield Difference(f"{path}.Job.ParentID", child.parent_id, ABSENT, "OBJ-061")
        return
    if LAUNCH_MARK in child.id:
        yield from _compare_launch(child, parents, path, known_ns)
    elif not any(map(is_parameterized, parents)):
        yield Difference(f"{path}.Job.ParentID", child.parent_id, "no parameterized job", "JOB-21")
    free = () if LAUNCH_MARK in child.id else ("Priority",)
    shown = [_show(parent, free) for parent in parents]
    if _show(child, free) not in shown:
        yield from compare(_show(child, free), shown[0], f"{path}.Job", _RULES)


def _compare_launch(child: Job, parents: Sequence[Job], path: str, known_ns: int) -> Iterator[Difference]:
    """A launch may come late where nothing was written meanwhile: the server was stopped, or the machine."""
    if not any(map(is_periodic_active, parents)):
        yield Difference(f"{path}.Job.ParentID", child.parent_id, "no periodic job", "JOB-25")
    at_s = child.id.removeprefix(f"{child.parent_id}{LAUNCH_MARK}")
    second_ns = int(at_s) * NS_PER_S if at_s.isdecimal() else 0
    latest_ns = second_ns + _LATE_NS
    is_late = min(child.submit_time_ns, known_ns) > latest_ns
    if child.submit_time_ns < second_ns - NS_PER_S or is_late:
        yield Difference(f"{path}.Job.ID", child.id, child.submit_time_ns // NS_PER_S, "JOB-25")


def _show(job: Job, free: Sequence[str]) -> dict[str, Any]:
    """Show what a child has of its parent; who dispatches may ask for another priority."""
    shown: dict[str, Any] = write_plain(replace(job, stop=False))
    return {key: told for key, told in shown.items() if key not in {*_OWN, *free}}
