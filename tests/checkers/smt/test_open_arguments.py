"""What the arguments of a rule are where sets have any size."""

import z3

from nomadspec.checkers.smt.open_world import OpenStep, OpenWorld
from nomadspec.model.language.arguments import ArgumentSpec
from nomadspec.model.language.domain import FLAG, NONE, SKIP, Domain, Map, as_domain, counter, opt, upto
from nomadspec.model.language.logic import Value, binding
from nomadspec.model.language.rule import Rule, rule
from nomadspec.model.language.sets import Ids
from tests.checkers.smt.toys import Desk, can_be, is_valid, read


def with_argument(spec: ArgumentSpec) -> Rule:
    """Make a rule that has an argument and does nothing with it."""

    @rule("X", it=spec)
    def look(s: Desk, t: Desk, it: Value) -> None:
        """Nothing changes."""

    return look


def read_one(spec: Ids | Domain | Map) -> tuple[OpenWorld, OpenStep, Value]:
    world = read(with_argument(spec))
    (step,) = world.steps
    assert step.by is not None
    return world, step, step.by["it"]


def test_a_member_of_a_set_is_unknown() -> None:
    world, step, it = read_one(Desk.clerks)
    known = (*world.background, *step.premises)

    assert can_be(*known, it == 100)
    assert is_valid(z3.And(it >= 0, it < world.frame.sizes["clerks"]), *known)


def test_each_place_of_an_index_is_a_step_of_its_own() -> None:
    world = read(with_argument(Desk.marks))

    assert [0, 1] == [step.by["it"] for step in world.steps if step.by is not None]


def test_a_place_or_none_is_a_step_of_its_own_too() -> None:
    world = read(with_argument(opt(Desk.marks)))

    assert [NONE, 0, 1] == [step.by["it"] for step in world.steps if step.by is not None]


def test_a_member_or_a_sentinel_is_unknown() -> None:
    world, step, it = read_one(opt(Desk.shelves, SKIP))
    known = (*world.background, *step.premises)

    assert can_be(*known, it == SKIP, world.frame.sizes["shelves"] == 0)
    assert is_valid(z3.And(it >= SKIP, it < world.frame.sizes["shelves"]), *known)


def test_numbers_stay_within_what_the_protocol_bounds() -> None:
    world, step, it = read_one(upto(Desk.room))

    assert is_valid(it <= world.frame.sizes["room"], *step.premises)


def test_numbers_that_the_scope_bounds_have_no_end() -> None:
    _, step, it = read_one(counter(3))

    assert can_be(*step.premises, it == 1000)
    assert is_valid(it >= 0, *step.premises)


def test_a_flag_is_unknown() -> None:
    _, step, it = read_one(FLAG)

    assert () == step.premises
    assert z3.is_bool(it)


def test_a_choice_for_each_place_is_one_unknown_each() -> None:
    world, step, it = read_one(Map(Desk.marks, opt(Desk.shelves)))

    assert 2 == len(it)
    assert can_be(*world.background, *step.premises, it[0] == 5, it[1] == NONE)
    assert is_valid(it[1] < world.frame.sizes["shelves"], *step.premises)


def test_a_choice_for_each_member_of_a_set_is_an_unknown_table() -> None:
    world, step, it = read_one(Map(Desk.clerks, opt(Desk.shelves)))
    clerks = world.frame.sizes["clerks"]

    with binding(world.frame.binder):
        assert is_valid(it[3] >= NONE, *step.premises, clerks == 4)
        assert not is_valid(it[3] == it[2], *step.premises, clerks == 4)
        assert is_valid(it[4] == NONE, clerks == 4)


def test_where_a_map_is_left_out_all_its_values_are_the_least_one_however_low() -> None:
    world, step, it = read_one(Map(Desk.marks, counter(2, 3), on=Desk.most))
    known = (*world.background, *step.premises, world.frame.sizes["most"] == 0)

    assert is_valid(z3.And(it[0] == -3, it[1] == -3), *known)
    assert can_be(*known)


def test_a_map_into_a_set_without_members_has_no_values_wherever_it_is_left_out() -> None:
    world, step, _ = read_one(Map(Desk.marks, as_domain(Desk.shelves), on=Desk.shelves.size))

    assert not can_be(*world.background, *step.premises, world.frame.sizes["shelves"] == 0)
    assert can_be(*world.background, *step.premises, world.frame.sizes["shelves"] == 1)
