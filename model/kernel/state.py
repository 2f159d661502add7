"""The kernel's world: what is replicated, what only the leader's memory holds, and what each worker knows.

There are no numeric indexes. What an index decides is kept as what it means: a worker's snapshot is a copy, a
token is valid while the worker holds its delivery, an unblock that a snapshot did not see is a flag. Records
of evaluations are numbered per job in the order in which they were made, and a number is not used again.
"""

from enum import IntEnum

from nomadspec.model.domain import FLAG, NONE, counter, opt, upto
from nomadspec.model.world import World, field, ids, index, queue, size, total


class JobPhase(IntEnum):
    """What the store knows of a job."""

    ABSENT = 0
    WANTED = 1
    STOPPED = 2


class Record(IntEnum):
    """What the store knows of an evaluation: no record, or one of the five statuses."""

    ABSENT = 0
    PENDING = 1
    BLOCKED = 2
    COMPLETE = 3
    FAILED = 4
    CANCELED = 5


class Cause(IntEnum):
    """Why an evaluation was made, as far as that decides anything later."""

    EVENT = 0
    UNPLACED = 1
    ATTEMPTS = 2
    FOLLOW_UP = 3


class Place(IntEnum):
    """Where the broker has an evaluation."""

    OUT = 0
    READY = 1
    UNACKED = 2
    NACKED = 3
    BEHIND = 4
    WAITING = 5
    FAILED = 6


class Tracking(IntEnum):
    """Where the tracker of blocked evaluations has one."""

    OUT = 0
    ARRIVING = 1
    CAPTURED = 2
    ESCAPED = 3
    DUPLICATE = 4


class AllocPhase(IntEnum):
    """What the store knows of an allocation: none, live, or how it ended."""

    ABSENT = 0
    LIVE = 1
    STOPPED = 2
    FAILED = 3
    LOST = 4


class Stage(IntEnum):
    """What a worker is doing with its delivery."""

    IDLE = 0
    TAKEN = 1
    PLANNING = 2
    PLANNED = 3
    SUBMITTED = 4
    REFUSED = 5
    DECIDED = 6
    EXHAUSTED = 7
    ACKING = 8
    FAILING = 9
    JUDGED = 10
    FLYING = 11


class Flight(IntEnum):
    """What became of a log entry that the applier dispatched."""

    FREE = 0
    FLYING = 1
    LANDED = 2
    CRASHED = 3


class Lead(IntEnum):
    """How the index of the applier's snapshot compares with that of the store."""

    BEHIND = 0
    EVEN = 1
    AHEAD = 2


