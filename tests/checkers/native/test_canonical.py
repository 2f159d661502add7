"""The canonical form as machine code is the one that the interpreter's tables compute."""

from array import array
from random import Random

import pytest

from nomadspec.checkers.explore.symmetry.canonical import make_symmetry
from nomadspec.checkers.explore.symmetry.moves import write_canonical
from nomadspec.checkers.explore.symmetry.tables import Tables
from nomadspec.checkers.native.canonical import Move, Renamed, count_moves, is_narrow
from nomadspec.checkers.native.words import Words
from nomadspec.checkers.stepper.layout import Layout
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.language.bounded import BoundedModel
from tests.checkers.explore.models import CLUB
from tests.checkers.native.calling import compile_function
from tests.checkers.native.models import SHELF

SCOPES = [
    *(pytest.param(CLUB.at(scope), id=scope) for scope in ("small", "people", "dogs", "guests")),
    pytest.param(CLUB.at("people", sizes={"length": 5}), id="many cells of three names"),
    pytest.param(find_model("core").at("full", profile="nomad-2.0"), id="core"),
    pytest.param(find_model("2pc").at("full", profile="nomad-2.0"), id="2pc"),
    pytest.param(SHELF.at("wide"), id="several words"),
]


@pytest.mark.parametrize("bounded", SCOPES)
def test_any_world_has_the_form_of_the_tables(bounded: BoundedModel) -> None:
    layout, random = Layout(bounded), Random(9)
    words, tables = Words(layout), make_symmetry(bounded.frame, layout)
    text = write_canonical(bounded.frame, words)
    assert isinstance(tables, Tables)
    assert text is not None
    text = text.replace("define void", "define i64").replace("ret void", "ret i64 0")
    compiled = compile_function(text, "canonical", 1)

    for _ in range(300):
        cells = [random.randint(one.low, one.high) for one in bounded.frame.intervals]
        packed = layout.pack(tuple(cells))
        world = array("Q", words.split(packed))
        compiled.call(world.buffer_info()[0])
        assert tables.canonical(packed) == words.join(world.tolist())


def test_moves_are_counted_over_all_renamings() -> None:
    move = Move(0, 1, None)

    assert 5 == count_moves([Renamed((move,), (((move, move), (move,)),)), Renamed((move,), ())])


def test_a_row_that_fits_no_word_is_not_narrow() -> None:
    words = Words(Layout(SHELF.at("wide")))
    wide = [cell for cell, spot in enumerate(words.spots) if spot.mask.bit_length() > 30]

    assert is_narrow([wide[:1]], words)
    assert not is_narrow([wide[:1], wide[:2]], words)
