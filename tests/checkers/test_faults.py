"""What is written is there as it was before or as it is after, wherever a run is killed or a disk is full."""

import ast
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path

import pytest

from nomadspec.checkers import sealing
from nomadspec.checkers.atomic_files import write_whole
from nomadspec.checkers.explore import explore
from nomadspec.checkers.explore.checkpoint import read_checkpoint, write_checkpoint
from nomadspec.checkers.explore.checkpoint_schedule import Keeper
from nomadspec.checkers.explore.search import Search
from nomadspec.checkers.explore.task import Task, make_task
from nomadspec.checkers.mutants.difference import Difference, Effect
from nomadspec.checkers.mutants.ledger import Ledger
from nomadspec.checkers.native.build import PURPOSE
from nomadspec.checkers.report.stories import read_story, write_story
from nomadspec.checkers.sealed_files import read_sealed, write_sealed
from nomadspec.checkers.sealing import find_key
from nomadspec.invariants.catalogue import find_model
from tests.checkers.cli.test_main import MAIN
from tests.checkers.explore.models import DIAL
from tests.checkers.faults import BROKEN, DONE, KILLED, REFUSED, count_calls, fill_at, kill_at
from tests.checkers.shop import hasty

SEEN_AS_CLOCK = re.compile(r"\.\s*(?:time|time_ns|now|utcnow|today)\b")
WALL_CLOCKS = {"time.time", "time.time_ns", "datetime.now", "datetime.utcnow", "date.today"}
NAMES_OF_CLOCKS = {name.rpartition(".")[2] for name in WALL_CLOCKS}
SEEN = Difference(Effect.WORLDS, frozenset({"a"}))


@dataclass
class Written:
    """Something that is written over what was there, and how to tell which of both is there."""

    begin: Callable[[], object]
    write: Callable[[], object]
    look: Callable[[], object]


@cache
def make_searches() -> tuple[Task, Search, Search]:
    task = make_task(find_model("core").at("small", profile="nomad-2.0"), None, "none", stops_at_first=True)
    first, second = Search(task), Search(task)
    first.expand(10, 1 << 30)
    second.expand(300, 1 << 30)
    return task, first, second


def make_checkpoint(path: Path) -> Written:
    task, first, second = make_searches()
    write = partial(write_checkpoint, path, task, "id")
    return Written(
        partial(write, first.explored),
        partial(write, second.explored),
        lambda: read_checkpoint(path, task, "id").expanded,
    )


def make_story(path: Path) -> Written:
    story, bounded = hasty()
    other = replace(story, seed=5)
    return Written(
        partial(write_story, path, story, bounded, "2pc"),
        partial(write_story, path, other, bounded, "2pc"),
        lambda: read_story(path)[0].seed,
    )


def make_code(path: Path) -> Written:
    path = path.parent / "cache" / "code"
    return Written(
        lambda: write_sealed(path, PURPOSE, b"a" * 20_000),
        lambda: write_sealed(path, PURPOSE, b"b" * 20_000),
        lambda: read_sealed(path, PURPOSE),
    )


def make_ledger(path: Path) -> Written:
    def note(number: int) -> None:
        ledger = Ledger(path, "x")
        ledger.note(str(number), "s", SEEN)
        ledger.close()

    def look() -> list[bool]:
        ledger = Ledger(path, "x")
        found = [ledger.find(str(number), "s") == SEEN for number in (1, 2)]
        ledger.close()
        return found

    return Written(partial(note, 1), partial(note, 2), look)


def make_picture(path: Path) -> Written:
    return Written(
        partial(write_whole, path, b"old" * 9000), partial(write_whole, path, b"new" * 9000), path.read_bytes
    )


def make_key(path: Path) -> Written:
    """The first key: none is there before, and a run that is killed leaves none or a whole one."""

    def look() -> list[int]:
        return [len(key) for key in sealing.list_keys(path.parent)]

    return Written(lambda: None, partial(find_key, path.parent), look)


MAKERS = [make_checkpoint, make_story, make_code, make_ledger, make_picture, make_key]


