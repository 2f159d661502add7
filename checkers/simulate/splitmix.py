"""Random numbers that are the same on every machine and every Python: SplitMix64, written out.

A generator is a counter that grows by an odd constant, with its bits well mixed. Each walk has a generator of
its own, begun at a mixture of the seed and the number of the walk, so that a walk does not depend on those
before it.
"""

from __future__ import annotations

from typing import Final

from nomadspec.model.errors import UsageError

_MASK: Final = (1 << 64) - 1
_STRIDE: Final = 0x9E3779B97F4A7C15
_FIRST_FACTOR: Final = 0xBF58476D1CE4E5B9
_SECOND_FACTOR: Final = 0x94D049BB133111EB


def mix(number: int) -> int:
    """Mix 64 bits so that each depends on all of them."""
    number = (number ^ number >> 30) * _FIRST_FACTOR & _MASK
    number = (number ^ number >> 27) * _SECOND_FACTOR & _MASK
    return number ^ number >> 31


class SplitMix64:
    """A sequence of random numbers."""

    __slots__ = ("_state",)

    def __init__(self, state: int) -> None:
        """Begin at a state of 64 bits."""
        self._state = state

    def next_bits(self) -> int:
        """Give 64 random bits."""
        self._state = self._state + _STRIDE & _MASK
        return mix(self._state)

    def below(self, bound: int) -> int:
        """Give a number from 0 up to, and not, the bound; evenly, but for one part in 2^64 / bound."""
        return self.next_bits() * bound >> 64


def generator_of(seed: int, walk: int) -> SplitMix64:
    """Give the generator of a walk."""
    return SplitMix64(mix(mix(seed) + walk & _MASK))


def check_seed(seed: int) -> None:
    """Refuse what does not fit into 64 bits, since two seeds would walk the same walks."""
    if not 0 <= seed <= _MASK:
        raise UsageError(f"The seed must be a number from 0 to 2^64 - 1, not {seed}.")
