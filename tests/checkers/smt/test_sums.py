"""Sums over sets of any size."""

from collections.abc import Callable

import pytest
import z3

from nomadspec.checkers.smt.counts import list_comparisons
from nomadspec.checkers.smt.open_induction import OpenInduction
from nomadspec.checkers.smt.open_world import OpenStep, OpenWorld
from nomadspec.checkers.smt.question import Answer, Patience
from nomadspec.model.language.domain import NONE, Id
from nomadspec.model.language.logic import Value, all_of, count, exists, for_all, ite, not_, total
from nomadspec.model.language.property import always
from nomadspec.model.language.rule import rule
from tests.checkers.smt.toys import Desk, before, can_be, desk, is_valid, run

Text = Callable[[Desk], Value]


def grow(world: OpenWorld, step: OpenStep, text: Text) -> Value:
    """Say by how much a sum is larger after a step than before it."""
    with world.frame.binder.reading():
        old, new = (text(Desk(world.frame, state)) for state in (world.before, step.after))
    world.frame.binder.finish(old, new)
    return new - old


def busy_clerks(s: Desk) -> Value:
    return count(s.busy[x] for x in s.clerks)


@rule("X", clerk=Desk.clerks)
def start(s: Desk, t: Desk, clerk: Id) -> None:
    """A clerk begins to work, or goes on."""
    t.busy[clerk] = True


@rule("X", one=Desk.clerks, other=Desk.clerks)
def start_two(s: Desk, t: Desk, one: Id, other: Id) -> None:
    """Two clerks begin to work, or one who was named twice."""
    t.require(not_(s.busy[one]), not_(s.busy[other]))
    t.busy[one] = True
    t.busy[other] = True


def test_a_sum_moves_with_the_one_member_that_is_written() -> None:
    world, step = run(start)
    assert step.by is not None
    grown, was = grow(world, step, busy_clerks), before(world, "busy", step.by["clerk"])

    assert is_valid(grown == 1, *step.premises, z3.Not(was))
    assert is_valid(grown == 0, *step.premises, was)


def test_a_member_that_is_named_twice_counts_once() -> None:
    world, step = run(start_two)
    assert step.by is not None
    grown, one, other = grow(world, step, busy_clerks), step.by["one"], step.by["other"]

    assert is_valid(grown == 2, *step.premises, one != other)
    assert is_valid(grown == 1, *step.premises, one == other)


@pytest.mark.usefixtures("ids_may_be_numbers")
def test_who_is_no_member_does_not_count() -> None:
    @rule("X", clerk=Desk.clerks)
    def start_beside(s: Desk, t: Desk, clerk: Id) -> None:
        """Whoever has the number of a clerk's last turn begins to work."""
        t.busy[s.turns[clerk] - 1] = True

    world, step = run(start_beside)
    assert step.by is not None
    named = before(world, "turns", step.by["clerk"]) - 1

    assert is_valid(grow(world, step, busy_clerks) == 0, named == NONE)
    assert is_valid(grow(world, step, busy_clerks) == 0, named == world.frame.sizes["clerks"])


def test_the_exceptions_of_the_text_itself_are_exact() -> None:
    world, step = run(start)
    assert step.by is not None
    clerk, busy = step.by["clerk"], step.after.fields["busy"]

    def others(s: Desk) -> Value:
        return count(all_of(x != clerk, s.busy[x]) for x in s.clerks)

    with world.frame.binder.reading():
        s = Desk(world.frame, step.after)
        everyone, rest = busy_clerks(s), others(s)

    assert is_valid(grow(world, step, others) == 0, *step.premises)
    assert is_valid(everyone == rest + 1, *step.premises, as_flag(busy(clerk)))


def as_flag(value: Value) -> Value:
    return value if z3.is_expr(value) else z3.BoolVal(value)


def test_numbers_are_added_up_too() -> None:
    @rule("X", clerk=Desk.clerks)
    def serve_twice(s: Desk, t: Desk, clerk: Id) -> None:
        """A clerk is served twice."""
        t.turns[clerk] = s.turns[clerk] + 2

    world, step = run(serve_twice)

    assert is_valid(
        grow(world, step, lambda s: total(s.turns[x] for x in s.clerks)) == 2,
        *world.background,
        *step.premises,
    )


