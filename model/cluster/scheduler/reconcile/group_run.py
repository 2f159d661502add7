"""What is known of one group while it is reconciled, and what is decided for it so far."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from nomadspec.model.cluster.entities import (
    Allocation,
    AllocClient,
    DeploymentState,
    DesiredUpdates,
    Evaluation,
    Job,
    TaskGroup,
)
from nomadspec.model.cluster.policy.names import NameIndex, find_index
from nomadspec.model.cluster.scheduler.reconcile.deployments import JobDeployments
from nomadspec.model.cluster.scheduler.reconcile.inputs import AllocSet, ReconcileInput, StopRequest
from nomadspec.model.cluster.scheduler.requests import DestructiveRequest, PlacementRequest
from nomadspec.model.specification.quirks import REPLACED_AGAIN


@dataclass(slots=True)
class Decisions:
    """What is decided for one group; the updates that are visited over all groups stand by ID.

    Spec: REC-02, REC-94.
    """

    counts: Counter[str] = field(default_factory=Counter)
    """The counters of the group, by the names that they have in the answer."""
    placements: list[PlacementRequest] = field(default_factory=list)
    destructive: list[DestructiveRequest] = field(default_factory=list)
    in_place_updates: list[Allocation] = field(default_factory=list)
    stops: list[StopRequest] = field(default_factory=list)
    attribute_updates: dict[str, Allocation] = field(default_factory=dict)
    disconnect_updates: dict[str, Allocation] = field(default_factory=dict)
    reconnect_updates: dict[str, Allocation] = field(default_factory=dict)
    followup_evals: list[Evaluation] = field(default_factory=list)
    names: NameIndex | None = None
    is_complete: bool = True
    """Whether nothing of the group keeps the deployment from being complete."""

    def stop(
        self, alloc: Allocation, description: str, client_status: str = "", followup_eval_id: str = ""
    ) -> None:
        """Stop an allocation."""
        self.stops.append(
            StopRequest(
                alloc=alloc,
                description=description,
                client_status=client_status,
                followup_eval_id=followup_eval_id,
            )
        )

    def build_counters(self) -> DesiredUpdates:
        """Give the counters.

        Spec: REC-94.
        """
        return DesiredUpdates(**self.counts)


@dataclass(slots=True)
class GroupRun:
    """One group of a running job while it is reconciled: each stage takes from it and leaves in it."""

    call: ReconcileInput
    job: Job
    group: TaskGroup
    deployments: JobDeployments
    state: DeploymentState
    """How far the group has come under its deployment, or where it will begin."""
    is_existing: bool
    """Whether that was found in the current deployment."""
    allocs: dict[str, Allocation]
    """What the group has; after the first stages what is left of it."""
    done: Decisions = field(default_factory=Decisions)

    canaries: AllocSet = field(default_factory=dict)
    """The current canaries."""
    untainted: dict[str, Allocation] = field(default_factory=dict)
    migrate: dict[str, Allocation] = field(default_factory=dict)
    lost: dict[str, Allocation] = field(default_factory=dict)
    disconnecting: dict[str, Allocation] = field(default_factory=dict)
    reconnecting: dict[str, Allocation] = field(default_factory=dict)
    expiring: dict[str, Allocation] = field(default_factory=dict)
    now: dict[str, Allocation] = field(default_factory=dict)
    """What is placed again at once."""
    later: dict[str, int] = field(default_factory=dict)
    """When the others are due that shall be placed again, by ID."""
    lost_later: dict[str, str] = field(default_factory=dict)
    """The evaluation that looks again at lost ones which their clients may still be stopping, by ID."""
    names: NameIndex = field(init=False)
    destructive: dict[str, Allocation] = field(default_factory=dict)
    needs_canaries: bool = False
    requests: list[PlacementRequest] = field(default_factory=list)
    """What should be placed, if the deployment lets it."""

    def is_canarying(self) -> bool:
        """True while canaries of the group are out and not promoted.

        Spec: REC-18.
        """
        return self.state.desired_canaries != 0 and not self.state.promoted

    def is_unknown(self, alloc: Allocation) -> bool:
        """True while an allocation counts as unknown: the release takes it for one that runs.

        Spec: DISC-12, X-69.
        """
        return alloc.client_status == AllocClient.UNKNOWN and not self.call.profile.has(REPLACED_AGAIN)

    def is_replaced(self, alloc: Allocation) -> bool:
        """True while an allocation that counts as unknown has a replacement, or had one.

        Spec: DISC-08, X-69.
        """
        return self.is_unknown(alloc) and bool(alloc.next_allocation)

    def is_place_ready(self) -> bool:
        """True while the deployment lets the group go on.

        Spec: REC-82.
        """
        return not (self.deployments.is_paused or self.deployments.is_failed or self.is_canarying())

    def is_of_present_version(self, alloc: Allocation) -> bool:
        """True if an allocation runs the very version of the job that is reconciled.

        Spec: VERS-02.
        """
        own, job = alloc.job or Job(), self.job
        return (own.version, own.create_index) == (job.version, job.create_index)

    def find_index(self, alloc: Allocation) -> int:
        """Read the index in the name of an allocation."""
        return find_index(alloc.name, self.job.id, self.group.name)

    def sort_by_index(self, allocs: AllocSet) -> list[Allocation]:
        """List allocations by index; those of one index as they are visited.

        Spec: REC-85, REC-86, REC-95.
        """
        return sorted(self.call.visit(allocs), key=self.find_index)
