"""The machine code of one question: the successors of worlds, the table they go to, and what is noticed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

from nomadspec.checkers.native.algorithms import table
from nomadspec.checkers.native.algorithms.fingerprints import MOST_LANES, digest
from nomadspec.checkers.native.algorithms.noting import note
from nomadspec.checkers.native.build import Improvement, MachineCode, Text, bind
from nomadspec.checkers.native.choice import Choices, write_choice
from nomadspec.checkers.native.digest import write_maxima, write_read_lanes
from nomadspec.checkers.native.expand import Asked, Expander
from nomadspec.checkers.native.inspect import DECLARATION, WorldQuestion, write_inspection
from nomadspec.checkers.native.memory import Memory
from nomadspec.checkers.native.sharing import Sharing
from nomadspec.checkers.native.translate.functions import translate, write_declaration
from nomadspec.checkers.native.translate.kinds import Shape
from nomadspec.checkers.native.words import Words, find_fixed
from nomadspec.checkers.stepper.budgets import list_budget_cells
from nomadspec.model.language.property import Kind

if TYPE_CHECKING:
    from collections.abc import Callable

    from nomadspec.checkers.native.worlds import StoredWorlds
    from nomadspec.checkers.stepper.layout import Layout
    from nomadspec.model.language.bounded import BoundedModel
    from nomadspec.model.language.property import Property

_NAMES: Final = ("expand", "insert", "index", "grow", "digest", "maxima")
_MOST_SHORT: Final = 1 << 16
_WORD: Final = 8
_WALKED_AT_ONCE: Final = 1 << 20
_BEST: Final = 2
"""How hard the compiler tries where it is worth it."""

_WORTH_IMPROVING: Final = 500_000
"""How many worlds are stored before a large text is optimised after all, which takes seconds."""

_PIECE_LINES: Final = 20_000
_MOST_LINES: Final = 20_000
"""Longer texts are compiled without optimisation at first: with it, they take seconds or minutes."""


@dataclass(frozen=True, slots=True)
class Questions:
    """What is asked of a search: properties by number, and whether stuck worlds matter."""

    properties: tuple[Property, ...]
    asks_stuck: bool
    decisive: frozenset[str]
    """The properties with which the search ends."""

    @property
    def stuck(self) -> int:
        """The number of the question about stuck worlds."""
        return len(self.properties)

    @property
    def fault(self) -> int:
        """The number under which faults are noted."""
        return len(self.properties) + 1

    @property
    def count(self) -> int:
        """How many numbers there are."""
        return len(self.properties) + 2


class Program:
    """The compiled functions of a bounded model, called with addresses and sizes."""

    def __init__(
        self,
        bounded: BoundedModel,
        layout: Layout,
        questions: Questions,
        canonical: str | None = None,
        choices: Choices | None = None,
    ) -> None:
        """Write the text and compile it.

        ``canonical`` is the text of the form in which worlds are stored, and ``choices`` say which steps are
        taken where not all are.
        """
        self.is_reduced = canonical is not None
        self.words = Words(layout, find_fixed(bounded))
        self.intervals = bounded.frame.intervals
        self.instances = len(bounded.instances)
        """How many ways there are for a step to happen."""
        self.question_count = questions.count
        self.position_bytes = 2 if self.instances <= _MOST_SHORT else 4
        self.budget_cells = list_budget_cells(bounded)
        self.has_digest = layout.byte_count <= _WORD * MOST_LANES
        texts = _write_model(bounded, self.words, questions, is_chosen=choices is not None)
        self.level = _BEST if sum(text.count("\n") for text in texts) <= _MOST_LINES else 0
        self._plain = [Text(text, self.level) for text in texts]
        self._better = Improvement([Text(text, _BEST) for text in texts])
        kernels = self._write_kernels(bounded, layout, is_reduced=self.is_reduced)
        self._others = [Text("\n\n".join([kernels, canonical or ""]), _BEST)]
        if choices is not None:
            self._others.append(Text(write_choice(self.words, self.intervals, choices), _BEST))
        self._canonical = canonical
        self._is_improving = False
        self._load()

    def _load(self) -> None:
        """Compile, with each text as it was improved if it was."""
        model = self._better.choose(self._plain)
        self.level = min(text.level for text in model)
        self.texts = (*model, *self._others)
        self.code = MachineCode(self.texts, _NAMES)
        self.expand = bind(self.code, "expand", 8)
        self.insert = bind(self.code, "insert", 1)
        self.index = bind(self.code, "index", 5)
        self.grow = bind(self.code, "grow", 4)
        self.digest = bind(self.code, "digest", 3)
        self.maxima = bind(self.code, "maxima", 3)

    def improve(self, worlds: int) -> None:
        """Have large texts optimised beside a search that is long, and go on with what came of it."""
        if self.level < _BEST and worlds >= _WORTH_IMPROVING and not self.take_better():
            if not self._is_improving:
                self._better.begin()
            self._is_improving = True

    def take_better(self) -> bool:
        """Go on with code that somebody optimised meanwhile, if it is there."""
        if self.level < _BEST and self._better.is_there():
            self._load()
        return self.level == _BEST

    @cached_property
    def sharing(self) -> Sharing:
        """Give what several tables need beside, compiled when it is asked for."""
        return Sharing(self.words.count, 8 * self.position_bytes, self._canonical)

    def list_notes(self) -> tuple[str, ...]:
        """Say what is more costly than usual."""
        notes = []
        if self.words.count > 1:
            count = self.words.count
            notes.append(
                f"a world takes {count} words: {count * _WORD} bytes to store, and to compare with each"
            )
        if not self.level:
            notes.append("the model is so large that some of its code is not optimised yet")
        return tuple(notes)

    def _write_kernels(self, bounded: BoundedModel, layout: Layout, *, is_reduced: bool) -> str:
        """Write what depends on the layout alone."""
        lanes = layout.byte_count // _WORD if self.has_digest else 0
        shape = Shape(self.words.count, lanes, is_reduced, 8 * self.position_bytes)
        return "\n\n".join(
            [
                DECLARATION,
                translate([note, table.insert, table.index, table.grow, digest], shape),
                write_read_lanes(self.words, lanes),
                write_maxima(bounded, self.words, self.budget_cells),
            ]
        )

    def compute_digest(self, worlds: StoredWorlds) -> int | None:
        """Add up the fingerprints of worlds; None where they are too long for this."""
        if not self.has_digest:
            return None
        result = Memory(2 * _WORD)
        _walk(self.digest, worlds, result)
        return result.word(1) << 64 | result.word(0)

    def find_maxima(self, worlds: StoredWorlds) -> dict[int, int]:
        """Find the highest value of each cell of a budget, less its lowest."""
        result = Memory(max(1, len(self.budget_cells)) * _WORD)
        _walk(self.maxima, worlds, result)
        return {cell: result.word(at) for at, cell in enumerate(self.budget_cells)}


def _walk(visit: Callable[..., int], worlds: StoredWorlds, result: Memory) -> None:
    """Show all worlds to a function that adds to a result; those in a file are let go of on the way."""
    for begin in range(0, len(worlds), _WALKED_AT_ONCE):
        count = min(_WALKED_AT_ONCE, len(worlds) - begin)
        visit(worlds.memory.address + begin * worlds.width, count, result.address)
        worlds.memory.rest()


def _write_model(bounded: BoundedModel, words: Words, questions: Questions, *, is_chosen: bool) -> list[str]:
    """Write what depends on rules and properties: the steps, and apart from them what is asked of each.

    Texts call one another's functions, and none is so long that to compile it takes more than seconds.
    """
    cells = bounded.cell_terms
    steps, worlds = {}, []
    for number, prop in enumerate(questions.properties):
        if prop.kind is Kind.STEP:
            values = bounded.trace_steps(prop)
            if any(value is not True for value in values):
                steps[number] = values
        elif prop.kind in {Kind.ALWAYS, Kind.SOMETIMES}:
            value = prop(bounded.world(cells))
            noted_when = prop.kind is Kind.SOMETIMES
            worlds.append(WorldQuestion(number, value, noted_when, prop.name in questions.decisive))
    rest = _trace_rest(bounded) if questions.asks_stuck else None
    asked = Asked(steps, rest, questions.stuck, questions.fault, is_chosen)
    inspection = write_inspection(bounded, words, worlds, questions.count)
    expander = Expander(bounded, words, asked)
    declaration = write_declaration(note, Shape())
    pieces = [[declaration, expander.text(), inspection]]
    lines = _PIECE_LINES
    for check in expander.list_checks():
        if lines >= _PIECE_LINES:
            pieces.append([declaration])
            lines = 0
        pieces[-1].append(check)
        lines += check.count("\n")
    return ["\n\n".join(piece) for piece in pieces]


def _trace_rest(bounded: BoundedModel) -> object:
    rest = bounded.model.is_at_rest
    return False if rest is None else rest(bounded.world(bounded.cell_terms))
