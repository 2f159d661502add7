"""The choice among the successors of a world, as machine code: the same that the interpreter makes.

Sets of instances are wide integers. What never changes lies in tables beside the code: who disturbs whom, and
for each part of a guard who can make it true. The parts are computed only where an impossible instance comes
into a set, and a set is given up as soon as it holds as many possible ones as the best before it.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from nomadspec.checkers.native.writer import Writer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nomadspec.checkers.native.words import Words
    from nomadspec.model.language.domain import Interval
    from nomadspec.model.language.term import Term

DECLARATION: Final = "declare void @choose(ptr, i64, ptr, ptr, ptr)"
_WORD_BITS: Final = 64


@dataclass(frozen=True, slots=True)
class Choices:
    """What a choice follows from; sets of instances are masks."""

    disturbing: tuple[int, ...]
    """For each instance those that belong to a set with it where it is possible."""
    flags: tuple[Term, ...]
    """The parts of all guards."""
    enablers: tuple[int, ...]
    """For each part those that can make it true."""
    guards: tuple[tuple[int, ...], ...]
    """For each instance the parts of its guard, by number."""
    observables: tuple[tuple[int, int], ...]
    """For each observable those that keep it, and those that can make it."""
    ranked: int
    """Those that bring a world higher in one order of all worlds, where they change it."""


def write_choice(words: Words, intervals: Sequence[Interval], choices: Choices) -> str:
    """Write the function that keeps the chosen ones of the successors of a world."""
    bits = _WORD_BITS * max(1, -(-len(choices.disturbing) // _WORD_BITS))
    sizes = {
        "set": f"i{bits}",
        "words": words.count,
        "flags": max(1, len(choices.flags)),
        "observables": len(choices.observables),
        "ranked": choices.ranked,
        "narrow": "trunc" if bits > _WORD_BITS else "add",
        "to": "to i64" if bits > _WORD_BITS else ", 0",
    }
    judge = _write_judge(words, intervals, choices.flags)
    return "\n".join([_write_tables(choices, bits), judge, _CLOSE % sizes, _CHOOSE % sizes])


def _write_tables(choices: Choices, bits: int) -> str:
    starts = accumulate(map(len, choices.guards), initial=0)
    tables = {
        "alone": (bits, [1 << at for at in range(len(choices.disturbing))]),
        "disturbing": (bits, choices.disturbing),
        "enablers": (bits, choices.enablers),
        "keepers": (bits, [keepers for keepers, _ in choices.observables]),
        "makers": (bits, [makers for _, makers in choices.observables]),
        "starts": (_WORD_BITS, list(starts)),
        "parts": (_WORD_BITS, [part for guard in choices.guards for part in guard]),
    }
    return "\n".join(_write_table(name, width, rows) for name, (width, rows) in tables.items())


def _write_table(name: str, width: int, rows: Sequence[int]) -> str:
    content = ", ".join(f"i{width} {row}" for row in rows) or f"i{width} 0"
    return f"@choice.{name} = private constant [{max(1, len(rows))} x i{width}] [{content}]"


def _write_judge(words: Words, intervals: Sequence[Interval], flags: Sequence[Term]) -> str:
    """Write the function that computes all parts of guards, a byte each."""
    out = Writer(words, intervals)
    out.begin("entry")
    places = [out.let(f"getelementptr i64, ptr %world, i64 {at}") for at in range(words.count)]
    out.load([out.let(f"load i64, ptr {place}") for place in places])
    for at, flag in enumerate(flags):
        byte = out.let(f"zext i1 {out.flag(flag)} to i8")
        out.do(f"store i8 {byte}, ptr {out.let(f'getelementptr i8, ptr %truth, i64 {at}')}")
    out.do("ret void")
    return "\n".join(["define internal void @judge(ptr %world, ptr %truth) noinline {", *out.lines, "}"])


_CLOSE: Final = """
declare %(set)s @llvm.ctpop.%(set)s(%(set)s)
declare %(set)s @llvm.cttz.%(set)s(%(set)s, i1)

define internal i64 @count(%(set)s %%members) alwaysinline {
  %%bits = call %(set)s @llvm.ctpop.%(set)s(%(set)s %%members)
  %%count = %(narrow)s %(set)s %%bits %(to)s
  ret i64 %%count
}

