"""Histories about something: what seldom meets in histories about everything does so here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from hypothesis import strategies as st
from msgspec.structs import replace

from nomadspec.checkers.stateful.clusters.histories import (
    WITH_PREEMPTION,
    WITHOUT_PREEMPTION,
    ChangeNode,
    History,
    Promote,
    Register,
    Report,
    Step,
    Together,
    Wait,
    meetings,
)
from nomadspec.checkers.stateful.clusters.jobs import jobs
from nomadspec.checkers.stateful.clusters.nodes import DRIVER, nodes
from nomadspec.model.cluster.entities import (
    NS_PER_S,
    AllocClient,
    DelayFunction,
    DisconnectStrategy,
    Job,
    JobType,
    ReschedulePolicy,
    Resources,
    Task,
    TaskGroup,
    UpdateStrategy,
)

_FAILS: Final = Report(0, AllocClient.FAILED, None)
_ATTEMPTS: Final = tuple(
    ReschedulePolicy(
        attempts=attempts,
        interval_ns=3600 * NS_PER_S,
        delay_function=DelayFunction.CONSTANT,
        delay_ns=delay_s * NS_PER_S,
    )
    for attempts, delay_s in ((1, 0), (2, 0), (1, 30))
)
_WITHOUT_LIMIT: Final = ReschedulePolicy(
    unlimited=True, delay_function=DelayFunction.CONSTANT, delay_ns=30 * NS_PER_S
)
_RECONCILES: Final = ("", "keep_original", "keep_replacement", "longest_running")


def _make(job: Job, change: Callable[[TaskGroup], TaskGroup], cpu_mhz: int = 100) -> Job:
    """Change each group of a job, which may go anywhere and needs so much."""
    tasks = (Task(name="main", driver=DRIVER, resources=Resources(cpu_mhz=cpu_mhz, memory_mb=64)),)
    eased = (replace(each, constraints=(), networks=(), volumes={}, tasks=tasks) for each in job.task_groups)
    return replace(job, constraints=(), datacenters=("*",), task_groups=tuple(map(change, eased)))


@st.composite
def _limited_attempts(draw: st.DrawFn) -> tuple[Step, ...]:
    """An allocation fails, is placed again as often as it may, and fails again."""
    policy, many = draw(st.sampled_from(_ATTEMPTS)), draw(st.integers(1, 2))
    job = draw(jobs((JobType.SERVICE, JobType.BATCH)))
    made = _make(job, lambda group: replace(group, count=many, reschedule_policy=policy))
    return (Register(made), _FAILS, Wait(45), _FAILS, Wait(45), _FAILS)


@st.composite
def _reconnects(draw: st.DrawFn) -> tuple[Step, ...]:
    """A node is disconnected, what runs there is replaced, and the node is back."""
    reconcile = draw(st.sampled_from(_RECONCILES))
    away = DisconnectStrategy(lost_after_ns=4000 * NS_PER_S, replace=True, reconcile=reconcile)
    job = draw(jobs((JobType.SERVICE, JobType.BATCH)))
    made = _make(
        job, lambda group: replace(group, count=2, disconnect=away, reschedule_policy=_WITHOUT_LIMIT)
    )
    runs = tuple(Report(number, AllocClient.RUNNING, healthy=True) for number in range(4))
    gone, back = (
        Together(tuple(ChangeNode(which, to) for which in (0, 1))) for to in ("disconnected", "ready")
    )
    return (Register(made), *runs, gone, Wait(45), back, *runs)


@st.composite
def _canaries(draw: st.DrawFn) -> tuple[Step, ...]:
    """A version with canaries in two groups follows one that runs."""
    first = draw(jobs((JobType.SERVICE,)).filter(lambda job: len(job.task_groups) > 1))
    old = _make(first, lambda group: replace(group, count=1, meta={"text": ""}))
    update = UpdateStrategy(max_parallel=1, canary=1, health_check="checks", auto_revert=draw(st.booleans()))
    new = _make(old, lambda group: replace(group, meta={"text": "new"}, update=update))
    runs = tuple(Report(number, AllocClient.RUNNING, healthy=True) for number in range(4))
    return (Register(old), *runs[:2], Register(new), *runs, Promote())


@st.composite
def _preemptions(draw: st.DrawFn) -> tuple[Step, ...]:
    """A job takes the room of one of its own type."""
    kind = draw(st.sampled_from((JobType.SERVICE, JobType.BATCH)))
    job = draw(jobs((kind,)))
    large = _make(job, lambda group: replace(group, count=2), cpu_mhz=600)
    preemptor = replace(large, id=f"{kind}-preemptor", name=f"{kind}-preemptor", priority=80)
    return (Register(replace(large, priority=20)), Register(preemptor))


@st.composite
def themed_histories(draw: st.DrawFn) -> History:
    """Draw a history about limited attempts, reconnecting nodes, canaries of two groups or preemption."""
    theme = draw(st.sampled_from((_limited_attempts, _reconnects, _canaries, _preemptions)))
    others = st.lists(meetings(jobs((JobType.SERVICE, JobType.BATCH))), max_size=1)
    return History(
        nodes=tuple(draw(st.lists(nodes(), min_size=3, max_size=4))),
        steps=tuple(step for each in draw(theme()) for step in (each, *draw(others))),
        configuration=WITH_PREEMPTION if theme is _preemptions else WITHOUT_PREEMPTION,
        seed=draw(st.integers(0, 3)),
    )
