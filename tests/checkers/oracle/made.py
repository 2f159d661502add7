"""A family of recordings that tests make: the server adds two numbers."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from nomadspec.checkers.oracle import check
from nomadspec.checkers.oracle.compare import compare
from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.judgement import Difference, Judge, Undecided, Unsupported
from nomadspec.checkers.oracle.registry import Kind
from nomadspec.model.errors import InputError

ADDITION = Kind("alloc-names", "cases")
"""Stands where the recordings of a real family would."""


def judge_sum(vector: Mapping[str, Any], context: Context) -> Iterator[Difference]:
    match vector["a"], vector["b"]:
        case (None, _) | (_, None):
            raise Undecided("a number is missing")
        case int(a), int(b):
            if a == b:
                context.note("twins")
                context.forgive("chosen-port")
            yield from compare(vector["sum"], a + b, "sum", (("sum", "SUM-01"),))
            yield from compare(vector.get("product", a * b), a * b, "product", (("", "SUM-02"),))
        case str(), _:
            raise Unsupported("words are not added")
        case _:
            raise InputError("sum", "a number was expected", at="a")


def use_addition(patch: pytest.MonkeyPatch) -> None:
    """Let every recording be judged as an addition."""

    def find_judge(_kind: Kind) -> Judge:
        return judge_sum

    patch.setattr(check, "find_judge", find_judge)
