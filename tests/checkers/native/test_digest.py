"""The digest of worlds by machine code is that of the library, and the highest values are found."""

from random import Random

import pytest

from nomadspec.checkers.native.algorithms import fingerprints
from nomadspec.checkers.native.digest import write_maxima, write_read_lanes
from nomadspec.checkers.native.translate.functions import translate
from nomadspec.checkers.native.translate.kinds import Shape
from nomadspec.checkers.native.words import Words
from nomadspec.checkers.stepper.layout import Layout
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.domain import counter, upto
from nomadspec.model.language.fingerprint import digest
from nomadspec.model.language.model import Model
from nomadspec.model.language.world import World, field, index, size
from tests.checkers.native.calling import address_of, compile_function, put_words


class Row(World):
    """A row of cells whose borders are not those of words."""

    length = size(3, "how many")
    places = index("place", length, "places")
    steps = field(places, upto((1 << 23) - 2), init=0, about="cells")
    used = field(places, counter(5), init=0, about="a budget", budget=True)


ROW = Model("row", "a row of cells", Row, ())


def draw_worlds(bounded: BoundedModel, count: int) -> list[int]:
    layout, random = Layout(bounded), Random(5)
    drawn = [
        layout.pack(tuple(random.randint(one.low, one.high) for one in bounded.frame.intervals))
        for _ in range(count)
    ]
    return [*drawn, 0]


@pytest.mark.parametrize("length", [1, 3, 5, 8, 10, 13, 17, 20, 24, 27, 30, 34, 36, 39])
def test_it_is_the_digest_of_the_library(length: int) -> None:
    bounded = ROW.at(sizes={"length": length})
    layout, worlds = Layout(bounded), draw_worlds(bounded, 20)
    words = Words(layout)
    stored = put_words([word for world in worlds for word in words.split(world)])
    result = put_words([0, 0])
    lanes = layout.byte_count // 8
    shape = Shape(words.count, lanes)
    text = "\n".join([translate([fingerprints.digest], shape), write_read_lanes(words, lanes)])

    compile_function(text, "digest", 3).call(address_of(stored), len(worlds), address_of(result))

    assert lanes <= fingerprints.MOST_LANES
    assert digest(worlds, layout.byte_count) == result[1] << 64 | result[0]


def test_every_length_is_tried() -> None:
    lengths = (1, 3, 5, 8, 10, 13, 17, 20, 24, 27, 30, 34, 36, 39)

    counts = {Layout(ROW.at(sizes={"length": length})).byte_count for length in lengths}

    assert {8, 16, 24, 32, 40, 56, 64, 72, 80, 96, 104, 112, 120, 128} <= counts | {*range(8, 129, 8)}
    assert {8, 16, 128} <= counts


def test_the_highest_values_are_found() -> None:
    bounded = ROW.at(sizes={"length": 5})
    layout, worlds = Layout(bounded), draw_worlds(bounded, 30)
    words = Words(layout)
    cells = [5, 6, 7, 8, 9, 0]
    stored = put_words([word for world in worlds for word in words.split(world)])
    result = put_words([0] * len(cells))

    text = write_maxima(bounded, words, cells)
    compile_function(text, "maxima", 3).call(address_of(stored), len(worlds), address_of(result))

    assert [max(layout.raw(world, cell) for world in worlds) for cell in cells] == result.tolist()
