"""Searches that are shared out: the worlds, counts and findings of a search by one, in its order."""

from pathlib import Path
from tempfile import gettempdir

import pytest

from nomadspec.checkers.explore.sharded.making import Sharing
from nomadspec.checkers.usual_profile import bind_as_usual
from nomadspec.invariants.catalogue import find_model, list_model_names
from nomadspec.model.language.bounded import BoundedModel
from tests.checkers.explore.comparing import Asked, compare, run_compiled, run_interpreted, run_shared
from tests.checkers.explore.models import CLUB, DIAL, FORKS, LAMPS
from tests.checkers.native.models import BURST, CURIOUS, JOSTLED, SHELF, SPILT
from tests.checkers.stepper.models import CRAMPED, DESK

UNCHECKED = find_model("core").at("unchecked", sizes={"count": 1, "cap": 1, "deliveries": 1})

SMALL = {
    "desk": DESK.at(sizes={"notes": 2}),
    "club": CLUB.at("small"),
    "several initial worlds": DIAL.at(),
    "with steps": LAMPS.at(),
    "deadlock": FORKS.at(),
    "cells without bits": SHELF.at("word"),
    "more than 192 bits": SHELF.at("wider"),
    "more than 64 properties": CURIOUS.at(),
    "2pc hasty": find_model("2pc").at("hasty"),
    "core": find_model("core").at(
        "flip", sizes={"jobs": 1, "count": 1, "deliveries": 1}, profile="nomad-2.0"
    ),
    "core unchecked": UNCHECKED,
    "copy without room": CRAMPED.at(sizes={"notes": 2}),
    "number outside of its domain": SPILT.at(),
    "constant outside of its domain": BURST.at(),
    "queue that is none": JOSTLED.at(),
}

SHARINGS = {
    "alone": Sharing(),
    "three shards, short rounds": Sharing(shards=3, steps=50),
    "in files": Sharing(shards=2, steps=200, folder=Path(gettempdir())),
    "two processes": Sharing(workers=2, shards=5, steps=300),
}

BY_TWO_PROCESSES = {"desk", "deadlock", "more than 64 properties", "core", "number outside of its domain"}
"""What two processes do every day; all the rest lies in files, which tries that shards make no difference."""


WAYS = [(True, True), (False, True), (False, False)]
"""Whether a search stops at the first violation, and whether it is compiled."""


def is_tried_every_day(sharing: str, bounded: str, way: tuple[bool, bool]) -> bool:
    """Tell whether a search is: each by machine code and by the interpreter."""
    is_two = bounded in BY_TWO_PROCESSES
    return sharing == ("two processes" if is_two else "in files") and way != WAYS[0 if is_two else 1]


@pytest.mark.parametrize("reduction", [pytest.param("none", marks=pytest.mark.deep), "symmetry"])
@pytest.mark.parametrize(
    ("bounded", "sharing", "stops", "is_compiled"),
    [
        pytest.param(
            *(bounded, sharing, *way),
            id=f"{how}-{what}-{'stops' if way[0] else 'goes on'}-{'compiled' if way[1] else 'interpreted'}",
            marks=[] if is_tried_every_day(how, what, way) else pytest.mark.deep,
        )
        for what, bounded in SMALL.items()
        for way in WAYS
        for how, sharing in SHARINGS.items()  # innermost: the search that all are compared with is kept
    ],
)
def test_shared_searches_find_the_same(
    bounded: BoundedModel, reduction: str, sharing: Sharing, *, stops: bool, is_compiled: bool
) -> None:
    asked = Asked(bounded, reduction, stops, most=500)
    expected = run_interpreted(asked)

    assert not compare(expected, run_shared(asked, sharing, is_compiled=is_compiled))


@pytest.mark.parametrize("reduction", [pytest.param("none", marks=pytest.mark.deep), "symmetry"])
@pytest.mark.parametrize(("most", "steps"), [(2500, 200), pytest.param(6000, 500, marks=pytest.mark.deep)])
def test_steps_are_taken_ahead_of_what_is_kept(most: int, steps: int, reduction: str) -> None:
    asked = Asked(find_model("core").at("unchecked", sizes={"flips": 1}), reduction, stops=False, most=most)

    assert not compare(run_compiled(asked), run_shared(asked, Sharing(2, 2, steps=steps), is_compiled=True))


@pytest.mark.deep
@pytest.mark.parametrize("reduction", ["none", "symmetry"])
@pytest.mark.parametrize(
    ("model", "scope"),
    [(name, scope.name) for name in list_model_names() for scope in find_model(name).scopes],
)
def test_every_scope_is_shared_with_the_same_result(model: str, scope: str, reduction: str) -> None:
    asked = Asked(bind_as_usual(find_model(model), scope), reduction, most=4000)
    expected = run_interpreted(asked)

    for sharing in (Sharing(workers=2, shards=2), Sharing(shards=2, folder=Path(gettempdir()))):
        assert not compare(expected, run_shared(asked, sharing, is_compiled=True))
        assert not compare(expected, run_shared(asked, sharing, is_compiled=False))
