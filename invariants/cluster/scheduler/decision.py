"""One call of a scheduler with what came before and after it."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from nomadspec.model.cluster.entities import Allocation, AllocDesired, EvalStatus, Evaluation, Job, Plan
from nomadspec.model.cluster.scheduler.outcome import Outcome
from nomadspec.model.cluster.scheduler.snapshot import Snapshot
from nomadspec.model.specification.profiles import Profile


class Decision(Struct, frozen=True, kw_only=True):
    """One call of a scheduler, whose plans were taken whole."""

    before: Snapshot
    evaluation: Evaluation
    outcome: Outcome
    after: Snapshot
    now_ns: int
    profile: Profile

    @property
    def has_used_up_attempts(self) -> bool:
        """True if the call ended without a complete evaluation: its plans were rejected too often."""
        return any(each.status == EvalStatus.FAILED for each in self.outcome.updated_evals)

    @property
    def job(self) -> Job | None:
        """The job that the call was about; None when it is gone."""
        return self.before.find_job(self.evaluation.namespace, self.evaluation.job_id)

    def list_placed(self) -> Iterator[Allocation]:
        """List the allocations that the call made, each with the job that it belongs to."""
        for plan in self.outcome.plans:
            for alloc in list_written(plan):
                stored = self.after.find_alloc(alloc.id)
                if stored is not None and self.before.find_alloc(alloc.id) is None:
                    yield stored

    def list_stopped(self, description: str) -> Iterator[Allocation]:
        """List the allocations that the call stops with a description, as they were."""
        for plan in self.outcome.plans:
            for allocs in plan.node_update.values():
                for alloc in allocs:
                    stored = self.before.find_alloc(alloc.id)
                    is_stop = alloc.desired_status == AllocDesired.STOP
                    if is_stop and alloc.desired_description == description and stored is not None:
                        yield stored


def list_written(plan: Plan) -> Iterator[Allocation]:
    """List what a plan places or updates."""
    for allocs in plan.node_allocation.values():
        yield from allocs
