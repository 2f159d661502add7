"""A state in the making: the writes of one transaction, with the secondary look-ups kept in step."""

from __future__ import annotations

from operator import attrgetter
from typing import Any, Final

import msgspec

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
from nomadspec.model.cluster.store.rows import COLUMNS, LOOKUPS, TABLES, Rows
from nomadspec.model.cluster.store.state import NOBODY, State
from nomadspec.model.cluster.store.tables import (
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
from nomadspec.model.specification.profiles import Profile


class Draft(Rows, kw_only=True):
    """What one transaction at one index makes of a state; dropping it undoes the transaction.

    Spec: OBJ-021, OBJ-022, OBJ-024.
    """

    base: State
    index: int
    now_ns: int
    profile: Profile
    touched: set[str] = msgspec.field(default_factory=set)
    written: dict[tuple[str, RowKey], object] = msgspec.field(default_factory=dict)
    """Every row that was written or deleted, with what it was before."""

    @staticmethod
    def of(base: State, index: int, now_ns: int = 0, *, profile: Profile) -> Draft:
        """Start from a state; the index and the server's time are those of the entry."""
        return Draft(**_copy(base), base=base, index=index, now_ns=now_ns, profile=profile)

    def finish(self) -> State:
        """Return the state after the transaction."""
        indexes, index = self.base.indexes, self.index
        for table in self.touched:
            indexes = indexes.insert(table, index)
        derived = self.base.derived.follow(self.base, self, self.written)
        return State(**_copy(self), indexes=indexes, derived=derived)

    def touch(self, *tables: str) -> None:
        """Move the entries of tables in the index table to the index of this transaction."""
        self.touched.update(tables)

    def _note(self, table: str, key: RowKey, before: object) -> None:
        self.written.setdefault((table, key), before)

    def put(self, name: str, row: msgspec.Struct) -> None:
        """Write a row of a table that keeps each under its key."""
        table = TABLES[name]
        key, rows = table.key(row), getattr(self, table.attribute)
        before = rows.get(key)
        self._note(name, key, before)
        setattr(self, table.attribute, rows.insert(key, row))
        for lookup in LOOKUPS.get(name, ()):
            self._lead(lookup.attribute, key, before and lookup.key(before), lookup.key(row))

    def delete(self, name: str, key: RowKey) -> None:
        """Delete a row of such a table."""
        table = TABLES[name]
        rows = getattr(self, table.attribute)
        self._note(name, key, rows[key])
        setattr(self, table.attribute, rows.remove(key))
        for lookup in LOOKUPS.get(name, ()):
            self._lead(lookup.attribute, key, lookup.key(rows[key]), None)

    def _lead(self, attribute: str, key: RowKey, was: RowKey | None, now: RowKey | None) -> None:
        """Let a look-up lead to a row from where it is found now; the ID is the last part of its key."""
        if was == now:
            return
        member = key if isinstance(key, str) else key[1]
        lookup = getattr(self, attribute)
        if was is not None:
            rest = lookup[was].discard(member)
            lookup = lookup.insert(was, rest) if rest else lookup.remove(was)
        if now is not None:
            lookup = lookup.insert(now, lookup.get(now, NOBODY).insert(member))
        setattr(self, attribute, lookup)

    # --- nodes, pools, namespaces, configuration ---

    def put_node(self, node: Node) -> None:
        """Write a node."""
        self.put(NODES, node)

    def delete_node(self, node_id: str) -> None:
        """Delete a node."""
        self.delete(NODES, node_id)

    def put_node_pool(self, pool: NodePool) -> None:
        """Write a node pool."""
        self.put(NODE_POOLS, pool)

    def delete_node_pool(self, name: str) -> None:
        """Delete a node pool."""
        self.delete(NODE_POOLS, name)

    def put_namespace(self, namespace: Namespace) -> None:
        """Write a namespace."""
        self.put(NAMESPACES, namespace)

    def delete_namespace(self, name: str) -> None:
        """Delete a namespace."""
        self.delete(NAMESPACES, name)

    def put_configuration(self, configuration: SchedulerConfiguration) -> None:
        """Write the configuration of the schedulers."""
        self._note(CONFIGURATION, CONFIGURATION_KEY, self.configuration)
        self.configuration = configuration

    # --- jobs and what belongs to them ---

    def put_job(self, job: Job) -> None:
        """Write the current version of a job."""
        self.put(JOBS, job)

    def delete_job(self, key: JobKey) -> None:
        """Delete the current version of a job."""
        self.delete(JOBS, key)

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
        self.put(JOB_SUMMARIES, summary)

    def delete_job_summary(self, key: JobKey) -> None:
        """Delete the summary of a job."""
        self.delete(JOB_SUMMARIES, key)

    def put_periodic_launch(self, launch: PeriodicLaunch) -> None:
        """Write the last launch of a periodic job."""
        self.put(PERIODIC_LAUNCHES, launch)

    def delete_periodic_launch(self, key: JobKey) -> None:
        """Delete the last launch of a periodic job."""
        self.delete(PERIODIC_LAUNCHES, key)

    def put_scaling_events(self, events: JobScalingEvents) -> None:
        """Write the scaling events of a job."""
        self.put(SCALING_EVENTS, events)

    def delete_scaling_events(self, key: JobKey) -> None:
        """Delete the scaling events of a job."""
        self.delete(SCALING_EVENTS, key)

    def put_scaling_policies(self, key: JobKey, policies: tuple[ScalingPolicy, ...]) -> None:
        """Write the scaling policies of a job, all of them; the job itself shows them to whoever looks."""
        self.scaling_policies = (
            self.scaling_policies.insert(key, policies) if policies else self.scaling_policies.discard(key)
        )

    # --- evaluations, allocations, deployments ---

    def put_eval(self, evaluation: Evaluation) -> None:
        """Write an evaluation."""
        self.put(EVALS, evaluation)

    def delete_eval(self, eval_id: str) -> None:
        """Delete an evaluation."""
        self.delete(EVALS, eval_id)

    def put_deployment(self, deployment: Deployment) -> None:
        """Write a deployment."""
        self.put(DEPLOYMENTS, deployment)

    def delete_deployment(self, deployment_id: str) -> None:
        """Delete a deployment."""
        self.delete(DEPLOYMENTS, deployment_id)

    def put_alloc(self, alloc: Allocation) -> None:
        """Write an allocation."""
        self.put(ALLOCS, alloc)

    def delete_alloc(self, alloc_id: str) -> None:
        """Delete an allocation."""
        self.delete(ALLOCS, alloc_id)


_read_columns: Final = attrgetter(*COLUMNS)


def _copy(rows: Rows) -> dict[str, Any]:
    return dict(zip(COLUMNS, _read_columns(rows), strict=True))
