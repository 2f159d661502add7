"""What the applier must do with a plan: judge it by what it has, commit what fits, and say what it did."""

from collections.abc import Callable
from typing import Final

from nomadspec.model.domain import NONE, Id
from nomadspec.model.kernel.applier import apply_plan, forget_refusals, refuse_gang
from nomadspec.model.kernel.pipeline import (
    commit,
    evaluate,
    evaluate_gang,
    find_kept_in,
)
from nomadspec.model.kernel.state import AllocPhase, JobPhase, Kernel, Stage
from nomadspec.model.kernel.verdict import count_taken, find_kept
from nomadspec.model.kernel.worker import limit_of
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
    minimum,
    not_,
    one_of,
)
from nomadspec.model.property import By, step

_JUDGING: Final = (apply_plan, refuse_gang, evaluate, evaluate_gang)


def is_answered(n: Kernel, worker: Value) -> Value:
    """Say that a worker has an answer to its plan, and not an error."""
    return one_of(n.stage[worker], Stage.DECIDED, Stage.REFUSED, Stage.EXHAUSTED)


def is_heard(n: Kernel, worker: Value) -> Value:
    """Say that a plan was not an error."""
    return n.stage[worker] != Stage.FAILING


def is_made(s: Kernel, n: Kernel, job: Id, i: Id) -> Value:
    """Say that a step makes an allocation."""
    return all_of(s.alloc_phase[job, i] == AllocPhase.ABSENT, n.alloc_phase[job, i] == AllocPhase.LIVE)


def is_deleted(s: Kernel, job: Value, i: Value) -> Value:
    """Say that the store has no record of an allocation: it was not made, or has been deleted."""
    return any_of(s.alloc_phase[job, i] == AllocPhase.ABSENT, s.alloc_phase[job, i] == AllocPhase.GONE)


def names(s: Kernel, worker: Id, job: Id, what: Callable[[Value, Value], Value]) -> Value:
    """Say that a plan stops or drives out an allocation of which something is so."""
    foe, victim = s.plan_foe[worker], s.plan_victim[worker]
    return any_of(
        exists(all_of(s.plan_stops[worker, i], what(job, i)) for i in s.allocs),
        all_of(s.preempting > 0, victim != NONE, what(foe, victim)),
    )


def names_deleted(s: Kernel, worker: Id, job: Id) -> Value:
    """Say that a plan stops or drives out an allocation of which the store has no record."""
    return names(s, worker, job, lambda j, i: is_deleted(s, j, i))


def is_void(s: Kernel, flight: Id, job: Id) -> Value:
    """Say that an entry stops or drives out an allocation of which the store has no record."""
    foe, victim = s.flight_foe[flight], s.flight_victim[flight]
    return any_of(
        exists(all_of(s.flight_stops[flight, i], is_deleted(s, job, i)) for i in s.allocs),
        all_of(s.preempting > 0, victim != NONE, is_deleted(s, foe, victim)),
    )


