"""How rules read and write fields over sets of any size."""

from collections.abc import Callable

import pytest
import z3

from nomadspec.checkers.smt.binder import UnreadableError
from nomadspec.checkers.smt.open_world import OpenStep, OpenWorld
from nomadspec.model.language.domain import NONE, Id, Map, opt
from nomadspec.model.language.logic import Value, all_of, exists, not_
from nomadspec.model.language.rule import rule
from tests.checkers.smt.toys import Desk, before, can_be, is_valid, read, run


def given(world: OpenWorld, step: OpenStep) -> tuple[Value, ...]:
    """What is known when a step happens: the background, the guard, and the domains of what it reads."""
    names = [name for name in world.candidates if name.startswith("domain")]
    domains = [world.state_candidate(name, world.before) for name in names]
    return (*world.background, *step.premises, *domains)


def test_choices_for_each_place_are_assigned_place_by_place() -> None:
    @rule("X", clerk=Desk.clerks, to=Map(Desk.marks, opt(Desk.shelves)))
    def mark(s: Desk, t: Desk, clerk: Id, to: Value) -> None:
        """A clerk marks."""
        t.marked[clerk] = to

    _, step = run(mark)
    assert step.by is not None
    clerk, to = step.by["clerk"], step.by["to"]
    place = z3.Int("place")
    marked = step.after.fields["marked"]

    assert marked(clerk, 1).eq(to[1])
    assert is_valid(marked(clerk, place) == to[0], place == 0)


def test_what_a_loop_requires_every_member_must_have() -> None:
    @rule("X")
    def close(s: Desk, t: Desk) -> None:
        """The office closes when nobody works."""
        for clerk in s.clerks:
            t.require(not_(s.busy[clerk]))
        t.closed = True

    world, step = run(close)

    assert is_valid(z3.Not(before(world, "busy", 2)), *step.premises, world.frame.sizes["clerks"] == 3)
    assert not is_valid(z3.Not(before(world, "busy", 3)), *step.premises, world.frame.sizes["clerks"] == 3)


def test_a_requirement_that_fails_for_all_can_hold_where_there_is_nobody() -> None:
    @rule("X")
    def close(s: Desk, t: Desk) -> None:
        """The office closes when there are no clerks."""
        for _ in s.clerks:
            t.require(False)
        t.closed = True

    world, step = run(close)

    assert is_valid(world.frame.sizes["clerks"] == 0, *world.background, *step.premises)
    assert can_be(*world.background, *step.premises)


def lose_by_scalar(s: Desk, t: Desk) -> None:
    """Each member writes the same cell, and not the same."""
    for clerk in s.clerks:
        t.when(s.busy[clerk]).served = s.turns[clerk]


def lose_by_detour(s: Desk, t: Desk) -> None:
    """Each member writes where it points."""
    for clerk in s.clerks:
        t.marked[s.turns[clerk], 0] = 0


def lose_by_two_places(s: Desk, t: Desk) -> None:
    """Each member writes its own cell and then another's: whose turn is last, shows."""
    for clerk in s.clerks:
        t.at[clerk] = 0
        t.at[s.turns[clerk]] = NONE


def lose_by_two_values(s: Desk, t: Desk) -> None:
    """Each member writes the same cell, first one value and then another."""
    for clerk in s.clerks:
        t.when(s.busy[clerk]).served = 1
        t.when(s.turns[clerk] == 0).served = 0


@pytest.mark.parametrize(
    ("text", "name", "at"),
    [
        (lose_by_scalar, "served", ()),
        (lose_by_detour, "marked", (0, 0)),
        (lose_by_two_places, "at", (0,)),
        (lose_by_two_values, "served", ()),
    ],
)
@pytest.mark.usefixtures("ids_may_be_numbers")
def test_a_field_whose_turns_cannot_be_told_becomes_unknown(
    text: Callable[..., None], name: str, at: tuple[int, ...]
) -> None:
    world, step = run(rule("X")(text))
    after = step.after.fields[name](*at)

    assert name in step.after.lost
    assert can_be(after == 1, before(world, name, *at) == 0)
    assert can_be(after == 0, before(world, name, *at) == 1)


def test_one_value_that_every_member_may_write_is_written_if_one_does() -> None:
    @rule("X")
    def note(s: Desk, t: Desk) -> None:
        """Whoever is busy closes the office."""
        for clerk in s.clerks:
            t.when(s.busy[clerk]).closed = True

    world, step = run(note)
    someone = z3.Int("someone")
    is_there = z3.And(someone >= 0, someone < world.frame.sizes["clerks"])
    after = step.after.fields["closed"]()
    nobody = z3.ForAll([someone], z3.Implies(is_there, z3.Not(before(world, "busy", someone))))

    assert is_valid(after, is_there, before(world, "busy", someone))
    assert is_valid(after == before(world, "closed"), nobody)
    assert can_be(z3.Not(after), *world.background)


