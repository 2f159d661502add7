"""Judges the children that periodic and parameterized jobs are given, and launches that had to come."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, TypeGuard
from urllib.parse import unquote

import msgspec
from msgspec.structs import replace

from nomadspec.checkers.oracle.compare import Rules, compare
from nomadspec.checkers.oracle.judgement import ABSENT, Difference
from nomadspec.checkers.oracle.plain_json import write_plain
from nomadspec.checkers.oracle.trace_replay import LATE_NS
from nomadspec.checkers.oracle.trace_window import CLOCKS_NS, LONG, History
from nomadspec.model.cluster.components.periodic import LAUNCH_MARK, has_running_child
from nomadspec.model.cluster.entities import Job
from nomadspec.model.cluster.entities.job import is_parameterized, is_periodic_active
from nomadspec.model.cluster.entities.scalar import NS_PER_S
from nomadspec.model.cluster.policy.launch_times import find_next_launch
from nomadspec.model.cluster.store import State
from nomadspec.model.cluster.store.requests import JobRegister
from nomadspec.model.specification.profiles import Profile

_LATE_NS: Final = 10 * NS_PER_S
"""A child is submitted at most so long after the time that it is launched for."""
_PROMPT_NS: Final = NS_PER_S // 5
"""A child is submitted so soon after a scheduled time by the timer; an operator may hit that moment, too."""
_FORCE: Final = re.compile(r"/v1/job/(.+)/periodic/force(?:\?|$)")
_OK: Final = 200
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


class Forced(msgspec.Struct, frozen=True):
    """The launches that operators forced, as told by a recording that lists all that was asked for."""

    evals: frozenset[str]
    """The evaluations that came with them."""
    doubtful: tuple[tuple[str, int, int], ...] = ()
    """The jobs of which a launch may have been forced without a good answer: since when, and until when."""

    @staticmethod
    def of(scenario: Mapping[str, Any]) -> Forced | None:
        """Read it from the description of a scenario; nothing where that lists no actions.

        Spec: WIRE-066.
        """
        actions = scenario.get("actions")
        if not isinstance(actions, list):
            return None
        evals: set[str] = set()
        doubtful: list[tuple[str, int, int]] = []
        for action in filter(_is_mapping, actions):
            request, response = action.get("request"), action.get("response")
            path = request.get("path") if _is_mapping(request) else None
            found = _FORCE.match(path) if isinstance(path, str) else None
            body = response.get("body") if _is_mapping(response) and response.get("status") == _OK else None
            if found is not None and _is_mapping(body):
                evals.add(str(body.get("EvalID")))
            elif found is not None:
                asked_ns, done_ns = (action.get(name) for name in ("at_ns", "done_ns"))
                since_ns = asked_ns if isinstance(asked_ns, int) else 0
                doubtful.append(
                    (unquote(found[1]), since_ns, done_ns if isinstance(done_ns, int) else LATE_NS)
                )
        return Forced(frozenset(evals), tuple(doubtful))

    def may_include(self, request: JobRegister) -> bool:
        """True if an operator may have forced a launch."""
        if request.eval is not None and request.eval.id in self.evals:
            return True
        child = request.job
        return child is not None and any(
            child.parent_id == name and since_ns - CLOCKS_NS <= child.submit_time_ns <= until_ns + CLOCKS_NS
            for name, since_ns, until_ns in self.doubtful
        )


def _is_mapping(told: object) -> TypeGuard[Mapping[str, Any]]:
    return isinstance(told, Mapping)


def compare_child(
    request: JobRegister, history: History, path: str, forced: Forced | None, profile: Profile
) -> Iterator[Difference]:
    """Compare a child with the job that it was made of, and its time with that of recent entries.

    Where nobody told what operators did, they may have forced any launch.

    Spec: JOB-21, JOB-25, JOB-27, JOB-29, OBJ-061.
    """
    child, recent = request.job, history.list_recent(request, LONG)
    if child is None or not child.parent_id or recent[0].find_job(child.namespace, child.id) is not None:
        return
    known = (state.find_job(child.namespace, child.parent_id) for state in recent)
    parents = list({id(job): job for job in known if job is not None}.values())
    if not parents:
        yield Difference(f"{path}.Job.ParentID", child.parent_id, ABSENT, "OBJ-061")
        return
    is_launch = child.id.startswith(child.parent_id + LAUNCH_MARK)
    if is_launch:
        may_be_forced = forced is None or forced.may_include(request)
        yield from _compare_launch(child, parents, path, history, profile, may_be_forced=may_be_forced)
    elif not any(map(is_parameterized, parents)):
        yield Difference(f"{path}.Job.ParentID", child.parent_id, "no parameterized job", "JOB-21")
    free = () if is_launch else ("Priority",)
    shown = [_show(parent, free) for parent in parents]
    if _show(child, free) not in shown:
        yield from compare(_show(child, free), shown[0], f"{path}.Job", _RULES)


def _compare_launch(
    child: Job, parents: Sequence[Job], path: str, history: History, profile: Profile, *, may_be_forced: bool
) -> Iterator[Difference]:
    """A launch may come late where nothing was written meanwhile: the server was stopped, or the machine."""
    if not any(map(is_periodic_active, parents)):
        yield Difference(f"{path}.Job.ParentID", child.parent_id, "no periodic job", "JOB-25")
    at_s = child.id.removeprefix(f"{child.parent_id}{LAUNCH_MARK}")
    second_ns = int(at_s) * NS_PER_S if at_s.isdecimal() else 0
    latest_ns = second_ns + _LATE_NS
    is_late = min(child.submit_time_ns, history.find_time(LONG)) > latest_ns
    if child.submit_time_ns < second_ns - NS_PER_S or is_late:
        yield Difference(f"{path}.Job.ID", child.id, child.submit_time_ns // NS_PER_S, "JOB-25")
    elif 0 <= child.submit_time_ns - second_ns < _PROMPT_NS and len(set(map(_find_times, parents))) == 1:
        yield from _compare_timer(
            child, parents[0], second_ns, path, history, profile, may_be_forced=may_be_forced
        )


def _compare_timer(
    child: Job,
    parent: Job,
    second_ns: int,
    path: str,
    history: History,
    profile: Profile,
    *,
    may_be_forced: bool,
) -> Iterator[Difference]:
    """Compare a launch at a time of the timer with the one before.

    One that an operator may have forced says nothing of overlap, and is no reason to call the launch before
    it missing until that is too late as well. A new leader launches once for all that were missed.

    Spec: JOB-26, JOB-27, JOB-28, JOB-29.
    """
    if parent.periodic is None or find_next_launch(parent.periodic, second_ns - 1, profile) != second_ns:
        return
    prohibits = parent.periodic.prohibit_overlap
    if prohibits and not may_be_forced and all(_list_held(history, parent, second_ns - _PROMPT_NS)):
        yield Difference(f"{path}.Job.ID", child.id, "the launch before still runs", "JOB-27")
    launch = history.states[-1].find_periodic_launch(parent.namespace, parent.id)
    since_ns = max(launch.launch_ns if launch is not None else 0, parent.submit_time_ns)
    due_ns = find_next_launch(parent.periodic, since_ns, profile)
    latest_ns = second_ns - (_LATE_NS if may_be_forced else 0)
    if launch is None or due_ns is None or due_ns >= latest_ns:
        return
    is_held = prohibits and any(_list_held(history, parent, due_ns - _PROMPT_NS))
    known = max(launch.modify_index, parent.job_modify_index)
    if not is_held and history.is_led_since(due_ns, known):
        yield Difference(f"{path}.Job.ID", child.id, due_ns // NS_PER_S, "JOB-26")


def _list_held(history: History, parent: Job, since_ns: int) -> Iterator[bool]:
    """List for each state since a time whether a launch was running."""
    for state in history.states[-history.count_since(since_ns) :]:
        yield has_running_child(state, parent)


def _find_times(job: Job) -> tuple[str, tuple[str, ...], str, bool] | None:
    """Find what tells when a job is launched."""
    told = job.periodic
    return (told.spec, tuple(told.specs), told.time_zone, told.prohibit_overlap) if told is not None else None


def list_missed(state: State, ended_ns: int, profile: Profile) -> Iterator[Difference]:
    """List periodic jobs of which a launch was due by the end of a recording and did not come.

    Spec: JOB-24, JOB-26, JOB-27.
    """
    for job in filter(is_periodic_active, state.list_jobs()):
        launch = state.find_periodic_launch(job.namespace, job.id)
        if job.periodic is None or launch is None or _may_be_held(state, job):
            continue
        since_ns = max(launch.launch_ns, job.submit_time_ns, *_list_ends(state, job))
        due_ns = find_next_launch(job.periodic, since_ns, profile)
        if due_ns is not None and due_ns + _LATE_NS < ended_ns:
            path = f"raft-log[{job.job_modify_index}].Job.Periodic"
            yield Difference(path, launch.launch_ns, due_ns, "JOB-26")


def _may_be_held(state: State, job: Job) -> bool:
    return job.periodic is not None and job.periodic.prohibit_overlap and has_running_child(state, job)


def _list_ends(state: State, job: Job) -> Iterator[int]:
    """List until when launches of a job that prohibits overlap may have run."""
    if job.periodic is not None and job.periodic.prohibit_overlap:
        for child in state.list_children(job.namespace, job.id):
            allocs = state.list_allocs_of_job(child.namespace, child.id)
            yield from (alloc.modify_time_ns for alloc in allocs)
            yield from (entry.modify_time_ns for entry in state.list_evals_of_job(child.namespace, child.id))


def _show(job: Job, free: Sequence[str]) -> dict[str, Any]:
    """Show what a child has of its parent; who dispatches may ask for another priority."""
    shown: dict[str, Any] = write_plain(replace(job, stop=False))
    return {key: told for key, told in shown.items() if key not in {*_OWN, *free}}
