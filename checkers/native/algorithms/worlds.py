"""Worlds of a few words: their hashes, and where a table looks for them."""

from __future__ import annotations

from typing import Final

from nomadspec.checkers.native.algorithms import shape
from nomadspec.checkers.native.algorithms.types import FULL, HALF_BITS, LOW_HALF, Word, Words

_FACTORS: Final = (
    0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63,
    0x27D4EB2F165667C5, 0xD1B54A32D192ED03, 0x5851F42D4C957F2D, 0x14057B7EF767814F,
)  # fmt: skip
"""Odd numbers with well mixed bits, one a word in turn."""

_SPREAD: Final = 2654435769
"""An odd number of 32 bits: worlds of one shard still have hashes of all kinds."""


def compute_tag(world: Words) -> Word:
    """Mix all bits of all words to 32; what counts is how they are spread."""
    mixed = 0
    for at in range(shape.WORDS):
        mixed = (world[at] ^ mixed) * _FACTORS[at % 8] & FULL
        mixed ^= mixed >> HALF_BITS
    mixed = mixed * _FACTORS[1] & FULL
    mixed = (mixed ^ mixed >> 29) * _FACTORS[2] & FULL
    return mixed >> HALF_BITS


def first_slot(tag: Word, slots: Word) -> Word:
    """Say where the world with a tag is looked for first: where its tag stands among all tags."""
    return tag * slots >> HALF_BITS


def next_slot(slot: Word, slots: Word) -> Word:
    """Say where it is looked for next."""
    return 0 if slot + 1 == slots else slot + 1


def find_owner(world: Words, shards: Word) -> Word:
    """Say to which shard a world belongs."""
    return (compute_tag(world) * _SPREAD & LOW_HALF) * shards >> HALF_BITS


def is_same(one: Words, other: Words) -> bool:
    """True if two worlds have the same cells."""
    difference = 0
    for at in range(shape.WORDS):
        difference |= one[at] ^ other[at]
    return difference == 0


def copy(world: Words, home: Words) -> None:
    """Copy a world."""
    for at in range(shape.WORDS):
        home[at] = world[at]
