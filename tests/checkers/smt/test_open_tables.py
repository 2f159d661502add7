"""Tables, rows and totals over sets of any size."""

import pytest
import z3

from nomadspec.model.errors import StyleError
from nomadspec.model.language.domain import NONE, Id
from nomadspec.model.language.rule import rule
from tests.checkers.smt.toys import Desk, before, begin, is_valid, run


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


def test_a_table_is_not_gone_through() -> None:
    world, _ = run(begin)
    table = Desk(world.frame, world.before).busy

    with pytest.raises(StyleError, match=r"s\.set"):
        iter(table)
