"""Tables, rows and totals over sets of any size."""

import pytest
import z3

from nomadspec.checkers.smt.open_world import OpenWorld
from nomadspec.model.errors import StyleError
from nomadspec.model.language.domain import FLAG, NONE, Id, opt
from nomadspec.model.language.logic import Value, all_of, count
from nomadspec.model.language.model import Model
from nomadspec.model.language.rule import rule
from nomadspec.model.language.scope import Scope
from nomadspec.model.language.world import World, field, ids, tally
from tests.checkers.smt.toys import Desk, before, begin, can_be, is_valid, run


@pytest.mark.usefixtures("ids_may_be_numbers")
def test_reading_at_none_gives_the_least_value() -> None:
    @rule("X", clerk=Desk.clerks)
    def look(s: Desk, t: Desk, clerk: Id) -> None:
        """A clerk looks at the marks of whoever has the number of his last turn."""
        t.at[clerk] = s.marked[s.turns[clerk] - 1, 0]

    world, step = run(look)
    assert step.by is not None
    clerk = step.by["clerk"]

    assert is_valid(step.after.fields["at"](clerk) == NONE, before(world, "turns", clerk) == 0)


def test_rows_are_copied_whole() -> None:
    @rule("X", clerk=Desk.clerks)
    def copy(s: Desk, t: Desk, clerk: Id) -> None:
        """A clerk copies his marks."""
        t.copied[clerk] = s.marked[clerk]

    world, step = run(copy)
    assert step.by is not None
    clerk = step.by["clerk"]

    for mark in range(2):
        assert is_valid(step.after.fields["copied"](clerk, mark) == before(world, "marked", clerk, mark))


def test_whole_tables_are_copied_and_reset() -> None:
    @rule("X")
    def copy(s: Desk, t: Desk) -> None:
        """Everybody copies, and is idle."""
        t.copied = s.marked
        t.busy = False

    world, step = run(copy)
    clerk = z3.Int("clerk")

    assert is_valid(step.after.fields["copied"](clerk, 1) == before(world, "marked", clerk, 1))
    assert step.after.fields["busy"](clerk) is False


def test_a_total_counts_nothing_at_none() -> None:
    @rule("X", clerk=Desk.clerks)
    def count_marks(s: Desk, t: Desk, clerk: Id) -> None:
        """Somebody counts the marks that name a clerk's shelf."""
        t.served = s.named[s.at[clerk]]

    world, step = run(count_marks)
    assert step.by is not None

    assert is_valid(step.after.fields["served"]() == 0, before(world, "at", step.by["clerk"]) == NONE)


class Racks(World):
    """Boxes that stand on shelves: of each kind, every owner has one."""

    owners = ids("owner", 2, "who has boxes")
    kinds = ids("kind", 2, "what boxes hold")
    shelves = ids("shelf", 2, "where boxes stand")
    at = field(owners, kinds, opt(shelves), init=NONE, about="the shelf where the box stands")
    is_due = field(owners, kinds, FLAG, init=False, about="the box is to leave")
    is_open = field(FLAG, init=True, about="boxes may leave")
    used = tally(at, "boxes on a shelf")


def count_due(s: Racks, shelf: Id) -> Value:
    return count(all_of(s.is_due[o, k], s.at[o, k] == shelf) for o in s.owners for k in s.kinds)


@pytest.mark.parametrize("is_emptied", [True, False])
def test_a_total_is_carried_along_where_nested_loops_empty_cells(*, is_emptied: bool) -> None:
    @rule("X", shelf=Racks.shelves)
    def clear(s: Racks, t: Racks, shelf: Id) -> None:
        """While the door is open, what is due leaves, or goes to a shelf."""
        for owner in s.owners:
            for kind in s.kinds:
                leaving = t.when(all_of(s.is_open, s.is_due[owner, kind]))
                leaving.at[owner, kind] = NONE if is_emptied else shelf

    model = Model("racks", "racks", Racks, (clear,), (), (Scope("small", "for tests"),))
    world = OpenWorld(model.at(profile="intended"))
    (step,) = world.steps
    assert step.by is not None
    shelf = step.by["shelf"]
    old, new = (state.totals["used"](shelf) for state in (world.before, step.after))
    with world.frame.binder.reading():
        due = count_due(Racks(world.frame, world.before), shelf)
    is_open = world.before.fields["is_open"]()

    assert is_emptied == is_valid(new == old - due, is_open, *step.premises)
    assert is_emptied == is_valid(new == old, z3.Not(is_open), *step.premises)
    assert can_be(new != old, is_open, *step.premises)


def test_a_table_is_not_gone_through() -> None:
    world, _ = run(begin)
    table = Desk(world.frame, world.before).busy

    with pytest.raises(StyleError, match=r"s\.set"):
        iter(table)
