"""What must be true of the benchmark protocol."""

import sys

from nomadspec.model.language.domain import NONE, SKIP, Id
from nomadspec.model.language.logic import (
    Flag,
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
)
from nomadspec.model.language.property import By, always, eventually, lemma, properties_in, sometimes, step
from nomadspec.model.small.core import CORE as RULES
from nomadspec.model.small.core import (
    Core,
    Place,
    Stage,
    Status,
    ack,
    apply_plan,
    dequeue,
    flip_node,
    holds_token,
    nack,
    schedule,
)


def is_busy(s: Core, worker: Id) -> Value:
    """True while a worker has an evaluation."""
    return s.stage[worker] != Stage.IDLE


def is_in_broker(s: Core, job: Id) -> Value:
    """True while the broker holds the job's evaluation, ready or delivered."""
    return s.place[job] != Place.OUT


@always("Core!NoOver", "PLAN-54", why="allocations that do not fit starve those that were there first")
def no_node_is_oversubscribed(s: Core) -> Flag:
    """No node holds more allocations than it has room for."""
    return for_all(s.used[n] <= s.cap for n in s.nodes)


@always("Core!OneOut", "BROKER-22", why="two workers with one token could both write an outcome")
def no_token_is_shared(s: Core) -> Flag:
    """No two workers have the same job under the same token."""
    return for_all(
        implies(
            all_of(x != y, is_busy(s, x), is_busy(s, y), s.job[x] == s.job[y]),
            s.held_token[x] != s.held_token[y],
        )
        for x in s.workers
        for y in s.workers
    )


@step("BROKER-35", "BROKER-40", why="a worker that was too slow must not touch what another does now")
def stale_token_changes_nothing(s: Core, n: Core, by: By) -> Flag:
    """Plan, ack and nack under a token that is no longer valid leave the job alone."""
    if not by.is_(apply_plan, ack, nack):
        return True
    worker, job = by["worker"], by["job"]
    unchanged = all_of(
        n.status[job] == s.status[job],
        n.place[job] == s.place[job],
        for_all(n.allocs[job, i] == s.allocs[job, i] for i in s.placements),
    )
    return implies(not_(holds_token(s, worker, job)), unchanged)


@step("BROKER-22", why="a token that comes back would make an old delivery valid again")
def tokens_never_shrink(s: Core, n: Core) -> Flag:
    """The token of a job only grows."""
    return for_all(s.token[job] <= n.token[job] for job in s.jobs)


@step("Core!Ack", "Core!NackTimeout", why="what was answered for is over until a node changes")
def answers_are_final(s: Core, n: Core, by: By) -> Flag:
    """An evaluation which the broker is done with stays as it is until a node changes."""
    if by.is_(flip_node):
        return True
    return for_all(
        implies(
            not_(is_in_broker(s, job)), all_of(not_(is_in_broker(n, job)), n.status[job] == s.status[job])
        )
        for job in s.jobs
    )


@step("Core!Dequeue", "WORKER-08", why="a plan is only as good as its snapshot")
def snapshot_of_a_delivery_is_current(s: Core, n: Core, by: By) -> Flag:
    """The snapshot of a delivery shows each allocation and each node as it is."""
    if not by.is_(dequeue):
        return True
    worker = by["worker"]
    return all_of(
        for_all(n.seen_allocs[worker, job, i] == s.allocs[job, i] for job in s.jobs for i in s.placements),
        for_all(iff(n.seen_up[worker, node], s.up[node]) for node in s.nodes),
    )


def count_planned(s: Core, n: Core, worker: Id, node: Id) -> int:
    """Count what a node would hold, by the snapshot of a worker and the plan that it has made."""

    def stays(job: Id, i: Id) -> Flag:
        is_replaced = all_of(s.job[worker] == job, n.plan[worker, i] != SKIP)
        return all_of(s.seen_allocs[worker, job, i] == node, not_(is_replaced))

    coming = count(n.plan[worker, i] == node for i in s.placements)
    return coming + count(stays(job, i) for job in s.jobs for i in s.placements)


@step("Core!Schedule", why="a plan that cannot fit is rejected for certain, and costs a delivery")
def plan_fits_its_snapshot(s: Core, n: Core, by: By) -> Flag:
    """A plan uses nodes that were up, and no more of them than there was room for."""
    if not by.is_(schedule):
        return True
    worker = by["worker"]
    return for_all(
        any_of(
            for_all(n.plan[worker, i] != node for i in s.placements),
            all_of(s.seen_up[worker, node], count_planned(s, n, worker, node) <= s.cap),
        )
        for node in s.nodes
    )


