"""The benchmark protocol: an evaluation for each job, workers with private snapshots, a serial plan applier.

It is the smallest world in which optimistic scheduling can go wrong: workers plan on what they saw when they
took an evaluation, deliveries time out, plans queue up, and only the applier sees the truth. Peers (TLC,
Stateright, SPIN) explore the same protocol with the same counts: 34,069 worlds without node flips, 1,209,975
with one, 16,559,713 with two.
"""

from enum import IntEnum

from nomadspec.model.language.domain import FLAG, NONE, SKIP, Id, Map, counter, opt
from nomadspec.model.language.logic import (
    Flag,
    Value,
    all_of,
    any_of,
    count,
    exists,
    for_all,
    implies,
    ite,
    not_,
    one_of,
)
from nomadspec.model.language.model import Model
from nomadspec.model.language.rule import rule, weak
from nomadspec.model.language.scope import Scope
from nomadspec.model.language.world import World, field, ids, index, queue, size, tally
from nomadspec.model.specification.quirks import REUSED_TOKEN, UNCHECKED_CAPACITY


class Status(IntEnum):
    """The status of a job's evaluation."""

    PENDING = 0
    BLOCKED = 1
    COMPLETE = 2
    FAILED = 3


class Place(IntEnum):
    """Where the broker has a job's evaluation."""

    OUT = 0
    READY = 1
    UNACKED = 2


class Stage(IntEnum):
    """What a worker is doing."""

    IDLE = 0
    PLANNING = 1
    WAITING = 2
    PLACED = 3
    UNPLACED = 4
    REJECTED = 5


class Core(World):
    """Jobs with one evaluation each, nodes, workers with a snapshot and a plan, and the plan queue."""

    jobs = ids("job", 2, "jobs, each with one evaluation")
    nodes = ids("node", 2, "nodes, all alike")
    workers = ids("worker", 2, "scheduling workers")
    count = size(2, "allocations that a job wants")
    placements = index("placement", count, "the allocations of a job")
    cap = size(2, "allocations that a node holds")
    deliveries = size(2, "how often an evaluation is delivered before it fails")
    flips = size(0, "how often nodes go down or come back, in all")

    status = field(jobs, Status, init=Status.PENDING, about="status of the job's evaluation")
    place = field(jobs, Place, init=Place.READY, about="where the broker has the evaluation")
    delivered = field(jobs, counter(deliveries), init=0, about="deliveries of the evaluation so far")
    token = field(jobs, counter(deliveries * (flips + 1)), init=0, about="token of the latest delivery")
    allocs = field(jobs, placements, opt(nodes), init=NONE, about="the node on which an allocation runs")
    up = field(nodes, FLAG, init=True, about="the node is up")
    flipped = field(counter(flips), init=0, about="nodes that went down or came back so far", budget=True)

    stage = field(workers, Stage, init=Stage.IDLE, about="what the worker is doing")
    job = field(workers, opt(jobs), init=NONE, about="the job that the worker has")
    held_token = field(
        workers, counter(deliveries * (flips + 1)), init=0, about="the token that the worker has"
    )
    seen_allocs = field(
        workers, jobs, placements, opt(nodes), init=NONE, about="allocations in the worker's snapshot"
    )
    seen_up = field(workers, nodes, FLAG, init=False, about="nodes that are up in the worker's snapshot")
    plan = field(
        workers, placements, opt(nodes, SKIP), init=SKIP, about="where the worker wants each allocation"
    )
    plans = queue(workers, "whose plan the applier takes when")

    used = tally(allocs, "allocations that a node holds")


def holds_token(s: Core, worker: Id, job: Id) -> Flag:
    """True while the delivery which the worker has is still the valid one."""
    return all_of(s.place[job] == Place.UNACKED, s.token[job] == s.held_token[worker])


def release(t: Core, worker: Id) -> None:
    """Let a worker forget its evaluation."""
    t.stage[worker] = Stage.IDLE
    t.job[worker] = NONE
    t.held_token[worker] = 0


def redeliver(s: Core, t: Core, job: Id) -> None:
    """Deliver again, or let the evaluation fail once it has reached the delivery limit."""
    spent = s.delivered[job] >= s.deliveries
    t.place[job] = ite(spent, Place.OUT, Place.READY)
    t.when(spent).status[job] = Status.FAILED


@rule("Core!Dequeue", "BROKER-22", "WORKER-08", fair=weak(), worker=Core.workers, job=Core.jobs)
def dequeue(s: Core, t: Core, worker: Id, job: Id) -> None:
    """A worker takes a ready evaluation under a fresh token, and a snapshot."""
    t.require(s.stage[worker] == Stage.IDLE, s.place[job] == Place.READY)
    token = s.token[job] if s.has(REUSED_TOKEN) else s.token[job] + 1
    t.place[job] = Place.UNACKED
    t.delivered[job] = s.delivered[job] + 1
    t.token[job] = token
    t.stage[worker] = Stage.PLANNING
    t.job[worker] = job
    t.held_token[worker] = token
    t.seen_allocs[worker] = s.allocs
    t.seen_up[worker] = s.up


