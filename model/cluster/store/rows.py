"""The tables of the state, and the secondary look-ups: each is declared here, and nowhere else.

States, drafts, rows of recordings and dumps of clusters follow from what is said here of a table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any, Final, Protocol, TypeAlias

import msgspec
from rpds import HashTrieMap, HashTrieSet

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
from nomadspec.model.cluster.store.tables import (
    ALLOCS,
    CONFIGURATION,
    DEPLOYMENTS,
    EVALS,
    JOB_SUMMARIES,
    JOB_VERSIONS,
    JOBS,
    NAMESPACES,
    NODE_POOLS,
    NODES,
    PERIODIC_LAUNCHES,
    SCALING_EVENTS,
    SCALING_POLICIES,
    JobKey,
)

Members: TypeAlias = "HashTrieSet[str]"
"""The IDs that a secondary look-up leads to."""


class _Named(Protocol):
    @property
    def name(self) -> str: ...


class _Identified(Protocol):
    @property
    def id(self) -> str: ...


class _Namespaced(_Identified, Protocol):
    @property
    def namespace(self) -> str: ...


class _OfAJob(Protocol):
    @property
    def namespace(self) -> str: ...
    @property
    def job_id(self) -> str: ...


def _by_id(row: _Identified) -> str:
    return row.id


def _by_name(row: _Named) -> str:
    return row.name


def _by_namespace_and_id(row: _Namespaced) -> JobKey:
    return row.namespace, row.id


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


class Rows(msgspec.Struct, kw_only=True):
    """The tables, and what leads to their rows, as a state and a draft of one have them."""

    nodes: HashTrieMap[str, Node] = HashTrieMap()
    jobs: HashTrieMap[JobKey, Job] = HashTrieMap()
    job_versions: HashTrieMap[JobKey, tuple[Job, ...]] = HashTrieMap()
    """Of each job its kept versions, newest first."""
    job_summaries: HashTrieMap[JobKey, JobSummary] = HashTrieMap()
    evals: HashTrieMap[str, Evaluation] = HashTrieMap()
    allocs: HashTrieMap[str, Allocation] = HashTrieMap()
    deployments: HashTrieMap[str, Deployment] = HashTrieMap()
    node_pools: HashTrieMap[str, NodePool] = HashTrieMap()
    namespaces: HashTrieMap[str, Namespace] = HashTrieMap()
    periodic_launches: HashTrieMap[JobKey, PeriodicLaunch] = HashTrieMap()
    scaling_events: HashTrieMap[JobKey, JobScalingEvents] = HashTrieMap()
    scaling_policies: HashTrieMap[JobKey, tuple[ScalingPolicy, ...]] = HashTrieMap()
    """Of each job all of them."""
    configuration: SchedulerConfiguration | None = None

    allocs_by_node: HashTrieMap[str, Members] = HashTrieMap()
    allocs_by_job: HashTrieMap[JobKey, Members] = HashTrieMap()
    allocs_by_eval: HashTrieMap[str, Members] = HashTrieMap()
    allocs_by_deployment: HashTrieMap[str, Members] = HashTrieMap()
    evals_by_job: HashTrieMap[JobKey, Members] = HashTrieMap()
    deployments_by_job: HashTrieMap[JobKey, Members] = HashTrieMap()
    children_by_parent: HashTrieMap[JobKey, Members] = HashTrieMap()


class Kept(Enum):
    """How the rows of a table are kept."""

    SINGLE = "each under its key"
    VERSIONS = "the versions of a job together, newest first"
    BY_WRITES = "as the writes of jobs leave them"
    ONLY = "there is one row"


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """A table: where a state keeps it, what its rows are, and how recordings and dumps name them."""

    attribute: str
    record: type[msgspec.Struct]
    members: tuple[str, ...]
    """The members of a row on the wire that make its key, in order."""
    key: Callable[[Any], Any] = _by_id
    dump: str = ""
    """Its name in the dump of a cluster; dumps have no table without one."""
    kept: Kept = Kept.SINGLE


_NAMESPACED: Final = ("Namespace", "ID")
_OF_A_JOB: Final = ("Namespace", "JobID")

TABLES: Final[Mapping[str, Table]] = {
    NODES: Table(attribute="nodes", record=Node, members=("ID",), dump="Nodes"),
    JOBS: Table(attribute="jobs", record=Job, members=_NAMESPACED, key=_by_namespace_and_id, dump="Jobs"),
    JOB_VERSIONS: Table(
        attribute="job_versions",
        record=Job,
        members=(*_NAMESPACED, "Version"),
        key=_by_namespace_and_id,
        dump="JobVersions",
        kept=Kept.VERSIONS,
    ),
    JOB_SUMMARIES: Table(
        attribute="job_summaries", record=JobSummary, members=_OF_A_JOB, key=_by_job, dump="JobSummaries"
    ),
    EVALS: Table(attribute="evals", record=Evaluation, members=("ID",), dump="Evals"),
    ALLOCS: Table(attribute="allocs", record=Allocation, members=("ID",), dump="Allocs"),
    DEPLOYMENTS: Table(attribute="deployments", record=Deployment, members=("ID",), dump="Deployments"),
    NODE_POOLS: Table(attribute="node_pools", record=NodePool, members=("Name",), key=_by_name),
    NAMESPACES: Table(attribute="namespaces", record=Namespace, members=("Name",), key=_by_name),
    PERIODIC_LAUNCHES: Table(
        attribute="periodic_launches",
        record=PeriodicLaunch,
        members=_NAMESPACED,
        key=_by_namespace_and_id,
        dump="PeriodicLaunches",
    ),
    SCALING_EVENTS: Table(
        attribute="scaling_events",
        record=JobScalingEvents,
        members=_OF_A_JOB,
        key=_by_job,
        dump="ScalingEvents",
    ),
    SCALING_POLICIES: Table(
        attribute="scaling_policies",
        record=ScalingPolicy,
        members=("ID",),
        dump="ScalingPolicies",
        kept=Kept.BY_WRITES,
    ),
    CONFIGURATION: Table(
        attribute="configuration", record=SchedulerConfiguration, members=(), kept=Kept.ONLY
    ),
}
"""The tables by the names that the index table and recordings give them."""


class Lookup(msgspec.Struct, frozen=True):
    """What leads to rows by something else than their key."""

    attribute: str
    key: Callable[[Any], Any]
    """Computes where a row is found; one without an answer is not found there."""


LOOKUPS: Final[Mapping[str, tuple[Lookup, ...]]] = {
    JOBS: (Lookup("children_by_parent", _by_parent),),
    EVALS: (Lookup("evals_by_job", _by_job),),
    ALLOCS: (
        Lookup("allocs_by_node", _by_node),
        Lookup("allocs_by_job", _by_job),
        Lookup("allocs_by_eval", _by_eval),
        Lookup("allocs_by_deployment", _by_deployment),
    ),
    DEPLOYMENTS: (Lookup("deployments_by_job", _by_job),),
}
"""What leads to the rows of each table."""

COLUMNS: Final[tuple[str, ...]] = Rows.__struct_fields__
"""The attributes of a state that are tables or look-ups."""
