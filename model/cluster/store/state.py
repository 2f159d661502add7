"""The replicated state as one immutable value: tables, secondary look-ups and the index table.

A snapshot is the value itself. Look-ups of many list in the order of the server: by ID, and evaluations and
deployments as a whole by the index of their creation.

Spec: OBJ-010.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, TypeVar

import msgspec
from rpds import HashTrieMap, HashTrieSet

from nomadspec.model.cluster.entities import (
    Allocation,
    Deployment,
    Evaluation,
    Job,
    JobSummary,
    Namespace,
    Node,
    NodePool,
    PeriodicLaunch,
    SchedulerConfiguration,
)
from nomadspec.model.cluster.entities.allocation import is_terminal
from nomadspec.model.cluster.memo import remember_last
from nomadspec.model.cluster.store.derived_lists import DerivedLists, pick
from nomadspec.model.cluster.store.node_lists import NodeLists
from nomadspec.model.cluster.store.tables import (
    JOB_VERSIONS,
    JOBS,
    LOOKUPS,
    TABLES,
    JobKey,
    Kept,
    Members,
    Rows,
)
from nomadspec.model.errors import UsageError

Row = TypeVar("Row")
Found = TypeVar("Found")

NOBODY: Members = HashTrieSet()


class State(Rows, frozen=True, kw_only=True, gc=False):  # type: ignore[misc] # drafts alone are changed
    """All tables at one index.

    Spec: OBJ-026.
    """

    indexes: HashTrieMap[str, int] = HashTrieMap()
    derived: DerivedLists = msgspec.field(default_factory=DerivedLists)

    @staticmethod
    def of(
        *,
        job_versions: Iterable[Job] | None = None,
        configuration: SchedulerConfiguration | None = None,
        index: int | None = None,
        indexes: Mapping[str, int] | None = None,
        **rows: Iterable[Any],
    ) -> State:
        """Build a state from objects as they are: of each table all its rows, under its name here.

        Without versions, each job is its own only version. The index of a table is the greatest that its
        objects bear, unless one index is given for all tables or some are given by name.
        """
        given = {attribute: tuple(each) for attribute, each in rows.items()}
        if unknown := given.keys() - {table.attribute for table in _INDEXED.values()}:
            raise UsageError(f"a state is not built of {min(unknown)!r}")
        known = _compute_indexes(given, index) | dict(indexes or {})
        versions = given.get("jobs", ()) if job_versions is None else tuple(job_versions)
        columns: dict[str, Any] = {"job_versions": _by_versions(versions), "allocs": HashTrieMap()}
        for name, table in TABLES.items():
            if (found := given.get(table.attribute)) is None:
                continue
            columns[table.attribute] = HashTrieMap({table.key(row): row for row in found})
            columns |= {lookup.attribute: _group(found, lookup.key) for lookup in LOOKUPS[name]}
        derived = DerivedLists(columns["allocs"])
        return State(**columns, configuration=configuration, indexes=HashTrieMap(known), derived=derived)

    def recall(
        self, find: Callable[[tuple[Allocation, ...]], Found], lookup: str, key: str | JobKey
    ) -> Found:
        """Find something of the allocations of a look-up, unless it is known since these were written."""
        allocs, derived = self._list_led(lookup, key), self.derived
        if derived.of is not self.allocs:
            return find(allocs)
        held = derived.known.get((find, key))
        if held is not None and held[0] is allocs:
            known: Found = held[1]
            return known
        found = find(allocs)
        derived.known[find, key] = (allocs, found)
        return found

    def _list_led(self, lookup: str, key: str | JobKey) -> tuple[Allocation, ...]:
        members: Members | None = getattr(self, lookup).get(key)
        if members is None:
            return ()
        derived = self.derived
        return (
            derived.list_allocs((lookup, key), members)
            if derived.of is self.allocs
            else pick(self.allocs, members)
        )

    # --- the index table ---

    @property
    def latest_index(self) -> int:
        """The greatest index of any table; 0 in an empty state."""
        return self.derived.find_latest_index(self.indexes)

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
        return self.sort_nodes().nodes

    def sort_nodes(self) -> NodeLists:
        """List all nodes by ID, with those that are ready, and those that are not, apart."""
        return self.derived.list_nodes(self.nodes)

    def list_jobs(self) -> tuple[Job, ...]:
        """List all current jobs by namespace and ID."""
        return _sort_jobs(self.jobs)

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
        """List the allocations of a node: those that are not terminal first, each part by ID.

        Spec: TRIG-29.
        """
        return self.recall(_put_living_first, "allocs_by_node", node_id)

    def list_allocs_of_job(self, namespace: str, job_id: str) -> tuple[Allocation, ...]:
        """List the allocations of a job by ID, those of earlier jobs of its name too."""
        return self._list_led("allocs_by_job", (namespace, job_id))

    def list_allocs_of_eval(self, eval_id: str) -> tuple[Allocation, ...]:
        """List the allocations that an evaluation made or last updated, by ID."""
        return pick(self.allocs, self.allocs_by_eval.get(eval_id, NOBODY))

    def list_allocs_of_deployment(self, deployment_id: str) -> tuple[Allocation, ...]:
        """List the allocations of a deployment by ID."""
        return self._list_led("allocs_by_deployment", deployment_id)

    def list_evals_of_job(self, namespace: str, job_id: str) -> tuple[Evaluation, ...]:
        """List the evaluations of a job by ID."""
        return pick(self.evals, self.evals_by_job.get((namespace, job_id), NOBODY))

    def list_deployments_of_job(self, namespace: str, job_id: str) -> tuple[Deployment, ...]:
        """List the deployments of a job by ID, those of earlier jobs of its name too."""
        return pick(self.deployments, self.deployments_by_job.get((namespace, job_id), NOBODY))

    def list_children(self, namespace: str, job_id: str) -> tuple[Job, ...]:
        """List the jobs that were launched or dispatched from a job, by ID."""
        children = self.children_by_parent.get((namespace, job_id), NOBODY)
        return tuple(self.jobs[namespace, child] for child in sorted(children))


_INDEXED: Final = {
    name: table for name, table in TABLES.items() if table.kept in {Kept.SINGLE, Kept.VERSIONS}
}
"""The tables whose indexes the objects of a state tell."""


def _compute_indexes(given: Mapping[str, Sequence[Any]], index: int | None) -> dict[str, int]:
    """Compute the index table; versions are as new as the jobs."""
    if index is not None:
        return dict.fromkeys(_INDEXED, index)
    found = {name: given.get(table.attribute, ()) for name, table in _INDEXED.items()}
    found[JOB_VERSIONS] = found[JOBS]
    return {name: max(row.modify_index for row in rows) for name, rows in found.items() if rows}


def _by_versions(jobs: Iterable[Job]) -> HashTrieMap[JobKey, tuple[Job, ...]]:
    key = TABLES[JOBS].key
    found: dict[JobKey, tuple[Job, ...]] = {}
    for job in sorted(jobs, key=lambda job: -job.version):
        found[key(job)] = (*found.get(key(job), ()), job)
    return HashTrieMap(found)


def _group(rows: Iterable[Any], key: Callable[[Any], Any]) -> HashTrieMap[Any, Members]:
    found: dict[Any, list[str]] = {}
    for row in rows:
        if (at := key(row)) is not None:
            found.setdefault(at, []).append(row.id)
    return HashTrieMap({name: HashTrieSet(members) for name, members in found.items()})


def _sort_by_key(table: HashTrieMap[str, Row] | HashTrieMap[JobKey, Row]) -> tuple[Row, ...]:
    return tuple(row for _, row in sorted(table.items(), key=lambda item: item[0]))


@remember_last
def _sort_jobs(jobs: HashTrieMap[JobKey, Job]) -> tuple[Job, ...]:
    """Sort the jobs, which change less often than all else."""
    return _sort_by_key(jobs)


def _put_living_first(allocs: tuple[Allocation, ...]) -> tuple[Allocation, ...]:
    return tuple(sorted(allocs, key=is_terminal))
