"""What machine code tells: numbered properties, and notes of what it noticed, each in four words.

A *question* is a property that was asked about, by its place among them; after them come the question
whether worlds are stuck, and faults: a value outside its domain, or a queue that is none. Questions that are
still open are bits; the code that notices something clears the bit, so that there is one note a question,
unless all bits are to be kept.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

HEAD_WORDS: Final = 3
"""How many successors there are, how many notes, and which bits of open questions are kept."""

NOTE_WORDS: Final = 4
"""The question, the number of the world, the position of the instance, and the order among all notes."""

BITS: Final = 64


@dataclass(frozen=True, slots=True)
class Note:
    """Something that was noticed."""

    question: int
    world: int
    """The number of the world: the one before the step for steps, stuck worlds and faults."""
    position: int
    order: int
    """Twice the place of the successor among those of its chunk, and one more for what holds of a world."""


def count_words(questions: int) -> int:
    """Count the words in which so many questions have a bit."""
    return max(1, -(-questions // BITS))
