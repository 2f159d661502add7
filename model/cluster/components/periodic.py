"""The leader's dispatcher of periodic jobs: what it tracks, and what it launches when.

Time is an argument. What is launched is handed back as child jobs; to register them is another step.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from msgspec.structs import replace
from rpds import HashTrieMap

from nomadspec.model.cluster.entities import NS_PER_S, Job
from nomadspec.model.cluster.entities.allocation import is_terminal
from nomadspec.model.cluster.entities.evaluation import is_terminal as is_eval_terminal
from nomadspec.model.cluster.entities.job import is_periodic_active
from nomadspec.model.cluster.policy.cron_fields import CronError
from nomadspec.model.cluster.policy.launch_times import find_next_launch
from nomadspec.model.cluster.store.state import State
from nomadspec.model.specification.profiles import Profile

JobKey = tuple[str, str]
"""Namespace and ID of a job."""

LAUNCH_MARK: Final = "/periodic-"


@dataclass(frozen=True, slots=True)
class Tracked:
    """A periodic job and its next launch as unix nanoseconds; None means that there is none any more."""

    job: Job
    next_ns: int | None


@dataclass(frozen=True, slots=True)
class Dispatcher:
    """What the leader remembers of periodic jobs."""

    is_enabled: bool = False
    tracked: HashTrieMap[JobKey, Tracked] = field(default_factory=HashTrieMap)
    profile: Profile = field(kw_only=True)


@dataclass(frozen=True, slots=True)
class Launch:
    """A child that is to be registered, and the time that the launch is for."""

    child: Job
    at_ns: int


IsRunning = Callable[[Job], bool]
"""Tells whether a child of a job still runs."""


def set_enabled(dispatcher: Dispatcher, *, is_enabled: bool) -> Dispatcher:
    """Switch the dispatcher on or off; what is switched off forgets everything.

    Spec: JOB-26.
    """
    return Dispatcher(
        is_enabled=is_enabled,
        tracked=dispatcher.tracked if is_enabled else HashTrieMap(),
        profile=dispatcher.profile,
    )


def add_job(dispatcher: Dispatcher, job: Job, now_ns: int) -> Dispatcher:
    """Track a job that was registered, or drop it if it is not, or no longer, launched by the clock.

    Spec: JOB-24, JOB-26.
    """
    if not dispatcher.is_enabled:
        return dispatcher
    if not is_periodic_active(job):
        return remove_job(dispatcher, job.namespace, job.id)
    return _track(dispatcher, job, now_ns)


def remove_job(dispatcher: Dispatcher, namespace: str, job_id: str) -> Dispatcher:
    """Drop a job.

    Spec: JOB-26.
    """
    return _with_tracked(dispatcher, dispatcher.tracked.discard((namespace, job_id)))


def find_force_refusal(dispatcher: Dispatcher, namespace: str, job_id: str) -> str | None:
    """Find why a job cannot be launched on demand.

    Spec: JOB-29.
    """
    if not dispatcher.is_enabled:
        return "periodic dispatch disabled"
    if (namespace, job_id) not in dispatcher.tracked:
        return f'can\'t force run non-tracked job "{job_id}" ({namespace})'
    return None


def force_launch(dispatcher: Dispatcher, namespace: str, job_id: str, now_ns: int) -> Launch:
    """Launch a tracked job now, whether a child runs or not.

    Spec: JOB-29.
    """
    return _launch(dispatcher.tracked[namespace, job_id].job, now_ns)


def find_due(dispatcher: Dispatcher, until_ns: int) -> int | None:
    """Find the earliest launch up to an instant.

    Spec: JOB-26.
    """
    due = (tracked.next_ns for tracked in dispatcher.tracked.values() if tracked.next_ns is not None)
    return min((launch_ns for launch_ns in due if launch_ns <= until_ns), default=None)


def launch_due(
    dispatcher: Dispatcher, due_ns: int, is_running: IsRunning
) -> tuple[Dispatcher, tuple[Launch, ...]]:
    """Launch what is due at an instant; a launch that a running child forbids is not made up for.

    Spec: JOB-25, JOB-26, JOB-27.
    """
    launches: list[Launch] = []
    for key in sorted(dispatcher.tracked):
        tracked = dispatcher.tracked[key]
        if tracked.next_ns == due_ns:
            dispatcher = _track(dispatcher, tracked.job, due_ns)
            if not _is_held_back(tracked.job, is_running):
                launches.append(_launch(tracked.job, due_ns))
    return dispatcher, tuple(launches)


def advance(
    dispatcher: Dispatcher, until_ns: int, is_running: IsRunning
) -> tuple[Dispatcher, tuple[Launch, ...]]:
    """Let time pass: launch everything up to an instant, at its own time.

    Spec: JOB-26.
    """
    launches: list[Launch] = []
    while (due_ns := find_due(dispatcher, until_ns)) is not None:
        dispatcher, due = launch_due(dispatcher, due_ns, is_running)
        launches += due
    return dispatcher, tuple(launches)


def derive_child(job: Job, launch_ns: int, now_ns: int) -> Job:
    """Make the job that runs for one launch; it is submitted when it is made, which is a little later.

    Spec: JOB-25, OBJ-015, OBJ-061.
    """
    child_id = f"{job.id}{LAUNCH_MARK}{launch_ns // NS_PER_S}"
    return replace(
        job,
        id=child_id,
        name=child_id,
        parent_id=job.id,
        periodic=None,
        status="",
        status_description="",
        submit_time_ns=now_ns,
    )


def find_catch_up(
    job: Job, last_launch_ns: int, now_ns: int, is_running: IsRunning, profile: Profile
) -> Launch | None:
    """Find the one launch with which a new leader makes up for those that were missed.

    Spec: JOB-28, LEADER-05.
    """
    if not is_periodic_active(job):
        return None
    missed_ns = _find_next(job, last_launch_ns, profile)
    if missed_ns is None or missed_ns >= now_ns or _is_held_back(job, is_running):
        return None
    return _launch(job, now_ns)


def has_running_child(state: State, job: Job) -> bool:
    """True while some launch of a job has work that is not over.

    Spec: JOB-27.
    """
    return any(
        not is_eval_terminal(evaluation)
        or any(not is_terminal(alloc) for alloc in state.list_allocs_of_eval(evaluation.id))
        for child in state.list_children(job.namespace, job.id)
        if child.id.startswith(job.id + LAUNCH_MARK)
        for evaluation in state.list_evals_of_job(child.namespace, child.id)
    )


def _track(dispatcher: Dispatcher, job: Job, after_ns: int) -> Dispatcher:
    tracked = Tracked(job, _find_next(job, after_ns, dispatcher.profile))
    return _with_tracked(dispatcher, dispatcher.tracked.insert((job.namespace, job.id), tracked))


def _find_next(job: Job, after_ns: int, profile: Profile) -> int | None:
    if job.periodic is None:
        return None
    try:
        return find_next_launch(job.periodic, after_ns, profile)
    except CronError:
        return None  # only what was not checked at registration gets here; it is tracked and never launched


def _is_held_back(job: Job, is_running: IsRunning) -> bool:
    return job.periodic is not None and job.periodic.prohibit_overlap and is_running(job)


def _launch(job: Job, at_ns: int) -> Launch:
    return Launch(derive_child(job, at_ns, at_ns), at_ns)


def _with_tracked(dispatcher: Dispatcher, tracked: HashTrieMap[JobKey, Tracked]) -> Dispatcher:
    return Dispatcher(is_enabled=dispatcher.is_enabled, tracked=tracked, profile=dispatcher.profile)
