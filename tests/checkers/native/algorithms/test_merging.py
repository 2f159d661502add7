"""What shards share, as Python and as machine code, on lists of any length."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from random import Random

import pytest

from nomadspec.checkers.native.algorithms import merging, table
from nomadspec.checkers.native.algorithms.worlds import compute_tag, find_owner
from nomadspec.checkers.native.translate.kinds import Shape
from tests.checkers.native.algorithms.both import halves_of, run_both, set_shape, shorts_of, words_of
from tests.checkers.native.algorithms.test_table import turn


def draw(random: Random, count: int) -> list[int]:
    return [random.getrandbits(64) for _ in range(count)]


def make_selected(out: Sequence[int], words: int, shard: int) -> list[object]:
    """Make what it takes to select the worlds of one of three shards."""
    return [words_of(out), 90, 3, shard, words_of([0] * 90 * words), halves_of([0] * 90)]


@pytest.mark.parametrize("words", [1, 2, 3])
def test_worlds_go_to_their_shards(words: int, monkeypatch: pytest.MonkeyPatch) -> None:
    shape = Shape(words, is_reduced=words > 1)
    set_shape(monkeypatch, shape)
    monkeypatch.setattr(merging, "canonical", turn)
    worlds, entries = draw(Random(1), 90 * words), draw(Random(2), 90)

    def make_split() -> list[object]:
        boxes = [merging.Box(words_of([0] * 90 * words), words_of([0] * 90), 0) for _ in range(3)]
        return [words_of(worlds), words_of([entry >> 1 for entry in entries]), 90, 1000, 3, boxes]

    out, _, _, _, _, boxes, _ = run_both(merging.split, shape, make_split)
    seen = []
    for shard in range(3):
        *_, selected, places, kept = run_both(
            merging.select,
            shape,
            partial(make_selected, out, words, shard),
        )
        assert boxes[shard].count == kept > 10
        assert boxes[shard].worlds == selected
        seen += places[:kept]

    assert list(range(90)) == sorted(seen)


def make_lists(random: Random, total: int, shards: int) -> list[list[int]]:
    """Deal births in order to shards; some may get none."""
    births = sorted({(random.randrange(30), random.randrange(1000)) for _ in range(total)})
    lists: list[list[int]] = [[] for _ in range(shards)]
    for parent, position in births:
        lists[random.randrange(shards - 1) if random.random() < 0.9 else -1].append(position << 32 | parent)
    return lists


@pytest.mark.parametrize("shards", [2, 3, 7])
def test_new_worlds_are_put_in_order(shards: int, monkeypatch: pytest.MonkeyPatch) -> None:
    set_shape(monkeypatch, Shape(2))
    for numbered in (True, False):
        lists = make_lists(Random(shards), 40 * shards, shards)
        total = sum(map(len, lists))

        def make(
            lists: list[list[int]] = lists, total: int = total, numbered: bool = numbered
        ) -> list[object]:
            return [
                [words_of(one) for one in lists] if all(lists) else [words_of([*one, 0]) for one in lists],
                words_of([len(one) for one in lists]),
                [words_of([word for birth in [*one, 0] for word in (birth, 9)]) for one in lists],
                shards,
                total,
                words_of([0] * 2 * shards),
                words_of([0] * 2 * total),
                halves_of([0] * total),
                [halves_of([0] * (len(one) + 1)) for one in lists] if numbered else None,
                500,
            ]

        *_, joined, parents, numbers, _, _ = run_both(merging.join, Shape(2), make)

        expected = sorted(
            (birth for one in lists for birth in one), key=lambda one: (one & 0xFFFFFFFF, one >> 32)
        )
        assert expected == joined[::2].tolist()
        assert [birth & 0xFFFFFFFF for birth in expected] == parents.tolist()
        if numbered:
            given = [number for one, own in zip(numbers, lists, strict=True) for number in one[: len(own)]]
            assert list(range(500, 500 + total)) == sorted(given)


@pytest.mark.parametrize("shards", [2, 5])
def test_steps_are_put_in_order(shards: int) -> None:
    lists = make_lists(Random(shards), 60 * shards, shards)
    total = sum(map(len, lists))

    def make() -> list[object]:
        random = Random(9)
        return [
            [words_of([*one, 0]) for one in lists],
            words_of([len(one) for one in lists]),
            [halves_of([random.randrange(20) for _ in [*one, 0]]) for one in lists],
            [halves_of([random.randrange(30) for _ in range(20)]) for _ in range(shards)],
            shards,
            total,
            words_of([0] * 2 * shards),
            halves_of([0] * (total + 1)),
            shorts_of([0] * (total + 1)),
            words_of([0] * 40),
            0,
            35,
            7000,
        ]

    *_, targets, _positions, ends, _, _, _, steps = run_both(merging.weave, Shape(), make)

    assert total > steps > total // 2
    assert 7000 + steps == ends[34] == max(ends)
    assert ends[:35].tolist() == sorted(ends[:35])
    assert any(targets[:steps])


@pytest.mark.parametrize("words", [1, 2])
def test_what_is_stored_already_is_recalled_and_the_rest_is_numbered(
    words: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    shape, random = Shape(words), Random(6)
    set_shape(monkeypatch, shape)
    stored = draw(random, 100 * words)
    new = draw(random, 20 * words)
    candidates = [*stored[: 30 * words], *new]

    def make_recalled() -> list[object]:
        small = words_of([0] * 71)
        table.index(words_of(candidates), 0, 50, small, 71)
        record = merging.Candidates(words_of(candidates), small)
        return [words_of(stored), 10, 100, record, 71, halves_of([0] * 50)]

    *_, known, _ = run_both(merging.recall, shape, make_recalled)
    assert [*[0] * 10, *range(11, 31), *[0] * 20] == known.tolist()

    *_, settled, _, _, kept, born, count = run_both(
        merging.settle,
        shape,
        lambda: [
            words_of(candidates),
            words_of(range(50)),
            halves_of(known),
            50,
            100,
            words_of([0] * 50 * words),
            words_of([0] * 50),
        ],
    )
    assert 30 == count
    assert [*range(10), *range(30, 50)] == born[:30].tolist()
    assert [*stored[: 10 * words], *new] == kept[: 30 * words].tolist()

    found, *_ = run_both(merging.translate, shape, lambda: [halves_of(range(50)), 50, halves_of(settled)])
    assert [*range(100, 110), *range(10, 30), *range(110, 130)] == found.tolist()


def test_an_owner_is_one_of_the_shards() -> None:
    worlds = [words_of([word]) for word in draw(Random(8), 200)]

    assert set(range(5)) == {find_owner(world, 5) for world in worlds}
    assert 200 == len({compute_tag(world) for world in worlds})
