"""The digest of stored worlds, and how far they used each budget, as machine code.

The fingerprint of a world is the 128-bit xxh3 of its canonical bytes, whole words of eight. What is written
here is that function for one length, as its published description gives it for short inputs; tests compare it
with the library for every length.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from nomadspec.checkers.native.packing import write_lane
from nomadspec.checkers.native.writer import Writer, signed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nomadspec.checkers.native.words import Words
    from nomadspec.model.language.bounded import BoundedModel

MOST_BYTES: Final = 128
"""Longer worlds take another way through xxh3, which is left to the library."""

_SECRET: Final = bytes.fromhex(
    "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671fcb79e64eccc0e578825ad07dccff7221b80846"
    "74f743248ee03590e6813a264c3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8a8fa763fe39c34"
    "3ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364eac5ac8334d3ebc3c581a0fffa1363eb170ddd51b7f0da49d316"
    "552629d4689e2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e"
)
_PRIME32_2: Final = 0x85EBCA77
_PRIME64_1: Final = 0x9E3779B185EBCA87
_PRIME64_2: Final = 0xC2B2AE3D27D4EB4F
_PRIME64_4: Final = 0x85EBCA77C2B2AE63
_PRIME_MX1: Final = 0x165667919E3779F9
_PRIME_MX2: Final = 0x9FB21C651E98DF25


def write_digest(bounded: BoundedModel, words: Words, byte_count: int) -> str:
    """Write the function that adds up the fingerprints of stored worlds."""
    hasher = _Hasher(Writer(words, bounded.frame.intervals), words, byte_count)
    return "\n".join(["define void @digest(ptr %worlds, i64 %count, ptr %result) {", *hasher.text(), "}"])


def write_maxima(bounded: BoundedModel, words: Words, cells: Sequence[int]) -> str:
    """Write the function that finds the highest value of some cells among stored worlds, less the lowest."""
    out = Writer(words, bounded.frame.intervals)
    head = "define void @maxima(ptr %worlds, i64 %count, ptr %result) {"
    _begin_loop(out, words)
    for at, cell in enumerate(cells):
        where = out.let(f"getelementptr i64, ptr %result, i64 {at}")
        before, value = out.let(f"load i64, ptr {where}"), out.raw(cell)
        is_more = out.let(f"icmp ugt i64 {value}, {before}")
        out.do(f"store i64 {out.let(f'select i1 {is_more}, i64 {value}, i64 {before}')}, ptr {where}")
    _end_loop(out)
    return "\n".join([head, *out.lines, "}"])


def _begin_loop(out: Writer, words: Words) -> None:
    out.begin("entry")
    out.go("loop")
    out.begin("loop")
    out.do("%at = phi i64 [ 0, %entry ], [ %after, %body.end ]")
    out.fork(out.let("icmp ult i64 %at, %count"), "body", "finish")
    out.begin("body")
    place = out.let(f"mul i64 %at, {words.count}")
    loaded = []
    for word in range(words.count):
        index = out.let(f"add i64 {place}, {word}")
        loaded.append(out.let(f"load i64, ptr {out.let(f'getelementptr i64, ptr %worlds, i64 {index}')}"))
    out.load(loaded)


def _end_loop(out: Writer) -> None:
    out.go("body.end")
    out.begin("body.end")
    out.do("%after = add i64 %at, 1")
    out.go("loop")
    out.begin("finish")
    out.do("ret void")


class _Hasher:
    """Writes xxh3 for the canonical bytes of one world."""

    def __init__(self, out: Writer, words: Words, byte_count: int) -> None:
        self._out = out
        self._words = words
        self._length = byte_count
        self._lanes: list[str] = []

    def text(self) -> list[str]:
        out = self._out
        _begin_loop(out, self._words)
        self._lanes = [write_lane(out, self._words, at) for at in range(self._length // 8)]
        low, high = self._hash()
        halves = [out.let(f"zext i64 {half} to i128") for half in (low, high)]
        whole = out.let(f"or i128 {halves[0]}, {out.let(f'shl i128 {halves[1]}, 64')}")
        before = out.let("load i128, ptr %result, align 8")
        out.do(f"store i128 {out.let(f'add i128 {before}, {whole}')}, ptr %result, align 8")
        _end_loop(out)
        return out.lines

    def _hash(self) -> tuple[str, str]:
        if self._length == 8:  # noqa: PLR2004 -- the lengths for which xxh3 has ways of its own
            return self._hash_8()
        return self._hash_16() if self._length == 16 else self._hash_more()  # noqa: PLR2004 -- as above

    def _hash_8(self) -> tuple[str, str]:
        keyed = self._xor(self._lanes[0], _number(_secret(16) ^ _secret(24)))
        low, high = self._multiply(keyed, _number(_PRIME64_1 + (8 << 2)))
        high = self._add(high, self._out.let(f"shl i64 {low}, 1"))
        low = self._xor(low, self._out.let(f"lshr i64 {high}, 3"))
        low = self._times(self._fold(low, 35), _PRIME_MX2)
        return self._fold(low, 28), self._avalanche(high)

    def _hash_16(self) -> tuple[str, str]:
        first, last = self._lanes
        keyed = self._xor(self._xor(first, last), _number(_secret(32) ^ _secret(40)))
        low, high = self._multiply(keyed, _number(_PRIME64_1))
        low = self._add(low, _number((16 - 1) << 54))
        last = self._xor(last, _number(_secret(48) ^ _secret(56)))
        lower = self._out.let(f"and i64 {last}, 4294967295")
        high = self._add(high, self._add(last, self._times(lower, _PRIME32_2 - 1)))
        low = self._xor(low, self._out.let(f"call i64 @llvm.bswap.i64(i64 {high})"))
        low, above = self._multiply(low, _number(_PRIME64_2))
        above = self._add(above, self._times(high, _PRIME64_2))
        return self._avalanche(low), self._avalanche(above)

    def _hash_more(self) -> tuple[str, str]:
        length = self._length
        low, high = _number(length * _PRIME64_1), "0"
        rounds = (length - 1) // 32
        for at in reversed(range(rounds + 1)):
            low, high = self._mix(low, high, 2 * at, length // 8 - 2 * at - 2, 32 * at)
        first = self._add(low, high)
        second = self._add(self._times(low, _PRIME64_1), self._times(high, _PRIME64_4))
        second = self._add(second, _number(length * _PRIME64_2))
        return self._avalanche(first), self._out.let(f"sub i64 0, {self._avalanche(second)}")

    def _mix(self, low: str, high: str, one: int, other: int, secret: int) -> tuple[str, str]:
        low = self._xor(self._add(low, self._mix_16(one, secret)), self._sum(other))
        high = self._xor(self._add(high, self._mix_16(other, secret + 16)), self._sum(one))
        return low, high

    def _mix_16(self, lane: int, secret: int) -> str:
        keyed = [self._xor(self._lanes[lane + at], _number(_secret(secret + 8 * at))) for at in range(2)]
        return self._xor(*self._multiply(keyed[0], keyed[1]))

    def _sum(self, lane: int) -> str:
        return self._add(self._lanes[lane], self._lanes[lane + 1])

    def _avalanche(self, value: str) -> str:
        return self._fold(self._times(self._fold(value, 37), _PRIME_MX1), 32)

    def _fold(self, value: str, distance: int) -> str:
        return self._xor(value, self._out.let(f"lshr i64 {value}, {distance}"))

    def _xor(self, one: str, other: str) -> str:
        return self._out.let(f"xor i64 {one}, {other}")

    def _add(self, one: str, other: str) -> str:
        return self._out.let(f"add i64 {one}, {other}")

    def _times(self, one: str, factor: int) -> str:
        return self._out.let(f"mul i64 {one}, {_number(factor)}")

    def _multiply(self, one: str, other: str) -> tuple[str, str]:
        """Multiply to 128 bits."""
        out = self._out
        wide = [out.let(f"zext i64 {value} to i128") for value in (one, other)]
        product = out.let(f"mul i128 {wide[0]}, {wide[1]}")
        low = out.let(f"trunc i128 {product} to i64")
        return low, out.let(f"trunc i128 {out.let(f'lshr i128 {product}, 64')} to i64")


def _secret(at: int) -> int:
    return int.from_bytes(_SECRET[at : at + 8], "little")


def _number(value: int) -> str:
    return str(signed(value & (1 << 64) - 1))
