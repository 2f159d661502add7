"""Searches by machine code: the worlds, counts and findings of the interpreter's search, in its order."""

import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from nomadspec.checkers.explore import explore
from nomadspec.checkers.explore.compiled import compile_search
from nomadspec.checkers.explore.reduction import REDUCTIONS
from nomadspec.checkers.explore.search import Search
from nomadspec.checkers.explore.task import make_task
from nomadspec.checkers.requested_properties import find_usual
from nomadspec.checkers.usual_profile import bind_as_usual
from nomadspec.checkers.verdict import Verdict
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.model_promises import DOMAINS_ARE_KEPT, PROMISES
from tests.checkers.explore.comparing import Asked, compile_for, find_difference, run_compiled
from tests.checkers.explore.models import CLUB, DIAL, FORKS, LAMPS, LOPSIDED
from tests.checkers.native.models import BURST, CURIOUS, JOSTLED, SHELF, SPILT, STACK
from tests.checkers.stepper.models import CRAMPED, DESK

UNCHECKED = find_model("core").at("unchecked", sizes={"count": 1, "cap": 1, "deliveries": 1})

NOTES = DESK.at(sizes={"notes": 2})
MANY_PROPERTIES = CURIOUS.at()

SMALL = [
    pytest.param(NOTES, id="desk"),
    pytest.param(CLUB.at("small"), id="club"),
    pytest.param(DIAL.at(), id="several initial worlds"),
    pytest.param(LAMPS.at(), id="with steps"),
    pytest.param(FORKS.at(), id="deadlock"),
    pytest.param(SHELF.at("word"), id="cells without bits"),
    pytest.param(SHELF.at("wide"), id="more than 128 bits"),
    pytest.param(SHELF.at("wider"), id="more than 192 bits"),
    pytest.param(MANY_PROPERTIES, id="more than 64 properties"),
    pytest.param(find_model("2pc").at("small", sizes={"rms": 3}, profile="nomad-2.0"), id="2pc"),
    pytest.param(find_model("2pc").at("hasty"), id="2pc hasty"),
    pytest.param(
        find_model("core").at("flip", sizes={"jobs": 1, "count": 1, "deliveries": 1}, profile="nomad-2.0"),
        id="core",
    ),
    pytest.param(UNCHECKED, id="core unchecked"),
]

FAULTY = [
    pytest.param(CRAMPED.at(sizes={"notes": 2}), id="copy without room"),
    pytest.param(SPILT.at(), id="number outside of its domain"),
    pytest.param(BURST.at(), id="constant outside of its domain"),
    pytest.param(JOSTLED.at(), id="queue that is none"),
]


ASKED_EVERY_DAY = {("none", True), ("symmetry", False), ("symmetry+partial-order", False)}
"""Each reduction, and both ways to end: where a search stops has nothing to do with what it leaves out."""


@pytest.mark.parametrize(
    ("reduction", "stops"),
    [
        pytest.param(
            reduction,
            stops,
            id=f"{reduction}-{'stops' if stops else 'goes on'}",
            marks=[] if (reduction, stops) in ASKED_EVERY_DAY else pytest.mark.deep,
        )
        for reduction in REDUCTIONS
        for stops in (True, False)
    ],
)
@pytest.mark.parametrize("bounded", SMALL)
def test_both_searches_find_the_same(bounded: BoundedModel, reduction: str, stops: bool) -> None:
    assert not find_difference(Asked(bounded, reduction, stops, most=2500))


@pytest.mark.parametrize("bounded", FAULTY)
def test_what_the_interpreter_complains_about_ends_both_searches(bounded: BoundedModel) -> None:
    for reduction in ("none", "symmetry+partial-order"):
        found = run_compiled(Asked(bounded, reduction, stops=False))["found"]
        assert isinstance(found, list)
        assert found[-1][0] in PROMISES
        assert not find_difference(Asked(bounded, reduction, stops=False))


@pytest.mark.parametrize("bounded", [SPILT.at(), BURST.at(), JOSTLED.at()])
def test_a_violation_before_a_fault_decides(bounded: BoundedModel) -> None:
    found = run_compiled(Asked(bounded))

    assert [("is_early", 297)] == found["found"]
    assert not find_difference(Asked(bounded))


