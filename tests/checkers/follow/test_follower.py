"""Logs are followed: compared with a plain search, and each way to end tried."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from nomadspec.checkers.follow import follow
from nomadspec.checkers.follow.report import FollowReport
from nomadspec.checkers.report.loading import load_model
from nomadspec.checkers.report.logs import read_log
from nomadspec.checkers.verdict import Verdict
from nomadspec.model.errors import UsageError
from nomadspec.model.language.bounded import Cells
from nomadspec.model.language.domain import FLAG, Id, upto
from nomadspec.model.language.logic import not_
from nomadspec.model.language.model import Model
from nomadspec.model.language.rule import rule
from nomadspec.model.language.story import Moment, replay
from nomadspec.model.language.world import World, field
from tests.checkers.follow.logs import Case, Walk, is_seen, make_case
from tests.tidy.source import ROOT

DRAIN = load_model(f"{ROOT}/docs/how-to/examples/drain.py:DRAIN").at("small")


@pytest.mark.parametrize(
    "block", [0, *(pytest.param(block, marks=pytest.mark.deep) for block in range(1, 20))]
)
def test_random_logs_agree_with_a_plain_search(block: int, tmp_path: Path) -> None:
    for seed in range(40 * block, 40 * block + 40):
        case = make_case(seed)
        log = read_log(case.write(tmp_path / "log.ndjson"), case.bounded)

        report = follow(case.bounded, log)

        wanted = case.find_impossible()
        found = report.rejection.line - 2 if report.rejection is not None else None
        assert wanted == found, seed
        assert (len(case.lines) if wanted is None else wanted) == report.followed
        assert goes_through(case, report)


def goes_through(case: Case, report: FollowReport) -> bool:
    """Tell whether the story takes the steps of the lines in their order, and else only unseen ones."""
    told = replay(report.story, case.bounded)
    reached = {0}
    for moment, before in zip(told.moments, told.worlds, strict=False):
        is_unseen = moment.instance.rule.name in case.unseen
        taken = {at + 1 for at in reached if at < report.followed and is_step(case.lines[at], before, moment)}
        reached = taken | (reached if is_unseen else set())
    return report.followed in reached


def is_step(line: Mapping[str, Any], before: Cells, moment: Moment) -> bool:
    mark = line.get("arguments", {}).get("mark")
    is_named = moment.instance.rule.name == line["rule"] and mark in {None, moment.instance.arguments[0]}
    seen = is_seen(before, line.get("before", {})) and is_seen(moment.cells, line.get("after", {}))
    return is_named and seen


@pytest.mark.deep
def test_random_logs_give_each_answer() -> None:
    found = [make_case(seed).find_impossible() for seed in range(400)]

    assert 120 < sum(line is None for line in found)
    assert 80 < sum(line is not None for line in found)
    assert 15 < sum(line is not None and line > 1 for line in found)


def write(path: Path, *lines: Any) -> Path:
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return path


def follow_drain(tmp_path: Path, *lines: Any, **limits: Any) -> FollowReport:
    return follow(DRAIN, read_log(write(tmp_path / "log.ndjson", *lines), DRAIN), **limits)


HEAD_ONLY = {"schema": "nomadspec/log/1"}
HEAD = {
    **HEAD_ONLY,
    "events": {"placed": ["Place"], "node_lost": ["Drain", "Remove"], "tick": []},
    "names": {"web-1": "alloc1", "web-2": "alloc2"},
    "unseen": ["Drain"],
    "ignore": ["time"],
}


def test_hidden_steps_and_choices_are_found(tmp_path: Path) -> None:
    report = follow_drain(
        tmp_path,
        HEAD,
        {"event": "placed", "arguments": {"alloc": "web-1"}, "after": {"place[web-1]": "node2"}, "time": 1},
        {"event": "tick", "after": {"place": {"web-2": "NONE"}}},
        {"event": "placed", "arguments": {"alloc": "web-1"}, "after": {"place": {"web-1": "node1"}}},
        {"event": "node_lost", "arguments": {"node": "node2"}, "after": {"gone[node2]": True}},
    )

    assert (Verdict.HOLDS, None, 4, 4) == (report.verdict, report.stopped_by, report.lines, report.followed)
    assert ["Place(alloc1, node2)", "Drain(node2)", "Place(alloc1, node1)", "Remove(node2)"] == [
        str(step) for step in report.story.steps
    ]
    assert 1 == report.unseen_steps
    assert {"Place": 2, "Drain": 1, "Remove": 1} == dict(report.seen)
    assert () == report.never_seen
    assert len(replay(report.story, DRAIN).moments) == 4


def test_what_comes_out_otherwise_is_shown(tmp_path: Path) -> None:
    placed = {"event": "placed", "arguments": {"alloc": "web-1"}, "after": {"place[web-1]": "node2"}}
    removed = {"rule": "Remove", "arguments": {"node": "node2"}}

    report = follow_drain(
        tmp_path, HEAD, placed, {**placed, "after": {"place[web-1]": "node3"}}, removed, placed
    )

    rejection = report.rejection
    assert rejection is not None
    assert (Verdict.VIOLATED, 5, 3) == (report.verdict, rejection.line, report.followed)
    assert "What was seen after the step does not come of it." == rejection.sentence
    (unlike,) = rejection.unlike
    assert ("place[alloc1]", "node2") == (unlike.cell, unlike.recorded)
    assert "node2" not in unlike.possible
    assert json.loads(rejection.text) == placed
    assert "Drain(node1)" in rejection.possible


def test_what_cannot_be_before_is_shown(tmp_path: Path) -> None:
    report = follow_drain(tmp_path, {"rule": "Place", "before": {"gone": {"node1": True}, "drained": 0}})

    assert report.rejection is not None
    assert "What was seen before the step cannot be there." == report.rejection.sentence
    (unlike,) = report.rejection.unlike
    assert ("gone[node1]", True, (False,)) == (unlike.cell, unlike.recorded, unlike.possible)


def test_a_rule_that_cannot_happen_is_shown_with_what_fails(tmp_path: Path) -> None:
    report = follow_drain(tmp_path, {"rule": "Remove", "arguments": {"node": "node3"}})

    assert report.rejection is not None
    assert "Remove cannot happen there as recorded." == report.rejection.sentence
    (reason,) = report.rejection.reasons
    assert ("Remove(node3)", ("draining[node3]",)) == (reason.application, reason.fails)
    assert [("drained", 2, 0)] == [(one.name, one.limit, one.used) for one in report.budgets]


def test_a_bound_that_is_used_up_is_named(tmp_path: Path) -> None:
    drains = [{"rule": "Drain", "arguments": {"node": f"node{number}"}} for number in (1, 2, 3)]

    report = follow_drain(tmp_path, *drains)

    assert report.rejection is not None
    assert ("drained < 2",) == report.rejection.reasons[0].fails
    assert [True] == [one.is_touched for one in report.budgets]


def test_a_first_world_that_is_none_is_shown(tmp_path: Path) -> None:
    report = follow_drain(tmp_path, {**HEAD, "first": {"drained": 1}}, {"event": "tick"})

    assert report.rejection is not None
    assert (1, "What was seen first is no initial world.", 0) == (
        report.rejection.line,
        report.rejection.sentence,
        report.followed,
    )
    assert (1, (0,)) == (report.rejection.unlike[0].recorded, report.rejection.unlike[0].possible)


@rule("W-2", place=upto(2))
def begin(s: Walk, t: Walk, place: Id) -> None:
    """It begins at a place."""
    t.at = place


@rule("W-3")
def go_on(s: Walk, t: Walk) -> None:
    """It goes on."""
    t.require(s.at < 4)
    t.at = s.at + 1


@pytest.mark.parametrize(
    ("first", "lines", "verdict", "start"),
    [
        ({}, 4, Verdict.HOLDS, "Begin(0)"),
        ({}, 5, Verdict.VIOLATED, "Begin(0)"),
        ({"at": 2}, 2, Verdict.HOLDS, "Begin(2)"),
        ({"at": 2}, 3, Verdict.VIOLATED, "Begin(2)"),
        ({"at": 3}, 1, Verdict.VIOLATED, "Begin(0)"),
    ],
)
def test_what_was_seen_first_chooses_among_initial_worlds(
    tmp_path: Path, first: dict[str, int], lines: int, verdict: Verdict, start: str
) -> None:
    bounded = Model("walk", "a walk", Walk, (go_on,), starts=(begin,)).at()
    path = write(tmp_path / "log.ndjson", {**HEAD_ONLY, "first": first}, *[{"rule": "GoOn"}] * lines)

    report = follow(bounded, read_log(path, bounded))

    assert (verdict, start) == (report.verdict, str(report.story.start))
    assert (verdict is Verdict.HOLDS) == (lines == report.followed)


def test_ways_that_were_given_up_are_no_rejection(tmp_path: Path) -> None:
    lines = (HEAD, {"event": "placed"}, {"rule": "Remove", "arguments": {"node": "node3"}})

    assert Verdict.HOLDS is follow_drain(tmp_path, *lines).verdict
    few = follow_drain(tmp_path, *lines, most_worlds=1)
    assert (Verdict.INCONCLUSIVE, "worlds", None) == (few.verdict, few.stopped_by, few.rejection)
    short = follow_drain(tmp_path, *lines, most_unseen=0)
    assert (Verdict.INCONCLUSIVE, "unseen-steps", 1) == (short.verdict, short.stopped_by, short.followed)
    assert Verdict.HOLDS is follow_drain(tmp_path, *lines, most_unseen=1).verdict


def test_choices_that_were_given_up_are_no_rejection(tmp_path: Path) -> None:
    lines = ({"rule": "Place"}, {"rule": "Place", "before": {"place[alloc2]": "node3"}})

    assert (Verdict.HOLDS, 6) == (
        follow_drain(tmp_path, *lines).verdict,
        follow_drain(tmp_path, *lines).most_worlds,
    )
    few = follow_drain(tmp_path, *lines, most_worlds=5)
    assert (Verdict.INCONCLUSIVE, "worlds", 1) == (few.verdict, few.stopped_by, few.followed)


def test_a_bound_that_is_not_met_leaves_a_rejection_what_it_is(tmp_path: Path) -> None:
    report = follow_drain(
        tmp_path, {"rule": "Remove", "arguments": {"node": "node3"}}, most_worlds=1, most_unseen=0
    )

    assert Verdict.VIOLATED is report.verdict


def test_time_ends_it(tmp_path: Path) -> None:
    report = follow_drain(tmp_path, HEAD, {"event": "placed"}, max_seconds=0)

    assert (Verdict.INCONCLUSIVE, "time", 0) == (report.verdict, report.stopped_by, report.followed)
    with pytest.raises(UsageError, match="most_worlds must be at least 1, not 0"):
        follow_drain(tmp_path, HEAD, {"event": "placed"}, most_worlds=0)


class Cup(World):
    """A cup beside a lamp."""

    level = field(upto(2), init=0, about="how full the cup is")
    is_on = field(FLAG, init=False, about="the lamp is on")


@rule("Cup-1")
def fill(s: Cup, t: Cup) -> None:
    """Somebody fills the cup without looking."""
    t.level = s.level + 1


@rule("Cup-2")
def switch(s: Cup, t: Cup) -> None:
    """Somebody uses a switch."""
    t.is_on = not_(s.is_on)


def follow_cup(names: list[str], folder: Path, unseen: list[str]) -> FollowReport:
    bounded = Model("cup", "a cup", Cup, (fill, switch)).at()
    path = folder / "log.ndjson"
    head = {"schema": "nomadspec/log/1", "unseen": unseen}
    path.write_text("".join(f"{json.dumps(line)}\n" for line in [head, *({"rule": name} for name in names)]))
    return follow(bounded, read_log(path, bounded))


@pytest.mark.parametrize("unseen", [[], ["Fill"]])
def test_a_step_that_fails_matters_only_where_the_log_shows_it(tmp_path: Path, unseen: list[str]) -> None:
    report = follow_cup(["Fill", "Fill", "Switch", "Switch"], tmp_path, unseen)

    assert (Verdict.HOLDS, 4) == (report.verdict, report.followed)


def test_a_step_that_fails_explains_no_line(tmp_path: Path) -> None:
    report = follow_cup(["Fill", "Fill", "Fill"], tmp_path, [])

    assert report.rejection is not None
    assert (Verdict.VIOLATED, 2, 4) == (report.verdict, report.followed, report.rejection.line)
    assert report.rejection.sentence.startswith("Fill can happen there, and fails: Rule Fill (")
    assert ("Switch()",) == report.rejection.possible
