"""Lemmas about the time without a leader."""

from nomadspec.model.kernel.pipeline import is_awaited_entry, is_in_flight
from nomadspec.model.kernel.plan_queue import is_with_applier
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.language.logic import Flag, all_of, any_of, for_all, not_
from nomadspec.model.language.property import always


@always("LEADER-08", "PLAN-30", "PLAN-98", why="an applier without a leader has nothing in hand", lemma=True)
def nothing_is_judged_without_a_leader(s: Kernel) -> Flag:
    """Without a leader no plan is with the applier, and no end of an entry is waited for."""
    is_idle = for_all(not_(is_with_applier(s, w)) for w in s.workers)
    is_over = for_all(any_of(is_in_flight(s, f), not_(is_awaited_entry(s, f))) for f in s.entries)
    return any_of(s.leading, all_of(is_idle, is_over, not_(s.has_snap)))
