"""Machine code answers as Python does."""

import pytest

from nomadspec.checkers.pycode import possible
from nomadspec.checkers.pycode.compiled import CompiledWorlds, compile_steps, compile_worlds
from nomadspec.checkers.pycode.possible import find_possible
from nomadspec.checkers.pycode.program import Program
from nomadspec.checkers.pycode.questions import Question, WrittenWorlds
from nomadspec.checkers.simulate.splitmix import SplitMix64
from nomadspec.checkers.stepper.layout import Layout
from nomadspec.checkers.usual_profile import bind_as_usual
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.logic import Value
from nomadspec.model.language.property import By, Kind, Property, step
from nomadspec.model.language.world import World
from tests.checkers.native.models import SHELF, owners_stay
from tests.checkers.simulate.models import LEVELS, Lamp, level_never_falls

MODELS = {
    "core": (find_model("core"), "full"),
    "core, unchecked": (find_model("core"), "unchecked"),
    "kernel": (find_model("kernel"), "external-triggers"),
    "levels": (LEVELS, None),
}


def ask_for_machine_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ask for it wherever it may be: where there is no compiler, that is an error which leaves a test out."""
    monkeypatch.setattr(possible, "_LEAST_INSTANCES", 0)
    monkeypatch.setattr(possible, "is_available", lambda: True)


def list_questions(bounded: BoundedModel) -> list[Question]:
    world = bounded.world(bounded.cell_terms)
    found = bounded.model.list_properties(Kind.ALWAYS, Kind.SOMETIMES)
    return [Question(prop.name, prop(world), is_news=prop.kind is Kind.SOMETIMES) for prop in found]


def watch(prop: Property, before: World, after: World, by: By) -> list[tuple[str, Value]]:
    return [(prop.name, prop(before, after, by))]


@pytest.mark.parametrize("name", MODELS)
def test_each_world_of_a_walk_is_answered_alike(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    model, scope = MODELS[name]
    bounded = bind_as_usual(model, scope)
    layout, questions = Layout(bounded), list_questions(bounded)
    program = Program(bounded, layout)
    ask_for_machine_code(monkeypatch)
    list_possible = find_possible(bounded, layout)
    machine, python = (kind(bounded, layout, questions) for kind in (CompiledWorlds, WrittenWorlds))
    assert list_possible is not None
    random, told = SplitMix64(5), 0
    packed, position = program.initial[0], None
    for number in range(300):
        answer = machine.ask(packed, position)
        there = program.list_possible(packed)

        assert python.ask(packed, position) == answer
        assert there == list_possible(packed)
        told += len(answer)
        if number % 20 == 19:
            for name_told in answer[:1]:
                machine.drop(name_told)
                python.drop(name_told)
        if not there or not random.below(30):
            packed, position = program.initial[0], None
            continue
        position = there[random.below(len(there))]
        packed = program.compute_after(packed, position)
    assert told


def test_what_is_small_is_left_to_python() -> None:
    bounded = LEVELS.at()

    assert find_possible(bounded, Layout(bounded)) is None
    assert compile_worlds(bounded, Layout(bounded), []) is None


@step("L-3", why="it multiplies by what is known only where the step is")
def area_is_small(s: Lamp, n: Lamp) -> Value:
    """The level is not multiplied beyond some bound."""
    return s.level * n.lit[0] <= 3


def test_a_text_that_only_fits_single_steps_is_left_to_python(monkeypatch: pytest.MonkeyPatch) -> None:
    ask_for_machine_code(monkeypatch)

    assert compile_steps(LEVELS.at(), [area_is_small], watch) is None
    assert compile_steps(LEVELS.at(), [level_never_falls], watch) is not None


def test_without_the_compiler_it_is_left_to_python(monkeypatch: pytest.MonkeyPatch) -> None:
    bounded = find_model("kernel").at("contention", profile="nomad-2.0")
    monkeypatch.setattr(possible, "is_available", lambda: False)

    assert compile_worlds(bounded, Layout(bounded), []) is None
    assert compile_steps(bounded, [], watch) is None


def test_numbers_that_fit_no_word_are_left_to_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(possible, "_LEAST_INSTANCES", 0)
    bounded = SHELF.at("huge")
    layout = Layout(bounded)

    assert find_possible(bounded, layout) is None
    assert compile_worlds(bounded, layout, list_questions(bounded)) is None
    assert compile_steps(bounded, [owners_stay], watch) is None
