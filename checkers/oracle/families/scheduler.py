"""Judges recorded calls of the real scheduler: with its choices made again, all must come out alike."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from msgspec.structs import replace

from nomadspec.checkers.oracle.compare import Rules, compare
from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.equivalence import BROKEN_OFF, REFUSED_REBLOCK, are_both_broken_off
from nomadspec.checkers.oracle.families.scheduler_reading import Jobs, Tables, Vector, read_row, read_vector
from nomadspec.checkers.oracle.families.scheduler_renaming import rename
from nomadspec.checkers.oracle.families.scheduler_replay import (
    REFUSED_REBLOCKS,
    Replay,
    Server,
    Unanswered,
    tell_as_recorded,
)
from nomadspec.checkers.oracle.families.scheduler_showing import list_evals, show_plan
from nomadspec.checkers.oracle.families.scheduler_unspecified import demand_told
from nomadspec.checkers.oracle.judgement import ABSENT, Difference, Judge
from nomadspec.checkers.oracle.relation.judging import judge_relation
from nomadspec.checkers.oracle.relation.recorded_call import RecordedCall
from nomadspec.model.cluster.codec import write
from nomadspec.model.cluster.entities import Evaluation, Plan
from nomadspec.model.cluster.scheduler.choices import ReplayedChoices
from nomadspec.model.cluster.scheduler.outcome import Outcome
from nomadspec.model.cluster.scheduler.schedule import schedule
from nomadspec.model.errors import ChoiceError

RULES: Final[Rules] = (
    ("plan.NodeUpdate.*[].DesiredDescription", "REC-94"),
    ("plan.NodeUpdate", "GENERIC-16"),
    ("plan.NodeAllocation.*[].Metrics", "FEAS-86"),
    ("plan.NodeAllocation.*[].NodeID", "RANK-20"),
    ("plan.NodeAllocation.*[].Name", "GENERIC-36"),
    ("plan.NodeAllocation.*[].RescheduleTracker", "RESCHED-13"),
    ("plan.NodeAllocation.*[].DeploymentID", "GENERIC-26"),
    ("plan.NodeAllocation.*[].DeploymentStatus", "GENERIC-35"),
    ("plan.NodeAllocation.*[].AllocatedResources", "RANK-75"),
    ("plan.NodeAllocation", "GENERIC-16"),
    ("plan.NodePreemptions", "PREEMPT-24"),
    ("plan.Deployment", "REC-88"),
    ("plan.DeploymentUpdates", "REC-90"),
    ("plan.Annotations", "GENERIC-23"),
    ("plans", "GENERIC-05"),
    ("created_evals[].ClassEligibility", "FEAS-25"),
    ("created_evals[].FailedTGAllocs", "GENERIC-38"),
    ("created_evals", "GENERIC-41"),
    ("updated_evals[].QueuedAllocations", "GENERIC-24"),
    ("updated_evals[].PlanAnnotations", "OBJ-284"),
    ("updated_evals[].FailedTGAllocs", "GENERIC-38"),
    ("updated_evals", "GENERIC-43"),
    ("reblocked_evals", "GENERIC-42"),
    ("error", "GENERIC-05"),
    ("choices", "RANK-08"),
)


@dataclass(frozen=True, slots=True)
class Recorded:
    """What came out of a recorded call, as objects."""

    plans: Sequence[Plan]
    evals: Mapping[str, Sequence[Evaluation]]
    unknown: Sequence[str]
    """The paths of members that no object has."""

    @staticmethod
    def of(vector: Vector, jobs: Jobs) -> Recorded:
        """Read the outcome of a recording."""
        unknown: list[str] = []
        told = vector.outcome
        lists = {
            "created_evals": told.created_evals,
            "updated_evals": told.updated_evals,
            "reblocked_evals": told.reblocked_evals,
        }
        return Recorded(
            plans=[
                jobs.read_plan(each.plan, f"outcome.plans[{turn}].plan", unknown)
                for turn, each in enumerate(told.plans or ())
            ],
            evals={
                name: [
                    read_row(Evaluation, raw, f"outcome.{name}[{at}]", unknown)
                    for at, raw in enumerate(rows or ())
                ]
                for name, rows in lists.items()
            },
            unknown=unknown,
        )


def judge(document: Mapping[str, Any], context: Context) -> Iterator[Difference]:
    """Run the model with the recorded choices and compare all that it does, as far as the rules tell it."""
    vector = read_vector(document)
    jobs = Jobs.of(vector)
    recorded = Recorded.of(vector, jobs)
    for path in recorded.unknown:
        yield Difference(path, "a member", ABSENT, "WIRE-004")
    found: list[Difference] = []
    try:
        found.extend(_judge(vector, jobs, recorded, context))
    except ChoiceError:
        _demand_told(vector, jobs, recorded)
        raise
    if found:
        _demand_told(vector, jobs, recorded)
    yield from found


def _demand_told(vector: Vector, jobs: Jobs, recorded: Recorded) -> None:
    given = Tables.of(vector, jobs).build().state
    demand_told(given, read_row(Evaluation, vector.eval, "eval"), recorded.plans)


def _judge(vector: Vector, jobs: Jobs, recorded: Recorded, context: Context) -> Iterator[Difference]:
    if context.ignores_choices:
        call = RecordedCall(vector, jobs, recorded.plans, recorded.evals, context.profile)
        yield from judge_relation(call, RULES)
        return
    tables = Tables.of(vector, jobs)
    replay = Replay(vector.outcome.plans or (), recorded.plans, tables)
    choices = vector.choices.replay()
    outcome = _run(vector, replay, choices, context)
    forgiven = find_forgiven(vector, outcome.error) if outcome is not None else ""
    if outcome is not None and forgiven:
        context.forgive(forgiven)
        outcome = replace(tell_as_recorded(outcome, vector.outcome), error=vector.outcome.error)
    if not _is_same(vector, recorded, replay, outcome):
        yield from _compare(vector, recorded, replay, outcome, choices, jobs)
    unused = choices.find_unused()
    if unused:
        yield Difference(unused, "a choice", ABSENT, "RANK-08")


def _run(vector: Vector, replay: Replay, choices: ReplayedChoices, context: Context) -> Outcome | None:
    """Run the model; none when it asks for one more answer than there is."""
    try:
        return schedule(
            replay.tables.build(),
            read_row(Evaluation, vector.eval, "eval"),
            vector.now_ns,
            choices,
            Server(replay.submit, replay.find_eval),
            scheduler=vector.scheduler,
            profile=context.profile,
        )
    except Unanswered:
        return None


def find_forgiven(vector: Vector, error: str | None) -> str:
    """Find why a call may have ended with other words than it was recorded to; empty where it may not.

    Spec: GENERIC-03, SYSTEM-07, WORKER-30.
    """
    told = vector.outcome.error
    if error == told:
        return ""
    if are_both_broken_off(told, error):
        return BROKEN_OFF
    return REFUSED_REBLOCK if told and error in REFUSED_REBLOCKS else ""


def _is_same(vector: Vector, recorded: Recorded, replay: Replay, outcome: Outcome | None) -> bool:
    if outcome is None or outcome.error != vector.outcome.error:
        return False
    return list(recorded.plans) == replay.plans and recorded.evals == list_evals(outcome)


def _compare(
    vector: Vector,
    recorded: Recorded,
    replay: Replay,
    outcome: Outcome | None,
    choices: ReplayedChoices,
    jobs: Jobs,
) -> Iterator[Difference]:
    theirs: dict[str, Any] = {"plans": [{"plan": show_plan(plan, jobs)} for plan in recorded.plans]}
    ours: dict[str, Any] = {"plans": [{"plan": show_plan(plan, jobs)} for plan in replay.plans]}
    if outcome is not None:
        theirs |= {name: [write(each) for each in rows] for name, rows in recorded.evals.items()}
        theirs["error"] = vector.outcome.error
        ours |= {name: [write(each) for each in rows] for name, rows in list_evals(outcome).items()}
        ours["error"] = outcome.error
    renamed = rename(theirs, ours, choices.drawn, vector.choices.ids)
    yield from compare(theirs, renamed, "outcome", RULES)


JUDGES: Final[Mapping[str, Judge]] = {"": judge}
