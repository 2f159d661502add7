"""The code of properties says what the interpreter says."""

import pytest

from nomadspec.checkers.pycode.checks import CodeChecks
from nomadspec.checkers.pycode.program import Program
from nomadspec.checkers.simulate.splitmix import SplitMix64
from nomadspec.checkers.stepper.layout import Layout
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.property import Kind
from tests.checkers.simulate.models import LEVELS
from tests.checkers.stepper.models import DESK

MODELS = {
    "core, unchecked": find_model("core").at("unchecked"),
    "core, reused": find_model("core").at("reused"),
    "2pc, hasty": find_model("2pc").at("hasty"),
    "desk": DESK.at(),
    "levels": LEVELS.at(),
}


def list_news(bounded: BoundedModel, cells: tuple[int, ...]) -> set[str]:
    """Ask the interpreter about a world."""
    return {
        prop.name
        for prop in bounded.model.list_properties(Kind.ALWAYS, Kind.SOMETIMES)
        if bounded.holds(prop, cells) is (prop.kind is Kind.SOMETIMES)
    }


@pytest.mark.parametrize("name", MODELS)
def test_each_world_and_step_of_a_walk_is_answered_as_by_the_interpreter(name: str) -> None:
    bounded = MODELS[name]
    layout = Layout(bounded)
    program = Program(bounded, layout)
    checks = CodeChecks(bounded, layout, bounded.model.properties)
    steps = bounded.model.list_properties(Kind.STEP)
    random = SplitMix64(3)
    packed = program.initial[0]
    for _ in range(60):
        cells = layout.unpack(packed)
        possible = program.list_possible(packed)
        if not possible or not random.below(15):
            packed = program.initial[0]
            continue
        position = possible[random.below(len(possible))]
        after = program.compute_after(packed, position)
        later, instance = layout.unpack(after), bounded.instances[position]

        assert list_news(bounded, later) == {prop.name for prop in checks.ask_world(after)}
        assert [prop for prop in steps if not bounded.holds_step(prop, cells, instance, later)] == (
            checks.ask_step(packed, position, after)
        )
        packed = after


def test_after_a_step_only_what_it_can_have_changed_is_asked() -> None:
    bounded = LEVELS.at()
    layout = Layout(bounded)
    program = Program(bounded, layout)
    checks = CodeChecks(bounded, layout, bounded.model.properties)
    light, up = 0, 3
    high = program.compute_after(program.initial[0], up)

    assert ["level_is_one", "level_is_zero"] == [prop.name for prop in checks.ask_world(high, up)]
    assert [] == checks.ask_world(program.compute_after(high, light), light)


def test_what_is_dropped_is_not_asked() -> None:
    bounded = LEVELS.at()
    layout = Layout(bounded)
    program = Program(bounded, layout)
    checks = CodeChecks(bounded, layout, bounded.model.properties)
    high, off = program.compute_after(program.initial[0], 3), len(bounded.instances) - 1
    low = program.compute_after(high, off)
    for name in ("level_is_one", "level_is_zero", "level_never_falls"):
        assert checks.ask_world(high, 3) or checks.ask_step(high, off, low)
        checks.drop(bounded.model.find_property(name))

    assert [] == checks.ask_world(high, 3) + checks.ask_world(high) + checks.ask_step(high, off, low)
