"""The parts of a search that every model shares: the table of worlds, its growth, digests, and notes.

The table holds for each stored world 32 bits of its hash and its number. How large these bits are says where
to look first, so that a table of any size grows by one pass over it; they tell worlds apart that share a
place, and the stored world itself decides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

FIELDS: Final = (
    "worlds", "parents", "table", "table_slots", "count", "out", "entries", "made", "done", "fired",
    "targets", "positions", "steps", "ends", "current", "most", "notes", "open", "decided",
    "births", "found", "reduces",
)  # fmt: skip
"""The context of a search, a word each: addresses, sizes, and how far it has come."""

_BLOCK: Final = 128
"""How many successors are looked up at once, so that memory is fetched ahead."""

_FACTORS: Final = (
    -7046029254386353131, -4417276706812531889, 1609587929392839161, -8796714831421723037,
    2870177450012600261, -3335678366873096957, 6364136223846793005, 1442695040888963407,
)  # fmt: skip
"""Odd numbers with well mixed bits, one a word in turn."""

NOTE: Final = """
define void @note(ptr %notes, ptr %open, i64 %question, i64 %world, i64 %position, i64 %order) {
  %counter = getelementptr i64, ptr %notes, i64 1
  %count = load i64, ptr %counter
  %four = mul i64 %count, 4
  %at0 = add i64 %four, 3
  %at1 = add i64 %four, 4
  %at2 = add i64 %four, 5
  %at3 = add i64 %four, 6
  %p0 = getelementptr i64, ptr %notes, i64 %at0
  %p1 = getelementptr i64, ptr %notes, i64 %at1
  %p2 = getelementptr i64, ptr %notes, i64 %at2
  %p3 = getelementptr i64, ptr %notes, i64 %at3
  store i64 %question, ptr %p0
  store i64 %world, ptr %p1
  store i64 %position, ptr %p2
  store i64 %order, ptr %p3
  %more = add i64 %count, 1
  store i64 %more, ptr %counter
  %group = lshr i64 %question, 6
  %bit = and i64 %question, 63
  %bits = shl i64 1, %bit
  %kept.at = getelementptr i64, ptr %notes, i64 2
  %kept = load i64, ptr %kept.at
  %closed = xor i64 %bits, -1
  %others = or i64 %closed, %kept
  %where = getelementptr i64, ptr %open, i64 %group
  %were = load i64, ptr %where
  %are = and i64 %were, %others
  store i64 %are, ptr %where
  ret void
}
"""


def write_kernels(words: int, position_bits: int, *, is_reduced: bool) -> str:
    """Write the functions for worlds of so many words, with so many bits for the position of an instance."""
    reduce = "call void @canonical(ptr %h.world)" if is_reduced else ""
    insert = _write_insert(words, position_bits, reduce)
    return "\n".join([_DECLARATIONS, write_hash(words), insert, _write_index(words), _GROW])


_DECLARATIONS: Final = """
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
declare i64 @inspect(ptr, i64, i64, i64, ptr, ptr)
"""


def write_hash(words: int) -> str:
    """Mix all bits of all words; what counts is how the upper half is spread."""
    lines = ["define internal i64 @hash(ptr %world) alwaysinline {"]
    before = "0"
    for at in range(words):
        lines += [
            f"  %p{at} = getelementptr i64, ptr %world, i64 {at}",
            f"  %w{at} = load i64, ptr %p{at}",
            f"  %s{at} = xor i64 %w{at}, {before}",
            f"  %m{at} = mul i64 %s{at}, {_FACTORS[at % len(_FACTORS)]}",
            f"  %r{at} = lshr i64 %m{at}, 32",
            f"  %x{at} = xor i64 %m{at}, %r{at}",
        ]
        before = f"%x{at}"
    lines += [
        f"  %last = mul i64 {before}, {_FACTORS[1]}",
        "  %low = lshr i64 %last, 29",
        "  %mixed = xor i64 %last, %low",
        f"  %end = mul i64 %mixed, {_FACTORS[2]}",
        "  %tag = lshr i64 %end, 32",
        "  ret i64 %tag",
        "}",
    ]
    return "\n".join([*lines, _SLOTS])


_SLOTS: Final = """
define internal i64 @first_slot(i64 %tag, i64 %slots) alwaysinline {
  %scaled = mul i64 %tag, %slots
  %index = lshr i64 %scaled, 32
  ret i64 %index
}

