"""However a long run is stopped, it gives one answer, keeps what it found, and ends with one code."""

import contextlib
import json
import os
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from nomadspec.checkers import escaping
from nomadspec.checkers.cli import choice, screen, verifying
from nomadspec.checkers.explore import checkpoint, explore, running
from nomadspec.checkers.oracle import reading
from nomadspec.checkers.report.progress import Quiet
from nomadspec.checkers.scenario.run import Run
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.model import Model
from tests.checkers.cli.copied import Ended, run_copy
from tests.checkers.cli.schemas import check_output
from tests.once import bind_anew
from tests.recorded import FOLDER
from tests.tidy.source import ROOT

pytestmark = pytest.mark.usefixtures("hears_hang_ups")

DEEP = pytest.mark.deep(seconds=30)
"""Every verb is stopped once whenever the tests run; the other ways in which it works, with the deep ones."""

EXAMPLES = ROOT / "docs" / "how-to" / "examples"


@dataclass
class Sender:
    """Sends this process a signal when it says for the so-manieth time how far it is."""

    number: int
    wanted: int
    heard: int = 0

    def hear(self, *_: object) -> None:
        """Count what is said."""
        self.heard += 1
        if self.heard == self.wanted:
            self.send()

    def send(self, *_: object) -> None:
        """Send the signal now."""
        os.kill(os.getpid(), self.number)


Patch: TypeAlias = Callable[[Sender], object]
"""Changes a copy of this process, of which nothing is left afterwards."""


def leave_alone(_sender: Sender) -> None:
    """Change nothing more."""


def do_all(*patches: Patch) -> Patch:
    return lambda sender: [patch(sender) for patch in patches]


def signal_again_while_writing(sender: Sender) -> None:
    """Send more signals while the last checkpoint is written."""
    pack = checkpoint._pack_worlds

    def pack_and_signal(*given: Any) -> Iterator[bytes]:
        for chunk in pack(*given):
            if sender.heard >= sender.wanted:
                for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                    os.kill(os.getpid(), number)
            yield chunk

    replace(checkpoint, "_pack_worlds", pack_and_signal)


def signal_again_while_telling(_sender: Sender) -> None:
    """Send more signals while the result is written."""
    show = escaping.write_json

    def show_and_signal(*given: Any, **more: Any) -> str:
        os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGTERM)
        return show(*given, **more)

    replace(screen, "write_json", show_and_signal)


def hear_each_line(sender: Sender) -> None:
    """Count each line that a scenario comes to: it says nothing on its way."""

    def set_and_hear(run: Run, name: str, value: object) -> None:
        object.__setattr__(run, name, value)
        if name == "line" and value:
            sender.hear()

    replace(Run, "__setattr__", set_and_hear)


def signal_once_found(sender: Sender) -> None:
    """Send a signal as soon as a violation was found."""

    def expand_and_look(_run: running.Run, search: Any) -> None:
        search.expand(1, 1 << 40)
        if search.explored.found:
            sender.send()

    replace(running.Run, "_expand", expand_and_look)


def signal_before(sender: Sender) -> None:
    """Send a signal before anything was found."""
    replace(choice.Choice, "bound", sender.send)


def signal_while_reading(sender: Sender) -> None:
    """Send a signal when the file is opened."""
    opened = os.open

    def open_and_signal(path: Any, *given: Any, **more: Any) -> int:
        if os.fspath(path).endswith(("F-20.json", ".scenario")):
            sender.send()
        return opened(path, *given, **more)

    replace(os, "open", open_and_signal)


def signal_while_parsing(sender: Sender) -> None:
    """Send a signal when a recording is read."""
    replace(reading, "parse_json", sender.send)


def signal_while_binding(sender: Sender) -> None:
    """Send a signal when a model is bound to its scope, which here nobody has bound yet."""
    replace(Model, "at", bind_anew)
    replace(BoundedModel, "_trace_rules", sender.send)


def signal_while_leading_back(sender: Sender) -> None:
    """Send a signal just when stdout no longer is to lead to stderr, as it does while a model is read."""
    replace(contextlib.redirect_stdout, "__exit__", sender.send)