@rule(
    "Core!Schedule",
    fair=weak("worker"),
    worker=Core.workers,
    job=Core.jobs,
    to=Map(Core.placements, opt(Core.nodes)),
)
def schedule(s: Core, t: Core, worker: Id, job: Id, to: Value) -> None:
    """A worker submits any maximal fit: where each missing allocation goes, NONE when no node has room."""
    t.require(s.stage[worker] == Stage.PLANNING)
    t.require(s.job[worker] == job)
    allocs, up = s.seen_allocs[worker], s.seen_up[worker]

    def is_missing(i: Id) -> Flag:
        return not_(all_of(allocs[job, i] != NONE, up[allocs[job, i]]))

    def stays_on(n: Id) -> int:
        others = (
            all_of(allocs[k, i] == n, any_of(k != job, not_(is_missing(i))))
            for k in s.jobs
            for i in s.placements
        )
        return count(others)

    def room(n: Id) -> Value:
        return ite(up[n], s.cap - stays_on(n), 0)

    def coming(n: Id) -> int:
        return count(to[i] == n for i in s.placements)

    is_short = exists(all_of(is_missing(i), to[i] == NONE) for i in s.placements)
    t.require(for_all(any_of(is_missing(i), to[i] == NONE) for i in s.placements))
    t.require(for_all(coming(n) <= room(n) for n in s.nodes))
    t.require(for_all(implies(is_short, coming(n) >= room(n)) for n in s.nodes))
    t.stage[worker] = Stage.WAITING
    t.seen_allocs[worker] = NONE
    t.seen_up[worker] = False
    for i in s.placements:
        t.plan[worker, i] = ite(is_missing(i), to[i], SKIP)
    t.plans.push(worker)


@rule("Core!Apply", "PLAN-46", actor="applier", fair=weak(), worker=Core.workers, job=Core.jobs)
def apply_plan(s: Core, t: Core, worker: Id, job: Id) -> None:
    """The applier takes the first plan and commits what still fits, node by node."""
    t.require(s.plans.head(worker), s.job[worker] == job)
    plan = s.plan[worker]
    is_valid = holds_token(s, worker, job)

    def is_planned(i: Id) -> Value:
        return plan[i] != SKIP

    def leaving(n: Id) -> int:
        return count(all_of(s.allocs[job, i] == n, is_planned(i)) for i in s.placements)

    def coming(n: Id) -> int:
        return count(plan[i] == n for i in s.placements)

    def fits(n: Id) -> Flag:
        has_room = any_of(s.has(UNCHECKED_CAPACITY), s.used[n] - leaving(n) + coming(n) <= s.cap)
        return all_of(s.up[n], has_room)

    def is_committed(i: Id) -> Flag:
        return all_of(plan[i] >= 0, fits(plan[i]))

    is_whole = for_all(implies(plan[i] >= 0, is_committed(i)) for i in s.placements)
    is_short = exists(plan[i] == NONE for i in s.placements)
    for i in s.placements:
        t.when(all_of(is_valid, is_planned(i))).allocs[job, i] = ite(is_committed(i), plan[i], NONE)
    t.stage[worker] = ite(
        all_of(is_valid, is_whole), ite(is_short, Stage.UNPLACED, Stage.PLACED), Stage.REJECTED
    )
    t.plan[worker] = SKIP
    t.plans.pop(worker)


@rule("Core!Ack", "BROKER-35", fair=weak("worker"), worker=Core.workers, job=Core.jobs)
def ack(s: Core, t: Core, worker: Id, job: Id) -> None:
    """A worker whose plan was applied writes the outcome; a stale token changes nothing."""
    t.require(one_of(s.stage[worker], Stage.PLACED, Stage.UNPLACED), s.job[worker] == job)
    valid = t.when(holds_token(s, worker, job))
    valid.place[job] = Place.OUT
    valid.status[job] = ite(s.stage[worker] == Stage.PLACED, Status.COMPLETE, Status.BLOCKED)
    release(t, worker)


@rule("Core!Nack", "BROKER-40", fair=weak("worker"), worker=Core.workers, job=Core.jobs)
def nack(s: Core, t: Core, worker: Id, job: Id) -> None:
    """A worker whose plan was rejected gives the evaluation back."""
    t.require(s.stage[worker] == Stage.REJECTED, s.job[worker] == job)
    redeliver(s, t.when(holds_token(s, worker, job)), job)
    release(t, worker)


@rule("Core!NackTimeout", "BROKER-32", actor="broker", job=Core.jobs)
def expire_delivery(s: Core, t: Core, job: Id) -> None:
    """The broker takes back an evaluation that nobody answered for in time."""
    t.require(s.place[job] == Place.UNACKED)
    redeliver(s, t, job)


@rule("Core!Flip", spends=Core.flipped, node=Core.nodes)
def flip_node(s: Core, t: Core, node: Id) -> None:
    """A node goes down or comes back; a job that this concerns is evaluated again."""
    t.up[node] = not_(s.up[node])
    for job in s.jobs:
        has_lost = all_of(s.up[node], exists(s.allocs[job, i] == node for i in s.placements))
        may_fit = all_of(not_(s.up[node]), s.status[job] == Status.BLOCKED)
        again = t.when(all_of(any_of(has_lost, may_fit), s.place[job] == Place.OUT))
        again.status[job] = Status.PENDING
        again.place[job] = Place.READY
        again.delivered[job] = 0


def is_at_rest(s: Core) -> Flag:
    """True while the broker holds no evaluation and every worker is idle."""
    return all_of(
        for_all(s.place[job] == Place.OUT for job in s.jobs),
        for_all(s.stage[worker] == Stage.IDLE for worker in s.workers),
    )


CORE = Model(
    name="core",
    about="the benchmark protocol: broker, workers with snapshots, serial applier with partial commit",
    world=Core,
    rules=(dequeue, schedule, apply_plan, ack, nack, expire_delivery, flip_node),
    is_at_rest=is_at_rest,
    scopes=(
        Scope("small", "nodes never fail", {"flips": 0}),
        Scope("flip", "one node goes down", {"flips": 1}),
        Scope("full", "nodes go down or come back twice, for measuring", {"flips": 2}),
        Scope("unchecked", "the applier does not look at capacity: must fail", {}, UNCHECKED_CAPACITY.id),
        Scope("reused", "a redelivery keeps its token: must fail", {}, REUSED_TOKEN.id),
    ),
)
