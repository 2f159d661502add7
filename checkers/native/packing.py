"""Between worlds in machine words and packed worlds in bytes, as machine code.

Words are cut at borders of cells; a packed world is its bits one after another, in as few bytes as hold them.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from nomadspec.checkers.native.build import MachineCode, Text, bind
from nomadspec.checkers.native.memory import Memory
from nomadspec.checkers.native.writer import Writer, signed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nomadspec.checkers.native.words import Words

_WORD: Final = 8
_BITS: Final = 64
_HEAD: Final = "define void @{name}(ptr %from, i64 %count, ptr %to) {{"


class Packing:
    """The compiled functions for one way to cut worlds into words."""

    def __init__(self, words: Words) -> None:
        """Compile them."""
        self._width = count_bytes(words)
        self._word_bytes = _WORD * words.count
        text = "\n".join([_write_pack(words), _write_unpack(words)])
        self._code = MachineCode([Text(text, 2)], ["pack", "unpack"])
        self._pack, self._unpack = bind(self._code, "pack", 3), bind(self._code, "unpack", 3)

    def pack(self, address: int, count: int) -> bytes:
        """Write worlds that lie at an address as bytes."""
        out = Memory(count * self._width + _WORD)
        self._pack(address, count, out.address)
        return out.read(0, count * self._width)

    def unpack(self, content: bytes) -> bytes:
        """Write packed worlds as words."""
        count = len(content) // self._width
        given, out = Memory(len(content) + _WORD), Memory(max(1, count * self._word_bytes))
        given.write(0, content)
        self._unpack(given.address, count, out.address)
        return out.read(0, count * self._word_bytes)


def count_bytes(words: Words) -> int:
    """Count the bytes of a packed world."""
    return max(1, -(-words.bits // 8))


@cache
def find_packing(words: Words) -> Packing:
    """Give the functions for these words, compiled once."""
    return Packing(words)


def write_lane(out: Writer, words: Words, at: int) -> str:
    """Put 64 bits of the packed world together from the words that hold them."""
    begin, end = _BITS * at, _BITS * at + _BITS
    fixed = words.fixed >> begin & (1 << _BITS) - 1
    parts = [str(signed(fixed))] if fixed else []
    for run in words.runs:
        if run.begin < end and run.end > begin:
            bits = out.let(f"and i64 {out.world(run.word)}, {signed(run.mask << run.shift)}")
            parts.append(out.shift(bits, run.begin - begin - run.shift))
    return out.unite(parts)


def _write_pack(words: Words) -> str:
    """Write lanes of eight bytes; what reaches beyond a world is written over by the next one."""
    out, width = Writer(words, ()), count_bytes(words)
    place = _begin(out, words.count)
    out.load([_load(out, f"{place}", at) for at in range(words.count)])
    home = out.let(f"mul i64 %at, {width}")
    for lane in range(-(-width // _WORD)):
        where = out.let(f"getelementptr i8, ptr %to, i64 {out.let(f'add i64 {home}, {_WORD * lane}')}")
        out.do(f"store i64 {write_lane(out, words, lane)}, ptr {where}, align 1")
    return _end(out, "pack")


def _write_unpack(words: Words) -> str:
    """Read lanes of eight bytes, and cut the words out of them."""
    out, width = Writer(words, ()), count_bytes(words)
    home = _begin(out, words.count)
    place = out.let(f"mul i64 %at, {width}")
    lanes = []
    for lane in range(-(-width // _WORD)):
        where = out.let(f"getelementptr i8, ptr %from, i64 {out.let(f'add i64 {place}, {_WORD * lane}')}")
        lanes.append(out.let(f"load i64, ptr {where}, align 1"))
    for at in range(words.count):
        where = out.let(f"getelementptr i64, ptr %to, i64 {out.let(f'add i64 {home}, {at}')}")
        parts = [
            out.shift(_cut(out, lanes, run.begin, run.end), run.shift) for run in words.runs if run.word == at
        ]
        out.do(f"store i64 {out.unite(parts)}, ptr {where}")
    return _end(out, "unpack")


def _cut(out: Writer, lanes: Sequence[str], first: int, last: int) -> str:
    """Give the bits from one to another, which lie in one lane or in two."""
    lane, distance = divmod(first, _BITS)
    value = out.shift(lanes[lane], -distance)
    if distance and lane + 1 < len(lanes):
        value = out.unite([value, out.shift(lanes[lane + 1], _BITS - distance)])
    return out.let(f"and i64 {value}, {signed((1 << (last - first)) - 1)}")


def _begin(out: Writer, count: int) -> str:
    """Begin the walk past all worlds, and give where the words of each lie."""
    out.begin("entry")
    out.go("loop")
    out.begin("loop")
    out.do("%at = phi i64 [ 0, %entry ], [ %after, %body ]")
    out.fork(out.let("icmp ult i64 %at, %count"), "body", "finish")
    out.begin("body")
    return out.let(f"mul i64 %at, {count}")


def _load(out: Writer, place: str, at: int) -> str:
    index = out.let(f"add i64 {place}, {at}")
    return out.let(f"load i64, ptr {out.let(f'getelementptr i64, ptr %from, i64 {index}')}")


def _end(out: Writer, name: str) -> str:
    out.do("%after = add i64 %at, 1")
    out.go("loop")
    out.begin("finish")
    out.do("ret void")
    return "\n".join([_HEAD.format(name=name), *out.lines, "}"])
