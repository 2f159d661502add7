"""What the layout says of stored worlds, as machine code: canonical bytes, and the budgets that they used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nomadspec.checkers.native.packing import write_lane
from nomadspec.checkers.native.writer import Writer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nomadspec.checkers.native.words import Words
    from nomadspec.model.language.bounded import BoundedModel


def write_read_lanes(words: Words, lanes: int) -> str:
    """Write the function that puts the canonical bytes of a world together, whole words of eight."""
    out = Writer(words, ())
    out.load(
        [
            out.let(f"load i64, ptr {out.let(f'getelementptr i64, ptr %world, i64 {at}')}")
            for at in range(words.count)
        ]
    )
    for at in range(lanes):
        lane = write_lane(out, words, at)
        out.do(f"store i64 {lane}, ptr {out.let(f'getelementptr i64, ptr %lanes, i64 {at}')}")
    head = "define internal void @read_lanes(ptr %world, ptr %lanes) alwaysinline {"
    return "\n".join([head, *out.lines, "  ret void", "}"])


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
