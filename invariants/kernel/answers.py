"""What the answer to a plan must say and leave behind, whichever applier has judged it."""

from nomadspec.invariants.kernel.bookkeeping import plans_nothing
from nomadspec.invariants.kernel.entries import is_copied, is_same_snapshot
from nomadspec.invariants.kernel.judging import is_answered, is_heard, is_made, names, names_deleted
from nomadspec.model.domain import NONE, Id
from nomadspec.model.kernel.applier import apply_plan, refuse_gang
from nomadspec.model.kernel.pipeline import (
    commit,
    evaluate,
    evaluate_gang,
    find_kept_in,
    miss_refresh,
    view_shown,
)
from nomadspec.model.kernel.state import JobPhase, Kernel, Lead, Record, Stage
from nomadspec.model.kernel.verdict import View, count_after, find_kept, view_store
from nomadspec.model.kernel.worker import is_with_applier
from nomadspec.model.logic import Value, all_of, any_of, count, exists, for_all, iff, implies, not_, one_of
from nomadspec.model.property import By, sometimes, step
from nomadspec.model.quirks import UNCHECKED_UPDATE


@step("PLAN-13", "PLAN-22", "PLAN-57", why="what is left of a plan would be taken for a part of the next")
def answered_plans_are_forgotten(s: Kernel, n: Kernel) -> Value:
    """Say that nothing is left of a plan that is with the applier no more, be the answer an error or not."""
    return for_all(
        implies(all_of(is_with_applier(s, w), not_(is_with_applier(n, w))), plans_nothing(n, w))
        for w in s.workers
    )


@step("PLAN-31", "PLAN-33", "PLAN-80", "WORKER-10", why="by an older state the same plan would come again")
def who_is_refused_waits_for_what_refused_it(s: Kernel, n: Kernel, by: By) -> Value:  # noqa: ARG001 -- as it is
    """Say that a worker whose plan came to nothing waits exactly if it was judged by a state yet to come."""
    if not by.is_(evaluate, evaluate_gang):
        return True
    worker = by["worker"]
    is_again = one_of(n.stage[worker], Stage.REFUSED, Stage.EXHAUSTED)
    return implies(is_again, iff(n.awaits[worker], n.snap_lead == Lead.AHEAD))


