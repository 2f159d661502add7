"""What the reconciler of services and batches is given, and what it decides."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from msgspec import Struct

from nomadspec.model.cluster.entities import (
    Allocation,
    Deployment,
    DeploymentStatusUpdate,
    DesiredUpdates,
    Evaluation,
    Job,
    TaskGroup,
)
from nomadspec.model.cluster.policy.names import NameIndex
from nomadspec.model.cluster.policy.update import UpdateVerdict
from nomadspec.model.cluster.scheduler.choices import Choices
from nomadspec.model.cluster.scheduler.reasons import Bucketed, ReasonLog
from nomadspec.model.cluster.scheduler.requests import DestructiveRequest, PlacementRequest
from nomadspec.model.cluster.scheduler.tainted import Tainted
from nomadspec.model.specification.profiles import Profile

AllocSet: TypeAlias = Mapping[str, Allocation]
"""Allocations by ID, in no order that means anything."""


class UpdateJudge(Protocol):
    """What says whether an allocation can follow its job where it is."""

    def judge(self, alloc: Allocation, group: TaskGroup) -> tuple[UpdateVerdict, Allocation | None]:
        """Judge an allocation; one that is updated in place comes with its new form."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReconcileInput:
    """All that the reconciler looks at.

    Spec: REC-01.
    """

    job: Job | None
    """The job; None when it was purged."""
    job_id: str
    is_batch: bool
    """Which scheduler runs, whatever the type of the job."""
    deployment: Deployment | None
    """The latest deployment of the job."""
    allocs: tuple[Allocation, ...]
    tainted: Tainted
    evaluation: Evaluation
    now_ns: int
    choices: Choices
    updater: UpdateJudge
    reasons: ReasonLog
    profile: Profile

    def visit(self, allocs: AllocSet) -> list[Allocation]:
        """List a set of allocations in the order in which it is visited.

        Spec: REC-95.
        """
        return [allocs[alloc_id] for alloc_id in self.choices.ordered(allocs)]

    def note(
        self, allocs: Iterable[Allocation], bucket: str, rule: str, why: str = "", **operands: object
    ) -> None:
        """Note what was made of allocations, by which rule, and what that looked at."""
        if not self.reasons.is_on:
            return
        for alloc in allocs:
            self.reasons.note_bucket(
                Bucketed(
                    alloc_id=alloc.id,
                    group=alloc.task_group,
                    bucket=bucket,
                    rule=rule,
                    why=why,
                    operands={"desired": alloc.desired_status, "client": alloc.client_status, **operands},
                )
            )


class StopRequest(Struct, frozen=True, kw_only=True):
    """An allocation to be stopped, and what is written on it.

    Spec: GENERIC-17.
    """

    alloc: Allocation
    description: str
    client_status: str = ""
    followup_eval_id: str = ""


class Reconciled(Struct, frozen=True, kw_only=True):
    """What has to be done so that what is becomes what shall be; each list in its order.

    Spec: REC-02, REC-94.
    """

    deployment: Deployment | None = None
    deployment_updates: tuple[DeploymentStatusUpdate, ...] = ()
    placements: tuple[PlacementRequest, ...] = ()
    destructive: tuple[DestructiveRequest, ...] = ()
    in_place_updates: tuple[Allocation, ...] = ()
    stops: tuple[StopRequest, ...] = ()
    attribute_updates: tuple[Allocation, ...] = ()
    """Allocations that only learn which evaluation will look at them again."""
    disconnect_updates: tuple[Allocation, ...] = ()
    reconnect_updates: tuple[Allocation, ...] = ()
    desired_updates: Mapping[str, DesiredUpdates] = {}
    followup_evals: tuple[Evaluation, ...] = ()
    name_indexes: Mapping[str, NameIndex] = {}
