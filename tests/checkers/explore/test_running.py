"""Who goes on with a search: several processes, or files where memory ends; and what ends it too early."""

import errno
import os
import signal
import time
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from nomadspec.checkers.explore import explore
from nomadspec.checkers.explore.running import LOST_NOTE
from nomadspec.checkers.explore.sharded.processes import ProcessCrew
from nomadspec.checkers.native.memory import Memory
from nomadspec.checkers.pycode.stepper import Stepper
from nomadspec.checkers.verdict import ExploreReport, Verdict
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.language.bounded import BoundedModel
from tests.checkers.explore.models import CLUB
from tests.checkers.stepper.models import DESK

SMALL = find_model("core").at("small", sizes={"jobs": 1}, profile="nomad-2.0")
MANAGERS = find_model("2pc").at("small", sizes={"rms": 3}, profile="nomad-2.0")
VIOLATED = find_model("core").at("unchecked", sizes={"count": 1, "cap": 1, "deliveries": 1})


def keep_result(report: ExploreReport) -> ExploreReport:
    """Leave out what may differ between two ways to the same result."""
    return replace(report, seconds=0, engine="", engine_notes=(), checkpoint=None)


SCOPES = {"small": SMALL, "violated": VIOLATED, "desk": DESK.at(sizes={"notes": 2})}
TRIED_EVERY_DAY = {
    ("small", "symmetry", "compiled"),
    ("violated", "symmetry", "interpreted"),
    ("desk", "symmetry", "interpreted"),
    ("desk", "none", "compiled"),
}
"""Each scope, reduction and engine, and both engines on one scope."""


@pytest.mark.parametrize(
    ("bounded", "reduction", "engine"),
    [
        pytest.param(
            bounded,
            reduction,
            engine,
            id=f"{scope}-{reduction}-{engine}",
            marks=[] if (scope, reduction, engine) in TRIED_EVERY_DAY else pytest.mark.deep,
        )
        for scope, bounded in SCOPES.items()
        for reduction in ("none", "symmetry")
        for engine in ("interpreted", "compiled")
    ],
)
def test_processes_and_files_change_nothing(bounded: BoundedModel, reduction: str, engine: str) -> None:
    expected = keep_result(explore(bounded, reduction=reduction, engine=engine))

    shared = explore(bounded, reduction=reduction, engine=engine, workers=2)
    filed = explore(bounded, reduction=reduction, engine=engine, max_memory_mib=1)
    both = explore(bounded, reduction=reduction, engine=engine, workers=2, max_memory_mib=1)

    assert [expected] * 3 == [keep_result(report) for report in (shared, filed, both)]
    assert "2 processes share the search" in shared.engine_notes
    assert any("lie in files" in note for note in filed.engine_notes)
    assert any("lie in files" in note for note in both.engine_notes)


@pytest.mark.parametrize(
    ("expected", "given", "engine"),
    [
        (None, {}, "interpreted"),
        (3_999, {}, "interpreted"),
        (4_000, {}, "compiled"),
        (4_000, {"max_states": 60}, "interpreted"),
        (4_000, {"engine": "interpreted"}, "interpreted"),
    ],
)
def test_what_is_expected_to_be_large_is_machine_code_at_once(
    expected: int | None, given: dict[str, Any], engine: str
) -> None:
    few = DESK.at(sizes={"notes": 2})

    found = explore(few, expected=expected, **given)

    assert engine == found.engine
    assert keep_result(explore(few, **given)) == keep_result(found)


@pytest.mark.parametrize("engine", ["interpreted", "compiled"])
def test_any_number_of_processes_goes_on_from_a_checkpoint(engine: str, tmp_path: Path) -> None:
    path, bounded = tmp_path / "search", DESK.at(sizes={"notes": 2})
    whole = explore(bounded, engine="interpreted", stop_at_first=False)

    given: dict[str, Any] = {"engine": engine, "checkpoint": path, "stop_at_first": False}
    first = explore(bounded, max_states=30, workers=2, **given)
    second = explore(bounded, max_states=90, max_memory_mib=1, resume=True, **given)
    third = explore(bounded, workers=3, resume=True, **given)

    assert ["states", "states", None] == [report.stopped_by for report in (first, second, third)]
    assert keep_result(whole) == keep_result(third)


@cache
def search_whole(engine: str) -> ExploreReport:
    return explore(find_model("core").at("small", profile="nomad-2.0"), engine=engine)


