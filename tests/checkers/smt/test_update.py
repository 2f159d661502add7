"""Writes to functions."""

import pytest
import z3

from nomadspec.model.language.domain import Id
from nomadspec.model.language.logic import not_
from nomadspec.model.language.rule import rule
from tests.checkers.smt.toys import Desk, before, is_valid, run


def test_a_written_cell_changes_and_the_others_stay() -> None:
    @rule("X", clerk=Desk.clerks)
    def work(s: Desk, t: Desk, clerk: Id) -> None:
        """A clerk works."""
        t.busy[clerk] = True

    world, step = run(work)
    busy = step.after.fields["busy"]
    other = z3.Int("other")

    assert step.by is not None
    assert busy(step.by["clerk"]) is True
    assert is_valid(busy(other) == before(world, "busy", other), other != step.by["clerk"])


def test_a_condition_limits_what_is_written() -> None:
    @rule("X", clerk=Desk.clerks)
    def work(s: Desk, t: Desk, clerk: Id) -> None:
        """A clerk works where the office is open."""
        t.when(not_(s.closed)).busy[clerk] = True
        t.when(s.closed).served = 0

    world, step = run(work)
    assert step.by is not None
    clerk, shut = step.by["clerk"], before(world, "closed")
    written = step.after.fields["busy"](clerk)

    assert is_valid(written, z3.Not(shut))
    assert is_valid(written == before(world, "busy", clerk), shut)
    assert is_valid(step.after.fields["served"]() == 0, shut)


def test_the_later_of_two_writes_wins() -> None:
    @rule("X", one=Desk.clerks, other=Desk.clerks)
    def work(s: Desk, t: Desk, one: Id, other: Id) -> None:
        """One works and another stops."""
        t.busy[one] = True
        t.busy[other] = False

    _, step = run(work)
    assert step.by is not None
    busy, one, other = step.after.fields["busy"], step.by["one"], step.by["other"]

    assert is_valid(z3.Not(busy(other)) if z3.is_expr(busy(other)) else not busy(other))
    assert is_valid(busy(one), one != other)


@pytest.mark.usefixtures("ids_may_be_numbers")
def test_writing_at_none_does_nothing() -> None:
    @rule("X", clerk=Desk.clerks)
    def stray(s: Desk, t: Desk, clerk: Id) -> None:
        """A clerk marks whoever has the number of his last turn."""
        t.marked[s.turns[clerk] - 1, 0] = 0

    world, step = run(stray)
    assert step.by is not None
    nowhere = before(world, "turns", step.by["clerk"]) == 0
    cell, shelf = z3.Ints("cell shelf")
    held, was = step.after.totals["named"](shelf), world.before.totals["named"](shelf)

    assert is_valid(step.after.fields["marked"](cell, 0) == before(world, "marked", cell, 0), nowhere)
    assert is_valid(held == was, nowhere)


def test_a_loop_writes_to_every_member() -> None:
    @rule("X")
    def swap(s: Desk, t: Desk) -> None:
        """Whoever is idle works, and comes to the first shelf; the others stay."""
        for clerk in s.clerks:
            idle = t.when(not_(s.busy[clerk]))
            idle.busy[clerk] = True
            idle.at[clerk] = s.marked[clerk, 0]

    world, step = run(swap)
    clerk = z3.Int("clerk")
    was = before(world, "busy", clerk)

    assert is_valid(step.after.fields["busy"](clerk))
    assert is_valid(step.after.fields["at"](clerk) == before(world, "marked", clerk, 0), z3.Not(was))
    assert is_valid(step.after.fields["at"](clerk) == before(world, "at", clerk), was)