@pytest.fixture(name="written", params=MAKERS, ids=lambda make: make.__name__.removeprefix("make_"))
def make_written(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[], Written]:
    """Make it anew as often as wanted, each time at a place of its own."""
    made = 0

    def make() -> Written:
        nonlocal made
        made += 1
        folder = tmp_path / str(made)
        folder.mkdir()
        if request.param is make_key:
            monkeypatch.setenv("NOMADSPEC_KEY", str(folder / "key"))
        written: Written = request.param(folder / "f")
        written.begin()
        return written

    return make


# What is on disk behind a call is there before the next one too: one of the two is enough every day.
@pytest.mark.parametrize("event", ["c_call", pytest.param("c_return", marks=pytest.mark.deep(seconds=60))])
def test_a_run_that_is_killed_at_any_call_leaves_what_was_or_what_is(
    written: Callable[[], Written], event: str
) -> None:
    whole = written()
    before = whole.look()
    calls = count_calls(whole.write)
    after = whole.look()
    assert before != after
    assert calls >= 3

    found = []
    for at in range(1, calls + 1):
        one = written()
        assert kill_at(one.write, at, event) in {KILLED, DONE}
        found.append(one.look())
        one.write()
        assert after == one.look()

    assert before in found
    assert all(one in (before, after) for one in found)


# At the first bytes, in the middle of each of the files, and at none: all others are like one of these.
@pytest.mark.parametrize(
    "places",
    [
        pytest.param((0, 7, 100, 5000, 1 << 30), id="some"),
        pytest.param((1, 1000, 9000, 19_999), id="others", marks=pytest.mark.deep),
    ],
)
def test_a_disk_that_is_full_at_any_byte_leaves_what_was_or_what_is(
    written: Callable[[], Written], places: tuple[int, ...]
) -> None:
    whole = written()
    before = whole.look()
    whole.write()
    after = whole.look()

    ends = set()
    for most in places:
        one = written()
        ends.add(fill_at(one.write, most))
        assert one.look() in (before, after)
        one.write()
        assert after == one.look()

    assert BROKEN not in ends
    assert ends <= {DONE, REFUSED}


def test_nothing_is_left_behind_where_there_was_no_room(tmp_path: Path) -> None:
    for make in (make_checkpoint, make_picture):
        folder = tmp_path / make.__name__
        folder.mkdir()
        one = make(folder / "f")
        one.begin()
        assert REFUSED == fill_at(one.write, 100)
        assert [folder / "f"] == list(folder.iterdir())


@pytest.mark.deep
@pytest.mark.parametrize("engine", ["interpreted", "compiled"])
def test_a_home_that_cannot_be_written_is_only_slower(tmp_path: Path, engine: str) -> None:
    taken = ("NOMADSPEC_CACHE", "NOMADSPEC_KEY", "XDG_CACHE_HOME", "XDG_CONFIG_HOME")
    environment = {name: value for name, value in os.environ.items() if name not in taken}
    words = ["explore", "--model", "2pc", "--scope", "small", "--engine", engine, "--json", "-q"]

    def run(*more: str) -> tuple[int, dict[str, object]]:
        done = subprocess.run(
            [sys.executable, "-c", MAIN, *words, *more],
            check=False,
            capture_output=True,
            text=True,
            env=environment | {"HOME": "/dev/null"},
        )
        assert "" == done.stderr
        return done.returncode, json.loads(done.stdout)

    kept = str(tmp_path / "kept")
    code, report = run("--checkpoint", kept, "--states", "50")
    assert (4, kept, None) == (code, report["checkpoint"], report["checkpoint_problem"])
    code, resumed = run("--resume", kept)
    assert (code, resumed["digest"]) == (run()[0], run()[1]["digest"])


def test_no_engine_asks_what_time_of_day_it_is() -> None:
    """A clock that is set anew changes nothing, for only clocks that nobody sets are read."""
    asked = set()
    for path in Path(sealing.__file__).parent.rglob("*.py"):
        text = path.read_text()
        for node in ast.walk(ast.parse(text if SEEN_AS_CLOCK.search(text) else "")):
            is_likely = isinstance(node, ast.Attribute) and node.attr in NAMES_OF_CLOCKS
            is_asking = is_likely and ast.unparse(node) in WALL_CLOCKS
            asked |= {path.name} if is_asking else set()

    assert set() == asked


