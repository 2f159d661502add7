"""Judges that the watcher of a deployment heeds news of health: soon a job is woken, or an alloc replaced."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Final, NamedTuple

from nomadspec.checkers.oracle.explain.entry_times import list_written
from nomadspec.checkers.oracle.explain.redelivered_calls import ELECTED
from nomadspec.checkers.oracle.judgement import Difference
from nomadspec.checkers.oracle.trace_replay import Replay, Step
from nomadspec.checkers.oracle.trace_window import read_time
from nomadspec.model.cluster.entities import Allocation, Deployment, Evaluation, Trigger
from nomadspec.model.cluster.entities.allocation import is_healthy, is_unhealthy
from nomadspec.model.cluster.entities.deployment import is_active
from nomadspec.model.cluster.entities.scalar import NS_PER_S
from nomadspec.model.cluster.store.requests import (
    AllocClientUpdate,
    DeploymentAllocHealth,
    DeploymentUpdateStatus,
)

_SOON_NS: Final = 2 * NS_PER_S
"""So much later a watcher has written what it gathers for a second and a quarter ..."""
_TURN_NS: Final = NS_PER_S // 50
"""... and so much for each other watcher, with which it takes turns to look at the state ..."""
_AGAIN_NS: Final = 2 * NS_PER_S
"""... and so long after the next entry, if the server stood still before."""
_SETTLED_NS: Final = 5 * NS_PER_S
"""So long after its election a leader may still be on its way to watch anything."""


class _News(NamedTuple):
    """An allocation of an active deployment whose health an entry changes."""

    place: str
    alloc: Allocation
    deployment: Deployment


def list_unheeded(replay: Replay, stop_index: int, ended_ns: int | None) -> Iterator[Difference]:
    """List news of health after which nobody was woken, and nobody may be replaced.

    What is told at the end is judged where it is known when that was. A watcher whose write fails has ended,
    and a new leader looks at everything anew.

    Spec: DEP-33, DEP-36, DEP-37, DEP-38, DEP-43, DEP-47.
    """
    steps, lost = replay.steps, _list_lost(replay)
    times_ns = list(accumulate((_read_moment(step) for step in steps), max))
    elected = [at for at, step in enumerate(steps) if step.typed.type == ELECTED]
    if steps and steps[0].typed.entry.index == 1:
        del elected[:1]  # a cluster that begins has nothing to take over
    for at, step in enumerate(steps):
        news = [] if step.applied.error else list(_list_news(step))
        if not news:
            continue
        soon_ns = (
            times_ns[at] + _SOON_NS + _TURN_NS * sum(map(is_active, step.applied.state.list_deployments()))
        )
        soon, until = _find_ends(times_ns, soon_ns)
        is_told = ended_ns is not None and step.typed.entry.index <= stop_index
        is_over = until < len(steps) or (is_told and soon_ns + _AGAIN_NS < (ended_ns or 0))
        since = bisect_left(times_ns, times_ns[at] - _SETTLED_NS)
        if not is_over or bisect_left(elected, since) < bisect_left(elected, until):
            continue
        for each in news:
            is_seen = _is_seen(each.alloc, step.typed.entry.index, steps[at:soon])
            if each.deployment.id not in lost and not is_seen and not _is_heeded(each, steps[at:until]):
                path = f"raft-log[{step.typed.entry.index}].{each.place}.DeploymentStatus.Healthy"
                yield Difference(path, is_healthy(each.alloc), "its watcher heeds it", "DEP-33")


def _read_moment(step: Step) -> int:
    """Read when an entry was made, be it by the evaluations that it holds."""
    request = step.typed.entry.request
    made_ns = (entry.create_time_ns for entry in list_written(request))
    return max(read_time(request), *made_ns, 0)


def _find_ends(times_ns: Sequence[int], soon_ns: int) -> tuple[int, int]:
    """Find the first entry after a time, and the first by which a server that stood still has gone on."""
    soon = bisect_right(times_ns, soon_ns)
    return soon, bisect_right(times_ns, times_ns[soon] + _AGAIN_NS) if soon < len(times_ns) else soon


def _list_lost(replay: Replay) -> frozenset[str]:
    """List the deployments whose status could not be written once."""
    return frozenset(
        request.deployment_update.deployment_id
        for step in replay.steps
        if step.applied.error is not None
        and isinstance(request := step.typed.entry.request, DeploymentUpdateStatus | DeploymentAllocHealth)
        and request.deployment_update is not None
    )


def _list_news(step: Step) -> Iterator[_News]:
    """List the allocations of active deployments whose health an entry changes, each with its place."""
    request, state = step.typed.entry.request, step.applied.state
    for at, report in enumerate(request.alloc if isinstance(request, AllocClientUpdate) else ()):
        alloc = state.find_alloc(report.id)
        told = alloc.deployment_status if alloc is not None else None
        if alloc is None or told is None or told.modify_index != step.typed.entry.index:
            continue
        deployment = state.find_deployment(alloc.deployment_id)
        is_watched = deployment is not None and is_active(deployment) and not deployment.is_multiregion
        if deployment is not None and is_watched and alloc.task_group in deployment.task_groups:
            yield _News(f"Alloc[{at}]", alloc, deployment)


def _is_seen(alloc: Allocation, index: int, soon: Sequence[Step]) -> bool:
    """True if an evaluation of the job saw that something is healthy, or will: then no other is due.

    Spec: DEP-33, DEP-39.
    """
    return is_healthy(alloc) and any(
        max(entry.snapshot_index, entry.create_index) >= index
        for step in reversed(soon)
        for entry in step.applied.state.list_evals_of_job(alloc.namespace, alloc.job_id)
    )


def _is_heeded(news: _News, after: Sequence[Step]) -> bool:
    """True if a watcher has done for an allocation what it does, or had no reason to any more.

    Spec: DEP-33, DEP-34, DEP-37, DEP-38.
    """
    state, alloc = after[-1].applied.state, news.alloc
    deployment, now = state.find_deployment(news.deployment.id), state.find_alloc(alloc.id)
    is_gone = deployment is None or not is_active(deployment) or now is None
    if is_gone or now is None or state.find_job(alloc.namespace, alloc.job_id) is None:
        return True
    if now.deployment_id != alloc.deployment_id or is_healthy(now) != is_healthy(alloc):
        return True
    if is_unhealthy(now):
        return bool(now.desired_transition.reschedule)
    return any(entry.deployment_id == news.deployment.id for step in after[1:] for entry in _list_asked(step))


def _list_asked(step: Step) -> Sequence[Evaluation]:
    """List the evaluations that the watchers ask for with an entry."""
    evals = list_written(step.typed.entry.request)
    return [entry for entry in evals if entry.triggered_by == Trigger.DEPLOYMENT_WATCHER]
