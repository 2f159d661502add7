"""What becomes of a history: what every look at a job did, and what is wrong with it in the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from nomadspec.checkers.report.job_versions import Jobs
from nomadspec.checkers.report.plans import Naming, list_acts
from nomadspec.checkers.stateful.clusters.cluster import Cluster, Names
from nomadspec.checkers.stateful.clusters.histories import Single
from nomadspec.checkers.stateful.clusters.history_text import list_singles, tell_set_up, tell_step
from nomadspec.checkers.stateful.clusters.scheduler_findings import SchedulerFinding, find_problems
from nomadspec.invariants.cluster.scheduler import Decision
from nomadspec.model.cluster.entities import Allocation
from nomadspec.model.cluster.scheduler.choices import FreeChoices
from nomadspec.model.cluster.store.state import State


@dataclass(frozen=True, slots=True)
class Lived:
    """A history that was lived through."""

    moments: tuple[Moment, ...]
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
    moments = tuple(_list_moments(finding))
    return Lived(
        moments=moments,
        lines=tuple(_tell(finding, moments)),
        problems=tuple(find_problems(finding, finding.profile)),
        cured=None if cured is None else tuple(find_problems(finding, cured)),
    )


@dataclass(frozen=True, slots=True)
class Moment:
    """A step of a history, and what the schedulers made of it."""

    number: int
    label: str
    singles: tuple[Single, ...]
    before: State
    happened: State
    """What the store held once it had happened, before any scheduler looked."""
    decisions: tuple[tuple[Decision, str], ...]
    """Each with what it did, in words."""

    @property
    def title(self) -> str:
        """Give the step with its number."""
        return f"{self.number}. {self.label}"


def _list_moments(finding: SchedulerFinding) -> Iterator[Moment]:
    """Live through the history of a finding, step by step."""
    history = finding.history
    cluster = Cluster(Names(), finding.profile, FreeChoices(history.seed))
    cluster.begin(history)
    jobs = Jobs()
    for number, step in enumerate(history.steps, 1):
        before = cluster.state
        decisions = tuple((each, tell_decision(each)) for each in cluster.take(step))
        happened = decisions[0][0].before.state if decisions else cluster.state
        yield Moment(number, tell_step(step, jobs.tell), list_singles(step), before, happened, decisions)


def _tell(finding: SchedulerFinding, moments: Iterable[Moment]) -> Iterator[str]:
    yield from tell_set_up(finding.history)
    for moment in moments:
        yield moment.title
        for decision, told in moment.decisions:
            yield f"     the scheduler looks at {decision.evaluation.job_id}: {told}"


def tell_decision(decision: Decision) -> str:
    """Tell what a call of a scheduler did, plan by plan, and how its evaluation ended."""
    naming = Naming(
        name_alloc=lambda alloc: _name(decision, alloc),
        name_deployment=lambda _: "the deployment",
        name_follow_up=lambda _: "a follow-up",
    )
    plans = ("; ".join(list_acts(decision.before.state, plan, naming)) for plan in decision.outcome.plans)
    done = [_say_times(told, sum(1 for _ in alike)) for told, alike in groupby(plans) if told]
    ended = sorted(
        {each.status for each in decision.outcome.updated_evals if each.id == decision.evaluation.id}
    )
    done += [f"the evaluation is {status}" for status in ended]
    made = Counter(each.status for each in decision.outcome.created_evals)
    done += [
        f"makes a {status} evaluation" if number == 1 else f"makes {number} {status} evaluations"
        for status, number in made.items()
    ]
    return "; ".join(done) or "nothing"


def _say_times(told: str, number: int) -> str:
    return told if number == 1 else f"{told}; plans the same {number - 1} times more"


def _name(decision: Decision, alloc: Allocation) -> str:
    stored = decision.before.find_alloc(alloc.id)
    return alloc.name or (stored.name if stored else alloc.id)
