"""What becomes of a history: what every look at a job did, and what is wrong with it in the end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nomadspec.checkers.report.job_versions import Jobs
from nomadspec.checkers.stateful.clusters.cluster import Cluster, Names
from nomadspec.checkers.stateful.clusters.findings import SchedulerFinding, find_problems
from nomadspec.checkers.stateful.clusters.telling import tell_set_up, tell_step
from nomadspec.invariants.cluster.scheduler import Decision
from nomadspec.model.cluster.entities import Allocation, Plan
from nomadspec.model.cluster.scheduler.choices import FreeChoices


@dataclass(frozen=True, slots=True)
class Lived:
    """A history that was lived through."""

    lines: tuple[str, ...]
    """What is set up, what happens, and what the schedulers make of it."""
    problems: tuple[str, ...]
    """What is wrong under the profile that shows the finding."""
    cured: tuple[str, ...] | None
    """What is wrong where the finding is cured; None where no cure is modelled."""

    @property
    def verdict_of_cure(self) -> str:
        """Say whether the cure ends it."""
        if self.cured is None:
            return "No cure of it is modelled."
        return "; ".join(self.cured) if self.cured else "With its cure nothing is wrong."


def live(finding: SchedulerFinding) -> Lived:
    """Live through the history of a finding, once as it is and once cured."""
    cured = finding.cured_profile
    return Lived(
        lines=tuple(_tell(finding)),
        problems=tuple(find_problems(finding)),
        cured=None if cured is None else tuple(find_problems(finding, cured)),
    )


def _tell(finding: SchedulerFinding) -> Iterator[str]:
    history = finding.history
    cluster = Cluster(Names(), finding.profile, FreeChoices(history.seed))
    cluster.begin(history)
    yield from tell_set_up(history)
    jobs = Jobs()
    for number, step in enumerate(history.steps, 1):
        yield f"{number}. {tell_step(step, jobs.tell)}"
        for decision in cluster.take(step):
            yield f"     the scheduler looks at {decision.evaluation.job_id}: {tell_decision(decision)}"


def tell_decision(decision: Decision) -> str:
    """Tell what a call of a scheduler did, plan by plan, and how its evaluation ended."""
    done = [part for plan in decision.outcome.plans for part in _tell_plan(decision, plan)]
    ended = sorted(
        {each.status for each in decision.outcome.updated_evals if each.id == decision.evaluation.id}
    )
    done += [f"the evaluation is {status}" for status in ended]
    made = [f"{each.status} evaluation" for each in decision.outcome.created_evals]
    done += [f"makes a {each}" for each in made]
    return "; ".join(done) or "nothing"


def _tell_plan(decision: Decision, plan: Plan) -> Iterator[str]:
    for node, allocs in sorted(plan.node_update.items()):
        yield from (f"stops {_name(alloc)} on {node}" for alloc in allocs)
    for node, allocs in sorted(plan.node_preemptions.items()):
        yield from (f"evicts {_name(alloc)} on {node}" for alloc in allocs)
    for node, allocs in sorted(plan.node_allocation.items()):
        for alloc in allocs:
            is_new = decision.before.find_alloc(alloc.id) is None
            yield f"{'places' if is_new else 'writes'} {_name(alloc)} on {node}"
    for update in plan.deployment_updates:
        yield f"calls the deployment {update.status}"


def _name(alloc: Allocation) -> str:
    return alloc.name or alloc.id
