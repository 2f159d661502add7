"""What several tables share, as machine code: whose a world is, and in which order all were found.

Each world belongs to one of some shards, by its hash. Shards number their worlds themselves; the *birth* of a
world, which is the number of the world before it and the position of the instance, says where it stands among
those of all shards.
"""

from __future__ import annotations

from typing import Final

from nomadspec.checkers.native.build import MachineCode, Text, bind
from nomadspec.checkers.native.kernels import write_hash, write_probe, write_same

_ARGUMENTS: Final = {
    "split": 6,
    "select": 6,
    "remove": 5,
    "join": 10,
    "weave": 13,
    "recall": 6,
    "settle": 7,
    "translate": 3,
}

_SPREAD: Final = 2654435769
"""An odd number of 32 bits: worlds of one shard still have hashes of all kinds."""


class Sharing:
    """The compiled functions, called with addresses and sizes."""

    def __init__(self, words: int, position_bits: int, canonical: str | None) -> None:
        """Compile them for worlds of so many words, and so many bits for the position of an instance."""
        text = _write(words, position_bits, canonical)
        self._code = MachineCode([Text(text, 2)], list(_ARGUMENTS))
        bound = {name: bind(self._code, name, count) for name, count in _ARGUMENTS.items()}
        self.split, self.select, self.remove = bound["split"], bound["select"], bound["remove"]
        self.join, self.weave = bound["join"], bound["weave"]
        self.recall, self.settle, self.translate = bound["recall"], bound["settle"], bound["translate"]


def _write(words: int, position_bits: int, canonical: str | None) -> str:
    reduce = "" if canonical is None else "call void @canonical(ptr %world)"
    parts = [canonical or "", write_hash(words), _OWNER, _write_split(words, reduce), _write_select(words)]
    parts += [_write_remove(words), _LEAST, _write_join(words), _write_weave(position_bits)]
    return "\n".join([*parts, _write_recall(words), _write_settle(words), _TRANSLATE])


def _write_copy(words: int, source: str, target: str) -> str:
    """Copy a world."""
    lines = []
    for at in range(words):
        lines += [
            f"  %from{at} = getelementptr i64, ptr {source}, i64 {at}",
            f"  %value{at} = load i64, ptr %from{at}",
            f"  %to{at} = getelementptr i64, ptr {target}, i64 {at}",
            f"  store i64 %value{at}, ptr %to{at}",
        ]
    return "\n".join(lines)


_OWNER: Final = f"""
define internal i64 @owner(ptr %world, i64 %shards) alwaysinline {{
  %tag = call i64 @hash(ptr %world)
  %spread = mul i64 %tag, {_SPREAD}
  %low = and i64 %spread, 4294967295
  %scaled = mul i64 %low, %shards
  %owner = lshr i64 %scaled, 32
  ret i64 %owner
}}
"""


def _write_split(words: int, reduce: str) -> str:
    """Append successors to the boxes of those whose they are; a box is two addresses and a count."""
    return f"""
define void @split(ptr %out, ptr %entries, i64 %made, i64 %first, i64 %shards, ptr %boxes) {{
entry:
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %take ]
  %more = icmp ult i64 %k, %made
  br i1 %more, label %take, label %finish
take:
  %place = mul i64 %k, {words}
  %world = getelementptr i64, ptr %out, i64 %place
  {reduce}
  %owner = call i64 @owner(ptr %world, i64 %shards)
  %box.place = mul i64 %owner, 3
  %box = getelementptr i64, ptr %boxes, i64 %box.place
  %box.worlds = load ptr, ptr %box
  %box.entries.at = getelementptr i64, ptr %box, i64 1
  %box.entries = load ptr, ptr %box.entries.at
  %count.at = getelementptr i64, ptr %box, i64 2
  %count = load i64, ptr %count.at
  %home.place = mul i64 %count, {words}
  %home = getelementptr i64, ptr %box.worlds, i64 %home.place
{_write_copy(words, "%world", "%home")}
  %entry.at = getelementptr i64, ptr %entries, i64 %k
  %bits = load i64, ptr %entry.at
  %numbered = add i64 %bits, %first
  %entry.home = getelementptr i64, ptr %box.entries, i64 %count
  store i64 %numbered, ptr %entry.home
  %count.more = add i64 %count, 1
  store i64 %count.more, ptr %count.at
  %next = add i64 %k, 1
  br label %loop
finish:
  ret void
}}
"""