@pytest.mark.parametrize("engine", [pytest.param("interpreted", marks=pytest.mark.deep), "compiled"])
def test_a_full_disk_is_a_bound_and_leaves_a_checkpoint(
    engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "search"
    bounded = find_model("core").at("small", profile="nomad-2.0")
    whole = search_whole(engine)
    usual = os.posix_fallocate

    def refuse(file: int, begin: int, size: int) -> None:
        if 1 << 17 <= size < 1 << 19:  # what grew; tables are larger from the beginning
            raise OSError(errno.ENOSPC, "No space left on device")
        usual(file, begin, size)

    with monkeypatch.context() as patch:
        patch.setattr(os, "posix_fallocate", refuse)
        stopped = explore(bounded, engine=engine, max_memory_mib=1, checkpoint=path)

    assert (Verdict.INCONCLUSIVE, "disk", str(path)) == (
        stopped.verdict,
        stopped.stopped_by,
        stopped.checkpoint,
    )
    resumed = explore(bounded, engine=engine, checkpoint=path, resume=True)
    assert 8_000 < stopped.distinct < whole.distinct
    assert keep_result(whole) == keep_result(resumed)


def test_a_system_without_memory_is_a_bound_and_leaves_a_checkpoint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "search"
    bounded = find_model("core").at("small", profile="nomad-2.0")
    usual = Memory.ensure

    def refuse(self: Memory, size: int) -> None:
        if size > 1 << 19:
            raise OSError(errno.ENOMEM, "Cannot allocate memory")
        usual(self, size)

    with monkeypatch.context() as patch:
        patch.setattr(Memory, "ensure", refuse)
        stopped = explore(bounded, engine="compiled", checkpoint=path)

    assert (Verdict.INCONCLUSIVE, "memory", str(path)) == (
        stopped.verdict,
        stopped.stopped_by,
        stopped.checkpoint,
    )
    resumed = explore(bounded, engine="compiled", checkpoint=path, resume=True)
    assert keep_result(search_whole("compiled")) == keep_result(resumed)


def kill_hands(monkeypatch: pytest.MonkeyPatch, *when: int) -> list[int]:
    """Kill a process when a crew is asked something for the so-manieth time; list what was killed."""
    usual = ProcessCrew.ask
    asked, killed = 0, list[int]()

    def kill_one(self: ProcessCrew, *given: Any) -> list[Any]:
        nonlocal asked
        asked += 1
        if asked in when:
            killed.append(self.list_processes()[0])
            os.kill(killed[-1], signal.SIGKILL)
        return usual(self, *given)

    monkeypatch.setattr(ProcessCrew, "ask", kill_one)
    return killed


@cache
def search_alone() -> ExploreReport:
    return explore(CLUB.at("small"), stop_at_first=False)


# Who takes the steps does not matter to who is asked again: each moment with one of both engines.
@pytest.mark.parametrize(
    ("when", "engine"),
    [
        *[(1, "interpreted"), (2, "compiled"), (3, "compiled"), (5, "interpreted"), (8, "compiled")],
        *[
            pytest.param(when, engine, marks=pytest.mark.deep)
            for when, engine in [
                *[
                    (1, "compiled"),
                    (2, "interpreted"),
                    (3, "interpreted"),
                    (5, "compiled"),
                    (8, "interpreted"),
                ]
            ]
        ],
    ],
)
def test_a_process_that_is_killed_costs_time_only(
    when: int, engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = search_alone()
    killed = kill_hands(monkeypatch, when)
    report = explore(CLUB.at("small"), engine=engine, workers=2, stop_at_first=False)

    assert killed
    assert keep_result(alone) == keep_result(report)
    assert LOST_NOTE in report.engine_notes


def test_where_all_processes_are_killed_the_search_ends_and_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "search"
    with monkeypatch.context() as patch:
        kill_hands(patch, *range(8, 100))
        stopped = explore(
            CLUB.at("small"), engine="compiled", workers=2, checkpoint=path, stop_at_first=False
        )

    assert "worker" == stopped.stopped_by
    resumed = explore(CLUB.at("small"), engine="compiled", checkpoint=path, resume=True, stop_at_first=False)
    assert keep_result(search_alone()) == keep_result(resumed)


@pytest.mark.parametrize(
    ("bounded", "engine"),
    [
        pytest.param(SMALL, "interpreted", id="small-interpreted", marks=pytest.mark.deep),
        pytest.param(SMALL, "compiled", id="small-compiled", marks=pytest.mark.deep),
        pytest.param(MANAGERS, "interpreted", id="managers-interpreted"),
        pytest.param(MANAGERS, "compiled", id="managers-compiled"),
    ],
)
def test_several_processes_leave_the_same_steps_out(bounded: BoundedModel, engine: str) -> None:
    alone = explore(bounded, reduction="partial-order", engine="interpreted")
    shared = explore(bounded, reduction="partial-order", engine=engine, workers=2)

    assert alone.generated < explore(bounded).generated
    assert (alone.distinct, alone.generated) == (shared.distinct, shared.generated)
    assert alone.digest == shared.digest


def test_limits_are_looked_at_between_worlds_that_take_long(monkeypatch: pytest.MonkeyPatch) -> None:
    usual, seconds = Stepper.successors, 0.0

    def take_long(self: Stepper, packed: int) -> list[tuple[int, int]]:
        nonlocal seconds
        seconds += 5
        return usual(self, packed)

    begun = time.monotonic()
    monkeypatch.setattr(Stepper, "successors", take_long)
    monkeypatch.setattr("time.monotonic", lambda: begun + seconds)

    report = explore(
        find_model("core").at("small", profile="nomad-2.0"), engine="interpreted", max_seconds=12
    )

    assert ("time", 20) == (report.stopped_by, seconds)
