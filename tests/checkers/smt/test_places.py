"""Which keys are members of their sets in scopes of every size."""

import pytest
import z3

from nomadspec.checkers.smt.open_frame import OpenFrame
from nomadspec.checkers.smt.places import AFTER, Places
from nomadspec.checkers.smt.symbols import Role, name_symbol
from nomadspec.model.language.domain import NONE, SKIP
from nomadspec.model.language.logic import Value
from nomadspec.model.language.rule import rule
from tests.checkers.smt.straying import Shelf, keep_the_last
from tests.checkers.smt.test_open_strays import shelf


def cell(name: str, *which: str) -> Value:
    """Give a cell of a field that has one."""
    return z3.Int(name_symbol(Role.FIELD, name, *which))


LAST, AT, MADE = cell("last"), cell("at"), cell("made")
FLAG = z3.Bool("flag")


@pytest.fixture
def places() -> Places:
    """Places of the shelf: nothing is known of its sizes."""
    bounded = shelf(rule("X", job=Shelf.jobs)(keep_the_last))
    return Places(OpenFrame(bounded), bounded, ())


@pytest.mark.parametrize("key", [LAST, cell("last", *AFTER), z3.If(FLAG, LAST, cell("last", *AFTER))])
def test_a_cell_that_holds_ids_is_a_member_or_nobody(places: Places, key: Value) -> None:
    assert places.has(Shelf.records, key)
    assert not places.has(Shelf.jobs, key)


@pytest.mark.parametrize(
    "key", [AT, MADE, LAST + 0, 0, NONE, z3.If(FLAG, LAST, NONE), z3.If(FLAG, LAST, AT), z3.Int("unheard")]
)
def test_a_number_is_none_of_the_records(places: Places, key: Value) -> None:
    assert not places.has(Shelf.records, key)


def test_a_plain_number_is_a_place_of_an_index_that_has_so_many(places: Places) -> None:
    known = [key for key in (NONE, 0, 1, 2, z3.IntVal(1), z3.IntVal(2)) if places.has(Shelf.marks, key)]

    assert [0, 1, 1] == [key if isinstance(key, int) else key.as_long() for key in known]


def test_nobody_is_no_id_of_interchangeable_ones(places: Places) -> None:
    assert [True, True, False] == [places.has(Shelf.jobs, key) for key in (NONE, SKIP, SKIP - 1)]


def test_a_choice_is_a_member_where_what_it_chooses_is_one(places: Places) -> None:
    chosen = places.state_member(Shelf.records, z3.If(FLAG, AT, NONE))

    assert places.must_be(chosen, [FLAG, AT < z3.Int(name_symbol(Role.SIZE, "most"))])
    assert not places.must_be(chosen, [FLAG])
    assert not places.must_be(chosen, [AT < z3.Int(name_symbol(Role.SIZE, "most"))])


def test_it_can_be_said_of_plain_numbers_alone(places: Places) -> None:
    key = z3.If(FLAG, AT, NONE)

    assert places.must_be(places.state_member(Shelf.records, key, plain=True), [FLAG])
    assert places.must_be(
        places.state_member(Shelf.records, key, plain=False), [AT < z3.Int(name_symbol(Role.SIZE, "most"))]
    )


def test_domains_say_how_far_a_number_goes(places: Places) -> None:
    most = z3.Int(name_symbol(Role.SIZE, "most"))

    assert places.must_be(AT <= 3)
    assert places.must_be(MADE <= most)
    assert places.must_be(z3.And(LAST >= NONE, LAST < most))
    assert not places.must_be(MADE < most)


def test_what_a_quantifier_says_is_not_asked(places: Places) -> None:
    bound = z3.Int("bound")
    never = z3.ForAll([bound], bound > AT)

    assert not places.must_be(AT < 0, [never])
    assert places.must_be(never, [never])
