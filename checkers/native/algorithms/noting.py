"""How machine code notes what it noticed; notes.py says what notes are."""

from __future__ import annotations

from typing import Final

from nomadspec.checkers.native.algorithms.types import FULL, Word, Words
from nomadspec.checkers.native.notes import BITS, HEAD_WORDS, NOTE_WORDS

_COUNT: Final = 1
_KEPT: Final = 2
"""Where the head says how many notes there are, and which questions stay open when they are noted."""


def note(notes: Words, still_open: Words, question: Word, world: Word, position: Word, order: Word) -> None:
    """Append a note, and ask its question no longer."""
    place = HEAD_WORDS + NOTE_WORDS * notes[_COUNT]
    notes[place] = question
    notes[place + 1] = world
    notes[place + 2] = position
    notes[place + 3] = order
    notes[_COUNT] += 1
    bit = 1 << question % BITS
    still_open[question // BITS] &= bit ^ FULL | notes[_KEPT]