define internal i64 @next_slot(i64 %index, i64 %slots) alwaysinline {
  %next = add i64 %index, 1
  %is.last = icmp eq i64 %next, %slots
  %index.next = select i1 %is.last, i64 0, i64 %next
  ret i64 %index.next
}
"""
"""Where the world with a tag is looked for first, and where next."""


def _field(name: str) -> str:
    at = FIELDS.index(name)
    return f"  %{name}.at = getelementptr i64, ptr %context, i64 {at}\n"


def _load(names: Sequence[str], pointers: Sequence[str] = ()) -> str:
    lines = [_field(name) + f"  %{name} = load i64, ptr %{name}.at\n" for name in names]
    lines += [_field(name) + f"  %{name} = load ptr, ptr %{name}.at\n" for name in pointers]
    return "".join(lines)


def write_probe(at_empty: str) -> str:
    """Look from `%index` on for a slot with the tag; an empty one ends the search."""
    return f"""\
probe:
  %i = phi i64 [ %index, %look ], [ %i.next, %further ]
  %slot.at = getelementptr i64, ptr %table, i64 %i
  %slot = load i64, ptr %slot.at
  %is.empty = icmp eq i64 %slot, 0
  br i1 %is.empty, label %{at_empty}, label %occupied
occupied:
  %slot.tag = lshr i64 %slot, 32
  %is.tag = icmp eq i64 %slot.tag, %tag
  br i1 %is.tag, label %compare, label %further"""


def write_same(words: int) -> str:
    """Compare a stored world with the new one, word by word."""
    lines = []
    for at in range(words):
        lines += [
            f"  %old{at}.at = getelementptr i64, ptr %old.at, i64 {at}",
            f"  %old{at} = load i64, ptr %old{at}.at",
            f"  %new{at}.at = getelementptr i64, ptr %new.at, i64 {at}",
            f"  %new{at} = load i64, ptr %new{at}.at",
            f"  %same{at} = icmp eq i64 %old{at}, %new{at}",
        ]
        lines.append(f"  %all{at} = and i1 {'true' if not at else f'%all{at - 1}'}, %same{at}")
    return "\n".join(lines)


def _write_store(words: int) -> str:
    lines = []
    for at in range(words):
        lines += [
            f"  %from{at} = getelementptr i64, ptr %new.at, i64 {at}",
            f"  %value{at} = load i64, ptr %from{at}",
            f"  %to{at} = getelementptr i64, ptr %home, i64 {at}",
            f"  store i64 %value{at}, ptr %to{at}",
        ]
    return "\n".join(lines)


def _write_insert(words: int, position_bits: int, reduce: str) -> str:
    numbers = ("table_slots", "made", "most", "reduces")
    pointers = ("worlds", "parents", "table", "out", "entries", "fired", "targets", "positions", "ends")
    kind = f"i{position_bits}"
    return f"""
define void @insert(ptr %context) {{
entry:
  %tags = alloca [{_BLOCK} x i64]
{_load(numbers, (*pointers, "notes", "open", "births", "found"))}
{_field("count")}{_field("done")}{_field("steps")}{_field("current")}{_field("decided")}
  %first = load i64, ptr %done.at
  %keeps = icmp ne ptr %targets, null
  %tells.births = icmp ne ptr %births, null
  %tells.found = icmp ne ptr %found, null
  %is.raw = icmp ne i64 %reduces, 0
  br label %block

{_write_ahead(words, reduce)}
{_TURN}
{_write_probe(words)}
{_write_known(kind)}
finish:
  store i64 %made, ptr %done.at
  ret void
}}
"""


def _write_ahead(words: int, reduce: str) -> str:
    """Write how the successors of a block are hashed, and memory is fetched ahead of the look-ups."""
    return f"""