# Before, within and behind the first levels, and where one of both searches ends by itself: others are alike.
@pytest.mark.parametrize(
    "most",
    [1, 2, 51, 308, *(pytest.param(most, marks=pytest.mark.deep) for most in (3, 5, 50, 52, 300, 307, 309))],
)
def test_it_stops_at_exactly_as_many_worlds(most: int) -> None:
    for reduction in ("none", "symmetry"):
        assert not find_difference(Asked(NOTES, reduction, stops=False, most=most))
        assert not find_difference(Asked(MANY_PROPERTIES, reduction, stops=False, most=most))


@pytest.mark.parametrize(
    "by_hand", [1, 64, *(pytest.param(number, marks=pytest.mark.deep) for number in (7, 200))]
)
def test_it_takes_over_anywhere(by_hand: int) -> None:
    for reduction in ("none", "symmetry"):
        assert not find_difference(Asked(UNCHECKED, reduction, by_hand=by_hand))
        for stops in (True, False):
            assert not find_difference(Asked(NOTES, reduction, stops, by_hand=by_hand))


@pytest.mark.deep
@pytest.mark.parametrize("reduction", ["none", "symmetry"])
@pytest.mark.parametrize("by_hand", [1, 7, 64, 200])
def test_it_takes_over_anywhere_and_goes_on_where_something_is_wrong(by_hand: int, reduction: str) -> None:
    assert not find_difference(Asked(UNCHECKED, reduction, stops=False, by_hand=by_hand))


@pytest.mark.parametrize(("model", "scope"), [("core", "unchecked"), ("2pc", "hasty")])
def test_broken_scopes_end_where_the_interpreter_ends(model: str, scope: str) -> None:
    asked = Asked(bind_as_usual(find_model(model), scope), "symmetry")

    assert run_compiled(asked)["found"]
    assert not find_difference(asked)


@pytest.mark.deep
@pytest.mark.parametrize("scope", ["unchecked", "reused"])
def test_broken_scopes_end_alike_without_reduction(scope: str) -> None:
    assert not find_difference(Asked(bind_as_usual(find_model("core"), scope)))


def test_the_kernel_is_the_same() -> None:
    """With all its rules and each tenth of its properties; the deep tests ask for all, in each scope."""
    bounded = find_model("kernel").at("cancelable", profile="nomad-2.0")
    names = tuple(prop.name for prop in find_usual(bounded).properties)[::10]

    assert len(names) > 5
    assert not find_difference(Asked(bounded, stops=False, most=200, properties=names))


def test_deep_terms_are_no_trouble() -> None:
    bounded = STACK.at()

    assert bounded.traced
    for engine in ("interpreted", "compiled"):
        assert 5 == explore(bounded, engine=engine).distinct
    assert not find_difference(Asked(bounded))


@pytest.mark.deep
@pytest.mark.parametrize("scope", [scope.name for scope in find_model("kernel").scopes])
def test_every_scope_of_the_kernel_is_the_same(scope: str) -> None:
    bounded = find_model("kernel").at(scope, profile="nomad-2.0")

    for reduction in ("none", "symmetry"):
        assert not find_difference(Asked(bounded, reduction, stops=False, most=20_000))


@pytest.mark.deep
@pytest.mark.parametrize("reduction", ["partial-order", "symmetry+partial-order"])
@pytest.mark.parametrize("scope", ["all-at-once", "stale-snapshot"])
def test_the_same_steps_of_the_kernel_are_left_out(scope: str, reduction: str) -> None:
    bounded = find_model("kernel").at(scope, profile="nomad-2.0")

    assert not find_difference(Asked(bounded, reduction, stops=False, most=5_000))


@pytest.mark.deep
@pytest.mark.parametrize("reduction", REDUCTIONS)
@pytest.mark.parametrize(("model", "scope"), [("core", "small"), ("core", "flip"), ("2pc", "full")])
def test_whole_scopes_are_the_same(model: str, scope: str, reduction: str) -> None:
    assert not find_difference(Asked(bind_as_usual(find_model(model), scope), reduction))


