"""However a long run is stopped, it gives one answer, keeps what it found, and ends with one code."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from nomadspec.checkers.explore import explore
from nomadspec.invariants.catalogue import find_model
from tests.checkers.cli.schemas import check_output
from tests.recorded import FOLDER
from tests.tidy.source import ROOT

pytestmark = pytest.mark.usefixtures("hears_hang_ups")

DEEP = pytest.mark.deep(seconds=30)
"""Every verb is stopped once whenever the tests run; the other ways in which it works, with the deep ones."""

EXAMPLES = ROOT / "docs" / "how-to" / "examples"

SCRIPT = """
import os, signal, sys
from nomadspec.checkers.cli.main import main
from nomadspec.checkers.report.progress import Quiet

number, wanted, heard = int(sys.argv[1]), int(sys.argv[2]), 0

def hear(*_):
    global heard
    heard += 1
    if heard == wanted:
        os.kill(os.getpid(), number)

Quiet.update = hear
exec(sys.argv[3])
sys.argv[1:] = sys.argv[4:]
main()
"""
"""A run that is sent a signal when it says for the so-manieth time how far it is."""

AGAIN_WHILE_WRITING = """
from nomadspec.checkers.explore import checkpoint
pack = checkpoint._pack_worlds

def pack_and_signal(worlds, width):
    for chunk in pack(worlds, width):
        if heard >= wanted:
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                os.kill(os.getpid(), number)
        yield chunk

checkpoint._pack_worlds = pack_and_signal
"""
"""More signals while the last checkpoint is written."""

AGAIN_WHILE_TELLING = """
from nomadspec.checkers.cli import screen
show = screen.write_json

def dump_and_signal(*given, **more):
    os.kill(os.getpid(), signal.SIGINT)
    os.kill(os.getpid(), signal.SIGTERM)
    return show(*given, **more)

screen.write_json = dump_and_signal
"""
"""More signals while the result is written."""

WITH_EACH_LINE = """
from nomadspec.checkers.scenario.run import Run

def set_and_hear(self, name, value):
    object.__setattr__(self, name, value)
    if name == "line" and value:
        hear()

Run.__setattr__ = set_and_hear
"""
"""A scenario says nothing on its way: each line that it comes to counts."""

ONCE_FOUND = """
from nomadspec.checkers.explore import running

def expand_and_look(self, search):
    search.expand(1, 1 << 40)
    if search.explored.found:
        os.kill(os.getpid(), number)

running.Run._expand = expand_and_look
"""
"""A signal as soon as a violation was found."""

BEFORE = """
from nomadspec.checkers.cli import choice
choice.Choice.bound = lambda _: os.kill(os.getpid(), number)
"""
"""A signal before anything was found."""


WHILE_READING = """
opened = os.open

def open_and_signal(path, *given, **more):
    if os.fspath(path).endswith(("F-20.json", ".scenario")):
        os.kill(os.getpid(), number)
    return opened(path, *given, **more)

os.open = open_and_signal
"""
"""A signal when the file is opened."""

WHILE_PARSING = """
from nomadspec.checkers.oracle import reading
reading.parse_json = lambda *_: os.kill(os.getpid(), number)
"""
"""A signal when a recording is read."""

WHILE_BINDING = """
from nomadspec.model.language.bounded import BoundedModel
BoundedModel._trace_rules = lambda _: os.kill(os.getpid(), number)
"""
"""A signal when a model is bound to its scope."""

WHILE_LEADING_BACK = """
import contextlib
contextlib.redirect_stdout.__exit__ = lambda *_: os.kill(os.getpid(), number)
"""
"""A signal just when stdout no longer is to lead to stderr, as it does while a model is read."""


def stop(
    number: int, when: int, patch: str, *words: str, folder: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a verb that is stopped on its way."""
    quiet = () if words[0] == "schedule" or words[:2] == ("vectors", "show") else ("--quiet",)
    environment = dict(os.environ) | ({"NOMADSPEC_CACHE": str(folder / "code")} if folder else {})
    return subprocess.run(
        [sys.executable, "-c", SCRIPT, str(number), str(when), patch, *words, "--json", *quiet],
        check=False,
        capture_output=True,
        text=True,
        env=environment,
        timeout=1200,  # a guard against hanging only: loaded machines are slow
    )


def read(done: subprocess.CompletedProcess[str]) -> Any:
    """Read the only object that was printed."""
    assert "Traceback" not in done.stderr
    data = json.loads(done.stdout)
    check_output(data)
    return data


