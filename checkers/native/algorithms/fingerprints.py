"""The digest of stored worlds: the sum of their fingerprints.

The fingerprint of a world is the 128-bit xxh3 of its canonical bytes, whole words of eight. What is written
here is that function for the shape's length, as its published description gives it for short inputs.
"""

from __future__ import annotations

from typing import Final

from nomadspec.checkers.native.algorithms import shape
from nomadspec.checkers.native.algorithms.generated import read_lanes
from nomadspec.checkers.native.algorithms.types import (
    FULL,
    HALF_BITS,
    LOW_HALF,
    Word,
    Words,
    make_words,
    multiply_high,
    swap_bytes,
)

MOST_LANES: Final = 16
"""Longer worlds take another way through xxh3, which is left to the library."""

_SECRET: Final = (
    0xBE4BA423396CFEB8, 0x1CAD21F72C81017C, 0xDB979083E96DD4DE, 0x1F67B3B7A4A44072,
    0x78E5C0CC4EE679CB, 0x2172FFCC7DD05A82, 0x8E2443F7744608B8, 0x4C263A81E69035E0,
    0xCB00C391BB52283C, 0xA32E531B8B65D088, 0x4EF90DA297486471, 0xD8ACDEA946EF1938,
    0x3F349CE33F76FAA8, 0x1D4F0BC7C7BBDCF9, 0x3159B4CD4BE0518A, 0x647378D9C97E9FC8,
    0xC3EBD33483ACC5EA, 0xEB6313FAFFA081C5, 0x49DAF0B751DD0D17, 0x9E68D429265516D3,
    0xFCA1477D58BE162B, 0xCE31D07AD1B8F88F, 0x280416958F3ACB45, 0x7E404BBBCAFBD7AF,
)  # fmt: skip
_PRIME32_2: Final = 0x85EBCA77
_PRIME64_1: Final = 0x9E3779B185EBCA87
_PRIME64_2: Final = 0xC2B2AE3D27D4EB4F
_PRIME64_4: Final = 0x85EBCA77C2B2AE63
_PRIME_MX1: Final = 0x165667919E3779F9
_PRIME_MX2: Final = 0x9FB21C651E98DF25


def digest(worlds: Words, count: Word, result: Words) -> None:
    """Add the fingerprints of worlds to a number of two words, the low one first.

    The halves of the low word are added apart, so that nothing is carried from one world to the next.
    """
    lanes = make_words(MOST_LANES)
    fingerprint = make_words(2)
    low, middle, high = result[0] & LOW_HALF, result[0] >> HALF_BITS, result[1]
    for at in range(count):
        read_lanes(worlds[shape.WORDS * at :], lanes)
        compute_fingerprint(lanes, fingerprint)
        low += fingerprint[0] & LOW_HALF
        middle += fingerprint[0] >> HALF_BITS
        high = high + fingerprint[1] & FULL
    middle += low >> HALF_BITS
    result[0] = middle << HALF_BITS & FULL | low & LOW_HALF
    result[1] = high + (middle >> HALF_BITS) & FULL


def compute_fingerprint(lanes: Words, fingerprint: Words) -> None:
    """Compute the fingerprint of the words of one world, the low half first."""
    if shape.LANES == 1:
        _hash_8(lanes[0], fingerprint)
    elif shape.LANES == 2:  # noqa: PLR2004 -- the lengths for which xxh3 has ways of its own
        _hash_16(lanes[0], lanes[1], fingerprint)
    else:
        _hash_more(lanes, fingerprint)


def _hash_8(lane: Word, fingerprint: Words) -> None:
    keyed = lane ^ _SECRET[2] ^ _SECRET[3]
    factor = _PRIME64_1 + (8 << 2)
    low, high = keyed * factor & FULL, multiply_high(keyed, factor)
    high = high + (low << 1) & FULL
    low ^= high >> 3
    low = (low ^ low >> 35) * _PRIME_MX2 & FULL
    fingerprint[0] = low ^ low >> 28
    fingerprint[1] = _avalanche(high)


def _hash_16(first: Word, last: Word, fingerprint: Words) -> None:
    keyed = first ^ last ^ _SECRET[4] ^ _SECRET[5]
    low, high = keyed * _PRIME64_1 & FULL, multiply_high(keyed, _PRIME64_1)
    low = low + (15 << 54) & FULL
    last ^= _SECRET[6] ^ _SECRET[7]
    high = high + last + (last & LOW_HALF) * (_PRIME32_2 - 1) & FULL
    low ^= swap_bytes(high)
    above = multiply_high(low, _PRIME64_2) + high * _PRIME64_2 & FULL
    fingerprint[0] = _avalanche(low * _PRIME64_2 & FULL)
    fingerprint[1] = _avalanche(above)


def _hash_more(lanes: Words, fingerprint: Words) -> None:
    """Mix pairs of words from both ends, the inner ones first."""
    length = 8 * shape.LANES
    low, high = length * _PRIME64_1 & FULL, 0
    for at in reversed(range((shape.LANES + 3) // 4)):
        one, other = 2 * at, shape.LANES - 2 * at - 2
        low = (low + _mix(lanes, one, 4 * at) & FULL) ^ (lanes[other] + lanes[other + 1] & FULL)
        high = (high + _mix(lanes, other, 4 * at + 2) & FULL) ^ (lanes[one] + lanes[one + 1] & FULL)
    fingerprint[0] = _avalanche(low + high & FULL)
    last = low * _PRIME64_1 + high * _PRIME64_4 + length * _PRIME64_2 & FULL
    fingerprint[1] = -_avalanche(last) & FULL


def _mix(lanes: Words, at: Word, secret: Word) -> Word:
    one, other = lanes[at] ^ _SECRET[secret], lanes[at + 1] ^ _SECRET[secret + 1]
    return (one * other & FULL) ^ multiply_high(one, other)


def _avalanche(value: Word) -> Word:
    value = (value ^ value >> 37) * _PRIME_MX1 & FULL
    return value ^ value >> 32
