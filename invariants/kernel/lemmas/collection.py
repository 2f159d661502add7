"""Lemmas about deleted records."""

from nomadspec.invariants.kernel.bounds import may_have_deleted_open_evals
from nomadspec.model.kernel.broker import is_core
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import Record, Stage
from nomadspec.model.language.logic import Value, all_of, any_of, for_all, implies
from nomadspec.model.language.property import always


@always("GC-91", "EVAL-47", why="the work of a worker whose evaluation has no record is lost", lemma=True)
def only_operators_delete_outstanding_evals(s: Kernel) -> Value:
    """A worker's evaluation has a record, unless an operator has deleted some during a pause."""
    is_kept = for_all(
        any_of(
            s.stage[w] == Stage.IDLE, is_core(s, s.job[w]), s.record[s.job[w], s.number[w]] != Record.ABSENT
        )
        for w in s.workers
    )
    return all_of(
        implies(s.paused, s.pauses_made > 0),
        any_of(may_have_deleted_open_evals(s), is_kept),
    )