def _write_select(words: int) -> str:
    """Copy those of some worlds that belong to one shard, say which they are, and count them."""
    return f"""
define i64 @select(ptr %worlds, i64 %count, i64 %shards, i64 %shard, ptr %out, ptr %places) {{
entry:
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %skip ]
  %kept = phi i64 [ 0, %entry ], [ %kept.next, %skip ]
  %more = icmp ult i64 %k, %count
  br i1 %more, label %look, label %finish
look:
  %place = mul i64 %k, {words}
  %world = getelementptr i64, ptr %worlds, i64 %place
  %owner = call i64 @owner(ptr %world, i64 %shards)
  %is.ours = icmp eq i64 %owner, %shard
  br i1 %is.ours, label %keep, label %skip
keep:
  %home.place = mul i64 %kept, {words}
  %home = getelementptr i64, ptr %out, i64 %home.place
{_write_copy(words, "%world", "%home")}
  %place.at = getelementptr i32, ptr %places, i64 %kept
  %k.32 = trunc i64 %k to i32
  store i32 %k.32, ptr %place.at
  %kept.more = add i64 %kept, 1
  br label %skip
skip:
  %kept.next = phi i64 [ %kept, %look ], [ %kept.more, %keep ]
  %next = add i64 %k, 1
  br label %loop
finish:
  ret i64 %kept
}}
"""


def _write_remove(words: int) -> str:
    """Take the last worlds out of a table again, the last first: then it is as it was before them."""
    return f"""
define void @remove(ptr %worlds, i64 %begin, i64 %end, ptr %table, i64 %slots) {{
entry:
  br label %loop
loop:
  %number = phi i64 [ %end, %entry ], [ %before, %clear ]
  %more = icmp ugt i64 %number, %begin
  br i1 %more, label %find, label %finish
find:
  %before = sub i64 %number, 1
  %place = mul i64 %before, {words}
  %world = getelementptr i64, ptr %worlds, i64 %place
  %tag = call i64 @hash(ptr %world)
  %index = call i64 @first_slot(i64 %tag, i64 %slots)
  br label %probe
probe:
  %i = phi i64 [ %index, %find ], [ %i.next, %further ]
  %slot.at = getelementptr i64, ptr %table, i64 %i
  %slot = load i64, ptr %slot.at
  %low = and i64 %slot, 4294967295
  %is.it = icmp eq i64 %low, %number
  br i1 %is.it, label %clear, label %further
further:
  %i.next = call i64 @next_slot(i64 %i, i64 %slots)
  br label %probe
clear:
  store i64 0, ptr %slot.at
  br label %loop
finish:
  ret void
}}
"""