@step("Core!Schedule", why="a job that could run must not be left waiting")
def plan_leaves_no_free_room_unused(s: Core, n: Core, by: By) -> Flag:
    """A plan leaves an allocation without a node only where every node that was up is full."""
    if not by.is_(schedule):
        return True
    worker = by["worker"]
    is_short = exists(n.plan[worker, i] == NONE for i in s.placements)
    is_full = for_all(
        implies(s.seen_up[worker, node], count_planned(s, n, worker, node) >= s.cap) for node in s.nodes
    )
    return implies(is_short, is_full)


@step("Core!Schedule", why="a running allocation is not moved without need")
def plan_places_exactly_the_missing_allocs(s: Core, n: Core, by: By) -> Flag:
    """A plan leaves alone exactly the allocations that its worker saw on a node that is up."""
    if not by.is_(schedule):
        return True
    worker, job = by["worker"], by["job"]

    def runs(i: Id) -> Flag:
        return exists(
            all_of(s.seen_allocs[worker, job, i] == node, s.seen_up[worker, node]) for node in s.nodes
        )

    return for_all(iff(n.plan[worker, i] == SKIP, runs(i)) for i in s.placements)


@step("Core!Flip", why="a bound on what goes wrong bounds nothing unless each time is counted")
def changes_of_nodes_are_counted(s: Core, n: Core, by: By) -> Flag:
    """A flip turns its node, and counts; and that nothing else does either."""
    if not by.is_(flip_node):
        return all_of(n.flipped == s.flipped, for_all(iff(n.up[node], s.up[node]) for node in s.nodes))
    return all_of(n.flipped == s.flipped + 1, iff(n.up[by["node"]], not_(s.up[by["node"]])))


@step("Core!Flip", why="a job that has lost an allocation, or waits for room, must not be forgotten")
def concerned_jobs_are_evaluated_again(s: Core, n: Core, by: By) -> Flag:
    """A flip has those jobs evaluated anew that it concerns and nobody evaluates, and no others."""
    if not by.is_(flip_node):
        return True
    node = by["node"]

    def is_concerned(job: Id) -> Flag:
        has_lost = all_of(s.up[node], exists(s.allocs[job, i] == node for i in s.placements))
        waits = all_of(not_(s.up[node]), s.status[job] == Status.BLOCKED)
        return all_of(any_of(has_lost, waits), not_(is_in_broker(s, job)))

    def is_new(job: Id) -> Flag:
        return all_of(n.place[job] == Place.READY, n.status[job] == Status.PENDING, n.delivered[job] == 0)

    def is_unchanged(job: Id) -> Flag:
        is_same_delivery = all_of(n.place[job] == s.place[job], n.delivered[job] == s.delivered[job])
        return all_of(is_same_delivery, n.status[job] == s.status[job])

    return for_all(
        any_of(all_of(is_concerned(job), is_new(job)), all_of(not_(is_concerned(job)), is_unchanged(job)))
        for job in s.jobs
    )


@step(
    "Core!Apply",
    "PLAN-05",
    why="a worker that is told what is not so ends an evaluation too early or too late",
)
def answers_of_the_applier_are_true(s: Core, n: Core, by: By) -> Value:
    """A worker is told whether its plan was committed whole, and whether it wanted for room."""
    if not by.is_(apply_plan):
        return True
    worker, job = by["worker"], by["job"]
    is_short = exists(s.plan[worker, i] == NONE for i in s.placements)
    is_whole = for_all(
        implies(s.plan[worker, i] >= 0, n.allocs[job, i] == s.plan[worker, i]) for i in s.placements
    )
    is_granted = all_of(holds_token(s, worker, job), is_whole)
    return n.stage[worker] == ite(is_granted, ite(is_short, Stage.UNPLACED, Stage.PLACED), Stage.REJECTED)


@step("Core!Ack", "EVAL-37", why="an operator who waits for a job reads in its evaluation how it went")
def outcomes_are_written(s: Core, n: Core, by: By) -> Flag:
    """An ack in time ends the evaluation: complete, or blocked where there was not room for all."""
    if not by.is_(ack):
        return True
    worker, job = by["worker"], by["job"]
    outcome = ite(s.stage[worker] == Stage.PLACED, Status.COMPLETE, Status.BLOCKED)
    is_written = all_of(n.status[job] == outcome, not_(is_in_broker(n, job)))
    return implies(holds_token(s, worker, job), is_written)


@step(
    "Core!Schedule", "Core!Apply", "Core!Ack", "Core!Nack", why="a worker must not decide for another's job"
)
def workers_keep_to_their_job(s: Core, n: Core, by: By) -> Flag:
    """What a worker does is about the job that it has, and that only an answer ends that."""
    if not by.is_(schedule, apply_plan, ack, nack):
        return True
    worker, job = by["worker"], by["job"]
    is_over = all_of(by.is_(ack, nack), n.job[worker] == NONE)
    return all_of(s.job[worker] == job, any_of(is_over, n.job[worker] == job))


