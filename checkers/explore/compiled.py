"""The search by machine code: the same worlds in the same order, by the chunk.

It takes over a search that was begun by the interpreter's steps, since compiling is not worth it for few
worlds. What is noticed comes as notes; where the search is decided or full, a chunk is cut after the world in
which that happened, so that every count is that of a search world by world.
"""

from __future__ import annotations

import errno
import os
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Final

from nomadspec.checkers.explore.engines import COMPILED
from nomadspec.checkers.explore.failures import discover_failure
from nomadspec.checkers.explore.narrowed_domains import Narrowed
from nomadspec.checkers.explore.partial_order.facts import find_facts
from nomadspec.checkers.explore.search_recheck import look_at_due
from nomadspec.checkers.explore.search_state import Discovery, Explored
from nomadspec.checkers.explore.symmetry.audit import Audit
from nomadspec.checkers.explore.symmetry.moves import write_canonical
from nomadspec.checkers.native.chunk import Chunk
from nomadspec.checkers.native.goal import Goal
from nomadspec.checkers.native.notes import Note
from nomadspec.checkers.native.paths import Paths as CompiledPaths
from nomadspec.checkers.native.program import Program, Questions
from nomadspec.checkers.native.stepping import MachineSteps
from nomadspec.checkers.native.table import Table
from nomadspec.checkers.native.words import WideError, Words, find_fixed
from nomadspec.checkers.native.worlds import StoredWorlds
from nomadspec.checkers.stepper.second_look import SecondLook
from nomadspec.model.errors import ImpossibleError
from nomadspec.model.language.model_promises import TEXTS_HAVE_ANSWERS
from nomadspec.model.language.property import Kind
from nomadspec.model.language.story import DEADLOCK
from nomadspec.model.language.term import Term

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nomadspec.checkers.explore.paths import Paths
    from nomadspec.checkers.explore.task import Task
    from nomadspec.checkers.native.choice import Choices
    from nomadspec.checkers.stepper.layout import Layout
    from nomadspec.checkers.stepper.question import Question

_NO_CANONICAL: Final = "machine code sorts rows of one word and tries few renamings; this scope asks for more"
_TOO_WIDE: Final = "machine code calculates with 62 bits, and this scope with larger numbers"


@dataclass(slots=True, kw_only=True)
class CompiledExplored(Explored):
    """What was stored, with the worlds and their table outside of Python's memory."""

    program: Program
    table: Table | None = None
    """What finds a world's number; None where others keep tables."""

    def hasten(self, task: Task) -> Task:
        """Give the same task with the steps of machine code, where it takes all steps."""
        if task.partial_order is not None:
            return task
        return replace(task, stepper=MachineSteps(self.program, task.stepper))

    def find_paths(self) -> Paths:
        """Give who walks over the steps that were kept."""
        return CompiledPaths(self.expect_edges())

    def list_missing(self, numbers: Sequence[int], goal: Question) -> Sequence[int]:
        """List those of some worlds in which a goal does not hold."""
        if not numbers or not isinstance(goal.value, Term):
            return [] if goal.value is True else numbers
        missing = Goal(self.stored.words, self.program.intervals, goal.value)
        return missing.list_missing(self.stored.memory.address, numbers)

    def measure_table(self) -> int:
        """Measure the table in bytes."""
        return 0 if self.table is None else self.table.size

    def compute_digest(self, byte_count: int) -> int:
        """Compute the digest of the stored worlds."""
        known = self.program.compute_digest(self.stored)
        return super(CompiledExplored, self).compute_digest(byte_count) if known is None else known

    def find_highest(self, _layout: Layout, cells: Sequence[int]) -> dict[int, int]:
        """Find the highest value of cells of budgets among the stored worlds, less the lowest possible."""
        found = self.program.find_maxima(self.stored)
        return {cell: found[cell] for cell in cells}

    @property
    def stored(self) -> StoredWorlds:
        """The worlds in their memory."""
        if not isinstance(self.worlds, StoredWorlds):
            raise ImpossibleError("A compiled search stores its worlds itself.")
        return self.worlds


