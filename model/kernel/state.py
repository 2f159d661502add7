"""The kernel's world: its tables, and what of them is copied as a whole."""

from nomadspec.model.kernel.columns import AllocRecord, Delivery, DeploymentColumns, EvalsInMemory, JobColumns
from nomadspec.model.kernel.records import (
    AppliedState,
    CapacityColumns,
    Entry,
    NodeColumns,
    Plan,
    ServerState,
    Snapshot,
)
from nomadspec.model.kernel.statuses import JobPhase
from nomadspec.model.kernel.tables import Tables
from nomadspec.model.language.typed import record

_UNKNOWN = {"node_up": False, "eligible": False, "job_phase": JobPhase.ABSENT}


class Kernel(
    CapacityColumns, Delivery, EvalsInMemory, DeploymentColumns, AllocRecord, JobColumns, NodeColumns, Tables
):
    """What there is, with the copies that the applier, workers and servers which are behind have of it."""

    snapshot = record(AppliedState, about="in the applier's snapshot", first=_UNKNOWN)
    entry = record(Entry, Tables.entries, about="in an entry in flight")
    stale = record(ServerState, Tables.stale_servers, about="on a server that is behind")
    seen = record(Snapshot, Tables.workers, about="in a worker's snapshot", first=_UNKNOWN)
    plan = record(Plan, Tables.workers, about="in a worker's plan")
