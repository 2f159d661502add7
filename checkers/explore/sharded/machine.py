"""A hand with machine code."""

from __future__ import annotations

from array import array
from dataclasses import replace
from pickle import PickleBuffer
from typing import TYPE_CHECKING, Final

from nomadspec.checkers.explore.sharded.messages import LOW_HALF, Noted, Parcel, Place, Stored, Taken
from nomadspec.checkers.native.chunk import ROOM, Chunk
from nomadspec.checkers.native.memory import Memory
from nomadspec.checkers.native.table import Table
from nomadspec.checkers.native.worlds import StoredWorlds

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from nomadspec.checkers.explore.sharded.common import TakeMemory
    from nomadspec.checkers.explore.sharded.hand import Given
    from nomadspec.checkers.explore.sharded.messages import Bulk
    from nomadspec.checkers.native.program import Program, Questions

_WORD: Final = 8
_NUMBER: Final = 4
_BOX: Final = 3
_WALKED_AT_ONCE: Final = 1 << 20


class MachineHand:
    """Takes steps and keeps tables by the functions of a program."""

    def __init__(
        self,
        program: Program,
        questions: Questions,
        shards: Sequence[int],
        count: int,
        room: int,
        folder: Path | None,
        take: TakeMemory = Memory,
    ) -> None:
        """Keep some of so many shards, in a folder if there is one; parcels have room for so many steps.

        Parcels lie in memory that is taken where others see it, if they can.
        """
        self._program = program
        self._questions = questions
        self._count = count
        self._chunk = Chunk(program)
        self._most = room
        self._step = ROOM + program.instances
        self._boxes = _Boxes(count, room + self._step, program.words.count, take)
        self._shards: dict[int, _KeptShard | _FiledShard] = {
            shard: _KeptShard(program) if folder is None else _FiledShard(program, folder) for shard in shards
        }

    def adopt(self, shard: int, worlds: Bulk) -> Bulk:
        """Store those of some worlds, all different and new, that belong to a shard; list which they are."""
        place, width = Place(worlds), self._program.words.count * _WORD
        count = memoryview(worlds).nbytes // width
        mine, which = Memory(max(1, count * width)), Memory(max(1, count * _NUMBER))
        kept = self._program.sharing.select(
            place.address, count, self._count, shard, mine.address, which.address
        )
        self._shards[shard].adopt(mine.read(0, kept * width), kept)
        return PickleBuffer(which.read(0, kept * _NUMBER))

    def expand(self, worlds: Bulk, first: int, open_questions: Sequence[int]) -> Taken:
        """Take the steps from neighbouring worlds, the first of which has a number."""
        place, count = Place(worlds), memoryview(worlds).nbytes // (self._program.words.count * _WORD)
        self._program.take_better()
        chunk, boxes = self._chunk, self._boxes
        boxes.clear()
        chunk.ask_only(open_questions)
        noted: list[Noted] = []
        at = 0
        while at < count and boxes.longest() <= self._most:
            made = chunk.make_at(place.address, at, count)
            noted += [Noted(note.question, first + note.world, note.position) for note in chunk.read_notes()]
            if made.end == at:
                break
            chunk.split(made.count, first, self._count, boxes.address)
            at = made.end
        return Taken(at, boxes.parcels(), tuple(noted))

    def insert(self, given: Sequence[Given], open_questions: Sequence[int]) -> list[Stored]:
        """Look up successors in the shards to which they belong, and store those that are new."""
        return self._insert_all(given, open_questions, tells_found=False)

    def insert_and_tell(self, given: Sequence[Given], open_questions: Sequence[int]) -> list[Stored]:
        """Do the same, and tell of each successor where it is stored."""
        return self._insert_all(given, open_questions, tells_found=True)

    def _insert_all(
        self, given: Sequence[Given], open_questions: Sequence[int], *, tells_found: bool
    ) -> list[Stored]:
        stored = []
        for shard, parcels in given:
            self._chunk.ask_only(open_questions)
            stored.append(self._shards[shard].insert(self._chunk, parcels, tells_found=tells_found))
        return stored

    def undo(self) -> None:
        """Forget what was stored last in each shard."""
        for shard in self._shards.values():
            shard.undo()


class _Boxes:
    """Room for the successors of each shard, which is used again and again."""

    def __init__(self, count: int, room: int, words: int, take: TakeMemory) -> None:
        self._width = words * _WORD
        self._worlds = [take(room * self._width) for _ in range(count)]
        self._entries = [take(room * _WORD) for _ in range(count)]
        self._context = Memory(count * _BOX * _WORD)
        self.address = self._context.address
        for at in range(count):
            self._context.put(_BOX * at, self._worlds[at].address)
            self._context.put(_BOX * at + 1, self._entries[at].address)

    def clear(self) -> None:
        for at in range(len(self._worlds)):
            self._context.put(_BOX * at + 2, 0)

    def longest(self) -> int:
        return max(self._length(at) for at in range(len(self._worlds)))

    def parcels(self) -> tuple[Parcel, ...]:
        return tuple(
            Parcel(worlds.view(0, self._length(at) * self._width), entries.view(0, self._length(at) * _WORD))
            for at, (worlds, entries) in enumerate(zip(self._worlds, self._entries, strict=True))
        )

    def _length(self, at: int) -> int:
        return self._context.word(_BOX * at + 2)


