"""Searching back from a world."""

import pytest

from nomadspec.checkers.smt.proving import prove
from nomadspec.checkers.smt.question import Patience
from nomadspec.checkers.smt.reach import BackwardSearch
from nomadspec.checkers.usual_profile import bind_as_usual
from nomadspec.checkers.verdict import ProofResult, Reach, ReachMark
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.language.bounded import BoundedModel, Cells
from nomadspec.model.language.domain import upto
from nomadspec.model.language.logic import Value
from nomadspec.model.language.model import Model
from nomadspec.model.language.property import always
from nomadspec.model.language.rule import rule
from nomadspec.model.language.world import World, field, size
from tests.checkers.smt.toys import begin, desk, finish
from tests.checkers.smt.walks import list_successors

DESK = desk(begin, finish)


def search(world: Cells, bounded: BoundedModel = DESK, steps: int = 8, seconds: float | None = None) -> Reach:
    return BackwardSearch(bounded, Patience(seconds, 2.0), world, "w").find(steps)[0]


def with_cell(cells: Cells, name: str, value: int) -> Cells:
    at = DESK.frame.cell_names.index(name)
    return (*cells[:at], value, *cells[at + 1 :])


def test_an_initial_world_is_reachable_at_once() -> None:
    assert Reach(ReachMark.REACHABLE, 0) == search(DESK.initial[0])


@pytest.mark.parametrize("name", ["core", "2pc"])
def test_reachable_worlds_are_reached_by_the_steps_that_are_told(name: str) -> None:
    bounded = bind_as_usual(find_model(name))
    world = bounded.initial[0]
    for _ in range(4):
        world = list_successors(bounded, world)[0]
    reach, instances, first = BackwardSearch(bounded, Patience(None, 2.0), world, "w").find(6)

    assert ReachMark.REACHABLE is reach.mark
    assert first is not None
    for instance in instances:
        first = bounded.step(first, instance)
        assert first is not None
    assert world == first


def test_what_nothing_leads_to_is_unreachable() -> None:
    closed = with_cell(DESK.initial[0], "closed", value=True)

    assert Reach(ReachMark.UNREACHABLE, 1) == search(closed)


def test_a_search_that_is_too_short_leaves_it_open() -> None:
    served = with_cell(DESK.initial[0], "served", 2)

    assert Reach(ReachMark.OPEN, 1) == search(served, steps=1)
    assert Reach(ReachMark.REACHABLE, 4) == search(served)


class Stairs(World):
    """Stairs that are climbed step by step."""

    top = size(3, "how many steps there are")
    height = field(upto(top), init=0, about="the step that was reached")


@rule("X")
def climb(s: Stairs, t: Stairs) -> None:
    """One more step is climbed."""
    t.require(s.height < s.top)
    t.height = s.height + 1


@always("X", why="for the test")
def nobody_is_at_the_top(s: Stairs) -> Value:
    """There is a step left."""
    return s.height < s.top


def test_a_way_to_the_world_of_a_gap_makes_a_story() -> None:
    stairs = Model("stairs", "stairs", Stairs, (climb,), (nobody_is_at_the_top,)).at(profile="intended")
    shorter, longer = (
        prove(stairs, properties=[nobody_is_at_the_top], bmc_steps=steps, is_open=False).proofs[0]
        for steps in (1, 2)
    )

    assert shorter.gap is not None
    assert Reach(ReachMark.OPEN, 1) == shorter.gap.reach
    assert ProofResult.COUNTEREXAMPLE is longer.result
    assert longer.story is not None
    assert 3 == len(longer.story.steps)


def test_a_search_without_time_leaves_it_open() -> None:
    served = with_cell(DESK.initial[0], "served", 2)

    assert ReachMark.OPEN is search(served, seconds=0.0).mark
