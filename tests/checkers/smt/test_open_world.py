"""The reading over sets of any size agrees with the interpreter wherever the sets have the scope's size."""

from itertools import product

import pytest

from nomadspec.checkers.smt.binder import UnreadableError
from nomadspec.checkers.smt.open_world import OpenWorld
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.errors import StyleError
from nomadspec.model.language.domain import Id, opt
from nomadspec.model.language.logic import Value, any_of, for_all, not_
from nomadspec.model.language.model import Model
from nomadspec.model.language.property import By, Kind, always
from nomadspec.model.language.rule import rule
from nomadspec.model.language.world import World, field, ids
from tests.checkers.smt.agreement import assert_step_agrees, fix_world, is_same_world
from tests.checkers.smt.toys import (
    Desk,
    begin,
    busy_clerks_wait,
    can_be,
    desk,
    finish,
    is_valid,
    read,
    served_grows_by_one,
    waiting_clerks_are_busy,
)
from tests.checkers.smt.walks import list_reachable


@pytest.mark.parametrize("worlds", [2, pytest.param(10, marks=pytest.mark.deep)])
@pytest.mark.parametrize(
    ("name", "sizes", "coarse"),
    [("core", {"flips": 2, "nodes": 1}, {"Schedule"}), ("2pc", {"rms": 2}, set())],
    ids=["core", "2pc"],
)
def test_rules_agree_with_the_interpreter(
    name: str, sizes: dict[str, int], coarse: set[str], worlds: int
) -> None:
    """Only a rule with a sum over sets in its guard may seem possible where it is not."""
    bounded = find_model(name).at(sizes=sizes, profile="intended")
    world = OpenWorld(bounded)

    for cells in list_reachable(bounded, worlds):
        for instance in bounded.instances:
            is_coarse = instance.rule.name in coarse
            assert_step_agrees(bounded, world, cells, instance, coarse=is_coarse)


@pytest.mark.parametrize(("name", "sizes"), [("core", {"flips": 1}), ("2pc", {"rms": 3})])
def test_properties_agree_with_the_interpreter(name: str, sizes: dict[str, int]) -> None:
    bounded = find_model(name).at(sizes=sizes, profile="intended")
    world = OpenWorld(bounded)
    props = bounded.model.list_properties(Kind.ALWAYS)
    stated = {prop: world.state_candidate(prop.name, world.before) for prop in props}

    for cells in list_reachable(bounded, 5):
        fixed = fix_world(bounded, world, cells)
        for prop, term in stated.items():
            assert bounded.holds(prop, cells)
            assert is_valid(term, *fixed), prop.name


def test_properties_agree_where_they_do_not_hold() -> None:
    bounded = find_model("2pc").at(sizes={"rms": 2}, profile="intended")
    world = OpenWorld(bounded)
    agreement = bounded.model.find_property("managers_agree")
    stated = world.state_candidate("managers_agree", world.before)
    for states in product(range(4), repeat=2):
        cells = (*states, *bounded.initial[0][2:])

        assert bounded.holds(agreement, cells) == can_be(stated, *fix_world(bounded, world, cells))


def test_the_first_world_is_the_interpreters() -> None:
    bounded = find_model("core").at(profile="nomad-2.0")
    world = OpenWorld(bounded)
    (start,) = world.starts

    assert is_valid(is_same_world(bounded, start.after, bounded.initial[0]))


def test_start_rules_make_the_initial_worlds() -> None:
    @rule("X", clerk=Desk.clerks)
    def open_office(s: Desk, t: Desk, clerk: Id) -> None:
        """One clerk is there from the start."""
        t.busy[clerk] = True
        t.line.push(clerk)

    world = read(begin, starts=(open_office,), properties=(waiting_clerks_are_busy,))
    (start,) = world.starts
    stated = world.state_goal("waiting_clerks_are_busy", start)

    assert is_valid(stated, *world.background, *start.premises)
    assert can_be(start.after.fields["busy"](5), *world.background, *start.premises)


def test_candidates_are_orders_domains_and_properties() -> None:
    world = read(begin, finish, properties=(busy_clerks_wait, served_grows_by_one))

    assert ("order of line",) == world.orders
    assert "domain of marked" in world.candidates
    assert "domain of line" not in world.candidates
    assert "domain of busy" not in world.candidates
    assert ("busy_clerks_wait",) == world.candidates[-1:]


def test_a_domain_is_about_every_member_and_only_about_members() -> None:
    world = read(begin)
    stated = world.state_candidate("domain of at", world.before)
    clerks, shelves = world.frame.sizes["clerks"], world.frame.sizes["shelves"]
    at = world.before.fields["at"]

    assert is_valid(at(1) < 4, stated, clerks == 2, shelves == 4)
    assert can_be(stated, clerks == 2, shelves == 4, at(2) == 9, at(-1) == 9)


