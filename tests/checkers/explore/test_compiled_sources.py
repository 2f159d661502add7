"""The way back by machine code: the same worlds as by the interpreter's steps."""

import pytest

from nomadspec.checkers.explore import compiled_sources
from nomadspec.checkers.explore.backward import PlainSources
from nomadspec.checkers.explore.endings import Ending
from nomadspec.checkers.explore.levels import list_levels
from nomadspec.checkers.explore.search import Search
from nomadspec.checkers.explore.story_choice import find_told, make_sources
from nomadspec.checkers.explore.task import make_task
from nomadspec.checkers.usual_profile import bind_as_usual
from nomadspec.invariants.catalogue import find_model
from tests.checkers.explore.comparing import compile_for


@pytest.mark.parametrize("reduction", ["none", "symmetry"])
def test_levels_are_walked_alike(reduction: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled_sources, "_SMALL", 0)
    task = make_task(find_model("core").at("unchecked"), None, reduction, stops_at_first=True)
    search = compile_for(task, Search(task).explored)
    while not search.is_over:
        search.expand(128, 1 << 62)
    explored = search.explored
    plain, compiled = PlainSources(task, explored), make_sources(task, explored)
    levels = list(list_levels(explored.parents))
    ending = Ending(task, explored, explored.found[0])

    wanted = dict.fromkeys(compiled.list_ends(levels[ending.level], ending), 1)
    for level in reversed(levels[: ending.level]):
        before = compiled.list_before(level, wanted)
        assert plain.list_before(level, wanted) == before
        wanted = before

    assert {0: 1} == wanted
    assert {"no_node_is_oversubscribed"} == find_told(task, explored, lambda: False).walks.keys()


ENDS = {
    "a broken world": ("core", "unchecked", "no_node_is_oversubscribed"),
    "another": ("core", "reused", "no_token_is_shared"),
    "a stuck world": ("kernel", "pause", "deadlock"),
    "a third": ("2pc", "hasty", "managers_agree"),
    "a broken step": ("kernel", "disconnect", "terminal_alloc_stays_terminal"),
}
GOING_ON = {"another", "a stuck world"}
"""Where the search goes on behind what is found, every day; where the others do, the deep tests ask."""


@pytest.mark.parametrize(
    ("model", "scope", "name", "stops"),
    [
        pytest.param(
            *(*end, stops),
            id=f"{what}-{stops}",
            marks=pytest.mark.deep if stops == (what in GOING_ON) else [],
        )
        for what, end in ENDS.items()
        for stops in (True, False)
    ],
)
def test_ends_are_found_alike(
    model: str, scope: str, name: str, stops: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiled_sources, "_SMALL", 0)
    task = make_task(bind_as_usual(find_model(model), scope), [name], "symmetry", stops_at_first=stops)
    search = compile_for(task, Search(task).explored)
    while not search.is_over and len(search.explored.worlds) < 3_000:
        search.expand(128, 3_000)
    explored = search.explored
    ending = Ending(task, explored, explored.found[0])
    level = list(list_levels(explored.parents))[ending.level]

    ends = make_sources(task, explored).list_ends(level, ending)

    assert ends
    assert PlainSources(task, explored).list_ends(level, ending) == sorted(ends)