define internal i64 @close(i64 %%seed, i64 %%most, %(set)s %%enabled, ptr %%world, ptr %%truth, ptr %%judged,
                           ptr %%closed) {
entry:
  %%first.at = getelementptr %(set)s, ptr @choice.alone, i64 %%seed
  %%first = load %(set)s, ptr %%first.at
  br label %%loop
loop:
  %%members = phi %(set)s [ 0, %%entry ], [ %%members.more, %%join ]
  %%waiting = phi %(set)s [ %%first, %%entry ], [ %%waiting.more, %%join ]
  %%there = or %(set)s %%members, %%waiting
  %%possible = and %(set)s %%there, %%enabled
  %%count = call i64 @count(%(set)s %%possible)
  %%is.many = icmp uge i64 %%count, %%most
  br i1 %%is.many, label %%give.up, label %%go.on
give.up:
  ret i64 %%most
go.on:
  %%is.done = icmp eq %(set)s %%waiting, 0
  br i1 %%is.done, label %%done, label %%pick
done:
  store %(set)s %%members, ptr %%closed
  ret i64 %%count
pick:
  %%urgent = and %(set)s %%waiting, %%enabled
  %%is.urgent = icmp ne %(set)s %%urgent, 0
  %%pool = select i1 %%is.urgent, %(set)s %%urgent, %(set)s %%waiting
  %%place = call %(set)s @llvm.cttz.%(set)s(%(set)s %%pool, i1 true)
  %%at = %(narrow)s %(set)s %%place %(to)s
  %%negative = sub %(set)s 0, %%pool
  %%bit = and %(set)s %%pool, %%negative
  %%members.more = or %(set)s %%members, %%bit
  %%waiting.less = xor %(set)s %%waiting, %%bit
  %%others = xor %(set)s %%members.more, -1
  br i1 %%is.urgent, label %%disturb, label %%explain
disturb:
  %%row.at = getelementptr %(set)s, ptr @choice.disturbing, i64 %%at
  %%row = load %(set)s, ptr %%row.at
  br label %%join
explain:
  %%was.judged = load i8, ptr %%judged
  %%is.judged = icmp ne i8 %%was.judged, 0
  br i1 %%is.judged, label %%ask, label %%judge
judge:
  call void @judge(ptr %%world, ptr %%truth)
  store i8 1, ptr %%judged
  br label %%ask
ask:
  %%known = or %(set)s %%members.more, %%waiting.less
  %%absent = xor %(set)s %%known, -1
  %%from.at = getelementptr i64, ptr @choice.starts, i64 %%at
  %%from = load i64, ptr %%from.at
  %%following = add i64 %%at, 1
  %%to.at = getelementptr i64, ptr @choice.starts, i64 %%following
  %%to = load i64, ptr %%to.at
  br label %%parts
parts:
  %%k = phi i64 [ %%from, %%ask ], [ %%k.next, %%part.done ]
  %%least = phi i64 [ -1, %%ask ], [ %%least.next, %%part.done ]
  %%best = phi %(set)s [ 0, %%ask ], [ %%best.next, %%part.done ]
  %%is.left = icmp ult i64 %%k, %%to
  br i1 %%is.left, label %%part, label %%join
part:
  %%part.at = getelementptr i64, ptr @choice.parts, i64 %%k
  %%number = load i64, ptr %%part.at
  %%truth.at = getelementptr i8, ptr %%truth, i64 %%number
  %%is = load i8, ptr %%truth.at
  %%holds = icmp ne i8 %%is, 0
  br i1 %%holds, label %%part.done, label %%price
price:
  %%who.at = getelementptr %(set)s, ptr @choice.enablers, i64 %%number
  %%who = load %(set)s, ptr %%who.at
  %%new = and %(set)s %%who, %%absent
  %%dear = and %(set)s %%new, %%enabled
  %%all.new = call i64 @count(%(set)s %%new)
  %%all.dear = call i64 @count(%(set)s %%dear)
  %%high = shl i64 %%all.dear, 32
  %%cost = or i64 %%high, %%all.new
  %%is.less = icmp ult i64 %%cost, %%least
  br i1 %%is.less, label %%part.taken, label %%part.done
part.taken:
  br label %%part.done
part.done:
  %%least.next = phi i64 [ %%least, %%part ], [ %%least, %%price ], [ %%cost, %%part.taken ]
  %%best.next = phi %(set)s [ %%best, %%part ], [ %%best, %%price ], [ %%who, %%part.taken ]
  %%k.next = add i64 %%k, 1
  br label %%parts
join:
  %%needed = phi %(set)s [ %%row, %%disturb ], [ %%best, %%parts ]
  %%united = or %(set)s %%waiting.less, %%needed
  %%waiting.more = and %(set)s %%united, %%others
  br label %%loop
}
"""

_CHOOSE: Final = """
define void @choose(ptr %%world, i64 %%begun, ptr %%made.at, ptr %%out, ptr %%entries) {
entry:
  %%truth = alloca [%(flags)d x i8]
  %%judged = alloca i8
  %%closed = alloca %(set)s
  %%made = load i64, ptr %%made.at
  %%all = sub i64 %%made, %%begun
  %%is.choice = icmp ugt i64 %%all, 1
  br i1 %%is.choice, label %%prepare, label %%finish
finish:
  ret void
prepare:
  store i8 0, ptr %%judged
  br label %%collect
collect:
  %%c = phi i64 [ %%begun, %%prepare ], [ %%c.next, %%collected ]
  %%c.enabled = phi %(set)s [ 0, %%prepare ], [ %%enabled, %%collected ]
  %%c.moving = phi %(set)s [ 0, %%prepare ], [ %%moving, %%collected ]
  %%c.entry.at = getelementptr i64, ptr %%entries, i64 %%c
  %%c.entry = load i64, ptr %%c.entry.at
  %%c.position = lshr i64 %%c.entry, 32
  %%c.bit.at = getelementptr %(set)s, ptr @choice.alone, i64 %%c.position
  %%c.bit = load %(set)s, ptr %%c.bit.at
  %%enabled = or %(set)s %%c.enabled, %%c.bit
  %%c.place = mul i64 %%c, %(words)d
  %%c.world = getelementptr i64, ptr %%out, i64 %%c.place
  br label %%compare
compare:
  %%d = phi i64 [ 0, %%collect ], [ %%d.next, %%compare ]
  %%d.changes = phi i64 [ 0, %%collect ], [ %%changes, %%compare ]
  %%d.old.at = getelementptr i64, ptr %%world, i64 %%d
  %%d.old = load i64, ptr %%d.old.at
  %%d.new.at = getelementptr i64, ptr %%c.world, i64 %%d
  %%d.new = load i64, ptr %%d.new.at
  %%d.change = xor i64 %%d.old, %%d.new
  %%changes = or i64 %%d.changes, %%d.change
  %%d.next = add i64 %%d, 1
  %%d.more = icmp ult i64 %%d.next, %(words)d
  br i1 %%d.more, label %%compare, label %%collected
collected:
  %%is.change = icmp ne i64 %%changes, 0
  %%c.move = select i1 %%is.change, %(set)s %%c.bit, %(set)s 0
  %%moving = or %(set)s %%c.moving, %%c.move
  %%c.next = add i64 %%c, 1
  %%c.more = icmp ult i64 %%c.next, %%made
  br i1 %%c.more, label %%collect, label %%seeds
seeds:
  %%k = phi i64 [ %%begun, %%collected ], [ %%k.next, %%tried ]
  %%least = phi i64 [ %%all, %%collected ], [ %%least.next, %%tried ]
  %%chosen = phi %(set)s [ %%enabled, %%collected ], [ %%chosen.next, %%tried ]
  %%is.left = icmp ult i64 %%k, %%made
  %%is.worth = icmp ugt i64 %%least, 1
  %%goes.on = and i1 %%is.left, %%is.worth
  br i1 %%goes.on, label %%try, label %%settle
try:
  %%entry.at = getelementptr i64, ptr %%entries, i64 %%k
  %%entry.bits = load i64, ptr %%entry.at
  %%seed = lshr i64 %%entry.bits, 32
  %%count = call i64 @close(i64 %%seed, i64 %%least, %(set)s %%enabled, ptr %%world, ptr %%truth,
                            ptr %%judged, ptr %%closed)
  %%is.less = icmp ult i64 %%count, %%least
  br i1 %%is.less, label %%weigh, label %%tried
weigh:
  %%members = load %(set)s, ptr %%closed
  %%able = and %(set)s %%members, %%moving
  %%ranked = and %(set)s %%able, %(ranked)d
  %%missing = xor %(set)s %%members, -1
  %%can.wait = icmp ne %(set)s %%ranked, 0
  br i1 %%can.wait, label %%serve, label %%tried
serve:
  %%o = phi i64 [ 0, %%weigh ], [ %%o.next, %%served ]
  %%o.left = icmp ult i64 %%o, %(observables)d
  br i1 %%o.left, label %%observe, label %%take
observe:
  %%keepers.at = getelementptr %(set)s, ptr @choice.keepers, i64 %%o
  %%keepers = load %(set)s, ptr %%keepers.at
  %%keeping = and %(set)s %%keepers, %%ranked
  %%is.kept = icmp ne %(set)s %%keeping, 0
  br i1 %%is.kept, label %%served, label %%make
make:
  %%makers.at = getelementptr %(set)s, ptr @choice.makers, i64 %%o
  %%makers = load %(set)s, ptr %%makers.at
  %%outside = and %(set)s %%makers, %%missing
  %%is.inside = icmp eq %(set)s %%outside, 0
  br i1 %%is.inside, label %%served, label %%tried
served:
  %%o.next = add i64 %%o, 1
  br label %%serve
take:
  br label %%tried
tried:
  %%least.next = phi i64 [ %%least, %%try ], [ %%least, %%weigh ], [ %%least, %%make ], [ %%count, %%take ]
  %%chosen.next = phi %(set)s [ %%chosen, %%try ], [ %%chosen, %%weigh ], [ %%chosen, %%make ],
                              [ %%members, %%take ]
  %%k.next = add i64 %%k, 1
  br label %%seeds
settle:
  %%is.all = icmp eq i64 %%least, %%all
  br i1 %%is.all, label %%finish, label %%keep
keep:
  %%from = phi i64 [ %%begun, %%settle ], [ %%from.next, %%kept ]
  %%to = phi i64 [ %%begun, %%settle ], [ %%to.next, %%kept ]
  %%from.at = getelementptr i64, ptr %%entries, i64 %%from
  %%from.entry = load i64, ptr %%from.at
  %%position = lshr i64 %%from.entry, 32
  %%bit.at = getelementptr %(set)s, ptr @choice.alone, i64 %%position
  %%bit = load %(set)s, ptr %%bit.at
  %%there = and %(set)s %%bit, %%chosen
  %%is.chosen = icmp ne %(set)s %%there, 0
  br i1 %%is.chosen, label %%move, label %%kept
move:
  %%to.at = getelementptr i64, ptr %%entries, i64 %%to
  store i64 %%from.entry, ptr %%to.at
  %%from.place = mul i64 %%from, %(words)d
  %%from.world = getelementptr i64, ptr %%out, i64 %%from.place
  %%to.place = mul i64 %%to, %(words)d
  %%to.world = getelementptr i64, ptr %%out, i64 %%to.place
  br label %%copy
copy:
  %%w = phi i64 [ 0, %%move ], [ %%w.next, %%copy ]
  %%old.at = getelementptr i64, ptr %%from.world, i64 %%w
  %%word = load i64, ptr %%old.at
  %%new.at = getelementptr i64, ptr %%to.world, i64 %%w
  store i64 %%word, ptr %%new.at
  %%w.next = add i64 %%w, 1
  %%w.more = icmp ult i64 %%w.next, %(words)d
  br i1 %%w.more, label %%copy, label %%moved
moved:
  %%to.plus = add i64 %%to, 1
  br label %%kept
kept:
  %%to.next = phi i64 [ %%to, %%keep ], [ %%to.plus, %%moved ]
  %%from.next = add i64 %%from, 1
  %%is.more = icmp ult i64 %%from.next, %%made
  br i1 %%is.more, label %%keep, label %%close
close:
  store i64 %%to.next, ptr %%made.at
  ret void
}
"""