class CompiledSearch:
    """A search under way, which goes on where another one was."""

    engine = COMPILED

    def __init__(self, task: Task, begun: Explored, program: Program) -> None:
        """Take over what was stored."""
        self._task = task
        self._questions = list_questions(task)
        self._program = program
        self.notes = self._program.list_notes()
        """What the machine code of this scope costs, where that is more than usual."""
        self._worlds = StoredWorlds(self._program.words, begun.worlds)
        self._table = Table(self._program, self._worlds)
        given = {part.name: getattr(begun, part.name) for part in fields(Explored)}
        given |= {"worlds": self._worlds, "numbers": {}}
        self.explored = CompiledExplored(**given, program=self._program, table=self._table)
        self._hastened = self.explored.hasten(task)
        self._audit = Audit(self._hastened) if task.is_reduced else None
        self._second_look = SecondLook(task.bounded, task.properties)
        self._chunk = Chunk(self._program)
        done = {found.property for found in begun.found} | begun.reached.keys()
        names = [prop.name for prop in task.properties]
        self._chunk.open([number for number, name in enumerate(names) if name not in done])
        if task.asks_deadlock and DEADLOCK not in done:
            self._chunk.reopen(self._questions.stuck)
        self._is_decided = any(task.decides(found.property) for found in begun.found)

    @property
    def is_over(self) -> bool:
        """True if there is nothing left to find."""
        return self.explored.is_complete or self._is_decided

    def expand(self, _worlds: int, most_states: int) -> None:
        """Take the steps of a chunk of worlds, unless the search is over or holds so many states before."""
        explored = self.explored
        if self.is_over or len(explored.worlds) >= most_states:
            return
        if explored.expanded == explored.level_end:
            explored.level_end = len(explored.worlds)
            explored.depth += 1
        self._program.improve(len(explored.worlds))
        begun = explored.expanded
        chunk = self._chunk.make(self._worlds, begun, explored.level_end)
        made, end = chunk.count, chunk.end
        early = self._chunk.read_notes()
        if end == begun:
            self._take_fault(begun)
            return
        cut = min((note.world for note in early if self._is_decisive(note)), default=end - 1)
        if cut < end - 1:
            made, end = self._chunk.count_until(cut, made), cut + 1
        self._table.make_room(made)
        edges = explored.edges
        inserted = self._chunk.insert(self._table, self._worlds, begun, made, most_states, edges)
        if inserted.is_cut:
            end = inserted.last_parent + 1
        self._keep_parents(inserted.parents)
        if self._audit is not None:
            self._audit.check_due(self._worlds, begun, end)
        explored.generated += inserted.count
        explored.expanded = end
        self._count_fired()
        if edges is not None:
            self._chunk.read_edges(edges, begun, end)
        self._take_notes(early, end)
        failure = look_at_due(self._second_look, self._hastened, explored, begun, end)
        if failure is not None:
            self._keep_failure(failure)

    def _keep_parents(self, parents: bytes) -> None:
        """Keep the worlds before new ones; what finds no room for that was not found."""
        try:
            self.explored.parents.frombytes(parents)
        except MemoryError as problem:
            self._worlds.stored = len(self.explored.parents)
            raise OSError(errno.ENOMEM, os.strerror(errno.ENOMEM)) from problem

    def _take_notes(self, early: list[Note], end: int) -> None:
        """Keep what was noticed up to where the chunk was cut; the rest was not asked."""
        for note in early:
            if note.world >= end:
                self._chunk.reopen(note.question)
        late = self._chunk.read_notes()[len(early) :]
        parents = self.explored.parents
        kept = [(note.world, note.position, False, note) for note in early if note.world < end]
        kept += [(parents[note.world], note.position, True, note) for note in late]
        for *_, note in sorted(kept, key=lambda one: one[:3]):
            name = self._name(note)
            if self._is_reached(note):
                self.explored.reached[name] = note.world
                continue
            self.explored.found.append(Discovery(name, note.world))
            self._is_decided = self._is_decided or self._task.decides(name)

    def _is_reached(self, note: Note) -> bool:
        properties = self._task.properties
        return note.question < len(properties) and properties[note.question].kind is Kind.SOMETIMES

    def _name(self, note: Note) -> str:
        properties = self._task.properties
        return properties[note.question].name if note.question < len(properties) else DEADLOCK

    def _is_decisive(self, note: Note) -> bool:
        return note.question != self._questions.fault and self._task.decides(self._name(note))

    def _count_fired(self) -> None:
        self.explored.fired[:] = [
            before + more for before, more in zip(self.explored.fired, self._chunk.take_fired(), strict=True)
        ]

    def _take_fault(self, number: int) -> None:
        """Let the interpreter say what is wrong with a step from a world, and end the search there."""
        fault = ImpossibleError("Machine code found a fault in a step that the interpreter finds correct.")
        self._keep_failure(discover_failure(self._task, self.explored, number, fault))

    def _keep_failure(self, failure: Discovery) -> None:
        self.explored.found.append(failure)
        self._is_decided = True


def compile_search(task: Task, begun: Explored) -> CompiledSearch | str:
    """Let machine code go on with a search, or say why it cannot."""
    program = compile_program(task)
    return program.reason if isinstance(program, Obstacle) else CompiledSearch(task, begun, program)


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Why there is no machine code for a search."""

    reason: str


def compile_program(task: Task) -> Program | Obstacle:
    """Compile what a search takes its steps with, or say why that cannot be."""
    order = task.partial_order
    facts = find_facts(task.bounded, is_renamed=task.is_reduced) if order is None else order.facts
    narrowed, canonical = Narrowed(facts), None
    try:
        if task.is_reduced:
            canonical = write_canonical(task.bounded.frame, Words(task.layout, find_fixed(narrowed)))
            if canonical is None:
                return Obstacle(_NO_CANONICAL)
        return Program(narrowed, task.layout, list_questions(task), canonical, find_choices(task))
    except WideError:
        return Obstacle(_TOO_WIDE)


def find_choices(task: Task) -> Choices | None:
    """Find what the choice among steps follows from, where not all are taken."""
    return None if task.partial_order is None else task.partial_order.choices


def list_questions(task: Task) -> Questions:
    """Number what is asked of a search."""
    breakable = task.list_properties(Kind.ALWAYS, Kind.STEP) if task.stops_at_first else ()
    decisive = {prop.name for prop in breakable if task.is_decisive(prop.name)} | {TEXTS_HAVE_ANSWERS}
    return Questions(task.properties, task.asks_deadlock, frozenset(decisive))
