"""A chunk of successors: made, looked up and stored by machine code, and what it says of them."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Final

from nomadspec.checkers.native.algorithms.table import Context
from nomadspec.checkers.native.memory import Memory
from nomadspec.checkers.native.notes import BITS, HEAD_WORDS, NOTE_WORDS, Note, count_words
from nomadspec.checkers.native.packing import count_bytes, find_packing
from nomadspec.checkers.native.worlds import list_packed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from nomadspec.checkers.native.edges import Edges
    from nomadspec.checkers.native.goal import Goal
    from nomadspec.checkers.native.program import Program
    from nomadspec.checkers.native.table import Table
    from nomadspec.checkers.native.worlds import StoredWorlds

ROOM: Final = 1 << 15
"""How many successors a chunk holds, about: they stay in the processor's cache."""

_MOST_WORLDS: Final = 1 << 16
"""How many worlds are expanded in a chunk at most."""

_FIELDS: Final = tuple(field.name for field in fields(Context))
"""The words of a context, by name."""

_WORD: Final = 8
_NUMBER: Final = 4
_HALF_BITS: Final = 32
_LOW_HALF: Final = (1 << _HALF_BITS) - 1
_NOBODY: Final = -1
_MOST: Final = (1 << 63) - 1
_ALL_BITS: Final = (1 << 64) - 1


@dataclass(frozen=True, slots=True)
class Made:
    """The successors of some worlds, not yet looked up."""

    count: int
    end: int
    """The first world whose successors were not made."""


@dataclass(frozen=True, slots=True)
class Inserted:
    """What became of the successors of a chunk."""

    count: int
    """How many were looked up: all, or those before the chunk was cut."""
    last_parent: int
    """The world whose successors came last."""
    is_cut: bool
    """Whether no more worlds may be expanded: something decisive was noticed, or there is no room."""
    parents: bytes
    """For each new world the number of the world before it."""


