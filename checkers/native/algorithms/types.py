"""What algorithms are made of: words, memory, and operations that Python has no sign for.

Words are unsigned, of 64 bits, and Python's numbers grow instead: what may pass the highest is cut with FULL.
Memory is a memoryview here and an address as machine code; its part from some place on is the same memory.
"""

from __future__ import annotations

from typing import Final, TypeAlias

Word: TypeAlias = int
Words: TypeAlias = "memoryview[int]"
Halves: TypeAlias = "memoryview[int]"
"""Memory of 32 bits each."""
Positions: TypeAlias = "memoryview[int]"
"""Memory of as many bits each as the position of an instance takes."""

FULL: Final = (1 << 64) - 1
"""All bits of a word, and the highest number."""
HALF_BITS: Final = 32
LOW_HALF: Final = (1 << HALF_BITS) - 1


def make_words(count: int) -> Words:
    """Take memory that lasts until the function ends; what is in it means nothing."""
    return memoryview(bytearray(8 * count)).cast("Q")


def multiply_high(one: Word, other: Word) -> Word:
    """Give the upper half of a product."""
    return one * other >> 64


def swap_bytes(word: Word) -> Word:
    """Turn the order of the eight bytes around."""
    return int.from_bytes(word.to_bytes(8, "little"), "big")


def prefetch_to_read(_memory: Words) -> None:
    """Have memory brought near, since it will be read soon."""


def prefetch_to_write(_memory: Words) -> None:
    """Have memory brought near, since it will be written soon."""
