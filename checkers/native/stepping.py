"""The steps of one world after another, by the machine code of a search: for those who follow few of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from nomadspec.checkers.native.chunk import Chunk
from nomadspec.checkers.native.memory import Memory

if TYPE_CHECKING:
    from nomadspec.checkers.native.program import Program
    from nomadspec.checkers.stepper.steps import Steps

_WORD: Final = 8


class MachineSteps:
    """The same steps as others know, taken by machine code; the others speak of faults."""

    def __init__(self, program: Program, others: Steps) -> None:
        """Take memory for one world; no question is asked of its steps."""
        self._others = others
        self._words = program.words
        self._chunk = Chunk(program)
        self._world = Memory(_WORD * program.words.count)

    @property
    def initial(self) -> tuple[int, ...]:
        """Give the initial worlds."""
        return self._others.initial

    def successors(self, packed: int) -> list[tuple[int, int]]:
        """List the instances that can happen by position, each with the packed world after it."""
        for at, word in enumerate(self._words.split(packed)):
            self._world.put(at, word)
        made = self._chunk.make_at(self._world.address, 0, 1)
        return self._chunk.list_steps(made.count) if made.end else self._others.successors(packed)
