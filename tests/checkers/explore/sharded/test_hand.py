"""Both kinds of hands do what a crew asks for."""

import inspect

import pytest

from nomadspec.checkers.explore.sharded.hand import Hand
from nomadspec.checkers.explore.sharded.machine import MachineHand
from nomadspec.checkers.explore.sharded.plain import PlainHand


@pytest.mark.parametrize("kind", [PlainHand, MachineHand])
def test_they_take_the_same(kind: type) -> None:
    words = [name for name in vars(Hand) if not name.startswith("_")]

    assert 5 == len(words)
    for word in words:
        assert inspect.signature(getattr(Hand, word)) == inspect.signature(getattr(kind, word))
