"""Budgets: the cells that count what the environment does, and how far packed worlds used them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nomadspec.checkers.verdict import Budget

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from nomadspec.checkers.stepper.layout import Layout
    from nomadspec.model.language.bounded import BoundedModel


def list_budget_cells(bounded: BoundedModel) -> list[int]:
    """List the cells that count what the environment does."""
    return [cell for cells in _list_by_name(bounded).values() for cell in cells]


def find_highest(layout: Layout, worlds: Iterable[int], cells: Sequence[int]) -> dict[int, int]:
    """Find the highest value of some cells among packed worlds, less the lowest possible."""
    mask = layout.mask(cells)
    seen = {packed & mask for packed in worlds}
    return {cell: max((layout.raw(packed, cell) for packed in seen), default=0) for cell in cells}


def make_budgets(bounded: BoundedModel, highest: Mapping[int, int]) -> tuple[Budget, ...]:
    """Say how far each budget was used, given the highest value of its cells, less the lowest possible."""
    placed, intervals = bounded.frame.placed, bounded.frame.intervals
    return tuple(
        Budget(
            name,
            placed[name].interval.high,
            max((highest[cell] + intervals[cell].low for cell in cells), default=0),
        )
        for name, cells in _list_by_name(bounded).items()
    )


def _list_by_name(bounded: BoundedModel) -> dict[str, range]:
    return {
        name: range(place.base, place.base + place.span)
        for name, place in bounded.frame.placed.items()
        if place.field.is_budget
    }
