"""Servers that never unblock: an evaluation stays blocked, and nothing is planned for it any more."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from nomadspec.checkers.oracle.trace_log import TypedEntry
from nomadspec.checkers.oracle.trace_replay import Replay, read_run_clock, replay_log
from nomadspec.model.cluster.entities import Evaluation
from nomadspec.model.cluster.store import Entry
from nomadspec.model.cluster.store.requests import ApplyPlanResults, EvalUpdate
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.checkers.oracle.deciding import replay_recorded
from tests.checkers.oracle.lying.telling import SILENCE, Lie, read_rest


class Forgotten:
    """Evaluations of a recording that were unblocked, each left out with all that came of it."""

    def tell(self, name: str) -> Iterator[Lie]:
        """Forget one after the other."""
        replay = replay_recorded(name)
        for index, entry in list_unblocked(replay):
            left = _leave_out(replay, entry.id, index)
            yield Lie(name, index, left, frozenset({index, entry.create_index}), read_rest(name))


def list_unblocked(replay: Replay) -> Iterator[tuple[int, Evaluation]]:
    """List the ends of evaluations that were blocked before, each with the index of its entry."""
    for step in replay.steps:
        request, index = step.typed.entry.request, step.typed.entry.index
        for entry in request.evals if isinstance(request, EvalUpdate) else ():
            before = replay.find_state(index - 1).find_eval(entry.id)
            if before is not None and (before.status, entry.status) == ("blocked", "complete"):
                yield index, entry


def _leave_out(replay: Replay, eval_id: str, end: int) -> Replay:
    def is_left_out(typed: TypedEntry) -> bool:
        request = typed.entry.request
        is_plan = isinstance(request, ApplyPlanResults) and request.eval_id == eval_id
        return is_plan or typed.entry.index == end

    log = [
        TypedEntry("LogBarrier", Entry(step.typed.entry.index, SILENCE))
        if is_left_out(step.typed)
        else step.typed
        for step in replay.steps
    ]
    return replay_log(log, NOMAD_2_0, read_run_clock)


FORGOTTEN: Mapping[str, Forgotten] = {"blocked: never unblocked though capacity came": Forgotten()}
"""What a server forgets."""
