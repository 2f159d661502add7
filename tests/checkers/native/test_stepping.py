"""Steps of single worlds by machine code are those of the interpreter."""

import pytest

from nomadspec.checkers.native.stepping import MachineSteps
from nomadspec.checkers.pycode.stepper import Stepper
from nomadspec.checkers.stepper.layout import Layout
from nomadspec.model.errors import ModelError
from nomadspec.model.language.model import Model
from tests.checkers.native.calling import make_program
from tests.checkers.native.models import BURST, CALM, SHELF
from tests.checkers.native.test_program import list_worlds


def make(model: Model, scope: str | None = None) -> tuple[Stepper, MachineSteps]:
    bounded = model.at(scope)
    stepper = Stepper(bounded, Layout(bounded))
    program, _ = make_program(bounded)
    return stepper, MachineSteps(program, stepper)


@pytest.mark.parametrize(
    ("model", "scope"),
    [pytest.param(CALM, None, id="one word"), pytest.param(SHELF, "wide", id="several words")],
)
def test_they_are_those_of_the_interpreter(model: Model, scope: str | None) -> None:
    stepper, steps = make(model, scope)
    worlds = list_worlds(model.at(scope), 300)

    assert stepper.initial == steps.initial
    expected = [stepper.successors(packed) for packed in worlds]
    assert expected == [steps.successors(packed) for packed in worlds]
    assert any(expected)


def test_who_knows_better_speaks_of_a_fault() -> None:
    stepper, steps = make(BURST)
    bounded = BURST.at()
    cells = list(bounded.initial[0])
    cells[bounded.frame.placed["clock"].base] = bounded.sizes["rounds"]
    late = Layout(bounded).pack(tuple(cells))
    said = []

    for one in (stepper, steps):
        with pytest.raises(ModelError) as caught:
            one.successors(late)
        said.append(str(caught.value))

    assert said[0] == said[1]
