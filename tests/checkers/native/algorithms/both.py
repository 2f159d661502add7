"""Algorithms run as Python and as machine code on equal memory, and both must leave the same there."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Callable, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

import pytest

from nomadspec.checkers.native.algorithms import shape as constants
from nomadspec.checkers.native.algorithms.types import FULL
from nomadspec.checkers.native.translate.functions import translate
from nomadspec.checkers.native.translate.kinds import Shape
from tests.checkers.native.calling import compile_function


def words_of(numbers: Sequence[int]) -> memoryview:
    """Make memory of words."""
    return memoryview(array("Q", numbers))


def halves_of(numbers: Sequence[int]) -> memoryview:
    """Make memory of 32 bits each."""
    return memoryview(array("I", numbers))


def shorts_of(numbers: Sequence[int]) -> memoryview:
    """Make memory of 16 bits each."""
    return memoryview(array("H", numbers))


def set_shape(monkeypatch: pytest.MonkeyPatch, shape: Shape) -> None:
    """Have Python read the constants for which code is compiled."""
    monkeypatch.setattr(constants, "WORDS", shape.words)
    monkeypatch.setattr(constants, "LANES", shape.lanes)
    monkeypatch.setattr(constants, "IS_REDUCED", shape.is_reduced)


def run_both(function: Callable[..., Any], shape: Shape, make: Callable[[], Sequence[Any]]) -> Sequence[Any]:
    """Run a function both ways on equal arguments, compare what becomes of them, and give that."""
    ours, theirs = make(), make()
    answer = function(*ours)
    compiled = compile_function(translate([function], shape), function.__name__, len(ours), level=2)
    kept: list[array[int]] = []
    given = [_encode(value, kept) for value in theirs]
    found = compiled.call(*given)
    for value, address in zip(theirs, given, strict=True):
        _take_back(value, address)

    assert answer is None or answer == found & FULL
    assert _show(ours) == _show(theirs)
    return [*ours, answer]


def _encode(value: Any, kept: list[array[int]]) -> int:
    if value is None or isinstance(value, int):
        return value or 0
    if isinstance(value, memoryview):
        return ctypes.addressof(ctypes.c_char.from_buffer(value))
    parts = value if isinstance(value, list) else [getattr(value, field.name) for field in fields(value)]
    flat = [part for one in parts for part in (_list_parts(one) if is_dataclass(one) else [one])]
    kept.append(array("Q", [_encode(part, kept) & FULL for part in flat]))
    return kept[-1].buffer_info()[0]


def _list_parts(record: Any) -> list[Any]:
    """List the fields of a record."""
    return [getattr(record, field.name) for field in fields(record)]


def _take_back(value: Any, address: int) -> None:
    """Read the numbers of records again."""
    records = value if isinstance(value, list) else [value]
    place = address
    for record in records:
        if is_dataclass(record) and not isinstance(record, type):
            for at, field in enumerate(fields(record)):
                if isinstance(getattr(record, field.name), int):
                    number = ctypes.c_uint64.from_address(place + 8 * at).value
                    setattr(record, field.name, number)
            place += 8 * len(fields(record))


def _show(value: Any) -> Any:
    if isinstance(value, memoryview):
        return value.tolist()
    if is_dataclass(value) and not isinstance(value, type):
        return [_show(part) for part in _list_parts(value)]
    return [_show(part) for part in value] if isinstance(value, list | tuple) else value
