"""What a worker must do between delivery and answer: plan by what it has seen, and write what came of it."""

from nomadspec.invariants.kernel.bookkeeping import plans_nothing
from nomadspec.model.domain import NONE, Id
from nomadspec.model.kernel.broker import has_ended, is_core, is_system
from nomadspec.model.kernel.disconnects import NEWLY_AWAY, STILL_AWAY, find_away, mark_unknown
from nomadspec.model.kernel.preemption import plan_preemption
from nomadspec.model.kernel.scheduler import count_units, is_away, is_done, is_in_reach
from nomadspec.model.kernel.state import AllocPhase, JobPhase, Kernel, Lead, Record, Stage
from nomadspec.model.kernel.verdict import find_kept
from nomadspec.model.kernel.worker import (
    begin,
    begin_behind,
    block,
    block_at,
    err,
    give_up,
    plan,
    refresh,
    reject,
    run_core,
    submit,
    write_outcome,
)
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
    none_of,
    not_,
    one_of,
)
from nomadspec.model.property import By, always, step


def is_usable(s: Kernel, worker: Id, job: Id, node: Id) -> Value:
    """Say that a snapshot shows a node on which a job may be placed."""
    return all_of(s.seen_up[worker, node], s.seen_open[worker, node], s.barred[job, node] == 0)


def is_seen(s: Kernel, worker: Id, job: Id, i: Id) -> Value:
    """Say that a snapshot shows an allocation that takes capacity."""
    return s.seen_occupies[worker, job, i] != NONE


@always(
    "WORKER-03", "EVAL-13", "EVAL-36", why="what is left of one delivery must not decide the next", lemma=True
)
def deliveries_begin_afresh(s: Kernel) -> Value:
    """Say that a worker that has nothing, or has just taken something, remembers nothing of an attempt."""

    def remembers_nothing(w: Id) -> Value:
        return none_of(s.made_blocked[w], s.is_short[w], s.unseen[w], s.is_newer[w], s.awaits[w])

    return all_of(
        for_all(
            implies(one_of(s.stage[w], Stage.IDLE, Stage.TAKEN), remembers_nothing(w)) for w in s.workers
        ),
        for_all(implies(s.stage[w] == Stage.IDLE, not_(s.was_blocked[w])) for w in s.workers),
    )


@always(
    "PLAN-03", "PLAN-92", "WORKER-10", why="what is left of one attempt must not be committed with the next"
)
def attempts_begin_without_a_plan(s: Kernel) -> Value:
    """Say that a worker that plans, has an answer, or has written its outcome, has no plan."""
    without = (Stage.PLANNING, Stage.REFUSED, Stage.DECIDED, Stage.EXHAUSTED, Stage.ACKING)
    return for_all(implies(one_of(s.stage[w], *without), plans_nothing(s, w)) for w in s.workers)


