"""What is known of counts is enough for shelves that are never overfull, and not for shelves that are."""

from collections.abc import Callable
from dataclasses import replace

import pytest
import z3

from nomadspec.checkers.smt import prove
from nomadspec.checkers.smt.counts import (
    list_count_facts,
    list_goal_facts,
    list_near_comparisons,
    list_pairings,
    list_strict_comparisons,
)
from nomadspec.checkers.smt.open_world import OpenWorld
from nomadspec.checkers.smt.sums import Sum
from nomadspec.checkers.verdict import ProofResult
from nomadspec.model.language.domain import NONE, Id
from nomadspec.model.language.logic import Value, all_of, count, for_all, not_
from tests.checkers.smt.agreement import fix_arguments, fix_world, is_same_world
from tests.checkers.smt.depot import Depot, depot, exchange, fall_due, leaves, no_shelf_breaks
from tests.checkers.smt.toys import ENOUGH, can_be, is_valid
from tests.checkers.smt.walks import list_reachable

Text = Callable[[Depot], Value]


def clear_nothing(s: Depot, t: Depot, shelf: Id) -> None:
    """A new box comes as if those that are due had left."""
    t.require(s.used[shelf] - count(leaves(s, x, shelf) for x in s.boxes) < s.room)
    t.at[s.made] = shelf
    t.made = s.made + 1


def clear_another(s: Depot, t: Depot, shelf: Id) -> None:
    """A new box comes when those that are not due have left."""
    t.require(s.used[shelf] - count(leaves(s, x, shelf) for x in s.boxes) < s.room)
    for box in s.boxes:
        t.when(all_of(not_(s.is_due[box]), s.at[box] == shelf)).at[box] = NONE
    t.at[s.made] = shelf
    t.made = s.made + 1


def test_a_step_that_moves_many_boxes_keeps_the_room_of_shelves() -> None:
    report = prove(depot().at(profile="intended"), properties=[no_shelf_breaks])
    proof, *_ = report.proofs

    assert ProofResult.PROVED_UNBOUNDED is proof.result
    assert proof.scope.startswith("any number of shelves and boxes")


@pytest.mark.parametrize("text", [clear_nothing, pytest.param(clear_another, marks=pytest.mark.deep)])
def test_shelves_that_can_break_are_not_proved(text: Callable[..., None]) -> None:
    changed = replace(exchange, text=text)
    report = prove(depot(changed, fall_due).at(profile="intended"), properties=[no_shelf_breaks])

    assert ProofResult.COUNTEREXAMPLE is report.proofs[0].result


@pytest.mark.parametrize("worlds", [1, pytest.param(10, marks=pytest.mark.deep)])
def test_what_the_interpreter_does_is_possible_with_all_that_is_known_of_counts(worlds: int) -> None:
    bounded = depot().at(profile="intended")
    world = OpenWorld(bounded)
    steps = {step.by.rule.name: step for step in world.steps if step.by is not None}
    _, counts = world.state_counted("no_shelf_breaks", steps["Exchange"])
    known = {one.name: one for one in (*steps["Exchange"].counts.values(), *counts)}
    facts = [*list_count_facts(known.values()), *list_goal_facts(known.values())]
    facts += list_strict_comparisons(known.values(), known.values())
    happened = 0

    for cells in list_reachable(bounded, worlds, seed=1):
        for instance in [one for one in bounded.instances if one.rule is exchange]:
            after, arguments = bounded.step(cells, instance), fix_arguments(steps["Exchange"], instance)
            assert arguments is not None
            terms = [*fix_world(bounded, world, cells), *arguments, *steps["Exchange"].premises, *facts]
            same = [] if after is None else [is_same_world(bounded, steps["Exchange"].after, after)]
            # how many steps a refutation takes depends on what else this process has asked the solver
            most = ENOUGH if same else 100 * ENOUGH
            assert is_valid(False, *terms, *same, steps=most) == (after is None)
            happened += after is not None

    assert happened


