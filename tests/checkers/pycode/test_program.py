"""The code of a model does what its interpreter does."""

from collections.abc import Callable
from functools import partial

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nomadspec.checkers.pycode.program import Program
from nomadspec.checkers.simulate.splitmix import SplitMix64
from nomadspec.checkers.stepper.layout import Layout
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.errors import DomainError, ImpossibleError
from nomadspec.model.language.bounded import BoundedModel, Cells
from nomadspec.model.language.trace import Instance
from tests.checkers.simulate.models import FAR, LEVELS, STARTS
from tests.checkers.stepper.models import DESK
from tests.model.language.test_programs import PROGRAMS
from tests.model.language.toys import compile_text, load_rule

MODELS = {
    "core": find_model("core").at("full", profile="nomad-2.0"),
    "core, unchecked": find_model("core").at("unchecked"),
    "core, three jobs": find_model("core").at("small", sizes={"jobs": 3}, profile="nomad-2.0"),
    "2pc": find_model("2pc").at("small", profile="nomad-2.0"),
    "desk": DESK.at(),
    "levels": LEVELS.at(),
    "starts": STARTS.at(),
}


def check_world(bounded: BoundedModel, program: Program, layout: Layout, packed: int) -> list[int]:
    """Compare all that can happen in a world with the interpreter."""
    possible = program.list_possible(packed)
    after = [layout.unpack(program.compute_after(packed, position)) for position in possible]

    assert list(bounded.successors(layout.unpack(packed))) == [
        (bounded.instances[position], cells) for position, cells in zip(possible, after, strict=True)
    ]
    return possible


@pytest.mark.parametrize("name", MODELS)
def test_a_walk_of_the_code_is_one_of_the_interpreter(name: str) -> None:
    bounded = MODELS[name]
    layout = Layout(bounded)
    program = Program(bounded, layout)
    random = SplitMix64(1)
    packed = program.initial[0]
    for _ in range(60):
        possible = check_world(bounded, program, layout, packed)
        if possible and random.below(20):
            packed = program.compute_after(packed, possible[random.below(len(possible))])
        else:
            packed = program.initial[random.below(len(program.initial))]


@pytest.mark.usefixtures("ids_may_be_numbers")
@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(PROGRAMS, st.data())
def test_random_rules_do_what_the_interpreter_does(
    program: tuple[list[str], list[str]], data: st.DataObject
) -> None:
    assert_same_is_done(program, data)


@pytest.mark.deep
@pytest.mark.usefixtures("ids_may_be_numbers")
@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(PROGRAMS, st.data())
def test_more_random_rules_do_too(program: tuple[list[str], list[str]], data: st.DataObject) -> None:
    assert_same_is_done(program, data)


def assert_same_is_done(program: tuple[list[str], list[str]], data: st.DataObject) -> None:
    guards, statements = program
    body = "\n".join([*[f"t.require({flag})" for flag in guards], *statements])
    bounded = load_rule(compile_text("serve(s, t)", body))
    layout = Layout(bounded)
    code = Program(bounded, layout)
    for _ in range(3):
        cells = tuple(
            data.draw(st.sampled_from(list(interval.values()))) for interval in bounded.frame.intervals
        )
        if bounded.duties.find_broken(cells):
            continue  # texts have no answer there, so that a search ends

        expected = _outcome(partial(_interpret, bounded, cells))
        assert expected == _outcome(partial(_run, bounded, layout, code, cells))


def _interpret(bounded: BoundedModel, cells: Cells) -> list[tuple[Instance, Cells]]:
    return list(bounded.successors(cells))


def _run(bounded: BoundedModel, layout: Layout, code: Program, cells: Cells) -> list[tuple[Instance, Cells]]:
    packed = layout.pack(cells)
    possible = code.list_possible(packed)
    return [(bounded.instances[at], layout.unpack(code.compute_after(packed, at))) for at in possible]


def _outcome(run: Callable[[], object]) -> object:
    try:
        return run()
    except DomainError as error:
        return str(error)


def test_deep_guards_are_written_flat_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nomadspec.checkers.pycode.program._MOST_BLOCKS", 1)
    bounded = MODELS["core"]
    layout = Layout(bounded)
    program = Program(bounded, layout)

    check_world(bounded, program, layout, program.initial[0])
    packed = program.compute_after(program.initial[0], 0)
    assert check_world(bounded, program, layout, packed)


def test_a_value_that_leaves_its_domain_is_an_error_of_the_model() -> None:
    bounded = FAR.at(sizes={"top": 1})
    program = Program(bounded, Layout(bounded))
    after = program.compute_after(program.initial[0], 0)

    with pytest.raises(DomainError, match=r"TurnFar.*level := 2"):
        program.compute_after(after, 0)


@pytest.mark.usefixtures("ids_may_be_numbers")
def test_a_queue_that_is_none_any_more_is_an_error_of_the_model() -> None:
    bounded = load_rule(compile_text("serve(s, t)", "t.line.push(0)"))
    program = Program(bounded, Layout(bounded))
    after = program.compute_after(program.initial[0], 0)

    with pytest.raises(DomainError, match="line is no queue any more"):
        program.compute_after(after, 0)


def test_the_code_may_not_find_what_the_interpreter_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    bounded = FAR.at(sizes={"top": 1})
    program = Program(bounded, Layout(bounded))
    after = program.compute_after(program.initial[0], 0)

    def agree(_self: BoundedModel, cells: tuple[int, ...], _instance: Instance) -> tuple[int, ...]:
        return cells

    monkeypatch.setattr(BoundedModel, "step", agree)
    with pytest.raises(ImpossibleError, match="TurnFar"):
        program.compute_after(after, 0)
