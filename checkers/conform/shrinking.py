"""Makes a question smaller on which a program is wrong, as long as it stays wrong."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from nomadspec.checkers.conform.conversation import Row, ask
from nomadspec.checkers.conform.judging import Terms, is_answered
from nomadspec.checkers.conform.program import Program
from nomadspec.checkers.conform.question_and_answer import Json
from nomadspec.checkers.oracle.paths import list_steps

MOST_ASKED: Final = 300
"""So many smaller questions are asked for one that is wrong."""

_WHOLE: Final = frozenset({"state", "initial", "config"})
"""Members without which there is no question of their kind; what is in them may go."""
_SMALL: Final = 1000
"""Numbers up to this one count something, and are tried smaller; larger ones are times and sizes."""


def shrink(program: Program, row: Row, terms: Terms, *, most: int = MOST_ASKED, seconds: float = 20.0) -> Row:
    """Ask smaller and smaller questions, and give the smallest on which the program is still wrong."""
    ends = time.monotonic() + seconds
    asked = 0
    is_smaller = True
    while is_smaller:
        is_smaller = False
        for smaller in _list_smaller(row):
            if asked >= most or time.monotonic() >= ends:
                return row
            question = replace(row.question, asked=smaller)
            if not is_answered(question, terms):
                continue
            asked += 1
            tried = ask(program, program.greet(), question, terms)
            if tried.said is row.said and _find_rule(tried) == _find_rule(row):
                row, is_smaller = tried, True
                break
    return row


def _find_rule(row: Row) -> str:
    """Find the rule that an answer breaks first: a smaller question is to break the same."""
    return row.judged.differences[0].rule if row.judged and row.judged.differences else ""


def _list_smaller(row: Row) -> Iterator[dict[str, Json]]:
    """List smaller questions, those first from which most is gone."""
    asked = dict(row.question.asked)
    for name in ("ops", "entries"):
        steps = asked.get(name)
        if isinstance(steps, list):
            end = _find_end(row, name)
            if end < len(steps):
                yield {**asked, name: steps[:end]}
    for smaller in _cut(asked, 0):
        if isinstance(smaller, dict):
            yield smaller


def _find_end(row: Row, name: str) -> int:
    """Find the step after the one where an answer first differs: what comes later does not matter."""
    for difference in row.judged.differences if row.judged else ():
        steps = list(list_steps(difference.path))
        if len(steps) > 1 and steps[0] == name and isinstance(steps[1], int):
            return steps[1] + 1
    return 1_000_000


def _cut(tree: Json, depth: int) -> Iterator[Json]:
    """Leave out runs of lists and members, longer and outer ones first; make counts smaller."""
    match tree:
        case list():
            yield from _cut_list(tree)
            for at, item in enumerate(tree):
                yield from ([*tree[:at], smaller, *tree[at + 1 :]] for smaller in _cut(item, depth + 1))
        case Mapping():
            for name in tree:
                if depth and name not in _WHOLE:
                    yield {other: item for other, item in tree.items() if other != name}
            for name, item in tree.items():
                yield from ({**tree, name: smaller} for smaller in _cut(item, depth + 1))
        case bool():
            return
        case int() if 0 < tree <= _SMALL:
            yield from dict.fromkeys((0, tree // 2, tree - 1))


def _cut_list(items: list[Json]) -> Iterator[list[Json]]:
    length = len(items)
    while length:
        for start in range(0, len(items), length):
            yield [*items[:start], *items[start + length :]]
        length //= 2