@pytest.fixture(name="world")
def _world() -> OpenWorld:
    return OpenWorld(depot().at(profile="intended"))


def say(world: OpenWorld, *texts: Text) -> tuple[list[Value], list[Value]]:
    """Read texts, and list what is known of the counts in them."""
    world.frame.binder.take_counts()
    with world.frame.binder.reading():
        read = [text(Depot(world.frame, world.before)) for text in texts]
    return read, list(list_count_facts(world.frame.binder.take_counts().values()))


def find_counts(world: OpenWorld, text: Text) -> tuple[Sum, ...]:
    """Read a text, and list the counts in it."""
    world.frame.binder.take_counts()
    with world.frame.binder.reading():
        text(Depot(world.frame, world.before))
    return tuple(world.frame.binder.take_counts().values())


def count_due(s: Depot) -> Value:
    return count(s.is_due[x] for x in s.boxes)


def count_due_and_called(s: Depot) -> Value:
    return count(all_of(s.is_due[x], s.is_called[x]) for x in s.boxes)


def test_a_count_is_no_larger_than_one_of_more(world: OpenWorld) -> None:
    (all_due, called), facts = say(world, count_due, count_due_and_called)

    assert is_valid(called <= all_due, *facts)
    assert can_be(called < all_due, *facts)
    assert not is_valid(called <= all_due)


def test_a_count_is_nothing_where_nobody_counts(world: OpenWorld) -> None:
    (number,), facts = say(world, count_due)
    box = z3.Int("box")
    nobody = z3.ForAll([box], z3.Not(world.before.fields["is_due"](box)))
    inside = z3.And(box >= 0, box < world.frame.sizes["most"], world.before.fields["is_due"](box))

    assert is_valid(number == 0, nobody, *facts)
    assert is_valid(number >= 1, inside, *facts)


def test_what_a_goal_counts_is_paired_with_what_a_step_counts_of_the_same(world: OpenWorld) -> None:
    def count_on_shelves(s: Depot) -> Value:
        return for_all(count(s.at[x] == y for x in s.boxes) >= 0 for y in s.shelves)

    (all_due, called), _ = say(world, count_due, count_due_and_called)
    due, both, on_shelves = (
        find_counts(world, one) for one in (count_due, count_due_and_called, count_on_shelves)
    )
    facts = list(list_pairings(both, due))

    assert is_valid(called <= all_due, *facts)
    assert 2 == len(facts)
    assert [] == list(list_pairings(due, due))
    assert [] == list(list_pairings(due, on_shelves))


def test_counts_are_compared_but_for_a_member_that_is_named(world: OpenWorld) -> None:
    (all_due, called), _ = say(world, count_due, count_due_and_called)
    counts = [*find_counts(world, count_due), *find_counts(world, count_due_and_called)]
    box, one = z3.Ints("box one")
    is_due, is_called = (world.before.fields[name] for name in ("is_due", "is_called"))
    others = z3.ForAll([box], z3.Implies(z3.And(is_due(box), box != one), is_called(box)))
    only_one = z3.And(others, one >= 0, one < world.frame.sizes["most"], is_due(one), z3.Not(is_called(one)))
    facts = list(list_near_comparisons(counts, {"boxes": [one]}))

    assert is_valid(all_due <= called + 1, others, *facts)
    assert is_valid(called < all_due, only_one, *facts)
    assert not is_valid(all_due <= called, others, *facts)


def test_a_count_is_smaller_than_its_set_where_somebody_is_left_out(world: OpenWorld) -> None:
    (number,), _ = say(world, count_due)
    facts = list(list_near_comparisons(find_counts(world, count_due), {}))
    most, one = world.frame.sizes["most"], z3.Int("one")
    is_out = z3.And(one >= 0, one < most, z3.Not(world.before.fields["is_due"](one)))

    assert is_valid(number < most, is_out, *facts)
    assert not is_valid(number < most, *facts)
