"""The canonical form of a world under renaming of ids, as machine code.

It is the form that the tables of the interpreter's search compute: of all renamings of the named sorts, with
rows sorted, the least; so that both searches store the same worlds. Cells move, and those that hold an id are
renamed, by shifts and masks; a renaming of values is a constant that is shifted by the value.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, Final

from nomadspec.checkers.native.words import WORD_BITS
from nomadspec.checkers.native.writer import Writer, signed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from nomadspec.checkers.native.words import Words
    from nomadspec.model.language.domain import Interval

HEAD: Final = "define void @canonical(ptr %world) {"
MOST_MOVES: Final = 20_000
"""How many moves of cells a text may have, over all renamings."""


@dataclass(frozen=True, slots=True)
class Move:
    """What a renaming does to a cell: where it goes, and what becomes of each value (less the lowest)."""

    source: int
    target: int
    values: tuple[int, ...] | None
    """None where values stay."""


@dataclass(frozen=True, slots=True)
class Renamed:
    """What one renaming of the named sorts does: to cells outside of rows, and to each row of each row sort.

    The cells of rows go to those of the first row of their sort.
    """

    outside: tuple[Move, ...]
    rows: tuple[tuple[tuple[Move, ...], ...], ...]


@dataclass(frozen=True, slots=True)
class RowSort:
    """The cells of each row of a sort, in an order that is the same for all."""

    rows: tuple[tuple[int, ...], ...]


class CanonicalWriter:
    """Writes the function that puts a world into its canonical form, in its place."""

    def __init__(self, words: Words, intervals: Sequence[Interval], sorts: Sequence[RowSort]) -> None:
        """Lay out the rows: their bits close together, in the order in which they are compared."""
        self._words = words
        self._sorts = sorts
        self._out = Writer(words, intervals)
        self._offsets = [_compact(sort.rows[0], words) for sort in sorts]

    def text(self, renamings: Iterable[Renamed]) -> str:
        """Write the function."""
        out, count = self._out, self._words.count
        out.begin("entry")
        pointers = [out.let(f"getelementptr i64, ptr %world, i64 {at}") for at in range(count)]
        out.load([out.let(f"load i64, ptr {pointer}") for pointer in pointers])
        best: list[str] = []
        for renamed in renamings:
            image = self._write_image(renamed)
            best = self._write_least(best, image) if best else image
        result = best[:count]
        at = count
        for number, sort in enumerate(self._sorts):
            for row in sort.rows:
                result = self._put_row(result, best[at], sort.rows[0], row, self._offsets[number])
                at += 1
        for pointer, value in zip(pointers, result, strict=True):
            out.do(f"store i64 {value}, ptr {pointer}")
        out.do("ret void")
        return "\n".join([HEAD, *out.lines, "}"])

    def _write_image(self, renamed: Renamed) -> list[str]:
        """Compute what is compared: the words without rows, the highest first, then the sorted rows."""
        spots = self._words.spots
        places = {cell: (spot.word, spot.shift) for cell, spot in enumerate(spots)}
        image = self._write_moves(renamed.outside, places, self._words.count)
        for number, rows in enumerate(renamed.rows):
            offsets = {cell: (0, offset) for cell, offset in self._offsets[number].items()}
            values = [self._write_moves(row, offsets, 1)[0] for row in rows]
            image += self._sort(values)
        return image

    def _write_moves(
        self, moves: Sequence[Move], places: Mapping[int, tuple[int, int]], count: int
    ) -> list[str]:
        out, spots = self._out, self._words.spots
        parts: list[list[str]] = [[] for _ in range(count)]
        plain: dict[tuple[str, int, int], int] = {}
        for (word, values), members in self._group(moves).items():
            if values is not None and len(members) < len(values):
                for move in members:
                    target, shift = places[move.target]
                    parts[target].append(out.shift(self._look_up(move.source, values), shift))
                continue
            source = out.world(word) if values is None else self._exchange(members, values)
            for move in members:
                spot, (target, shift) = spots[move.source], places[move.target]
                key = source, target, shift - spot.shift
                plain[key] = plain.get(key, 0) | spot.mask << spot.shift
        for (source, target, distance), mask in plain.items():
            bits = out.let(f"and i64 {source}, {signed(mask)}")
            parts[target].append(out.shift(bits, distance))
        return [out.unite(of_word) for of_word in parts]

    def _group(self, moves: Sequence[Move]) -> Mapping[tuple[int, tuple[int, ...] | None], list[Move]]:
        """Put those moves together that do the same to the values of cells in the same word."""
        found: dict[tuple[int, tuple[int, ...] | None], list[Move]] = {}
        for move in moves:
            spot = self._words.spots[move.source]
            if spot.mask:
                found.setdefault((spot.word, move.values), []).append(move)
        return found

    def _exchange(self, moves: Sequence[Move], values: tuple[int, ...]) -> str:
        """Exchange the values of many cells at once, where they lie: the same bit of all of them in turn."""
        out, spots = self._out, [self._words.spots[move.source] for move in moves]
        ones = sum(1 << spot.shift for spot in spots)
        width = spots[0].mask.bit_length()
        bits = [
            out.let(f"and i64 {out.shift(out.world(spots[0].word), -at)}, {signed(ones)}")
            for at in range(width)
        ]
        return out.unite([out.shift(self._compute_bit(bits, ones, values, at), at) for at in range(width)])

    def _compute_bit(self, bits: Sequence[str], ones: int, values: tuple[int, ...], at: int) -> str:
        """Compute a bit of what becomes of the values: one that is there already, or that of some values."""
        wanted = [value >> at & 1 for value in values]
        for place, bit in enumerate(bits):
            if wanted == [value >> place & 1 for value in range(len(values))]:
                return bit
        out = self._out
        others = [out.let(f"xor i64 {bit}, {signed(ones)}") for bit in bits]
        found = []
        for value in range(len(values)):
            if wanted[value]:
                is_value = [bits[at] if value >> at & 1 else others[at] for at in range(len(bits))]
                found.append(reduce(lambda one, other: out.let(f"and i64 {one}, {other}"), is_value))
        return out.unite(found)

    def _look_up(self, cell: int, values: tuple[int, ...]) -> str:
        out, width = self._out, self._words.spots[cell].mask.bit_length()
        table = sum(value << width * at for at, value in enumerate(values))
        distance = out.raw(cell)
        if width > 1:
            distance = out.let(f"mul i64 {distance}, {width}")
        shifted = out.let(f"lshr i64 {signed(table)}, {distance}")
        return out.let(f"and i64 {shifted}, {(1 << width) - 1}")

    def _put_row(
        self,
        result: list[str],
        row: str,
        first: Sequence[int],
        cells: Sequence[int],
        offsets: Mapping[int, int],
    ) -> list[str]:
        spots = self._words.spots
        moves: dict[tuple[int, int], int] = {}
        for source, target in zip(first, cells, strict=True):
            key = spots[target].word, spots[target].shift - offsets[source]
            moves[key] = moves.get(key, 0) | spots[target].mask << offsets[source]
        put = list(result)
        for (word, distance), mask in moves.items():
            if mask:
                bits = self._out.let(f"and i64 {row}, {signed(mask)}")
                put[word] = self._out.unite([put[word], self._out.shift(bits, distance)])
        return put

    def _sort(self, values: list[str]) -> list[str]:
        """Sort by exchanging neighbours, as often as it can take."""
        out = self._out
        for end in range(len(values) - 1, 0, -1):
            for at in range(end):
                low, high = values[at], values[at + 1]
                is_less = out.let(f"icmp ult i64 {high}, {low}")
                values[at] = out.let(f"select i1 {is_less}, i64 {high}, i64 {low}")
                values[at + 1] = out.let(f"select i1 {is_less}, i64 {low}, i64 {high}")
        return values

    def _write_least(self, best: list[str], image: list[str]) -> list[str]:
        """Keep the less of two images: words from the highest on, then rows from the first on."""
        out, count = self._out, self._words.count
        order = [*reversed(range(count)), *range(count, len(best))]
        less = "false"
        for at in reversed(order):
            below = out.let(f"icmp ult i64 {image[at]}, {best[at]}")
            same = out.let(f"icmp eq i64 {image[at]}, {best[at]}")
            less = out.let(f"or i1 {below}, {out.let(f'and i1 {same}, {less}')}")
        return [
            out.let(f"select i1 {less}, i64 {ours}, i64 {theirs}")
            for ours, theirs in zip(image, best, strict=True)
        ]


def is_narrow(rows: Iterable[Sequence[int]], words: Words) -> bool:
    """True if each row fits a word."""
    return all(sum(words.spots[cell].mask.bit_length() for cell in row) <= WORD_BITS for row in rows)


def _compact(row: Sequence[int], words: Words) -> dict[int, int]:
    """Put the cells of a row close together, in the order in which they lie in a world."""
    offsets, offset = {}, 0
    for cell in sorted(row):
        offsets[cell] = offset
        offset += words.spots[cell].mask.bit_length()
    return offsets


def count_moves(renamings: Sequence[Renamed]) -> int:
    """Count the moves of all renamings."""
    return sum(
        len(renamed.outside) + sum(len(row) for rows in renamed.rows for row in rows) for renamed in renamings
    )
