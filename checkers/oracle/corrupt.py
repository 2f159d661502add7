"""Corrupts recordings, one answer at a time: a judge that is any good rejects what comes out.

Nothing is drawn at random: a digest of the place and the seed chooses, so the same seed gives the same
corruptions everywhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from functools import partial
from typing import Any, Final, TypeVar

import xxhash

from nomadspec.checkers.oracle.answers import is_answer
from nomadspec.checkers.oracle.context import Document
from nomadspec.checkers.oracle.paths import list_steps, step_into
from nomadspec.checkers.oracle.sides import list_leaves, put
from nomadspec.model.cluster.constraints.eligibility import ClassStatus
from nomadspec.model.cluster.entities import (
    AllocClient,
    AllocDesired,
    DeploymentStatus,
    Eligibility,
    EvalStatus,
    JobStatus,
    NodeStatus,
)
from nomadspec.model.cluster.policy.reschedule_filter import Placing

Item = TypeVar("Item")

_SPELLED: Final[tuple[type[StrEnum], ...]] = (
    AllocClient,
    AllocDesired,
    EvalStatus,
    DeploymentStatus,
    NodeStatus,
    Eligibility,
    JobStatus,
    ClassStatus,
    Placing,
)
STATUSES: Final = tuple(tuple(member.value for member in family) for family in _SPELLED)
"""Families of words of which one may be mistaken for another."""

_ID: Final = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[a-z]\d\d")
_TIME: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d")


@dataclass(frozen=True, slots=True)
class Corruption:
    """A recording with one answer changed."""

    path: str
    how: str
    before: Any
    after: Any
    document: Document


def list_corruptions(
    kind: str, document: Document, *, seed: int = 0, most: int | None = None
) -> list[Corruption]:
    """Corrupt every answer of a recording, each in its own copy; of many, choose ``most``."""
    ids, places = list_ids(document), list_answers(kind, document)
    ranked = sorted(places, key=lambda place: _digest(seed, "rank", place[0])) if most else places
    found: list[Corruption] = []
    for path, value in ranked:
        found += corrupt_answer(document, path, value, ids, seed=seed)
        if most and len(found) >= most:
            break
    return found[:most]


def list_ids(document: Document) -> list[str]:
    """List the IDs in a recording, of which one may be mistaken for another."""
    return sorted({value for _, value in list_leaves(document) if _is_id(value)})


def list_answers(kind: str, document: Document) -> list[tuple[str, Any]]:
    """List the answers of a recording, and what is in them."""
    return [(path, value) for path, value in list_places(document) if is_answer(kind, path)]


def corrupt_answer(
    document: Document,
    path: str,
    value: Any,  # noqa: ANN401 -- whatever JSON can hold
    ids: Sequence[str],
    *,
    seed: int = 0,
) -> list[Corruption]:
    """Corrupt one answer of a recording, in each way that its kind knows."""
    steps = list(list_steps(path))
    return [
        Corruption(path, how, value, after, put(document, steps, after))
        for how, after in corrupt(value, ids, path, seed=seed)
    ]


def list_places(tree: Any, path: str = "") -> Iterator[tuple[str, Any]]:  # noqa: ANN401 -- whatever JSON can hold
    """List every value of a tree, containers included."""
    if path:
        yield path, tree
    if isinstance(tree, Mapping):
        for name, item in tree.items():
            yield from list_places(item, step_into(path, name))
    elif isinstance(tree, list):
        for at, item in enumerate(tree):
            yield from list_places(item, step_into(path, at))


def corrupt(value: Any, ids: Sequence[str], path: str, *, seed: int = 0) -> Iterator[tuple[str, Any]]:  # noqa: ANN401 -- whatever JSON can hold
    """Corrupt one value, in each way that its kind knows; IDs become others of those that exist."""
    return _corrupt(value, ids, partial(draw, seed, path))


Choose = Callable[[Sequence[Any]], Any]


def _corrupt(value: Any, ids: Sequence[str], choose: Choose) -> Iterator[tuple[str, Any]]:  # noqa: ANN401 -- as above
    match value:
        case bool():
            yield "flipped", not value
        case int():
            yield "changed", value + choose((1, -1))
        case float():
            yield "changed", value + max(abs(value), 1.0) * 1e-6
        case str():
            yield _corrupt_text(value, ids, choose)
        case list():
            yield from _corrupt_list(value, choose)
        case Mapping():
            yield from _corrupt_map(value, choose)
        case None:
            yield "set", choose(("2031-05-18T08:16:40Z", 1, "x"))


def _corrupt_text(text: str, ids: Sequence[str], choose: Choose) -> tuple[str, str]:
    others = [one for one in ids if one != text]
    if _is_id(text) and others:
        return "another ID", choose(others)
    words = [family for family in STATUSES if text in family]
    if words:
        return "another status", choose([word for word in choose(words) if word != text])
    if _TIME.match(text):
        return "another time", shift_time(text)
    return "changed", f"x{text}"


def _corrupt_list(items: list[Any], choose: Choose) -> Iterator[tuple[str, Any]]:
    if items:
        at = choose(range(len(items)))
        yield "dropped", [*items[:at], *items[at + 1 :]]
        yield "doubled", [*items[: at + 1], *items[at:]]
    else:
        yield "added", ["x"]


def _corrupt_map(members: Mapping[str, Any], choose: Choose) -> Iterator[tuple[str, Any]]:
    names = list(members)
    if not names:
        yield "added", {"x": 1}
        return
    name = choose(names)
    yield "dropped", {key: item for key, item in members.items() if key != name}
    yield "renamed", {f"{key}x" if key == name else key: item for key, item in members.items()}
    lists = [key for key, item in members.items() if isinstance(item, list) and item]
    if len(lists) > 1:
        yield "moved", _move(members, lists, choose)


def _move(members: Mapping[str, Any], lists: Sequence[str], choose: Choose) -> dict[str, Any]:
    """Move the last element of a list to the end of another."""
    source = choose(lists)
    target = choose([name for name in lists if name != source])
    *left, moved = members[source]
    return {**members, source: left, target: [*members[target], moved]}


def shift_time(text: str) -> str:
    """Give the time one second later."""
    moved = datetime.fromisoformat(text[:19]) + timedelta(seconds=1)
    return moved.isoformat() + text[19:]


def _is_id(value: object) -> bool:
    return isinstance(value, str) and _ID.fullmatch(value) is not None


def draw(seed: int, path: str, options: Sequence[Item]) -> Item:
    """Choose one of some options by a digest of the place."""
    return options[_digest(seed, "choice", path) % len(options)]


def _digest(seed: int, use: str, path: str) -> int:
    return xxhash.xxh3_64_intdigest(f"{seed} {use} {path}".encode())
