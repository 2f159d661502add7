"""Programs to be asked, right and wrong, and questions of recordings."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from nomadspec.checkers.conform import program as subject
from nomadspec.checkers.conform.judging import Question, Terms
from nomadspec.checkers.conform.made_questions import Coverage, make_questions
from nomadspec.checkers.conform.program import Program
from nomadspec.checkers.conform.recorded_questions import take
from nomadspec.checkers.oracle.limits import LIMITS
from nomadspec.checkers.oracle.reading import Line, parse_line, read_bytes
from nomadspec.checkers.oracle.registry import read_kind
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.recorded import find_recording_file

MODEL = (sys.executable, "-m", "nomadspec.checkers.conform.model_driver")
WRONG = (sys.executable, str(Path(__file__).with_name("wrong.py")))
BACKWARDS = (sys.executable, str(Path(__file__).with_name("backwards.py")))
"""Knows the names of allocations only, and starts in a tenth of the time."""
TERMS = Terms(NOMAD_2_0)
AMPLE_S = 600.0
"""A guard against hanging only: loaded machines are slow."""


def ask_recorded(kind: str, about: int | None = None) -> Iterator[tuple[Question, dict[str, Any]]]:
    """Give questions of recordings, of all or of about so many, each with the recording itself.

    Only those are parsed that are asked for: to parse all takes longer than to judge some.
    """
    lines = list(read_bytes(find_recording_file(kind), LIMITS))
    for line in lines[:: max(1, len(lines) // about) if about else 1]:
        assert isinstance(line, bytes)
        parsed = parse_line(line, "recorded", 1)
        assert isinstance(parsed, Line)
        question = take(read_kind(kind), parsed)
        assert question is not None
        yield question, dict(parsed.document)


def make_some(kind: str, count: int = 6, seed: int = 0) -> list[Question]:
    """Make questions of a kind."""
    return list(make_questions([kind], seed, count, TERMS, Coverage()))


def allow_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let programs begin and end as slowly as they do."""
    for name in ("HELLO_S", "_LEAVE_S"):
        monkeypatch.setattr(subject, name, AMPLE_S)


@contextmanager
def speaking(tmp_path: Path, body: str, question_s: float = AMPLE_S, **options: Any) -> Iterator[Program]:
    """Start a program that says hello and then does what a text of Python says with each `asked`."""
    script = tmp_path / "program.py"
    script.write_text(
        "import json, os, sys, time\n"
        "def say(**said): print(json.dumps(said), flush=True)\n"
        "sys.stdin.readline()\n"
        "say(protocol='nomadspec-conform/1', name='a test', kinds=['constraints'])\n"
        "for line in sys.stdin:\n"
        "    asked = json.loads(line)\n" + "".join(f"    {each}\n" for each in body.splitlines())
    )
    command = [sys.executable, str(script)]
    with Program(command, profile=TERMS.profile.name, question_s=question_s, **options) as program:
        yield program


def change_of(kind: str) -> Callable[[str, Any], Any]:
    """Find how the wrong program changes answers of a kind."""
    from tests.checkers.conform.wrong import CHANGES

    return CHANGES[kind]
