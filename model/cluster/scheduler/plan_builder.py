"""The plan under construction, and what it leaves on a node."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from nomadspec.model.cluster.entities import (
    Allocation,
    AllocClient,
    AllocDesired,
    AllocState,
    ClientDescription,
    Deployment,
    DeploymentStatusUpdate,
    DesiredDescription,
    Job,
    NamespacedId,
    Plan,
    PlanAnnotations,
)
from nomadspec.model.cluster.entities.allocation import is_client_terminal
from nomadspec.model.cluster.scheduler.choices import Choices
from nomadspec.model.cluster.scheduler.snapshot import Snapshot

Lists = dict[str, list[Allocation]]


@dataclass(slots=True)
class PlanBuilder:
    """Gathers stops, placements, updates and evictions by node, in the order in which they come.

    An allocation that stands in it without a job belongs to the job of the plan.

    Spec: GENERIC-11, GENERIC-16, OBJ-280.
    """

    snapshot: Snapshot
    choices: Choices
    eval_id: str
    priority: int
    job: Job | None
    """The job that was looked up; where there is none, that of the first allocation that is stopped."""
    now_ns: int
    node_update: Lists = field(default_factory=dict)
    node_allocation: Lists = field(default_factory=dict)
    node_preemptions: Lists = field(default_factory=dict)
    deployment: Deployment | None = None
    deployment_updates: tuple[DeploymentStatusUpdate, ...] = ()
    annotations: PlanAnnotations | None = None
    evicted: list[Allocation] = field(default_factory=list)
    """The allocations that are evicted, as they are, in the order in which they were chosen."""
    all_at_once: bool = field(init=False)
    """As the job that was looked up wants it, so that the plan of a purged job never does."""
    _proposed: dict[str, tuple[Allocation, ...]] = field(default_factory=dict)
    _touched: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Ask the job that was looked up.

        Spec: GENERIC-11.
        """
        self.all_at_once = self.job is not None and self.job.all_at_once

    def append_stop(
        self, alloc: Allocation, description: str, client_status: str = "", followup_eval_id: str = ""
    ) -> None:
        """Add a stop; a plan without a job takes that of the first stopped allocation.

        Spec: GENERIC-17.
        """
        if self.job is None and alloc.job is not None:
            self.job = alloc.job
        stopped = replace(
            alloc,
            job=None,
            resources=None,
            desired_status=AllocDesired.STOP,
            desired_description=description,
            followup_eval_id=followup_eval_id or alloc.followup_eval_id,
        )
        if client_status:
            stopped = replace(
                stopped, client_status=client_status, alloc_states=self._extend_states(alloc, client_status)
            )
        self._append(self.node_update, stopped)

    def append_unknown(self, alloc: Allocation) -> None:
        """Add an update that marks an allocation of a disconnected node as unknown; it keeps its own job.

        Spec: DISC-05.
        """
        unknown = replace(
            alloc,
            resources=None,
            client_status=AllocClient.UNKNOWN,
            client_description=ClientDescription.UNKNOWN,
            alloc_states=self._extend_states(alloc, AllocClient.UNKNOWN),
        )
        self._append(self.node_allocation, unknown)

    def append_alloc(self, alloc: Allocation, job: Job | None = None) -> None:
        """Add a placement or an update; without a job it belongs to that of the plan.

        Whoever updates an allocation in place leaves its old summed resources out; other updates keep them.

        Spec: GENERIC-16, VERS-03.
        """
        self._append(self.node_allocation, replace(alloc, job=job))

    def append_preempted(self, alloc: Allocation, preempting_id: str) -> None:
        """Add an eviction; only what the applier has to know of the allocation is kept.

        Spec: PREEMPT-24.
        """
        evicted = Allocation(
            id=alloc.id,
            namespace=alloc.namespace,
            job_id=alloc.job_id,
            desired_status=AllocDesired.EVICT,
            desired_description=f"{DesiredDescription.PREEMPTED_BY}{preempting_id}",
            preempted_by_allocation=preempting_id,
            allocated_resources=alloc.allocated_resources,
        )
        self._touch(alloc.node_id)
        self.evicted.append(alloc)
        self.node_preemptions.setdefault(alloc.node_id, []).append(evicted)

    def pop_stop(self, alloc: Allocation) -> bool:
        """Take a stop back if it is the last of its node; true if it was.

        Spec: GENERIC-33, GENERIC-38.
        """
        stops = self.node_update.get(alloc.node_id, [])
        if not stops or stops[-1].id != alloc.id:
            return False
        stops.pop()
        if not stops:
            del self.node_update[alloc.node_id]
        self._touch(alloc.node_id)
        return True

    def take_back_stop(self, alloc: Allocation) -> None:
        """Let an allocation go on after all, whatever else the plan does on its node.

        Spec: X-52.
        """
        stops = [each for each in self.node_update.pop(alloc.node_id, ()) if each.id != alloc.id]
        if stops:
            self.node_update[alloc.node_id] = stops
        self._touch(alloc.node_id)

    def drop_stop(self, alloc: Allocation) -> None:
        """Take a stop back, wherever it stands.

        Spec: GENERIC-38, 04/S-16.
        """
        stops = [stop for stop in self.node_update.pop(alloc.node_id, []) if stop.id != alloc.id]
        if stops:
            self.node_update[alloc.node_id] = stops
        self._touch(alloc.node_id)

    def replace_entry(self, lists: Lists, alloc: Allocation) -> bool:
        """Replace an allocation where it stands among the stops or updates of its node; true if it does."""
        entries = lists.get(alloc.node_id, [])
        at = next((at for at, entry in enumerate(entries) if entry.id == alloc.id), None)
        if at is None:
            return False
        entries[at] = alloc
        self._touch(alloc.node_id)
        return True

    def forget_proposed(self, node_id: str) -> None:
        """Forget what was computed for a node whose lists were changed from outside."""
        self._touch(node_id)

    def list_known_proposed(self) -> Mapping[str, tuple[Allocation, ...]]:
        """List what was found to be proposed on nodes and has not changed since."""
        return self._proposed

    def list_proposed(self, node_id: str) -> tuple[Allocation, ...]:
        """List what is on a node if the plan is carried out, in the order in which a map is visited.

        Spec: FEAS-02, FEAS-03, FEAS-04, FEAS-05, PREEMPT-26.
        """
        found = self._proposed.get(node_id)
        if found is None:
            found = self._proposed[node_id] = self._compute_proposed(node_id)
        return found

    def build(self) -> Plan:
        """Give the plan as it is submitted."""
        job = self.job
        return Plan(
            eval_id=self.eval_id,
            priority=self.priority,
            all_at_once=self.all_at_once,
            job=job,
            job_info=NamespacedId(namespace=job.namespace, id=job.id) if job else None,
            node_update=_freeze(self.node_update),
            node_allocation=_freeze(self.node_allocation),
            node_preemptions=_freeze(self.node_preemptions),
            deployment=self.deployment,
            deployment_updates=self.deployment_updates,
            annotations=self.annotations,
        )

    def _touch(self, node_id: str) -> None:
        self._proposed.pop(node_id, None)
        self._touched.append(node_id)

    def list_touched(self, since: int) -> Sequence[str]:
        """List the nodes whose lists were changed, after so many changes: each as often as it was.

        Whoever counts what the plan does need not count all of it again.
        """
        return self._touched[since:]

    def _append(self, lists: Lists, alloc: Allocation) -> None:
        self._touch(alloc.node_id)
        lists.setdefault(alloc.node_id, []).append(alloc)

    def _extend_states(self, alloc: Allocation, status: str) -> tuple[AllocState, ...]:
        return (*alloc.alloc_states, AllocState(field=0, value=status, time_ns=self.now_ns))

    def has_entries(self, node_id: str) -> bool:
        """True if the plan does anything on a node."""
        return (
            node_id in self.node_update or node_id in self.node_allocation or node_id in self.node_preemptions
        )

    def _compute_proposed(self, node_id: str) -> tuple[Allocation, ...]:
        if not self.has_entries(node_id):
            present = self.snapshot.map_present_on_node(node_id)
            return tuple(present[alloc_id] for alloc_id in self.choices.ordered(present)) if present else ()
        there = self.snapshot.list_allocs_of_node(node_id)
        if not there and node_id not in self.node_allocation:
            return ()
        gone = {alloc.id for alloc in self.node_update.get(node_id, ())}
        gone.update(alloc.id for alloc in self.node_preemptions.get(node_id, ()))
        present = {
            alloc.id: alloc for alloc in there if alloc.id not in gone and not is_client_terminal(alloc)
        }
        present |= {alloc.id: alloc for alloc in self.node_allocation.get(node_id, ())}
        return tuple(present[alloc_id] for alloc_id in self.choices.ordered(present))


def _freeze(lists: Lists) -> Mapping[str, tuple[Allocation, ...]]:
    return {node_id: tuple(allocs) for node_id, allocs in lists.items()}
