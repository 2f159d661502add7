"""Worlds stored as functions."""

import z3

from nomadspec.checkers.smt.state import first_state, unknown_function, unknown_state
from nomadspec.checkers.smt.symbols import Role
from nomadspec.model.language.domain import FLAG, counter
from nomadspec.model.language.logic import Value
from nomadspec.model.language.world import World, field, ids, tally
from tests.checkers.smt.toys import Desk, can_be, is_valid


class Shelf(World):
    """Books that all lie on the first shelf at the start."""

    shelves = ids("shelf", 2, "where books lie")
    books = ids("book", 2, "books")
    lies = field(books, shelves, init=0, about="where a book lies")
    held = tally(lies, "the books of a shelf")


def test_the_first_world_holds_the_declared_values() -> None:
    first = first_state(Desk.schema, {"clerks": 2, "shelves": 2, "marks": 2})

    assert first.fields["busy"](1) is False
    assert -1 == first.fields["marked"](1, 0)
    assert 0 == first.fields["line"](0)


def test_a_total_of_the_first_world_counts_all_cells_or_none() -> None:
    books: Value = z3.Int("books")
    held = first_state(Shelf.schema, {"books": books, "shelves": z3.Int("shelves")}).totals["held"]

    assert is_valid(held(z3.IntVal(0)) == books)
    assert is_valid(held(z3.IntVal(1)) == 0)


def test_of_an_unknown_world_only_that_totals_are_counts_is_known() -> None:
    state = unknown_state(Desk.schema)

    assert can_be(state.fields["busy"](3), state.fields["served"]() == -4)
    assert is_valid(state.totals["named"](3) >= 0)
    assert can_be(state.totals["named"](3) == 12)


def test_a_copy_is_written_to_alone() -> None:
    state = unknown_state(Desk.schema)
    copy = state.copy()
    copy.lose(Desk.served, 1)

    assert {"served"} == copy.lost
    assert set() == state.lost
    assert can_be(copy.fields["served"]() != state.fields["served"]())


def test_unknown_functions_have_the_sort_of_their_domain() -> None:
    assert z3.is_bool(unknown_function(0, FLAG, Role.FIELD, "f")())
    assert z3.is_int(unknown_function(2, counter(3), Role.FIELD, "g")(0, 1))


def test_what_is_read_of_a_watched_world_is_known() -> None:
    watched, read = unknown_state(Desk.schema).watched()
    watched.fields["busy"](3)
    watched.totals["named"](1)

    assert {"busy", "named"} == read


def test_what_a_step_writes_is_known() -> None:
    state = unknown_state(Desk.schema)
    after = state.copy()
    after.fields["served"] = lambda: 3

    assert {"served"} == after.list_changes(state)
    assert frozenset() == state.list_changes(state)
