"""What the stages of one attempt share."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from nomadspec.model.cluster.constraints.eligibility import ClassEligibility
from nomadspec.model.cluster.entities import Evaluation, Job, SchedulerConfiguration
from nomadspec.model.cluster.scheduler.choices import Choices
from nomadspec.model.cluster.scheduler.metrics import MetricBuilder
from nomadspec.model.cluster.scheduler.plan_builder import PlanBuilder
from nomadspec.model.cluster.scheduler.reasons import ReasonLog
from nomadspec.model.cluster.scheduler.snapshot import Snapshot
from nomadspec.model.specification.profiles import Profile

FOR_EVERY_NODE: Final = frozenset({"system", "sysbatch"})
"""The schedulers that place on every node which a job may use."""


@dataclass(slots=True)
class Context:
    """One attempt: what it sees, the plan that it makes, and what it has learnt so far.

    Spec: GENERIC-09, FEAS-23.
    """

    snapshot: Snapshot
    evaluation: Evaluation
    scheduler: str
    """Which scheduler runs: service, batch, system or sysbatch, whatever the type of the job."""
    job: Job | None
    """The job that the evaluation is about; None when it was purged."""
    plan: PlanBuilder
    choices: Choices
    now_ns: int
    profile: Profile
    reasons: ReasonLog
    eligibility: ClassEligibility = field(default_factory=ClassEligibility)
    """What is known of classes of nodes: a value, put anew by whoever learns something."""
    metrics: MetricBuilder = field(default_factory=MetricBuilder)
    """Of the search that is under way: put anew at the beginning of each."""
    missing_resources: set[str] = field(default_factory=set)
    """The volumes that no node could have helped with.

    Spec: FEAS-75.
    """

    @property
    def configuration(self) -> SchedulerConfiguration | None:
        """The configuration of the schedulers; None where none was ever stored."""
        return self.snapshot.configuration

    @property
    def is_batch(self) -> bool:
        """True if the batch scheduler runs."""
        return self.scheduler == "batch"

    @property
    def is_for_every_node(self) -> bool:
        """True if a scheduler runs that places on every node which a job may use."""
        return self.scheduler in FOR_EVERY_NODE
