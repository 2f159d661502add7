"""The table of stored worlds.

It holds for each stored world 32 bits of its hash and its number, counted from one. How large these bits are
says where to look first, so that a table of any size grows by one pass over it; they tell worlds apart that
share a place, and the stored world itself decides.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from nomadspec.checkers.native.algorithms import shape
from nomadspec.checkers.native.algorithms.generated import canonical, inspect
from nomadspec.checkers.native.algorithms.types import (
    HALF_BITS,
    LOW_HALF,
    Halves,
    Positions,
    Word,
    Words,
    make_words,
    prefetch_to_read,
    prefetch_to_write,
)
from nomadspec.checkers.native.algorithms.worlds import compute_tag, copy, first_slot, is_same, next_slot

_BLOCK: Final = 128
"""How many successors are looked up at once, so that memory is fetched ahead."""

_FIRST_SHARE: Final = 16
"""One part in so many of a table moves by way of other memory when it grows."""


@dataclass(slots=True)
class Context:
    """A chunk of successors on its way into the table: a word for each field."""

    worlds: Words
    """Those that are stored, by number."""
    parents: Halves
    table: Words
    table_slots: Word
    count: Word
    """How many worlds are stored."""
    out: Words
    """The successors, and in ``entries`` the position of each and the number of the world before it."""
    entries: Words
    made: Word
    """How many successors there are."""
    done: Word
    """How many of them were looked up."""
    fired: Words
    """How often each instance happened."""
    targets: Halves | None
    """Steps between different worlds, where they are kept: targets, positions, and where each world's end."""
    positions: Positions
    steps: Word
    ends: Words
    current: Word
    """The world whose successors are looked up."""
    most: Word
    """With so many worlds, no other world's successors begin."""
    notes: Words
    open: Words
    decided: Word
    """Whether a note decides the search: then, too, no other world's successors begin."""
    births: Words | None
    """For each new world its entry, where that is asked."""
    found: Halves | None
    """For each successor its number, where that is asked."""
    reduces: Word
    """Whether the successors are not in canonical form yet."""


def insert(context: Context) -> None:
    """Look the successors up, and store those that are new."""
    tags = make_words(_BLOCK)
    begin = context.done
    while begin < context.made:
        length = min(context.made - begin, _BLOCK)
        _fetch_slots(context, begin, length, tags)
        _fetch_worlds(context, length, tags)
        for at in range(length):
            if not _take(context, begin + at, tags[at]):
                context.done = begin + at
                return
        begin += length
    context.done = begin


def _fetch_slots(context: Context, begin: Word, length: Word, tags: Words) -> None:
    """Compute the tags of a block, and have the slots brought near where their worlds will be looked for."""
    for at in range(length):
        world = context.out[shape.WORDS * (begin + at) :]
        if shape.IS_REDUCED and context.reduces:
            canonical(world)
        tag = compute_tag(world)
        tags[at] = tag
        prefetch_to_write(context.table[first_slot(tag, context.table_slots) :])


def _fetch_worlds(context: Context, length: Word, tags: Words) -> None:
    """Have the worlds brought near that are likely to be the same."""
    for at in range(length):
        slot = context.table[first_slot(tags[at], context.table_slots)]
        if slot >> HALF_BITS == tags[at] and slot & LOW_HALF:
            prefetch_to_read(context.worlds[shape.WORDS * ((slot & LOW_HALF) - 1) :])


def _take(context: Context, k: Word, tag: Word) -> bool:
    """Look one successor up, unless it is another world's and the search has to stop there."""
    entry = context.entries[k]
    parent, position = entry & LOW_HALF, entry >> HALF_BITS
    if parent != context.current:
        if context.decided or context.count >= context.most:
            return False
        _close(context, parent)
    context.fired[position] += 1
    number = _find_or_store(context, k, tag)
    if context.found is not None:
        context.found[k] = number
    if context.targets is not None and number != parent:
        context.targets[context.steps] = number
        context.positions[context.steps] = position
        context.steps += 1
    return True


def _close(context: Context, parent: Word) -> None:
    """Say of the worlds before the next parent that all their steps are there."""
    if context.targets is not None:
        for number in range(context.current, parent):
            context.ends[number] = context.steps
    context.current = parent


def _find_or_store(context: Context, k: Word, tag: Word) -> Word:
    """Give the number of a successor; an empty slot says that it is new."""
    world = context.out[shape.WORDS * k :]
    at = first_slot(tag, context.table_slots)
    slot = context.table[at]
    while slot:
        if slot >> HALF_BITS == tag:
            number = (slot & LOW_HALF) - 1
            if is_same(context.worlds[shape.WORDS * number :], world):
                return number
        at = next_slot(at, context.table_slots)
        slot = context.table[at]
    return _store(context, k, tag, at)


def _store(context: Context, k: Word, tag: Word, at: Word) -> Word:
    """Store a successor, enter it at an empty slot, and ask what holds of it."""
    number, entry = context.count, context.entries[k]
    home = context.worlds[shape.WORDS * number :]
    copy(context.out[shape.WORDS * k :], home)
    context.parents[number] = entry & LOW_HALF
    if context.births is not None:
        context.births[number] = entry
    context.count = number + 1
    context.table[at] = tag << HALF_BITS | number + 1
    if inspect(home, number, entry >> HALF_BITS, 2 * k + 1, context.notes, context.open):
        context.decided = 1
    return number


def index(worlds: Words, begin: Word, count: Word, table: Words, slots: Word) -> None:
    """Enter stored worlds, which are all different, into a table without them."""
    for number in range(begin, count):
        tag = compute_tag(worlds[shape.WORDS * number :])
        _put(table, slots, tag << HALF_BITS | number + 1)


def remove(worlds: Words, begin: Word, end: Word, table: Words, slots: Word) -> None:
    """Take the last worlds out of a table again, the last first: then it is as it was before them."""
    number = end
    while number > begin:
        at = first_slot(compute_tag(worlds[shape.WORDS * (number - 1) :]), slots)
        while table[at] & LOW_HALF != number:
            at = next_slot(at, slots)
        table[at] = 0
        number -= 1


def _put(table: Words, slots: Word, entry: Word) -> None:
    at = first_slot(entry >> HALF_BITS, slots)
    while table[at]:
        at = next_slot(at, slots)
    table[at] = entry


def grow(table: Words, before: Word, slots: Word, waiting: Words) -> None:
    """Give a table more slots, where it is, from back to front.

    What moves finds its place behind what has not moved yet. That is not so where the table begins: what
    stands there waits elsewhere until all others have moved. So does whatever was found far behind its place.
    """
    first = before // _FIRST_SHARE
    count = 0
    for at in range(first):
        entry = table[at]
        table[at] = 0
        waiting[count] = entry
        count += int(entry != 0)
    end = before
    while end > first:
        end -= 1
        entry = table[end]
        if entry:
            table[end] = 0
            if first_slot(entry >> HALF_BITS, slots) > end:
                _put(table, slots, entry)
            else:
                waiting[count] = entry
                count += 1
    for at in range(count):
        _put(table, slots, waiting[at])