@pytest.mark.parametrize("hours", [1, 1000])
def test_a_clock_that_jumps_ends_no_search(
    hours: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A machine that slept: hours are over at once."""
    expected = explore(DIAL.at())
    usual, asked = time.monotonic, 0

    def jump() -> float:
        nonlocal asked
        asked += 1
        return usual() + 3600.0 * hours * (asked > 3)

    with monkeypatch.context() as patch:
        patch.setattr(time, "monotonic", jump)
        report = explore(DIAL.at(), checkpoint=tmp_path / "kept")

    assert (expected.digest, expected.stopped_by) == (report.digest, report.stopped_by)
    assert [] == list(tmp_path.iterdir())


class Jumping:
    """A clock that goes on as ever, and from one question to the next jumps by hours, forth and back."""

    def __init__(self, *hours: float) -> None:
        self.asked = 0
        self._usual = time.monotonic
        self._hours = hours

    def __call__(self) -> float:
        self.asked += 1
        return self._usual() + 3600.0 * self._hours[self.asked % len(self._hours)]


@pytest.mark.parametrize("engine", ["interpreted", "compiled"])
@pytest.mark.parametrize("hours", [(0, 5), (0, -5), (-7, 0, 9, -1000)])
def test_a_clock_that_jumps_forth_and_back_changes_no_result(
    hours: tuple[float, ...], engine: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """With a limit in seconds too: who slept longer has no time left, and goes on where it stands."""
    bounded = find_model("2pc").at("small", sizes={"rms": 3}, profile="nomad-2.0")
    expected, stops = explore(bounded), 0
    with monkeypatch.context() as patch:
        clock = Jumping(*hours)
        for name in ("monotonic", "time"):
            patch.setattr(time, name, clock)
        search = partial(explore, bounded, max_seconds=1000, checkpoint=tmp_path / "kept", engine=engine)
        report = search()
        while report.stopped_by == "time" and stops < 1000:
            stops += 1
            report = search(resume=True)
        assert clock.asked > 3

    assert (expected.digest, expected.distinct, None) == (report.digest, report.distinct, report.stopped_by)
    assert (expected.depth, expected.verdict) == (report.depth, report.verdict)
    assert [] == list(tmp_path.iterdir())


def test_a_clock_that_went_back_puts_no_checkpoint_off(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    task, first, second = make_searches()
    with Keeper(tmp_path / "kept", task) as keeper:
        keeper.begin(first.explored)
        before = (tmp_path / "kept").stat().st_size
        keeper.keep_now_and_then(second.explored)
        assert before == (tmp_path / "kept").stat().st_size
        monkeypatch.setattr(time, "monotonic", Jumping(-5))
        keeper.keep_now_and_then(second.explored)

    assert before < (tmp_path / "kept").stat().st_size


@pytest.mark.deep
def test_of_two_runs_at_once_one_has_the_checkpoint(tmp_path: Path) -> None:
    words = ["explore", "--model", "core", "--scope", "small", "-q", "--checkpoint", str(tmp_path / "kept")]
    waiting = "import sys; from nomadspec.checkers.report.progress import Quiet\n"
    waiting += "Quiet.update = lambda *_: (print('begun', flush=True), sys.stdin.read())\n" + MAIN
    with subprocess.Popen(
        [sys.executable, "-c", waiting, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as first:
        assert first.stdout is not None
        assert "begun\n" == first.stdout.readline()
        second = subprocess.run(
            [sys.executable, "-c", MAIN, *words], check=False, capture_output=True, text=True
        )
        assert 2 == second.returncode
        assert "Another search writes the checkpoint" in second.stderr
        first.kill()
    words[-2] = "--resume"
    third = subprocess.run([sys.executable, "-c", MAIN, *words], check=False, capture_output=True, text=True)

    assert 0 == third.returncode
    assert not (tmp_path / "kept").exists()
