"""Compares what was recorded with what the model says: exactly, in the order of the recording."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final

from nomadspec.checkers.oracle.judgement import ABSENT, Difference

Rules = Sequence[tuple[str, str]]
"""Rows of (pattern of paths, rule ID). The first row that fits decides.

A pattern is a run of whole steps of a path: ``state.ready`` fits ``ops[3].state.ready.service[0]``. A ``*``
stands for one step, ``[]`` for any position, and the empty pattern fits everything.
"""

_ANY_POSITION: Final = r"\[\d+\]"
_ANY_STEP: Final = r'(?:[^.\[\]]+|\["[^"]*"\])'
_PLAIN_NAME: Final = re.compile(r"[^.\[\]\"\s]+")


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


def fits(pattern: str, path: str) -> bool:
    """Tell whether a pattern fits a path."""
    return _compile(pattern).search(path) is not None


def step_into(path: str, key: str | int) -> str:
    """Extend a path by the name of a member or by a position."""
    if isinstance(key, int):
        return f"{path}[{key}]"
    if not _PLAIN_NAME.fullmatch(key):
        return f'{path}["{key}"]'
    return f"{path}.{key}" if path else key


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


@cache
def _compile(pattern: str) -> re.Pattern[str]:
    if not pattern:
        return re.compile("")
    body = re.escape(pattern).replace(r"\[\]", _ANY_POSITION).replace(r"\*", _ANY_STEP)
    return re.compile(rf"(?:^|\.|(?=\[)){body}(?=$|[.\[])")