@step("PLAN-80", "WORKER-10", "PLAN-95", why="who looks again must look at all that has changed")
def later_snapshots_show_the_whole_state(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that a worker that was refused plans again by what is there then."""
    if not by.is_(refresh):
        return True
    w, job = by["worker"], by["job"]
    of_job = all_of(
        n.seen_phase[w] == s.job_phase[job],
        n.seen_version[w] == s.job_version[job],
        n.seen_bulk[w] == s.job_bulk[job],
        for_all(n.seen_versions[w, i] == s.alloc_version[job, i] for i in s.allocs),
        for_all(n.seen_leaving[w, i] == s.leaving[job, i] for i in s.allocs),
    )
    of_nodes = for_all(
        all_of(
            iff(n.seen_up[w, m], s.node_up[m]),
            iff(n.seen_open[w, m], s.eligible[m]),
            n.seen_starting[w, m] == s.starting[m],
        )
        for m in s.nodes
    )
    taken = for_all(n.seen_occupies[w, j, i] == s.occupies[j, i] for j in s.jobs for i in s.allocs)
    return all_of(of_job, of_nodes, taken, not_(s.awaits[w]))


@step("WORKER-06", "PLAN-53", "DISC-05", why="room and allocations out of reach are what a plan is made from")
def snapshots_show_room_and_what_is_away(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that a leader's snapshot shows what allocations take, and which are out of reach or complete."""
    if not by.is_(begin, refresh):
        return True
    w, job = by["worker"], by["job"]
    more = for_all(
        n.seen_extra[w, j, i, x] == s.extra_at[j, i, x] for j in s.jobs for i in s.allocs for x in s.extras
    )
    away = for_all(n.seen_away[w, i] == find_away(s, job, i) for i in s.allocs)
    return all_of(more, away, n.marking[w] == 0)


@step("PLAN-31", "PLAN-32", "WORKER-08", why="the applier must know whether a plan has seen more than it has")
def newer_snapshots_are_known(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that a first snapshot counts as newer exactly where the applier's is behind the store."""
    if not by.is_(begin):
        return True
    is_behind = all_of(s.has_snap, s.snap_lead == Lead.BEHIND)
    return iff(n.is_newer[by["worker"]], is_behind)


@step("WORKER-05", "WORKER-06", why="a server that lacks an evaluation of the job shows too little of it")
def only_usable_servers_are_planned_by(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that a server behind is planned by only if it has the job's evaluations, with what it missed."""
    if not by.is_(begin_behind):
        return True
    worker, job, follower = by["worker"], by["job"], by["follower"]
    more = for_all(
        n.seen_extra[worker, j, i, x] == s.old_extra[follower, j, i, x]
        for j in s.jobs
        for i in s.allocs
        for x in s.extras
    )
    bases = for_all(n.seen_base[worker, a] == s.old_base[follower, job, a] for a in s.takeovers)
    is_told = iff(n.unseen[worker], s.old_unseen[follower, job])
    return all_of(s.old_usable[follower, job], more, bases, is_told)


@step("PLAN-92", "PLAN-51", "EVAL-20", why="what is placed where it cannot run is refused, or does not run")
def plans_place_on_usable_nodes(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that a plan places on nodes that its snapshot shows ready, open and feasible, and no others."""
    if not by.is_(plan, plan_preemption):
        return True
    w, job = by["worker"], by["job"]
    return for_all(implies(n.plan_to[w, k] == m, is_usable(s, w, job, m)) for k in s.slots for m in s.nodes)


@step("PLAN-53", "PLAN-54", "PLAN-92", why="a plan that does not fit what it was made from fits nothing")
def plans_fit_their_snapshot(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that a plan places no more on a node than there was room for, with what it takes away."""
    if not by.is_(plan, plan_preemption):
        return True
    w, job = by["worker"], by["job"]
    foe, victim = n.plan_foe[w], n.plan_victim[w]

    def leaves(j: Id, i: Id) -> Value:
        return any_of(all_of(j == job, n.plan_stops[w, i]), all_of(j == foe, i == victim))

    def takes(j: Id, i: Id, m: Id) -> Value:
        return all_of(s.seen_occupies[w, j, i] == m, not_(leaves(j, i)))

    def takes_more(j: Id, i: Id, x: Id, m: Id) -> Value:
        is_updated = all_of(j == job, find_kept(n, w, i) != NONE)
        is_grown = all_of(find_kept(n, w, i) == m, x < s.seen_bulk[w])
        return ite(is_updated, is_grown, s.seen_extra[w, j, i, x] == m)

    def has_room(m: Id) -> Value:
        kept = count(takes(j, i, m) for j in s.jobs for i in s.allocs)
        more = count(
            all_of(takes_more(j, i, x, m), not_(leaves(j, i)))
            for j in s.jobs
            for i in s.allocs
            for x in s.extras
        )
        coming = count(n.plan_to[w, k] == m for k in s.slots)
        growing = count(all_of(n.plan_to[w, k] == m, x < s.seen_bulk[w]) for k in s.slots for x in s.extras)
        return kept + more + coming + growing <= s.cap

    is_placed = exists(n.plan_to[w, k] != NONE for k in s.slots)
    return implies(
        is_placed,
        for_all(implies(exists(n.plan_to[w, k] == m for k in s.slots), has_room(m)) for m in s.nodes),
    )


@step("PLAN-92", "REC-01", "EVAL-38", why="a job is to get as many instances as it wants, and no more")
def plans_place_what_is_missing(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that a plan places all that a wanted job lacks unless it says that it is short, and never more."""
    if not by.is_(plan, plan_preemption):
        return True
    w, job = by["worker"], by["job"]
    is_wanted = s.seen_phase[w] == JobPhase.WANTED
    stays = count(
        any_of(
            all_of(is_seen(s, w, job, i), not_(n.plan_stops[w, i]), not_(is_away(s, w, i))), is_done(s, w, i)
        )
        for i in s.allocs
    )
    placed = count(n.plan_to[w, k] != NONE for k in s.slots)
    is_enough = stays + placed >= s.count
    is_no_more = any_of(placed == 0, stays + placed <= s.count)
    is_counted = all_of(is_no_more, iff(n.is_short[w], not_(is_enough)))
    is_nothing = all_of(placed == 0, not_(n.is_short[w]))
    return any_of(is_system(s, job), ite(is_wanted, is_counted, is_nothing))


@step(
    "REC-04",
    "GENERIC-54",
    "DRAIN-16",
    why="what is stopped for nothing is missed, and what is kept for nothing is paid for",
)
def plans_stop_what_has_to_go(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that a plan stops what is not wanted, out of reach, to move, of another version or too many."""
    if not by.is_(plan, plan_preemption):
        return True
    w, job = by["worker"], by["job"]

    def has_to_go(i: Id) -> Value:
        is_there = all_of(s.seen_phase[w] == JobPhase.WANTED, is_in_reach(s, w, s.seen_occupies[w, job, i]))
        return any_of(not_(is_there), s.seen_leaving[w, i] > 0)

    def is_old(i: Id) -> Value:
        return s.seen_versions[w, i] != s.seen_version[w]

    def is_right(i: Id) -> Value:
        is_out = is_away(s, w, i)
        is_updated = find_kept(n, w, i) != NONE
        must = all_of(
            is_seen(s, w, job, i), not_(is_out), any_of(has_to_go(i), all_of(is_old(i), not_(is_updated)))
        )
        return all_of(
            implies(must, n.plan_stops[w, i]),
            implies(n.plan_stops[w, i], all_of(is_seen(s, w, job, i), not_(is_out), not_(is_updated))),
        )

    return for_all(is_right(i) for i in s.allocs)


@step(
    "REC-01",
    "EVAL-38",
    "PLAN-92",
    why="an instance that is stopped for nothing is missed until it is placed again",
)
def plans_keep_what_is_wanted(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that of what may stay, a plan keeps as many instances as are wanted."""
    if not by.is_(plan, plan_preemption):
        return True
    w, job = by["worker"], by["job"]

    def may_stay(i: Id) -> Value:
        is_there = all_of(s.seen_phase[w] == JobPhase.WANTED, is_in_reach(s, w, s.seen_occupies[w, job, i]))
        is_current = s.seen_versions[w, i] == s.seen_version[w]
        return all_of(is_there, is_current, s.seen_leaving[w, i] == 0, not_(is_away(s, w, i)))

    kept = count(all_of(is_seen(s, w, job, i), not_(n.plan_stops[w, i])) for i in s.allocs)
    good = count(may_stay(i) for i in s.allocs)
    return any_of(is_system(s, job), kept >= s.count, kept >= good)


@step(
    "GENERIC-54",
    "GENERIC-57",
    "PLAN-15",
    why="a version that cannot be taken over in place has to be placed anew",
)
def updates_are_planned_in_place(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that a plan updates what is there in an older version, on its node, to the version it has seen."""
    if not by.is_(plan, plan_preemption):
        return True
    w, job = by["worker"], by["job"]

    def is_in_place(i: Id) -> Value:
        version = s.seen_versions[w, i]
        is_near = exists(s.seen_base[w, a] <= version for a in s.takeovers)
        is_same_node = find_kept(n, w, i) == s.seen_occupies[w, job, i]
        return implies(find_kept(n, w, i) != NONE, all_of(is_same_node, is_near, version < s.seen_version[w]))

    is_labelled = all_of(n.plan_version[w] == s.seen_version[w], n.plan_bulk[w] == s.seen_bulk[w])
    return all_of(for_all(is_in_place(i) for i in s.allocs), any_of(n.stage[w] == Stage.DECIDED, is_labelled))


@step(
    "PLAN-02", "EVAL-38", "PLAN-13", why="a plan that changes nothing need not be judged, and any other must"
)
def plans_that_change_something_are_submitted(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that exactly a plan without placements, updates and stops is decided without the applier."""
    if not by.is_(plan, plan_preemption):
        return True
    w = by["worker"]
    is_empty = all_of(
        for_all(n.plan_to[w, k] == NONE for k in s.slots),
        for_all(all_of(not_(n.plan_stops[w, i]), find_kept(n, w, i) == NONE) for i in s.allocs),
    )
    return iff(n.stage[w] == Stage.DECIDED, is_empty)


@step("PLAN-03", "PLAN-44", "PLAN-92", why="who is driven out must be known to whoever does it")
def victims_are_chosen(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that a plan drives out nothing, or, where it may, what is less urgent where it places something."""
    if by.is_(plan):
        return all_of(n.plan_victim[by["worker"]] == NONE, n.plan_foe[by["worker"]] == NONE)
    if not by.is_(plan_preemption):
        return True
    w, job, other, alloc = by["worker"], by["job"], by["other"], by["alloc"]
    is_meant = all_of(n.plan_foe[w] == other, n.plan_victim[w] == alloc, other != job)
    is_less_urgent = all_of(s.urgent[other] < s.urgent[job], is_seen(s, w, other, alloc))
    is_filled = exists(n.plan_to[w, k] == s.seen_occupies[w, other, alloc] for k in s.slots)
    return all_of(s.preempting > 0, is_meant, is_less_urgent, is_filled)


@step("PLAN-03", "PLAN-44", "PLAN-92", why="who is driven out for nothing loses its place for nothing")
def victims_make_room(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that without what a plan drives out, there would be no room for what it places there."""
    if not by.is_(plan_preemption):
        return True
    w, job, other, alloc = by["worker"], by["job"], by["other"], by["alloc"]

    def was_full(m: Id) -> Value:
        is_there = s.seen_occupies[w, other, alloc] == m
        own = count(all_of(s.seen_occupies[w, job, i] == m, n.plan_stops[w, i]) for i in s.allocs)
        coming = count(n.plan_to[w, k] == m for k in s.slots)
        units = count_units(s, s.seen_occupies, s.seen_extra, w, m)
        is_needed = any_of(s.growth > 0, is_system(s, job), units - own + coming > s.cap)
        return implies(is_there, is_needed)

    return for_all(was_full(m) for m in s.nodes)


@always("PLAN-03", "PLAN-44", "PLAN-60", why="half of a name is the name of nobody", lemma=True)
def victims_are_named_in_full(s: Kernel) -> Value:
    """Say that a plan or an entry that drives something out says which allocation, and of which job."""
    of_plans = for_all(iff(s.plan_foe[w] == NONE, s.plan_victim[w] == NONE) for w in s.workers)
    of_entries = for_all(iff(s.flight_foe[f] == NONE, s.flight_victim[f] == NONE) for f in s.flights)
    return all_of(of_plans, of_entries)


@step("EVAL-12", "EVAL-13", "EVAL-15", why="what found no place must be waited for, once")
def what_is_not_placed_is_blocked(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that a worker that placed too little goes on once it has made one blocked evaluation."""
    worker = by["worker"] if by.is_(block, block_at, submit, write_outcome) else None
    if by.is_(submit, write_outcome):
        job = by["job"]
        is_new = any_of(not_(s.was_blocked[worker]), is_system(s, job))
        return implies(all_of(s.is_short[worker], is_new), s.made_blocked[worker])
    if not by.is_(block, block_at):
        return True
    job = by["job"]
    is_made = all_of(n.made_blocked[worker], n.made[job] == s.made[job] + 1)
    is_late = all_of(not_(s.holds[worker]), n.made[job] == s.made[job])
    is_ready = one_of(s.stage[worker], Stage.PLANNED, Stage.DECIDED)
    is_due = all_of(is_ready, s.is_short[worker], not_(s.made_blocked[worker]))
    is_first = any_of(not_(s.was_blocked[worker]), is_system(s, job))
    return all_of(is_due, is_first, any_of(is_made, is_late))


@step("EVAL-15", "BLOCKED-12", why="a system job waits for the nodes that its plan leaves out")
def system_jobs_wait_for_what_is_left_out(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that a system job waits for a feasible node that it is not on, and that its plan leaves out."""
    if not by.is_(block_at):
        return True
    worker, job, node = by["worker"], by["job"], by["node"]
    is_left_out = for_all(s.plan_to[worker, k] != node for k in s.slots)
    is_absent = for_all(s.occupies[job, i] != node for i in s.allocs)
    is_asked = any_of(not_(s.holds[worker]), n.made[job] == s.made[job] + 1)
    return all_of(is_system(s, job), is_left_out, is_absent, s.barred[job, node] == 0, is_asked)


@step("PLAN-13", "PLAN-21", "PLAN-22", why="a plan that is neither queued nor refused is waited for in vain")
def submitted_plans_are_queued(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that a plan is queued exactly if its token is valid and its job exists, and forgotten if not."""
    if not by.is_(submit):
        return True
    worker, job = by["worker"], by["job"]
    is_valid = all_of(s.leading, s.holds[worker], s.job_phase[job] != JobPhase.ABSENT)
    is_queued = any_of(n.plans.has(worker), n.urgent_plans.has(worker))
    is_gone = for_all(n.plan_to[worker, k] == NONE for k in s.slots)
    return all_of(
        iff(is_valid, is_queued), iff(is_valid, n.stage[worker] == Stage.SUBMITTED), any_of(is_valid, is_gone)
    )


@step("EVAL-32", "EVAL-36", "EVAL-37", "WORKER-30", why="an outcome that is not written is worked for again")
def outcomes_are_written_under_a_token(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that who acks has written the outcome or blocked its evaluation again, and held it until then."""
    if not by.is_(write_outcome, give_up, reject):
        return True
    worker, job, number = by["worker"], by["job"], by["number"]
    acks = n.stage[worker] == Stage.ACKING
    is_again = all_of(n.arriving[job, number] > 0, n.record[job, number] == Record.BLOCKED)
    is_failed = any_of(n.record[job, number] == Record.FAILED, has_ended(s, job, number))
    is_complete = n.record[job, number] == Record.COMPLETE
    is_written = any_of(is_complete, is_again) if by.is_(write_outcome) else is_failed
    is_lost = n.record[job, number] == s.record[job, number]
    return all_of(
        implies(acks, all_of(s.holds[worker], is_written)),
        implies(not_(acks), is_lost),
    )


@step("EVAL-36", "EVAL-37", "WORKER-30", why="what still waits for room must go on waiting")
def only_the_short_are_blocked_again(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that an evaluation is blocked again exactly if it was blocked and placed too little again."""
    if not by.is_(write_outcome):
        return True
    worker, job, number = by["worker"], by["job"], by["number"]
    is_again = all_of(s.was_blocked[worker], s.is_short[worker], not_(is_system(s, job)))
    is_given = all_of(n.arriving[job, number] > 0, s.arriving[job, number] == 0)
    is_done = all_of(n.stage[worker] == Stage.ACKING, n.record[job, number] == Record.COMPLETE)
    return all_of(implies(is_given, is_again), implies(is_done, not_(is_again)))


@step("EVAL-37", "EVAL-46", "EVAL-02", why="a job that is gone has no evaluation that failed")
def who_gives_up_spares_what_has_ended(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that a worker that gives up fails nothing that a purge has completed meanwhile."""
    if not by.is_(give_up, reject):
        return True
    job, number = by["job"], by["number"]
    return implies(s.record[job, number] == Record.COMPLETE, n.record[job, number] == Record.COMPLETE)


@step("WORKER-03", "GC-06", "EVAL-39", why="what is not for a scheduler is not planned by it")
def what_is_not_planned_is_answered(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that core work is just done, and that errors end a delivery and its plan before the applier."""
    if by.is_(run_core):
        return all_of(is_core(s, by["job"]), s.job[by["worker"]] == by["job"])
    if by.is_(begin, begin_behind):
        return not_(is_core(s, by["job"]))
    if not by.is_(err):
        return True
    worker = by["worker"]
    sees_nothing = all_of(n.seen_phase[worker] == JobPhase.ABSENT, n.seen_version[worker] == 0)
    return all_of(sees_nothing, plans_nothing(n, worker), iff(n.holds[worker], s.holds[worker]))


@step(
    "TRIG-17",
    "DISC-05",
    "EVAL-17",
    "ALLOC-10",
    why="who is out of reach gets a time, and is looked at again after it",
)
def what_is_away_is_given_a_time(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that what is called unknown was newly out of reach, and waits for a follow-up made for it."""
    if not by.is_(mark_unknown):
        return True
    worker, job, number, alloc = by["worker"], by["job"], by["number"], by["alloc"]
    is_new = all_of(s.seen_away[worker, alloc] == NEWLY_AWAY, n.seen_away[worker, alloc] == STILL_AWAY)
    is_marked = n.deadline[job, alloc] != s.deadline[job, alloc]
    waits_for_new = n.deadline[job, alloc] == s.made[job]
    waits_for_same = n.deadline[job, alloc] == s.marking[worker] - 1
    is_held = all_of(s.leading, s.holds[worker], n.is_late[job, alloc] == 0)
    is_valid = all_of(s.leading, s.holds[worker])
    is_own = all_of(s.job[worker] == job, s.number[worker] == number)
    is_kept = n.record[job, number] == s.record[job, number]
    return all_of(
        is_new,
        is_own,
        is_kept,
        any_of(is_valid, n.stage[worker] == Stage.FAILING),
        any_of(
            not_(is_marked),
            n.deadline[job, alloc] == NONE,
            all_of(is_held, any_of(waits_for_new, waits_for_same)),
        ),
    )


@step("PLAN-51", "PLAN-74", "ALLOC-10", why="what is out of reach and not called so is never replaced")
def what_lives_is_called_unknown(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that a valid plan calls what lives unknown exactly where its node is silent, or is ready again."""
    if not by.is_(mark_unknown):
        return True
    worker, job, alloc, node = by["worker"], by["job"], by["alloc"], by["node"]
    is_valid = all_of(s.leading, s.holds[worker])
    is_taken = all_of(is_valid, any_of(s.silent[node], s.node_up[node]))
    was_live = s.alloc_phase[job, alloc] == AllocPhase.LIVE
    return implies(was_live, iff(n.alloc_phase[job, alloc] == AllocPhase.UNKNOWN, is_taken))
