"""Counts of a job's allocations and children, kept beside the job."""

from collections.abc import Mapping

from msgspec import Struct

from nomadspec.model.cluster.entities.scalar import Uint64


class TaskGroupSummary(Struct, frozen=True, kw_only=True):
    """How many allocations of a group are in which state."""

    queued: int = 0
    complete: int = 0
    failed: int = 0
    running: int = 0
    starting: int = 0
    lost: int = 0
    unknown: int = 0


class JobChildrenSummary(Struct, frozen=True, kw_only=True):
    """How many children of a job are in which status."""

    pending: int = 0
    running: int = 0
    dead: int = 0


class JobSummary(Struct, frozen=True, kw_only=True):
    """The counts of one job."""

    job_id: str = ""
    namespace: str = ""
    summary: Mapping[str, TaskGroupSummary] = {}
    children: JobChildrenSummary | None = None
    create_index: Uint64 = 0
    modify_index: Uint64 = 0
