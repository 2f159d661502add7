"""What must be true of the plan applier: how it judges, what its snapshot shows, and what is under way.

Of the invariants of plans that the specification proposes, the kernel cannot state five:

- that the index to refresh to covers the worker's own commit (PLAN-34): there are no numeric indexes, and a
  worker that has to wait for a state waits for the entry that brings it;
- that promotions are never taken back (PLAN-70): deployments have counters and a status, and no promotion;
- that no more entries are under way than the pipeline is deep (PLAN-36): there are just as many places;
- that the timer of a delivery runs again after the answer (PLAN-13): it is that which a stage does not stop;
- that an attempt after a refusal fails for no reason that was visible (PLAN-80): reasons are not kept.
"""

from nomadspec.model.domain import NONE, Id
from nomadspec.model.kernel.applier import apply_plan, refuse_gang
from nomadspec.model.kernel.pipeline import (
    commit,
    crash,
    evaluate,
    evaluate_gang,
    is_open_flight,
    is_under_way,
)
from nomadspec.model.kernel.state import AllocPhase, Flight, JobPhase, Kernel, Stage
from nomadspec.model.logic import Value, all_of, any_of, count, exists, for_all, iff, implies, not_
from nomadspec.model.property import By, always, eventually, sometimes, step


def is_judged(n: Kernel, by: By) -> Value:
    """Say that a step judged a plan of which something is to be committed."""
    return n.stage[by["worker"]] == Stage.JUDGED


def is_kept(n: Kernel, by: By, k: Id) -> Value:
    """Say that a judged plan still has what it placed in a slot."""
    return n.plan_to[by["worker"], k] != NONE


