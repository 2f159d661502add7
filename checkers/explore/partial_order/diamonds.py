"""Whether footprints are true: each step is taken by the interpreter, alone and with each independent one.

A rule whose text does on values what it did not show on terms, or a footprint that leaves something out,
would make a search with fewer steps say ``holds`` too soon. In a world that is looked at, a step may change
only the cells that it is said to write; it may switch on or off only what reads them; and of two steps that
are called independent either may come first, with the same world at the end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nomadspec.model.errors import ModelError

if TYPE_CHECKING:
    from nomadspec.checkers.explore.partial_order.partial_order import PartialOrder
    from nomadspec.model.language.bounded import BoundedModel, Cells


def check_diamonds(bounded: BoundedModel, order: PartialOrder, cells: Cells) -> None:
    """Check every possible step of a world, and every pair of independent ones."""
    after = {at: _step(bounded, cells, at) for at in range(len(bounded.instances))}
    possible = {at: target for at, target in after.items() if target is not None}
    for at, target in possible.items():
        _check_writes(bounded, order, at, cells, target)
        _check_values(bounded, order, at, target)
        for other in range(len(bounded.instances)):
            if other == at or order.relations.disturbing[at] >> other & 1:
                continue
            then = _step(bounded, target, other)
            if (then is not None) != (other in possible) and not _may_switch(order, at, other):
                raise _complain(bounded, at, other, "one decides whether the other is possible")
            if other > at and other in possible and then != _step(bounded, possible[other], at):
                raise _complain(bounded, at, other, "their order changes where they lead")


def _step(bounded: BoundedModel, cells: Cells, at: int) -> Cells | None:
    return bounded.step(cells, bounded.instances[at])


def _check_writes(bounded: BoundedModel, order: PartialOrder, at: int, cells: Cells, target: Cells) -> None:
    for cell, (old, new) in enumerate(zip(cells, target, strict=True)):
        if old != new and cell not in order.footprints[at].writes:
            raise ModelError(
                f"The rule {_name(bounded, at)} changes {bounded.frame.cell_names[cell]}, which is not among "
                "the cells that it is said to write: explore without partial order."
            )


def _check_values(bounded: BoundedModel, order: PartialOrder, at: int, target: Cells) -> None:
    """Check that a step and the world after it were thought possible."""
    for cell, (value, known) in enumerate(zip(target, order.facts.cells, strict=True)):
        if not order.facts.possible[at] or (known is not None and value not in known):
            name = bounded.frame.cell_names[cell]
            raise ModelError(
                f"The rule {_name(bounded, at)} leads to a world ({name} = {value}) that it was not thought "
                "to lead to from what its text says of terms: explore without partial order."
            )


def _may_switch(order: PartialOrder, at: int, other: int) -> bool:
    """True if one step writes what the other reads, though they are never possible together."""
    return not order.footprints[at].writes.isdisjoint(order.footprints[other].reads)


def _complain(bounded: BoundedModel, at: int, other: int, what: str) -> ModelError:
    return ModelError(
        f"The rules {_name(bounded, at)} and {_name(bounded, other)} are said to be independent by what they "
        f"read and write, but {what}: explore without partial order."
    )


def _name(bounded: BoundedModel, at: int) -> str:
    return bounded.instances[at].rule.name
