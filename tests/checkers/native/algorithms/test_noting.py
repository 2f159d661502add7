"""Notes as Python and as machine code."""

from __future__ import annotations

from functools import partial
from random import Random

from nomadspec.checkers.native.algorithms.noting import note
from nomadspec.checkers.native.translate.kinds import Shape
from tests.checkers.native.algorithms.both import run_both, words_of


def make_notes(kept: int, *given: int) -> list[object]:
    """Make room behind two notes, while all questions are open."""
    return [words_of([9, 2, kept, *[0] * 16]), words_of([(1 << 64) - 1] * 4), *given]


def test_a_note_goes_behind_the_others_and_closes_its_question() -> None:
    random = Random(2)
    for kept in (0, (1 << 64) - 1):
        for question in (0, 5, 63, 64, 200):
            world, position, order = (random.randrange(1 << 32) for _ in range(3))
            notes, still_open, *_ = run_both(
                note,
                Shape(),
                partial(make_notes, kept, question, world, position, order),
            )

            assert [9, 3, kept] == notes[:3].tolist()
            assert [question, world, position, order] == notes[11:15].tolist()
            assert (kept == 0) is not (still_open[question // 64] >> question % 64 & 1)
