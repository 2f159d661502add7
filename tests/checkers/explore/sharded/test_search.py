"""Searches that are shared out: the worlds, counts and findings of a search by one, in its order."""

from pathlib import Path
from tempfile import gettempdir

import pytest

from nomadspec.checkers.explore.sharded.making import Sharing
from nomadspec.invariants.catalogue import find_model, list_model_names
from nomadspec.model.language.bounded import BoundedModel
from tests.checkers.explore.comparing import Asked, compare, run_compiled, run_interpreted, run_shared
from tests.checkers.explore.models import CLUB, DIAL, FORKS, LAMPS
from tests.checkers.native.models import BURST, CURIOUS, JOSTLED, SHELF, SPILT
from tests.checkers.stepper.models import CRAMPED, DESK

UNCHECKED = find_model("core").at("unchecked", sizes={"count": 1, "cap": 1, "deliveries": 1})

SMALL = [
    pytest.param(DESK.at(sizes={"notes": 2}), id="desk"),
    pytest.param(CLUB.at("small"), id="club"),
    pytest.param(DIAL.at(), id="several initial worlds"),
    pytest.param(LAMPS.at(), id="with steps"),
    pytest.param(FORKS.at(), id="deadlock"),
    pytest.param(SHELF.at("word"), id="cells without bits"),
    pytest.param(SHELF.at("wider"), id="more than 192 bits"),
    pytest.param(CURIOUS.at(), id="more than 64 properties"),
    pytest.param(find_model("2pc").at("hasty"), id="2pc hasty"),
    pytest.param(find_model("core").at("flip", sizes={"jobs": 1, "count": 1, "deliveries": 1}), id="core"),
    pytest.param(UNCHECKED, id="core unchecked"),
    pytest.param(CRAMPED.at(sizes={"notes": 2}), id="copy without room"),
    pytest.param(SPILT.at(), id="number outside of its domain"),
    pytest.param(BURST.at(), id="constant outside of its domain"),
    pytest.param(JOSTLED.at(), id="queue that is none"),
]

SHARINGS = [
    pytest.param(Sharing(), id="alone", marks=pytest.mark.deep),
    pytest.param(Sharing(shards=3, steps=50), id="three shards, short rounds", marks=pytest.mark.deep),
    pytest.param(Sharing(shards=2, steps=200, folder=Path(gettempdir())), id="in files"),
    pytest.param(Sharing(workers=2, shards=5, steps=300), id="two processes"),
]


@pytest.mark.parametrize("reduction", [pytest.param("none", marks=pytest.mark.deep), "symmetry"])
@pytest.mark.parametrize("bounded", SMALL)
@pytest.mark.parametrize("sharing", SHARINGS)  # innermost: the search that all are compared with is kept
def test_shared_searches_find_the_same(bounded: BoundedModel, reduction: str, sharing: Sharing) -> None:
    for stops, is_compiled in ((True, True), (False, True), (False, False)):
        asked = Asked(bounded, reduction, stops, most=500)
        expected = run_interpreted(asked)
        assert not compare(expected, run_shared(asked, sharing, is_compiled=is_compiled))


@pytest.mark.parametrize("reduction", ["none", "symmetry"])
def test_steps_are_taken_ahead_of_what_is_kept(reduction: str) -> None:
    asked = Asked(find_model("core").at("unchecked", sizes={"flips": 1}), reduction, stops=False, most=6000)

    assert not compare(run_compiled(asked), run_shared(asked, Sharing(2, 2, steps=500), is_compiled=True))


@pytest.mark.deep
@pytest.mark.parametrize("reduction", ["none", "symmetry"])
@pytest.mark.parametrize(
    ("model", "scope"),
    [(name, scope.name) for name in list_model_names() for scope in find_model(name).scopes],
)
def test_every_scope_is_shared_with_the_same_result(model: str, scope: str, reduction: str) -> None:
    asked = Asked(find_model(model).at(scope), reduction, most=4000)
    expected = run_interpreted(asked)

    for sharing in (Sharing(workers=2, shards=2), Sharing(shards=2, folder=Path(gettempdir()))):
        assert not compare(expected, run_shared(asked, sharing, is_compiled=True))
        assert not compare(expected, run_shared(asked, sharing, is_compiled=False))
