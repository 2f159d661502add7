"""Worlds in words and in bytes are the same worlds."""

from random import Random

import pytest

from nomadspec.checkers.native.packing import Packing, count_bytes
from nomadspec.checkers.native.words import Words
from nomadspec.checkers.native.worlds import PackedWorlds, StoredWorlds, pack_worlds
from nomadspec.checkers.stepper.layout import Layout
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.language.bounded import BoundedModel
from tests.checkers.native.models import CALM, SHELF


@pytest.mark.parametrize(
    "bounded",
    [
        CALM.at(),
        SHELF.at("word"),
        SHELF.at("wide"),
        SHELF.at("wider"),
        find_model("core").at(profile="nomad-2.0"),
        find_model("2pc").at(sizes={"rms": 16}, profile="nomad-2.0"),
    ],
)
def test_there_and_back(bounded: BoundedModel) -> None:
    words = Words(Layout(bounded))
    draw = Random(words.bits)
    worlds = [draw.getrandbits(words.bits) for _ in range(100)]
    stored = StoredWorlds(words, worlds)
    content = pack_worlds(worlds, count_bytes(words))

    assert content == stored.write_packed(0, 100)
    assert content[3 * count_bytes(words) : 5 * count_bytes(words)] == stored.write_packed(3, 5)
    assert stored.memory.read(0, 100 * stored.width) == Packing(words).unpack(content)


def test_what_is_not_stored_is_put_back() -> None:
    for seed in range(20):
        layout, draw = Layout(SHELF.at("wider")), Random(seed)
        fixed = {
            cell: draw.randrange(1 << width)
            for cell, width in enumerate(layout.widths)
            if draw.random() < 0.4
        }
        words = Words(layout, fixed)
        worlds = [words.join(words.split(draw.getrandbits(layout.bits))) for _ in range(20)]
        stored = StoredWorlds(words, worlds)
        content = pack_worlds(worlds, count_bytes(words))

        assert content == stored.write_packed(0, 20)
        assert stored.memory.read(0, 20 * stored.width) == Packing(words).unpack(content)
        assert worlds == list(stored) == [stored[at] for at in range(20)]


def test_worlds_in_bytes_are_taken_over() -> None:
    words = Words(Layout(CALM.at()))
    packed = PackedWorlds(count_bytes(words))
    packed.pack(range(40_000))

    assert list(range(40_000)) == list(StoredWorlds(words, packed))