def signal_in_finaliser(sender: Sender) -> None:
    """Send a signal while an object is taken down, as those of Z3 are all the time."""

    class Dying:
        def __del__(self) -> None:
            sender.hear()

    def hear_while_dying(*_: object) -> None:
        Dying()
        if sender.heard == sender.wanted:
            time.sleep(600)  # a guard against hanging only

    replace(Quiet, "update", hear_while_dying)


def signal_group(_sender: Sender) -> None:
    """Send signals to all processes of the group, as a terminal does that is closed."""
    os.setpgrp()
    replace(os, "kill", lambda _pid, number: os.killpg(0, number))


def replace(whole: object, name: str, part: object) -> None:
    """Replace a part of something in this process, until its end."""
    setattr(whole, name, part)


def stop(number: int, when: int, patch: Patch, *words: str, folder: Path | None = None) -> Ended:
    """Run a verb that is stopped on its way."""
    quiet = () if words[0] == "schedule" or words[:2] == ("vectors", "show") else ("--quiet",)
    environment = {"NOMADSPEC_CACHE": str(folder / "code")} if folder else {}
    sender = Sender(number, when)

    def prepare() -> None:
        replace(Quiet, "update", sender.hear)
        patch(sender)

    return run_copy(*words, "--json", *quiet, prepare=prepare, environment=environment)


def read(done: Ended) -> Any:
    """Read the only object that was printed."""
    assert "Traceback" not in done.err
    data = json.loads(done.out)
    check_output(data)
    return data


