"""Where a scope ends or an operator interferes, and a promise need not be kept any more."""

from nomadspec.model.kernel.kernel import is_out_of_records
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.language.logic import Flag, all_of, any_of


def may_have_deleted_open_evals(s: Kernel) -> Flag:
    """True while evaluations that had not ended may be gone: an operator may delete them during a pause."""
    return all_of(s.pauses_made > 0, s.gc_deletions_made > 0)


def may_lack_an_open_eval(s: Kernel) -> Flag:
    """True while an open evaluation may be gone: deleted by an operator, or superseded by one that must fail.

    An evaluation whose trigger its scheduler does not handle is the newest of its job: the broker cancels
    what waits beside it, and the scheduler fails it without an attempt. Nothing in Nomad makes one.
    """
    return any_of(may_have_deleted_open_evals(s), s.unhandled_triggers_made > 0)


def is_cut_short(s: Kernel) -> Flag:
    """True while the scope ends here, or an operator pauses the broker or may have deleted something."""
    return any_of(is_out_of_records(s), s.paused, may_have_deleted_open_evals(s))


def may_go_unevaluated(s: Kernel) -> Flag:
    """True while a job may stay as it is, though something is to be done: no evaluation comes any more."""
    return any_of(is_cut_short(s), may_lack_an_open_eval(s))


def has_lost_no_node(s: Kernel) -> Flag:
    """True while no node went down or changed otherwise, but for one that was disconnected once."""
    return all_of(s.node_changed == 0, s.disconnects_made <= 1)
