"""The records of the kernel: what is replicated is copied whole, by the applier, workers, stale servers.

A column that is added here is copied wherever the record is.
"""

from typing import Final

from nomadspec.model.kernel.columns import JobColumns, JobStatus
from nomadspec.model.kernel.statuses import (
    DeploymentPart,
    DeploymentPhase,
    DisconnectPhase,
    PlannedStatus,
    SnapshotIndex,
)
from nomadspec.model.kernel.tables import ALLOCS, EVALS, JOBS, NODES, PLACEMENTS, WORKERS, Tables
from nomadspec.model.language.record import Record
from nomadspec.model.language.typed import FLAG, NONE, counter, field, opt, record, tally, upto


class CapacityColumns:
    """What plans are judged by: which capacity is taken, and which nodes can be used."""

    occupies = field(JOBS, ALLOCS, opt(NODES), init=NONE, about="node whose capacity the allocation takes")
    extra_at = field(JOBS, ALLOCS, Tables.extras, opt(NODES), init=NONE, about="node of which it takes more")
    node_up = field(NODES, FLAG, init=True, about="the node is ready")
    eligible = field(NODES, FLAG, init=True, about="the node may be given more")
    used = tally(occupies, "allocations that a node holds")
    used_more = tally(extra_at, "units that they take beside the first")


class Capacity(CapacityColumns, Record):
    """The columns of capacity as a record, which is copied and compared as a whole."""


class AppliedState(JobStatus, Capacity):
    """The applier's snapshot, which shows what entries in flight will do."""

    knows = field(JOBS, EVALS, FLAG, init=False, about="it has the evaluation")
    lacks = field(JOBS, ALLOCS, FLAG, init=False, about="it does not have what was dispatched")
    has_ended = field(
        JOBS,
        ALLOCS,
        FLAG,
        init=False,
        about="the client of the allocation has said that it ended",
        on=Tables.in_place_updates,
    )
    disconnected = field(
        NODES, FLAG, init=False, about="the node is disconnected, rather than down", on=Tables.plan_statuses
    )
    index = field(SnapshotIndex, init=SnapshotIndex.BEHIND, about="its index against the store's")


class NodeColumns:
    """What a scheduler reads of a node beside its capacity."""

    initializing = field(
        NODES, FLAG, init=False, about="the node is initializing, rather than down", on=Tables.initializations
    )


class ClusterView(NodeColumns, Capacity):
    """What a scheduler reads of all jobs and nodes."""


class StoredJob(JobColumns, Record, of_one=JOBS):
    """What a scheduler reads of a job, its allocations and its deployment, as the store has it."""


class SchedulerColumns(JobColumns):
    """What a scheduler reads of a job, its allocations and its deployment."""

    disconnect_phase = field(
        JOBS,
        ALLOCS,
        DisconnectPhase,
        init=DisconnectPhase.NEITHER,
        about="how far the scheduler has to do with a disconnected node",
    )


class JobView(SchedulerColumns, Record, of_one=JOBS):
    """What a scheduler reads of the job that it plans for, and of its allocations."""


class ServerState(SchedulerColumns, ClusterView):
    """What a server has applied, as far as schedulers read it."""


class Snapshot(JobView, ClusterView):
    """What a worker plans by: of its own job more than of the others."""


class PlannedDeployment(Record):
    """The deployment for which a plan places, as its scheduler has it, and what the plan has of it."""

    part = field(DeploymentPart, init=DeploymentPart.NOTHING, about="what of it the plan has")
    status = field(DeploymentPhase, init=DeploymentPhase.ABSENT, about="its status")
    status_update = field(
        DeploymentPhase, init=DeploymentPhase.ABSENT, about="status update, to which the plan ends it"
    )
    version = field(counter(Tables.updates), init=0, about="job version that it deploys")


NO_DEPLOYMENT: Final = PlannedDeployment(
    part=DeploymentPart.NOTHING,
    status=DeploymentPhase.ABSENT,
    status_update=DeploymentPhase.ABSENT,
    version=0,
)
"""What a plan has that places for no deployment."""


class Plan(Record):
    """What a scheduler has come to, and the applier commits."""

    to = field(PLACEMENTS, opt(NODES), init=NONE, about="where allocations are placed")
    stops = field(ALLOCS, opt(NODES), init=NONE, about="where allocations are stopped")
    keeps = field(
        ALLOCS,
        opt(NODES),
        init=NONE,
        about="where allocations are updated in place",
        on=Tables.in_place_updates,
    )
    client_status = field(
        ALLOCS,
        PlannedStatus,
        init=PlannedStatus.AS_IT_IS,
        about="client status that it writes for an allocation that it keeps",
        on=Tables.plan_statuses,
    )
    follow_up = field(
        ALLOCS,
        opt(EVALS),
        init=NONE,
        about="evaluation for when the unknown allocation runs out of time",
        on=Tables.plan_statuses,
    )
    ask = field(upto(Tables.extras), init=0, about="units of its allocations beside the first")
    preempted = field(
        JOBS, ALLOCS, FLAG, init=False, about="the allocation is preempted", on=Tables.preempting
    )
    marks = field(
        NODES, FLAG, init=False, about="nodes that become ineligible", on=Tables.rejection_threshold
    )
    version = field(counter(Tables.updates), init=0, about="job version that it carries")
    deployment = record(PlannedDeployment, about="of the deployment", on=Tables.deployments)


class Entry(Plan):
    """A plan on its way through the log."""

    job = field(opt(JOBS), init=NONE, about="job of the plan")
    worker = field(opt(WORKERS), init=NONE, about="who waits for the answer")
    alloc = field(PLACEMENTS, opt(ALLOCS), init=NONE, about="allocations that the placements make")
