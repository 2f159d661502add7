"""A hand with the interpreter's steps."""

from __future__ import annotations

from array import array
from pickle import PickleBuffer
from typing import TYPE_CHECKING

from xxhash import xxh3_64_intdigest

from nomadspec.checkers.explore.sharded.messages import LOW_HALF, Noted, Parcel, Stored, Taken, read_numbers
from nomadspec.checkers.explore.task import count_world_bytes
from nomadspec.checkers.native.worlds import PackedWorlds, list_packed, pack_worlds
from nomadspec.checkers.stepper.checks import Checks
from nomadspec.checkers.stepper.question import ask_rest
from nomadspec.model.errors import ModelError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from nomadspec.checkers.explore.sharded.hand import Given
    from nomadspec.checkers.explore.sharded.messages import Bulk
    from nomadspec.checkers.explore.task import Task
    from nomadspec.checkers.native.program import Questions


class PlainHand:
    """Takes steps and keeps tables in Python."""

    def __init__(
        self,
        task: Task,
        questions: Questions,
        shards: Sequence[int],
        count: int,
        room: int,
        folder: Path | None,
    ) -> None:
        """Keep some of so many shards, in a folder if there is one; parcels have room for so many steps."""
        self._task = task
        self._questions = questions
        self._count = count
        self._most = room
        self._width = count_world_bytes(task)
        self._canonical = task.reduction.canonical if task.is_reduced else None
        self._is_at_rest = ask_rest(task.bounded, task.layout)
        self._asked: tuple[int, ...] = ()
        self._has_noted = False
        self._checks = self._make_checks()
        self._shards = {shard: _Shard(self._width, folder) for shard in shards}

    def adopt(self, shard: int, worlds: Bulk) -> Bulk:
        """Store those of some worlds, all different and new, that belong to a shard; list which they are."""
        packed = list_packed(memoryview(worlds), self._width)
        which = array("I", [at for at, world in enumerate(packed) if self._find_owner(world) == shard])
        self._shards[shard].add(pack_worlds([packed[at] for at in which], self._width))
        return PickleBuffer(which.tobytes())

    def expand(self, worlds: Bulk, first: int, open_questions: Sequence[int]) -> Taken:
        """Take the steps from neighbouring worlds, the first of which has a number."""
        self._ask_only(open_questions)
        boxes: list[list[int]] = [[] for _ in range(self._count)]
        entries = [array("Q") for _ in range(self._count)]
        noted: list[Noted] = []
        done = 0
        for packed in list_packed(memoryview(worlds), self._width):
            if max(map(len, boxes)) > self._most:
                break
            number = first + done
            try:
                successors = self._task.stepper.successors(packed)
            except ModelError:  # whoever leads the search takes the step again, and says what is wrong
                noted.append(Noted(self._questions.fault, number, 0))
                break
            noted += self._note_steps(packed, number, successors)
            if self._task.partial_order is not None:
                successors = self._task.partial_order.choose(packed, successors)
            for position, after in successors:
                stored = after if self._canonical is None else self._canonical(after)
                owner = self._find_owner(stored)
                boxes[owner].append(stored)
                entries[owner].append(position << 32 | number)
            done += 1
        parcels = (
            Parcel(PickleBuffer(pack_worlds(box, self._width)), PickleBuffer(entry.tobytes()))
            for box, entry in zip(boxes, entries, strict=True)
        )
        return Taken(done, tuple(parcels), tuple(noted))

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
            self._ask_only(open_questions)
            stored.append(self._insert(shard, parcels, tells_found=tells_found))
        return stored

    def _insert(self, shard: int, parcels: Sequence[Parcel], *, tells_found: bool) -> Stored:
        mine = self._shards[shard]
        candidates = list_packed(b"".join(memoryview(one.worlds) for one in parcels), self._width)
        entries = [entry for one in parcels for entry in read_numbers(one.entries)]
        numbers, before = mine.open(candidates), mine.count
        births, found, new = array("Q"), array("I"), list[int]()
        fired = [0] * len(self._task.bounded.instances)
        noted: list[Noted] = []
        for packed, entry in zip(candidates, entries, strict=True):
            fired[entry >> 32] += 1
            number = numbers.get(packed)
            if number is None:
                number = numbers[packed] = before + len(new)
                new.append(packed)
                births.append(entry)
                noted += self._note_world(packed, entry, number - before)
            if tells_found:
                found.append(number)
        content = pack_worlds(new, self._width)
        mine.close(content)
        bulks = (PickleBuffer(births.tobytes()), PickleBuffer(content), PickleBuffer(found.tobytes()))
        return Stored(*bulks, tuple(fired), sum(fired), tuple(noted))

    def undo(self) -> None:
        """Forget what was stored last in each shard."""
        for shard in self._shards.values():
            shard.undo()

    def _find_owner(self, packed: int) -> int:
        return xxh3_64_intdigest(packed.to_bytes(self._width, "little")) % self._count

    def _note_steps(self, packed: int, number: int, successors: Sequence[tuple[int, int]]) -> list[Noted]:
        noted = []
        if not successors and self._questions.stuck in self._asked and not self._is_at_rest.ask(packed):
            noted.append(Noted(self._questions.stuck, number, 0))
        for position, after in successors:
            if self._checks.watches(position):
                while (prop := self._checks.broken_step(packed, position, after)) is not None:
                    self._checks.drop(prop.name)
                    self._has_noted = True
                    noted.append(Noted(self._task.properties.index(prop), number, position))
        return noted

    def _note_world(self, packed: int, entry: int, place: int) -> list[Noted]:
        found = []
        while (prop := self._checks.broken(packed)) is not None:
            self._checks.drop(prop.name)
            found.append(prop)
        found += self._checks.reached(packed)
        self._has_noted = self._has_noted or bool(found)
        numbers = [self._task.properties.index(prop) for prop in found]
        return [Noted(number, entry & LOW_HALF, entry >> 32, place) for number in numbers]

    def _ask_only(self, open_questions: Sequence[int]) -> None:
        """Ask these questions; what was noticed may come to nothing, so that it is asked again."""
        if self._has_noted or tuple(open_questions) != self._asked:
            self._asked = tuple(open_questions)
            self._has_noted = False
            self._checks = self._make_checks()

    def _make_checks(self) -> Checks:
        properties = [prop for at, prop in enumerate(self._task.properties) if at in self._asked]
        return Checks(self._task.bounded, self._task.layout, properties)


class _Shard:
    """The worlds of one shard, numbered by themselves; in a folder only those in use are in memory."""

    def __init__(self, width: int, folder: Path | None) -> None:
        self._worlds = PackedWorlds(width, folder)
        self._is_kept = folder is None
        self._numbers: dict[int, int] = {}
        self._before = 0

    @property
    def count(self) -> int:
        return len(self._worlds)

    def add(self, content: bytes) -> None:
        begin = self.count
        self._worlds.store(content)
        if self._is_kept:
            self._numbers |= {packed: begin + at for at, packed in enumerate(self._worlds[begin:])}
        self._worlds.memory.rest()

    def open(self, candidates: Sequence[int]) -> dict[int, int]:
        """Give the numbers of the worlds; where they are not kept, of those among the candidates."""
        if not self._is_kept:
            wanted = set(candidates)
            self._numbers = {packed: number for number, packed in enumerate(self._worlds) if packed in wanted}
        return self._numbers

    def close(self, content: bytes) -> None:
        """Store the worlds that were given numbers since."""
        self._before = self.count
        self._worlds.store(content)
        self._worlds.memory.rest()

    def undo(self) -> None:
        for packed in self._worlds[self._before :]:
            self._numbers.pop(packed, None)
        self._worlds.stored = self._before
