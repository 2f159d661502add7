"""A run of the machine gives a report."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from nomadspec.checkers.progress import Silence
from nomadspec.checkers.stateful import run
from nomadspec.checkers.stateful.runner import ONLY_A_LEMMA
from nomadspec.checkers.usual_profile import bind_as_usual
from nomadspec.checkers.verdict import Verdict
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.language.claim import judge
from nomadspec.model.language.model import Model
from nomadspec.model.language.property import Kind
from nomadspec.model.language.story import replay
from tests.checkers.failing import EMPTIED, GROWING, PUSHED, SERVED
from tests.checkers.simulate.models import LEVELS, STARTS

ELSEWHERE = """
import json, os
from nomadspec.checkers.progress import Silence
from nomadspec.checkers.stateful import run
from nomadspec.invariants.catalogue import find_model
report = run(find_model("2pc").at("hasty"), effort="ci")
print(json.dumps([report.runs, report.steps, [str(step) for step in report.findings[0].story.steps]]))
assert os.listdir(".") == []
"""


@pytest.mark.deep
@pytest.mark.parametrize(
    ("model", "scope", "about", "steps"),
    [
        ("core", "reused", "no_token_is_shared", 3),
        ("2pc", "hasty", "managers_agree", 5),
    ],
)
def test_a_violation_comes_as_a_shrunk_story(model: str, scope: str, about: str, steps: int) -> None:
    bounded = bind_as_usual(find_model(model), scope)
    report = run(bounded, effort="ci")
    (finding,) = report.findings
    story = finding.story
    assert story is not None

    assert (Verdict.VIOLATED, "violation") == (report.verdict, report.stopped_by)
    assert (about, Kind.ALWAYS, steps) == (finding.property, finding.kind, len(story.steps))
    assert judge(story, replay(story, bounded)).is_true


def test_what_was_found_comes_with_a_command_that_replays_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    report = run(STARTS.at())
    story = report.findings[0].story
    assert story is not None
    words = shlex.split(report.again)
    place = words.pop(0).split("=")
    done = subprocess.run(
        [sys.executable, *words[1:]],
        cwd=tmp_path,
        env={**os.environ, place[0]: place[1]},
        check=False,
        capture_output=True,
        text=True,
    )

    assert (1, "python") == (done.returncode, words[0])
    assert "ViolationError: deadlock" in done.stderr
    assert f"    {story.start}\n  1 {story.steps[0]}\n" in done.stderr


def test_what_holds_is_not_refuted() -> None:
    report = run(find_model("2pc").at("small", profile="nomad-2.0"))

    assert (Verdict.NOT_REFUTED, (), None) == (report.verdict, report.findings, report.stopped_by)
    assert 100 <= report.runs <= 120
    assert "fast" == report.effort
    assert report.steps == sum(report.fired.values()) > 1000
    assert not report.again
    assert report.reached["someone_aborts"]


@pytest.mark.deep
def test_the_report_says_what_was_not_checked() -> None:
    report = run(LEVELS.at(), properties=["level_is_one", "level_is_top"])

    assert report.stopped_by is None
    assert {
        "level_is_top": "a run ends, so it cannot show that something never comes true",
        "level_is_zero": ONLY_A_LEMMA,
    } == report.not_checked
    assert ("level_is_one",) == report.checked


def test_a_deadlock_has_no_kind() -> None:
    (finding,) = run(STARTS.at()).findings

    assert ("deadlock", None) == (finding.property, finding.kind)


@pytest.mark.parametrize(
    "model", [*(pytest.param(model, marks=pytest.mark.deep) for model in (GROWING, SERVED)), PUSHED, EMPTIED]
)
def test_a_step_that_fails_is_a_violation_with_a_story(model: Model) -> None:
    report = run(model.at())
    (finding,) = report.findings

    assert (Verdict.VIOLATED, None) == (report.verdict, finding.kind)
    assert finding.property in report.checked
    assert finding.story is not None
    assert judge(finding.story, replay(finding.story, model.at())).is_true
    assert "replay(" in report.again


class _Impatient(Silence):
    def update(self, text: str, done: int, expected: int | None = None) -> None:
        super().update(text, done, expected)
        if done == 3:
            raise KeyboardInterrupt


def test_an_interrupt_leaves_a_report() -> None:
    report = run(LEVELS.at(), properties="level_is_one", progress=_Impatient())

    assert ("interrupt", 3, Verdict.INCONCLUSIVE) == (report.stopped_by, report.runs, report.verdict)


@pytest.mark.deep
def test_the_same_runs_come_in_every_process_and_leave_nothing(tmp_path: Path) -> None:
    outputs = [
        subprocess.run(
            [sys.executable, "-W", "error", "-c", ELSEWHERE],
            cwd=tmp_path,
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for hash_seed in ("0", "4711")
    ]

    assert outputs[0] == outputs[1]
    assert 5 == len(json.loads(outputs[0])[2])