_LEAST: Final = """
define internal i64 @head(ptr %lists, ptr %lengths, ptr %heads, i64 %list) alwaysinline {
entry:
  %head.at = getelementptr i64, ptr %heads, i64 %list
  %head = load i64, ptr %head.at
  %length.at = getelementptr i64, ptr %lengths, i64 %list
  %length = load i64, ptr %length.at
  %is.left = icmp ult i64 %head, %length
  br i1 %is.left, label %read, label %none
read:
  %base.at = getelementptr ptr, ptr %lists, i64 %list
  %base = load ptr, ptr %base.at
  %at = getelementptr i64, ptr %base, i64 %head
  %bits = load i64, ptr %at
  %parent = shl i64 %bits, 32
  %position = lshr i64 %bits, 32
  %key = or i64 %parent, %position
  ret i64 %key
none:
  ret i64 -1
}

define internal void @begin(ptr %lists, ptr %lengths, ptr %heads, ptr %keys, i64 %count) {
entry:
  br label %loop
loop:
  %list = phi i64 [ 0, %entry ], [ %next, %take ]
  %more = icmp ult i64 %list, %count
  br i1 %more, label %take, label %finish
take:
  %head.at = getelementptr i64, ptr %heads, i64 %list
  store i64 0, ptr %head.at
  %key = call i64 @head(ptr %lists, ptr %lengths, ptr %heads, i64 %list)
  %key.at = getelementptr i64, ptr %keys, i64 %list
  store i64 %key, ptr %key.at
  %next = add i64 %list, 1
  br label %loop
finish:
  ret void
}

define internal i64 @least(ptr %keys, i64 %count) alwaysinline {
entry:
  br label %loop
loop:
  %list = phi i64 [ 0, %entry ], [ %next, %look ]
  %best = phi i64 [ 0, %entry ], [ %best.next, %look ]
  %lowest = phi i64 [ -1, %entry ], [ %lowest.next, %look ]
  %more = icmp ult i64 %list, %count
  br i1 %more, label %look, label %finish
look:
  %key.at = getelementptr i64, ptr %keys, i64 %list
  %key = load i64, ptr %key.at
  %is.less = icmp ult i64 %key, %lowest
  %best.next = select i1 %is.less, i64 %list, i64 %best
  %lowest.next = select i1 %is.less, i64 %key, i64 %lowest
  %next = add i64 %list, 1
  br label %loop
finish:
  ret i64 %best
}

define internal i64 @advance(ptr %lists, ptr %lengths, ptr %heads, ptr %keys, i64 %list) alwaysinline {
  %head.at = getelementptr i64, ptr %heads, i64 %list
  %head = load i64, ptr %head.at
  %head.more = add i64 %head, 1
  store i64 %head.more, ptr %head.at
  %key = call i64 @head(ptr %lists, ptr %lengths, ptr %heads, i64 %list)
  %key.at = getelementptr i64, ptr %keys, i64 %list
  store i64 %key, ptr %key.at
  ret i64 %head
}
"""
"""Lists that are in order by themselves are walked together: the least head comes next."""


def _write_join(words: int) -> str:
    """Put the new worlds of all shards in order: their words, their parents, and the number of each."""
    return f"""
define void @join(ptr %births, ptr %lengths, ptr %worlds, i64 %shards, i64 %total, ptr %scratch,
                  ptr %joined, ptr %parents, ptr %numbers, i64 %base) {{
entry:
  %keys = getelementptr i64, ptr %scratch, i64 %shards
  call void @begin(ptr %births, ptr %lengths, ptr %scratch, ptr %keys, i64 %shards)
  %numbered = icmp ne ptr %numbers, null
  br label %loop
loop:
  %at = phi i64 [ 0, %entry ], [ %next, %done ]
  %more = icmp ult i64 %at, %total
  br i1 %more, label %take, label %finish
take:
  %shard = call i64 @least(ptr %keys, i64 %shards)
  %key.at = getelementptr i64, ptr %keys, i64 %shard
  %key = load i64, ptr %key.at
  %parent = lshr i64 %key, 32
  %parent.32 = trunc i64 %parent to i32
  %parent.at = getelementptr i32, ptr %parents, i64 %at
  store i32 %parent.32, ptr %parent.at
  %head = call i64 @advance(ptr %births, ptr %lengths, ptr %scratch, ptr %keys, i64 %shard)
  %theirs.at = getelementptr ptr, ptr %worlds, i64 %shard
  %theirs = load ptr, ptr %theirs.at
  %place = mul i64 %head, {words}
  %world = getelementptr i64, ptr %theirs, i64 %place
  %home.place = mul i64 %at, {words}
  %home = getelementptr i64, ptr %joined, i64 %home.place
{_write_copy(words, "%world", "%home")}
  br i1 %numbered, label %number, label %done
number:
  %list.at = getelementptr ptr, ptr %numbers, i64 %shard
  %list = load ptr, ptr %list.at
  %number.at = getelementptr i32, ptr %list, i64 %head
  %number.64 = add i64 %base, %at
  %number.32 = trunc i64 %number.64 to i32
  store i32 %number.32, ptr %number.at
  br label %done
done:
  %next = add i64 %at, 1
  br label %loop
finish:
  ret void
}}
"""


