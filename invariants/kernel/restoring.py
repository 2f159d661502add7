"""What a new leader must put back, what an old one leaves, and what pauses do."""

from nomadspec.invariants.kernel.bookkeeping import plans_nothing
from nomadspec.model.domain import NONE, Id
from nomadspec.model.kernel.broker import is_delayed, is_on
from nomadspec.model.kernel.leader import gain_leader, lose_leader, pause, resume
from nomadspec.model.kernel.pipeline import commit, is_open_flight, is_under_way
from nomadspec.model.kernel.plan_queue import is_queued
from nomadspec.model.kernel.state import Kernel, Place, Record, Stage
from nomadspec.model.logic import Value, all_of, any_of, exists, for_all, iff, implies, not_
from nomadspec.model.property import By, always, step
from nomadspec.model.quirks import FORGOTTEN_REAPER, FORGOTTEN_WAKE


def is_to_be_offered(s: Kernel, job: Id, number: Id) -> Value:
    """Say that an evaluation is pending and waits for no time."""
    return all_of(s.record[job, number] == Record.PENDING, not_(is_delayed(s, job, number)))


@step("LEADER-02", "FSM-29", "BROKER-09", why="what a new leader does not put back is run by nobody")
def leaders_restore_what_is_pending(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that a new leader offers what is pending, the oldest of a job first, and lets the delayed wait."""
    if not by.is_(gain_leader, resume):
        return True

    def is_right(j: Id, e: Id) -> Value:
        is_first = for_all(not_(all_of(o < e, is_to_be_offered(s, j, o))) for o in s.eval_numbers)
        is_waiting = all_of(s.record[j, e] == Record.PENDING, is_delayed(s, j, e))
        offered = is_to_be_offered(s, j, e)
        return all_of(
            iff(n.place[j, e] == Place.READY, all_of(offered, is_first)),
            iff(n.place[j, e] == Place.BEHIND, all_of(offered, not_(is_first))),
            iff(n.place[j, e] == Place.WAITING, is_waiting),
        )

    return implies(is_on(n), for_all(is_right(j, e) for j in s.jobs for e in s.eval_numbers))


@step(
    "LEADER-02",
    "BLOCKED-10",
    "EVAL-04",
    why="what waits for room must be tracked again, in the order of its making",
)
def leaders_restore_what_is_blocked(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that a new leader gives the tracker what is blocked, as if each had missed an unblock."""
    if not by.is_(gain_leader, resume):
        return True

    def is_right(j: Id, e: Id) -> Value:
        is_blocked = s.record[j, e] == Record.BLOCKED
        is_doubted = True if s.has(FORGOTTEN_WAKE) else iff(n.missed[j, e], is_blocked)
        return all_of(iff(n.arriving[j, e] > 0, is_blocked), is_doubted)

    return implies(is_on(n), for_all(is_right(j, e) for j in s.jobs for e in s.eval_numbers))


@step(
    "LEADER-02",
    "BLOCKED-02",
    "BLOCKED-20",
    why="of two blocked evaluations of a job the newer one is to stay",
)
def the_blocked_are_restored_in_order(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that a new leader gives the tracker what is blocked in the order in which it was made."""
    if not by.is_(gain_leader, resume):
        return True

    def is_later(j: Id, o: Id, e: Id) -> Value:
        is_pair = all_of(o < e, s.record[j, o] == Record.BLOCKED, s.record[j, e] == Record.BLOCKED)
        return implies(is_pair, n.arriving[j, o] < n.arriving[j, e])

    return implies(
        is_on(n),
        for_all(is_later(j, o, e) for j in s.jobs for o in s.eval_numbers for e in s.eval_numbers),
    )


@step(
    "LEADER-08", "PLAN-22", "PLAN-98", why="who waits for the answer of a leader that is gone waits for ever"
)
def lost_leaders_answer_with_errors(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that when leadership is lost, no plan stays queued, and who waited for an answer gets an error.

    Whoever is told so keeps nothing of its plan.
    """
    if not by.is_(lose_leader):
        return True
    is_told = for_all(
        implies(
            any_of(
                is_queued(s, w),
                s.stage[w] == Stage.JUDGED,
                exists(s.flight_worker[f] == w for f in s.flights),
            ),
            all_of(n.stage[w] == Stage.FAILING, plans_nothing(n, w)),
        )
        for w in s.workers
    )
    is_empty = for_all(not_(is_queued(n, w)) for w in s.workers)
    is_left = for_all(
        all_of(n.flight_worker[f] == NONE, not_(n.ended.has(f)), iff(n.under_way.has(f), s.under_way.has(f)))
        for f in s.flights
    )
    is_lost = all_of(not_(n.leading), not_(n.has_snap), not_(n.reaping), not_(n.has_news))
    return all_of(is_told, is_empty, is_left, is_lost)


@step(
    "LEADER-01",
    "LEADER-04",
    "LEADER-20",
    why="who is in charge, and whether the broker works, is for all to know",
)
def leaders_come_and_go_as_told(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that leadership, the pause and the reaper change when they are told to, and at no other time."""
    if by.is_(lose_leader):
        return all_of(s.leading, not_(n.leading), iff(n.paused, s.paused))
    if by.is_(gain_leader):
        is_calm = for_all(not_(is_under_way(s, f)) for f in s.flights)
        reaps = not_(s.paused) if s.has(FORGOTTEN_REAPER) else True
        return all_of(is_calm, not_(s.leading), n.leading, iff(n.paused, s.paused), iff(n.reaping, reaps))
    if by.is_(resume):
        return all_of(s.leading, n.leading, s.paused, not_(n.paused), iff(n.reaping, s.reaping))
    if by.is_(pause):
        reaps = False if s.has(FORGOTTEN_REAPER) else s.reaping
        return all_of(s.leading, n.leading, not_(s.paused), n.paused, iff(n.reaping, reaps))
    return all_of(iff(n.leading, s.leading), iff(n.paused, s.paused), iff(n.reaping, s.reaping))


@step(
    "LEADER-01", "LEADER-08", "NODEST-10", "DEP-31", why="what nobody agreed to must not be the state of all"
)
def nothing_is_written_without_a_leader(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that without a leader nothing is written but what plans under way bring, and new evaluations."""
    of_jobs = for_all(
        all_of(
            n.job_phase[j] == s.job_phase[j],
            n.job_version[j] == s.job_version[j],
            n.rollout[j] == s.rollout[j],
            n.placed[j] == s.placed[j],
            n.healthy[j] == s.healthy[j],
        )
        for j in s.jobs
    )
    of_nodes = for_all(
        all_of(
            iff(n.node_up[m], s.node_up[m]),
            iff(n.silent[m], s.silent[m]),
            n.starting[m] == s.starting[m],
            n.draining[m] == s.draining[m],
        )
        for m in s.nodes
    )
    of_plans = True if by.is_(commit) else is_nothing_of_plans_written(s, n)
    return any_of(s.leading, all_of(of_jobs, of_nodes, of_plans))


def is_nothing_of_plans_written(s: Kernel, n: Kernel) -> Value:
    """Say that a step writes nothing that plans may write: no allocation, no mark, no record."""
    of_allocs = for_all(
        all_of(
            n.alloc_phase[j, i] == s.alloc_phase[j, i],
            n.leaving[j, i] == s.leaving[j, i],
            iff(n.is_reported[j, i], s.is_reported[j, i]),
            n.health[j, i] == s.health[j, i],
        )
        for j in s.jobs
        for i in s.allocs
    )
    of_marks = for_all(iff(n.eligible[m], s.eligible[m]) for m in s.nodes)
    of_evals = for_all(
        any_of(n.record[j, e] == s.record[j, e], e >= s.made[j]) for j in s.jobs for e in s.eval_numbers
    )
    return all_of(of_allocs, of_marks, of_evals)


@always("LEADER-08", "PLAN-30", "PLAN-98", why="an applier without a leader has nothing in hand", lemma=True)
def nothing_is_judged_without_a_leader(s: Kernel) -> Value:
    """Say that without a leader no plan is with the applier, and no end of an entry is waited for."""
    busy = (Stage.SUBMITTED, Stage.JUDGED, Stage.FLYING)
    is_idle = for_all(all_of(*[s.stage[w] != stage for stage in busy]) for w in s.workers)
    is_over = for_all(any_of(is_under_way(s, f), not_(is_open_flight(s, f))) for f in s.flights)
    return any_of(s.leading, all_of(is_idle, is_over, not_(s.has_snap)))
