"""What endless paths ask of a large graph, as machine code: the same answers as the walks over lists.

The steps of a graph are three arrays: where the steps of each world end, the worlds that they lead to, and
the positions of their instances.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Final

from nomadspec.checkers.native.build import MachineCode, Text, bind
from nomadspec.checkers.native.numbers import make_zeros

if TYPE_CHECKING:
    from collections.abc import Iterable

    from nomadspec.checkers.native.edges import Edges
    from nomadspec.checkers.native.numbers import Numbers

_LINGER: Final = """
define i64 @linger(ptr %ends, ptr %positions, i64 %count, ptr %fair, ptr %out) {
entry:
  br label %world
world:
  %w = phi i64 [ 0, %entry ], [ %w.next, %next ]
  %begin = phi i64 [ 0, %entry ], [ %end, %next ]
  %found = phi i64 [ 0, %entry ], [ %found.next, %next ]
  %more = icmp ult i64 %w, %count
  br i1 %more, label %open, label %finish
open:
  %end.at = getelementptr i64, ptr %ends, i64 %w
  %end = load i64, ptr %end.at
  br label %step
step:
  %at = phi i64 [ %begin, %open ], [ %at.next, %unfair ]
  %left = icmp ult i64 %at, %end
  br i1 %left, label %look, label %keep
look:
  %position.at = getelementptr POSITION, ptr %positions, i64 %at
  %position = load POSITION, ptr %position.at
  %index = zext POSITION %position to i64
  %fair.at = getelementptr i8, ptr %fair, i64 %index
  %is.fair = load i8, ptr %fair.at
  %at.next = add i64 %at, 1
  %is.unfair = icmp eq i8 %is.fair, 0
  br i1 %is.unfair, label %unfair, label %next
unfair:
  br label %step
keep:
  %out.at = getelementptr i32, ptr %out, i64 %found
  %w.32 = trunc i64 %w to i32
  store i32 %w.32, ptr %out.at
  %found.more = add i64 %found, 1
  br label %next
next:
  %found.next = phi i64 [ %found.more, %keep ], [ %found, %look ]
  %w.next = add i64 %w, 1
  br label %world
finish:
  ret i64 %found
}
"""
"""List the worlds from which no fair instance leads away."""

_EXHAUST: Final = """
define i64 @exhaust(ptr %ends, ptr %targets, i64 %count, i64 %steps, ptr %awaited, ptr %stack) {
entry:
  br label %count.step
count.step:
  %c = phi i64 [ 0, %entry ], [ %c.next, %count.one ]
  %c.more = icmp ult i64 %c, %steps
  br i1 %c.more, label %count.one, label %free.world
count.one:
  %c.at = getelementptr i32, ptr %targets, i64 %c
  %c.target = load i32, ptr %c.at
  %c.index = zext i32 %c.target to i64
  %c.awaited.at = getelementptr i32, ptr %awaited, i64 %c.index
  %c.awaited = load i32, ptr %c.awaited.at
  %c.plus = add i32 %c.awaited, 1
  store i32 %c.plus, ptr %c.awaited.at
  %c.next = add i64 %c, 1
  br label %count.step

free.world:
  %f = phi i64 [ 0, %count.step ], [ %f.next, %free.next ]
  %f.top = phi i64 [ 0, %count.step ], [ %f.top.next, %free.next ]
  %f.more = icmp ult i64 %f, %count
  br i1 %f.more, label %free.look, label %pop
free.look:
  %f.at = getelementptr i32, ptr %awaited, i64 %f
  %f.awaited = load i32, ptr %f.at
  %f.free = icmp eq i32 %f.awaited, 0
  br i1 %f.free, label %free.push, label %free.next
free.push:
  %f.stack.at = getelementptr i32, ptr %stack, i64 %f.top
  %f.32 = trunc i64 %f to i32
  store i32 %f.32, ptr %f.stack.at
  %f.top.more = add i64 %f.top, 1
  br label %free.next
free.next:
  %f.top.next = phi i64 [ %f.top, %free.look ], [ %f.top.more, %free.push ]
  %f.next = add i64 %f, 1
  br label %free.world

pop:
  %top = phi i64 [ %f.top, %free.world ], [ %top.now, %step ]
  %is.left = icmp ugt i64 %top, 0
  br i1 %is.left, label %take, label %keep.world
take:
  %below = sub i64 %top, 1
  %taken.at = getelementptr i32, ptr %stack, i64 %below
  %taken.32 = load i32, ptr %taken.at
  %taken = zext i32 %taken.32 to i64
  %end.at = getelementptr i64, ptr %ends, i64 %taken
  %end = load i64, ptr %end.at
  %is.first = icmp eq i64 %taken, 0
  br i1 %is.first, label %begin, label %begin.after
begin.after:
  %before.at = getelementptr i64, ptr %end.at, i64 -1
  %before = load i64, ptr %before.at
  br label %begin
begin:
  %first = phi i64 [ 0, %take ], [ %before, %begin.after ]
  br label %step
step:
  %s = phi i64 [ %first, %begin ], [ %s.next, %stepped ]
  %top.now = phi i64 [ %below, %begin ], [ %top.next, %stepped ]
  %s.more = icmp ult i64 %s, %end
  br i1 %s.more, label %step.one, label %pop
step.one:
  %s.at = getelementptr i32, ptr %targets, i64 %s
  %target = load i32, ptr %s.at
  %index = zext i32 %target to i64
  %awaited.at = getelementptr i32, ptr %awaited, i64 %index
  %were = load i32, ptr %awaited.at
  %are = sub i32 %were, 1
  store i32 %are, ptr %awaited.at
  %is.free = icmp eq i32 %are, 0
  br i1 %is.free, label %push, label %stepped
push:
  %push.at = getelementptr i32, ptr %stack, i64 %top.now
  store i32 %target, ptr %push.at
  %top.plus = add i64 %top.now, 1
  br label %stepped
stepped:
  %top.next = phi i64 [ %top.now, %step.one ], [ %top.plus, %push ]
  %s.next = add i64 %s, 1
  br label %step

keep.world:
  %k = phi i64 [ 0, %pop ], [ %k.next, %keep.next ]
  %kept = phi i64 [ 0, %pop ], [ %kept.next, %keep.next ]
  %k.more = icmp ult i64 %k, %count
  br i1 %k.more, label %keep.look, label %finish
keep.look:
  %k.at = getelementptr i32, ptr %awaited, i64 %k
  %k.awaited = load i32, ptr %k.at
  %is.cyclic = icmp ne i32 %k.awaited, 0
  br i1 %is.cyclic, label %keep.one, label %keep.next
keep.one:
  %kept.at = getelementptr i32, ptr %stack, i64 %kept
  %k.32 = trunc i64 %k to i32
  store i32 %k.32, ptr %kept.at
  %kept.more = add i64 %kept, 1
  br label %keep.next
keep.next:
  %kept.next = phi i64 [ %kept, %keep.look ], [ %kept.more, %keep.one ]
  %k.next = add i64 %k, 1
  br label %keep.world
finish:
  ret i64 %kept
}
"""
"""Count the steps into each world, then take worlds away into which no step leads; list what is left."""


class Paths:
    """The walks over one graph."""

    def __init__(self, edges: Edges) -> None:
        """Compile them, for the size of a position."""
        self._edges = edges
        text = (_LINGER + _EXHAUST).replace("POSITION", f"i{8 * edges.positions.itemsize}")
        self._code = MachineCode([Text(text, 2)], ["linger", "exhaust"])
        self._ends, self._targets, self._positions = (
            numbers.buffer_info()[0] for numbers in (edges.ends, edges.targets, edges.positions)
        )

    def list_lingering(self, is_fair: Iterable[bool]) -> array[int]:
        """List the worlds from which no fair instance leads away, given which instances are fair."""
        fair, found = array("B", is_fair), self._make_numbers()
        linger = bind(self._code, "linger", 5)
        count = linger(self._ends, self._positions, len(self._edges.ends), *map(_address, (fair, found)))
        return found[:count]

    def list_cyclic(self) -> array[int]:
        """List the worlds on or behind a cycle."""
        awaited, stack = self._make_numbers(), self._make_numbers()
        exhaust = bind(self._code, "exhaust", 6)
        sizes = len(self._edges.ends), len(self._edges.targets)
        return stack[: exhaust(self._ends, self._targets, *sizes, *map(_address, (awaited, stack)))]

    def _make_numbers(self) -> Numbers:
        return make_zeros(self._edges.ends, len(self._edges.ends))


def _address(numbers: Numbers) -> int:
    return numbers.buffer_info()[0]
