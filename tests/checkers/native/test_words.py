"""Words of a packed world: no cell crosses from one into the next."""

from random import Random

import pytest

from nomadspec.checkers.native.words import WORD_BITS, WideError, Words
from nomadspec.checkers.stepper.layout import Layout
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.bounded import BoundedModel
from tests.checkers.native.models import CALM, SHELF

SCOPES = [
    pytest.param(CALM.at(), id="one word"),
    pytest.param(SHELF.at("wide"), id="three words"),
    pytest.param(SHELF.at("wider"), id="four words"),
    pytest.param(find_model("core").at("full"), id="core"),
    pytest.param(find_model("kernel").at("partial"), id="kernel"),
]


@pytest.mark.parametrize("bounded", SCOPES)
def test_no_cell_lies_across_a_border(bounded: BoundedModel) -> None:
    layout = Layout(bounded)
    words = Words(layout)

    for cell, spot in enumerate(words.spots):
        assert words.starts[spot.word] + spot.shift == layout.shifts[cell]
        assert not spot.mask or spot.shift + spot.mask.bit_length() <= WORD_BITS
        assert (1 << layout.widths[cell]) - 1 == spot.mask


@pytest.mark.parametrize("bounded", SCOPES)
def test_a_world_is_put_together_as_it_was_cut(bounded: BoundedModel) -> None:
    layout, random = Layout(bounded), Random(3)
    words = Words(layout)

    for packed in (0, (1 << layout.bits) - 1, *(random.getrandbits(layout.bits) for _ in range(20))):
        cut = words.split(packed)
        assert words.count == len(cut)
        assert all(0 <= word < 1 << WORD_BITS for word in cut)
        assert packed == words.join(cut)


def test_a_cell_that_is_wider_than_a_word_is_refused() -> None:
    with pytest.raises(WideError):
        Words(Layout(SHELF.at("huge")))
