"""Why no way explains a line: what was recorded, what is possible instead, and which condition fails."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from nomadspec.checkers.follow.report import Rejection, Unlike
from nomadspec.checkers.stepper.reasons import Reason, list_failing
from nomadspec.model.language.story import label_instance

if TYPE_CHECKING:
    from collections.abc import Iterable

    from nomadspec.checkers.follow.log import Entry, Observed
    from nomadspec.checkers.follow.steps import WorkingSteps
    from nomadspec.checkers.stepper.layout import Layout
    from nomadspec.model.language.bounded import BoundedModel, Cells

_MOST_WORLDS: Final = 500
"""So many worlds are looked at to find the nearest."""
_MOST_TOLD: Final = 12


def explain(
    bounded: BoundedModel, layout: Layout, stepper: WorkingSteps, worlds: list[int], entry: Entry
) -> Rejection:
    """Say of a line that nothing explains how it differs from what is possible in some worlds."""
    cells = [layout.unpack(packed) for packed in worlds]
    fitting = [
        packed for packed, one in zip(worlds, cells, strict=True) if not _count_unlike(one, entry.before)
    ]
    possible = _list_possible(bounded, stepper, fitting or worlds)

    def reject(sentence: str, unlike: tuple[Unlike, ...] = (), reasons: tuple[Reason, ...] = ()) -> Rejection:
        return Rejection(entry.line, entry.text, sentence, unlike, reasons, possible)

    if not fitting:
        unlike = find_unlike(bounded, cells, entry.before)
        return reject("What was seen before the step cannot be there.", unlike)
    afters = [
        layout.unpack(after)
        for packed in fitting
        for position, after in stepper.successors(packed)
        if position in entry.positions
    ]
    if not entry.rules:
        afters = [layout.unpack(packed) for packed in fitting]
    if afters:
        unlike = find_unlike(bounded, afters, entry.after)
        return reject("What was seen after the step does not come of it.", unlike)
    failing = _find_failing(stepper, fitting, entry)
    if failing is not None:
        return reject(failing)
    names = " or ".join(entry.rules)
    reasons = _list_reasons(bounded, [layout.unpack(packed) for packed in fitting[:_MOST_WORLDS]], entry)
    return reject(f"{names} cannot happen there as recorded.", (), reasons)


def _find_failing(stepper: WorkingSteps, worlds: list[int], entry: Entry) -> str | None:
    """Say how a step that the line may be fails, so that there is no world after it; None where none does."""
    for packed in worlds[:_MOST_WORLDS]:
        for failure in stepper.list_failing(packed):
            if failure.instance is not None and failure.instance.number in entry.positions:
                return f"{failure.instance.rule.name} can happen there, and fails: {failure.sentence}"
    return None


def _count_unlike(cells: Cells, observed: Observed) -> int:
    return sum(cells[cell] != value for cell, value in observed.items())


def find_unlike(bounded: BoundedModel, worlds: list[Cells], observed: Observed) -> tuple[Unlike, ...]:
    """List what differs in the world that is nearest to what was seen, with the values possible in any."""
    nearest = min(worlds, key=lambda cells: _count_unlike(cells, observed))
    found = []
    for cell, value in observed.items():
        if nearest[cell] != value:
            interval = bounded.frame.intervals[cell]
            possible = dict.fromkeys([nearest[cell], *sorted({cells[cell] for cells in worlds})])
            told = tuple(interval.label(one) for one in list(possible)[:_MOST_TOLD])
            found.append(Unlike(bounded.frame.cell_names[cell], interval.label(value), told))
    return tuple(found)


def _list_reasons(bounded: BoundedModel, worlds: list[Cells], entry: Entry) -> tuple[Reason, ...]:
    """Say of each rule that the line may be which conditions fail of the instance that comes nearest."""
    reasons = []
    for name in entry.rules:
        own = [
            bounded.traced[at] for at in sorted(entry.positions) if bounded.instances[at].rule.name == name
        ]
        failing = [
            (list_failing(bounded, traced, cells), traced.instance) for cells in worlds for traced in own
        ]
        if not failing:
            reasons.append(Reason(name, "", (), ()))
            continue
        fails, instance = min(failing, key=lambda found: len(found[0]))
        reasons.append(Reason(name, str(label_instance(bounded, instance)), fails, ()))
    return tuple(sorted(reasons, key=lambda reason: (not reason.application, len(reason.fails))))


def _list_possible(bounded: BoundedModel, stepper: WorkingSteps, worlds: Iterable[int]) -> tuple[str, ...]:
    """List what can happen in some worlds, in the order of the rules."""
    positions: set[int] = set()
    for packed, _ in zip(worlds, range(_MOST_WORLDS), strict=False):
        positions.update(position for position, _ in stepper.successors(packed))
    chosen = sorted(positions)[:_MOST_TOLD]
    return tuple(str(label_instance(bounded, bounded.instances[position])) for position in chosen)
