"""Words of a packed world: no cell crosses from one into the next."""

from random import Random

import pytest

from nomadspec.checkers.explore.narrowed_domains import Narrowed
from nomadspec.checkers.explore.partial_order.facts import find_facts
from nomadspec.checkers.native.words import WORD_BITS, WideError, Words, find_fixed
from nomadspec.checkers.stepper.layout import Layout
from nomadspec.checkers.usual_profile import bind_as_usual
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.language.model import Model
from tests.checkers.native.models import CALM, SHELF

SCOPES = [
    pytest.param(CALM, None, id="one word"),
    pytest.param(SHELF, "wide", id="three words"),
    pytest.param(SHELF, "wider", id="four words"),
    pytest.param(find_model("core"), "full", id="core"),
    pytest.param(find_model("kernel"), "partial", id="kernel"),
]


@pytest.mark.parametrize(("model", "scope"), SCOPES)
def test_no_cell_lies_across_a_border(model: Model, scope: str | None) -> None:
    layout = Layout(bind_as_usual(model, scope))
    words = Words(layout)

    for cell, spot in enumerate(words.spots):
        assert words.starts[spot.word] + spot.shift == layout.shifts[cell]
        assert not spot.mask or spot.shift + spot.mask.bit_length() <= WORD_BITS
        assert (1 << layout.widths[cell]) - 1 == spot.mask


@pytest.mark.parametrize(("model", "scope"), SCOPES)
def test_a_world_is_put_together_as_it_was_cut(model: Model, scope: str | None) -> None:
    layout, random = Layout(bind_as_usual(model, scope)), Random(3)
    words = Words(layout)

    for packed in (0, (1 << layout.bits) - 1, *(random.getrandbits(layout.bits) for _ in range(20))):
        cut = words.split(packed)
        assert words.count == len(cut)
        assert all(0 <= word < 1 << WORD_BITS for word in cut)
        assert packed == words.join(cut)


@pytest.mark.parametrize(("model", "scope"), SCOPES)
def test_what_is_fixed_takes_no_room(model: Model, scope: str | None) -> None:
    layout, random = Layout(bind_as_usual(model, scope)), Random(5)
    fixed = {
        cell: random.randrange(1 << width)
        for cell, width in enumerate(layout.widths)
        if random.random() < 0.5
    }
    words, whole = Words(layout, fixed), Words(layout)
    bits = sum(content << layout.shifts[cell] for cell, content in fixed.items())

    for _ in range(20):
        packed = random.getrandbits(layout.bits) & ~layout.mask(fixed) | bits
        assert packed == words.join(words.split(packed))
    assert words.count <= whole.count
    assert all(not words.spots[cell].mask and words.spots[cell].fixed == fixed[cell] for cell in fixed)
    stored = [spot.mask.bit_length() for spot in words.spots]
    assert sum(stored) == sum(width for cell, width in enumerate(layout.widths) if cell not in fixed)


def test_cells_with_one_value_are_found() -> None:
    bounded = find_model("kernel").at("reference", profile="nomad-2.0")
    layout = Layout(bounded)

    fixed = find_fixed(Narrowed(find_facts(bounded)))

    initial = map(layout.pack, bounded.initial)
    assert {} == find_fixed(bounded)
    assert all(layout.raw(packed, cell) == content for packed in initial for cell, content in fixed.items())
    assert 4 == Words(layout, fixed).count < Words(layout).count


def test_a_cell_that_is_wider_than_a_word_is_refused() -> None:
    with pytest.raises(WideError):
        Words(Layout(SHELF.at("huge")))
