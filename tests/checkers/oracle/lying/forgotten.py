"""Servers that forget: blocked evaluations, what unblocked them, or news of deployments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from nomadspec.checkers.oracle.explain.deployments import is_of_watchers
from nomadspec.checkers.oracle.explain.missed_unblocks import list_freed, list_reopened
from nomadspec.checkers.oracle.trace_replay import Replay
from nomadspec.model.cluster.entities import Evaluation, Trigger
from nomadspec.model.cluster.store.requests import (
    AllocUpdateDesiredTransition,
    ApplyPlanResults,
    EvalUpdate,
)
from tests.checkers.oracle.deciding import replay_recorded
from tests.checkers.oracle.explain.replayed import replay_without
from tests.checkers.oracle.lying.telling import Lie, read_rest


class Forgotten:
    """Evaluations of a recording that were unblocked, each left out with all that came of it."""

    def tell(self, name: str) -> Iterator[Lie]:
        """Forget one after the other."""
        replay = replay_recorded(name)
        for index, entry in list_unblocked(replay):
            left = replay_without(replay, index, *_list_plans(replay, entry.id))
            yield Lie(name, index, left, frozenset({index, entry.create_index}), read_rest(name))


def list_unblocked(replay: Replay) -> Iterator[tuple[int, Evaluation]]:
    """List the ends of evaluations that were blocked before, each with the index of its entry."""
    for step in replay.steps:
        request, index = step.typed.entry.request, step.typed.entry.index
        for entry in request.evals if isinstance(request, EvalUpdate) else ():
            before = replay.find_state(index - 1).find_eval(entry.id)
            if before is not None and (before.status, entry.status) == ("blocked", "complete"):
                yield index, entry


class Unprompted:
    """Evaluations of a recording that were unblocked, each without what unblocked it."""

    def tell(self, name: str) -> Iterator[Lie]:
        """Leave out for one after the other the entries between its state and its end that told of room."""
        replay = replay_recorded(name)
        for index, entry in list_unblocked(replay):
            told = _list_openings(replay, entry, index)
            if not told or entry.triggered_by == Trigger.MAX_PLAN_ATTEMPTS:
                continue
            left = replay_without(replay, *told)
            blamed = frozenset({index, entry.create_index, *_list_plans(replay, entry.id)})
            yield Lie(name, index, left, blamed, read_rest(name))


def _list_openings(replay: Replay, entry: Evaluation, end: int) -> frozenset[int]:
    steps = [step for step in replay.steps if entry.create_index < step.typed.entry.index < end]
    return frozenset(
        step.typed.entry.index
        for step in steps
        if any(list_freed(step, replay.find_state(step.typed.entry.index - 1))) or any(list_reopened(step))
    )


def _list_plans(replay: Replay, eval_id: str) -> Iterator[int]:
    for step in replay.steps:
        request = step.typed.entry.request
        if isinstance(request, ApplyPlanResults) and request.eval_id == eval_id:
            yield step.typed.entry.index


class Unheeded:
    """News of health in a recording, each without what the watchers asked for, and all that came of it."""

    def tell(self, name: str) -> Iterator[Lie]:
        """Leave out one request of the watchers after the other."""
        replay = replay_recorded(name)
        for step in replay.steps:
            request, index = step.typed.entry.request, step.typed.entry.index
            if not isinstance(request, AllocUpdateDesiredTransition) or request.allocs:
                continue
            if not is_of_watchers(request.evals):
                continue
            came = {at for entry in request.evals for at in _list_work(replay, entry.id)}
            state = replay.find_state(index - 1)
            told = {
                alloc.deployment_status.modify_index
                for entry in request.evals
                for alloc in state.list_allocs_of_deployment(entry.deployment_id)
                if alloc.deployment_status is not None
            }
            left = replay_without(replay, index, *came)
            yield Lie(name, index, left, frozenset({index, *told}), read_rest(name))


def _list_work(replay: Replay, eval_id: str) -> Iterator[int]:
    """List the entries in which a scheduler works on an evaluation."""
    yield from _list_plans(replay, eval_id)
    for step in replay.steps:
        request = step.typed.entry.request
        evals = request.evals if isinstance(request, EvalUpdate) else ()
        if any(eval_id in {each.id, each.previous_eval} for each in evals):
            yield step.typed.entry.index


FORGOTTEN: Mapping[str, Forgotten | Unprompted | Unheeded] = {
    "blocked: never unblocked though capacity came": Forgotten(),
    "blocked: worked on though nothing unblocked it": Unprompted(),
    "watcher: does not hear that something is healthy": Unheeded(),
}
"""What a server forgets, or does unprompted."""
