"""What the pipelined applier must do: keep a snapshot, show what it hands out, and see how that ends."""

from nomadspec.invariants.kernel.judging import is_void
from nomadspec.model.domain import NONE, Id
from nomadspec.model.kernel.pipeline import (
    await_completion,
    collect,
    commit,
    crash,
    dispatch,
    evaluate,
    evaluate_gang,
    fall,
    find_kept_in,
    is_under_way,
    judge_again,
    lose_entry,
)
from nomadspec.model.kernel.plan_queue import is_queued
from nomadspec.model.kernel.state import AllocPhase, Flight, JobPhase, Kernel, Lead, Record, Stage
from nomadspec.model.kernel.verdict import find_kept
from nomadspec.model.logic import (
    Value,
    all_of,
    any_of,
    count,
    exists,
    for_all,
    iff,
    implies,
    ite,
    not_,
    one_of,
)
from nomadspec.model.property import By, always, step
from nomadspec.model.quirks import UNREPORTED_FAILURE, UNSEEN_LOSS


def is_same_snapshot(s: Kernel, n: Kernel) -> Value:
    """Say that the applier's snapshot shows what it showed before."""
    return all_of(
        for_all(n.snap_phase[j] == s.snap_phase[j] for j in s.jobs),
        for_all(iff(n.snap_knows[j, e], s.snap_knows[j, e]) for j in s.jobs for e in s.eval_numbers),
        for_all(n.snap_occupies[j, i] == s.snap_occupies[j, i] for j in s.jobs for i in s.allocs),
        for_all(
            n.snap_extra[j, i, x] == s.snap_extra[j, i, x] for j in s.jobs for i in s.allocs for x in s.extras
        ),
        for_all(
            all_of(iff(n.snap_up[m], s.snap_up[m]), iff(n.snap_open[m], s.snap_open[m])) for m in s.nodes
        ),
    )


def is_copied(s: Kernel, n: Kernel) -> Value:
    """Say that the applier's snapshot shows the store as it is."""
    return all_of(
        for_all(n.snap_phase[j] == s.job_phase[j] for j in s.jobs),
        for_all(
            iff(n.snap_knows[j, e], s.record[j, e] != Record.ABSENT) for j in s.jobs for e in s.eval_numbers
        ),
        for_all(n.snap_occupies[j, i] == s.occupies[j, i] for j in s.jobs for i in s.allocs),
        for_all(
            n.snap_extra[j, i, x] == s.extra_at[j, i, x] for j in s.jobs for i in s.allocs for x in s.extras
        ),
        for_all(all_of(iff(n.snap_up[m], s.node_up[m]), iff(n.snap_open[m], s.eligible[m])) for m in s.nodes),
        for_all(not_(n.snap_lacks[j, i]) for j in s.jobs for i in s.allocs),
        n.snap_lead == Lead.EVEN,
        not_(n.is_outrun),
    )


def is_counted(s: Kernel, flight: Id) -> Value:
    """Say that the applier has handed an entry to the log, and has not yet seen its end."""
    return one_of(s.flight[flight], Flight.FLYING, Flight.LANDED, Flight.CRASHED)


@always("PLAN-31", "PLAN-40", "PLAN-43", why="what is judged is judged by something", lemma=True)
def who_judges_has_a_snapshot(s: Kernel) -> Value:
    """Say that a plan in hand was judged by a snapshot that is there, and that only a pipeline keeps one."""
    is_judged = exists(s.stage[w] == Stage.JUDGED for w in s.workers)
    return all_of(implies(is_judged, s.has_snap), any_of(s.depth > 0, not_(s.has_snap)))


@always("PLAN-60", "PLAN-72", "ALLOC-04", why="what is placed under no number is nothing", lemma=True)
def entries_number_what_they_place(s: Kernel) -> Value:
    """Say that an entry has a number for each placement, and for nothing else."""
    return for_all(
        iff(s.flight_to[f, k] == NONE, s.flight_alloc[f, k] == NONE) for f in s.flights for k in s.slots
    )


