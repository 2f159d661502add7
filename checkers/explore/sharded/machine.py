"""A hand with machine code."""

from __future__ import annotations

from pickle import PickleBuffer
from typing import TYPE_CHECKING, Final

from nomadspec.checkers.explore.sharded.messages import LOW_HALF, Noted, Parcel, Place, Stored, Taken
from nomadspec.checkers.native.chunk import ROOM, Chunk
from nomadspec.checkers.native.memory import Memory
from nomadspec.checkers.native.table import Table, count_table_bytes
from nomadspec.checkers.native.worlds import StoredWorlds

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from nomadspec.checkers.explore.sharded.hand import Given
    from nomadspec.checkers.explore.sharded.messages import Bulk
    from nomadspec.checkers.native.program import Program, Questions

_WORD: Final = 8
_NUMBER: Final = 4
_BOX: Final = 3


class MachineHand:
    """Takes steps and keeps tables by the functions of a program."""

    def __init__(
        self,
        program: Program,
        questions: Questions,
        instances: int,
        shards: Sequence[int],
        count: int,
        room: int,
        folder: Path | None,
    ) -> None:
        """Keep some of so many shards, in a folder if there is one; parcels have room for so many steps."""
        self._program = program
        self._questions = questions
        self._count = count
        self._chunk = Chunk(program, instances, questions.count)
        self._most = room
        self._step = ROOM + instances
        self._boxes = _Boxes(count, room + self._step, program.words.count)
        self._shards = {shard: _Shard(program, folder) for shard in shards}

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

    def measure(self) -> int:
        """Measure in bytes the largest shard, with its table."""
        return max(shard.measure() for shard in self._shards.values())


class _Boxes:
    """Room for the successors of each shard, which is used again and again."""

    def __init__(self, count: int, room: int, words: int) -> None:
        self._width = words * _WORD
        self._worlds = [Memory(room * self._width) for _ in range(count)]
        self._entries = [Memory(room * _WORD) for _ in range(count)]
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
            Parcel(
                PickleBuffer(worlds.view(0, self._length(at) * self._width)),
                PickleBuffer(entries.view(0, self._length(at) * _WORD)),
            )
            for at, (worlds, entries) in enumerate(zip(self._worlds, self._entries, strict=True))
        )

    def _length(self, at: int) -> int:
        return self._context.word(_BOX * at + 2)


class _Shard:
    """The worlds of one shard, numbered by themselves, and their table.

    Worlds in a folder are only ever read in their order and added to. Their table would be written all over,
    which disks do badly: it is made again, in memory, whenever it is needed.
    """

    def __init__(self, program: Program, folder: Path | None) -> None:
        self._program = program
        self._worlds = StoredWorlds(program.words, (), folder)
        self._is_kept = folder is None
        self._table = Table(program, self._worlds) if self._is_kept else None
        self._births = Memory(1)
        self._found = Memory(1)
        self._before = 0

    def adopt(self, content: bytes, count: int) -> None:
        begin = len(self._worlds)
        if self._table is not None:
            self._table.make_room(count)
        self._worlds.store(content)
        if self._table is not None:
            self._table.enter(begin)
        self._rest()

    def insert(self, chunk: Chunk, parcels: Sequence[Parcel], *, tells_found: bool) -> Stored:
        total = sum(map(len, parcels))
        before = self._before = len(self._worlds)
        self._worlds.ensure(before + total)
        table = Table(self._program, self._worlds) if self._table is None else self._table
        table.make_room(total)
        self._births.ensure(total * _WORD)
        self._found.ensure(total * _NUMBER if tells_found else 0)
        done = 0
        for parcel in parcels:
            worlds, entries = Place(parcel.worlds), Place(parcel.entries)
            given = {
                "out": worlds.address,
                "entries": entries.address,
                "made": len(parcel),
                "births": self._births.address - _WORD * before,
                "found": self._found.address + _NUMBER * done if tells_found else 0,
            }
            taken = chunk.insert_at(table, self._worlds, given)
            done += taken
            if taken < len(parcel):
                break
        new = len(self._worlds) - before
        births = self._births.read(0, new * _WORD)
        content = self._worlds.memory.read(before * self._worlds.width, new * self._worlds.width)
        found = self._found.read(0, done * _NUMBER) if tells_found else b""
        noted = tuple(self._read_notes(chunk, births, before))
        if not self._is_kept:
            table.memory.close()
        self._rest()
        bulks = (PickleBuffer(births), PickleBuffer(content), PickleBuffer(found))
        return Stored(*bulks, tuple(chunk.take_fired()), done, noted)

    def undo(self) -> None:
        if self._table is not None:
            self._table.remove(self._before)
        self._worlds.stored = self._before

    def measure(self) -> int:
        return len(self._worlds) * self._worlds.width + count_table_bytes(len(self._worlds))

    def _read_notes(self, chunk: Chunk, births: bytes, before: int) -> list[Noted]:
        found = []
        for note in chunk.read_notes():
            place = note.world - before
            birth = int.from_bytes(births[_WORD * place : _WORD * (place + 1)], "little")
            found.append(Noted(note.question, birth & LOW_HALF, birth >> 32, place))
        return found

    def _rest(self) -> None:
        self._worlds.memory.rest()