@pytest.mark.parametrize(
    "name", [pytest.param("SIGINT", marks=DEEP), "SIGTERM", pytest.param("SIGHUP", marks=DEEP)]
)
def test_each_signal_ends_a_search_alike_and_keeps_it(name: str, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    asked = ("--model", "core", "--scope", "small", "--set", "nodes=1", "--engine", "interpreted")
    done = stop(signal.Signals[name], 2, AGAIN_WHILE_WRITING, "explore", *asked, "--checkpoint", str(kept))
    data = read(done)

    assert (4, "inconclusive", "interrupt") == (done.returncode, data["verdict"], data["stopped_by"])
    assert (str(kept), None) == (data["checkpoint"], data["checkpoint_problem"])
    assert 3 == done.stderr.count("already stopping")
    whole = explore(find_model("core").at("small", sizes={"nodes": 1}), engine="interpreted")
    resumed = read(stop(0, 0, "", "explore", *asked, "--resume", str(kept)))
    assert 1 < data["distinct"] < whole.distinct
    assert whole.digest == resumed["digest"]
    assert not kept.exists()


@pytest.mark.parametrize(
    ("how", "distinct"),
    [
        pytest.param("--workers 2 --engine interpreted --set nodes=1", 4_441),
        pytest.param("--workers 2", 34_069, marks=DEEP),
        pytest.param("--engine compiled", 34_069, marks=DEEP),
        pytest.param("--memory 1", 34_069, marks=DEEP),
    ],
)
def test_every_way_of_searching_is_stopped_alike(how: str, distinct: int, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    words = ("explore", "--model", "core", "--scope", "small", *how.split(), "--checkpoint", str(kept))
    done = stop(15, 3, AGAIN_WHILE_WRITING, *words, folder=tmp_path)
    data = read(done)

    assert (4, "interrupt", None) == (done.returncode, data["stopped_by"], data["checkpoint_problem"])
    assert 3 == done.stderr.count("already stopping")
    resumed = read(stop(0, 0, "", *words[:-2], "--resume", str(kept), folder=tmp_path))
    assert distinct == resumed["distinct"]


def test_the_hands_of_a_search_do_not_end_before_it(tmp_path: Path) -> None:
    """A terminal that is closed tells all processes of its group."""
    group = "os.setpgrp(); kill = os.kill; os.kill = lambda pid, number: os.killpg(0, number)"
    words = ("explore", "--model", "core", "--scope", "small", "--workers", "2")
    done = stop(1, 3, group, *words, "--checkpoint", str(tmp_path / "kept"))

    assert (4, "interrupt") == (done.returncode, read(done)["stopped_by"])


@pytest.mark.parametrize(
    ("words", "when"),
    [
        (("simulate", "--model", "core", "--seed", "1", "--walks", "100000"), 3),
        (("prove", "--model", "2pc"), 2),
        pytest.param(("prove", "--model", "2pc", "--workers", "1"), 2, marks=DEEP),
        pytest.param(("prove", "--model", "resources"), 1, marks=DEEP),
        (("mutants", "--model", "2pc", "--sample", "30"), 3),
        (("refine", "--model", "2pc", "--set", "rms=3", "--by", f"{EXAMPLES}/atomic_commit.py:as_commit"), 3),
        (("follow", f"{EXAMPLES}/drain.ndjson", "--model", f"{EXAMPLES}/drain.py:DRAIN"), 2),
        pytest.param(("mutants", "--model", "2pc", "--sample", "30", "--workers", "2"), 3, marks=DEEP),
    ],
    ids=lambda given: " ".join(given).replace(str(ROOT), "") if isinstance(given, tuple) else "",
)
def test_every_long_verb_tells_what_it_has_once(words: tuple[str, ...], when: int) -> None:
    done = stop(15, when, AGAIN_WHILE_TELLING, *words)
    data = read(done)

    assert (4, "inconclusive") == (done.returncode, data["verdict"])
    assert f"nomadspec/{words[0]}/1" == data["schema"]
    assert "already stopping" in done.stderr


IN_A_FINALISER = """
import time

class Dying:
    def __del__(self):
        usual()

def hear_while_dying(*_):
    Dying()
    if heard == wanted:
        time.sleep(60)

usual, Quiet.update = hear, hear_while_dying
"""
"""A signal while an object is taken down, as those of Z3 are all the time."""


def test_a_signal_in_a_finaliser_of_the_solver_is_heard_and_makes_no_noise() -> None:
    done = stop(15, 2, IN_A_FINALISER, "prove", "--model", "2pc")

    assert (4, "inconclusive", "") == (done.returncode, read(done)["verdict"], done.stderr)


def test_a_scenario_is_stopped_between_two_lines() -> None:
    path = ROOT / "docs" / "scenarios" / "nodes" / "a-node-is-lost.scenario"
    done = stop(15, 6, WITH_EACH_LINE + AGAIN_WHILE_TELLING, "scenario", "run", str(path))
    data = read(done)

    assert (4, "inconclusive") == (done.returncode, data["verdict"])
    assert "nomadspec/scenario/1" == data["schema"]
    assert "already stopping" in done.stderr


def test_a_verdict_over_all_says_what_is_missing() -> None:
    at_once = "from nomadspec.checkers.cli import verifying\n"
    at_once += "verifying._search = lambda *_: os.kill(os.getpid(), number)\n"
    done = stop(15, 0, at_once + AGAIN_WHILE_TELLING, "verify", "--model", "2pc")
    data = read(done)

    assert (4, "nomadspec/verify/1") == (done.returncode, data["schema"])
    assert data["missing"]
    assert "already stopping" in done.stderr


def test_a_verdict_that_is_stopped_while_it_is_planned_says_so_too() -> None:
    at_once = "from nomadspec.checkers.cli import verifying\n"
    at_once += "verifying.list_alike = lambda *_: os.kill(os.getpid(), number)\n"
    done = stop(15, 0, at_once + AGAIN_WHILE_TELLING, "verify", "--model", "2pc")
    data = read(done)

    assert (4, "nomadspec/verify/1", ["judging 2pc"]) == (done.returncode, data["schema"], data["missing"])


def test_recordings_are_told_in_whole_lines() -> None:
    done = stop(15, 5, "", "vectors", "check", "tests/recordings/components")
    *lines, last = [json.loads(line) for line in done.stdout.splitlines()]

    assert 5 == len(lines)
    assert (True, "inconclusive") == (last["is_stopped"], last["verdict"])
    assert 4 == done.returncode
    check_output(last)


def test_a_violation_counts_before_the_stop() -> None:
    words = ("explore", "--model", "core", "--scope", "unchecked", "--keep-going", "--engine=interpreted")
    done = stop(15, 0, ONCE_FOUND + AGAIN_WHILE_TELLING, *words)
    data = read(done)

    assert ("interrupt", "violated", 1) == (data["stopped_by"], data["verdict"], done.returncode)


@pytest.mark.parametrize("number", [2, 15, 1])
def test_before_anything_was_found_there_is_one_sentence(number: int) -> None:
    done = stop(number, 0, BEFORE, "explore", "--model", "core")
    data = read(done)

    assert (4, "inconclusive", 4) == (done.returncode, data["verdict"], data["exit_code"])
    assert "nomadspec: Interrupted before there was anything to report.\n" == done.stderr


SCHEDULED = next((FOLDER / "scheduler").glob("*.ndjson.xz"))
LOST = ROOT / "docs" / "scenarios" / "nodes" / "a-node-is-lost.scenario"


@pytest.mark.parametrize("number", [15, pytest.param(2, marks=DEEP), pytest.param(1, marks=DEEP)])
@pytest.mark.parametrize(
    ("patch", "words"),
    [
        (WHILE_BINDING, ("steps", "--model", "2pc")),
        (WHILE_BINDING, ("explore", "--model", "2pc", "--estimate")),
        (WHILE_LEADING_BACK, ("explore", "--model", "2pc")),
        (WHILE_BINDING, ("story", str(ROOT / "docs" / "findings" / "F-20.json"))),
        (WHILE_READING, ("story", str(ROOT / "docs" / "findings" / "F-20.json"))),
        (WHILE_PARSING, ("schedule", str(SCHEDULED))),
        (WHILE_READING, ("dag", str(LOST))),
        (WHILE_READING, ("scenario", "run", str(LOST))),
        (WHILE_PARSING, ("vectors", "show", str(SCHEDULED), "x")),
    ],
    ids=["steps", "estimate", "explore", "replay", "story", "schedule", "dag", "scenario", "vectors show"],
)
def test_short_verbs_end_in_one_sentence_too(patch: str, words: tuple[str, ...], number: int) -> None:
    done = stop(number, 0, patch, *words)

    assert 4 == done.returncode, done.stderr
    assert "Traceback" not in done.stderr
    assert "inconclusive" == json.loads(done.stdout)["verdict"]
    assert "nterrupted" in done.stderr or "stopped" in done.stdout
