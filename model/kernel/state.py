"""The kernel's world: what is replicated, what only the leader's memory holds, and what each worker knows.

There are no numeric indexes. What an index decides is kept as what it means: a worker's snapshot is a copy, a
token is valid while the worker holds its delivery, an unblock that a snapshot did not see is a flag. Records
of evaluations are numbered per job in the order in which they were made, and a number is not used again.
"""

from enum import IntEnum

from nomadspec.model.domain import FLAG, NONE, counter, opt, upto
from nomadspec.model.world import World, field, ids, index, queue, size, tally


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


class Kind(IntEnum):
    """The type of a job, which says by which scheduler it is planned."""

    SERVICE = 0
    BATCH = 1
    SYSTEM = 2
    SYSBATCH = 3
    CORE = 4


class Cause(IntEnum):
    """Why an evaluation was made, as far as that decides anything later."""

    EVENT = 0
    UNPLACED = 1
    ATTEMPTS = 2
    FOLLOW_UP = 3
    DEADLINE = 4
    MISFIT = 5


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
    CAPTURED = 1
    ESCAPED = 2


class AllocPhase(IntEnum):
    """What the store knows of an allocation: none yet, live, how it ended, or that it was deleted."""

    ABSENT = 0
    LIVE = 1
    STOPPED = 2
    FAILED = 3
    LOST = 4
    COMPLETE = 5
    UNKNOWN = 6
    GONE = 7


class Health(IntEnum):
    """What a client has said of the health of an allocation of a deployment."""

    UNSET = 0
    HEALTHY = 1
    UNHEALTHY = 2


