"""From a search that was begun to a shared one: engines, files, and what the report says."""

from itertools import count
from pathlib import Path

import pytest

from nomadspec.checkers.explore.search import Search
from nomadspec.checkers.explore.sharded.making import Sharing, share_plain, share_search
from nomadspec.checkers.explore.sharded.search import SharedSearch
from nomadspec.checkers.explore.task import make_task
from nomadspec.checkers.native.numbers import FiledNumbers
from nomadspec.checkers.native.program import Program
from tests.checkers.explore.models import CLUB, LAMPS
from tests.checkers.native.models import SHELF


def test_a_search_moves_to_files_and_on_to_more_of_them(tmp_path: Path) -> None:
    task = make_task(LAMPS.at(), None, "none", stops_at_first=True)

    first = share_search(task, Search(task).explored, Sharing(shards=2, folder=tmp_path), is_compiled=True)
    assert isinstance(first, SharedSearch)
    first.expand(1, 100)
    second = share_plain(task, first.explored, Sharing(shards=5, folder=tmp_path))
    while not second.is_over:
        second.expand(1, 100)

    assert isinstance(second.explored.parents, FiledNumbers)
    assert second.explored.edges is not None
    assert isinstance(second.explored.edges.ends, FiledNumbers)
    assert 8 == len(second.explored.worlds)
    assert ("compiled", "interpreted") == (first.engine, second.engine)
    assert [] == list(tmp_path.iterdir())


def test_better_code_is_asked_for_as_worlds_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    monkeypatch.setattr(Program, "improve", lambda _self, worlds: asked.append(worlds))
    task = make_task(LAMPS.at(), None, "none", stops_at_first=True)
    search = share_search(task, Search(task).explored, Sharing(), is_compiled=True)
    assert isinstance(search, SharedSearch)

    while not search.is_over:
        search.expand(1, 100)

    assert [1, 3] == asked[:2]
    assert asked[-1] <= len(search.explored.worlds) == 8


def test_the_report_says_how_it_is_shared() -> None:
    notes = Sharing(3, 6, Path("/somewhere")).list_notes()

    assert "3 processes share the search" == notes[0]
    assert "in files in /somewhere" in notes[1]
    assert () == Sharing().list_notes()


def test_what_machine_code_cannot_do_is_said() -> None:
    task = make_task(SHELF.at("huge"), [], "none", stops_at_first=True)

    problem = share_search(task, Search(task).explored, Sharing(), is_compiled=True)

    assert isinstance(problem, str)
    assert "62 bits" in problem


def test_rounds_of_worlds_that_take_long_are_short_unless_files_are_read_for_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nomadspec.checkers.explore.sharded.search.time.monotonic", count().__next__)
    task = make_task(CLUB.at("small"), None, "none", stops_at_first=False)

    rounds = {}
    for folder in (None, tmp_path):
        search = share_plain(task, Search(task).explored, Sharing(shards=2, folder=folder))
        ends = []
        while not search.is_over:
            search.expand(1, 1000)
            ends.append(search.explored.expanded)
        rounds[folder] = len(ends)

    assert (search.explored.expanded, search.explored.depth) == (rounds[None], rounds[tmp_path])