def test_what_only_the_scope_bounds_has_no_upper_end() -> None:
    world = read(begin)
    served = world.before.fields["served"]()

    assert can_be(world.state_candidate("domain of served", world.before), served == 1000)
    assert not can_be(world.state_candidate("domain of served", world.before), served == -1)


def test_a_step_property_sees_both_worlds_and_the_rule() -> None:
    world = read(begin, finish, properties=(served_grows_by_one,))

    for step in world.steps:
        assert is_valid(world.state_goal("served_grows_by_one", step), *step.premises)


def test_quirks_come_from_the_profile() -> None:
    steps = {}
    for profile in ("intended", "X-02"):
        world = OpenWorld(find_model("core").at(profile=profile))
        dequeue = next(step for step in world.steps if step.by and step.by.rule.name == "Dequeue")
        steps[profile] = world, dequeue, dequeue.by
    fresh = {}
    for profile, (world, step, by) in steps.items():
        assert isinstance(by, By)
        job = by["job"]
        fresh[profile] = is_valid(step.after.fields["token"](job) == world.before.fields["token"](job))

    assert {"intended": False, "X-02": True} == fresh


def test_a_rule_that_the_profile_rules_out_is_no_step() -> None:
    @rule("X")
    def never(s: Desk, t: Desk) -> None:
        """Nothing ever does this."""
        t.require(False)

    assert ["Begin"] == [step.by.rule.name for step in read(begin, never).steps if step.by]


def test_a_slip_is_blamed_on_its_rule() -> None:
    @rule("X")
    def tally(s: Desk, t: Desk) -> None:
        """Somebody counts heads in Python."""
        t.served = len(list(s.clerks))

    with pytest.raises(UnreadableError, match=r"Rule Tally .*gone through by something else"):
        read(tally)


def test_a_slip_is_blamed_on_its_property() -> None:
    @always("X", why="heads count")
    def there_are_few(s: Desk) -> Value:
        """There are few clerks."""
        return any_of(s.closed, sum(1 for _ in s.clerks) < 9)

    world = read(begin, properties=(there_are_few,))
    with pytest.raises(UnreadableError, match="Property there_are_few"):
        world.state_candidate("there_are_few", world.before)


class Lamps(World):
    """Lamps, one of which is the lit one."""

    lamps = ids("lamp", 2, "lamps")
    lit = field(lamps, init=0, about="the lamp that is lit")
    next_lit = field(lamps, opt(lamps), init=-1, about="which lamp comes next")


def test_a_first_value_outside_its_domain_is_no_scope() -> None:
    @rule("X", lamp=Lamps.lamps)
    def switch(s: Lamps, t: Lamps, lamp: Id) -> None:
        """Another lamp is lit."""
        t.lit = lamp

    world = OpenWorld(Model("lamps", "lamps", Lamps, (switch,)).at(profile="intended"))

    assert is_valid(world.frame.sizes["lamps"] > 0, *world.background)


def test_the_desk_is_read_as_it_runs() -> None:
    bounded = desk(begin, finish)
    world = OpenWorld(bounded)
    for cells in list_reachable(bounded, 4):
        for instance in bounded.instances:
            assert_step_agrees(bounded, world, cells, instance)


def test_bulk_rules_agree_with_the_interpreter() -> None:
    @rule("X", shelf=Desk.shelves)
    def sweep(s: Desk, t: Desk, shelf: Id) -> None:
        """All who are idle go to a shelf and copy its marks; the busy leave the line."""
        t.require(for_all(not_(s.closed) for _ in s.clerks))
        for clerk in s.clerks:
            idle = t.when(not_(s.busy[clerk]))
            idle.at[clerk] = shelf
            idle.copied[clerk] = s.marked[clerk]
            t.when(s.busy[clerk]).line.remove(clerk)
            for mark in s.marks:
                t.marked[clerk, mark] = s.at[clerk]

    bounded = desk(begin, finish, sweep)
    world = OpenWorld(bounded)

    assert set() == world.steps[-1].after.lost
    for cells in list_reachable(bounded, 4):
        for instance in bounded.instances:
            summed = frozenset({"named"} if instance.rule is sweep else ())
            assert_step_agrees(bounded, world, cells, instance, summed=summed)


def test_a_branch_on_a_size_is_refused() -> None:
    """In the scope the room is 1, so the branch is settled there; for any room it is not."""

    @rule("X")
    def fill(s: Desk, t: Desk) -> None:
        """A room for one is filled."""
        if s.room == 1:
            t.level = 1

    with pytest.raises(StyleError, match=r"Rule Fill .* branch"):
        read(fill)
