"""What verbs print fits a narrow screen, and its words are those of a wide one."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from nomadspec.checkers.cli.verbs import list_verbs
from tests.checkers.cli.calling import call

DRAIN: Final = "docs/scenarios/nodes/drain.scenario"
UNCHECKED: Final = ("--model", "core", "--scope", "unchecked")
CALLS: Final = (
    *[(verb.name, "--help") for verb in list_verbs()],
    *[("models",), ("models", "core"), ("models", "kernel"), ("models", "resources"), ("models", "puzzles")],
    *[("properties",), ("properties", "no_node_is_oversubscribed"), ("properties", "deployment", "--ids")],
    *[("rules", "deployment"), ("rules", "Dequeue"), ("rules", "BROKER-22", "--ids")],
    *[("findings",), ("findings", "F-01"), ("findings", "D-10")],
    ("scenario", "words"),
    ("scenario", "run", "docs/scenarios/seed/1-missed-heartbeat.scenario"),
    ("explore", *UNCHECKED),
    ("steps", "--model", "core", "--why-not", "Nack(worker1, job2)"),
    ("simulate", "--model", "2pc", "--scope", "hasty", "--seed", "3"),
    ("prove", "managers_agree", "--set", "rms=2", "--model", "2pc", "--bounded-only"),
    ("dag", DRAIN, "--why", "web[0]"),
    ("dag", DRAIN, "--storms", "--critical-path"),
    ("schedule", "tests/recordings/scheduler/batch-00.ndjson.xz", "--eval", "batch-b1001-014", "--why"),
    ("replay", "tests/recordings/traces/alloc_stop"),
)
TIMES: Final = re.compile(r"\b\d+\.\d+\b")
"""Seconds that were measured: they differ from run to run."""


@cache
def list_lines(words: tuple[str, ...], columns: int) -> list[str]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", str(columns))
        return TIMES.sub("0", call(*words, "--color", "never").out).splitlines()


def list_long(lines: list[str], columns: int) -> Iterator[str]:
    """List what is too long, but for commands, which are copied, lines of a user's file, and single words."""
    for line in lines:
        is_whole = "nomadspec " in line or line.startswith("-- ") or len(line.split()) <= 1
        if len(line) > columns and not is_whole:
            yield line


@pytest.fixture(autouse=True)
def _in_checkout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(__file__).parents[3])


@pytest.mark.parametrize("words", CALLS, ids=" ".join)
def test_a_narrow_screen_shows_the_words_of_a_wide_one_in_shorter_lines(words: tuple[str, ...]) -> None:
    narrow, wide = list_lines(words, 80), list_lines(words, 160)

    assert [] == [*list_long(narrow, 80), *list_long(wide, 160)]
    assert set(" ".join(narrow).split()) == set(" ".join(wide).split())
