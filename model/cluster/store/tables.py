"""The tables of the state, and the secondary look-ups: each is declared here, and nowhere else.

A table is a name and a line in ``Rows``. States, drafts, the writing of its rows, rows of recordings and
dumps of clusters follow from what is said there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property
from operator import attrgetter
from typing import Annotated, Any, Final, Protocol, TypeAlias, get_args, get_type_hints

import msgspec
from rpds import HashTrieMap, HashTrieSet

from nomadspec.model.cluster.codec.spelling import spell
from nomadspec.model.cluster.entities import (
    Allocation,
    Deployment,
    Evaluation,
    Job,
    JobScalingEvents,
    JobSummary,
    Namespace,
    Node,
    NodePool,
    PeriodicLaunch,
    ScalingPolicy,
    SchedulerConfiguration,
)

NODES: Final = "nodes"
JOBS: Final = "jobs"
JOB_VERSIONS: Final = "job_version"
JOB_SUMMARIES: Final = "job_summary"
EVALS: Final = "evals"
ALLOCS: Final = "allocs"
DEPLOYMENTS: Final = "deployment"
NODE_POOLS: Final = "node_pools"
NAMESPACES: Final = "namespaces"
PERIODIC_LAUNCHES: Final = "periodic_launch"
SCALING_EVENTS: Final = "scaling_event"
SCALING_POLICIES: Final = "scaling_policy"
CONFIGURATION: Final = "scheduler_config"
"""Has rows but no entry in the index table."""

CSI_PLUGINS: Final = "csi_plugins"
"""Has an entry in the index table but no rows in this model."""

CONFIGURATION_KEY: Final = "config"
"""The key of the only row of its table."""

JobKey = tuple[str, str]
"""A namespace and the ID of a job in it."""

RowKey = str | JobKey | tuple[str, str, int]
"""The key of a row; a version of a job has three parts."""

Members: TypeAlias = "HashTrieSet[str]"
"""The IDs that a secondary look-up leads to."""


class Kept(Enum):
    """How the rows of a table are kept."""

    SINGLE = "each under its key"
    VERSIONS = "the versions of a job together, newest first"
    BY_WRITES = "as the writes of jobs leave them"
    ONLY = "there is one row"


@dataclass(frozen=True)
class Table:
    """A table: how recordings and dumps name it, how its rows are kept, and what they are."""

    name: str
    """Its name in the index table and in recordings."""
    by: tuple[str, ...]
    """The fields of a row that make its key, in order."""
    dump: str = ""
    """Its name in the dump of a cluster; dumps have no table without one."""
    kept: Kept = Kept.SINGLE
    attribute: str = ""
    """Where a state has it."""
    record: type[msgspec.Struct] = msgspec.Struct

    @cached_property
    def members(self) -> tuple[str, ...]:
        """The members of a row on the wire that make its key, in order."""
        return tuple(map(spell, self.by))

    @cached_property
    def key(self) -> Callable[[Any], Any]:
        """What computes the key of a row."""
        return attrgetter(*self.by) if self.by else lambda _: CONFIGURATION_KEY


@dataclass(frozen=True, slots=True)
class Lookup:
    """What leads to the rows of a table by something else than their key."""

    table: str
    key: Callable[[Any], Any]
    """Computes where a row is found; one without an answer is not found there."""
    attribute: str = ""
    """Where a state has it."""


class _OfAJob(Protocol):
    @property
    def namespace(self) -> str: ...
    @property
    def job_id(self) -> str: ...


def _by_job(row: _OfAJob) -> JobKey:
    return row.namespace, row.job_id


def _by_node(alloc: Allocation) -> str:
    return alloc.node_id


def _by_eval(alloc: Allocation) -> str:
    return alloc.eval_id


def _by_deployment(alloc: Allocation) -> str | None:
    return alloc.deployment_id or None


def _by_parent(job: Job) -> JobKey | None:
    return (job.namespace, job.parent_id) if job.parent_id else None


_ID: Final = ("id",)
_NAME: Final = ("name",)
_IN_NAMESPACE: Final = ("namespace", "id")
_OF_A_JOB: Final = ("namespace", "job_id")


class Rows(msgspec.Struct, kw_only=True):
    """The tables, and what leads to their rows, as a state and a draft of one have them."""

    nodes: Annotated[HashTrieMap[str, Node], Table(NODES, _ID, "Nodes")] = HashTrieMap()
    jobs: Annotated[HashTrieMap[JobKey, Job], Table(JOBS, _IN_NAMESPACE, "Jobs")] = HashTrieMap()
    job_versions: Annotated[
        HashTrieMap[JobKey, tuple[Job, ...]],
        Table(JOB_VERSIONS, (*_IN_NAMESPACE, "version"), "JobVersions", Kept.VERSIONS),
    ] = HashTrieMap()
    """Of each job its kept versions, newest first."""
    job_summaries: Annotated[
        HashTrieMap[JobKey, JobSummary], Table(JOB_SUMMARIES, _OF_A_JOB, "JobSummaries")
    ] = HashTrieMap()
    evals: Annotated[HashTrieMap[str, Evaluation], Table(EVALS, _ID, "Evals")] = HashTrieMap()
    allocs: Annotated[HashTrieMap[str, Allocation], Table(ALLOCS, _ID, "Allocs")] = HashTrieMap()
    deployments: Annotated[HashTrieMap[str, Deployment], Table(DEPLOYMENTS, _ID, "Deployments")] = (
        HashTrieMap()
    )
    node_pools: Annotated[HashTrieMap[str, NodePool], Table(NODE_POOLS, _NAME)] = HashTrieMap()
    namespaces: Annotated[HashTrieMap[str, Namespace], Table(NAMESPACES, _NAME)] = HashTrieMap()
    periodic_launches: Annotated[
        HashTrieMap[JobKey, PeriodicLaunch], Table(PERIODIC_LAUNCHES, _IN_NAMESPACE, "PeriodicLaunches")
    ] = HashTrieMap()
    scaling_events: Annotated[
        HashTrieMap[JobKey, JobScalingEvents], Table(SCALING_EVENTS, _OF_A_JOB, "ScalingEvents")
    ] = HashTrieMap()
    scaling_policies: Annotated[
        HashTrieMap[JobKey, tuple[ScalingPolicy, ...]],
        Table(SCALING_POLICIES, _ID, "ScalingPolicies", Kept.BY_WRITES),
    ] = HashTrieMap()
    """Of each job all of them."""
    configuration: Annotated[SchedulerConfiguration | None, Table(CONFIGURATION, (), kept=Kept.ONLY)] = None

    allocs_by_node: Annotated[HashTrieMap[str, Members], Lookup(ALLOCS, _by_node)] = HashTrieMap()
    allocs_by_job: Annotated[HashTrieMap[JobKey, Members], Lookup(ALLOCS, _by_job)] = HashTrieMap()
    allocs_by_eval: Annotated[HashTrieMap[str, Members], Lookup(ALLOCS, _by_eval)] = HashTrieMap()
    allocs_by_deployment: Annotated[HashTrieMap[str, Members], Lookup(ALLOCS, _by_deployment)] = HashTrieMap()
    evals_by_job: Annotated[HashTrieMap[JobKey, Members], Lookup(EVALS, _by_job)] = HashTrieMap()
    deployments_by_job: Annotated[HashTrieMap[JobKey, Members], Lookup(DEPLOYMENTS, _by_job)] = HashTrieMap()
    children_by_parent: Annotated[HashTrieMap[JobKey, Members], Lookup(JOBS, _by_parent)] = HashTrieMap()


def _list_declared() -> Iterator[Table | Lookup]:
    """List what ``Rows`` declares; maps take no parameters where a program runs, so others stand for them."""
    hints = get_type_hints(Rows, localns={"HashTrieMap": dict, "HashTrieSet": set}, include_extras=True)
    for attribute, hint in hints.items():
        rows, declared = get_args(hint)
        if isinstance(declared, Table):
            (record,) = _list_records(rows)
            yield replace(declared, attribute=attribute, record=record)
        else:
            yield replace(declared, attribute=attribute)


def _list_records(rows: object) -> Iterator[type[msgspec.Struct]]:
    """List the records that the type of a column names."""
    if isinstance(rows, type) and issubclass(rows, msgspec.Struct):
        yield rows
    for part in get_args(rows):
        yield from _list_records(part)


_DECLARED: Final = (*_list_declared(),)

TABLES: Final[Mapping[str, Table]] = {each.name: each for each in _DECLARED if isinstance(each, Table)}
"""The tables by the names that the index table and recordings give them."""

TABLE_OF: Final[Mapping[type[msgspec.Struct], Table]] = {
    table.record: table for table in TABLES.values() if table.kept is Kept.SINGLE
}
"""The table that keeps rows of a kind each under its key."""

LOOKUPS: Final[Mapping[str, tuple[Lookup, ...]]] = {
    name: tuple(each for each in _DECLARED if isinstance(each, Lookup) and each.table == name)
    for name in TABLES
}
"""What leads to the rows of each table."""

COLUMNS: Final[tuple[str, ...]] = Rows.__struct_fields__
"""The attributes of a state that are tables or look-ups."""
