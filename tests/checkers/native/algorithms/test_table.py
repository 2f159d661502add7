"""The table of worlds as Python and as machine code, on worlds that crowd one another."""

from __future__ import annotations

from functools import partial
from random import Random

import pytest

from nomadspec.checkers.native.algorithms import table
from nomadspec.checkers.native.algorithms.types import FULL, LOW_HALF, Word, Words
from nomadspec.checkers.native.algorithms.worlds import first_slot
from nomadspec.checkers.native.translate.kinds import Shape
from tests.checkers.native.algorithms.both import halves_of, run_both, set_shape, shorts_of, words_of

NOBODY = FULL


def inspect_some(
    world: Words, number: Word, position: Word, order: Word, notes: Words, still_open: Words
) -> Word:
    """Note which worlds were asked about, and decide the search with a few of them."""
    notes[number] = world[0] ^ position ^ order ^ still_open[0]
    return int(world[0] % 97 == 5)


def inspect_none(
    _world: Words, _number: Word, _position: Word, _order: Word, _notes: Words, _open: Words
) -> Word:
    """Notice nothing."""
    return 0


def turn(world: Words) -> None:
    """Store the lesser of two that are mirrored."""
    if world[0] > world[1]:
        first = world[0]
        world[0] = world[1]
        world[1] = first


def make_context(seed: int, words: int, *, keeps: bool, most: int) -> table.Context:
    """Make some hundred successors, many of them alike, before a table that is nearly full."""
    random = Random(seed)
    known = [[random.getrandbits(random.choice([3, 64])) for _ in range(words)] for _ in range(150)]
    made = 400
    drawn = [random.choice(known) for _ in range(made)]
    parents = sorted(random.randrange(3, 60) for _ in range(made))
    entries = [random.randrange(9) << 32 | parent for parent in parents]
    room = made + 10
    return table.Context(
        worlds=words_of([0] * room * words),
        parents=halves_of([0] * room),
        table=words_of([0] * 211),
        table_slots=211,
        count=0,
        out=words_of([word for world in drawn for word in world]),
        entries=words_of(entries),
        made=made,
        done=0,
        fired=words_of([0] * 9),
        targets=halves_of([0] * room) if keeps else None,
        positions=shorts_of([0] * room),
        steps=0,
        ends=words_of([0] * 70),
        current=1 if keeps else NOBODY,
        most=most,
        notes=words_of([0] * room),
        open=words_of([77]),
        decided=0,
        births=None if keeps else words_of([0] * room),
        found=None if keeps else halves_of([0] * room),
        reduces=1,
    )


def make_chunk(seed: int, words: int, *, keeps: bool, most: int) -> list[object]:
    """Make the one argument."""
    return [make_context(seed, words, keeps=keeps, most=most)]


@pytest.mark.parametrize("words", [1, 2, 5])
@pytest.mark.parametrize("keeps", [True, False])
@pytest.mark.parametrize("most", [20, FULL])
def test_successors_are_stored_once(
    words: int, keeps: bool, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    shape = Shape(words, is_reduced=words > 1)
    set_shape(monkeypatch, shape)
    monkeypatch.setattr(table, "canonical", turn)
    monkeypatch.setattr(table, "inspect", inspect_none if words == 2 else inspect_some)

    for seed in range(4):
        context, _ = run_both(table.insert, shape, partial(make_chunk, seed, words, keeps=keeps, most=most))

        stored = [tuple(context.worlds[words * at : words * at + words]) for at in range(context.count)]
        assert 0 < len(stored) == len(set(stored))
        assert context.done == context.made or context.decided or context.count >= most
        assert sum(context.fired) == context.done
        assert list(range(1, context.count + 1)) == sorted(slot & LOW_HALF for slot in context.table if slot)


@pytest.mark.parametrize("words", [1, 3])
def test_worlds_are_entered_and_removed(words: int, monkeypatch: pytest.MonkeyPatch) -> None:
    shape = Shape(words)
    set_shape(monkeypatch, shape)
    random = Random(3)
    worlds = [random.getrandbits(64) for _ in range(150 * words)]

    def make_removed() -> list[object]:
        full = words_of([0] * 199)
        table.index(words_of(worlds), 0, 150, full, 199)
        return [words_of(worlds), 70, 150, full, 199]

    _, _, _, entered, *_ = run_both(
        table.index, shape, lambda: [words_of(worlds), 0, 70, words_of([0] * 199), 199]
    )
    _, _, _, left, *_ = run_both(table.remove, shape, make_removed)

    assert 70 == sum(slot != 0 for slot in entered)
    assert entered == left


def test_a_table_grows_where_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    set_shape(monkeypatch, Shape())
    random = Random(4)
    for before, slots in ((160, 240), (33, 50), (500, 2000)):
        worlds = [random.getrandbits(64) for _ in range(before * 9 // 10)]

        def make(before: int = before, slots: int = slots, worlds: list[int] = worlds) -> list[object]:
            grown = words_of([0] * slots)
            table.index(words_of(worlds), 0, len(worlds), grown, before)
            return [grown, before, slots, words_of([0] * before)]

        after, *_ = run_both(table.grow, Shape(), make)

        assert list(range(1, len(worlds) + 1)) == sorted(slot & LOW_HALF for slot in after if slot)
        for at, slot in enumerate(after):
            way = [(first_slot(slot >> 32, slots) + step) % slots for step in range(slots)]
            assert not slot or all(after[place] for place in way[: way.index(at)])
