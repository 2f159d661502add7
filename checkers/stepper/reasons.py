"""Why no step of a model leads from one world to another: of each rule the instance that comes nearest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from nomadspec.checkers.stepper.evaluate import evaluate
from nomadspec.checkers.stepper.wording import describe_term
from nomadspec.model.language.story import label_instance

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from nomadspec.model.language.bounded import BoundedModel, Cells
    from nomadspec.model.language.trace import TracedInstance

Label = str | int | bool


@dataclass(frozen=True, slots=True)
class Difference:
    """A cell that a step would leave otherwise than wanted."""

    cell: str
    becomes: Label
    wanted: Label


@dataclass(frozen=True, slots=True)
class Reason:
    """Why the nearest instance of a rule is not the wanted step: what of its guard fails, what differs."""

    rule: str
    application: str
    """Empty where the rule can never happen in the scope."""
    fails: tuple[str, ...]
    differs: tuple[Difference, ...]


def list_reasons(bounded: BoundedModel, before: Cells, after: Cells) -> list[Reason]:
    """Say of each rule why it does not lead from one world to the other, the nearest rule first."""
    found = []
    for rule in bounded.model.rules:
        own = (traced for traced in bounded.traced if traced.instance.rule is rule)
        reasons = [_find_reason(bounded, traced, before, after) for traced in own]
        found.append(min(reasons, key=_count) if reasons else Reason(rule.name, "", (), ()))
    return sorted(found, key=lambda reason: (not reason.application, _count(reason)))


def list_failing(bounded: BoundedModel, traced: TracedInstance, cells: Cells) -> tuple[str, ...]:
    """List the conditions of an instance that fail in a world."""
    failing = (flag for flag in traced.guard if not evaluate(flag, cells))
    return tuple(describe_term(bounded.frame, flag) for flag in failing)


def list_differences(
    bounded: BoundedModel, becomes: Cells, wanted: Cells, among: Iterable[int] | None = None
) -> Iterator[Difference]:
    """List the cells (among some) that two worlds have otherwise."""
    names, intervals = bounded.frame.cell_names, bounded.frame.intervals
    for cell in range(len(names)) if among is None else among:
        if becomes[cell] != wanted[cell]:
            interval = intervals[cell]
            yield Difference(names[cell], interval.label(becomes[cell]), interval.label(wanted[cell]))


def _find_reason(bounded: BoundedModel, traced: TracedInstance, before: Cells, after: Cells) -> Reason:
    becomes = list(before)
    for cell, value in traced.writes.items():
        becomes[cell] = evaluate(value, before)
    admitted = [
        new if bounded.frame.intervals[cell].admits(new) else before[cell] for cell, new in enumerate(becomes)
    ]
    return Reason(
        traced.instance.rule.name,
        str(label_instance(bounded, traced.instance)),
        list_failing(bounded, traced, before),
        tuple(list_differences(bounded, tuple(admitted), after)),
    )


def _count(reason: Reason) -> int:
    return len(reason.fails) + len(reason.differs)
