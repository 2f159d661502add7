"""Judges which evaluations of a job a leader drops: the next one stays, and one of those that are blocked."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

import msgspec

from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.explain.decisions import is_outcome
from nomadspec.checkers.oracle.explain.entry_times import list_written
from nomadspec.checkers.oracle.explain.evaluations import is_own_duplicate
from nomadspec.checkers.oracle.explain.redelivered_calls import ELECTED
from nomadspec.checkers.oracle.explain.unblock_reasons import Openings
from nomadspec.checkers.oracle.judgement import Difference
from nomadspec.checkers.oracle.trace_replay import Step
from nomadspec.model.cluster.components.reapers import CORE, DUPLICATE, MORE_RECENT
from nomadspec.model.cluster.entities import EvalStatus, Evaluation
from nomadspec.model.cluster.entities.evaluation import is_terminal
from nomadspec.model.cluster.entities.job import GENERIC_TYPES
from nomadspec.model.cluster.store import State
from nomadspec.model.cluster.store.requests import EvalUpdate, Outside, SchedulerConfig
from nomadspec.model.cluster.store.tables import JobKey
from nomadspec.model.specification.quirks import KEPT_TWICE

_NEVER: Final = 1 << 63
"""An index after all others."""
_OPENING: Final = (Outside, SchedulerConfig)
"""What may hand all to a leader anew."""


class _Known(msgspec.Struct):
    """An evaluation that a leader was handed."""

    entry: Evaluation
    handed: int
    """The newest index that the leader's copy of it may bear."""
    is_cancelable: bool = False
    """Whether the leader dropped it; what is dropped for its sake may be written later."""


@dataclass(slots=True)
class Handing:
    """What the leader of a replayed log was handed so far, by job, and who has ended last."""

    openings: Openings
    context: Context
    known: dict[JobKey, dict[str, _Known]] = field(default_factory=lambda: defaultdict(dict))
    ended: dict[JobKey, tuple[str, int]] = field(default_factory=dict)
    """By job, the outcome that was written last, and in which entry."""

    def compare(self, step: Step) -> Iterator[Difference]:
        """Compare what an entry ends of evaluations with what the leader was handed.

        Spec: BROKER-07, BROKER-16, BROKER-36, BLOCKED-20, EVAL-32, LEADER-30, LEADER-40, WORKER-05.
        """
        request, path = step.typed.entry.request, f"raft-log[{step.typed.entry.index}]"
        evals = request.evals if isinstance(request, EvalUpdate) else ()
        for at, entry in enumerate(evals):
            place = f"{path}.Evals[{at}]"
            if entry.type == CORE or not entry.create_index:
                continue
            if is_outcome(entry):
                yield from self._compare_outcome(entry, evals, place)
            elif entry.status_description == MORE_RECENT:
                yield from self._compare_cancelable(entry, evals, place)
            elif entry.status_description == DUPLICATE.format(entry.job_id):
                yield from self._compare_duplicate(entry, place)

    def add(self, step: Step) -> None:
        """Add what an entry hands to the leader."""
        index, request, state = step.typed.entry.index, step.typed.entry.request, step.applied.state
        if step.applied.error is None:
            for entry in list_written(request):
                self._add_entry(entry, index)
        if step.typed.type == ELECTED or isinstance(request, _OPENING):
            self._restore(state)

    def _add_entry(self, entry: Evaluation, index: int) -> None:
        known = self.known[entry.namespace, entry.job_id]
        if is_outcome(entry) and entry.create_index:
            self.ended[entry.namespace, entry.job_id] = entry.id, index
        if not is_terminal(entry):
            created = entry.create_index or index
            known[entry.id] = _Known(msgspec.structs.replace(entry, create_index=created), index)
        elif entry.status_description == MORE_RECENT and entry.id in known:
            known[entry.id].is_cancelable = True
        elif entry.status_description == DUPLICATE.format(entry.job_id):
            known.pop(entry.id, None)

    def _restore(self, state: State) -> None:
        """Hand all records to a leader, as one that is new does, or one that goes on after a pause.

        Spec: LEADER-02, LEADER-04.
        """
        for known in self.known.values():
            for each in known.values():
                stored = state.find_eval(each.entry.id)
                if stored is not None and not is_terminal(stored):
                    each.handed = max(each.handed, stored.modify_index)

    def _compare_outcome(
        self, entry: Evaluation, evals: tuple[Evaluation, ...], path: str
    ) -> Iterator[Difference]:
        if len(evals) > 1:
            yield Difference(f"{path}.ID", len(evals), 1, "EVAL-32")
        last, index = self.ended.get((entry.namespace, entry.job_id), ("", 0))
        if last != entry.id and entry.snapshot_index < index:
            model = f"{index}, when {last} ended, or later"
            yield Difference(f"{path}.SnapshotIndex", entry.snapshot_index, model, "WORKER-05")

    def _compare_cancelable(
        self, entry: Evaluation, evals: tuple[Evaluation, ...], path: str
    ) -> Iterator[Difference]:
        """What stays comes before what is dropped: the more important, then the newer one."""
        dropped = {each.id for each in evals if each.status_description == MORE_RECENT}
        known = self.known[entry.namespace, entry.job_id].values()
        if not any(
            (each.entry.priority, each.handed) >= (entry.priority, entry.create_index)
            for each in known
            if not each.is_cancelable and each.entry.id not in dropped
        ):
            yield Difference(f"{path}.Status", entry.status, "no other one comes before it", "BROKER-16")

    def _compare_duplicate(self, entry: Evaluation, path: str) -> Iterator[Difference]:
        """Of two that are blocked the one stays that was made later, or on the newer state."""
        age = max(entry.create_index, entry.snapshot_index)
        known = self.known[entry.namespace, entry.job_id].values()
        if any(self._find_age(each.entry) >= age for each in known if each.entry.id != entry.id):
            return
        if is_own_duplicate(entry, self.context.profile):
            self.context.tell_defect(KEPT_TWICE, "an evaluation is canceled as a duplicate of itself")
        else:
            yield Difference(f"{path}.Status", entry.status, "no other one is as new", "BLOCKED-20")

    def _find_age(self, entry: Evaluation) -> int:
        """Find how new one may be that is blocked: what may have been blocked again is as new as can be.

        Spec: BLOCKED-20, EVAL-36.
        """
        if entry.status != EvalStatus.BLOCKED:
            return 0
        is_reblocked = entry.type in GENERIC_TYPES and self.openings.has_unblocked(entry)
        return _NEVER if is_reblocked else max(entry.create_index, entry.snapshot_index)