block:
  %begin = phi i64 [ %first, %entry ], [ %end, %block.done ]
  %left = sub i64 %made, %begin
  %is.more = icmp ugt i64 %left, 0
  br i1 %is.more, label %hash.start, label %finish
hash.start:
  %is.short = icmp ult i64 %left, {_BLOCK}
  %length = select i1 %is.short, i64 %left, i64 {_BLOCK}
  %end = add i64 %begin, %length
  br label %hash.loop
hash.loop:
  %h = phi i64 [ 0, %hash.start ], [ %h.next, %hash.take ]
  %h.k = add i64 %begin, %h
  %h.place = mul i64 %h.k, {words}
  %h.world = getelementptr i64, ptr %out, i64 %h.place
  br i1 %is.raw, label %hash.reduce, label %hash.take
hash.reduce:
  {reduce}
  br label %hash.take
hash.take:
  %h.tag = call i64 @hash(ptr %h.world)
  %h.tag.at = getelementptr [{_BLOCK} x i64], ptr %tags, i64 0, i64 %h
  store i64 %h.tag, ptr %h.tag.at
  %h.index = call i64 @first_slot(i64 %h.tag, i64 %table_slots)
  %h.slot = getelementptr i64, ptr %table, i64 %h.index
  call void @llvm.prefetch.p0(ptr %h.slot, i32 1, i32 3, i32 1)
  %h.next = add i64 %h, 1
  %h.more = icmp ult i64 %h.next, %length
  br i1 %h.more, label %hash.loop, label %fetch.loop
fetch.loop:
  %f = phi i64 [ 0, %hash.take ], [ %f.next, %fetch.done ]
  %f.tag.at = getelementptr [{_BLOCK} x i64], ptr %tags, i64 0, i64 %f
  %f.tag = load i64, ptr %f.tag.at
  %f.index = call i64 @first_slot(i64 %f.tag, i64 %table_slots)
  %f.slot.at = getelementptr i64, ptr %table, i64 %f.index
  %f.slot = load i64, ptr %f.slot.at
  %f.found = lshr i64 %f.slot, 32
  %f.low = and i64 %f.slot, 4294967295
  %f.same = icmp eq i64 %f.found, %f.tag
  %f.used = icmp ne i64 %f.low, 0
  %f.both = and i1 %f.same, %f.used
  br i1 %f.both, label %fetch.world, label %fetch.done
fetch.world:
  %f.number = sub i64 %f.low, 1
  %f.place = mul i64 %f.number, {words}
  %f.world = getelementptr i64, ptr %worlds, i64 %f.place
  call void @llvm.prefetch.p0(ptr %f.world, i32 0, i32 3, i32 1)
  br label %fetch.done
fetch.done:
  %f.next = add i64 %f, 1
  %f.more = icmp ult i64 %f.next, %length
  br i1 %f.more, label %fetch.loop, label %take
"""


_TURN: Final = """
take:
  %t = phi i64 [ 0, %fetch.done ], [ %t.next, %taken ]
  %k = add i64 %begin, %t
  %entry.at = getelementptr i64, ptr %entries, i64 %k
  %entry.bits = load i64, ptr %entry.at
  %parent = and i64 %entry.bits, 4294967295
  %position = lshr i64 %entry.bits, 32
  %current = load i64, ptr %current.at
  %is.same.parent = icmp eq i64 %parent, %current
  br i1 %is.same.parent, label %look, label %turn
turn:
  %was.decided = load i64, ptr %decided.at
  %is.decided = icmp ne i64 %was.decided, 0
  %held = load i64, ptr %count.at
  %is.full = icmp uge i64 %held, %most
  %must.stop = or i1 %is.decided, %is.full
  br i1 %must.stop, label %stop, label %close.start
stop:
  store i64 %k, ptr %done.at
  ret void
close.start:
  br i1 %keeps, label %close.loop, label %close.done
close.loop:
  %c = phi i64 [ %current, %close.start ], [ %c.next, %close.loop ]
  %c.at = getelementptr i64, ptr %ends, i64 %c
  %c.steps = load i64, ptr %steps.at
  store i64 %c.steps, ptr %c.at
  %c.next = add i64 %c, 1
  %c.more = icmp ult i64 %c.next, %parent
  br i1 %c.more, label %close.loop, label %close.done
