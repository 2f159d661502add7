"""What the model answers: a judge is shown a question without an answer, and says what is missing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from nomadspec.checkers.conform.question_and_answer import Json, take_answer
from nomadspec.checkers.oracle.check import find_differences
from nomadspec.checkers.oracle.context import Context, Document
from nomadspec.checkers.oracle.judgement import ABSENT, Difference
from nomadspec.checkers.oracle.paths import list_steps
from nomadspec.checkers.oracle.reading import Line
from nomadspec.checkers.oracle.registry import Kind

HIDDEN: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {"blocked/sequences": frozenset({"enqueued", "broker_requeue"})}
)
"""Answers of steps that a judge is not shown.

From them the judge of blocked evals guesses what else was offered to the broker behind them.
Nothing is, where a question says all that is done.
"""

_BLANKS: Final[Mapping[str, Document]] = MappingProxyType(
    {
        "alloc-names/cases": {"initial": {}},
        "fit-and-score/allocs-fit": {"dimension": ""},
        "job-admission/admission": {"changes": []},
        "job-admission/api-defaults": {"result": {}},
        "job-admission/job-update": {"error": None},
        "job-admission/spec-changed": {"changed": False},
        "plan-applier/plans": {"nodes": {}},
    }
)
"""Members without which a judge cannot read a recording."""

_BLANK_STEPS: Final[Mapping[str, Document]] = MappingProxyType(
    {
        "broker/sequences": {"answer": None},
        "state-store/sequences": {"tables": {}, "indexes": {}},
    }
)
"""The same, in each step of a sequence."""


_ROWS: Final = frozenset({"created", "changed"})
"""Members that are lists of rows, which differences name by their keys."""


@dataclass(frozen=True, slots=True)
class Modelled:
    """What the model answers, given the choices of an answer, and the rule of each place that differs."""

    answer: dict[str, Json]
    differences: tuple[Difference, ...]


def compute_answer(kind: Kind, document: Document, context: Context) -> Modelled:
    """Compute the model's answer to what a recording asks; where it is free, it follows the recording."""
    shown = show_to_judge(kind.name, document)
    differences = tuple(find_differences(kind, Line("the question", 0, shown), context))
    whole = apply_differences(shown, differences)
    return Modelled(take_answer(kind.name, whole), differences)


def show_to_judge(kind: str, document: Document) -> dict[str, Json]:
    """Give a recording what its judge needs to read it, and take away what would mislead it."""
    blanks, hidden = _BLANK_STEPS.get(kind, {}), HIDDEN.get(kind, frozenset())
    shown: dict[str, Json] = {"id": "the question", **_BLANKS.get(kind, {}), **document}
    for name in ("ops", "entries"):
        if isinstance(shown.get(name), list):
            shown[name] = [_show_step(step, blanks, hidden) for step in shown[name]]
    return shown


def _show_step(step: Json, blanks: Document, hidden: frozenset[str]) -> Json:
    if not isinstance(step, Mapping):
        return step
    given = {name: item for name, item in step.items() if name not in hidden}
    if "answer" in blanks and step.get("op") != "dequeue":
        return given
    return {**blanks, **given}


def apply_differences(document: Document, differences: Iterable[Difference]) -> Any:  # noqa: ANN401 -- what JSON can hold
    """Put what the model says in the place of what was recorded."""
    changed: Any = document
    for difference in differences:
        changed = _put(changed, list(list_steps(difference.path)), difference.model)
    return _prune(changed)


def _put(tree: Any, steps: list[str | int], value: Any) -> Any:  # noqa: ANN401 -- as above
    """Copy a tree with another value at a place; a row that a list lacks is named by its key."""
    if not steps:
        return value
    step, rest = steps[0], steps[1:]
    if isinstance(step, int):
        items = tree if isinstance(tree, list) else []
        inner = _put(items[step] if step < len(items) else None, rest, value)
        return [*items[:step], inner, *items[step + 1 :]]
    if isinstance(tree, list):
        return [*tree, value]
    members = tree if isinstance(tree, Mapping) else {}
    below = [] if step in _ROWS and members.get(step) is None and rest else members.get(step)
    return {**members, step: _put(below, rest, value)}


def _prune(tree: Any) -> Any:  # noqa: ANN401 -- as above
    match tree:
        case Mapping():
            return {name: _prune(item) for name, item in tree.items() if item is not ABSENT}
        case list() | tuple():
            return [_prune(item) for item in tree if item is not ABSENT]
    return tree
