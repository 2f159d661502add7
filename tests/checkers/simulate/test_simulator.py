"""Simulating: the same bytes from the same seed, violations found, and honest reports."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from nomadspec.checkers.simulate import simulate
from nomadspec.checkers.usual_profile import bind_as_usual
from nomadspec.checkers.verdict import Verdict
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.errors import UnknownNameError, UsageError
from nomadspec.model.language.claim import judge
from nomadspec.model.language.model import Model
from nomadspec.model.language.model_promises import DOMAINS_ARE_KEPT, QUEUES_ARE_USED_WELL, RULES_DO_NOT_FAIL
from nomadspec.model.language.property import Kind
from nomadspec.model.language.story import DEADLOCK, replay
from tests.checkers.failing import EMPTIED, GROWING, PUSHED, SERVED, STRUCK
from tests.checkers.simulate.models import FAR, LEVELS, RESTING, STARTS, STUCK

DIGESTS = {
    ("core", "small"): "2f44a78f15b545ef125e2aa18a51ce48",
    ("core", "full"): "dbdba5dd8f04af028b2cdabbe5de9acb",
    ("2pc", "small"): "31ff4971a76b0afef184a66712188cb2",
}
"""Of 50 walks from seed 7; they change only when a model, the layout or the choice of steps does."""

ELSEWHERE = """
import json, sys
from nomadspec.checkers.simulate import simulate
from nomadspec.invariants.catalogue import find_model
report = simulate(find_model("core").at("reused"), seed=3)
story = report.findings[0].story
print(json.dumps([report.digest, report.steps, [str(step) for step in story.steps]]))
assert "hypothesis" not in sys.modules and "z3" not in sys.modules
"""


@pytest.mark.parametrize(("model", "scope"), DIGESTS)
def test_a_seed_gives_the_digest_that_it_gave_before(model: str, scope: str) -> None:
    assert DIGESTS[model, scope] == simulate(bind_as_usual(find_model(model), scope), seed=7, walks=50).digest


def test_another_seed_gives_another_digest() -> None:
    bounded = find_model("2pc").at("small", profile="nomad-2.0")

    assert simulate(bounded, seed=1, walks=2).digest != simulate(bounded, seed=2, walks=2).digest


@pytest.mark.parametrize("hash_seed", ["4711", pytest.param("0", marks=pytest.mark.deep)])
def test_the_same_bytes_come_in_every_process(hash_seed: str) -> None:
    output = subprocess.run(
        [sys.executable, "-c", ELSEWHERE],
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    report = simulate(find_model("core").at("reused"), seed=3)
    (finding,) = report.findings
    assert finding.story is not None

    expected = [report.digest, report.steps, [str(step) for step in finding.story.steps]]
    assert expected == json.loads(output)


@pytest.mark.parametrize(
    ("model", "scope", "about", "steps"),
    [
        ("core", "unchecked", "no_node_is_oversubscribed", 6),
        ("core", "reused", "no_token_is_shared", 3),
        ("2pc", "hasty", "managers_agree", 5),
    ],
)
def test_a_violation_is_told_as_a_short_story(model: str, scope: str, about: str, steps: int) -> None:
    bounded = bind_as_usual(find_model(model), scope)
    report = simulate(bounded, seed=1)
    finding = report.findings[0]
    story = finding.story
    assert story is not None

    assert (Verdict.VIOLATED, "violation") == (report.verdict, report.stopped_by)
    assert (about, Kind.ALWAYS, 1, steps) == (finding.property, finding.kind, story.seed, len(story.steps))
    assert judge(story, replay(story, bounded)).is_true


@pytest.mark.parametrize(("model", "scope"), [("core", "small"), ("core", "full"), ("2pc", "small")])
def test_what_holds_is_not_refuted(model: str, scope: str) -> None:
    report = simulate(bind_as_usual(find_model(model), scope), seed=2, walks=30)

    assert (Verdict.NOT_REFUTED, (), None, 30) == (
        report.verdict,
        report.findings,
        report.stopped_by,
        report.walks,
    )
    assert report.steps == sum(report.fired.values())


def test_the_report_says_what_was_not_checked() -> None:
    report = simulate(LEVELS.at(), seed=1, properties=["level_is_one", "level_is_top"], walks=5)

    assert {
        "level_is_top": "a walk ends, so it cannot show that something never comes true"
    } == report.not_checked
    assert ("level_is_one",) == report.checked
    assert {"level_is_one": True} == report.reached


def test_all_violations_are_found_where_the_first_does_not_end_it() -> None:
    report = simulate(LEVELS.at(), seed=1, walks=20, stop_at_first=False)

    assert ["level_is_low", "level_is_zero", "level_never_falls"] == sorted(
        finding.property for finding in report.findings
    )
    assert (20, None, "level_is_zero") == (report.walks, report.stopped_by, report.findings[-1].property)


def test_budgets_say_how_far_the_environment_went() -> None:
    (budget,) = simulate(find_model("core").at("full", profile="nomad-2.0"), seed=1, walks=30).budgets

    assert ("flipped", 2, 2, True) == (budget.name, budget.limit, budget.used, budget.is_touched)


def test_every_initial_world_is_walked_from_and_a_stuck_one_is_told() -> None:
    report = simulate(STARTS.at(), seed=1)
    (finding,) = report.findings
    assert finding.story is not None
    assert finding.story.start is not None

    assert (DEADLOCK, None) == (finding.property, finding.kind)
    assert ("Begin", 2) == (finding.story.start.rule, len(finding.story.steps))


def test_a_world_in_which_nothing_happens_is_stuck_unless_it_is_at_rest() -> None:
    assert Verdict.NOT_REFUTED is simulate(RESTING.at(), seed=1).verdict
    assert Verdict.VIOLATED is simulate(STUCK.at(), seed=1).verdict
    without_deadlock = replace(STUCK, properties=LEVELS.properties)
    assert Verdict.NOT_REFUTED is simulate(without_deadlock.at(), seed=1, properties=["level_is_low"]).verdict


def test_a_rule_that_leaves_its_domain_is_a_violation_with_a_story() -> None:
    report = simulate(FAR.at(), seed=1)
    (finding,) = report.findings

    assert (Verdict.VIOLATED, DOMAINS_ARE_KEPT, None) == (report.verdict, finding.property, finding.kind)
    assert finding.story is not None
    assert DOMAINS_ARE_KEPT in report.checked
    assert "TurnFar" in judge(finding.story, replay(finding.story, FAR.at())).sentence


@pytest.mark.parametrize(
    ("model", "promise", "steps"),
    [
        (GROWING, DOMAINS_ARE_KEPT, 5),
        (PUSHED, QUEUES_ARE_USED_WELL, 3),
        (SERVED, QUEUES_ARE_USED_WELL, 4),
        (STRUCK, RULES_DO_NOT_FAIL, 2),
        (EMPTIED, QUEUES_ARE_USED_WELL, 2),
    ],
)
def test_what_fails_on_a_walk_is_told_without_needless_steps(model: Model, promise: str, steps: int) -> None:
    report = simulate(model.at(), seed=3)
    (finding,) = report.findings
    again = simulate(model.at(), seed=3, stop_at_first=False, properties=[promise])

    assert finding.story is not None
    assert (promise, steps) == (finding.property, len(finding.story.steps))
    assert judge(finding.story, replay(finding.story, model.at())).is_true
    assert [promise] == [one.property for one in again.findings]
    assert again.walks > report.walks


def test_an_unknown_property_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="level_is_low"):
        simulate(LEVELS.at(), seed=1, properties=["level_is_lo"])


@pytest.mark.parametrize(("walks", "max_steps", "max_seconds"), [(0, 1, 1), (1, 0, 1), (1, 1, -1.0)])
def test_limits_are_positive(walks: int, max_steps: int, max_seconds: float) -> None:
    with pytest.raises(UsageError, match="must be more than 0"):
        simulate(LEVELS.at(), seed=1, walks=walks, max_steps=max_steps, max_seconds=max_seconds)


def test_time_ends_between_walks(monkeypatch: pytest.MonkeyPatch) -> None:
    clock: Iterator[float] = iter(range(1000))
    monkeypatch.setattr("time.monotonic", lambda: next(clock))
    report = simulate(LEVELS.at(), seed=1, properties=["level_is_one"], max_steps=10, max_seconds=4)

    assert ("time", 3, 30) == (report.stopped_by, report.walks, report.steps)


class _Impatient:
    def __init__(self) -> None:
        self.heard: list[tuple[str, int, int | None]] = []

    def update(self, text: str, done: int, expected: int | None = None) -> None:
        self.heard.append((text, done, expected))
        if done == 3:
            raise KeyboardInterrupt


def test_an_interrupt_leaves_a_report_of_what_was_walked() -> None:
    listener = _Impatient()
    report = simulate(LEVELS.at(), seed=1, walks=9, max_steps=10, stop_at_first=False, progress=listener)

    assert ("interrupt", 3, 30) == (report.stopped_by, report.walks, report.steps)
    assert ("10 steps", 1, 9) == listener.heard[0]
    assert report.findings
    assert Verdict.VIOLATED is report.verdict


def test_interrupted_walks_that_found_nothing_are_inconclusive() -> None:
    report = simulate(
        find_model("core").at("small", profile="nomad-2.0"),
        seed=1,
        walks=9,
        max_steps=10,
        progress=_Impatient(),
    )

    assert ("interrupt", Verdict.INCONCLUSIVE) == (report.stopped_by, report.verdict)


def test_a_walk_is_the_same_whatever_else_is_asked() -> None:
    bounded = find_model("core").at("small", profile="nomad-2.0")
    asked = simulate(bounded, seed=5, walks=20, properties=["no_node_is_oversubscribed"])
    report = simulate(bounded, seed=5, walks=20)

    assert replace(report, seconds=0, reached={}, checked=(), not_checked={}, coverage=()) == replace(
        asked, seconds=0, reached={}, checked=(), not_checked={}, coverage=()
    )


def test_walks_end_when_enough_was_met() -> None:
    report = simulate(find_model("core").at("small", profile="nomad-2.0"), seed=3, until_coverage=1)

    assert "coverage" == report.stopped_by
    assert {"rules": (), "premises": (), "goals": ()} == {each.kind: each.missed for each in report.coverage}
    assert all(each.met == each.total > 3 for each in report.coverage)
    assert Verdict.NOT_REFUTED is report.verdict


def test_walks_end_when_they_meet_nothing_new() -> None:
    report = simulate(RESTING.at(), seed=3, until_coverage=0.9)

    assert (1000, "saturation") == (report.walks, report.stopped_by)
    assert Verdict.INCONCLUSIVE is report.verdict


def test_a_number_of_walks_comes_first() -> None:
    report = simulate(find_model("core").at("small", profile="nomad-2.0"), seed=3, until_coverage=1, walks=2)

    assert (2, None, Verdict.INCONCLUSIVE) == (report.walks, report.stopped_by, report.verdict)


@pytest.mark.parametrize(
    ("jobs", "walks"), [pytest.param(1, 5, id="few"), pytest.param(2, 20, id="many", marks=pytest.mark.deep)]
)
@pytest.mark.parametrize("wish", [{"swarm": True}, {"faults": 0.3}, {"weights": {"FlipNode": 9}}])
def test_weighted_walks_repeat_and_are_others(wish: dict[str, Any], jobs: int, walks: int) -> None:
    bounded = find_model("core").at("flip", sizes={"jobs": jobs}, profile="nomad-2.0")
    even = simulate(bounded, seed=5, walks=walks)
    weighted = [simulate(bounded, seed=5, walks=walks, **wish).digest for _ in range(2)]

    assert weighted[0] == weighted[1] != even.digest


def test_a_share_beyond_all_is_refused() -> None:
    with pytest.raises(UsageError, match="at most 1"):
        simulate(find_model("core").at("small", profile="nomad-2.0"), seed=5, until_coverage=1.5)
