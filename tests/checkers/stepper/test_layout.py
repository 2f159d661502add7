"""Packed worlds: where cells lie, and the way there and back."""

from nomadspec.checkers.stepper.layout import Layout
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.language.fingerprint import count_bytes
from tests.checkers.stepper.models import DESK


def test_cells_lie_in_order_with_low_bits_first() -> None:
    bounded = DESK.at()
    layout = Layout(bounded)
    first = bounded.initial[0]

    assert tuple(interval.bits for interval in bounded.frame.intervals) == layout.widths
    assert (0, 2, 4, 6, 8, 9) == layout.shifts[:6]
    assert sum(layout.widths) == layout.bits
    assert 0 == layout.pack(first)
    assert 0b10 << 2 == layout.pack((first[0], 1, *first[2:]))


def test_what_was_packed_is_unpacked_with_flags_as_bools() -> None:
    bounded = DESK.at()
    layout = Layout(bounded)
    cells = tuple(interval.high if not interval.is_flag else True for interval in bounded.frame.intervals)

    unpacked = layout.unpack(layout.pack(cells))

    assert cells == unpacked
    assert [type(value) for value in cells] == [type(value) for value in unpacked]


def test_worlds_wider_than_a_word_and_cells_of_no_bits() -> None:
    bounded = find_model("core").at("small", profile="nomad-2.0")
    layout = Layout(bounded)
    flipped = bounded.frame.placed["flipped"].base

    assert 72 == layout.bits
    assert count_bytes(72) == layout.byte_count
    assert 0 == layout.widths[flipped]
    assert bounded.initial[0] == layout.unpack(layout.pack(bounded.initial[0]))


def test_a_mask_covers_whole_cells() -> None:
    layout = Layout(DESK.at())

    assert 0b110011 == layout.mask([0, 2])
    assert 0 == layout.mask([])


def test_many_worlds_are_unpacked_as_the_first_was() -> None:
    bounded = DESK.at()
    layout = Layout(bounded)
    first = bounded.initial[0]
    worlds = [layout.pack((number % 3, number // 3 % 3, *first[2:])) for number in range(9)]

    assert [(number % 3, number // 3 % 3) for number in range(9)] * 20 == [
        layout.unpack(world)[:2] for _ in range(20) for world in worlds
    ]


def test_more_worlds_than_are_remembered_are_unpacked() -> None:
    layout = Layout(find_model("kernel").at("external-triggers", profile="nomad-2.0"))
    worlds = [1 << at for at in range(layout.bits - 1)]

    assert worlds * 2 == [layout.pack(layout.unpack(world)) for world in worlds * 2]
