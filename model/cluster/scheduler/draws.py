"""Shuffles that follow from one number: the numbers that they draw, one by one or many at a time."""

from __future__ import annotations

from functools import cache
from operator import mod
from struct import Struct
from typing import Final, NamedTuple, TypeVar

Member = TypeVar("Member")

_MULTIPLIER: Final = 6364136223846793005
_BITS: Final = 64
_MASK: Final = 2**_BITS - 1
_DISCARDED_BITS: Final = 33
_BLOCK: Final = 256
"""How many numbers are drawn at a time."""
_WORTH_A_BLOCK: Final = 128
"""Fewer members are shuffled sooner one by one."""
_LANE_BITS: Final = 128
"""Room for the product of two numbers of 64 bits, and a third one."""
_READ: Final = Struct("<" + "I12x" * _BLOCK)
"""Reads the lowest 32 bits of each lane, wherever this runs."""


def shuffle(members: list[Member], draw: int) -> list[Member]:
    """Shuffle in place: each place, from the last down, gets one of those that are left."""
    return shuffle_one_by_one(members, draw) if len(members) < _WORTH_A_BLOCK else shuffle_many(members, draw)


def shuffle_one_by_one(members: list[Member], draw: int) -> list[Member]:
    """Shuffle with a number drawn for each place: this is what a shuffle is."""
    for at in range(len(members) - 1, 0, -1):
        draw = (draw * _MULTIPLIER + 1) & _MASK
        other = (draw >> _DISCARDED_BITS) % (at + 1)
        members[at], members[other] = members[other], members[at]
    return members


def shuffle_many(members: list[Member], draw: int) -> list[Member]:
    """Shuffle in the same way, with the numbers of a block of places drawn by one multiplication."""
    ahead, last = _look_ahead(), len(members) - 1
    for first in range(last, 0, -_BLOCK):
        lanes = draw * ahead.multipliers + ahead.increments
        drawn = ((lanes >> _DISCARDED_BITS) & ahead.kept).to_bytes(_READ.size, "little")
        places = range(first, max(first - _BLOCK, 0), -1)
        others = map(mod, _READ.unpack(drawn), range(first + 1, 1, -1))
        for at, other in zip(places, others, strict=False):
            members[at], members[other] = members[other], members[at]
        draw = (lanes >> _LANE_BITS * (_BLOCK - 1)) & _MASK
    return members


class _Ahead(NamedTuple):
    """By lane, what leads at once from one number to the first, the second, ... after it."""

    multipliers: int
    increments: int
    kept: int
    """The bits of each number that are not discarded."""


@cache
def _look_ahead() -> _Ahead:
    multiplier, increment, multipliers, increments, kept = 1, 0, 0, 0, 0
    for lane in range(_BLOCK):
        multiplier = multiplier * _MULTIPLIER & _MASK
        increment = (increment * _MULTIPLIER + 1) & _MASK
        multipliers |= multiplier << _LANE_BITS * lane
        increments |= increment << _LANE_BITS * lane
        kept |= (_MASK >> _DISCARDED_BITS) << _LANE_BITS * lane
    return _Ahead(multipliers, increments, kept)