class _Shard:
    """The worlds of one shard, numbered by themselves."""

    def __init__(self, worlds: StoredWorlds) -> None:
        self._worlds = worlds
        self._births = Memory(1)
        self._found = Memory(1)
        self._before = 0

    def _look_up(
        self, chunk: Chunk, parcels: Sequence[Parcel], table: Table, worlds: StoredWorlds, *, tells: bool
    ) -> int:
        """Put successors into a table, and those that are new to it among worlds; count those looked up."""
        total, before = sum(map(len, parcels)), len(worlds)
        worlds.ensure(before + total)
        table.make_room(total)
        self._births.ensure(total * _WORD)
        self._found.ensure(total * _NUMBER if tells else 0)
        done = 0
        for parcel in parcels:
            content, entries = Place(parcel.worlds), Place(parcel.entries)
            given = {
                "out": content.address,
                "entries": entries.address,
                "made": len(parcel),
                "births": self._births.address - _WORD * before,
                "found": self._found.address + _NUMBER * done if tells else 0,
            }
            taken = chunk.insert_at(table, worlds, given)
            done += taken
            if taken < len(parcel):
                break
        return done

    def _tell(self, chunk: Chunk, new: int, done: int, noted: tuple[Noted, ...], *, tells: bool) -> Stored:
        births = self._births.view(0, new * _WORD)
        content = self._worlds.view(self._before, self._before + new)
        found = self._found.view(0, done * _NUMBER if tells else 0)
        return Stored(births, content, found, tuple(chunk.take_fired()), done, noted)

    def _read_notes(self, chunk: Chunk, before: int) -> list[Noted]:
        notes = [(note, note.world - before) for note in chunk.read_notes()]
        births = [(note, place, self._births.word(place)) for note, place in notes]
        return [Noted(note.question, birth & LOW_HALF, birth >> 32, place) for note, place, birth in births]


class _KeptShard(_Shard):
    """Worlds in memory, and a table that finds them."""

    def __init__(self, program: Program) -> None:
        super().__init__(StoredWorlds(program.words, ()))
        self._table = Table(program, self._worlds)

    def adopt(self, content: bytes, count: int) -> None:
        begin = len(self._worlds)
        self._table.make_room(count)
        self._worlds.store(content)
        self._table.enter(begin)

    def insert(self, chunk: Chunk, parcels: Sequence[Parcel], *, tells_found: bool) -> Stored:
        before = self._before = len(self._worlds)
        done = self._look_up(chunk, parcels, self._table, self._worlds, tells=tells_found)
        noted = tuple(self._read_notes(chunk, before))
        return self._tell(chunk, len(self._worlds) - before, done, noted, tells=tells_found)

    def undo(self) -> None:
        self._table.remove(self._before)
        self._worlds.stored = self._before


class _FiledShard(_Shard):
    """Worlds in a file, which is only ever read in its order and added to: that is what disks do well.

    Successors have a table of their own, and all stored worlds are walked past it.
    """

    def __init__(self, program: Program, folder: Path) -> None:
        super().__init__(StoredWorlds(program.words, (), folder))
        self._program = program
        self._candidates = StoredWorlds(program.words, ())
        self._known = Memory(1)

    def adopt(self, content: bytes, _count: int) -> None:
        self._worlds.store(content)
        self._worlds.memory.rest()

    def insert(self, chunk: Chunk, parcels: Sequence[Parcel], *, tells_found: bool) -> Stored:
        before = self._before = len(self._worlds)
        candidates = self._candidates
        candidates.stored = 0
        table = Table(self._program, candidates)
        done = self._look_up(chunk, parcels, table, candidates, tells=tells_found)
        noted = self._read_notes(chunk, 0)
        count = len(candidates)
        self._known.ensure(max(1, count * _NUMBER))
        self._known.write(0, bytes(count * _NUMBER))
        self._recall(table)
        self._worlds.ensure(before + count)
        known, sharing = self._known.address, self._program.sharing
        home = self._worlds.memory.address + before * self._worlds.width
        births = self._births.address
        new = sharing.settle(candidates.memory.address, births, known, count, before, home, births)
        self._worlds.stored = before + new
        sharing.translate(self._found.address, done if tells_found else 0, known)
        told = tuple(replace(note, place=self._find_place(note)) for note in noted)
        answer = self._tell(chunk, new, done, told, tells=tells_found)
        self._worlds.memory.rest()
        return answer

    def undo(self) -> None:
        self._worlds.stored = self._before

    def _recall(self, table: Table) -> None:
        """Walk past all stored worlds, and let go of them."""
        context = Memory(2 * _WORD)
        context.put(0, self._candidates.memory.address)
        context.put(1, table.memory.address)
        for begin in range(0, self._before, _WALKED_AT_ONCE):
            end = min(self._before, begin + _WALKED_AT_ONCE)
            self._program.sharing.recall(
                self._worlds.memory.address, begin, end, context.address, table.slots, self._known.address
            )
            self._worlds.memory.rest()
        table.memory.close()

    def _find_place(self, note: Noted) -> int:
        """Find where a candidate that was noted, and is new, stands among the new worlds."""
        (number,) = array("I", self._known.read((note.place or 0) * _NUMBER, _NUMBER))
        return number - 1 - self._before
