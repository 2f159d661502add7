"""What is shown where."""

import json
from pathlib import Path

import pytest

from tests.checkers.cli.calling import call
from tests.checkers.cli.schemas import FOLDER, check_output

NO_RESULTS = {"log", "progress", "story"}
"""Schemas of what is read from files or stands on stderr."""


def test_json_is_one_object_without_colour() -> None:
    called = call("models", "--json", "--color", "always")

    assert "nomadspec/models/1" == called.data["schema"]
    assert "\x1b" not in called.out


@pytest.mark.parametrize("file", sorted(FOLDER.glob("*.json")), ids=lambda file: file.stem)
def test_every_object_that_a_verb_prints_has_a_verdict(file: Path) -> None:
    schema = json.loads(file.read_text())

    assert ("verdict" in schema["required"]) == (file.stem not in NO_RESULTS)


@pytest.mark.parametrize(
    "words",
    [
        "rules Nack",
        "properties managers_agree",
        "models 2pc",
        "findings D-10",
        "diagram job",
        "scenario words",
    ],
)
def test_where_nothing_is_judged_the_verdict_is_none(words: str) -> None:
    data = call(*words.split(), "--json").data

    assert data["verdict"] is None
    check_output(data)


@pytest.mark.parametrize(
    ("words", "is_terminal", "no_color", "is_coloured"),
    [
        ((), True, "", True),
        ((), False, "", False),
        ((), True, "1", False),
        (("--color", "always"), False, "1", True),
        (("--color", "never"), True, "", False),
    ],
)
def test_colour_is_where_it_is_wanted(
    monkeypatch: pytest.MonkeyPatch,
    words: tuple[str, ...],
    is_terminal: bool,
    no_color: str,
    is_coloured: bool,
) -> None:
    monkeypatch.setenv("NO_COLOR", no_color)

    assert is_coloured == ("\x1b[" in call("models", *words, is_terminal=is_terminal).out)
