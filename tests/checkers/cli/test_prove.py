"""``nomadspec prove``."""

from pathlib import Path

import pytest

from tests.checkers.cli.calling import call
from tests.checkers.cli.schemas import check_output


def test_everything_is_proved() -> None:
    called = call("prove", "--json")

    check_output(called.data)
    assert (0, "holds") == (called.code, called.data["verdict"])
    assert {"core", "2pc"} == {result["model"] for result in called.data["results"]}
    assert {"proved-unbounded"} == {result["result"] for result in called.data["results"]}


def test_one_property_gets_a_row_for_each_rule() -> None:
    called = call("prove", "managers_agree")

    assert 0 == called.code
    assert "DecideCommit" in called.out
    assert "core" not in called.out


def test_a_reachable_violation_is_told_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "s.json"
    words = ("prove", "managers_agree", "-m", "2pc", "--profile", "X-03", "--set", "rms=3")
    called = call(*words, "--story-out", path)

    assert 1 == called.code
    assert "managers_agree is violated after 5 steps" in called.out
    assert 0 == call("story", path).code
    check_output(call(*words, "--json").data)


def test_what_is_not_inductive_is_open() -> None:
    words = ("prove", "managers_agree", "-m", "2pc", "--profile", "X-03", "--set", "rms=3", "--bmc", "0")
    called = call(*words)

    assert 4 == called.code
    assert "INCONCLUSIVE" in called.out
    check_output(call(*words, "--json").data)


def test_within_the_scope_only() -> None:
    data = call("prove", "managers_agree", "--bounded-only", "--json").data

    assert ["proved-bounded"] == [result["result"] for result in data["results"]]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("managers_agre",), "There is no property named 'managers_agre'; did you mean managers_agree?"),
        (("managers_agree", "-m", "core"), "There is no property of core named 'managers_agree'"),
        (("--set", "rms=3"), "say which with --model NAME"),
        (("everyone_is_told",), "everyone_is_told"),
    ],
)
def test_wrong_questions_are_refused(words: tuple[str, ...], sentence: str) -> None:
    called = call("prove", *words)

    assert (2, "") == (called.code, called.out)
    assert sentence in called.err


def test_a_model_without_properties_has_nothing_to_prove(tmp_path: Path) -> None:
    path = tmp_path / "bare.py"
    path.write_text("from nomadspec.model.small.core import CORE\n")

    called = call("prove", "--model", path)

    assert 2 == called.code
    assert "has no `always` or `step` property, so there is nothing to prove." in called.err


def test_no_story_is_said(tmp_path: Path) -> None:
    called = call("prove", "managers_agree", "--story-out", tmp_path / "s")

    assert "there is no story to tell" in called.err
