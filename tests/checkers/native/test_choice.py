"""The choice among successors by machine code: that of the interpreter, world by world."""

from array import array
from dataclasses import replace

import pytest
from hypothesis import given, settings

from nomadspec.checkers.explore.partial_order.partial_order import PartialOrder, Steps
from nomadspec.checkers.native.choice import Choices, write_choice
from nomadspec.checkers.native.words import Words
from nomadspec.checkers.pycode.stepper import Stepper
from nomadspec.checkers.stepper.layout import Layout
from nomadspec.checkers.usual_profile import bind_as_usual
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.model import Model
from tests.checkers.explore.boards import BOARDS
from tests.checkers.explore.models import LAMPS
from tests.checkers.explore.partial_order.errands import ERRANDS
from tests.checkers.native.calling import Compiled, address_of, compile_function, put_words
from tests.checkers.native.models import SHELF

_PADDING = 3
"""Successors of other worlds that lie before those among which is chosen."""


class Chooser:
    """A choice by machine code."""

    def __init__(self, bounded: BoundedModel, layout: Layout, choices: Choices) -> None:
        self.words = Words(layout)
        text = write_choice(self.words, bounded.frame.intervals, choices)
        self.compiled: Compiled = compile_function(text, "choose", 5)

    def choose(self, packed: int, steps: Steps) -> Steps:
        world, count = put_words(self.words.split(packed)), self.words.count
        made = array("Q", [_PADDING + len(steps)])
        entries = array("Q", [7 << 32] * _PADDING + [position << 32 for position, _ in steps])
        words = [word for _, after in steps for word in self.words.split(after)]
        out = put_words([9] * _PADDING * count + words)
        self.compiled.call(
            address_of(world), _PADDING, address_of(made), address_of(out), address_of(entries)
        )
        kept = range(_PADDING, made[0])
        return [
            (entries[at] >> 32, self.words.join(out[at * count : (at + 1) * count].tolist())) for at in kept
        ]


def walk(bounded: BoundedModel, most: int) -> dict[int, Steps]:
    """List some worlds that can be reached, with their steps."""
    stepper = Stepper(bounded, Layout(bounded))
    found: dict[int, Steps] = {}
    waiting = list(stepper.initial)
    while waiting and len(found) < most:
        packed = waiting.pop(0)
        if packed not in found:
            found[packed] = stepper.successors(packed)
            waiting += [after for _, after in found[packed]]
    return found


@pytest.mark.parametrize(
    ("model", "scope"),
    [
        pytest.param(ERRANDS, None, id="errands"),
        pytest.param(LAMPS, None, id="lamps"),
        pytest.param(SHELF, "wide", id="three words"),
        pytest.param(find_model("2pc"), "hasty", id="2pc"),
        pytest.param(find_model("core"), "small", id="core"),
        pytest.param(find_model("kernel"), "cancelable", id="more than 64 instances"),
        pytest.param(find_model("kernel"), "stale-snapshot", id="a larger kernel", marks=pytest.mark.deep),
    ],
)
def test_both_choose_the_same(model: Model, scope: str | None) -> None:
    bounded = bind_as_usual(model, scope)
    layout, worlds, fewer = Layout(bounded), walk(bounded, 300), 0
    for names in ((), tuple(bounded.model.properties)[:20]):
        order = PartialOrder(bounded, layout, names)
        chooser = Chooser(bounded, layout, order.choices)
        for packed, steps in worlds.items():
            chosen = order.choose(packed, steps)
            fewer += len(chosen) < len(steps)
            assert chosen == chooser.choose(packed, steps)

    assert fewer or bounded.model.name in {"shelf", "lamps"}


def test_steps_that_change_nothing_are_told_apart() -> None:
    bounded = find_model("2pc").at("hasty")
    layout = Layout(bounded)
    order = PartialOrder(bounded, layout, ())
    chooser = Chooser(bounded, layout, order.choices)

    for packed, steps in walk(bounded, 100).items():
        still = [(position, packed) for position, _ in steps]
        assert still == order.choose(packed, still) == chooser.choose(packed, still)


def test_without_ranks_all_are_kept() -> None:
    bounded = ERRANDS.at()
    layout = Layout(bounded)
    chooser = Chooser(bounded, layout, replace(PartialOrder(bounded, layout, ()).choices, ranked=0))

    for packed, steps in walk(bounded, 100).items():
        assert steps == chooser.choose(packed, steps)


@settings(max_examples=4)
@given(BOARDS)
def test_random_models_are_no_exception(model: Model) -> None:
    assert_choose_the_same(model)


@pytest.mark.deep
@settings(max_examples=30)
@given(BOARDS)
def test_more_random_models_are_none(model: Model) -> None:
    assert_choose_the_same(model)


def assert_choose_the_same(model: Model) -> None:
    bounded = model.at()
    layout = Layout(bounded)
    order = PartialOrder(bounded, layout, model.properties[:2])
    chooser = Chooser(bounded, layout, order.choices)

    for packed, steps in walk(bounded, 100).items():
        assert order.choose(packed, steps) == chooser.choose(packed, steps)
