"""The replicated state as one immutable value: tables, secondary look-ups and the index table.

A snapshot is the value itself. Look-ups of many list in the order of the server: by ID, and evaluations and
deployments as a whole by the index of their creation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias, TypeVar

import msgspec
from rpds import HashTrieMap, HashTrieSet

from nomadspec.model.entities import (
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
    SchedulerConfiguration,
)
from nomadspec.model.store.tables import (
    ALLOCS,
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
    JobKey,
)

Row = TypeVar("Row")
Key = TypeVar("Key", str, JobKey)

Members: TypeAlias = "HashTrieSet[str]"
"""The IDs that a secondary look-up leads to."""

NOBODY: Members = HashTrieSet()


class _Indexed(Protocol):
    @property
    def modify_index(self) -> int: ...


class _Named(Protocol):
    @property
    def id(self) -> str: ...


class State(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """All tables at one index.

    Spec: OBJ-026.
    """

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
    configuration: SchedulerConfiguration | None = None
    indexes: HashTrieMap[str, int] = HashTrieMap()

    allocs_by_node: HashTrieMap[str, Members] = HashTrieMap()
    allocs_by_job: HashTrieMap[JobKey, Members] = HashTrieMap()
    allocs_by_eval: HashTrieMap[str, Members] = HashTrieMap()
    allocs_by_deployment: HashTrieMap[str, Members] = HashTrieMap()
    evals_by_job: HashTrieMap[JobKey, Members] = HashTrieMap()
    deployments_by_job: HashTrieMap[JobKey, Members] = HashTrieMap()
    children_by_parent: HashTrieMap[JobKey, Members] = HashTrieMap()

    @staticmethod
    def of(  # noqa: PLR0913 -- one argument a table
        *,
        nodes: Iterable[Node] = (),
        jobs: Iterable[Job] = (),
        job_versions: Iterable[Job] | None = None,
        job_summaries: Iterable[JobSummary] = (),
        evals: Iterable[Evaluation] = (),
        allocs: Iterable[Allocation] = (),
        deployments: Iterable[Deployment] = (),
        node_pools: Iterable[NodePool] = (),
        namespaces: Iterable[Namespace] = (),
        periodic_launches: Iterable[PeriodicLaunch] = (),
        scaling_events: Iterable[JobScalingEvents] = (),
        configuration: SchedulerConfiguration | None = None,
        index: int | None = None,
        indexes: Mapping[str, int] | None = None,
    ) -> State:
        """Build a state from objects as they are.

        Without versions, each job is its own only version. The index of a table is the greatest that its
        objects bear, unless one index is given for all tables or some are given by name.
        """
        rows = _Rows(
            nodes=tuple(nodes),
            jobs=tuple(jobs),
            job_summaries=tuple(job_summaries),
            evals=tuple(evals),
            allocs=tuple(allocs),
            deployments=tuple(deployments),
            node_pools=tuple(node_pools),
            namespaces=tuple(namespaces),
            periodic_launches=tuple(periodic_launches),
            scaling_events=tuple(scaling_events),
        )
        return State(
            nodes=_by(rows.nodes, lambda node: node.id),
            jobs=_by(rows.jobs, _key_of_job),
            job_versions=_by_versions(rows.jobs if job_versions is None else tuple(job_versions)),
            job_summaries=_by(rows.job_summaries, lambda summary: (summary.namespace, summary.job_id)),
            evals=_by(rows.evals, lambda evaluation: evaluation.id),
            allocs=_by(rows.allocs, lambda alloc: alloc.id),
            deployments=_by(rows.deployments, lambda deployment: deployment.id),
            node_pools=_by(rows.node_pools, lambda pool: pool.name),
            namespaces=_by(rows.namespaces, lambda namespace: namespace.name),
            periodic_launches=_by(rows.periodic_launches, lambda launch: (launch.namespace, launch.id)),
            scaling_events=_by(rows.scaling_events, lambda events: (events.namespace, events.job_id)),
            configuration=configuration,
            indexes=HashTrieMap({**_compute_indexes(rows, index), **(indexes or {})}),
            allocs_by_node=_group(rows.allocs, lambda alloc: alloc.node_id),
            allocs_by_job=_group(rows.allocs, lambda alloc: (alloc.namespace, alloc.job_id)),
            allocs_by_eval=_group(rows.allocs, lambda alloc: alloc.eval_id),
            allocs_by_deployment=_group(
                [alloc for alloc in rows.allocs if alloc.deployment_id], lambda alloc: alloc.deployment_id
            ),
            evals_by_job=_group(rows.evals, lambda evaluation: (evaluation.namespace, evaluation.job_id)),
            deployments_by_job=_group(rows.deployments, lambda each: (each.namespace, each.job_id)),
            children_by_parent=_group(
                [job for job in rows.jobs if job.parent_id], lambda job: (job.namespace, job.parent_id)
            ),
        )

    # --- the index table ---

    @property
    def latest_index(self) -> int:
        """The greatest index of any table; 0 in an empty state."""
        return max(self.indexes.values(), default=0)

    def index_of(self, *tables: str) -> int:
        """Return the greatest index of the named tables; 0 for a table that was never written."""
        return max((self.indexes.get(table, 0) for table in tables), default=0)

    # --- one object ---

    def find_node(self, node_id: str) -> Node | None:
        """Find a node by its ID."""
        return self.nodes.get(node_id)

    def find_job(self, namespace: str, job_id: str) -> Job | None:
        """Find the current version of a job."""
        return self.jobs.get((namespace, job_id))

    def find_job_version(self, namespace: str, job_id: str, version: int) -> Job | None:
        """Find a kept version of a job."""
        versions = self.job_versions.get((namespace, job_id), ())
        return next((job for job in versions if job.version == version), None)

    def find_job_summary(self, namespace: str, job_id: str) -> JobSummary | None:
        """Find the counts of a job's allocations and children."""
        return self.job_summaries.get((namespace, job_id))

    def find_eval(self, eval_id: str) -> Evaluation | None:
        """Find an evaluation by its ID."""
        return self.evals.get(eval_id)

    def find_alloc(self, alloc_id: str) -> Allocation | None:
        """Find an allocation by its ID."""
        return self.allocs.get(alloc_id)

    def find_deployment(self, deployment_id: str) -> Deployment | None:
        """Find a deployment by its ID."""
        return self.deployments.get(deployment_id)

    def find_latest_deployment(self, namespace: str, job_id: str) -> Deployment | None:
        """Find the deployment of a job that was created last.

        Spec: OBJ-276, DEP-01.
        """
        found = self.list_deployments_of_job(namespace, job_id)
        return max(found, key=lambda deployment: deployment.create_index, default=None)

    def find_node_pool(self, name: str) -> NodePool | None:
        """Find a node pool by its name."""
        return self.node_pools.get(name)

    def find_namespace(self, name: str) -> Namespace | None:
        """Find a namespace by its name."""
        return self.namespaces.get(name)

    def find_periodic_launch(self, namespace: str, job_id: str) -> PeriodicLaunch | None:
        """Find the last launch of a periodic job."""
        return self.periodic_launches.get((namespace, job_id))

    # --- many, in the order of the server ---

    def list_nodes(self) -> tuple[Node, ...]:
        """List all nodes by ID."""
        return _sort_by_key(self.nodes)

    def list_jobs(self) -> tuple[Job, ...]:
        """List all current jobs by namespace and ID."""
        return _sort_by_key(self.jobs)

    def list_job_versions(self, namespace: str, job_id: str) -> tuple[Job, ...]:
        """List the kept versions of a job, newest first."""
        return self.job_versions.get((namespace, job_id), ())

    def list_evals(self) -> tuple[Evaluation, ...]:
        """List all evaluations by the index of their creation, then by ID.

        Spec: LEADER-02, GC-20.
        """
        return tuple(sorted(self.evals.values(), key=lambda e: (e.create_index, e.id)))

    def list_allocs(self) -> tuple[Allocation, ...]:
        """List all allocations by ID."""
        return _sort_by_key(self.allocs)

    def list_deployments(self) -> tuple[Deployment, ...]:
        """List all deployments by the index of their creation, then by ID."""
        return tuple(sorted(self.deployments.values(), key=lambda d: (d.create_index, d.id)))

    def list_node_pools(self) -> tuple[NodePool, ...]:
        """List all node pools by name."""
        return _sort_by_key(self.node_pools)

    def list_namespaces(self) -> tuple[Namespace, ...]:
        """List all namespaces by name."""
        return _sort_by_key(self.namespaces)

    def list_allocs_of_node(self, node_id: str) -> tuple[Allocation, ...]:
        """List the allocations of a node by ID."""
        return _pick(self.allocs, self.allocs_by_node.get(node_id, NOBODY))

    def list_allocs_of_job(self, namespace: str, job_id: str) -> tuple[Allocation, ...]:
        """List the allocations of a job by ID, those of earlier jobs of its name too."""
        return _pick(self.allocs, self.allocs_by_job.get((namespace, job_id), NOBODY))

    def list_allocs_of_eval(self, eval_id: str) -> tuple[Allocation, ...]:
        """List the allocations that an evaluation made or last updated, by ID."""
        return _pick(self.allocs, self.allocs_by_eval.get(eval_id, NOBODY))

    def list_allocs_of_deployment(self, deployment_id: str) -> tuple[Allocation, ...]:
        """List the allocations of a deployment by ID."""
        return _pick(self.allocs, self.allocs_by_deployment.get(deployment_id, NOBODY))

    def list_evals_of_job(self, namespace: str, job_id: str) -> tuple[Evaluation, ...]:
        """List the evaluations of a job by ID."""
        return _pick(self.evals, self.evals_by_job.get((namespace, job_id), NOBODY))

    def list_deployments_of_job(self, namespace: str, job_id: str) -> tuple[Deployment, ...]:
        """List the deployments of a job by ID, those of earlier jobs of its name too."""
        return _pick(self.deployments, self.deployments_by_job.get((namespace, job_id), NOBODY))

    def list_children(self, namespace: str, job_id: str) -> tuple[Job, ...]:
        """List the jobs that were launched or dispatched from a job, by ID."""
        children = self.children_by_parent.get((namespace, job_id), NOBODY)
        return tuple(self.jobs[namespace, child] for child in sorted(children))


