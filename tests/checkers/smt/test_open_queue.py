"""Queues by tickets mean what queues by ranks mean, as long as the rules meet their obligations."""

from itertools import pairwise, permutations

import pytest
import z3

from nomadspec.checkers.smt.open_world import OpenStep, OpenWorld
from nomadspec.model.language.domain import NONE, Id
from nomadspec.model.language.logic import Value, all_of, binding, not_
from nomadspec.model.language.rule import Rule, rule
from tests.checkers.smt.toys import Desk, begin, can_be, finish, is_valid, read

ORDER = "order of line"


def ask(world: OpenWorld, question: str, *arguments: Value, after: OpenStep | None = None) -> Value:
    """Ask the queue of the world before a step, or after it."""
    state = world.before if after is None else after.after
    with binding(world.frame.binder):
        return getattr(Desk(world.frame, state).line, question)(*arguments)


def queued(world: OpenWorld, *line: int) -> list[Value]:
    """True while these clerks, out of three, stand in the queue in this order."""
    tickets = [world.before.fields["line"](clerk) for clerk in range(3)]
    absent = [tickets[clerk] == 0 for clerk in range(3) if clerk not in line]
    present = [tickets[clerk] > 0 for clerk in line]
    ordered = [tickets[one] < tickets[two] for one, two in pairwise(line)]
    return [world.frame.sizes["clerks"] == 3, *absent, *present, *ordered]


def duties_hold(world: OpenWorld, step: OpenStep) -> bool:
    order = world.state_candidate(ORDER, world.before)
    return is_valid(all_of(*step.obligations[ORDER]), *world.background, *step.premises, order)


def test_who_came_first_stands_before_the_others() -> None:
    world = read(begin)

    for line in permutations(range(3), 2):
        before = [
            (one, other)
            for one, other in permutations(range(3), 2)
            if is_valid(ask(world, "is_before", z3.IntVal(one), z3.IntVal(other)), *queued(world, *line))
        ]

        assert [line] == before


def test_the_head_is_who_came_first() -> None:
    world = read(begin)

    for line in permutations(range(3)):
        heads = [is_valid(ask(world, "head", z3.IntVal(x)), *queued(world, *line)) for x in range(3)]

        assert [x == line[0] for x in range(3)] == heads


def test_who_is_absent_is_not_in_the_queue_and_not_its_head() -> None:
    world = read(begin)
    one = z3.IntVal(1)

    assert is_valid(not_(ask(world, "has", one)), *queued(world, 0, 2))
    assert is_valid(not_(ask(world, "head", one)), *queued(world, 0, 2))
    assert is_valid(ask(world, "is_empty"), *queued(world))
    assert not can_be(ask(world, "is_empty"), *queued(world, 2))


def test_nobody_is_nowhere_in_the_queue() -> None:
    world = read(begin)

    assert ask(world, "has", NONE) is False


def test_who_is_pushed_comes_last() -> None:
    world = read(begin)
    (step,) = world.steps
    assert step.by is not None
    premises = [*step.premises, step.by["clerk"] == 1]

    assert is_valid(ask(world, "has", z3.IntVal(1), after=step), *premises, *queued(world, 0))
    assert is_valid(ask(world, "head", z3.IntVal(0), after=step), *premises, *queued(world, 0))
    assert is_valid(ask(world, "head", z3.IntVal(1), after=step), *premises, *queued(world))
    assert can_be(*premises, *queued(world, 2, 0))


def test_who_is_popped_makes_place_for_the_next() -> None:
    world = read(finish)
    (step,) = world.steps
    assert step.by is not None
    premises = [*step.premises, *queued(world, 2, 0, 1)]

    assert is_valid(step.by["clerk"] == 2, *premises)
    assert is_valid(ask(world, "head", z3.IntVal(0), after=step), *premises)
    assert is_valid(not_(ask(world, "has", z3.IntVal(2), after=step)), *premises)


def test_order_is_that_no_two_have_the_same_ticket() -> None:
    world = read(begin)
    order = world.state_candidate(ORDER, world.before)
    tickets = [world.before.fields["line"](clerk) for clerk in range(2)]

    assert can_be(order, *queued(world, 1, 0))
    assert not can_be(order, tickets[0] == 4, tickets[1] == 4, world.frame.sizes["clerks"] == 2)
    assert can_be(order, tickets[0] == 0, tickets[1] == 0, world.frame.sizes["clerks"] == 2)


def test_popping_the_head_is_dutiful() -> None:
    world = read(finish)

    assert duties_hold(world, world.steps[0])


def careless(text: Rule) -> bool:
    world = read(text)
    return not duties_hold(world, world.steps[0])


def test_pushing_who_may_be_there_is_not() -> None:
    assert careless(begin)


def test_popping_who_may_not_be_first_is_not() -> None:
    @rule("X", clerk=Desk.clerks)
    def jump(s: Desk, t: Desk, clerk: Id) -> None:
        """Somebody is served out of turn."""
        t.require(s.line.has(clerk))
        t.line.pop(clerk)

    assert careless(jump)


def test_a_condition_limits_the_duty() -> None:
    @rule("X", clerk=Desk.clerks)
    def serve(s: Desk, t: Desk, clerk: Id) -> None:
        """Somebody is served if it is his turn."""
        t.when(s.line.head(clerk)).line.pop(clerk)

    assert not careless(serve)


def test_removing_needs_no_turn_and_may_come_in_a_loop() -> None:
    @rule("X")
    def leave(s: Desk, t: Desk) -> None:
        """Whoever is idle leaves the line."""
        for clerk in s.clerks:
            t.when(not_(s.busy[clerk])).line.remove(clerk)

    world = read(leave)
    (step,) = world.steps
    idle = [z3.Not(world.before.fields["busy"](0)), world.before.fields["busy"](2)]

    assert {} == step.obligations
    assert is_valid(not_(ask(world, "has", z3.IntVal(0), after=step)), *idle, *queued(world, 0, 2))
    assert is_valid(ask(world, "head", z3.IntVal(2), after=step), *idle, *queued(world, 0, 2))


@pytest.mark.usefixtures("ids_may_be_numbers")
def test_pushing_in_a_loop_leaves_the_queue_unknown() -> None:
    @rule("X")
    def rush(s: Desk, t: Desk) -> None:
        """All come at once."""
        for clerk in s.clerks:
            t.line.push(clerk)

    world = read(rush)
    (step,) = world.steps

    assert "line" in step.after.lost
    assert can_be(ask(world, "is_empty", after=step), *queued(world, 1))