@step(
    "PLAN-44",
    "PLAN-45",
    "PLAN-46",
    why="a stop without what takes its place leaves a job short of an instance",
)
def nodes_stand_or_fall_as_a_whole(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that all that a plan has for one node is kept, or nothing of it."""
    if not by.is_(evaluate, evaluate_gang):
        return True
    worker, job = by["worker"], by["job"]
    to, stops = s.plan_to[worker], s.plan_stops[worker]
    placements = for_all(
        implies(all_of(to[k] != NONE, to[k] == to[o]), iff(is_kept(n, by, k), is_kept(n, by, o)))
        for k in s.slots
        for o in s.slots
    )
    moves = for_all(
        implies(
            all_of(stops[i], to[k] != NONE, n.snap_occupies[job, i] == to[k]),
            iff(is_kept(n, by, k), n.plan_stops[worker, i]),
        )
        for k in s.slots
        for i in s.allocs
    )
    return implies(is_judged(n, by), all_of(placements, moves))


@step("PLAN-42", "PLAN-60", why="the applier decides on a plan and makes none of its own")
def results_are_part_of_their_plan(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that judging adds nothing to a plan and moves nothing in it."""
    if not by.is_(evaluate, evaluate_gang):
        return True
    worker = by["worker"]
    placements = for_all(
        any_of(n.plan_to[worker, k] == NONE, n.plan_to[worker, k] == s.plan_to[worker, k]) for k in s.slots
    )
    stops = for_all(implies(n.plan_stops[worker, i], s.plan_stops[worker, i]) for i in s.allocs)
    is_same_victim = any_of(
        n.plan_victim[worker] == NONE,
        all_of(n.plan_foe[worker] == s.plan_foe[worker], n.plan_victim[worker] == s.plan_victim[worker]),
    )
    return all_of(placements, stops, is_same_victim)


@step("PLAN-51", why="a stop that waits for a node to recover would never be made")
def stops_alone_always_fit(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that what a plan only stops on a node is stopped, unless the plan is all or nothing or an error."""
    if not by.is_(apply_plan):
        return True
    worker, job = by["worker"], by["job"]

    def is_alone(i: Id) -> Value:
        node = s.occupies[job, i]
        return all_of(node != NONE, for_all(s.plan_to[worker, k] != node for k in s.slots))

    is_heard = n.stage[worker] != Stage.FAILING
    return implies(
        all_of(s.gangs == 0, is_heard),
        for_all(
            implies(all_of(s.plan_stops[worker, i], is_alone(i)), n.occupies[job, i] == NONE)
            for i in s.allocs
        ),
    )


@step("PLAN-51", "PLAN-52", why="a node that is down or closed starts nothing")
def nothing_is_placed_on_closed_nodes(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that a placement is kept only where the state that it is judged by shows the node up and open."""
    if by.is_(evaluate):
        worker = by["worker"]
        return for_all(
            implies(all_of(is_judged(n, by), n.plan_to[worker, k] == m), all_of(n.snap_up[m], n.snap_open[m]))
            for k in s.slots
            for m in s.nodes
        )
    if not by.is_(apply_plan):
        return True
    job = by["job"]
    return for_all(
        implies(
            all_of(s.occupies[job, i] == NONE, n.occupies[job, i] == m), all_of(s.node_up[m], s.eligible[m])
        )
        for i in s.allocs
        for m in s.nodes
    )


@step("PLAN-44", why="an allocation that has ended cannot make way")
def only_the_living_are_driven_out(s: Kernel, n: Kernel, by: By) -> Value:  # noqa: ARG001 -- n has it
    """Say that a judged plan drives out only what takes capacity in the state that it was judged by."""
    if not by.is_(evaluate):
        return True
    worker = by["worker"]
    foe, victim = n.plan_foe[worker], n.plan_victim[worker]
    return implies(all_of(is_judged(n, by), victim != NONE), n.snap_occupies[foe, victim] != NONE)


@step("PLAN-31", "PLAN-32", "PLAN-37", why="an older state refuses what fits and takes what does not")
def plans_are_judged_by_newer_state(s: Kernel, n: Kernel, by: By) -> Value:  # noqa: ARG001 -- n has it
    """Say that the applier judges a plan by a state no older than the one that it was first made from."""
    if not by.is_(evaluate, evaluate_gang):
        return True
    worker = by["worker"]
    is_used = any_of(is_judged(n, by), n.stage[worker] == Stage.REFUSED, n.stage[worker] == Stage.EXHAUSTED)
    return implies(is_used, not_(n.is_newer[worker]))


@always("PLAN-31", "PLAN-37", why="a plan that is judged without an earlier one may take the same place")
def the_snapshot_has_all_that_was_dispatched(s: Kernel) -> Value:
    """Say that what was dispatched since the snapshot was taken, and takes capacity, is in the snapshot.

    An operator who deletes an evaluation during a pause keeps the snapshot from taking in what it plans.
    """
    is_there = for_all(
        not_(all_of(s.snap_lacks[j, i], s.occupies[j, i] != NONE)) for j in s.jobs for i in s.allocs
    )
    return any_of(all_of(s.pauses_made > 0, s.collected > 0), is_there)


@always(
    "PLAN-31",
    "PLAN-34",
    why="room that only seems to be taken refuses plans, and stops that never were free it",
)
def the_snapshot_shows_nothing_that_failed(s: Kernel) -> Value:
    """Say that what the applier's snapshot shows of a wanted job was made, or is under way."""

    def is_coming(j: Id, i: Id) -> Value:
        return exists(
            all_of(is_under_way(s, f), s.flight_job[f] == j, s.flight_alloc[f, k] == i)
            for f in s.flights
            for k in s.slots
        )

    has_returned = s.returned > 0
    has_unseen_crash = exists(s.flight[f] == Flight.CRASHED for f in s.flights)
    return any_of(
        has_unseen_crash,
        has_returned,
        for_all(
            implies(
                all_of(s.snap_occupies[j, i] != NONE, s.job_phase[j] == JobPhase.WANTED),
                any_of(s.alloc_phase[j, i] != AllocPhase.ABSENT, is_coming(j, i)),
            )
            for j in s.jobs
            for i in s.allocs
        ),
    )


@step(
    "PLAN-35", "PLAN-36", why="the snapshot shows entries in the order in which they were handed to the log"
)
def entries_come_out_in_order(s: Kernel, n: Kernel, by: By) -> Value:  # noqa: ARG001 -- the order is in s alone
    """Say that an entry is committed, or fails, only when it is the oldest under way."""
    return s.under_way.head(by["flight"]) if by.is_(commit, crash) else True


@always("PLAN-30", "PLAN-31", why="the applier would count entries that nobody can complete", lemma=True)
def entries_are_in_their_line(s: Kernel) -> Value:
    """Say that what is under way is in the line to commit, and what has ended in the line to be seen."""
    return for_all(
        all_of(
            iff(is_under_way(s, f), s.under_way.has(f)),
            implies(s.ended.has(f), all_of(is_open_flight(s, f), not_(is_under_way(s, f)))),
        )
        for f in s.flights
    )


@always("PLAN-30", "PLAN-31", why="one consumer takes plans from the queue, one at a time")
def one_plan_is_in_hand(s: Kernel) -> Value:
    """Say that the applier has at most one judged plan that is not yet with the log."""
    return for_all(
        implies(all_of(s.stage[w] == Stage.JUDGED, s.stage[o] == Stage.JUDGED), w == o)
        for w in s.workers
        for o in s.workers
    )


@always("PLAN-31", "PLAN-34", why="an answer must not come to who does not wait for it", lemma=True)
def who_is_answered_waits(s: Kernel) -> Value:
    """Say that an entry answers a worker that waits for it, and is the only one to do so."""
    return all_of(
        for_all(
            implies(
                s.flight_worker[f] != NONE,
                all_of(s.stage[s.flight_worker[f]] == Stage.FLYING, is_under_way(s, f)),
            )
            for f in s.flights
        ),
        for_all(
            implies(all_of(s.flight_worker[f] != NONE, s.flight_worker[f] == s.flight_worker[o]), f == o)
            for f in s.flights
            for o in s.flights
        ),
    )


@step("PLAN-86", "PLAN-87", why="a node is closed on account of refusals only if it was refused often enough")
def nodes_are_closed_for_a_reason(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that a plan closes a node only where refused plans are counted, and after enough of them."""

    def is_due(m: Id) -> Value:
        return all_of(s.strikes > 0, n.refused[m] >= s.strikes)

    def is_closed(m: Id) -> Value:
        return all_of(s.eligible[m], not_(n.eligible[m]))

    if by.is_(apply_plan, refuse_gang):
        return for_all(implies(is_closed(m), is_due(m)) for m in s.nodes)
    if by.is_(evaluate, evaluate_gang):
        worker = by["worker"]
        return for_all(
            implies(all_of(n.plan_marks[worker, m], not_(s.plan_marks[worker, m])), is_due(m))
            for m in s.nodes
        )
    if not by.is_(commit):
        return True
    marks = s.flight_marks[by["flight"]]
    return for_all(implies(is_closed(m), all_of(s.strikes > 0, marks[m])) for m in s.nodes)


@step(
    "PLAN-47", "PLAN-86", why="the applier stops at the first node that does not fit, and knows of no other"
)
def gangs_are_held_against_one_node(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that only a plan that is all or nothing is refused as one, and counts against one node at most."""
    if not by.is_(apply_plan, refuse_gang, evaluate, evaluate_gang):
        return True
    is_alone = count(n.refused[m] != s.refused[m] for m in s.nodes) <= 1
    is_one = any_of(s.gangs > 0, by.is_(refuse_gang, evaluate_gang))
    return implies(is_one, all_of(s.gangs > 0, is_alone))


@always("PLAN-80", "PLAN-95", why="a lone scheduler has nobody to lose a race to")
def lone_planners_are_not_refused(s: Kernel) -> Value:
    """Say that no plan is refused while there is one worker, and no node or priority ever changes."""
    is_quiet = all_of(
        s.node_changes == 0,
        s.silences + s.moves == 0,
        s.lag == 0,
        s.stops + s.purges + s.failed_entries == 0,
        s.strikes == 0,
    )
    is_lone = count(w == w for w in s.workers) == 1  # noqa: PLR0124 -- how many there are
    return implies(all_of(is_quiet, is_lone), for_all(s.stage[w] != Stage.REFUSED for w in s.workers))


@eventually(
    "PLAN-31",
    "PLAN-34",
    why="an entry that never comes out of the log holds up every later plan",
    given=is_under_way,
    flight=Kernel.flights,
)
def entries_come_out_of_the_log(s: Kernel, flight: Id) -> Value:
    """Say that an entry under way is committed or fails, unless the scope has no number left for it."""
    is_full = exists(s.made[j] >= s.evals for j in s.jobs)
    return any_of(is_full, not_(is_under_way(s, flight)))


@sometimes(
    "PLAN-31",
    "PLAN-36",
    why="overlap matters only where a plan is judged while an entry is under way",
    scopes=("strikes", "failed-entry", "two-entries"),
)
def a_plan_is_judged_while_another_commits(s: Kernel) -> Value:
    """Say that the applier has a judged plan in hand and an entry under way."""
    return all_of(
        exists(s.stage[w] == Stage.JUDGED for w in s.workers), exists(is_under_way(s, f) for f in s.flights)
    )


@sometimes(
    "PLAN-35", "PLAN-36", why="an order matters only where two entries are under way", scopes=("two-entries",)
)
def two_entries_are_under_way(s: Kernel) -> Value:
    """Say that an entry was handed to the log while another one was under way."""
    return count(is_under_way(s, f) for f in s.flights) > 1


@sometimes(
    "PLAN-46",
    why="that a node stands or falls as a whole matters only where a plan is kept in part",
    scopes=("strikes", "failed-entry"),
)
def a_plan_is_kept_in_part(s: Kernel) -> Value:
    """Say that the applier holds a plan of which some node was refused."""
    return exists(s.is_partial[w] for w in s.workers)


@sometimes("PLAN-51", why="stops matter only where a plan has some", scopes=("rollout", "update"))
def a_plan_stops_something(s: Kernel) -> Value:
    """Say that a plan stops an allocation."""
    return exists(s.plan_stops[w, i] for w in s.workers for i in s.allocs)


@sometimes("PLAN-51", why="closed nodes matter only where a plan wants one", scopes=("pipeline", "partial"))
def a_plan_wants_a_closed_node(s: Kernel) -> Value:
    """Say that a submitted plan places an instance on a node that is down or closed by now."""
    return exists(
        all_of(s.stage[w] == Stage.SUBMITTED, s.plan_to[w, k] == m, not_(all_of(s.node_up[m], s.eligible[m])))
        for w in s.workers
        for k in s.slots
        for m in s.nodes
    )


@sometimes(
    "PLAN-32",
    "PLAN-37",
    why="staleness matters only where a plan is newer than the snapshot",
    scopes=("stale-snapshot", "failed-entry"),
)
def a_plan_is_newer_than_the_snapshot(s: Kernel) -> Value:
    """Say that a plan was made from a newer state than the applier's."""
    return exists(all_of(s.has_snap, s.is_newer[w]) for w in s.workers)


@sometimes(
    "PLAN-34",
    why="failed entries matter only where one fails",
    scopes=("stale-snapshot", "failed-entry", "two-entries"),
)
def an_entry_fails(s: Kernel) -> Value:
    """Say that an entry has failed, and that the applier does not know."""
    return exists(s.flight[f] == Flight.CRASHED for f in s.flights)


@sometimes(
    "PLAN-86",
    why="marking nodes matters only where one was refused too often",
    scopes=("strikes", "refusals"),
)
def a_node_is_refused_too_often(s: Kernel) -> Value:
    """Say that refusals have closed a node."""
    return exists(not_(s.eligible[m]) for m in s.nodes)


@sometimes(
    "PLAN-47", why="all or nothing matters only where a plan is refused", scopes=("gang", "gang-entry")
)
def a_gang_is_refused(s: Kernel) -> Value:
    """Say that a worker has to plan again for a job whose plans are all or nothing."""
    return exists(s.stage[w] == Stage.REFUSED for w in s.workers)
