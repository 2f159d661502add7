"""Compares what was recorded with what the model says: exactly, in the order of the recording."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from nomadspec.checkers.oracle.judgement import ABSENT, Difference
from nomadspec.checkers.oracle.paths import fits, step_into
from nomadspec.checkers.oracle.plain_json import write_plain

Rules = Sequence[tuple[str, str]]
"""Rows of (pattern, rule ID): the first pattern that fits the path of a difference names the rule."""


def compare(recorded: object, model: object, path: str = "", rules: Rules = ()) -> Iterator[Difference]:
    """Yield the differences of two JSON trees.

    A boolean is no number, and a whole number equals a fraction only where the model holds a fraction.
    """
    match recorded, model:
        case Mapping(), Mapping():
            yield from _compare_maps(recorded, model, path, rules)
        case (list() | tuple(), list() | tuple()):
            yield from _compare_lists(recorded, model, path, rules)
        case _ if not _is_same(recorded, model):
            yield Difference(path, recorded, model, find_rule(path, rules))


def compare_rows(
    recorded: msgspec.Struct, model: msgspec.Struct, path: str = "", rules: Rules = ()
) -> Iterator[Difference]:
    """Yield the differences of two objects as they are written; those that are equal are written alike."""
    if recorded != model:
        yield from compare(write_plain(recorded), write_plain(model), path, rules)


def compare_sets(
    recorded: Iterable[Any], model: Iterable[Any], path: str = "", rules: Rules = ()
) -> Iterator[Difference]:
    """Yield one difference where two lists hold other elements; their order does not matter."""
    told, computed = list(recorded), list(model)
    if Counter(map(repr, told)) != Counter(map(repr, computed)):
        yield Difference(path, told, computed, find_rule(path, rules))


def find_rule(path: str, rules: Rules) -> str:
    """Find the rule that decides what the model says at a path."""
    return next((rule for pattern, rule in rules if fits(pattern, path)), "")


def _compare_maps(
    recorded: Mapping[str, Any], model: Mapping[str, Any], path: str, rules: Rules
) -> Iterator[Difference]:
    for key in (*recorded, *(key for key in model if key not in recorded)):
        yield from compare(recorded.get(key, ABSENT), model.get(key, ABSENT), step_into(path, key), rules)


def _compare_lists(
    recorded: Sequence[Any], model: Sequence[Any], path: str, rules: Rules
) -> Iterator[Difference]:
    for position in range(max(len(recorded), len(model))):
        left = recorded[position] if position < len(recorded) else ABSENT
        right = model[position] if position < len(model) else ABSENT
        yield from compare(left, right, step_into(path, position), rules)


def _is_same(recorded: object, model: object) -> bool:
    if isinstance(model, float) and isinstance(recorded, int) and not isinstance(recorded, bool):
        return recorded == model
    return _is_one_kind(recorded, model) and recorded == model


def _is_one_kind(recorded: object, model: object) -> bool:
    if isinstance(recorded, str):
        return isinstance(model, str)  # the model may hold a member of an enumeration
    return type(recorded) is type(model)
