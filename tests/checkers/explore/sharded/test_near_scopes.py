"""Whole searches in processes of this machine find what one finds here."""

import os
import signal
from collections.abc import Callable

import pytest

from nomadspec.checkers.explore import search
from nomadspec.checkers.explore.named_search import Errand
from nomadspec.checkers.explore.running import can_map_files
from nomadspec.checkers.explore.sharded import near_scopes
from nomadspec.checkers.explore.sharded.near_scopes import NearSearches, find_near
from nomadspec.checkers.progress import Silence
from nomadspec.checkers.verdict import ExploreReport
from nomadspec.model.errors import UnknownNameError
from tests.checkers.explore.test_running import keep_result

SMALL = Errand("2pc", "hasty", "intended")
ERRANDS = (SMALL, Errand("readers-writers", "small", "intended", "symmetry"), Errand("2pc", "hasty", "X-03"))

LARGER = (Errand("core", "unchecked", "intended"), Errand("2pc", "small", "intended", "symmetry"), ERRANDS[2])


class Listener:
    """Hears how far searches are."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, int]] = []

    def update(self, text: str, done: int, expected: int | None = None) -> None:
        del expected
        self.heard.append((text, done))


if can_map_files():

    @pytest.mark.parametrize("workers", [pytest.param(1, marks=pytest.mark.deep), 2])
    @pytest.mark.parametrize(
        "errands",
        [pytest.param(ERRANDS, id="small"), pytest.param(LARGER, id="larger", marks=pytest.mark.deep)],
    )
    def test_reports_are_those_of_this_process_in_any_order(
        errands: tuple[Errand, ...], workers: int
    ) -> None:
        with NearSearches(workers) as searches:
            for errand in errands:
                searches.send(errand)
            reports = {errand: searches.fetch(errand, Silence()) for errand in reversed(errands)}

        assert [keep_result(errand.run()) for errand in errands] == [
            keep_result(reports[errand]) for errand in errands
        ]

    def test_it_is_told_how_far_a_search_is(monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(near_scopes, "_TOLD_EVERY", 1)
        monkeypatch.setattr(search, "_SECONDS_AT_ONCE", float("inf"))  # so many worlds, however slow
        here, there = Listener(), Listener()
        SMALL.run(here)
        with NearSearches(2) as searches:
            searches.send(SMALL)
            searches.fetch(SMALL, there)

        assert here.heard
        assert here.heard == there.heard

    def test_a_search_whose_process_was_killed_is_done_here(monkeypatch: pytest.MonkeyPatch) -> None:
        run = break_run(monkeypatch, lambda: os.kill(os.getpid(), signal.SIGKILL))
        with NearSearches(2) as searches:
            searches.send(SMALL)

            assert keep_result(run(SMALL)) == keep_result(searches.fetch(SMALL, Silence()))

    def test_what_is_still_under_way_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
        break_run(monkeypatch, signal.pause)
        with NearSearches(2) as searches:
            searches.send(SMALL)
            searches.send(ERRANDS[1])
            searches.send(ERRANDS[2])
            processes = [process for _, process in searches._under_way.values()]

        assert 2 == len(processes)
        assert [-signal.SIGTERM] * 2 == [process.exitcode for process in processes]

    def test_a_fault_is_shown_here() -> None:
        unknown = Errand("core", "nowhere", "intended")
        with NearSearches(2) as searches:
            searches.send(unknown)
            with pytest.raises(UnknownNameError, match="no scope of core named 'nowhere'"):
                searches.fetch(unknown, Silence())


def break_run(
    monkeypatch: pytest.MonkeyPatch, happens: Callable[[], object]
) -> Callable[[Errand], ExploreReport]:
    """Let something happen to other processes that begin a search."""
    here, usual = os.getpid(), Errand.run

    def run(self: Errand, progress: object = None) -> ExploreReport:
        del progress
        if os.getpid() != here:
            happens()
        return usual(self)

    monkeypatch.setattr(Errand, "run", run)
    return usual


@pytest.mark.parametrize(
    ("processors", "is_linux", "expected"), [(2, True, True), (1, True, False), (8, False, False)]
)
def test_others_search_only_where_there_is_a_processor_for_them(
    monkeypatch: pytest.MonkeyPatch, processors: int, is_linux: bool, expected: bool
) -> None:
    monkeypatch.setattr(near_scopes, "can_map_files", lambda: is_linux)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _process: set(range(processors)), raising=False)

    assert expected is (find_near() is not None)