class Chunk:
    """Memory for the successors of some worlds, and the context in which machine code stores them."""

    def __init__(self, program: Program, *, notes_all: bool = False) -> None:
        """Take the memory; all answers are noted, or the first one to each question."""
        questions = program.question_count
        self._program = program
        self._instances = program.instances
        self._position_bytes = program.position_bytes
        room = ROOM + program.instances
        self._out = Memory(room * _WORD * program.words.count)
        self._entries = Memory(room * _WORD)
        self._parents = Memory(room * _NUMBER)
        self._scratch = Memory(1)
        self._targets = Memory(room * _NUMBER)
        self._positions = Memory(room * _NUMBER)
        self._ends = Memory(_MOST_WORLDS * _WORD)
        self._fired = Memory(program.instances * _WORD)
        self._context = Memory(len(_FIELDS) * _WORD)
        notes = room + _MOST_WORLDS if notes_all else questions + 2
        self._notes = Memory((HEAD_WORDS + NOTE_WORDS * notes) * _WORD)
        self._notes.put(2, _ALL_BITS if notes_all else 0)
        self._open = Memory(count_words(questions) * _WORD)

    def open(self, questions: Iterable[int]) -> None:
        """Ask questions of a world from now on."""
        for question in questions:
            self.reopen(question)

    def reopen(self, question: int) -> None:
        """Ask a question again."""
        group = question // BITS
        self._open.put(group, self._open.word(group) | 1 << question % BITS)

    def ask_only(self, questions: Iterable[int]) -> None:
        """Ask these questions and no others from now on, and forget what was noticed."""
        self._open.write(0, bytes(self._open.size))
        self._notes.put(1, 0)
        self.open(questions)

    def split(self, made: int, first: int, shards: int, boxes: int) -> None:
        """Put the first successors into the boxes of the shards to which they belong."""
        self._program.sharing.split(self._out.address, self._entries.address, made, first, shards, boxes)

    def insert_at(self, table: Table, worlds: StoredWorlds, given: Mapping[str, int]) -> int:
        """Look up successors that lie elsewhere, as they are to be stored; count those looked up."""
        before = len(worlds)
        self._scratch.ensure(given["made"] * _NUMBER)
        usual: Mapping[str, int] = {
            "worlds": worlds.memory.address,
            "parents": self._scratch.address - _NUMBER * before,
            "table": table.memory.address,
            "table_slots": table.slots,
            "count": before,
            "fired": self._fired.address,
            "current": _NOBODY,
            "most": _MOST,
            "notes": self._notes.address,
            "open": self._open.address,
        }
        self._call_insert({**usual, **given})
        worlds.stored = self._read("count")
        return self._read("done")

    def make(self, worlds: StoredWorlds, begin: int, end: int) -> Made:
        """Make the successors of worlds, as many as there is room for."""
        return self.make_at(worlds.memory.address, begin, end)

    def make_at(self, address: int, begin: int, end: int) -> Made:
        """Make the successors of worlds that lie at an address."""
        self._notes.put(1, 0)
        following = self._program.expand(
            address,
            begin,
            min(end, begin + _MOST_WORLDS),
            self._out.address,
            self._entries.address,
            ROOM,
            self._notes.address,
            self._open.address,
        )
        return Made(self._notes.word(0), following)

    def read_notes(self) -> list[Note]:
        """Read what was noticed since the chunk was made."""
        starts = (HEAD_WORDS + NOTE_WORDS * at for at in range(self._notes.word(1)))
        return [Note(*(self._notes.word(start + at) for at in range(NOTE_WORDS))) for start in starts]

    def list_steps(self, made: int) -> list[tuple[int, int]]:
        """List the first successors, each behind the position of its instance."""
        words = self._program.words
        content = find_packing(words).pack(self._out.address, made)
        entries = array("Q", self._entries.read(0, _WORD * made))
        positions = [entry >> _HALF_BITS for entry in entries]
        return list(zip(positions, list_packed(content, count_bytes(words)), strict=True))

    def list_missing(self, goal: Goal, made: int) -> list[int]:
        """List the worlds with a successor among the first ones that lacks a goal."""
        entries = self._entries
        found = goal.list_missing(self._out.address, range(made))
        return list(dict.fromkeys(entries.word(at) & _LOW_HALF for at in found))

    def count_until(self, world: int, made: int) -> int:
        """Count the successors of the worlds up to one."""
        return bisect_right(range(made), world, key=lambda at: self._entries.word(at) & _LOW_HALF)

    def insert(
        self, table: Table, worlds: StoredWorlds, begin: int, made: int, most: int, edges: Edges | None = None
    ) -> Inserted:
        """Look the first successors up and store those that are new; steps go behind those that are kept."""
        before, steps = len(worlds), 0 if edges is None else len(edges.targets)
        worlds.ensure(before + made)
        given = {
            "worlds": worlds.memory.address,
            "parents": self._parents.address - _NUMBER * before,
            "table": table.memory.address,
            "table_slots": table.slots,
            "count": before,
            "out": self._out.address,
            "entries": self._entries.address,
            "made": made,
            "fired": self._fired.address,
            "targets": 0 if edges is None else self._targets.address - _NUMBER * steps,
            "positions": self._positions.address - self._position_bytes * steps,
            "steps": steps,
            "ends": self._ends.address - _WORD * begin,
            "reduces": 1,
            "current": begin,
            "most": min(most, _MOST),
            "notes": self._notes.address,
            "open": self._open.address,
        }
        self._call_insert(given)
        worlds.stored = self._read("count")
        parents = self._parents.read(0, _NUMBER * (worlds.stored - before))
        done = self._read("done")
        is_cut = done < made or self._read("decided") != 0 or worlds.stored >= most
        return Inserted(done, self._read("current"), is_cut, parents)

    def read_edges(self, edges: Edges, begin: int, end: int) -> None:
        """Append the steps of the chunk, and where those of each world end."""
        total, closed = self._read("steps"), self._read("current") - begin
        steps = total - len(edges.targets)
        edges.targets.frombytes(self._targets.read(0, _NUMBER * steps))
        edges.positions.frombytes(self._positions.read(0, edges.positions.itemsize * steps))
        edges.ends.frombytes(self._ends.read(0, _WORD * closed))
        edges.ends.extend(array("Q", [total]) * (end - begin - closed))

    def take_fired(self) -> list[int]:
        """Take how often each instance happened since this was asked."""
        fired = array("Q")
        fired.frombytes(self._fired.read(0, _WORD * self._instances))
        self._fired.write(0, bytes(_WORD * self._instances))
        return fired.tolist()

    def _call_insert(self, given: Mapping[str, int]) -> None:
        for at, name in enumerate(_FIELDS):
            self._context.put(at, given.get(name, 0))
        self._program.insert(self._context.address)

    def _read(self, name: str) -> int:
        return self._context.word(_FIELDS.index(name))