@pytest.mark.parametrize(
    "name", [pytest.param("SIGINT", marks=DEEP), "SIGTERM", pytest.param("SIGHUP", marks=DEEP)]
)
def test_each_signal_ends_a_search_alike_and_keeps_it(name: str, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    asked = ("--model", "core", "--scope", "small", "--set", "nodes=1", "--engine", "interpreted")
    done = stop(
        signal.Signals[name], 2, signal_again_while_writing, "explore", *asked, "--checkpoint", str(kept)
    )
    data = read(done)

    assert (4, "inconclusive", "interrupt") == (done.code, data["verdict"], data["stopped_by"])
    assert (str(kept), None) == (data["checkpoint"], data["checkpoint_problem"])
    assert 3 == done.err.count("already stopping")
    whole = explore(
        find_model("core").at("small", sizes={"nodes": 1}, profile="nomad-2.0"), engine="interpreted"
    )
    resumed = read(stop(0, 0, leave_alone, "explore", *asked, "--resume", str(kept)))
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
    done = stop(15, 3, signal_again_while_writing, *words, folder=tmp_path)
    data = read(done)

    assert (4, "interrupt", None) == (done.code, data["stopped_by"], data["checkpoint_problem"])
    assert 3 == done.err.count("already stopping")
    resumed = read(stop(0, 0, leave_alone, *words[:-2], "--resume", str(kept), folder=tmp_path))
    assert distinct == resumed["distinct"]


def test_the_hands_of_a_search_do_not_end_before_it(tmp_path: Path) -> None:
    """A terminal that is closed tells all processes of its group."""
    words = ("explore", "--model", "core", "--scope", "small", "--workers", "2")
    done = stop(1, 3, signal_group, *words, "--checkpoint", str(tmp_path / "kept"))

    assert (4, "interrupt") == (done.code, read(done)["stopped_by"])


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
    done = stop(15, when, signal_again_while_telling, *words)
    data = read(done)

    assert (4, "inconclusive") == (done.code, data["verdict"])
    assert f"nomadspec/{words[0]}/1" == data["schema"]
    assert "already stopping" in done.err


def test_a_signal_in_a_finaliser_of_the_solver_is_heard_and_makes_no_noise() -> None:
    done = stop(15, 2, signal_in_finaliser, "prove", "--model", "2pc")

    assert (4, "inconclusive", "") == (done.code, read(done)["verdict"], done.err)


def test_a_scenario_is_stopped_between_two_lines() -> None:
    path = ROOT / "docs" / "scenarios" / "nodes" / "a-node-is-lost.scenario"
    done = stop(15, 6, do_all(hear_each_line, signal_again_while_telling), "scenario", "run", str(path))
    data = read(done)

    assert (4, "inconclusive") == (done.code, data["verdict"])
    assert "nomadspec/scenario/1" == data["schema"]
    assert "already stopping" in done.err


def test_a_verdict_over_all_says_what_is_missing() -> None:
    at_once = do_all(lambda sender: replace(verifying, "_search", sender.send), signal_again_while_telling)
    done = stop(15, 0, at_once, "verify", "--model", "2pc")
    data = read(done)

    assert (4, "nomadspec/verify/1") == (done.code, data["schema"])
    assert data["missing"]
    assert "already stopping" in done.err


def test_a_verdict_that_is_stopped_while_it_is_planned_says_so_too() -> None:
    at_once = do_all(lambda sender: replace(verifying, "list_alike", sender.send), signal_again_while_telling)
    done = stop(15, 0, at_once, "verify", "--model", "2pc")
    data = read(done)

    assert (4, "nomadspec/verify/1", ["judging 2pc"]) == (done.code, data["schema"], data["missing"])


def test_recordings_are_told_in_whole_lines() -> None:
    done = stop(15, 5, leave_alone, "vectors", "check", "tests/recordings/components")
    *lines, last = [json.loads(line) for line in done.out.splitlines()]

    assert 5 == len(lines)
    assert (True, "inconclusive") == (last["is_stopped"], last["verdict"])
    assert 4 == done.code
    check_output(last)


def test_a_violation_counts_before_the_stop() -> None:
    words = ("explore", "--model", "core", "--scope", "unchecked", "--keep-going", "--engine=interpreted")
    done = stop(15, 0, do_all(signal_once_found, signal_again_while_telling), *words)
    data = read(done)

    assert ("interrupt", "violated", 1) == (data["stopped_by"], data["verdict"], done.code)


@pytest.mark.parametrize("number", [2, 15, 1])
def test_before_anything_was_found_there_is_one_sentence(number: int) -> None:
    done = stop(number, 0, signal_before, "explore", "--model", "core")
    data = read(done)

    assert (4, "inconclusive", 4) == (done.code, data["verdict"], data["exit_code"])
    assert "nomadspec: Interrupted before there was anything to report.\n" == done.err


SCHEDULED = next((FOLDER / "scheduler").glob("*.ndjson.xz"))
LOST = ROOT / "docs" / "scenarios" / "nodes" / "a-node-is-lost.scenario"


@pytest.mark.parametrize("number", [15, pytest.param(2, marks=DEEP), pytest.param(1, marks=DEEP)])
@pytest.mark.parametrize(
    ("patch", "words"),
    [
        (signal_while_binding, ("steps", "--model", "2pc")),
        (signal_while_binding, ("explore", "--model", "2pc", "--estimate")),
        (signal_while_leading_back, ("explore", "--model", "2pc")),
        (signal_while_binding, ("story", str(ROOT / "docs" / "findings" / "F-20.json"))),
        (signal_while_reading, ("story", str(ROOT / "docs" / "findings" / "F-20.json"))),
        (signal_while_parsing, ("schedule", str(SCHEDULED))),
        (signal_while_reading, ("dag", str(LOST))),
        (signal_while_reading, ("scenario", "run", str(LOST))),
        (signal_while_parsing, ("vectors", "show", str(SCHEDULED), "x")),
    ],
    ids=["steps", "estimate", "explore", "replay", "story", "schedule", "dag", "scenario", "vectors show"],
)
def test_short_verbs_end_in_one_sentence_too(patch: Patch, words: tuple[str, ...], number: int) -> None:
    done = stop(number, 0, patch, *words)

    assert 4 == done.code, done.err
    assert "Traceback" not in done.err
    assert "inconclusive" == json.loads(done.out)["verdict"]
    assert "nterrupted" in done.err or "stopped" in done.out