def test_the_members_around_keep_their_own_sums() -> None:
    world, step = run(start)
    assert step.by is not None

    def all_lonely(s: Desk) -> Value:
        return for_all(count(all_of(s.busy[x], s.at[x] == n) for x in s.clerks) <= 1 for n in s.shelves)

    with world.frame.binder.reading():
        old, new = (all_lonely(Desk(world.frame, state)) for state in (world.before, step.after))
    idle = z3.Not(before(world, "busy", step.by["clerk"]))
    nowhere = before(world, "at", step.by["clerk"]) == NONE

    assert is_valid(new, old, idle, nowhere, *step.premises)
    assert can_be(old, not_(new), idle, *step.premises, world.frame.sizes["shelves"] == 1)


def test_members_of_two_sets_are_counted_as_pairs_and_compared() -> None:
    @rule("X", clerk=Desk.clerks, shelf=Desk.shelves)
    def go(s: Desk, t: Desk, clerk: Id, shelf: Id) -> None:
        """A clerk goes to a shelf."""
        t.at[clerk] = shelf

    world, step = run(go)
    assert step.by is not None
    world.frame.binder.take_counts()

    def at_shelves(s: Desk) -> Value:
        return count(s.at[x] == n for x in s.clerks for n in s.shelves)

    grown = grow(world, step, at_shelves)
    known = (*world.background, *step.premises)
    compared = list(list_comparisons(world.frame.binder.take_counts().values()))
    was = before(world, "at", step.by["clerk"])

    assert is_valid(grown >= 0, *known, *compared, was == NONE)
    assert can_be(grown > 0, *known, *compared, was == NONE)
    assert can_be(grown < 0, *known, was == NONE)


def test_a_member_that_is_named_by_a_quantified_condition_is_singled_out() -> None:
    world, step = run(start)
    assert step.by is not None
    clerk = step.by["clerk"]

    def chosen(s: Desk) -> Value:
        is_quiet = for_all(not_(s.busy[y]) for y in s.clerks)
        return count(x == ite(is_quiet, clerk, NONE) for x in s.clerks)

    with world.frame.binder.reading():
        counted = chosen(Desk(world.frame, world.before))

    assert is_valid(counted <= 1, *world.background, *step.premises)


def test_a_member_that_only_a_quantifier_names_is_not_singled_out() -> None:
    world, step = run(start)

    def doubles(s: Desk) -> Value:
        return count(exists(all_of(x == y, s.busy[y]) for y in s.clerks) for x in s.clerks)

    grown = grow(world, step, doubles)

    assert can_be(grown == 7, *step.premises)
    assert can_be(grown == -3, *step.premises)


def test_what_is_written_for_everybody_leaves_the_sum_unknown() -> None:
    @rule("X")
    def shift(s: Desk, t: Desk) -> None:
        """The idle begin, the busy rest."""
        for clerk in s.clerks:
            t.busy[clerk] = not_(s.busy[clerk])

    world, step = run(shift)

    assert can_be(grow(world, step, busy_clerks) == 5)
    assert can_be(grow(world, step, busy_clerks) == -5)


def test_what_is_the_same_for_everybody_is_counted() -> None:
    @rule("X")
    def start_all(s: Desk, t: Desk) -> None:
        """All begin."""
        t.busy = True

    world, step = run(start_all)
    with world.frame.binder.reading():
        after = busy_clerks(Desk(world.frame, step.after))

    assert is_valid(after == world.frame.sizes["clerks"])


@pytest.mark.parametrize(("grows_by", "answer"), [(1, Answer.KEPT), (2, Answer.BROKEN)])
def test_a_count_that_the_world_keeps_is_proved_right(grows_by: int, answer: Answer) -> None:
    @rule("X", clerk=Desk.clerks)
    def begin_counted(s: Desk, t: Desk, clerk: Id) -> None:
        """A clerk begins and is counted, rightly or not."""
        t.require(not_(s.busy[clerk]))
        t.busy[clerk] = True
        t.served = s.served + grows_by

    @always("X", why="the count is what people see")
    def served_counts_the_busy(s: Desk) -> Value:
        """As many were served as are busy."""
        return busy_clerks(s) == s.served

    world = OpenWorld(desk(begin_counted, properties=(served_counts_the_busy,)))
    induction = OpenInduction(world, Patience(None, 1.0))
    name = "served_counts_the_busy"

    assert Answer.KEPT is induction.ask_initial(name).answer
    assert answer is induction.ask_step(0, name, (name,)).answer
