"""Judges the recordings of the index that gives out names of allocations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Final

import msgspec

from nomadspec.checkers.oracle.compare import Rules, compare
from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.judgement import Difference, Judge
from nomadspec.checkers.oracle.shape import Whole, read_shape
from nomadspec.model.cluster.policy.names import NameIndex, index_names

RULES: Final[Rules] = (
    ("duplicates", "REC-60"),
    ("initial", "REC-56"),
    ("is_duplicate_before", "REC-60"),
    ("is_duplicate_after", "REC-61"),
)
_RULES_BY_OPERATION: Final[Mapping[str, str]] = {
    "next": "REC-58",
    "highest": "REC-57",
    "next-canaries": "REC-59",
    "unset": "REC-61",
    "is-duplicate": "REC-60",
}


Count = Annotated[int, msgspec.Meta(ge=0, le=100_000)]
"""How many names are asked for; no job may have as many."""


class Next(msgspec.Struct, frozen=True, tag_field="op", tag="next"):
    """The smallest unused names are asked for."""

    n: Count


class Highest(msgspec.Struct, frozen=True, tag_field="op", tag="highest"):
    """The largest used names are taken away."""

    n: Count


class NextCanaries(msgspec.Struct, frozen=True, tag_field="op", tag="next-canaries"):
    """Names of canaries are asked for."""

    n: Count
    existing_canaries: list[str]
    destructive: list[str]


class Unset(msgspec.Struct, frozen=True, tag_field="op", tag="unset"):
    """An index is given back."""

    index: Whole


class IsDuplicate(msgspec.Struct, frozen=True, tag_field="op", tag="is-duplicate"):
    """Whether an index has several holders is asked."""

    index: Whole


Operation = Next | Highest | NextCanaries | Unset | IsDuplicate


class Vector(msgspec.Struct, frozen=True):
    """One recording: an index and what is done with it."""

    job: str
    group: str
    count: Whole
    existing: list[str]
    initial: dict[str, Any]
    ops: list[Operation]


def judge(vector: Mapping[str, Any], context: Context) -> Iterator[Difference]:
    """Follow an index through all that is done with it."""
    shape = read_shape(Vector, vector)
    index = index_names(shape.job, shape.group, shape.count, shape.existing, profile=context.profile)
    yield from compare(shape.initial, _show(index), "initial", RULES)
    for position, (operation, recorded) in enumerate(zip(shape.ops, vector["ops"], strict=True)):
        answer, index = _apply(index, operation)
        answer["state"] = _show(index)
        asked = {"op", *operation.__struct_fields__}
        told = {key: value for key, value in recorded.items() if key not in asked}
        if isinstance(operation, Highest) and isinstance(told.get("answer"), list):
            told["answer"] = sorted(told["answer"], key=str)  # a set
        path = f"ops[{position}]"
        yield from compare(told, answer, path, (*RULES, ("", _RULES_BY_OPERATION[recorded["op"]])))


def _apply(index: NameIndex, operation: Operation) -> tuple[dict[str, Any], NameIndex]:
    """Do one operation, and give what it answers and the index after it."""
    match operation:
        case Next(n=count):
            names, after = index.with_next(count)
            return {"answer": list(names)}, after
        case Highest(n=count):
            taken, after = index.without_highest(count)
            return {"answer": sorted(taken)}, after
        case NextCanaries(n=count, existing_canaries=canaries, destructive=destructive):
            names, after = index.with_next_canaries(count, canaries, destructive)
            return {"answer": list(names)}, after
        case Unset(index=given_back):
            after = index.without(given_back)
            before = index.is_duplicate(given_back)
            marks = {"is_duplicate_before": before, "is_duplicate_after": after.is_duplicate(given_back)}
            return marks, after
        case IsDuplicate(index=asked):
            mark = index.is_duplicate(asked)
            return {"answer": mark, "is_duplicate_after": mark}, index


def _show(index: NameIndex) -> dict[str, Any]:
    return {
        "size": index.size,
        "used": sorted(index.used),
        "duplicates": {str(key): extra for key, extra in index.extra_uses.items()},
    }


JUDGES: Final[Mapping[str, Judge]] = {"cases": judge}
