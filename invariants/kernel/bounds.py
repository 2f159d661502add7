"""Where a scope ends or an operator interferes, and a promise need not be kept any more."""

from nomadspec.model.kernel.ids import EvalNumber, JobId
from nomadspec.model.kernel.kernel import is_out_of_records
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import EvalRecord, TriggeredBy
from nomadspec.model.language.logic import Flag, Value, all_of, any_of, exists


def is_deleted_in_a_pause(s: Kernel, job: JobId, number: EvalNumber) -> Flag:
    """True while an evaluation has no record, after a pause in which an operator may have deleted it."""
    return all_of(s.pauses_made > 0, s.eval_record[job, number] == EvalRecord.ABSENT)


def has_lost_its_last_eval(s: Kernel, job: JobId) -> Flag:
    """True while the last evaluation of a job was deleted, or is one that had to fail.

    An operator may delete it during a pause, whatever its status. One whose trigger its scheduler does not
    handle fails without an attempt, and the broker cancels what waits beside it. Nothing in Nomad makes one.
    """

    def is_lost(e: EvalNumber) -> Flag:
        return any_of(
            is_deleted_in_a_pause(s, job, e),
            s.triggered_by[job, e] == TriggeredBy.UNHANDLED_TRIGGER,
        )

    last: Value = s.made[job] - 1
    return exists(all_of(e == last, is_lost(e)) for e in s.eval_numbers)


def is_cut_short(s: Kernel) -> Flag:
    """True while the scope ends here, or an operator pauses the broker."""
    return any_of(is_out_of_records(s), s.paused)


def may_go_unevaluated(s: Kernel, job: JobId) -> Flag:
    """True while a job may stay as it is, though something is to be done: no evaluation comes any more."""
    return any_of(is_cut_short(s), has_lost_its_last_eval(s, job))