close.done:
  store i64 %parent, ptr %current.at
  br label %look
"""
"""What comes before a successor is looked up: another world's successors begin only while there is room."""


def _write_probe(words: int) -> str:
    """Write how a successor is found in the table, or put there."""
    return f"""
look:
  %fired.at2 = getelementptr i64, ptr %fired, i64 %position
  %times = load i64, ptr %fired.at2
  %times.more = add i64 %times, 1
  store i64 %times.more, ptr %fired.at2
  %new.place = mul i64 %k, {words}
  %new.at = getelementptr i64, ptr %out, i64 %new.place
  %tag.at = getelementptr [{_BLOCK} x i64], ptr %tags, i64 0, i64 %t
  %tag = load i64, ptr %tag.at
  %index = call i64 @first_slot(i64 %tag, i64 %table_slots)
  br label %probe
{write_probe("add")}
compare:
  %slot.low = and i64 %slot, 4294967295
  %number.old = sub i64 %slot.low, 1
  %old.place = mul i64 %number.old, {words}
  %old.at = getelementptr i64, ptr %worlds, i64 %old.place
{write_same(words)}
  br i1 %all{words - 1}, label %known, label %further
further:
  %i.next = call i64 @next_slot(i64 %i, i64 %table_slots)
  br label %probe
add:
  %number.new = load i64, ptr %count.at
  %home.place = mul i64 %number.new, {words}
  %home = getelementptr i64, ptr %worlds, i64 %home.place
{_write_store(words)}
  %parent.at = getelementptr i32, ptr %parents, i64 %number.new
  %parent.32 = trunc i64 %parent to i32
  store i32 %parent.32, ptr %parent.at
  br i1 %tells.births, label %bear, label %born
bear:
  %birth.at = getelementptr i64, ptr %births, i64 %number.new
  store i64 %entry.bits, ptr %birth.at
  br label %born
born:
  %number.more = add i64 %number.new, 1
  store i64 %number.more, ptr %count.at
  %tag.high = shl i64 %tag, 32
  %slot.new = or i64 %tag.high, %number.more
  store i64 %slot.new, ptr %slot.at
  %order.even = shl i64 %k, 1
  %order = or i64 %order.even, 1
  %noted = call i64 @inspect(ptr %home, i64 %number.new, i64 %position, i64 %order, ptr %notes, ptr %open)
  %is.noted = icmp ne i64 %noted, 0
  br i1 %is.noted, label %decide, label %known
decide:
  store i64 1, ptr %decided.at
  br label %known
"""


def _write_known(kind: str) -> str:
    """Write how the step to a stored world is kept."""
    return f"""
known:
  %number = phi i64 [ %number.old, %compare ], [ %number.new, %born ], [ %number.new, %decide ]
  br i1 %tells.found, label %tell, label %told
tell:
  %found.place = getelementptr i32, ptr %found, i64 %k
  %found.32 = trunc i64 %number to i32
  store i32 %found.32, ptr %found.place
  br label %told
told:
  %moves = icmp ne i64 %number, %parent
  %is.kept = and i1 %keeps, %moves
  br i1 %is.kept, label %keep, label %taken
keep:
  %steps = load i64, ptr %steps.at
  %target.at = getelementptr i32, ptr %targets, i64 %steps
  %number.32 = trunc i64 %number to i32
  store i32 %number.32, ptr %target.at
  %position.at = getelementptr {kind}, ptr %positions, i64 %steps
  %position.small = trunc i64 %position to {kind}
  store {kind} %position.small, ptr %position.at
  %steps.more = add i64 %steps, 1
  store i64 %steps.more, ptr %steps.at
  br label %taken
taken:
  %t.next = add i64 %t, 1
  %t.more = icmp ult i64 %t.next, %length
  br i1 %t.more, label %take, label %block.done
block.done:
  br label %block
"""


