"""The examples of the documentation are complete programs; the one in Go is built where there is Go."""

import os
import shutil
import subprocess
import sys
import warnings
from itertools import islice
from pathlib import Path

import pytest

from nomadspec.checkers.conform.conversation import Said, Score, ask_all
from nomadspec.checkers.conform.program import Program
from tests.checkers.conform.talking import AMPLE_S, TERMS, allow_time, ask_recorded, make_some
from tests.tidy.source import ROOT

EXAMPLES = ROOT / "docs" / "how-to" / "examples" / "conform"


@pytest.fixture(autouse=True)
def _has_time(monkeypatch: pytest.MonkeyPatch) -> None:
    allow_time(monkeypatch)


def score(command: list[str], kind: str) -> Score:
    told = Score()
    questions = [*make_some(kind, 30), *(question for question, _ in islice(ask_recorded(kind), 0, None, 5))]
    with Program(command, profile=TERMS.profile.name, question_s=AMPLE_S) as program:
        list(ask_all(program, questions, TERMS, told))
    return told


def test_the_example_in_python_agrees() -> None:
    told = score([sys.executable, str(EXAMPLES / "driver.py")], "alloc-names/cases")

    assert told.asked == told.count(Said.AGREED) > 30


def test_the_example_in_go_agrees(tmp_path: Path) -> None:
    """It is built first, which takes seconds where Go has not built anything before."""
    go = shutil.which("go") or shutil.which("go", path="/usr/local/go/bin")
    if go is None:
        warnings.warn("there is no Go here, so its example is only read", ResourceWarning, stacklevel=1)
        assert "nomadspec-conform/1" in (EXAMPLES / "go" / "main.go").read_text()
        return
    program = tmp_path / "scores"
    build = [go, "build", "-o", str(program), "."]
    quiet = {"GOFLAGS": "-mod=mod", "GOPROXY": "off"}
    subprocess.run(build, cwd=EXAMPLES / "go", env={**os.environ, **quiet}, check=True)
    told = score([str(program)], "fit-and-score/scores")

    assert told.asked == told.count(Said.AGREED) > 30