def _write_weave(position_bits: int) -> str:
    """Put the steps of all shards in order, less those that change nothing; give how many there are."""
    kind = f"i{position_bits}"
    return f"""
define i64 @weave(ptr %entries, ptr %lengths, ptr %found, ptr %numbers, i64 %shards, i64 %total, ptr %scratch,
                  ptr %targets, ptr %positions, ptr %ends, i64 %begin, i64 %end, i64 %before) {{
entry:
  %keys = getelementptr i64, ptr %scratch, i64 %shards
  call void @begin(ptr %entries, ptr %lengths, ptr %scratch, ptr %keys, i64 %shards)
  br label %loop
loop:
  %at = phi i64 [ 0, %entry ], [ %at.next, %done ]
  %steps = phi i64 [ 0, %entry ], [ %steps.next, %done ]
  %open = phi i64 [ %begin, %entry ], [ %parent, %done ]
  %more = icmp ult i64 %at, %total
  br i1 %more, label %take, label %rest
take:
  %shard = call i64 @least(ptr %keys, i64 %shards)
  %key.at = getelementptr i64, ptr %keys, i64 %shard
  %key = load i64, ptr %key.at
  %parent = lshr i64 %key, 32
  %position = and i64 %key, 4294967295
  %head = call i64 @advance(ptr %entries, ptr %lengths, ptr %scratch, ptr %keys, i64 %shard)
  br label %close
close:
  %c = phi i64 [ %open, %take ], [ %c.next, %close.one ]
  %is.open = icmp ult i64 %c, %parent
  br i1 %is.open, label %close.one, label %look
close.one:
  %c.place = sub i64 %c, %begin
  %c.at = getelementptr i64, ptr %ends, i64 %c.place
  %c.steps = add i64 %before, %steps
  store i64 %c.steps, ptr %c.at
  %c.next = add i64 %c, 1
  br label %close
{_write_step(kind)}
{_CLOSE_REST}
finish:
  ret i64 %steps
}}
"""


def _write_step(kind: str) -> str:
    """Put one step behind the others; it is kept by counting it."""
    return f"""
look:
  %found.at = getelementptr ptr, ptr %found, i64 %shard
  %found.list = load ptr, ptr %found.at
  %local.at = getelementptr i32, ptr %found.list, i64 %head
  %local.32 = load i32, ptr %local.at
  %local = zext i32 %local.32 to i64
  %numbers.at = getelementptr ptr, ptr %numbers, i64 %shard
  %numbers.list = load ptr, ptr %numbers.at
  %target.from = getelementptr i32, ptr %numbers.list, i64 %local
  %target.32 = load i32, ptr %target.from
  %target = zext i32 %target.32 to i64
  %target.at = getelementptr i32, ptr %targets, i64 %steps
  store i32 %target.32, ptr %target.at
  %position.at = getelementptr {kind}, ptr %positions, i64 %steps
  %position.small = trunc i64 %position to {kind}
  store {kind} %position.small, ptr %position.at
  %moves = icmp ne i64 %target, %parent
  %moves.64 = zext i1 %moves to i64
  br label %done
done:
  %steps.next = add i64 %steps, %moves.64
  %at.next = add i64 %at, 1
  br label %loop
"""


_CLOSE_REST: Final = """
rest:
  br label %rest.loop
rest.loop:
  %r = phi i64 [ %open, %rest ], [ %r.next, %rest.one ]
  %r.more = icmp ult i64 %r, %end
  br i1 %r.more, label %rest.one, label %finish
rest.one:
  %r.place = sub i64 %r, %begin
  %r.at = getelementptr i64, ptr %ends, i64 %r.place
  %r.steps = add i64 %before, %steps
  store i64 %r.steps, ptr %r.at
  %r.next = add i64 %r, 1
  br label %rest.loop
"""
"""The last worlds have no more steps."""


