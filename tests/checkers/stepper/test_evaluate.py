"""Terms evaluated on plain values agree with the text that they were traced from."""

import pytest

from nomadspec.checkers.pycode.stepper import Stepper
from nomadspec.checkers.stepper.evaluate import evaluate
from nomadspec.checkers.stepper.layout import Layout
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.language.bounded import BoundedModel, Cells
from tests.checkers.stepper.models import DESK
from tests.model.language.evaluate import evaluate as evaluate_plainly


def list_worlds(bounded: BoundedModel, most: int) -> list[Cells]:
    layout = Layout(bounded)
    stepper = Stepper(bounded, layout)
    found = dict.fromkeys(stepper.initial)
    for packed in (queue := list(found)):
        for _, after in stepper.successors(packed):
            if after not in found and len(found) < most:
                found[after] = None
                queue.append(after)
    return [layout.unpack(packed) for packed in found]


def test_guards_and_writes_have_the_values_of_the_interpreter() -> None:
    bounded = DESK.at(sizes={"notes": 2})

    for cells in list_worlds(bounded, 300):
        for traced in bounded.traced:
            after = bounded.step(cells, traced.instance)
            is_enabled = all(evaluate(flag, cells) for flag in traced.guard)

            assert (after is not None) == is_enabled
            if after is not None:
                written = {cell: evaluate(value, cells) for cell, value in traced.writes.items()}
                assert {cell: after[cell] for cell in written} == written


@pytest.mark.parametrize("most", [5, pytest.param(12, marks=pytest.mark.deep)])
def test_a_term_has_the_value_of_its_parts_each_time_that_it_is_asked(most: int) -> None:
    bounded = find_model("kernel").at("contention", profile="nomad-2.0")
    instances = [(traced.guard, traced.writes) for traced in bounded.traced]
    terms = [term for guard, writes in instances for term in (*guard, *writes.values())]
    worlds = list_worlds(bounded, most)

    assert len(terms) > 1000
    assert len(worlds) == most
    for cells in worlds:
        assert [evaluate_plainly(term, cells) for term in terms] == [evaluate(term, cells) for term in terms]


def test_every_operator_has_its_meaning() -> None:
    bounded = DESK.at()
    count, busy = bounded.cell_terms[3], bounded.cell_terms[bounded.frame.placed["is_busy"].base]
    cells = list(bounded.initial[0])
    cells[3] = 2

    assert -2 == evaluate(-count, cells)
    assert 6 == evaluate(count * 3, cells)
    assert 5 == evaluate(count + 3, cells)
    assert evaluate(count >= 2, cells)
    assert not evaluate(busy, cells)
    assert 7 == evaluate(7, cells)
