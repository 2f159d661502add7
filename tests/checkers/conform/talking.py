"""Programs to be asked, right and wrong, and questions of recordings."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from nomadspec.checkers.conform.judging import Question, Terms
from nomadspec.checkers.conform.made import Coverage, make_questions
from nomadspec.checkers.conform.program import Program
from nomadspec.checkers.conform.recorded import take
from nomadspec.checkers.oracle.reading import Line
from nomadspec.checkers.oracle.registry import read_kind
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.recorded import read_recordings

MODEL = (sys.executable, "-m", "nomadspec.checkers.conform.model_driver")
WRONG = (sys.executable, str(Path(__file__).with_name("wrong.py")))
TERMS = Terms(NOMAD_2_0)


def ask_recorded(kind: str, about: int | None = None) -> Iterator[tuple[Question, dict[str, Any]]]:
    """Give questions of recordings, of all or of about so many, each with the recording itself."""
    documents = read_recordings(kind)
    for document in documents[:: max(1, len(documents) // about) if about else 1]:
        question = take(read_kind(kind), Line("recorded", 1, document))
        assert question is not None
        yield question, dict(document)


def make_some(kind: str, count: int = 6, seed: int = 0) -> list[Question]:
    """Make questions of a kind."""
    return list(make_questions([kind], seed, count, TERMS, Coverage()))


@contextmanager
def speaking(tmp_path: Path, body: str, **options: Any) -> Iterator[Program]:
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
    with Program([sys.executable, str(script)], profile=TERMS.profile.name, **options) as program:
        yield program


def change_of(kind: str) -> Callable[[str, Any], Any]:
    """Find how the wrong program changes answers of a kind."""
    from tests.checkers.conform.wrong import CHANGES

    return CHANGES[kind]
