"""Which of some stored worlds lack a goal, as machine code."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Final

from nomadspec.checkers.native.build import MachineCode, Text, bind
from nomadspec.checkers.native.writer import Writer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nomadspec.checkers.native.words import Words
    from nomadspec.model.language.domain import Interval
    from nomadspec.model.language.term import Term

HEAD: Final = "define i64 @missing(ptr %worlds, ptr %numbers, i64 %count, ptr %out) {"


class Goal:
    """A question about worlds, compiled."""

    def __init__(self, words: Words, intervals: Sequence[Interval], value: Term) -> None:
        """Compile what tracing made of the goal."""
        self._code = MachineCode([Text(_write(Writer(words, intervals), words.count, value), 1)], ["missing"])

    def list_missing(self, worlds: int, numbers: Sequence[int]) -> array[int]:
        """List those of some worlds, which lie at an address, in which the goal does not hold."""
        asked, found = array("I", numbers), array("I", bytes(4)) * len(numbers)
        addresses = asked.buffer_info()[0], len(asked), found.buffer_info()[0]
        return found[: bind(self._code, "missing", 4)(worlds, *addresses)]


def _write(out: Writer, count: int, value: Term) -> str:
    out.begin("entry")
    out.go("loop")
    out.begin("loop")
    out.do("%at = phi i64 [ 0, %entry ], [ %at.next, %asked ]")
    out.do("%kept = phi i64 [ 0, %entry ], [ %kept.next, %asked ]")
    out.fork(out.let("icmp ult i64 %at, %count"), "body", "finish")
    out.begin("body")
    number = out.let(f"load i32, ptr {out.let('getelementptr i32, ptr %numbers, i64 %at')}")
    place = out.let(f"mul i64 {out.let(f'zext i32 {number} to i64')}, {count}")
    indices = [out.let(f"add i64 {place}, {word}") for word in range(count)]
    pointers = [out.let(f"getelementptr i64, ptr %worlds, i64 {index}") for index in indices]
    out.load([out.let(f"load i64, ptr {pointer}") for pointer in pointers])
    # the number is written in any case, and kept by counting it
    out.do(f"store i32 {number}, ptr {out.let('getelementptr i32, ptr %out, i64 %kept')}")
    is_missing = out.let(f"xor i1 {out.flag(value)}, true")
    out.do(f"%kept.next = add i64 %kept, {out.let(f'zext i1 {is_missing} to i64')}")
    out.go("asked")
    out.begin("asked")
    out.do("%at.next = add i64 %at, 1")
    out.go("loop")
    out.begin("finish")
    out.do("ret i64 %kept")
    return "\n".join([HEAD, *out.lines, "}"])
