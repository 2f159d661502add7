"""Takes a recording apart into question and answer, and puts a question and any answer together."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from nomadspec.checkers.oracle import answers
from nomadspec.checkers.oracle.context import Document
from nomadspec.checkers.oracle.judgement import ABSENT
from nomadspec.checkers.oracle.paths import fits, step_into

Json = Any
"""What JSON can hold."""

_GIVEN: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType({"broker/sequences": ("ops[].t_ms",)})
"""What a recording shows as an answer and a question tells: how far the clock is after each operation."""

_FURTHER: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {"plan-applier/plans": ("order_dependent",)}
)
"""What follows from the answers and is shown beside them: a question does not tell it."""

_REMARKS: Final = frozenset({"tags", "note", "label", "change", "changes", "format", "nomad"})
"""What recordings hold for whoever reads them."""

_STEP: Final = re.compile(r"(?:ops|entries)\[\d+\]")
"""One of the steps of a sequence, which may have a remark of its own."""


class MalformedError(ValueError):
    """An answer is none: where, and why."""

    def __init__(self, path: str, problem: str) -> None:
        """Keep the place inside the answer, and what is wrong there."""
        self.path = path
        self.problem = problem
        super().__init__(f"{path or 'the answer'}: {problem}")


def is_answer(kind: str, path: str) -> bool:
    """True if a path leads to what an implementation answers, or into it."""
    if any(fits(f"^{member}", path) for member in _GIVEN.get(kind, ())):
        return False
    further = _FURTHER.get(kind, ())
    return answers.is_answer(kind, path) or any(fits(f"^{member}", path) for member in further)


def take_question(kind: str, document: Document) -> dict[str, Json]:
    """Take the question out of a recording: no answers, and nothing that is there for readers only."""
    bare = {name: item for name, item in document.items() if name not in _REMARKS and name != "id"}
    asked: dict[str, Json] = _keep(bare, kind, "", answers=False)
    return asked


def take_answer(kind: str, document: Document) -> dict[str, Json]:
    """Take the answer out of a recording; in a list each item keeps its place."""
    kept = _keep({name: item for name, item in document.items() if name != "id"}, kind, "", answers=True)
    answer: dict[str, Json] = {} if kept is ABSENT else kept
    return answer


def put_together(kind: str, question: Document, answer: Json) -> dict[str, Json]:
    """Make a recording of a question and an answer, if that is one.

    Whatever else than answers it holds is refused, so that no answer changes what was asked.
    """
    if not isinstance(answer, Mapping):
        raise MalformedError("", "an answer is an object")
    whole: dict[str, Json] = _merge(question, answer, kind, "")
    return whole


def _keep(tree: Json, kind: str, path: str, *, answers: bool) -> Json:
    """Keep the answers of a tree, or all the rest; ABSENT where nothing is left."""
    if path and is_answer(kind, path):
        return tree if answers else ABSENT
    match tree:
        case Mapping():
            return _keep_members(tree, kind, path, answers=answers)
        case list():
            items = [_keep(item, kind, step_into(path, at), answers=answers) for at, item in enumerate(tree)]
            if answers and all(item is ABSENT for item in items):
                return ABSENT
            return [{} if item is ABSENT else item for item in items]
    return ABSENT if answers else tree


def _keep_members(tree: Document, kind: str, path: str, *, answers: bool) -> Json:
    members = {
        name: _keep(item, kind, step_into(path, name), answers=answers)
        for name, item in tree.items()
        if answers or name != "note" or not _STEP.fullmatch(path)
    }
    kept = {name: item for name, item in members.items() if item is not ABSENT}
    return kept if kept or not (tree or answers) else ABSENT


def _merge(asked: Json, answer: Json, kind: str, path: str) -> Json:
    if isinstance(asked, Mapping) and isinstance(answer, Mapping):
        return {**asked, **{name: _merge_member(asked, name, answer[name], kind, path) for name in answer}}
    if isinstance(asked, list) and isinstance(answer, list):
        if len(answer) > len(asked):
            raise MalformedError(path, f"{len(answer)} answers, where {len(asked)} were asked for")
        pairs = enumerate(zip(asked, answer, strict=False))
        merged = [_merge(left, right, kind, step_into(path, at)) for at, (left, right) in pairs]
        return [*merged, *asked[len(answer) :]]
    raise MalformedError(path, "this is no part of an answer")


def _merge_member(asked: Document, name: str, answer: Json, kind: str, path: str) -> Json:
    inside = step_into(path, name)
    if is_answer(kind, inside):
        return answer
    if isinstance(asked.get(name), (Mapping, list)):
        return _merge(asked[name], answer, kind, inside)
    raise MalformedError(inside, "this is no member of an answer")
