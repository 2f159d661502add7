"""The translated part of Python means what Python means, and the rest is refused."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random

import pytest

from nomadspec.checkers.native.translate.functions import translate, write_declaration
from nomadspec.checkers.native.translate.kinds import Shape
from nomadspec.model.errors import ImpossibleError
from tests.checkers.native.algorithms.both import halves_of, run_both, set_shape, words_of
from tests.checkers.native.translate import parts

TOP = (1 << 64) - 1


def make(*given: int) -> list[object]:
    """Make numbers and room for answers."""
    return [*given, words_of([0] * 16)]


def make_numbers(numbers: list[int]) -> list[object]:
    """Make memory, and say how much there is."""
    return [words_of(numbers), len(numbers)]


def test_operators_are_those_of_python() -> None:
    random = Random(1)
    for _ in range(40):
        bits = random.choice([3, 33, 64])
        one, other = random.getrandbits(bits), random.getrandbits(64)
        *_, out, _ = run_both(parts.operate, Shape(), partial(make, one, other))
        assert [one & other, one | other, one ^ other] == out[5:8].tolist()
    *_, out, _ = run_both(parts.operate, Shape(), partial(make, TOP, TOP))
    assert [TOP - 1, 0, 1, 1, 0] == out[:5].tolist()


@pytest.mark.parametrize("one", [0, 3, 7, 8, TOP])
@pytest.mark.parametrize("other", [0, 3, 7, TOP])
def test_comparisons_are_those_of_numbers_without_a_sign(one: int, other: int) -> None:
    *_, found = run_both(parts.compare, Shape(), lambda: [one, other])

    assert (one == other) is bool(found & 1)


def test_loops_end_where_python_ends_them() -> None:
    for start, most in ((27, 1000), (27, 20), (1, 5), (TOP, 3)):
        *_, steps = run_both(parts.collatz, Shape(), partial(list, [start, most]))
        assert min(most, 111 if start == 27 else most) == steps or start == 1


def test_functions_call_one_another() -> None:
    numbers = Random(2).sample(range(1000), 30)

    ordered, *_, rounds = run_both(parts.sort, Shape(), partial(make_numbers, numbers))

    assert sorted(numbers) == ordered.tolist()
    assert rounds > 3


def test_records_and_lists_are_reached() -> None:
    def make_piles() -> list[object]:
        piles = [
            parts.Pile(3, words_of([1, 2, 3]), halves_of([9] * 3)),
            parts.Pile(2, words_of([5, 6]), None),
        ]
        return [piles, 2, [halves_of([10, 20, 30]), halves_of([0])]]

    piles, *_, total = run_both(parts.fill, Shape(), make_piles)

    assert [6, 7] == piles[1].parts.tolist()
    assert [10, 21, 32] == piles[0].marks.tolist()
    assert 105 == total


@pytest.mark.parametrize("shape", [Shape(), Shape(3), Shape(is_reduced=True)])
def test_what_is_known_before_is_written_out(shape: Shape, monkeypatch: pytest.MonkeyPatch) -> None:
    set_shape(monkeypatch, shape)

    out, _ = run_both(parts.write_out, shape, lambda: [words_of([1, 2, 3, 4])])

    assert shape.is_reduced is (out[0] == 99)
    assert "alloca i64" not in translate([parts.write_out], shape)


@pytest.mark.parametrize("function", [parts.divide, parts.count_forever, parts.complain, parts.chain])
def test_what_has_no_machine_code_is_refused(function: Callable[[int], int]) -> None:
    with pytest.raises(ImpossibleError, match="no machine code"):
        translate([function], Shape())


def test_what_has_no_text_is_refused() -> None:
    with pytest.raises(ImpossibleError, match="no function"):
        translate([len], Shape())


def test_a_declaration_names_all_arguments() -> None:
    assert "declare i1 @is_sorted(ptr, i64)" == write_declaration(parts.is_sorted, Shape())
    assert "declare void @operate(i64, i64, ptr)" == write_declaration(parts.operate, Shape())