@always("BROKER-40", why="an evaluation that fails too early is never scheduled")
def only_spent_evaluations_fail(s: Core) -> Flag:
    """An evaluation has failed only where its deliveries are used up and the broker is done."""
    return for_all(
        implies(
            s.status[job] == Status.FAILED,
            all_of(not_(is_in_broker(s, job)), s.delivered[job] >= s.deliveries),
        )
        for job in s.jobs
    )


@always("Core!Dequeue", "Core!Nack", why="what a worker keeps of one job must not reach the next")
def idle_workers_keep_nothing(s: Core) -> Flag:
    """A worker without an evaluation has no job and no token."""
    return for_all(
        implies(not_(is_busy(s, x)), all_of(s.job[x] == NONE, s.held_token[x] == 0)) for x in s.workers
    )


@always("Core!Schedule", "Core!Apply", why="a plan is made from one snapshot, and applied once")
def snapshots_and_plans_are_used_once(s: Core) -> Flag:
    """A worker has a snapshot only while it plans, and a plan only while that is queued."""

    def sees_nothing(x: Id) -> Flag:
        is_empty = for_all(s.seen_allocs[x, job, i] == NONE for job in s.jobs for i in s.placements)
        return all_of(is_empty, for_all(not_(s.seen_up[x, node]) for node in s.nodes))

    return for_all(
        all_of(
            any_of(s.stage[x] == Stage.PLANNING, sees_nothing(x)),
            any_of(s.stage[x] == Stage.WAITING, for_all(s.plan[x, i] == SKIP for i in s.placements)),
        )
        for x in s.workers
    )


@sometimes("Core!Apply", why="a plan rejected in part is what partial commit is about")
def a_plan_is_rejected(s: Core) -> Flag:
    """A worker with a valid delivery had its plan rejected."""
    return exists(
        all_of(s.stage[x] == Stage.REJECTED, s.job[x] == job, holds_token(s, x, job))
        for x in s.workers
        for job in s.jobs
    )


@sometimes("Core!NoOver", why="capacity only matters where a node is full")
def a_node_is_full(s: Core) -> Flag:
    """Some node holds as many allocations as it has room for."""
    return exists(s.used[n] == s.cap for n in s.nodes)


@sometimes("Core!OneOut", why="tokens only matter where two workers have the same job")
def a_job_is_delivered_twice(s: Core) -> Flag:
    """Two workers have the same job, one of them without knowing that it is too late."""
    return exists(
        all_of(x != y, is_busy(s, x), is_busy(s, y), s.job[x] == s.job[y])
        for x in s.workers
        for y in s.workers
    )


@sometimes("Core!NackTimeout", why="the delivery limit only matters where it is reached")
def an_evaluation_fails(s: Core) -> Flag:
    """Some evaluation has used up its deliveries."""
    return exists(s.status[job] == Status.FAILED for job in s.jobs)


@eventually(
    "Core!Ack",
    why="a job whose evaluation is never answered is never scheduled",
    given=is_in_broker,
    job=Core.jobs,
)
def evaluation_is_answered(s: Core, job: Id) -> Value:
    """The broker is done with the job's evaluation."""
    return s.place[job] == Place.OUT


@lemma("BROKER-22", why="a worker can only have a token that was given out")
def held_tokens_were_given(s: Core) -> Flag:
    """No worker has a token newer than the job's latest."""
    return for_all(
        implies(all_of(is_busy(s, x), s.job[x] == job), s.held_token[x] <= s.token[job])
        for x in s.workers
        for job in s.jobs
    )


@lemma("Core!Schedule", why="the plan queue holds the workers that wait, and nobody else")
def queued_workers_wait(s: Core) -> Flag:
    """A worker is in the plan queue exactly while it waits."""
    return for_all(iff(s.plans.has(x), s.stage[x] == Stage.WAITING) for x in s.workers)


@lemma("Core!Dequeue", why="a worker that is busy is busy with a job")
def busy_workers_have_a_job(s: Core) -> Flag:
    """Every busy worker has a job."""
    return for_all(implies(is_busy(s, x), s.job[x] != NONE) for x in s.workers)


@lemma("BROKER-40", why="an evaluation that is delivered too often never fails")
def deliveries_are_limited(s: Core) -> Flag:
    """Where any delivery is allowed none is one too many, and what is ready has one left."""
    return for_all(
        implies(
            s.deliveries >= 1,
            all_of(
                s.delivered[job] <= s.deliveries,
                implies(s.place[job] == Place.READY, s.delivered[job] < s.deliveries),
            ),
        )
        for job in s.jobs
    )


@lemma("BROKER-22", why="a token is given out with a delivery, and in no other way")
def tokens_are_deliveries(s: Core) -> Flag:
    """A job has no more tokens than deliveries, with those that were forgotten at a flip."""
    return for_all(
        implies(s.deliveries >= 1, s.token[job] <= s.delivered[job] + s.deliveries * s.flipped)
        for job in s.jobs
    )


CORE = RULES.with_properties(properties_in(sys.modules[__name__]))
