"""What several tables share: whose a world is, and in which order all were found.

Shards number their worlds themselves. The *birth* of a world, which is the number of the world before it and
above it the position of the instance, says where it stands among those of all shards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nomadspec.checkers.native.algorithms import shape
from nomadspec.checkers.native.algorithms.generated import canonical
from nomadspec.checkers.native.algorithms.types import (
    FULL,
    HALF_BITS,
    LOW_HALF,
    Halves,
    Positions,
    Word,
    Words,
)
from nomadspec.checkers.native.algorithms.worlds import (
    compute_tag,
    copy,
    find_owner,
    first_slot,
    is_same,
    next_slot,
)


@dataclass(slots=True)
class Box:
    """Successors that belong to one shard, with their entries."""

    worlds: Words
    entries: Words
    count: Word


@dataclass(slots=True)
class Candidates:
    """Worlds that may be new, in a small table of their own."""

    worlds: Words
    table: Words


def split(out: Words, entries: Words, made: Word, first: Word, shards: Word, boxes: Sequence[Box]) -> None:
    """Append successors to the boxes of those whose they are; their parents are counted from the first on."""
    for k in range(made):
        world = out[shape.WORDS * k :]
        if shape.IS_REDUCED:
            canonical(world)
        box = boxes[find_owner(world, shards)]
        copy(world, box.worlds[shape.WORDS * box.count :])
        box.entries[box.count] = entries[k] + first
        box.count += 1


def select(worlds: Words, count: Word, shards: Word, shard: Word, out: Words, places: Halves) -> Word:
    """Copy those of some worlds that belong to one shard, say which they are, and count them."""
    kept = 0
    for k in range(count):
        world = worlds[shape.WORDS * k :]
        if find_owner(world, shards) == shard:
            copy(world, out[shape.WORDS * kept :])
            places[kept] = k
            kept += 1
    return kept


# Lists that are in order by themselves are walked together: the least head comes next.


def _read_key(entries: Words, length: Word, head: Word) -> Word:
    """Give the birth at the head of a list, parents above positions; no list has more behind its end."""
    if head >= length:
        return FULL
    return entries[head] << HALF_BITS & FULL | entries[head] >> HALF_BITS


def _begin(lists: Sequence[Words], lengths: Words, heads: Words, keys: Words, count: Word) -> None:
    for one in range(count):
        heads[one] = 0
        keys[one] = _read_key(lists[one], lengths[one], 0)


def _find_least(keys: Words, count: Word) -> Word:
    best, lowest = 0, FULL
    for one in range(count):
        best = one if keys[one] < lowest else best
        lowest = min(keys[one], lowest)
    return best


def _advance(lists: Sequence[Words], lengths: Words, heads: Words, keys: Words, one: Word) -> Word:
    """Take the head of a list, and give where it was."""
    head = heads[one]
    heads[one] = head + 1
    keys[one] = _read_key(lists[one], lengths[one], head + 1)
    return head


def join(  # noqa: PLR0913, PLR0917 -- what machine code is called with
    births: Sequence[Words], lengths: Words, worlds: Sequence[Words], shards: Word, total: Word,
    scratch: Words, joined: Words, parents: Halves, numbers: Sequence[Halves] | None, base: Word,
) -> None:  # fmt: skip
    """Put the new worlds of all shards in order: their words, their parents, and the number of each."""
    keys = scratch[shards:]
    _begin(births, lengths, scratch, keys, shards)
    for at in range(total):
        shard = _find_least(keys, shards)
        parents[at] = keys[shard] >> HALF_BITS
        head = _advance(births, lengths, scratch, keys, shard)
        copy(worlds[shard][shape.WORDS * head :], joined[shape.WORDS * at :])
        if numbers is not None:
            numbers[shard][head] = base + at


def weave(  # noqa: PLR0913, PLR0917 -- what machine code is called with
    entries: Sequence[Words], lengths: Words, found: Sequence[Halves], numbers: Sequence[Halves],
    shards: Word, total: Word, scratch: Words, targets: Halves, positions: Positions, ends: Words,
    begin: Word, end: Word, before: Word,
) -> Word:  # fmt: skip
    """Put the steps of all shards in order, less those that change nothing; give how many there are."""
    keys = scratch[shards:]
    _begin(entries, lengths, scratch, keys, shards)
    steps = 0
    open_world = begin
    for _ in range(total):
        shard = _find_least(keys, shards)
        parent, position = keys[shard] >> HALF_BITS, keys[shard] & LOW_HALF
        head = _advance(entries, lengths, scratch, keys, shard)
        while open_world < parent:
            ends[open_world - begin] = before + steps
            open_world += 1
        target = numbers[shard][found[shard][head]]
        targets[steps] = target
        positions[steps] = position
        steps += int(target != parent)
    while open_world < end:
        ends[open_world - begin] = before + steps
        open_world += 1
    return steps


def recall(worlds: Words, begin: Word, end: Word, candidates: Candidates, slots: Word, known: Halves) -> None:
    """Walk past stored worlds and look for each among the candidates; note its number, plus one."""
    for number in range(begin, end):
        world = worlds[shape.WORDS * number :]
        tag = compute_tag(world)
        at = first_slot(tag, slots)
        slot = candidates.table[at]
        while slot:
            candidate = (slot & LOW_HALF) - 1
            if slot >> HALF_BITS == tag and is_same(candidates.worlds[shape.WORDS * candidate :], world):
                known[candidate] = number + 1
                break
            at = next_slot(at, slots)
            slot = candidates.table[at]


def settle(
    candidates: Words, births: Words, known: Halves, count: Word, before: Word, worlds: Words, born: Words
) -> Word:
    """Number the candidates that are not known, and bring them together with their births; count them."""
    new = 0
    for k in range(count):
        if known[k] == 0:
            copy(candidates[shape.WORDS * k :], worlds[shape.WORDS * new :])
            born[new] = births[k]
            new += 1
            known[k] = before + new
    return new


def translate(found: Halves, count: Word, known: Halves) -> None:
    """Put the numbers of worlds where those of candidates are."""
    for k in range(count):
        found[k] = known[found[k]] - 1
