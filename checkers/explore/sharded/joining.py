"""What several shards found, put in the order in which one search would have found it."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from nomadspec.checkers.explore.sharded.messages import (
    LOW_HALF,
    Place,
    count_numbers,
    read_numbers,
)
from nomadspec.checkers.native.memory import Memory
from nomadspec.checkers.native.numbers import FiledNumbers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nomadspec.checkers.explore.sharded.messages import Bulk, Stored
    from nomadspec.checkers.native.edges import Edges
    from nomadspec.checkers.native.numbers import Numbers
    from nomadspec.checkers.native.program import Program
    from nomadspec.checkers.native.worlds import PackedWorlds

_WORD: Final = 8
_NUMBER: Final = 4


@dataclass(frozen=True, slots=True)
class Laid:
    """Steps that one hand took to worlds of one shard."""

    entries: Bulk
    """For each step the position, and the number of the world before."""
    found: Bulk
    """For each step the place of the world after it in its shard."""
    numbers: Numbers
    """For each place in the shard the number."""


class Joiner(Protocol):
    """Who puts worlds and steps in order."""

    def join(
        self, stored: Sequence[Stored], worlds: PackedWorlds, *, tells: bool
    ) -> tuple[Bulk, list[array[int]]]:
        """Append the new worlds of all shards; give their parents, and if wanted their numbers by shard."""
        ...

    def weave(self, laid: Sequence[Laid], edges: Edges, end: int) -> None:
        """Append the steps of worlds up to one."""
        ...


class PlainJoiner:
    """Puts things in order in Python."""

    def join(
        self, stored: Sequence[Stored], worlds: PackedWorlds, *, tells: bool
    ) -> tuple[Bulk, list[array[int]]]:
        """Append the new worlds of all shards; give their parents, and if wanted their numbers by shard."""
        births = [read_numbers(one.births) for one in stored]
        order = sorted(
            (_order(birth), shard, place)
            for shard, found in enumerate(births)
            for place, birth in enumerate(found)
        )
        base, width = len(worlds), worlds.width
        parents = array("I")
        numbers = [array("I", bytes(_NUMBER)) * len(found) for found in births] if tells else []
        content = [memoryview(one.worlds) for one in stored]
        parts = []
        for at, (key, shard, place) in enumerate(order):
            if tells:
                numbers[shard][place] = base + at
            parents.append(key >> 32)
            parts.append(content[shard][width * place : width * (place + 1)])
        worlds.store(b"".join(parts))
        return parents.tobytes(), numbers

    def weave(self, laid: Sequence[Laid], edges: Edges, end: int) -> None:
        """Append the steps of worlds up to one."""
        steps: list[tuple[int, int]] = []
        for one in laid:
            found = array("I")
            found.frombytes(memoryview(one.found))
            entries = map(_order, read_numbers(one.entries))
            steps += zip(entries, (one.numbers[place] for place in found), strict=True)
        for key, target in sorted(steps):
            parent = key >> 32
            while len(edges.ends) < parent:
                edges.close()
            if target != parent:
                edges.add(target, key & LOW_HALF)
        while len(edges.ends) < end:
            edges.close()


class MachineJoiner:
    """Puts things in order by machine code."""

    def __init__(self, program: Program) -> None:
        """Take the functions."""
        self._sharing = program.sharing
        self._parents = Memory(1)

    def join(
        self, stored: Sequence[Stored], worlds: PackedWorlds, *, tells: bool
    ) -> tuple[Bulk, list[array[int]]]:
        """Append the new worlds of all shards; give their parents, and if wanted their numbers by shard."""
        lengths = array("Q", [count_numbers(one.births) for one in stored])
        total, base = sum(lengths), len(worlds)
        numbers = [array("I", bytes(_NUMBER)) * length for length in lengths] if tells else []
        worlds.ensure(base + total)
        self._parents.ensure(total * _NUMBER)
        births, content = _Table([one.births for one in stored]), _Table([one.worlds for one in stored])
        targets = _Table(numbers)
        scratch = Memory(2 * _WORD * len(stored))
        self._sharing.join(
            births.address,
            lengths.buffer_info()[0],
            content.address,
            len(stored),
            total,
            scratch.address,
            worlds.memory.address + base * worlds.width,
            self._parents.address,
            targets.address if tells else 0,
            base,
        )
        worlds.stored = base + total
        return self._parents.view(0, total * _NUMBER), numbers

    def weave(self, laid: Sequence[Laid], edges: Edges, end: int) -> None:
        """Append the steps of worlds up to one."""
        lengths = array("Q", [count_numbers(one.entries) for one in laid])
        total, begin, before = sum(lengths), len(edges.ends), len(edges.targets)
        entries, found = _Table([one.entries for one in laid]), _Table([one.found for one in laid])
        known, scratch = _Table([one.numbers for one in laid]), Memory(2 * _WORD * len(laid))
        size = edges.positions.itemsize
        targets, positions = Memory(_NUMBER * total), Memory(size * total)
        ends = Memory(_WORD * (end - begin))
        steps = self._sharing.weave(
            entries.address,
            lengths.buffer_info()[0],
            found.address,
            known.address,
            len(laid),
            total,
            scratch.address,
            targets.address,
            positions.address,
            ends.address,
            begin,
            end,
            before,
        )
        edges.targets.frombytes(targets.read(0, _NUMBER * steps))
        edges.positions.frombytes(positions.read(0, size * steps))
        edges.ends.frombytes(ends.read(0, _WORD * (end - begin)))


class _Table:
    """The addresses of some bulks, where machine code finds them."""

    def __init__(self, bulks: Sequence[Bulk | Numbers]) -> None:
        self._held = [_Held(bulk) for bulk in bulks]
        self._addresses = array("Q", [held.address for held in self._held])
        self.address = self._addresses.buffer_info()[0]


class _Held:
    """A bulk or some numbers, held where they are."""

    def __init__(self, bulk: Bulk | Numbers) -> None:
        if isinstance(bulk, array | FiledNumbers):
            self._kept: object = bulk
            self.address = bulk.buffer_info()[0]
        else:
            place = Place(bulk)
            self._kept, self.address = place, place.address


def _order(entry: int) -> int:
    """Turn the position and the number before a step into what orders it."""
    return (entry & LOW_HALF) << 32 | entry >> 32