@step("PLAN-40", "PLAN-70", "PLAN-98", why="half of an entry must not be written")
def plans_that_name_the_deleted_are_errors(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that where plans are committed in one step, exactly one that names what was deleted is an error."""
    if not by.is_(apply_plan, refuse_gang):
        return True
    worker, job = by["worker"], by["job"]
    is_wrong = names_deleted(s, worker, job)
    is_untouched = for_all(n.alloc_phase[j, i] == s.alloc_phase[j, i] for j in s.jobs for i in s.allocs)
    return all_of(iff(is_wrong, not_(is_heard(n, worker))), implies(is_wrong, is_untouched))


@step("PLAN-43", "PLAN-51", "PLAN-54", why="a plan that fits and is refused is work that is done twice")
def what_fits_is_not_refused(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that what is placed for a wanted job on a node that is up, open and has the room is committed."""
    if not by.is_(apply_plan):
        return True
    worker, job = by["worker"], by["job"]

    def leaves(j: Id, i: Id) -> Value:
        return all_of(j == job, any_of(s.plan_stops[worker, i], find_kept(s, worker, i) != NONE))

    def is_victim(j: Id, i: Id) -> Value:
        return all_of(s.preempting > 0, j == s.plan_foe[worker], i == s.plan_victim[worker])

    def is_welcome(m: Id) -> Value:
        placed = count(s.plan_to[worker, k] == m for k in s.slots)
        kept = count(find_kept(s, worker, i) == m for i in s.allocs)
        bulk = s.plan_bulk[worker]
        growing = count(all_of(s.plan_to[worker, k] == m, x < bulk) for k in s.slots for x in s.extras)
        grown = count(all_of(find_kept(s, worker, i) == m, x < bulk) for i in s.allocs for x in s.extras)
        own = count(all_of(leaves(job, i), s.occupies[job, i] == m) for i in s.allocs)
        more = count(all_of(leaves(job, i), s.extra_at[job, i, x] == m) for i in s.allocs for x in s.extras)
        foes = count(all_of(is_victim(j, i), s.occupies[j, i] == m) for j in s.jobs for i in s.allocs)
        is_fit = count_taken(s, m) - own - more - foes + placed + kept + growing + grown <= s.cap
        return all_of(s.node_up[m], s.eligible[m], is_fit)

    is_due = all_of(s.gangs == 0, s.job_phase[job] == JobPhase.WANTED, is_heard(n, worker))
    return implies(
        is_due,
        for_all(
            implies(
                is_welcome(m),
                count(all_of(is_made(s, n, job, i), n.occupies[job, i] == m) for i in s.allocs)
                == count(s.plan_to[worker, k] == m for k in s.slots),
            )
            for m in s.nodes
        ),
    )


@step("PLAN-44", "PLAN-46", "PLAN-60", why="what is written must be what was planned, and where")
def plans_are_committed_as_they_are(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that a plan is committed on a node as a whole or not at all, and stops only what it names."""
    if not by.is_(apply_plan):
        return True
    worker, job = by["worker"], by["job"]

    def made_on(m: Id) -> Value:
        return count(all_of(is_made(s, n, job, i), n.occupies[job, i] == m) for i in s.allocs)

    def stays_on(m: Id) -> Value:
        return for_all(
            implies(all_of(s.plan_stops[worker, i], s.occupies[job, i] == m), n.occupies[job, i] == m)
            for i in s.allocs
        )

    def goes_from(m: Id) -> Value:
        return for_all(
            implies(all_of(s.plan_stops[worker, i], s.occupies[job, i] == m), n.occupies[job, i] == NONE)
            for i in s.allocs
        )

    def is_whole(m: Id) -> Value:
        planned = count(s.plan_to[worker, k] == m for k in s.slots)
        is_committed = all_of(
            any_of(made_on(m) == planned, s.job_phase[job] != JobPhase.WANTED), goes_from(m)
        )
        return any_of(is_committed, all_of(made_on(m) == 0, stays_on(m)))

    is_named = for_all(
        implies(
            n.alloc_phase[j, i] == AllocPhase.STOPPED,
            any_of(
                s.alloc_phase[j, i] == AllocPhase.STOPPED,
                all_of(j == job, s.plan_stops[worker, i]),
                all_of(j == s.plan_foe[worker], i == s.plan_victim[worker]),
            ),
        )
        for j in s.jobs
        for i in s.allocs
    )
    return all_of(is_named, for_all(is_whole(m) for m in s.nodes))


@step("PLAN-44", "PLAN-62", "ALLOC-03", why="who is driven out must be told to stop")
def victims_are_stopped(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that what an entry drives out is stopped, and that its job is evaluated if it is still there."""
    if not by.is_(apply_plan, commit):
        return True
    job = by["job"]

    def is_right(j: Id, i: Id) -> Value:
        is_hit = all_of(s.occupies[j, i] != NONE, n.occupies[j, i] == NONE)
        return implies(is_hit, n.alloc_phase[j, i] == AllocPhase.STOPPED)

    is_told = for_all(
        implies(
            all_of(j != job, n.made[j] > s.made[j]),
            all_of(s.preempting > 0, s.job_phase[j] != JobPhase.ABSENT),
        )
        for j in s.jobs
    )
    return all_of(for_all(is_right(j, i) for j in s.jobs for i in s.allocs), is_told)


@step("PLAN-44", "PLAN-46", "PLAN-53", why="what takes the place of another must not run beside it")
def victims_make_way(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that what is placed on the node of what its plan drives out is placed instead of that."""
    if not by.is_(apply_plan):
        return True
    worker, job = by["worker"], by["job"]

    def is_victim(j: Id, i: Id) -> Value:
        return all_of(s.preempting > 0, j == s.plan_foe[worker], i == s.plan_victim[worker])

    def is_filled(m: Id) -> Value:
        return exists(all_of(is_made(s, n, job, i), n.occupies[job, i] == m) for i in s.allocs)

    return for_all(
        implies(all_of(is_victim(j, i), s.occupies[j, i] == m, is_filled(m)), n.occupies[j, i] == NONE)
        for j in s.jobs
        for i in s.allocs
        for m in s.nodes
    )


@step(
    "PLAN-72", "ALLOC-04", "GENERIC-54", why="an allocation takes the room of its version, and none beside it"
)
def instances_take_the_room_that_was_planned(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that what an entry places or updates takes, on its node, the units that its plan was made for."""
    if not by.is_(apply_plan, commit):
        return True
    job = by["job"]
    bulk = s.plan_bulk[by["worker"]] if by.is_(apply_plan) else s.flight_bulk[by["flight"]]

    def is_right(j: Id, i: Id, x: Id) -> Value:
        is_grown = n.extra_at[j, i, x] == ite(x < bulk, n.occupies[j, i], NONE)
        is_kept = n.extra_at[j, i, x] == s.extra_at[j, i, x]
        is_given_back = all_of(n.extra_at[j, i, x] == NONE, n.occupies[j, i] == NONE)
        is_touched = all_of(
            j == job, any_of(is_made(s, n, j, i), n.alloc_version[j, i] != s.alloc_version[j, i])
        )
        return any_of(
            is_given_back, all_of(is_touched, is_grown), all_of(not_(is_touched), any_of(is_kept, is_grown))
        )

    return for_all(is_right(j, i, x) for j in s.jobs for i in s.allocs for x in s.extras)


@step(
    "PLAN-74", "ALLOC-06", "GENERIC-54", why="who says in place means the same place, and the newer version"
)
def updates_are_made_in_place(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that a plan gives its version to what it updates, leaves it in its place, and no other."""
    if not by.is_(apply_plan, commit):
        return for_all(
            any_of(
                n.alloc_version[j, i] == s.alloc_version[j, i],
                all_of(n.alloc_version[j, i] == 0, n.alloc_phase[j, i] == AllocPhase.GONE),
            )
            for j in s.jobs
            for i in s.allocs
        )
    job = by["job"]
    version = s.plan_version[by["worker"]] if by.is_(apply_plan) else s.flight_version[by["flight"]]

    def is_named(i: Id) -> Value:
        kept = find_kept(s, by["worker"], i) if by.is_(apply_plan) else find_kept_in(s, by["flight"], i)
        return kept != NONE

    def is_right(j: Id, i: Id) -> Value:
        is_same = n.alloc_version[j, i] == s.alloc_version[j, i]
        is_updated = all_of(j == job, n.alloc_version[j, i] == version)
        stays = any_of(
            n.occupies[j, i] == s.occupies[j, i], s.occupies[j, i] == NONE, n.occupies[j, i] == NONE
        )
        is_meant = any_of(is_made(s, n, j, i), is_named(i))
        return all_of(stays, any_of(is_same, all_of(is_updated, is_meant)))

    return for_all(is_right(j, i) for j in s.jobs for i in s.allocs)


@step("PLAN-74", "GENERIC-54", "GENERIC-57", why="who was told that its update was made waits for no other")
def updates_are_not_left_out(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that an entry, or a plan answered as whole, updates all that it keeps and that still lives."""
    if not by.is_(apply_plan, commit):
        return True
    job = by["job"]

    def is_updated(i: Id, kept: Value, version: Value) -> Value:
        is_meant = all_of(kept != NONE, s.occupies[job, i] != NONE)
        return implies(is_meant, n.alloc_version[job, i] == version)

    if by.is_(commit):
        flight = by["flight"]
        version = s.flight_version[flight]
        made = for_all(is_updated(i, find_kept_in(s, flight, i), version) for i in s.allocs)
        return any_of(is_void(s, flight, job), made)
    worker = by["worker"]
    made = for_all(is_updated(i, find_kept(s, worker, i), s.plan_version[worker]) for i in s.allocs)
    return implies(n.stage[worker] == Stage.DECIDED, made)


@step(
    "PLAN-90",
    "PLAN-91",
    "EVAL-40",
    "PLAN-97",
    why="who has used up its attempts gives up, and nobody else does",
)
def attempts_are_used_up_one_by_one(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that answers count attempts, and that exactly who has used them up is sent to give up."""

    def is_counted(w: Id) -> Value:
        tries = n.tries[w]
        is_again = any_of(tries == s.tries[w], tries == s.tries[w] + 1, tries == 0)
        is_out = all_of(n.stage[w] == Stage.EXHAUSTED, s.stage[w] != Stage.EXHAUSTED)
        is_sent_back = all_of(n.stage[w] == Stage.REFUSED, s.stage[w] != Stage.REFUSED)
        return all_of(
            is_again,
            implies(is_out, tries >= limit_of(s, w)),
            implies(all_of(is_sent_back, by.is_(*_JUDGING, commit)), tries < limit_of(s, w)),
        )

    return for_all(is_counted(w) for w in s.workers)


@step("PLAN-86", "PLAN-45", why="a node is judged by how often it was refused")
def refusals_are_counted(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that refusals count one by one against nodes of the plan, up to what matters, until forgotten."""
    if by.is_(forget_refusals):
        node = by["node"]
        others = for_all(any_of(m == node, n.refused[m] == s.refused[m]) for m in s.nodes)
        return all_of(s.refused[node] > 0, n.refused[node] == 0, others)
    if not by.is_(*_JUDGING):
        return for_all(n.refused[m] == s.refused[m] for m in s.nodes)
    worker, job = by["worker"], by["job"]

    def is_planned(m: Id) -> Value:
        return any_of(
            exists(s.plan_to[worker, k] == m for k in s.slots),
            exists(find_kept(s, worker, i) == m for i in s.allocs),
        )

    def is_full(m: Id) -> Value:
        return n.refused[m] == minimum(s.refused[m] + 1, s.strikes)

    def is_counted(m: Id) -> Value:
        is_made_there = exists(all_of(is_made(s, n, job, i), n.occupies[job, i] == m) for i in s.allocs)
        return any_of(n.refused[m] == s.refused[m], all_of(is_full(m), is_planned(m), not_(is_made_there)))

    def is_missed(m: Id) -> Value:
        is_left = exists(s.plan_to[worker, k] == m for k in s.slots)
        is_made_there = exists(all_of(is_made(s, n, job, i), n.occupies[job, i] == m) for i in s.allocs)
        is_wanted = all_of(s.job_phase[job] == JobPhase.WANTED, is_heard(n, worker), s.gangs == 0)
        return implies(all_of(is_wanted, is_left, not_(is_made_there)), is_full(m))

    is_sure = for_all(is_missed(m) for m in s.nodes) if by.is_(apply_plan) else True
    if by.is_(refuse_gang):
        is_sure = implies(is_heard(n, worker), is_full(by["node"]))
    return all_of(for_all(is_counted(m) for m in s.nodes), is_sure)


@step("PLAN-42", "PLAN-45", "PLAN-47", why="a judged plan is what is handed to the log")
def judged_plans_keep_what_stands(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that a judged plan is partial exactly if it lost something; to stop what is over asks no node."""
    if not by.is_(evaluate, evaluate_gang):
        return True
    worker, job = by["worker"], by["job"]
    is_judged = n.stage[worker] == Stage.JUDGED

    def has_lost_update(i: Id) -> Value:
        return all_of(find_kept(s, worker, i) != NONE, find_kept(n, worker, i) == NONE)

    def is_stop_kept(i: Id) -> Value:
        is_over = all_of(s.gangs == 0, s.plan_stops[worker, i], n.snap_occupies[job, i] == NONE)
        return implies(is_over, n.plan_stops[worker, i])

    has_lost = any_of(
        exists(all_of(s.plan_to[worker, k] != NONE, n.plan_to[worker, k] == NONE) for k in s.slots),
        exists(has_lost_update(i) for i in s.allocs),
    )
    is_version = all_of(
        n.plan_version[worker] == s.plan_version[worker], n.plan_bulk[worker] == s.plan_bulk[worker]
    )
    is_partial = iff(n.is_partial[worker], any_of(s.is_partial[worker], has_lost, by.is_(evaluate_gang)))
    stops = for_all(map(is_stop_kept, s.allocs))
    return implies(is_judged, all_of(is_partial, is_version, stops))


@step("PLAN-42", "PLAN-45", "PLAN-51", why="what is updated on a node that cannot keep it is not there")
def judged_updates_stay_where_they_are(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that a judged plan updates only as it was meant, where nodes are up, and with what it places there.

    What does not live there is asked like something new.
    """
    if not by.is_(evaluate, evaluate_gang):
        return True
    worker, job = by["worker"], by["job"]

    def is_right(i: Id, m: Id) -> Value:
        is_its = find_kept(s, worker, i) == m
        is_placed_beside = for_all(
            implies(s.plan_to[worker, k] == m, n.plan_to[worker, k] == m) for k in s.slots
        )
        may_stay = all_of(n.snap_up[m], any_of(n.snap_open[m], n.snap_occupies[job, i] == m))
        return implies(find_kept(n, worker, i) == m, all_of(is_its, may_stay, is_placed_beside))

    is_judged = n.stage[worker] == Stage.JUDGED
    return implies(is_judged, for_all(is_right(i, m) for i in s.allocs for m in s.nodes))


@step("PLAN-31", "PLAN-60", "ALLOC-04", why="two allocations under one number would be one")
def placements_are_numbered_in_turn(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that an applied plan numbers its allocations from the next number on, without a gap."""
    if not by.is_(apply_plan):
        return True
    job = by["job"]
    made = count(is_made(s, n, job, i) for i in s.allocs)
    in_turn = for_all(
        iff(is_made(s, n, job, i), all_of(i >= s.alloc_made[job], i < n.alloc_made[job])) for i in s.allocs
    )
    return all_of(n.alloc_made[job] == s.alloc_made[job] + made, in_turn)
