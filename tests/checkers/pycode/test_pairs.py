"""Step properties over two worlds: as the interpreter answers, traced as seldom as can be."""

import pytest

from nomadspec.checkers.coverage import PREMISES
from nomadspec.checkers.pycode import possible
from nomadspec.checkers.pycode.checks import CodeChecks
from nomadspec.checkers.pycode.pairs import PairLayout, Pairs
from nomadspec.checkers.pycode.program import Program
from nomadspec.checkers.requested_properties import find_asked
from nomadspec.checkers.simulate.splitmix import SplitMix64
from nomadspec.checkers.simulate.walker import Walker
from nomadspec.checkers.stepper.layout import Layout
from nomadspec.checkers.usual_profile import bind_as_usual
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.logic import Value, all_of, implies
from nomadspec.model.language.property import By, Kind, Property, step
from nomadspec.model.language.world import World
from tests.checkers.simulate.models import LEVELS, Lamp, light, turn_off


@step("L-3", why="it asks for the rule")
def only_off_changes(s: Lamp, n: Lamp, by: By) -> Value:
    """The level changes only where everything is turned off."""
    return implies(n.level != s.level, by.is_(turn_off))


@step("L-2", why="it asks for an argument, and breaks on purpose")
def only_one_is_lit(s: Lamp, n: Lamp, by: By) -> Value:
    """Light is only made where it is asked for, and never of the third lamp."""
    if not by.is_(light):
        return True
    return all_of(n.lit[by["lamp"]], by["lamp"] < 2)


@step("L-3", why="it asks for everything, and breaks on purpose")
def rules_have_no_arguments(s: Lamp, n: Lamp, by: By) -> Value:
    """Rules have no arguments."""
    return all_of(len(by.arguments) == 0, s.level <= 4)


@step("L-3", why="it breaks where nothing changes")
def something_changes(s: Lamp, n: Lamp) -> Value:
    """A step changes the level."""
    return s.level != n.level


ASKED = (only_off_changes, only_one_is_lit, rules_have_no_arguments, something_changes)


def watch(prop: Property, before: World, after: World, by: By) -> list[tuple[str, Value]]:
    return [(prop.name, prop(before, after, by))]


def test_one_text_is_traced_once_for_each_answer() -> None:
    traced: list[str] = []

    def count(prop: Property, before: World, after: World, by: By) -> list[tuple[str, Value]]:
        traced.append(prop.name)
        return watch(prop, before, after, by)

    Pairs(LEVELS.at(sizes={"lamps": 20}), ASKED, count)

    assert [4, 2 * (1 + 20), 2 * (1 + 20), 2] == [traced.count(prop.name) for prop in ASKED]


def test_only_what_a_step_can_change_is_asked_of_it() -> None:
    pairs = Pairs(LEVELS.at(), ASKED, watch)
    lit, up, off = 0, 3, 5
    names = [[pairs.questions[at].question.name for at in pairs.list_asked(each)] for each in (lit, up, off)]

    assert [False, True, False] == ["only_off_changes" in asked for asked in names]
    assert "something_changes" in names[0]


def test_two_worlds_lie_one_behind_the_other() -> None:
    bounded = find_model("core").at("small", profile="nomad-2.0")
    single, double = Layout(bounded), PairLayout(bounded)

    assert 2 * single.bits == double.bits
    assert [*single.shifts, *(shift + single.bits for shift in single.shifts)] == list(double.shifts)
    assert single.widths * 2 == double.widths


CASES = {
    "levels": (LEVELS, None, ASKED),
    "core, unchecked": (find_model("core"), "unchecked", None),
    "kernel": (find_model("kernel"), "external-triggers", None),
}
WALKS = [
    *(pytest.param(name, 150, id=name) for name in CASES if name != "kernel"),
    pytest.param("kernel", 50, id="kernel"),
    pytest.param("kernel", 150, id="kernel, as far as the others", marks=pytest.mark.deep),
]
"""How many steps are taken: few of what is asked hundreds of questions about each of them."""


@pytest.mark.parametrize(("name", "most"), WALKS)
def test_each_step_of_a_walk_is_answered_as_by_the_interpreter(
    name: str, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    model, scope, asked = CASES[name]
    bounded = bind_as_usual(model, scope)
    steps = asked or bounded.model.list_properties(Kind.STEP)
    monkeypatch.setattr(possible, "_LEAST_INSTANCES", 0)
    layout = Layout(bounded)
    program, checks = Program(bounded, layout), CodeChecks(bounded, layout, steps)
    random = SplitMix64(3)
    packed, told = program.initial[0], 0
    for _ in range(most):
        there = program.list_possible(packed)
        if not there or not random.below(15):
            packed = program.initial[0]
            continue
        position = there[random.below(len(there))]
        after = program.compute_after(packed, position)
        before, later, by = layout.unpack(packed), layout.unpack(after), bounded.instances[position]
        wrong = [prop for prop in steps if not bounded.holds_step(prop, before, by, later)]

        assert wrong == checks.ask_step(packed, position, after)
        told += len(wrong)
        packed = after
    assert bool(told) == (asked is not None)


@pytest.mark.parametrize("name", ["core, unchecked", pytest.param("kernel", marks=pytest.mark.deep)])
def test_walks_meet_the_same_premises_either_way(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    model, scope, _ = CASES[name]
    bounded = bind_as_usual(model, scope)
    walked = []
    for least in (10_000, 0):
        monkeypatch.setattr(possible, "_LEAST_INSTANCES", least)
        walked.append(walk(bounded))

    assert walked[0] == walked[1]


def walk(bounded: BoundedModel) -> tuple[object, ...]:
    walker = Walker(bounded, find_asked(bounded, None), seed=1, max_steps=60)
    for _ in range(30):
        walker.walk(stops_at_first=False)
    premises = next(each for each in walker.coverage.report() if each.kind == PREMISES)
    return premises, walker.digest, walker.fired, walker.reached, walker.found