def _write_recall(words: int) -> str:
    """Walk past stored worlds and look for each in a small table of candidates; note its number, plus one."""
    return f"""
define void @recall(ptr %worlds, i64 %begin, i64 %end, ptr %context, i64 %slots, ptr %known) {{
entry:
  %candidates = load ptr, ptr %context
  %table.at = getelementptr i64, ptr %context, i64 1
  %table = load ptr, ptr %table.at
  br label %loop
loop:
  %number = phi i64 [ %begin, %entry ], [ %next, %done ]
  %more = icmp ult i64 %number, %end
  br i1 %more, label %look, label %finish
look:
  %place = mul i64 %number, {words}
  %old.at = getelementptr i64, ptr %worlds, i64 %place
  %tag = call i64 @hash(ptr %old.at)
  %index = call i64 @first_slot(i64 %tag, i64 %slots)
  %next = add i64 %number, 1
  br label %probe
{write_probe("done")}
compare:
  %low = and i64 %slot, 4294967295
  %candidate = sub i64 %low, 1
  %new.place = mul i64 %candidate, {words}
  %new.at = getelementptr i64, ptr %candidates, i64 %new.place
{write_same(words)}
  br i1 %all{words - 1}, label %note, label %further
note:
  %known.at = getelementptr i32, ptr %known, i64 %candidate
  %next.32 = trunc i64 %next to i32
  store i32 %next.32, ptr %known.at
  br label %done
further:
  %i.next = call i64 @next_slot(i64 %i, i64 %slots)
  br label %probe
done:
  br label %loop
finish:
  ret void
}}
"""


def _write_settle(words: int) -> str:
    """Number the candidates that are not known, and bring them together with their births; count them."""
    return f"""
define i64 @settle(ptr %candidates, ptr %births, ptr %known, i64 %count, i64 %before,
                   ptr %worlds, ptr %born) {{
entry:
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %done ]
  %new = phi i64 [ 0, %entry ], [ %new.next, %done ]
  %more = icmp ult i64 %k, %count
  br i1 %more, label %look, label %finish
look:
  %known.at = getelementptr i32, ptr %known, i64 %k
  %number = load i32, ptr %known.at
  %next = add i64 %k, 1
  %is.new = icmp eq i32 %number, 0
  br i1 %is.new, label %keep, label %done
keep:
  %place = mul i64 %k, {words}
  %world = getelementptr i64, ptr %candidates, i64 %place
  %home.place = mul i64 %new, {words}
  %home = getelementptr i64, ptr %worlds, i64 %home.place
{_write_copy(words, "%world", "%home")}
  %birth.from = getelementptr i64, ptr %births, i64 %k
  %birth = load i64, ptr %birth.from
  %birth.to = getelementptr i64, ptr %born, i64 %new
  store i64 %birth, ptr %birth.to
  %new.more = add i64 %new, 1
  %numbered = add i64 %before, %new.more
  %numbered.32 = trunc i64 %numbered to i32
  store i32 %numbered.32, ptr %known.at
  br label %done
done:
  %new.next = phi i64 [ %new, %look ], [ %new.more, %keep ]
  br label %loop
finish:
  ret i64 %new
}}
"""


_TRANSLATE: Final = """
define void @translate(ptr %found, i64 %count, ptr %known) {
entry:
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %take ]
  %more = icmp ult i64 %k, %count
  br i1 %more, label %take, label %finish
take:
  %at = getelementptr i32, ptr %found, i64 %k
  %candidate = load i32, ptr %at
  %index = zext i32 %candidate to i64
  %known.at = getelementptr i32, ptr %known, i64 %index
  %number = load i32, ptr %known.at
  %less = sub i32 %number, 1
  store i32 %less, ptr %at
  %next = add i64 %k, 1
  br label %loop
finish:
  ret void
}
"""
"""Put the numbers of worlds where those of candidates are."""