def test_numbers_that_no_word_holds_are_left_to_the_interpreter() -> None:
    task = make_task(SHELF.at("huge"), None, "none", stops_at_first=True)

    problem = compile_search(task, Search(task).explored)

    assert isinstance(problem, str)
    assert "62 bits" in problem


def test_many_names_are_left_to_the_interpreter() -> None:
    task = make_task(CLUB.at("small", sizes={"people": 6}), None, "symmetry", stops_at_first=True)

    problem = compile_search(task, Search(task).explored)

    assert isinstance(problem, str)
    assert "few renamings" in problem


@pytest.mark.usefixtures("ids_may_be_numbers")
def test_ids_that_are_not_interchangeable_are_noticed() -> None:
    asked = Asked(LOPSIDED.at(), "symmetry", stops=False)

    assert "interchangeable" in str(run_compiled(asked)["problem"])
    assert not find_difference(asked)


@pytest.mark.parametrize("engines", [("interpreted", "compiled"), ("compiled", "interpreted")])
@pytest.mark.parametrize("reduction", ["none", "symmetry"])
def test_one_engine_goes_on_where_the_other_stopped(
    engines: tuple[str, str], reduction: str, tmp_path: Path
) -> None:
    bounded, path = NOTES, tmp_path / "search"
    whole = explore(bounded, reduction=reduction, stop_at_first=False, engine="interpreted")

    first = explore(
        bounded, reduction=reduction, stop_at_first=False, engine=engines[0], max_states=40, checkpoint=path
    )
    second = explore(
        bounded, reduction=reduction, stop_at_first=False, engine=engines[1], checkpoint=path, resume=True
    )

    assert "states" == first.stopped_by
    assert list(engines) == [first.engine, second.engine]
    assert (whole.digest, whole.generated, whole.depth, whole.fired, whole.findings, whole.reached) == (
        *(second.digest, second.generated, second.depth, second.fired, second.findings, second.reached),
    )


class Impatience:
    """Somebody who presses Ctrl-C at the first sign of life."""

    def update(self, text: str, done: int, expected: int | None = None) -> None:
        assert text
        assert done
        assert expected is None
        signal.raise_signal(signal.SIGINT)


def test_ctrl_c_and_time_end_it_between_two_worlds() -> None:
    bounded = find_model("core").at("small", profile="nomad-2.0")

    stopped = explore(bounded, engine="compiled", progress=Impatience())
    late = explore(bounded, engine="compiled", max_seconds=1e-9)

    assert ("interrupt", Verdict.INCONCLUSIVE) == (stopped.stopped_by, stopped.verdict)
    assert ("time", Verdict.INCONCLUSIVE) == (late.stopped_by, late.verdict)


def test_what_fails_leaves_no_half_expanded_world() -> None:
    task = make_task(BURST.at(), [], "none", stops_at_first=False)
    search = compile_for(task, Search(task).explored)
    while not search.is_over:
        search.expand(1, sys.maxsize)

    explored = search.explored
    assert [(DOMAINS_ARE_KEPT, explored.expanded)] == [(one.property, one.world) for one in explored.found]
    assert len(explored.parents) == len(explored.worlds) > explored.expanded
    assert explored.generated == 1 + sum(explored.fired)


class Cramped:
    """Numbers that find no room."""

    def __init__(self, count: int) -> None:
        self.count = count

    def __len__(self) -> int:
        return self.count

    def frombytes(self, _content: object) -> None:
        raise MemoryError


def test_worlds_whose_parents_find_no_room_were_not_found() -> None:
    task = make_task(NOTES, [], "none", stops_at_first=True)
    search = compile_for(task, Search(task).explored)
    search.expand(1, sys.maxsize)
    known = list(search.explored.worlds)
    parents: Any = Cramped(len(known))
    search.explored.parents = parents

    with pytest.raises(OSError, match="Cannot allocate memory"):
        search.expand(1, sys.maxsize)

    assert known == list(search.explored.worlds)
