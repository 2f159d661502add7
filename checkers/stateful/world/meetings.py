"""What meets in walks: at each step, what the state shows and who else was at work."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from nomadspec.checkers.stateful.meetings import Meeting, list_met
from nomadspec.checkers.stateful.world.drive import Asking
from nomadspec.checkers.stateful.world.searching import MOVES_OF_WALK, walk_once
from nomadspec.invariants.cluster.world import Step
from nomadspec.invariants.cluster.world.registry import list_changed, list_new
from nomadspec.model.cluster.acts import (
    CallDeployment,
    CollectGarbage,
    Dequeue,
    StartScheduler,
    SubmitPlan,
    WatchDeployments,
)
from nomadspec.model.cluster.entities import DeploymentStatus
from nomadspec.model.cluster.world import Delivered, World
from nomadspec.model.specification.profiles import Profile

_CALLED = {DeploymentStatus.PAUSED: Meeting.PAUSED, DeploymentStatus.FAILED: Meeting.FAILED}


def count_meetings(seed: int, walks: int, profile: Profile, moves: int = MOVES_OF_WALK) -> Counter[Meeting]:
    """Count at how many steps of the walks of a seed things meet, kind by kind."""
    counting = _Counting()
    for number in range(walks):
        walk_once(seed, number, profile, (), moves, counting)
    return counting.met


class _Counting(Asking):
    """Asks nothing of a step but what meets in it."""

    def __init__(self) -> None:
        super().__init__(())
        self.met: Counter[Meeting] = Counter()

    def ask(self, step: Step, at: int) -> None:  # noqa: ARG002 -- as whoever is asked in its place
        self.met.update({*list_met(step.before.state, step.after.state), *list_at_work(step)})


def list_at_work(step: Step) -> Iterator[Meeting]:
    """List what meets in what several actors do."""
    before, act, after = step.before, step.act, step.after
    match act:
        case Dequeue(worker=worker):
            held = after.workers[worker].held
            if held is not None and after.leader.memory.broker.known.get(held.eval.id, 0) > 1:
                yield Meeting.REDELIVERY
        case StartScheduler(worker=worker) if _has_pending(before, before.workers[worker].held):
            yield Meeting.SEVERAL_EVENTS
        case SubmitPlan(worker=worker) if _has_twin(before, worker):
            yield Meeting.TWO_SCHEDULERS
        case CollectGarbage() if after.state is not before.state and _list_calls(before):
            yield Meeting.COLLECTOR
        case WatchDeployments() if not _list_planned(before).isdisjoint(_list_written(before, after)):
            yield Meeting.WATCHER
        case CallDeployment(deployment=deployment):
            was, now = (world.state.find_deployment(deployment) for world in (before, after))
            if was is not None and now is not None and was.status == DeploymentStatus.RUNNING:
                yield from (met for status, met in _CALLED.items() if status == now.status)


def _has_pending(world: World, held: Delivered | None) -> bool:
    """True if a further evaluation is pending for the job of one that was delivered."""
    return held is not None and (held.eval.namespace, held.eval.job_id) in world.leader.memory.broker.pending


def _list_calls(world: World) -> list[int]:
    """List the indexes of the snapshots on which schedulers are at work."""
    return [
        each.held.snapshot_index for each in world.workers.values() if each.call is not None and each.held
    ]


def _list_planned(world: World) -> set[tuple[str, str]]:
    """List the jobs for which schedulers are at work."""
    held = (each.held.eval for each in world.workers.values() if each.call is not None and each.held)
    return {(each.namespace, each.job_id) for each in held}


def _list_written(before: World, after: World) -> set[tuple[str, str]]:
    """List the jobs for which an evaluation was made, or whose deployment has changed."""
    evals = list_new(before.state.evals, after.state.evals)
    deployments = (now for _, now in list_changed(before.state.deployments, after.state.deployments))
    return {(each.namespace, each.job_id) for each in (*evals, *deployments)}


def _has_twin(world: World, worker: str) -> bool:
    """True if another scheduler plans on the snapshot on which a worker has planned."""
    held = world.workers[worker].held
    return held is not None and _list_calls(world).count(held.snapshot_index) > 1
