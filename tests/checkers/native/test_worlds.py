"""Stored worlds read like a list."""

import pytest

from nomadspec.checkers.native.words import Words
from nomadspec.checkers.native.worlds import StoredWorlds
from nomadspec.checkers.stepper.layout import Layout
from nomadspec.model.language.bounded import BoundedModel
from tests.checkers.native.models import CALM, SHELF


@pytest.mark.parametrize("bounded", [CALM.at(), SHELF.at("wide")])
def test_they_read_like_a_list(bounded: BoundedModel) -> None:
    layout = Layout(bounded)
    listed = [(at * 0x9E3779B97F4A7C15 * (1 << 60 | 1)) % (1 << layout.bits) for at in range(40_000)]

    stored = StoredWorlds(Words(layout), listed)

    assert listed == list(stored)
    assert (40_000, listed[7], listed[-1]) == (len(stored), stored[7], stored[-1])
    assert (listed[5:9], listed[39_999:50_000], []) == (stored[5:9], stored[39_999:50_000], stored[9:3])
    for beyond in (40_000, -40_001):
        with pytest.raises(IndexError):
            stored[beyond]


def test_there_may_be_none() -> None:
    stored = StoredWorlds(Words(Layout(CALM.at())), [])

    assert [] == list(stored)


def test_more_room_keeps_what_is_there() -> None:
    stored = StoredWorlds(Words(Layout(CALM.at())), [3, 1, 2])

    stored.ensure(1_000_000)

    assert [3, 1, 2] == list(stored)
    assert stored.memory.size >= 8_000_000