@step("PLAN-31", "PLAN-32", "PLAN-43", why="a snapshot of half of the store is of no state that ever was")
def appliers_see_one_state(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that the applier judges by the store as it is, or by the snapshot that it has."""
    if not by.is_(evaluate, evaluate_gang):
        return True
    keeps = all_of(s.has_snap, is_same_snapshot(s, n), n.snap_lead == s.snap_lead)
    is_idle = for_all(not_(is_counted(s, f)) for f in s.flights)
    may_renew = any_of(not_(s.has_snap), is_idle)
    return all_of(n.has_snap, any_of(keeps, all_of(is_copied(s, n), may_renew)))


@always("PLAN-30", "PLAN-31", why="what is left of a snapshot that was dropped would be judged by")
def dropped_snapshots_are_forgotten(s: Kernel) -> Value:
    """Say that an applier without a snapshot knows nothing of nodes, jobs and allocations."""
    shows_nothing = all_of(
        for_all(s.snap_phase[j] == JobPhase.ABSENT for j in s.jobs),
        for_all(not_(s.snap_knows[j, e]) for j in s.jobs for e in s.eval_numbers),
        for_all(
            all_of(s.snap_occupies[j, i] == NONE, not_(s.snap_lacks[j, i])) for j in s.jobs for i in s.allocs
        ),
        for_all(s.snap_extra[j, i, x] == NONE for j in s.jobs for i in s.allocs for x in s.extras),
        for_all(all_of(not_(s.snap_up[m]), not_(s.snap_open[m])) for m in s.nodes),
        all_of(not_(s.is_outrun), s.snap_lead == Lead.BEHIND),
    )
    return any_of(s.has_snap, shows_nothing)


@step("PLAN-31", "PLAN-33", "PLAN-40", why="what is judged next must count with what was handed to the log")
def snapshots_show_what_is_handed_out(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that the snapshot takes in what an entry places, updates, stops and drives out, or nothing."""
    if not by.is_(dispatch):
        return True
    w, job, f = by["worker"], by["job"], by["flight"]
    foe, victim = s.plan_foe[w], s.plan_victim[w]

    def is_gone(j: Id, i: Id) -> Value:
        return any_of(all_of(j == job, s.plan_stops[w, i]), all_of(s.preempting > 0, j == foe, i == victim))

    def is_numbered(j: Id, i: Id) -> Value:
        return all_of(j == job, exists(n.flight_alloc[f, k] == i for k in s.slots))

    def is_lacking(i: Id) -> Value:
        is_untouched = any_of(n.snap_occupies[job, i] == s.snap_occupies[job, i], is_gone(job, i))
        return all_of(n.snap_lacks[job, i], is_untouched)

    def is_placed(k: Id, i: Id) -> Value:
        is_same = iff(n.snap_lacks[job, i], s.snap_lacks[job, i])
        is_taken_in = all_of(n.snap_occupies[job, i] == s.plan_to[w, k], is_same)
        return implies(n.flight_alloc[f, k] == i, any_of(is_taken_in, is_lacking(i)))

    def is_right(j: Id, i: Id) -> Value:
        shown = n.snap_occupies[j, i]
        is_kept = all_of(j == job, find_kept(s, w, i) != NONE)
        is_left = any_of(shown == s.snap_occupies[j, i], all_of(is_kept, shown == find_kept(s, w, i)))
        return any_of(
            is_numbered(j, i), all_of(is_gone(j, i), shown == NONE), all_of(not_(is_gone(j, i)), is_left)
        )

    is_marked = for_all(
        iff(n.snap_open[m], all_of(s.snap_open[m], not_(all_of(s.strikes > 0, s.plan_marks[w, m]))))
        for m in s.nodes
    )
    placed = for_all(is_placed(k, i) for k in s.slots for i in s.allocs)
    lacked = for_all(implies(is_numbered(job, i), is_lacking(i)) for i in s.allocs)
    is_newest = all_of(not_(n.is_outrun), for_all(not_(n.is_newer[o]) for o in s.workers))
    is_shown = n.flight[f] == Flight.FLYING
    return all_of(
        iff(is_shown, n.stage[w] == Stage.FLYING),
        implies(
            is_shown,
            all_of(
                is_marked,
                is_newest,
                n.snap_lead == Lead.AHEAD,
                placed,
                for_all(is_right(j, i) for j in s.jobs for i in s.allocs),
            ),
        ),
        any_of(is_shown, all_of(is_same_snapshot(s, n), lacked)),
    )


@step("PLAN-31", "PLAN-54", "PLAN-33", why="room that an entry will take must not be given away")
def snapshots_show_the_room_of_what_is_handed_out(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that what the snapshot shows of an entry takes the units that the plan was made for."""
    if not by.is_(dispatch):
        return True
    w, job = by["worker"], by["job"]

    def is_right(j: Id, i: Id, x: Id) -> Value:
        node = n.snap_occupies[j, i]
        is_fresh = all_of(j == job, i >= s.alloc_made[job], i < n.alloc_made[job])
        is_updated = all_of(j == job, find_kept(s, w, i) != NONE, node != NONE)
        is_grown = n.snap_extra[j, i, x] == ite(x < s.plan_bulk[w], node, NONE)
        is_kept = all_of(n.snap_extra[j, i, x] == s.snap_extra[j, i, x], node == s.snap_occupies[j, i])
        is_free = all_of(node == NONE, n.snap_extra[j, i, x] == NONE)
        is_touched = any_of(is_fresh, is_updated)
        return any_of(is_free, all_of(is_touched, is_grown), all_of(not_(is_touched), is_kept))

    is_shown = n.flight[by["flight"]] == Flight.FLYING
    return implies(is_shown, for_all(is_right(j, i, x) for j in s.jobs for i in s.allocs for x in s.extras))


@step("PLAN-60", "PLAN-74", "PLAN-86", why="what an entry leaves out of a plan is lost")
def entries_say_the_whole_plan(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that an entry has the updates and marks of its plan, numbers for placements, and who waits."""
    if not by.is_(dispatch):
        return True
    w, job, f = by["worker"], by["job"], by["flight"]
    keeps = for_all(n.flight_keeps[f, i, a] == s.plan_keeps[w, i, a] for i in s.allocs for a in s.takeovers)
    marks = for_all(iff(n.flight_marks[f, m], all_of(s.strikes > 0, s.plan_marks[w, m])) for m in s.nodes)

    def is_numbered(k: Id) -> Value:
        number = n.flight_alloc[f, k]
        earlier = count(all_of(o < k, s.plan_to[w, o] != NONE) for o in s.slots)
        return number == ite(s.plan_to[w, k] != NONE, s.alloc_made[job] + earlier, NONE)

    placed = count(s.plan_to[w, k] != NONE for k in s.slots)
    waits = n.flight_worker[f] == ite(n.stage[w] == Stage.FLYING, w, NONE)
    return all_of(
        keeps,
        marks,
        waits,
        n.under_way.has(f),
        n.alloc_made[job] == s.alloc_made[job] + placed,
        for_all(is_numbered(k) for k in s.slots),
    )


@step("PLAN-60", "PLAN-70", "PLAN-73", why="what is committed is what was judged, or nothing")
def entries_are_written_as_they_are(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that an entry makes its allocations where it says, if the job is wanted and nothing is missing."""
    if not by.is_(commit):
        return True
    f, job = by["flight"], by["job"]
    foe, victim = s.flight_foe[f], s.flight_victim[f]
    is_refused = is_void(s, f, job)
    is_wanted = s.job_phase[job] == JobPhase.WANTED

    def is_placed(k: Id, i: Id) -> Value:
        is_its = all_of(s.flight_alloc[f, k] == i, s.flight_to[f, k] != NONE)
        is_there = all_of(n.alloc_phase[job, i] == AllocPhase.LIVE, n.occupies[job, i] == s.flight_to[f, k])
        is_absent = n.alloc_phase[job, i] == s.alloc_phase[job, i]
        return implies(is_its, ite(all_of(is_wanted, not_(is_refused)), is_there, is_absent))

    def is_stopped(j: Id, i: Id) -> Value:
        is_named = any_of(
            all_of(j == job, s.flight_stops[f, i]), all_of(s.preempting > 0, j == foe, i == victim)
        )
        is_over = n.occupies[j, i] == NONE
        is_same = n.alloc_phase[j, i] == s.alloc_phase[j, i]
        is_its = exists(s.flight_alloc[f, k] == i for k in s.slots)
        may_revive = all_of(j == job, find_kept_in(s, f, i) != NONE)
        return all_of(
            implies(all_of(is_named, not_(is_refused)), is_over),
            any_of(all_of(is_named, not_(is_refused)), all_of(j == job, is_its), may_revive, is_same),
        )

    return all_of(
        for_all(is_placed(k, i) for k in s.slots for i in s.allocs),
        for_all(is_stopped(j, i) for j in s.jobs for i in s.allocs),
    )


@step("PLAN-32", "PLAN-37", "TRIG-29", why="what is placed where nothing runs must be looked at again")
def late_placements_are_owed_an_evaluation(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that an entry owes its job an evaluation exactly if it places something on a node that is down."""
    if not by.is_(commit):
        return True
    f, job = by["flight"], by["job"]

    def is_lost(k: Id) -> Value:
        node = s.flight_to[f, k]
        return all_of(node != NONE, exists(all_of(m == node, not_(s.node_up[m])) for m in s.nodes))

    is_written = exists(
        all_of(s.flight_alloc[f, k] == i, s.alloc_phase[job, i] != n.alloc_phase[job, i])
        for k in s.slots
        for i in s.allocs
    )
    is_due = all_of(is_written, exists(is_lost(k) for k in s.slots))
    is_owed = implies(is_due, n.owed[job]) if not s.has(UNSEEN_LOSS) else True
    return all_of(
        is_owed, for_all(implies(n.owed[j], any_of(s.owed[j], all_of(j == job, is_due))) for j in s.jobs)
    )


@step("PLAN-34", "PLAN-35", "PLAN-45", why="who is answered must be told what became of the entry")
def entries_answer_who_waits(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that who waits for an entry is answered when it is committed, and with an error when it fails.

    One that names what was deleted fails too.
    """
    if not by.is_(commit, crash, fall):
        return True
    f = by["flight"]

    def is_told(w: Id) -> Value:
        is_error = n.stage[w] == Stage.FAILING
        is_whole = all_of(n.stage[w] == Stage.DECIDED, not_(s.is_partial[w]))
        is_again = one_of(n.stage[w], Stage.REFUSED, Stage.EXHAUSTED)
        told = ite(is_refused, is_error, any_of(is_whole, is_again))
        return implies(s.flight_worker[f] == w, told)

    is_refused: Value = True
    if by.is_(commit):
        is_refused = False if s.has(UNREPORTED_FAILURE) else is_void(s, f, by["job"])

    return for_all(is_told(w) for w in s.workers)


@step("PLAN-31", "PLAN-34", "PLAN-37", why="a snapshot that shows what is not is judged by as if it were")
def ends_are_seen_in_turn(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that the applier sees the oldest end first, and keeps no snapshot beyond the last or a failure."""
    if not by.is_(collect, await_completion, judge_again):
        return True
    f = by["flight"]
    is_seen = all_of(s.ended.head(f), n.flight[f] == Flight.FREE)
    is_last = for_all(any_of(o == f, not_(is_counted(s, o))) for o in s.flights)
    has_landed = s.flight[f] == Flight.LANDED
    if by.is_(collect):
        return all_of(is_seen, implies(all_of(is_last, has_landed), not_(n.has_snap)))
    if by.is_(await_completion):
        return is_seen
    is_back = all_of(not_(n.has_snap), for_all(n.stage[w] != Stage.JUDGED for w in s.workers))
    is_queued_again = for_all(implies(s.stage[w] == Stage.JUDGED, is_queued(n, w)) for w in s.workers)
    return all_of(is_seen, not_(has_landed), is_back, is_queued_again)


@step("PLAN-34", "PLAN-98", "LEADER-08", why="an entry fails for a reason, and without one it is committed")
def entries_fail_for_a_reason(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that an entry fails by chance, after one that failed, or with its leader, and writes nothing."""
    if not by.is_(crash, fall, lose_entry):
        return True
    f = by["flight"]
    has_failed = exists(s.flight[o] == Flight.CRASHED for o in s.flights)
    reason = (
        s.leading if by.is_(crash) else all_of(s.leading, has_failed) if by.is_(fall) else not_(s.leading)
    )
    is_untouched = for_all(n.alloc_phase[j, i] == s.alloc_phase[j, i] for j in s.jobs for i in s.allocs)
    is_out = all_of(is_under_way(s, f), not_(is_under_way(n, f)))
    return all_of(reason, is_untouched, is_out)


def is_written(s: Kernel, n: Kernel) -> Value:
    """Say that a step changes what is replicated: jobs, evaluations, allocations, deployments or nodes."""
    jobs = (n.job_phase, s.job_phase), (n.job_version, s.job_version), (n.job_bulk, s.job_bulk)
    allocs = (
        (n.alloc_phase, s.alloc_phase),
        (n.alloc_version, s.alloc_version),
        (n.occupies, s.occupies),
        (n.leaving, s.leaving),
        (n.deadline, s.deadline),
        (n.health, s.health),
    )
    deployments = (
        (n.rollout, s.rollout),
        (n.rollout_version, s.rollout_version),
        (n.placed, s.placed),
        (n.healthy, s.healthy),
        (n.unhealthy, s.unhealthy),
    )
    nodes = (
        (n.node_up, s.node_up),
        (n.eligible, s.eligible),
        (n.silent, s.silent),
        (n.starting, s.starting),
        (n.draining, s.draining),
    )
    return any_of(
        exists(n.record[j, e] != s.record[j, e] for j in s.jobs for e in s.eval_numbers),
        exists(new[j, i] != old[j, i] for new, old in allocs for j in s.jobs for i in s.allocs),
        exists(
            n.extra_at[j, i, x] != s.extra_at[j, i, x] for j in s.jobs for i in s.allocs for x in s.extras
        ),
        exists(n.in_rollout[j, i] != s.in_rollout[j, i] for j in s.jobs for i in s.allocs),
        exists(n.is_reported[j, i] != s.is_reported[j, i] for j in s.jobs for i in s.allocs),
        exists(new[j] != old[j] for new, old in (*jobs, *deployments) for j in s.jobs),
        exists(n.job_base[j, a] != s.job_base[j, a] for j in s.jobs for a in s.takeovers),
        exists(new[m] != old[m] for new, old in nodes for m in s.nodes),
        n.paused != s.paused,
    )


@step("PLAN-31", "PLAN-32", "PLAN-37", why="who compares indexes must not be told that nothing has happened")
def the_log_moves_on_with_what_is_written(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that whatever is written moves the store's index on: the applier's snapshot falls behind."""
    if by.is_(dispatch, evaluate, evaluate_gang):
        return True
    lowered = ite(s.snap_lead == Lead.AHEAD, Lead.EVEN, Lead.BEHIND)
    return implies(
        all_of(is_written(s, n), n.has_snap),
        all_of(n.snap_lead == lowered, for_all(not_(n.awaits[w]) for w in s.workers)),
    )
