"""Takes a recording apart: what was asked, what was recorded, and what the model says instead."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from nomadspec.checkers.oracle.answers import is_answer
from nomadspec.checkers.oracle.context import Document
from nomadspec.checkers.oracle.judgement import ABSENT, Difference
from nomadspec.checkers.oracle.paths import list_steps, step_into


@dataclass(frozen=True, slots=True)
class Sides:
    """A recording in three parts; the last two have the same shape where they agree."""

    asked: Any
    recorded: Any
    model: Any


def split(kind: str, document: Document, differences: Iterable[Difference]) -> Sides:
    """Take a recording apart; what the model says is the recording with the differences put in."""
    changed = document
    for difference in differences:
        changed = put(changed, list(list_steps(difference.path)), difference.model)
    return Sides(
        asked=keep(document, kind, answers=False),
        recorded=keep(document, kind, answers=True),
        model=keep(changed, kind, answers=True),
    )


def keep(tree: Any, kind: str, *, answers: bool, path: str = "") -> Any:  # noqa: ANN401 -- whatever JSON can hold
    """Keep the answers of a tree, or all the rest; ABSENT where nothing is left."""
    if is_answer(kind, path):
        return tree if answers else ABSENT
    match tree:
        case Mapping():
            members = {
                name: keep(item, kind, answers=answers, path=step_into(path, name))
                for name, item in tree.items()
            }
            kept = {name: item for name, item in members.items() if item is not ABSENT}
            return kept if kept or not (tree or answers) else ABSENT
        case list():
            items = [
                keep(item, kind, answers=answers, path=step_into(path, at)) for at, item in enumerate(tree)
            ]
            return ABSENT if answers and all(item is ABSENT for item in items) else items
    return ABSENT if answers else tree


def put(tree: Any, steps: list[str | int], value: Any) -> Any:  # noqa: ANN401 -- whatever JSON can hold
    """Copy a tree with another value at a place; ABSENT takes what is there away."""
    if not steps:
        return value
    step, rest = steps[0], steps[1:]
    if isinstance(step, int):
        return _put_item(tree if isinstance(tree, list) else [], step, rest, value)
    members = dict(tree) if isinstance(tree, Mapping) else {}
    if not rest and value is ABSENT:
        members.pop(step, None)
    else:
        members[step] = put(members.get(step), rest, value)
    return members


def _put_item(items: list[Any], at: int, rest: list[str | int], value: Any) -> list[Any]:  # noqa: ANN401 -- as above
    inner = put(items[at] if at < len(items) else None, rest, value)
    return [*items[:at], inner, *items[at + 1 :]]


def list_leaves(tree: Any, path: str = "") -> Iterator[tuple[str, Any]]:  # noqa: ANN401 -- as above
    """List what is no list or object of a tree, or an empty one, each with its path."""
    if isinstance(tree, Mapping) and tree:
        for name, item in tree.items():
            yield from list_leaves(item, step_into(path, name))
    elif isinstance(tree, list) and tree:
        for at, item in enumerate(tree):
            yield from list_leaves(item, step_into(path, at))
    elif tree is not ABSENT:
        yield path, tree