class Rollout(IntEnum):
    """What the store knows of the current deployment of a job: none, or one of the five statuses."""

    ABSENT = 0
    RUNNING = 1
    PAUSED = 2
    SUCCESSFUL = 3
    FAILED = 4
    CANCELLED = 5


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
    STRAY = 4


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
    deliveries = size(2, "how often an evaluation is delivered before it fails", least=1)
    attempts = size(2, "plans that a delivery may submit without progress", least=1)
    gangs = size(0, "1: every plan is committed as a whole or not at all")
    preempting = size(0, "1: a job may drive out allocations of jobs with a lower priority")
    strikes = size(0, "refused plans after which a node is no longer eligible; 0: nobody counts")

    batch_attempts = size(1, "as attempts, for batch and sysbatch jobs; no more than those", least=1)
    urgency = size(0, "priorities above the lowest that a job can have")
    kinds = size(0, "0: service jobs only; 1: batch too; 2: system too; 3: sysbatch too; 4: core jobs too")
    bars = size(0, "1: a job can be infeasible on some nodes")
    escapes = size(0, "1: a job can have constraints that no node class answers for")
    lag = size(0, "servers whose state is behind that of the leader, from which workers may plan")
    followers = ids("follower", lag, "servers whose state is behind")
    amends = size(0, "1: some new versions of a job are taken over in place")
    takeovers = index("takeover", amends, "there is one where versions can be taken over in place")
    growth = size(0, "units of room that an amended job can need beside the first")
    extras = index("unit", growth, "units of room beside the first")
    boots = size(0, "1: a node that is heard of again is not ready at once")

    requests = size(0, "evaluations that an operator asks for, with a priority of their own")
    errors = size(0, "deliveries that a worker gives back because of an error")
    timeouts = size(0, "deliveries that nobody answers for in time")
    updates = size(0, "new versions of jobs")
    stops = size(0, "jobs that are stopped")
    purges = size(0, "jobs that are purged")
    node_changes = size(0, "nodes that go down, come back or change their eligibility")
    silences = size(0, "nodes that are disconnected for a while")
    reports = size(0, "allocations that fail or complete by themselves")
    endings = size(1, "1: clients report the end of allocations that were told to stop")
    returns = size(0, "jobs that are registered again after a stop or a purge")
    moves = size(0, "drained nodes, and allocations that an operator stops")
    occasions = size(0, "outside events that do nothing but make an evaluation")
    misfits = size(0, "evaluations whose trigger their scheduler does not handle")
    chores = size(0, "core evaluations that the leader makes beside the first")
    rollouts = size(0, "deployments that can be made; 0: jobs have none")
    steers = size(0, "deployments that an operator pauses, resumes or fails")
    elections = size(0, "leaders that are lost")
    pauses = size(0, "times that the broker is paused")
    failed_entries = size(0, "log entries that fail")
    collections = size(0, "records that are collected")

    # replicated
    urgent = field(jobs, upto(urgency), init=0, about="priority of the job, the lowest is 0")
    kind = field(jobs, upto(kinds), init=0, about="type of the job")
    barred = field(jobs, nodes, upto(bars), init=0, about="1 where the job is infeasible on the node")
    escaped = field(jobs, upto(escapes), init=0, about="1 where no node class answers for the job")
    paused = field(FLAG, init=False, about="the operator has paused the broker")
    job_phase = field(jobs, JobPhase, init=JobPhase.WANTED, about="whether the job is wanted")
    job_version = field(jobs, counter(updates), init=0, about="version of the job")
    job_base = field(jobs, takeovers, counter(updates), init=0, about="version from which it goes in place")
    job_bulk = field(jobs, upto(growth), init=0, about="units that an instance needs beside the first")
    record = field(jobs, eval_numbers, Record, init=Record.ABSENT, about="status of the evaluation")
    cause = field(jobs, eval_numbers, Cause, init=Cause.EVENT, about="why the evaluation was made")
    at = field(jobs, eval_numbers, opt(nodes), init=NONE, about="node that the system evaluation is for")
    rank = field(jobs, eval_numbers, upto(urgency), init=0, about="priority of the evaluation")
    made = field(jobs, counter(evals), init=0, about="evaluations made for the job", budget=True)
    alloc_phase = field(jobs, allocs, AllocPhase, init=AllocPhase.ABSENT, about="state of the allocation")
    alloc_version = field(jobs, allocs, counter(updates), init=0, about="job version of the allocation")
    alloc_made = field(jobs, counter(spares), init=0, about="allocations made for the job", budget=True)
    occupies = field(jobs, allocs, opt(nodes), init=NONE, about="node whose capacity the allocation takes")
    extra_at = field(jobs, allocs, extras, opt(nodes), init=NONE, about="node of which it takes more")
    leaving = field(jobs, allocs, upto(moves), init=0, about="1: the allocation is to move")
    is_reported = field(jobs, allocs, FLAG, init=False, about="its client has said that it ended")
    deadline = field(jobs, allocs, opt(eval_numbers), init=NONE, about="follow-up of the unknown allocation")
    is_late = field(jobs, allocs, upto(silences), init=0, about="1: the unknown allocation's time is up")
    health = field(jobs, allocs, Health, init=Health.UNSET, about="health of the allocation")
    in_rollout = field(jobs, allocs, FLAG, init=False, about="it belongs to the current deployment")
    rollout = field(jobs, Rollout, init=Rollout.ABSENT, about="status of the current deployment")
    rollout_version = field(jobs, counter(updates * rollouts), init=0, about="job version that it rolls out")
    placed = field(jobs, counter(spares * rollouts), init=0, about="allocations that were placed for it")
    healthy = field(
        jobs, counter(spares * rollouts, steers * rollouts), init=0, about="allocations counted as healthy"
    )
    unhealthy = field(
        jobs, counter(spares * rollouts + steers * rollouts), init=0, about="allocations counted as unhealthy"
    )
    node_up = field(nodes, FLAG, init=True, about="the node is ready")
    eligible = field(nodes, FLAG, init=True, about="the node may be given more")
    silent = field(nodes, FLAG, init=False, about="the node is disconnected, rather than down")
    starting = field(nodes, upto(boots), init=0, about="1: the node is initializing, rather than down")
    draining = field(nodes, upto(moves), init=0, about="1: what is on the node has to leave it")

    # the leader's memory
    leading = field(FLAG, init=True, about="there is a leader")
    reaping = field(FLAG, init=True, about="the reaper of failed evaluations runs")
    place = field(jobs, eval_numbers, Place, init=Place.OUT, about="where the broker has the evaluation")
    delivered = field(jobs, eval_numbers, upto(deliveries), init=0, about="deliveries in this stay")
    superseded = field(jobs, eval_numbers, FLAG, init=False, about="in the broker's list to cancel")
    arriving = field(jobs, eval_numbers, upto(evals), init=0, about="its turn among those the tracker gets")
    missed = field(jobs, eval_numbers, FLAG, init=False, about="an unblock came after what it was planned on")
    tracking = field(jobs, eval_numbers, Tracking, init=Tracking.OUT, about="where the tracker has it")
    by_node = field(jobs, eval_numbers, FLAG, init=False, about="the tracker has it under its node as well")
    duplicate = field(jobs, eval_numbers, FLAG, init=False, about="in the tracker's list to cancel")
    owed = field(jobs, FLAG, init=False, about="a handler still has to write an evaluation for a node event")
    is_news = field(jobs, FLAG, init=False, about="the watcher has seen health that no evaluation covers")
    is_drafted = field(jobs, FLAG, init=False, about="a scheduler has read the deployment for its plan")
    draft = field(jobs, Rollout, init=Rollout.ABSENT, about="status of the deployment that was read")
    draft_version = field(jobs, counter(updates * rollouts), init=0, about="job version that was read")
    doomed = field(jobs, FLAG, init=False, about="a collector has found that the job may go")

    # the applier
    has_snap = field(FLAG, init=False, about="the applier keeps a snapshot of its own")
    is_outrun = field(FLAG, init=False, about="an entry seen to be committed is newer than its snapshot")
    has_news = field(FLAG, init=False, about="it has seen a commit since the last plan")
    refused = field(nodes, upto(strikes), init=0, about="refused plans that speak against the node")
    snap_phase = field(jobs, JobPhase, init=JobPhase.ABSENT, about="jobs in the applier's snapshot")
    snap_knows = field(
        jobs, eval_numbers, FLAG, init=False, about="evaluations that the applier's snapshot has"
    )
    snap_lacks = field(jobs, allocs, FLAG, init=False, about="dispatched, yet not in the applier's snapshot")
    snap_occupies = field(
        jobs, allocs, opt(nodes), init=NONE, about="capacity taken in the applier's snapshot"
    )
    snap_extra = field(jobs, allocs, extras, opt(nodes), init=NONE, about="more that is taken there")
    snap_up = field(nodes, FLAG, init=False, about="nodes that are ready in the applier's snapshot")
    snap_open = field(nodes, FLAG, init=False, about="nodes that are eligible in the applier's snapshot")
    snap_lead = field(Lead, init=Lead.BEHIND, about="index of the applier's snapshot against the store's")
    flight = field(flights, Flight, init=Flight.FREE, about="what became of the entry")
    flight_job = field(flights, opt(jobs), init=NONE, about="job of the plan in the entry")
    flight_worker = field(flights, opt(workers), init=NONE, about="who waits for the answer")
    flight_to = field(flights, slots, opt(nodes), init=NONE, about="placements in the entry")
    flight_alloc = field(flights, slots, opt(allocs), init=NONE, about="allocations that the placements make")
    flight_stops = field(flights, allocs, FLAG, init=False, about="allocations that the entry stops")
    flight_keeps = field(
        flights, allocs, takeovers, opt(nodes), init=NONE, about="where the entry updates allocations"
    )
    flight_bulk = field(flights, upto(growth), init=0, about="units of its instances beside the first")
    flight_foe = field(flights, opt(jobs), init=NONE, about="job of an allocation that the entry drives out")
    flight_victim = field(flights, opt(allocs), init=NONE, about="the allocation that the entry drives out")
    flight_marks = field(flights, nodes, FLAG, init=False, about="nodes that the entry makes ineligible")
    flight_version = field(flights, counter(updates), init=0, about="job version in the entry")
    under_way = queue(flights, "entries under way, in the order of their commit")
    ended = queue(flights, "entries whose end the applier has still to see, in order")

    # servers that are behind
    old_phase = field(followers, jobs, JobPhase, init=JobPhase.WANTED, about="the job there")
    old_version = field(followers, jobs, counter(updates), init=0, about="version of the job there")
    old_occupies = field(followers, jobs, allocs, opt(nodes), init=NONE, about="capacity taken there")
    old_base = field(followers, jobs, takeovers, counter(updates), init=0, about="as job_base, there")
    old_bulk = field(followers, jobs, upto(growth), init=0, about="as job_bulk, there")
    old_extra = field(followers, jobs, allocs, extras, opt(nodes), init=NONE, about="more taken there")
    old_leaving = field(followers, jobs, allocs, upto(moves), init=0, about="what is to move there")
    old_starting = field(followers, nodes, upto(boots), init=0, about="nodes that are initializing there")
    old_versions = field(followers, jobs, allocs, counter(updates), init=0, about="versions there")
    old_up = field(followers, nodes, FLAG, init=True, about="nodes that are ready there")
    old_open = field(followers, nodes, FLAG, init=True, about="nodes that are eligible there")
    old_usable = field(followers, jobs, FLAG, init=False, about="no evaluation of the job was written since")
    old_unseen = field(followers, jobs, FLAG, init=False, about="an unblock for the job came since")

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
    seen_base = field(workers, takeovers, counter(updates), init=0, about="version that goes in place")
    seen_bulk = field(workers, upto(growth), init=0, about="units of an instance beside the first")
    seen_extra = field(workers, jobs, allocs, extras, opt(nodes), init=NONE, about="more taken in it")
    seen_leaving = field(workers, allocs, upto(moves), init=0, about="which are to move in it")
    seen_starting = field(workers, nodes, upto(boots), init=0, about="nodes that are initializing in it")
    seen_versions = field(
        workers, allocs, counter(updates), init=0, about="versions of the job's allocations"
    )
    seen_up = field(workers, nodes, FLAG, init=False, about="nodes that are ready in its snapshot")
    seen_open = field(workers, nodes, FLAG, init=False, about="nodes that are eligible in its snapshot")
    seen_away = field(
        workers, allocs, upto(3), init=0, about="1: its node fell silent; 2: unknown, in time; 3: complete"
    )
    plan_to = field(workers, slots, opt(nodes), init=NONE, about="where its plan places instances")
    plan_stops = field(workers, allocs, FLAG, init=False, about="which allocations its plan stops")
    plan_keeps = field(
        workers, allocs, takeovers, opt(nodes), init=NONE, about="where its plan updates allocations"
    )
    plan_bulk = field(workers, upto(growth), init=0, about="units of its instances beside the first")
    marking = field(workers, upto(evals * silences), init=0, about="its follow-up of this attempt, plus 1")
    plan_foe = field(workers, opt(jobs), init=NONE, about="job of an allocation that its plan drives out")
    plan_victim = field(workers, opt(allocs), init=NONE, about="the allocation that its plan drives out")
    plan_marks = field(workers, nodes, FLAG, init=False, about="nodes that its plan makes ineligible")
    is_partial = field(workers, FLAG, init=False, about="some node of its plan was refused")
    is_newer = field(workers, FLAG, init=False, about="its snapshot is newer than the applier's")
    awaits = field(workers, FLAG, init=False, about="the state that it is to plan on again is yet to come")
    plan_version = field(workers, counter(updates), init=0, about="job version that its plan carries")
    plans = queue(workers, "the plan queue: whose plan is next")
    urgent_plans = queue(workers, "the same for plans of a higher priority, which go first")

    # what the environment has done
    requested = field(counter(requests), init=0, about="evaluations asked for so far", budget=True)
    erred = field(counter(errors), init=0, about="errors of workers so far", budget=True)
    timed_out = field(counter(timeouts), init=0, about="deliveries that timed out so far", budget=True)
    updated = field(counter(updates), init=0, about="versions registered so far", budget=True)
    stopped = field(counter(stops), init=0, about="jobs stopped so far", budget=True)
    purged = field(counter(purges), init=0, about="jobs purged so far", budget=True)
    node_changed = field(counter(node_changes), init=0, about="node events so far", budget=True)
    silenced = field(counter(silences), init=0, about="nodes disconnected so far", budget=True)
    reported = field(counter(reports), init=0, about="allocations that ended so far", budget=True)
    returned = field(counter(returns), init=0, about="registrations after an end so far", budget=True)
    moved = field(counter(moves), init=0, about="drains and stops of allocations so far", budget=True)
    misfitted = field(counter(misfits), init=0, about="evaluations that do not fit so far", budget=True)
    chored = field(counter(chores), init=0, about="core evaluations so far", budget=True)
    happened = field(counter(occasions), init=0, about="outside events so far", budget=True)
    rolled = field(counter(rollouts), init=0, about="deployments made so far", budget=True)
    steered = field(counter(steers), init=0, about="deployments steered so far", budget=True)
    elected = field(counter(elections), init=0, about="leaders lost so far", budget=True)
    pauses_made = field(counter(pauses), init=0, about="pauses so far", budget=True)
    crashed = field(counter(failed_entries), init=0, about="log entries that failed so far", budget=True)
    collected = field(counter(collections), init=0, about="records collected so far", budget=True)

    used = tally(occupies, "instances that a node holds")
    used_more = tally(extra_at, "units that they take beside the first")
    snap_used = tally(snap_occupies, "instances that a node holds in the applier's snapshot")
    snap_used_more = tally(snap_extra, "units that they take there beside the first")
