"""What is left where cells have only the values that they can have is the same model."""

from functools import cache

import pytest

from nomadspec.checkers.explore.narrowed_domains import Narrowed
from nomadspec.checkers.explore.partial_order.facts import find_facts
from nomadspec.checkers.stepper.evaluate import evaluate
from nomadspec.checkers.usual_profile import bind_as_usual
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.language.bounded import BoundedModel, Cells
from nomadspec.model.language.property import Kind
from nomadspec.model.language.term import Term

SCOPES = [
    ("core", "small"),
    pytest.param("core", "flip", marks=pytest.mark.deep),
    ("2pc", "small"),
    ("kernel", "external-triggers"),
]


@cache
def narrow(model: str, scope: str) -> Narrowed:
    return Narrowed(find_facts(bind_as_usual(find_model(model), scope)))


def list_reachable(bounded: BoundedModel, most: int) -> list[Cells]:
    found = dict.fromkeys(bounded.initial)
    for cells in (queue := list(found)):
        for _, after in bounded.successors(cells) if len(queue) < most else ():
            if after not in found:
                found[after] = None
                queue.append(after)
    return queue


@pytest.mark.parametrize(("model", "scope"), SCOPES)
def test_steps_and_properties_are_the_same_in_what_can_be_reached(model: str, scope: str) -> None:
    bounded = bind_as_usual(find_model(model), scope)
    narrowed = narrow(model, scope)
    always = bounded.model.list_properties(Kind.ALWAYS, Kind.SOMETIMES)
    flags = [prop(narrowed.world(narrowed.cell_terms)) for prop in always]
    for cells in list_reachable(bounded, 25):
        happening = {
            traced.instance: tuple(evaluate(value, cells) for value in traced.after(cells))
            for traced in narrowed.traced
            if all(evaluate(flag, cells) for flag in traced.guard)
        }

        assert dict(bounded.successors(cells)) == happening
        assert [bounded.holds(prop, cells) for prop in always] == [evaluate(flag, cells) for flag in flags]


@pytest.mark.parametrize(("model", "scope"), SCOPES)
def test_properties_of_steps_are_the_same(model: str, scope: str) -> None:
    bounded = bind_as_usual(find_model(model), scope)
    narrowed = narrow(model, scope)
    steps = bounded.model.list_properties(Kind.STEP)
    places = {traced.instance: at for at, traced in enumerate(narrowed.traced)}
    for cells in list_reachable(bounded, 10):
        for instance, after in bounded.successors(cells):
            said = [evaluate(narrowed.trace_step(prop, places[instance]), cells) for prop in steps]

            assert [bounded.holds_step(prop, cells, instance, after) for prop in steps] == said


def test_what_never_changes_is_no_question() -> None:
    bounded = find_model("kernel").at("external-triggers", profile="nomad-2.0")
    narrowed = narrow("kernel", "external-triggers")
    open_cells = sum(isinstance(cell, Term) for cell in narrowed.cell_terms)

    assert 2 * open_cells < len(bounded.cell_terms)
    assert len(narrowed.traced) < len(bounded.traced)
    assert bounded.instances == narrowed.instances
    assert {instance.number for instance in narrowed.instances} > {
        one.instance.number for one in narrowed.traced
    }
