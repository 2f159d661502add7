"""A state in the making: the writes of one transaction, with the secondary look-ups kept in step."""

from __future__ import annotations

from typing import TypeVar

from rpds import HashTrieMap

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
from nomadspec.model.profile import NOMAD_2_0, Profile
from nomadspec.model.store.state import NOBODY, Members, State
from nomadspec.model.store.tables import (
    ALLOCS,
    CONFIGURATION,
    CONFIGURATION_KEY,
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
    RowKey,
)

Key = TypeVar("Key", str, JobKey)


class Draft:
    """What one transaction at one index makes of a state; dropping it undoes the transaction.

    Spec: OBJ-021, OBJ-022, OBJ-024.
    """

    __slots__ = (
        "allocs",
        "allocs_by_deployment",
        "allocs_by_eval",
        "allocs_by_job",
        "allocs_by_node",
        "base",
        "children_by_parent",
        "configuration",
        "deployments",
        "deployments_by_job",
        "evals",
        "evals_by_job",
        "index",
        "job_summaries",
        "job_versions",
        "jobs",
        "namespaces",
        "node_pools",
        "nodes",
        "now_ns",
        "periodic_launches",
        "profile",
        "scaling_events",
        "touched",
        "written",
    )

    def __init__(self, base: State, index: int, now_ns: int = 0, profile: Profile = NOMAD_2_0) -> None:
        """Start from a state; the index and the server's time are those of the entry."""
        self.base = base
        self.index = index
        self.now_ns = now_ns
        self.profile = profile
        self.written: dict[tuple[str, RowKey], object] = {}
        """Every row that was written or deleted, with what it was before."""
        self.nodes = base.nodes
        self.jobs = base.jobs
        self.job_versions = base.job_versions
        self.job_summaries = base.job_summaries
        self.evals = base.evals
        self.allocs = base.allocs
        self.deployments = base.deployments
        self.node_pools = base.node_pools
        self.namespaces = base.namespaces
        self.periodic_launches = base.periodic_launches
        self.scaling_events = base.scaling_events
        self.configuration = base.configuration
        self.touched: set[str] = set()
        self.allocs_by_node = base.allocs_by_node
        self.allocs_by_job = base.allocs_by_job
        self.allocs_by_eval = base.allocs_by_eval
        self.allocs_by_deployment = base.allocs_by_deployment
        self.evals_by_job = base.evals_by_job
        self.deployments_by_job = base.deployments_by_job
        self.children_by_parent = base.children_by_parent

    def finish(self) -> State:
        """Return the state after the transaction."""
        indexes, index = self.base.indexes, self.index
        for table in self.touched:
            indexes = indexes.insert(table, index)
        return State(
            nodes=self.nodes,
            jobs=self.jobs,
            job_versions=self.job_versions,
            job_summaries=self.job_summaries,
            evals=self.evals,
            allocs=self.allocs,
            deployments=self.deployments,
            node_pools=self.node_pools,
            namespaces=self.namespaces,
            periodic_launches=self.periodic_launches,
            scaling_events=self.scaling_events,
            configuration=self.configuration,
            indexes=indexes,
            allocs_by_node=self.allocs_by_node,
            allocs_by_job=self.allocs_by_job,
            allocs_by_eval=self.allocs_by_eval,
            allocs_by_deployment=self.allocs_by_deployment,
            evals_by_job=self.evals_by_job,
            deployments_by_job=self.deployments_by_job,
            children_by_parent=self.children_by_parent,
        )

    def touch(self, *tables: str) -> None:
        """Move the entries of tables in the index table to the index of this transaction."""
        self.touched.update(tables)

    def _note(self, table: str, key: RowKey, before: object) -> None:
        self.written.setdefault((table, key), before)

    # --- nodes, pools, namespaces, configuration ---

    def put_node(self, node: Node) -> None:
        """Write a node."""
        self._note(NODES, node.id, self.nodes.get(node.id))
        self.nodes = self.nodes.insert(node.id, node)

    def delete_node(self, node_id: str) -> None:
        """Delete a node."""
        self._note(NODES, node_id, self.nodes[node_id])
        self.nodes = self.nodes.remove(node_id)

    def put_node_pool(self, pool: NodePool) -> None:
        """Write a node pool."""
        self._note(NODE_POOLS, pool.name, self.node_pools.get(pool.name))
        self.node_pools = self.node_pools.insert(pool.name, pool)

    def delete_node_pool(self, name: str) -> None:
        """Delete a node pool."""
        self._note(NODE_POOLS, name, self.node_pools[name])
        self.node_pools = self.node_pools.remove(name)

    def put_namespace(self, namespace: Namespace) -> None:
        """Write a namespace."""
        self._note(NAMESPACES, namespace.name, self.namespaces.get(namespace.name))
        self.namespaces = self.namespaces.insert(namespace.name, namespace)

    def delete_namespace(self, name: str) -> None:
        """Delete a namespace."""
        self._note(NAMESPACES, name, self.namespaces[name])
        self.namespaces = self.namespaces.remove(name)

    def put_configuration(self, configuration: SchedulerConfiguration) -> None:
        """Write the configuration of the schedulers."""
        self._note(CONFIGURATION, CONFIGURATION_KEY, self.configuration)
        self.configuration = configuration

    # --- jobs and what belongs to them ---

    def put_job(self, job: Job) -> None:
        """Write the current version of a job."""
        key = (job.namespace, job.id)
        before = self.jobs.get(key)
        self._note(JOBS, key, before)
        self.jobs = self.jobs.insert(key, job)
        if before is None and job.parent_id:
            parent = (job.namespace, job.parent_id)
            self.children_by_parent = _join(self.children_by_parent, parent, job.id)

    def delete_job(self, key: JobKey) -> None:
        """Delete the current version of a job."""
        job = self.jobs[key]
        self._note(JOBS, key, job)
        self.jobs = self.jobs.remove(key)
        if job.parent_id:
            parent = (job.namespace, job.parent_id)
            self.children_by_parent = _leave(self.children_by_parent, parent, job.id)

    def put_job_versions(self, key: JobKey, versions: tuple[Job, ...]) -> None:
        """Write all kept versions of a job, newest first; none deletes them."""
        before = {job.version: job for job in self.job_versions.get(key, ())}
        after = {job.version: job for job in versions}
        for version in before.keys() | after.keys():
            if before.get(version) is not after.get(version):
                self._note(JOB_VERSIONS, (*key, version), before.get(version))
        self.job_versions = (
            self.job_versions.insert(key, versions) if versions else self.job_versions.discard(key)
        )

    def put_job_summary(self, summary: JobSummary) -> None:
        """Write the summary of a job."""
        key = (summary.namespace, summary.job_id)
        self._note(JOB_SUMMARIES, key, self.job_summaries.get(key))
        self.job_summaries = self.job_summaries.insert(key, summary)

    def delete_job_summary(self, key: JobKey) -> None:
        """Delete the summary of a job."""
        self._note(JOB_SUMMARIES, key, self.job_summaries[key])
        self.job_summaries = self.job_summaries.remove(key)

    def put_periodic_launch(self, launch: PeriodicLaunch) -> None:
        """Write the last launch of a periodic job."""
        key = (launch.namespace, launch.id)
        self._note(PERIODIC_LAUNCHES, key, self.periodic_launches.get(key))
        self.periodic_launches = self.periodic_launches.insert(key, launch)

    def delete_periodic_launch(self, key: JobKey) -> None:
        """Delete the last launch of a periodic job."""
        self._note(PERIODIC_LAUNCHES, key, self.periodic_launches[key])
        self.periodic_launches = self.periodic_launches.remove(key)

    def put_scaling_events(self, events: JobScalingEvents) -> None:
        """Write the scaling events of a job."""
        key = (events.namespace, events.job_id)
        self._note(SCALING_EVENTS, key, self.scaling_events.get(key))
        self.scaling_events = self.scaling_events.insert(key, events)

    def delete_scaling_events(self, key: JobKey) -> None:
        """Delete the scaling events of a job."""
        self._note(SCALING_EVENTS, key, self.scaling_events[key])
        self.scaling_events = self.scaling_events.remove(key)

    # --- evaluations, allocations, deployments ---

    def put_eval(self, evaluation: Evaluation) -> None:
        """Write an evaluation."""
        before = self.evals.get(evaluation.id)
        self._note(EVALS, evaluation.id, before)
        self.evals = self.evals.insert(evaluation.id, evaluation)
        key = (evaluation.namespace, evaluation.job_id)
        if before is not None:
            if (before.namespace, before.job_id) == key:
                return
            self.evals_by_job = _leave(self.evals_by_job, (before.namespace, before.job_id), evaluation.id)
        self.evals_by_job = _join(self.evals_by_job, key, evaluation.id)

    def delete_eval(self, eval_id: str) -> None:
        """Delete an evaluation."""
        evaluation = self.evals[eval_id]
        self._note(EVALS, eval_id, evaluation)
        self.evals = self.evals.remove(eval_id)
        self.evals_by_job = _leave(self.evals_by_job, (evaluation.namespace, evaluation.job_id), eval_id)

    def put_deployment(self, deployment: Deployment) -> None:
        """Write a deployment."""
        before = self.deployments.get(deployment.id)
        self._note(DEPLOYMENTS, deployment.id, before)
        self.deployments = self.deployments.insert(deployment.id, deployment)
        key = (deployment.namespace, deployment.job_id)
        if before is not None:
            if (before.namespace, before.job_id) == key:
                return
            old = (before.namespace, before.job_id)
            self.deployments_by_job = _leave(self.deployments_by_job, old, deployment.id)
        self.deployments_by_job = _join(self.deployments_by_job, key, deployment.id)

    def delete_deployment(self, deployment_id: str) -> None:
        """Delete a deployment."""
        deployment = self.deployments[deployment_id]
        self._note(DEPLOYMENTS, deployment_id, deployment)
        self.deployments = self.deployments.remove(deployment_id)
        key = (deployment.namespace, deployment.job_id)
        self.deployments_by_job = _leave(self.deployments_by_job, key, deployment_id)

    def put_alloc(self, alloc: Allocation) -> None:
        """Write an allocation."""
        before = self.allocs.get(alloc.id)
        self._note(ALLOCS, alloc.id, before)
        self.allocs = self.allocs.insert(alloc.id, alloc)
        if before is None:
            self._join_alloc(alloc)
        elif _has_moved(before, alloc):
            self._leave_alloc(before)
            self._join_alloc(alloc)

    def delete_alloc(self, alloc_id: str) -> None:
        """Delete an allocation."""
        alloc = self.allocs[alloc_id]
        self._note(ALLOCS, alloc_id, alloc)
        self.allocs = self.allocs.remove(alloc_id)
        self._leave_alloc(alloc)

    def _join_alloc(self, alloc: Allocation) -> None:
        self.allocs_by_node = _join(self.allocs_by_node, alloc.node_id, alloc.id)
        self.allocs_by_job = _join(self.allocs_by_job, (alloc.namespace, alloc.job_id), alloc.id)
        self.allocs_by_eval = _join(self.allocs_by_eval, alloc.eval_id, alloc.id)
        if alloc.deployment_id:
            self.allocs_by_deployment = _join(self.allocs_by_deployment, alloc.deployment_id, alloc.id)

    def _leave_alloc(self, alloc: Allocation) -> None:
        self.allocs_by_node = _leave(self.allocs_by_node, alloc.node_id, alloc.id)
        self.allocs_by_job = _leave(self.allocs_by_job, (alloc.namespace, alloc.job_id), alloc.id)
        self.allocs_by_eval = _leave(self.allocs_by_eval, alloc.eval_id, alloc.id)
        if alloc.deployment_id:
            self.allocs_by_deployment = _leave(self.allocs_by_deployment, alloc.deployment_id, alloc.id)


def _has_moved(before: Allocation, after: Allocation) -> bool:
    return (
        before.eval_id != after.eval_id
        or before.deployment_id != after.deployment_id
        or before.node_id != after.node_id
        or before.job_id != after.job_id
        or before.namespace != after.namespace
    )


def _join(lookup: HashTrieMap[Key, Members], key: Key, member: str) -> HashTrieMap[Key, Members]:
    return lookup.insert(key, lookup.get(key, NOBODY).insert(member))


def _leave(lookup: HashTrieMap[Key, Members], key: Key, member: str) -> HashTrieMap[Key, Members]:
    rest = lookup[key].discard(member)
    return lookup.insert(key, rest) if rest else lookup.remove(key)