@dataclass(frozen=True, slots=True)
class _Rows:
    nodes: tuple[Node, ...]
    jobs: tuple[Job, ...]
    job_summaries: tuple[JobSummary, ...]
    evals: tuple[Evaluation, ...]
    allocs: tuple[Allocation, ...]
    deployments: tuple[Deployment, ...]
    node_pools: tuple[NodePool, ...]
    namespaces: tuple[Namespace, ...]
    periodic_launches: tuple[PeriodicLaunch, ...]
    scaling_events: tuple[JobScalingEvents, ...]


def _compute_indexes(rows: _Rows, index: int | None) -> dict[str, int]:
    tables: dict[str, Sequence[_Indexed]] = {
        NODES: rows.nodes,
        JOBS: rows.jobs,
        JOB_VERSIONS: rows.jobs,
        JOB_SUMMARIES: rows.job_summaries,
        EVALS: rows.evals,
        ALLOCS: rows.allocs,
        DEPLOYMENTS: rows.deployments,
        NODE_POOLS: rows.node_pools,
        NAMESPACES: rows.namespaces,
        PERIODIC_LAUNCHES: rows.periodic_launches,
        SCALING_EVENTS: rows.scaling_events,
    }
    if index is not None:
        return dict.fromkeys(tables, index)
    return {name: max(row.modify_index for row in table) for name, table in tables.items() if table}