def _write_index(words: int) -> str:
    """Enter stored worlds, which are all different, into a table without them."""
    return f"""
define void @index(ptr %worlds, i64 %begin, i64 %count, ptr %table, i64 %slots) {{
entry:
  br label %loop
loop:
  %number = phi i64 [ %begin, %entry ], [ %next, %enter ]
  %more = icmp ult i64 %number, %count
  br i1 %more, label %enter, label %finish
enter:
  %place = mul i64 %number, {words}
  %world = getelementptr i64, ptr %worlds, i64 %place
  %tag = call i64 @hash(ptr %world)
  %next = add i64 %number, 1
  %high = shl i64 %tag, 32
  %slot = or i64 %high, %next
  call void @put(ptr %table, i64 %slots, i64 %slot)
  br label %loop
finish:
  ret void
}}
"""


_GROW: Final = """
define internal void @put(ptr %table, i64 %slots, i64 %slot) alwaysinline {
entry:
  %tag = lshr i64 %slot, 32
  %index = call i64 @first_slot(i64 %tag, i64 %slots)
  br label %probe
probe:
  %i = phi i64 [ %index, %entry ], [ %i.next, %further ]
  %to = getelementptr i64, ptr %table, i64 %i
  %there = load i64, ptr %to
  %is.free = icmp eq i64 %there, 0
  br i1 %is.free, label %put, label %further
further:
  %i.next = call i64 @next_slot(i64 %i, i64 %slots)
  br label %probe
put:
  store i64 %slot, ptr %to
  ret void
}

define void @grow(ptr %table, i64 %before, i64 %slots, ptr %waiting) {
entry:
  %first = lshr i64 %before, 4
  br label %take
take:
  %t = phi i64 [ 0, %entry ], [ %t.next, %taken ]
  %held = phi i64 [ 0, %entry ], [ %held.next, %taken ]
  %t.more = icmp ult i64 %t, %first
  br i1 %t.more, label %take.one, label %move
take.one:
  %t.at = getelementptr i64, ptr %table, i64 %t
  %t.slot = load i64, ptr %t.at
  store i64 0, ptr %t.at
  %t.home = getelementptr i64, ptr %waiting, i64 %held
  store i64 %t.slot, ptr %t.home
  %t.used = icmp ne i64 %t.slot, 0
  %t.one = zext i1 %t.used to i64
  br label %taken
taken:
  %held.next = add i64 %held, %t.one
  %t.next = add i64 %t, 1
  br label %take
move:
  %end = phi i64 [ %before, %take ], [ %m, %moved ]
  %count = phi i64 [ %held, %take ], [ %count.next, %moved ]
  %m.more = icmp ugt i64 %end, %first
  br i1 %m.more, label %move.one, label %return
move.one:
  %m = sub i64 %end, 1
  %m.at = getelementptr i64, ptr %table, i64 %m
  %m.slot = load i64, ptr %m.at
  %is.empty = icmp eq i64 %m.slot, 0
  br i1 %is.empty, label %moved, label %look
look:
  store i64 0, ptr %m.at
  %tag = lshr i64 %m.slot, 32
  %index = call i64 @first_slot(i64 %tag, i64 %slots)
  %is.behind = icmp ugt i64 %index, %m
  br i1 %is.behind, label %place, label %wait
place:
  call void @put(ptr %table, i64 %slots, i64 %m.slot)
  br label %moved
wait:
  %w.home = getelementptr i64, ptr %waiting, i64 %count
  store i64 %m.slot, ptr %w.home
  br label %moved
moved:
  %more = phi i64 [ 0, %move.one ], [ 0, %place ], [ 1, %wait ]
  %count.next = add i64 %count, %more
  br label %move
return:
  %r = phi i64 [ 0, %move ], [ %r.next, %return.one ]
  %r.more = icmp ult i64 %r, %count
  br i1 %r.more, label %return.one, label %finish
return.one:
  %r.at = getelementptr i64, ptr %waiting, i64 %r
  %r.slot = load i64, ptr %r.at
  call void @put(ptr %table, i64 %slots, i64 %r.slot)
  %r.next = add i64 %r, 1
  br label %return
finish:
  ret void
}
"""
"""A table grows where it is, from back to front: what moves finds its place behind what has not moved yet.

That is not so where the table begins: what stands there waits elsewhere until all others have moved. So does
whatever was found far behind its place.
"""
