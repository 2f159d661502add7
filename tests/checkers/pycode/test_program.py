"""The code of a model does what its interpreter does."""

import pytest

from nomadspec.checkers.pycode.program import Program
from nomadspec.checkers.simulate.splitmix import SplitMix64
from nomadspec.checkers.stepper.layout import Layout
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.bounded import BoundedModel
from nomadspec.model.errors import DomainError, ImpossibleError
from nomadspec.model.trace import Instance
from tests.checkers.simulate.models import FAR, LEVELS, STARTS
from tests.checkers.stepper.models import DESK

MODELS = {
    "core": find_model("core").at("full"),
    "core, unchecked": find_model("core").at("unchecked"),
    "core, three jobs": find_model("core").at("small", sizes={"jobs": 3}),
    "2pc": find_model("2pc").at("small"),
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


def test_the_code_may_not_find_what_the_interpreter_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    bounded = FAR.at(sizes={"top": 1})
    program = Program(bounded, Layout(bounded))
    after = program.compute_after(program.initial[0], 0)

    def agree(_self: BoundedModel, cells: tuple[int, ...], _instance: Instance) -> tuple[int, ...]:
        return cells

    monkeypatch.setattr(BoundedModel, "step", agree)
    with pytest.raises(ImpossibleError, match="TurnFar"):
        program.compute_after(after, 0)
