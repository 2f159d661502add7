"""What evaluations were seen to do is what they do when a story is told."""

from dataclasses import replace

import pytest

from nomadspec.checkers.diagrams.sightings import (
    PLANNED,
    WHOLE,
    Sighting,
    Standing,
    compare,
    list_sightings,
    watch,
)
from nomadspec.checkers.explore import explore
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.errors import UsageError
from nomadspec.model.kernel.kernel import KERNEL
from nomadspec.model.language.domain import NONE
from nomadspec.model.language.story import DEADLOCK, replay
from nomadspec.model.lifecycle.evaluation import EvalStatus
from nomadspec.model.lifecycle.evaluation_full import EvalPhase
from nomadspec.model.lifecycle.evaluation_place import EvalPlace
from nomadspec.model.lifecycle.table import ArrowKind, number_of
from tests.checkers.diagrams.seen import seen_in

_PENDING, _BLOCKED, _, _FAILED, _ = map(number_of, EvalStatus)
ABSENT = Standing(NONE, NONE, NONE, 0)
READY = Standing(_PENDING, EvalPlace.READY, EvalPhase.PENDING, 0)
GIVEN_UP = Standing(_PENDING, EvalPlace.FAILED_QUEUE, EvalPhase.PENDING, 0)
FAILED = Standing(_FAILED, EvalPlace.NOWHERE, EvalPhase.FAILED, 0)
WAITING = Standing(_PENDING, EvalPlace.DELAYED, EvalPhase.DELAYED, 0)
AT_WORK = Standing(_BLOCKED, EvalPlace.UNACKED, EvalPhase.SCHEDULING, 0)
AGAIN = Standing(_BLOCKED, EvalPlace.UNACKED, EvalPhase.BLOCKED, 0)


def ends(before: tuple[Standing, ...], after: tuple[Standing, ...], rule: str, maker: int | None) -> set[str]:
    return {
        f"{one.lifecycle} {one.kind.value} {one.source} {one.target}"
        for one in compare(before, after, rule, maker)
    }


def test_an_event_makes_an_evaluation() -> None:
    assert ends((ABSENT,), (READY,), "UpdateJob", None) == {
        f"evaluation creation {NONE} {_PENDING}",
        f"evaluation-full creation {NONE} {EvalPhase.PENDING:d}",
        f"evaluation-place creation {NONE} {EvalPlace.NOWHERE:d}",
        f"evaluation-place change {EvalPlace.NOWHERE:d} {EvalPlace.READY:d}",
    }


def test_a_follow_up_comes_from_what_reached_the_limit() -> None:
    seen = ends((GIVEN_UP, ABSENT), (FAILED, WAITING), "ReapFailed", 0)

    assert f"evaluation creation {_FAILED} {_PENDING}" in seen
    assert f"evaluation-full creation {EvalPhase.FAILED:d} {EvalPhase.PENDING:d}" in seen
    assert f"evaluation-full change {EvalPhase.PENDING:d} {EvalPhase.DELAYED:d}" in seen
    assert f"evaluation-place change {EvalPlace.FAILED_QUEUE:d} {EvalPlace.UNACKED:d}" in seen
    assert f"evaluation-place change {EvalPlace.UNACKED:d} {EvalPlace.NOWHERE:d}" in seen


def test_blocking_again_is_a_step_though_the_record_stays() -> None:
    again = f"evaluation change {_BLOCKED} {_BLOCKED}"

    assert again in ends((AT_WORK,), (AGAIN,), "WriteOutcome", None)
    assert again not in ends((AT_WORK,), (AGAIN,), "LoseLeader", None)


def test_every_world_of_the_scope_is_looked_at() -> None:
    report = explore(
        KERNEL.at("delivery-limit", profile="nomad-2.0"),
        reduction="symmetry",
        properties=[DEADLOCK],
        stop_at_first=False,
    )
    seen = seen_in("delivery-limit")

    assert report.distinct == len(seen.explored.worlds)
    assert report.fired["ReapFailed"] == sum(
        times
        for sighting, times in seen.counts.items()
        if sighting.rule == "ReapFailed" and sighting.target == _FAILED
        if sighting.lifecycle == "evaluation" and sighting.kind is ArrowKind.CHANGE
    )


def test_a_told_story_ends_in_the_step() -> None:
    seen = seen_in("delivery-limit")
    bounded = seen.task.bounded
    for sighting in seen.counts:
        again = replay(seen.tell(sighting), bounded)

        before, last = again.worlds[-2], again.moments[-1]
        shown = replace(sighting, rule=sighting.rule.removesuffix(f" {PLANNED}"))
        assert shown in list_sightings(bounded, before, last.instance, last.cells)


def test_the_outcome_of_a_committed_plan_comes_right_after_its_commit() -> None:
    seen = seen_in("delivery-limit")
    bounded = seen.task.bounded
    planned = [each for each in seen.counts if each.rule.endswith(PLANNED)]
    for sighting in planned:
        again = replay(seen.tell(sighting), bounded)
        committed = again.moments[-2]
        answered = list_sightings(bounded, again.worlds[-3], committed.instance, committed.cells)

        assert any(each.rule.endswith(WHOLE) and each.source == EvalPhase.APPLYING for each in answered)
    assert {"evaluation", "evaluation-full"} == {each.lifecycle for each in planned}


def test_the_first_story_is_a_shortest_one() -> None:
    dequeued = Sighting("evaluation-place", ArrowKind.CHANGE, EvalPlace.READY, EvalPlace.UNACKED, "Dequeue")

    assert 1 == len(seen_in("delivery-limit").tell(dequeued).steps)


def test_other_models_have_no_evaluations_to_see() -> None:
    with pytest.raises(UsageError, match="2pc is not the kernel"):
        watch(find_model("2pc").at(profile="nomad-2.0"))