@step("PLAN-31", "PLAN-40", "EVAL-34", why="an entry that the snapshot cannot take in is shown in part")
def plans_that_name_the_unknown_are_errors(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that a plan is an error if what it stops is not in the snapshot, and only for what is missing."""
    if not by.is_(evaluate, evaluate_gang):
        return True
    worker, job = by["worker"], by["job"]
    is_deleted = names_deleted(s, worker, job)
    is_unheard_of = s.record[job, s.number[worker]] == Record.ABSENT
    is_error = n.stage[worker] == Stage.FAILING
    is_missing = any_of(names(s, worker, job, lambda j, i: s.snap_lacks[j, i]), is_deleted, is_unheard_of)
    return all_of(
        implies(names(s, worker, job, lambda j, i: n.snap_lacks[j, i]), is_error),
        implies(all_of(not_(s.has_snap), is_deleted), is_error),
        implies(is_error, is_missing),
    )


@step("PLAN-31", "PLAN-43", "PLAN-54", why="what is refused without need is planned, and refused, again")
def plans_are_judged_by_one_snapshot(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that a plan keeps what it places exactly where the applier's snapshot, new or old, has room.

    All that it has for a node stands or falls together; a plan that is all or nothing says more.
    """
    if not by.is_(evaluate, evaluate_gang):
        return True
    by_store = all_of(is_copied(s, n), is_judged_by(s, n, by, view_store(s)))
    by_snapshot = all_of(is_same_snapshot(s, n), is_judged_by(s, n, by, view_shown(s)))
    return any_of(n.stage[by["worker"]] == Stage.FAILING, by_store, by_snapshot)


def is_judged_by(s: Kernel, n: Kernel, by: By, view: View) -> Value:
    """Say that what is left of a plan is what fits in a view."""
    worker, job = by["worker"], by["job"]
    is_judged = n.stage[worker] == Stage.JUDGED

    def is_right(m: Id) -> Value:
        is_wanted = exists(s.plan_to[worker, k] == m for k in s.slots)
        is_kept = all_of(is_judged, exists(n.plan_to[worker, k] == m for k in s.slots))
        is_updated = all_of(is_judged, exists(find_kept(n, worker, i) == m for i in s.allocs))
        has_room = count_after(s, worker, job, m, view) <= s.cap
        is_fit = all_of(view.is_up(m), view.is_eligible(m), has_room)
        is_due = all_of(s.gangs == 0, is_wanted, is_fit)
        fits = True if s.has(UNCHECKED_UPDATE) else implies(is_updated, has_room)
        return all_of(implies(is_kept, is_fit), implies(is_due, is_kept), fits)

    return for_all(is_right(m) for m in s.nodes)


@step("PLAN-04", "PLAN-87", "EVAL-34", "FSM-29", why="who has not seen an entry plans the same once more")
def states_before_an_entry_are_not_planned_by(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that no server serves evaluations of a job from before an entry, and a plan without one is none."""
    if not by.is_(apply_plan, refuse_gang, commit):
        return True
    job = by["job"]
    is_changed = any_of(
        exists(n.alloc_phase[job, i] != s.alloc_phase[job, i] for i in s.allocs),
        exists(n.alloc_version[job, i] != s.alloc_version[job, i] for i in s.allocs),
        exists(n.eligible[m] != s.eligible[m] for m in s.nodes),
    )
    is_unserved = for_all(not_(n.old_usable[f, job]) for f in s.followers)
    if by.is_(commit):
        return implies(is_changed, is_unserved)
    worker = by["worker"]
    is_touched = exists(any_of(s.plan_stops[worker, i], find_kept(s, worker, i) != NONE) for i in s.allocs)
    is_marked = exists(all_of(s.strikes > 0, n.refused[m] >= s.strikes) for m in s.nodes)
    may_write = any_of(is_changed, is_touched, is_marked, s.job_phase[job] != JobPhase.WANTED)
    is_served = for_all(iff(n.old_usable[f, job], s.old_usable[f, job]) for f in s.followers)
    return all_of(implies(is_changed, is_unserved), any_of(may_write, is_served))


@step("PLAN-86", "PLAN-87", why="a node that refuses plan after plan costs each of them an attempt")
def nodes_refused_too_often_are_closed(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that the refusal which is one too many closes a node, or has the next entry close it."""
    if not by.is_(apply_plan, refuse_gang, evaluate, evaluate_gang):
        return True
    worker = by["worker"]

    def is_closed(m: Id) -> Value:
        if by.is_(apply_plan, refuse_gang):
            return not_(n.eligible[m])
        return all_of(n.stage[worker] == Stage.JUDGED, n.plan_marks[worker, m])

    return for_all(
        implies(all_of(n.refused[m] > s.refused[m], n.refused[m] >= s.strikes), is_closed(m)) for m in s.nodes
    )


@step("PLAN-91", "PLAN-95", why="an attempt that leads to something must not count against the evaluation")
def progress_begins_the_count_anew(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that a plan of which something was placed, updated or stopped, but not all, leaves all attempts.

    To stop what is over counts as well, but not beside placements that nobody wants any more.
    """
    if by.is_(commit):
        return entries_are_progress(s, n, by["flight"])
    if not by.is_(apply_plan):
        return True
    worker, job = by["worker"], by["job"]
    is_over = all_of(s.gangs == 0, s.job_phase[job] == JobPhase.WANTED, is_heard(n, worker))

    def is_stopped(i: Id) -> Value:
        is_gone = any_of(all_of(s.occupies[job, i] != NONE, n.occupies[job, i] == NONE), is_over)
        return all_of(s.plan_stops[worker, i], n.occupies[job, i] == NONE, is_gone)

    def is_updated(i: Id) -> Value:
        return n.alloc_version[job, i] != s.alloc_version[job, i]

    has_moved = exists(any_of(is_made(s, n, job, i), is_stopped(i), is_updated(i)) for i in s.allocs)
    is_again = one_of(n.stage[worker], Stage.REFUSED, Stage.EXHAUSTED)
    return implies(all_of(is_again, has_moved), n.tries[worker] == 0)


def entries_are_progress(s: Kernel, n: Kernel, flight: Id) -> Value:
    """Say that who is to plan again after an entry with anything in it has all attempts."""
    has_placed = exists(s.flight_to[flight, k] != NONE for k in s.slots)
    has_changed = exists(
        any_of(s.flight_stops[flight, i], find_kept_in(s, flight, i) != NONE) for i in s.allocs
    )
    return for_all(
        implies(
            all_of(
                s.flight_worker[flight] == w,
                one_of(n.stage[w], Stage.REFUSED, Stage.EXHAUSTED),
                any_of(has_placed, has_changed),
            ),
            n.tries[w] == 0,
        )
        for w in s.workers
    )


@step("PLAN-05", "PLAN-34", "PLAN-45", why="who is told that all was committed looks no further")
def answers_say_what_was_refused(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that no plan is answered as whole of which something was not stopped."""
    if not by.is_(apply_plan):
        return True
    worker, job = by["worker"], by["job"]
    is_whole = n.stage[worker] == Stage.DECIDED
    stays = exists(all_of(s.plan_stops[worker, i], n.occupies[job, i] != NONE) for i in s.allocs)
    return implies(is_whole, not_(stays))


@step("PLAN-33", "PLAN-80", "WORKER-10", why="who waits for a state that never comes waits in vain")
def who_waits_in_vain_is_told(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that a worker gets an error for a newer state only when no entry is left that could bring it."""
    if not by.is_(miss_refresh):
        return True
    worker = by["worker"]
    is_in_vain = all_of(s.awaits[worker], for_all(not_(s.under_way.has(f)) for f in s.flights))
    return all_of(is_in_vain, s.stage[worker] == Stage.REFUSED, not_(is_answered(n, worker)))


@step("PLAN-33", "PLAN-80", why="who is to hear of an entry must not wait for another state")
def only_the_answered_wait_for_news(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that who judges a plan lets only a worker wait for a newer state whose plan came to nothing."""
    if not by.is_(evaluate, evaluate_gang):
        return True
    worker = by["worker"]
    is_sent = all_of(n.awaits[worker], not_(s.awaits[worker]))
    return implies(is_sent, one_of(n.stage[worker], Stage.REFUSED, Stage.EXHAUSTED))


@sometimes("PLAN-04", "PLAN-87", why="marks matter by themselves only alone", scopes=("closing-entry",))
def a_plan_has_only_a_node_to_close(s: Kernel) -> Value:
    """Say that nothing is to be placed by a judged plan any more, and that it closes a node."""

    def is_alone(w: Id) -> Value:
        placed = count(s.plan_to[w, k] != NONE for k in s.slots)
        return all_of(placed == 0, exists(s.plan_marks[w, m] for m in s.nodes))

    return exists(all_of(s.stage[w] == Stage.JUDGED, is_alone(w)) for w in s.workers)


@sometimes(
    "PLAN-86",
    why="a window matters only where a refusal falls out of it",
    scopes=("strikes", "refusals", "closing-entry"),
)
def refusals_are_forgotten(s: Kernel) -> Value:
    """Say that nothing is held any more against a node that refusals have closed."""
    return exists(all_of(not_(s.eligible[m]), s.refused[m] == 0) for m in s.nodes)
