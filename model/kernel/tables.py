"""The kernel's world: what is replicated, what only the leader's memory holds, and what each worker knows.

There are no numeric indexes. What an index decides is kept as what it means: a worker's snapshot is a copy, a
token is valid while the worker holds its delivery, an unblock that a snapshot did not see is a flag. Records
of evaluations are numbered per job in the order in which they were made, and a number is not used again.
"""

from __future__ import annotations

from nomadspec.model.kernel.ids import (
    AllocNumber,
    EntryId,
    EvalNumber,
    JobId,
    NodeId,
    Placement,
    ServerId,
    Unit,
    WorkerId,
)
from nomadspec.model.kernel.statuses import AllocPhase, EntryStatus, EvalRecord, Kind, TriggeredBy
from nomadspec.model.language.typed import (
    FLAG,
    NONE,
    Field,
    Ids,
    Size,
    counter,
    feature,
    field,
    ids,
    index,
    opt,
    queue,
    size,
    upto,
)
from nomadspec.model.language.world import World


def spent(most: Size[int], about: str) -> Field[int, int]:
    """Declare a counter of what the environment has done, up to what the scope lets it do."""
    return field(counter(most), init=0, about=about, budget=True)


class Tables(World):
    """Jobs with their evaluations and allocations, nodes, workers, and the leader's memory."""

    jobs: Ids[JobId] = ids("job", 2, "jobs")
    nodes: Ids[NodeId] = ids("node", 2, "nodes, each a computed class of its own")
    workers: Ids[WorkerId] = ids("worker", 2, "scheduling workers")
    count = size(1, "allocations that a job wants")
    cap = size(1, "allocations that a node holds")
    evals = size(2, "evaluations that can be made for a job")
    eval_numbers: Ids[EvalNumber] = index(
        "eval", evals, "the evaluations of a job, in the order in which they were made"
    )
    allocations = size(2, "allocations that can be made for a job")
    allocs: Ids[AllocNumber] = index(
        "alloc", allocations, "the allocations of a job, in the order in which they were made"
    )
    placements: Ids[Placement] = index("placement", count, "the allocations that one plan can place")
    depth = size(0, "log entries that the applier has in flight; 0: it applies each plan in one step")
    entries: Ids[EntryId] = ids("entry", depth, "places for the applier's log entries in flight")
    deliveries = size(2, "how often an evaluation is delivered before it fails", least=1)
    attempts = size(2, "plans that a delivery may submit without progress", least=1)
    all_at_once = feature("every plan is committed as a whole or not at all", is_open=True)
    preempting = feature("a job may preempt allocations of jobs with a lower priority", is_open=True)
    several_preempted = feature("a plan may preempt several allocations")
    rejection_threshold = size(0, "plan rejections after which a node is ineligible; 0: nobody counts")

    batch_attempts = size(
        1,
        "plans that a delivery of a batch or sysbatch job may submit without progress; no more than attempts",
        least=1,
    )
    priorities = size(0, "priorities above the lowest that a job can have")
    kinds: Size[Kind] = size(
        0,
        "0: service jobs only; 1: service and batch jobs; 2: system jobs too; 3: all types; 4: core jobs too",
    )
    infeasibilities = feature("a job can be infeasible on some nodes", is_open=True)
    escapes = feature("a job can have constraints that no node class answers for", is_open=True)
    stale_server_count = size(
        0, "servers whose state is behind that of the leader, from which workers may plan"
    )
    # A set, not an option: several servers can be behind, each by other entries.
    stale_servers: Ids[ServerId] = ids("server", stale_server_count, "servers whose state is behind")
    in_place_updates = feature("some new versions of a job are in-place updates")
    plan_statuses = feature(
        "plans write client statuses: that an allocation is unknown, or has ended; with in-place updates"
    )
    extra_ask = size(0, "units of room that a job updated in place can need beside the first")
    # A set, not an option: an allocation can need several units, and totals count cells one by one.
    extras: Ids[Unit] = index("unit", extra_ask, "units of room beside the first")
    initializations = feature("a node that reconnects or registers again is initializing first", is_open=True)

    requests = size(0, "evaluations that an operator asks for, with a priority of their own")
    errors = size(0, "deliveries that a worker gives back because of an error")
    timeouts = size(0, "deliveries that nobody answers for in time")
    updates = size(0, "new versions of jobs")
    stops = size(0, "jobs that are stopped")
    purges = size(0, "jobs that are purged")
    node_changes = size(0, "nodes that go down, come back or change their eligibility")
    disconnects = size(0, "nodes that are disconnected for a while")
    reports = size(0, "allocations that fail or complete by themselves")
    endings = feature(
        "clients report the end of allocations that were told to stop", default=True, is_open=True
    )
    returns = size(0, "jobs that are registered again after a stop or a purge")
    migrations = size(0, "drained nodes, and allocations that an operator stops")
    external_triggers = size(0, "external events that do nothing but make an evaluation")
    unhandled_triggers = size(0, "evaluations whose trigger their scheduler does not handle")
    core_evals = size(0, "core evaluations that the leader makes beside the first")
    deployments = feature("jobs have deployments", is_open=True)
    deployment_changes = size(0, "deployments that an operator pauses, resumes or fails")
    elections = size(0, "leaders that are lost")
    pauses = size(0, "times that the broker is paused")
    failed_entries = size(0, "log entries that fail")
    gc_deletions = size(0, "records that are collected")

    # replicated
    priority = field(jobs, upto(priorities), init=0, about="priority of the job, the lowest is 0")
    kind = field(jobs, upto(kinds, Kind), init=Kind.SERVICE, about="type of the job")
    infeasible = field(
        jobs, nodes, FLAG, init=False, about="the job is infeasible on the node", on=infeasibilities
    )
    escaped = field(jobs, FLAG, init=False, about="no node class answers for the job", on=escapes)
    paused = field(FLAG, init=False, about="the operator has paused the broker")
    eval_record = field(
        jobs, eval_numbers, EvalRecord, init=EvalRecord.ABSENT, about="status of the evaluation"
    )
    triggered_by = field(
        jobs, eval_numbers, TriggeredBy, init=TriggeredBy.EVENT, about="why the evaluation was made"
    )
    at = field(jobs, eval_numbers, opt(nodes), init=NONE, about="node that the system evaluation is for")
    eval_priority = field(jobs, eval_numbers, upto(priorities), init=0, about="priority of the evaluation")
    made = field(jobs, counter(eval_numbers), init=0, about="evaluations made for the job", budget=True)
    alloc_phase = field(jobs, allocs, AllocPhase, init=AllocPhase.ABSENT, about="state of the allocation")
    alloc_made = field(jobs, counter(allocs), init=0, about="allocations made for the job", budget=True)
    is_reported = field(jobs, allocs, FLAG, init=False, about="its client has said that it ended")
    disconnected = field(nodes, FLAG, init=False, about="the node is disconnected, rather than down")
    draining = field(nodes, FLAG, init=False, about="what is on the node has to leave it", on=migrations)

    # the leader's memory
    leading = field(FLAG, init=True, about="there is a leader")
    reaping = field(FLAG, init=True, about="the reaper of failed evaluations runs")
    owed = field(jobs, FLAG, init=False, about="a handler still has to write an evaluation for a node event")
    eligible_for_gc = field(jobs, FLAG, init=False, about="garbage collection has found that the job may go")

    # the applier
    has_snap = field(FLAG, init=False, about="the applier keeps a snapshot of its own")
    is_snapshot_outdated = field(
        FLAG, init=False, about="an entry seen to be committed is newer than its snapshot"
    )
    has_seen_commit = field(FLAG, init=False, about="it has seen a commit since the last plan")
    plan_rejections = field(
        nodes, upto(rejection_threshold), init=0, about="plan rejections that count against the node"
    )
    entry_status = field(entries, EntryStatus, init=EntryStatus.FREE, about="what became of the entry")
    in_flight = queue(entries, "entries in flight, in the order of their commit")
    ended = queue(entries, "entries whose end the applier has still to see, in order")

    # servers that are behind
    stale_usable = field(
        stale_servers, jobs, FLAG, init=False, about="no evaluation of the job was written since"
    )
    stale_unseen_unblock = field(
        stale_servers, jobs, FLAG, init=False, about="an unblock for the job came since"
    )

    # workers
    plans = queue(workers, "the plan queue: whose plan is next")
    higher_priority_plans = queue(workers, "the same for plans of a higher priority, which go first")

    # what the environment has done
    requested = spent(requests, "evaluations asked for so far")
    erred = spent(errors, "errors of workers so far")
    timed_out = spent(timeouts, "deliveries that timed out so far")
    updated = spent(updates, "versions registered so far")
    stopped = spent(stops, "jobs stopped so far")
    purged = spent(purges, "jobs purged so far")
    node_changed = spent(node_changes, "node events so far")
    disconnects_made = spent(disconnects, "nodes disconnected so far")
    reported = spent(reports, "allocations that ended so far")
    returned = spent(returns, "registrations after an end so far")
    migrations_made = spent(migrations, "drains and stops of allocations so far")
    unhandled_triggers_made = spent(unhandled_triggers, "evaluations with an unhandled trigger so far")
    core_evals_made = spent(core_evals, "core evaluations so far")
    external_triggers_made = spent(external_triggers, "external events so far")
    deployment_changes_made = spent(deployment_changes, "deployments paused, resumed or failed so far")
    elected = spent(elections, "leaders lost so far")
    pauses_made = spent(pauses, "pauses so far")
    entries_failed = spent(failed_entries, "log entries that failed so far")
    gc_deletions_made = spent(gc_deletions, "records collected so far")


# What columns are about, as columns.py and records.py name it.
JOBS, NODES, WORKERS = Tables.jobs, Tables.nodes, Tables.workers
EVALS, ALLOCS, PLACEMENTS = Tables.eval_numbers, Tables.allocs, Tables.placements
