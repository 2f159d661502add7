"""Small functions with what the translated part of Python has, and some with what it has not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from nomadspec.checkers.native.algorithms import shape
from nomadspec.checkers.native.algorithms.types import (
    FULL,
    Halves,
    Word,
    Words,
    make_words,
    multiply_high,
    swap_bytes,
)

_PRIMES: Final = (2, 3, 5, 7, 0xFFFFFFFFFFFFFFC5)


@dataclass(slots=True)
class Pile:
    """A record."""

    height: Word
    parts: Words
    marks: Halves | None


def operate(one: Word, other: Word, out: Words) -> None:
    """Use each operator."""
    out[0] = one + other & FULL
    out[1] = one - other & FULL
    out[2] = one * other & FULL
    out[3] = one // (other | 1)
    out[4] = one % (other | 1)
    out[5] = one & other
    out[6] = one | other
    out[7] = one ^ other
    out[8] = one << other % 64 & FULL
    out[9] = one >> other % 64
    out[10] = -one & FULL
    out[11] = multiply_high(one, other)
    out[12] = swap_bytes(one)
    out[13] = min(one, other)
    out[14] = int(one < other)
    out[15] = _PRIMES[one % 5]


def compare(one: Word, other: Word) -> Word:
    """Use each comparison, alone and together with others."""
    found = 0
    if one == other:
        found |= 1
    if one != other and one < other:
        found |= 2
    elif one <= other or other == 3:
        found |= 4
    else:
        found |= 8
    if not (one > other and one >= 7) or not other:
        found |= 16
    return found


def collatz(start: Word, most: Word) -> Word:
    """Go around until something happens."""
    steps = 0
    while start != 1:
        if steps >= most:
            break
        start = start // 2 if start % 2 == 0 else 3 * start + 1 & FULL
        steps += 1
    return steps


def is_sorted(numbers: Words, count: Word) -> bool:
    """Leave a loop by an answer."""
    for at in range(1, count):  # noqa: SIM110 -- the statement is what is tried
        if numbers[at - 1] > numbers[at]:
            return False
    return True


def sort(numbers: Words, count: Word) -> Word:
    """Call functions, and loops inside others."""
    rounds = 0
    while not is_sorted(numbers, count):
        for at in range(count - 1):
            if numbers[at] > numbers[at + 1]:
                _swap(numbers[at:])
        rounds += 1
    return rounds


def _swap(pair: Words) -> None:
    pair[0], pair[1] = pair[1], pair[0]


def fill(piles: Sequence[Pile], count: Word, lists: Sequence[Halves]) -> Word:
    """Reach into records and lists."""
    total = 0
    for number in range(count):
        pile = piles[number]
        for at in range(pile.height):
            pile.parts[at] += number
            if pile.marks is not None:
                pile.marks[at] = lists[number][at] + at
        if pile.marks is None:
            pile.height += 100
        total += pile.height
    return total


def write_out(out: Words) -> None:
    """Write loops out whose bounds are known, forwards and backwards."""
    memory = make_words(8)
    for at in range(4):
        memory[at] = out[at] * _PRIMES[at]
    for at in reversed(range(shape.WORDS + 1)):
        out[3 - at] = memory[at] + shape.WORDS
    if shape.WORDS == 1 and shape.IS_REDUCED:
        out[0] = 99
    elif shape.WORDS == 3:
        out[0] += 7


def divide(one: Word) -> Word:
    """Use an operator that there is no machine code for."""
    return int(one / 2)


def count_forever(one: Word) -> Word:
    """Go back over what is not known before."""
    total = 0
    for at in reversed(range(one)):
        total += at
    return total


def complain(one: Word) -> Word:
    """Use a statement that there is no machine code for."""
    assert one
    return one


def chain(one: Word) -> Word:
    """Compare twice at once."""
    return int(1 < one < 5)