def test_nothing_is_known_again_of_a_field_that_was_lost() -> None:
    @rule("X")
    def muddle(s: Desk, t: Desk) -> None:
        """Each member writes the same cell, which is then written once more."""
        for clerk in s.clerks:
            t.when(s.busy[clerk]).served = s.turns[clerk]
        t.served = 5

    _, step = run(muddle)

    assert can_be(step.after.fields["served"]() == 0)


def test_a_total_moves_with_the_cells_that_are_written() -> None:
    @rule("X", one=Desk.clerks, other=Desk.clerks, to=Desk.shelves)
    def mark(s: Desk, t: Desk, one: Id, other: Id, to: Id) -> None:
        """Two clerks, or one twice, mark a shelf."""
        t.marked[one, 0] = to
        t.marked[other, 0] = to

    world, step = run(mark)
    assert step.by is not None
    one, other, to = (step.by[name] for name in ("one", "other", "to"))
    grown = step.after.totals["named"](to) - world.before.totals["named"](to)
    unmarked = [before(world, "marked", clerk, 0) == NONE for clerk in (one, other)]

    assert is_valid(grown == 2, *step.premises, *unmarked, one != other)
    assert is_valid(grown == 1, *step.premises, *unmarked, one == other)
    assert is_valid(
        grown == 0, *step.premises, *[before(world, "marked", clerk, 0) == to for clerk in (one, other)]
    )


def test_a_total_moves_with_a_row_over_an_index() -> None:
    @rule("X", clerk=Desk.clerks)
    def clear(s: Desk, t: Desk, clerk: Id) -> None:
        """A clerk takes all his marks back."""
        t.marked[clerk] = NONE

    world, step = run(clear)
    assert step.by is not None
    clerk, shelf = step.by["clerk"], z3.Int("shelf")
    lost = world.before.totals["named"](shelf) - step.after.totals["named"](shelf)

    assert is_valid(lost == 2, shelf >= 0, *[before(world, "marked", clerk, i) == shelf for i in range(2)])


def test_a_total_of_what_is_written_to_all_cells_is_all_or_nothing() -> None:
    @rule("X")
    def clear(s: Desk, t: Desk) -> None:
        """All marks are taken back."""
        t.when(s.closed).marked = NONE

    world, step = run(clear)
    shelf = z3.Int("shelf")
    named, cleared = world.before.totals["named"](shelf), step.after.totals["named"](shelf)
    closed = before(world, "closed")

    assert is_valid(cleared == 0, shelf >= 0, closed)
    assert is_valid(cleared == named, shelf >= 0, z3.Not(closed))


def test_a_total_goes_with_the_table_that_is_copied() -> None:
    @rule("X")
    def keep(s: Desk, t: Desk) -> None:
        """All marks are as they were."""
        t.marked = s.marked

    world, step = run(keep)
    shelf = z3.Int("shelf")

    assert is_valid(step.after.totals["named"](shelf) == world.before.totals["named"](shelf))


def test_a_total_is_unknown_after_a_copy_of_what_nobody_counts() -> None:
    @rule("X")
    def copy(s: Desk, t: Desk) -> None:
        """All marks are replaced by the copies."""
        t.marked = s.copied

    _, step = run(copy)

    assert "named" in step.after.lost
    assert can_be(step.after.totals["named"](0) == 3)
    assert is_valid(step.after.totals["named"](0) >= 0)


def test_sizes_are_unknown_but_for_the_lengths_of_indexes() -> None:
    @rule("X")
    def fill(s: Desk, t: Desk) -> None:
        """The room is filled."""
        t.require(s.level < s.room)
        t.level = s.room
        t.served = s.length

    world, step = run(fill)

    assert 2 == step.after.fields["served"]()
    assert can_be(*given(world, step), world.frame.sizes["room"] == 100)
    assert not can_be(*given(world, step), world.frame.sizes["room"] == 0)


def test_values_one_by_one_fit_an_index_only() -> None:
    @rule("X", to=Map(Desk.marks, opt(Desk.shelves)))
    def misplace(s: Desk, t: Desk, to: Value) -> None:
        """As many clerks as marks, by chance."""
        t.at = to

    with pytest.raises(UnreadableError, match="one by one"):
        read(misplace)


def test_guards_speak_of_all_members() -> None:
    @rule("X", shelf=Desk.shelves)
    def sweep(s: Desk, t: Desk, shelf: Id) -> None:
        """A shelf where somebody is, and everybody busy, is swept."""
        t.require(exists(all_of(s.at[x] == shelf, s.busy[x]) for x in s.clerks))
        t.level = 0

    world, step = run(sweep)

    assert is_valid(world.frame.sizes["clerks"] > 0, *world.background, *step.premises)