class Kernel(World):
    """Jobs with their evaluations and allocations, nodes, workers, and the leader's memory."""

    jobs = ids("job", 2, "jobs")
    nodes = ids("node", 2, "nodes, each a computed class of its own")
    workers = ids("worker", 2, "scheduling workers")
    count = size(1, "instances that a job wants")
    cap = size(1, "instances that a node holds")
    evals = size(2, "evaluations that can be made for a job")
    eval_numbers = index("eval", evals, "the evaluations of a job, in the order in which they were made")
    spares = size(2, "allocations that can be made for a job")
    allocs = index("alloc", spares, "the allocations of a job, in the order in which they were made")
    slots = index("slot", count, "the instances that one plan can place")
    depth = size(0, "log entries that the applier has under way; 0: it applies each plan in one step")
    flights = ids("flight", depth, "places for the applier's log entries under way")
    deliveries = size(2, "how often an evaluation is delivered before it fails")
    attempts = size(2, "plans that a delivery may submit without progress")

    timeouts = size(0, "deliveries that nobody answers for in time")
    updates = size(0, "new versions of jobs")
    stops = size(0, "jobs that are stopped")
    purges = size(0, "jobs that are purged")
    node_changes = size(0, "nodes that go down, come back or change their eligibility")
    reports = size(0, "allocations that fail on their node")
    elections = size(0, "leaders that are lost")
    pauses = size(0, "times that the broker is paused")
    failed_entries = size(0, "log entries that fail")
    collections = size(0, "records that are collected")

    # replicated
    job_phase = field(jobs, JobPhase, init=JobPhase.WANTED, about="whether the job is wanted")
    job_version = field(jobs, counter(updates), init=0, about="version of the job")
    record = field(jobs, eval_numbers, Record, init=Record.ABSENT, about="status of the evaluation")
    cause = field(jobs, eval_numbers, Cause, init=Cause.EVENT, about="why the evaluation was made")
    made = field(jobs, counter(evals), init=0, about="evaluations made for the job", budget=True)
    alloc_phase = field(jobs, allocs, AllocPhase, init=AllocPhase.ABSENT, about="state of the allocation")
    alloc_version = field(jobs, allocs, counter(updates), init=0, about="job version of the allocation")
    alloc_made = field(jobs, counter(spares), init=0, about="allocations made for the job", budget=True)
    occupies = field(jobs, allocs, opt(nodes), init=NONE, about="node whose capacity the allocation takes")
    node_up = field(nodes, FLAG, init=True, about="the node is ready")
    eligible = field(nodes, FLAG, init=True, about="the node may be given more")

    # the leader's memory
    leading = field(FLAG, init=True, about="there is a leader")
    paused = field(FLAG, init=False, about="the operator has paused the broker")
    place = field(jobs, eval_numbers, Place, init=Place.OUT, about="where the broker has the evaluation")
    delivered = field(jobs, eval_numbers, upto(deliveries), init=0, about="deliveries in this stay")
    superseded = field(jobs, eval_numbers, FLAG, init=False, about="in the broker's list to cancel")
    tracking = field(jobs, eval_numbers, Tracking, init=Tracking.OUT, about="where the tracker has it")
    missed = field(jobs, eval_numbers, FLAG, init=False, about="an unblock came after what it was planned on")
    owed = field(jobs, FLAG, init=False, about="a handler still has to write an evaluation for a node event")

    # the applier
    has_snap = field(FLAG, init=False, about="the applier keeps a snapshot of its own")
    snap_occupies = field(
        jobs, allocs, opt(nodes), init=NONE, about="capacity taken in the applier's snapshot"
    )
    snap_up = field(nodes, FLAG, init=False, about="nodes that are ready in the applier's snapshot")
    snap_open = field(nodes, FLAG, init=False, about="nodes that are eligible in the applier's snapshot")
    snap_lead = field(Lead, init=Lead.BEHIND, about="index of the applier's snapshot against the store's")
    flight = field(flights, Flight, init=Flight.FREE, about="what became of the entry")
    flight_job = field(flights, opt(jobs), init=NONE, about="job of the plan in the entry")
    flight_worker = field(flights, opt(workers), init=NONE, about="who waits for the answer")
    flight_to = field(flights, slots, opt(nodes), init=NONE, about="placements in the entry")
    flight_alloc = field(flights, slots, opt(allocs), init=NONE, about="allocations that the placements make")
    flight_stops = field(flights, allocs, FLAG, init=False, about="allocations that the entry stops")
    flight_version = field(flights, counter(updates), init=0, about="job version in the entry")
    under_way = queue(flights, "entries under way, in the order of their commit")

    # workers
    stage = field(workers, Stage, init=Stage.IDLE, about="what the worker is doing")
    job = field(workers, opt(jobs), init=NONE, about="job of its delivery")
    number = field(workers, opt(eval_numbers), init=NONE, about="which evaluation of the job")
    holds = field(workers, FLAG, init=False, about="its token is the valid one")
    was_blocked = field(workers, FLAG, init=False, about="the evaluation was blocked when it was delivered")
    requeued = field(
        workers, FLAG, init=False, about="the broker will take the evaluation again after the ack"
    )
    tries = field(workers, upto(attempts), init=0, about="plans without progress in this delivery")
    made_blocked = field(workers, FLAG, init=False, about="it has made a blocked evaluation")
    is_short = field(workers, FLAG, init=False, about="the last attempt could not place everything")
    unseen = field(workers, FLAG, init=False, about="an unblock came after its first snapshot")
    seen_phase = field(workers, JobPhase, init=JobPhase.ABSENT, about="the job in its snapshot")
    seen_version = field(workers, counter(updates), init=0, about="version of the job in its snapshot")
    seen_occupies = field(
        workers, jobs, allocs, opt(nodes), init=NONE, about="capacity taken in its snapshot"
    )
    seen_versions = field(
        workers, allocs, counter(updates), init=0, about="versions of the job's allocations"
    )
    seen_up = field(workers, nodes, FLAG, init=False, about="nodes that are ready in its snapshot")
    seen_open = field(workers, nodes, FLAG, init=False, about="nodes that are eligible in its snapshot")
    plan_to = field(workers, slots, opt(nodes), init=NONE, about="where its plan places instances")
    plan_stops = field(workers, allocs, FLAG, init=False, about="which allocations its plan stops")
    is_partial = field(workers, FLAG, init=False, about="some node of its plan was refused")
    is_newer = field(workers, FLAG, init=False, about="its snapshot is newer than the applier's")
    plan_version = field(workers, counter(updates), init=0, about="job version that its plan carries")
    plans = queue(workers, "the plan queue: whose plan is next")

    # what the environment has done
    timed_out = field(counter(timeouts), init=0, about="deliveries that timed out so far", budget=True)
    updated = field(counter(updates), init=0, about="versions registered so far", budget=True)
    stopped = field(counter(stops), init=0, about="jobs stopped so far", budget=True)
    purged = field(counter(purges), init=0, about="jobs purged so far", budget=True)
    node_changed = field(counter(node_changes), init=0, about="node events so far", budget=True)
    reported = field(counter(reports), init=0, about="failed allocations so far", budget=True)
    elected = field(counter(elections), init=0, about="leaders lost so far", budget=True)
    pauses_made = field(counter(pauses), init=0, about="pauses so far", budget=True)
    crashed = field(counter(failed_entries), init=0, about="log entries that failed so far", budget=True)
    collected = field(counter(collections), init=0, about="records collected so far", budget=True)

    used = total(occupies, "instances that a node holds")
