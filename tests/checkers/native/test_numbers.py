"""Numbers in files: what an array does, they do."""

from array import array
from pathlib import Path

import pytest

from nomadspec.checkers.native.numbers import FiledNumbers, file_numbers, make_zeros, reserve, rest


@pytest.mark.parametrize("typecode", ["H", "I", "Q"])
def test_they_are_used_like_an_array(typecode: str, tmp_path: Path) -> None:
    known = array(typecode, [5, 3, 8])
    filed = FiledNumbers(typecode, tmp_path, known)

    for numbers in (known, filed):
        numbers.append(9)
        numbers.extend(range(70_000, 70_000) if typecode == "H" else range(100_000))
        numbers.frombytes(array(typecode, [1, 2]).tobytes())

    assert list(known) == list(filed)
    assert (len(known), known[-1], known[0], known[3]) == (len(filed), filed[-1], filed[0], filed[3])
    assert known[2:6] == filed[2:6]
    assert known[-3:] == filed[-3:]
    assert (known.itemsize, len(known)) == (filed.itemsize, filed.buffer_info()[1])
    with pytest.raises(IndexError):
        filed[len(filed)]


def test_they_move_to_a_file_once(tmp_path: Path) -> None:
    filed = file_numbers(array("I", [1, 2, 3]), tmp_path)

    assert filed is file_numbers(filed, tmp_path)
    reserve(filed, 1000)
    rest(filed)
    assert [1, 2, 3] == list(filed)
    assert [] == list(tmp_path.iterdir())


def test_zeros_lie_where_the_others_do(tmp_path: Path) -> None:
    filed = FiledNumbers("Q", tmp_path, [1])

    assert [0] * 100_000 == list(make_zeros(filed, 100_000))
    assert isinstance(make_zeros(filed, 5), FiledNumbers)
    assert array("I", [0, 0]) == make_zeros(array("Q", [1]), 2)


def test_an_array_needs_no_care() -> None:
    numbers = array("I", [1])

    reserve(numbers, 5)
    rest(numbers)

    assert [1] == list(numbers)
