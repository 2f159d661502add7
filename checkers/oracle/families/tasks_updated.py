"""Judges the recordings of whether a changed group has to be replaced."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from typing import Any, Final, NoReturn

import msgspec

from nomadspec.checkers.oracle.compare import Rules, compare
from nomadspec.checkers.oracle.context import Context, Document
from nomadspec.checkers.oracle.judgement import ABSENT, Difference, Judge
from nomadspec.checkers.oracle.shape import Whole, read_entity, read_shape
from nomadspec.model.cluster.entities import Job
from nomadspec.model.cluster.policy.destructive import is_destructive
from nomadspec.model.errors import InputError

_RULES: Final[Rules] = (("", "GENERIC-56"),)


class Replacement(msgspec.Struct, frozen=True):
    """One value of the base that is replaced; null takes it away."""

    path: list[str | Whole]
    value: Any


class Vector(msgspec.Struct, frozen=True):
    """One recording: a base and what is replaced in a copy of it."""

    base: str
    set: list[Replacement]


class Base(msgspec.Struct, frozen=True):
    """A job that recordings change, and the group that is compared."""

    name: str
    group: str
    job: dict[str, Any]


def judge(vector: Mapping[str, Any], context: Context) -> Iterator[Difference]:
    """Change a copy of the base, and compare in both directions."""
    shape = read_shape(Vector, vector)
    base = _find_base(shape.base, context.read_sibling("bases"))
    changed = deepcopy(base.job)
    for position, replacement in enumerate(shape.set):
        _replace(changed, replacement, f"set[{position}].path")
    old, new = read_entity(Job, base.job, context), read_entity(Job, changed, context)
    answers = {
        "destructive": is_destructive(old, new, base.group),
        "destructive_reverse": is_destructive(new, old, base.group),
    }
    for name, answer in answers.items():
        yield from compare(vector.get(name, ABSENT), answer, name, _RULES)


def _find_base(name: str, bases: Iterable[Document]) -> Base:
    for document in bases:
        if document.get("name") == name:
            return read_shape(Base, document)
    raise InputError("the recording", f"there is no base {name!r} beside it", at="base")


def _replace(job: dict[str, Any], replacement: Replacement, at: str) -> None:
    """Put a value at its place, or take away what is there; records on the way that are not set are made."""
    place: Any = job
    *way, last = replacement.path or _refuse(at, "a path has at least one step")
    for step in way:
        place = (
            place.setdefault(step, {}) if _is_member(place, step) else place[_find_position(place, step, at)]
        )
    if _is_member(place, last):
        place[last] = replacement.value
    elif replacement.value is None:
        del place[_find_position(place, last, at)]
    else:
        place[_find_position(place, last, at)] = replacement.value


def _is_member(place: object, step: str | int) -> bool:
    return isinstance(place, dict) and isinstance(step, str)


def _find_position(place: object, step: str | int, at: str) -> int:
    if not isinstance(place, list) or not isinstance(step, int) or not 0 <= step < len(place):
        _refuse(at, f"the base has nothing at {step!r}")
    return step


def _refuse(at: str, problem: str) -> NoReturn:
    raise InputError("the recording", problem, at=at)


JUDGES: Final[Mapping[str, Judge]] = {"cases": judge}