def _by(rows: Iterable[Row], key: Callable[[Row], Key]) -> HashTrieMap[Key, Row]:
    return HashTrieMap({key(row): row for row in rows})


def _by_versions(jobs: Iterable[Job]) -> HashTrieMap[JobKey, tuple[Job, ...]]:
    newest_first = sorted(jobs, key=lambda job: -job.version)
    found: dict[JobKey, tuple[Job, ...]] = {}
    for job in newest_first:
        found[_key_of_job(job)] = (*found.get(_key_of_job(job), ()), job)
    return HashTrieMap(found)


def _group(rows: Iterable[_Named], key: Callable[[Any], Key]) -> HashTrieMap[Key, Members]:
    found: dict[Key, list[str]] = {}
    for row in rows:
        found.setdefault(key(row), []).append(row.id)
    return HashTrieMap({name: HashTrieSet(members) for name, members in found.items()})


def _key_of_job(job: Job) -> JobKey:
    return job.namespace, job.id


def _sort_by_key(table: HashTrieMap[str, Row] | HashTrieMap[JobKey, Row]) -> tuple[Row, ...]:
    return tuple(row for _, row in sorted(table.items(), key=lambda item: item[0]))


def _pick(table: HashTrieMap[str, Row], members: Members) -> tuple[Row, ...]:
    return tuple(table[member] for member in sorted(members))
