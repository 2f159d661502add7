"""Remembered steps are the interpreter's steps, in its order."""

import pytest

from nomadspec.checkers.stepper.layout import Layout
from nomadspec.checkers.stepper.stepper import Stepper
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.errors import DomainError
from nomadspec.model.language.bounded import BoundedModel
from tests.checkers.stepper.models import CRAMPED, DESK


@pytest.mark.parametrize("most", [250, pytest.param(500, marks=pytest.mark.deep)])
@pytest.mark.parametrize(
    "bounded",
    [
        pytest.param(DESK.at(), id="desk"),
        pytest.param(DESK.at(sizes={"notes": 1, "clerks": 3}), id="three clerks"),
        pytest.param(find_model("2pc").at("hasty"), id="2pc hasty"),
        pytest.param(find_model("core").at("small"), id="core small"),
        pytest.param(find_model("core").at("flip", profile="X-01"), id="core unchecked"),
    ],
)
def test_successors_are_those_of_the_interpreter(bounded: BoundedModel, most: int) -> None:
    layout = Layout(bounded)
    stepper = Stepper(bounded, layout)
    found = dict.fromkeys(stepper.initial)

    for packed in (queue := list(found)):
        successors = stepper.successors(packed)
        assert [
            (instance.number, layout.pack(after))
            for instance, after in bounded.successors(layout.unpack(packed))
        ] == [(bounded.instances[position].number, after) for position, after in successors]
        for _, after in successors:
            if after not in found and len(found) < most:
                found[after] = None
                queue.append(after)

    assert len(found) > 30


def test_an_initial_world_is_packed() -> None:
    bounded = DESK.at()

    assert (0,) == Stepper(bounded, Layout(bounded)).initial


def test_a_value_outside_its_domain_is_reported_by_the_interpreter() -> None:
    bounded = CRAMPED.at()
    layout = Layout(bounded)
    cells = list(bounded.initial[0])
    cells[bounded.frame.placed["changed"].base] = 2

    with pytest.raises(DomainError, match="narrow"):
        Stepper(bounded, layout).successors(layout.pack(tuple(cells)))
