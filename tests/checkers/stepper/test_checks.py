"""Remembered properties are what the interpreter says of worlds and steps."""

import pytest

from nomadspec.checkers.pycode.stepper import Stepper
from nomadspec.checkers.stepper.checks import Checks
from nomadspec.checkers.stepper.layout import Layout
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.property import Property
from tests.checkers.stepper.models import (
    DESK,
    both_wait,
    changes_grow,
    memory_stays,
    third_note_is_missing,
    too_many_changes,
    waiting_is_busy,
)


@pytest.fixture(scope="module", name="bounded")
def make_bounded() -> BoundedModel:
    return DESK.at(sizes={"notes": 2})


def list_packed(bounded: BoundedModel, layout: Layout) -> list[int]:
    stepper = Stepper(bounded, layout)
    found = dict.fromkeys(stepper.initial)
    for packed in (queue := list(found)):
        for _, after in stepper.successors(packed):
            if after not in found:
                found[after] = None
                queue.append(after)
    return queue


@pytest.mark.parametrize("prop", [waiting_is_busy, third_note_is_missing], ids=lambda prop: prop.name)
def test_a_broken_world_is_found_each_time(bounded: BoundedModel, prop: Property) -> None:
    layout = Layout(bounded)
    checks = Checks(bounded, layout, [prop, both_wait])
    worlds = list_packed(bounded, layout)

    expected = [None if bounded.holds(prop, layout.unpack(packed)) else prop for packed in worlds]

    assert expected == [checks.broken(packed) for packed in worlds]
    assert expected == [checks.broken(packed) for packed in worlds]
    assert (prop in expected) == (prop is third_note_is_missing)


@pytest.mark.parametrize("prop", [changes_grow, memory_stays], ids=lambda prop: prop.name)
def test_a_broken_step_is_found_each_time(bounded: BoundedModel, prop: Property) -> None:
    layout = Layout(bounded)
    checks = Checks(bounded, layout, [prop])
    stepper = Stepper(bounded, layout)
    steps = [
        (packed, position, after)
        for packed in list_packed(bounded, layout)
        for position, after in stepper.successors(packed)
    ]

    expected = [
        None
        if bounded.holds_step(prop, layout.unpack(before), bounded.instances[position], layout.unpack(after))
        else prop
        for before, position, after in steps
    ]

    assert expected == [checks.broken_step(*taken) for taken in steps]
    assert (prop in expected) == (prop is memory_stays)


def test_what_is_reached_is_told_once(bounded: BoundedModel) -> None:
    layout = Layout(bounded)
    checks = Checks(bounded, layout, [both_wait, too_many_changes])
    worlds = list_packed(bounded, layout)

    told = [(packed, prop) for packed in worlds for prop in checks.reached(packed)]

    first = next(packed for packed in worlds if bounded.holds(both_wait, layout.unpack(packed)))
    assert [(first, both_wait)] == told


def test_what_never_happens_is_never_asked(bounded: BoundedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    usual = BoundedModel.trace_step

    def listen(self: BoundedModel, prop: Property, position: int) -> object:
        asked.append(position)
        return usual(self, prop, position)

    monkeypatch.setattr(BoundedModel, "trace_step", listen)
    checks = Checks(bounded, Layout(bounded), [changes_grow])

    assert [] == asked
    assert [checks.watches(1), checks.watches(1), checks.watches(2)] == [
        checks.watches(at) for at in (1, 1, 2)
    ]
    assert [1, 2] == asked
