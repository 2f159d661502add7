"""Properties that are true by definition in a scope: whatever the worlds are, their text says yes.

A property whose condition is a size of the scope says nothing there. That is no fault, but who reads that it
holds should know.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from nomadspec.model.errors import ModelError
from nomadspec.model.language.property import Kind
from nomadspec.model.language.trace import blaming, trace_cells

if TYPE_CHECKING:
    from nomadspec.model.language.bounded import BoundedModel
    from nomadspec.model.language.property import Property

BY_DEFINITION = "true by definition here"
"""What reports say of them."""
_FAR: Final = 1 << 20
"""So far beyond its domain a cell may be, where it is left."""


def list_defined(bounded: BoundedModel, properties: Iterable[Property]) -> frozenset[str]:
    """Name the ``always`` and ``step`` properties whose text comes to yes before any cell is known.

    Where a start rule fails nothing is asked, so nothing is defined either.
    """
    if bounded.failing_starts:
        return frozenset()
    return frozenset(prop.name for prop in properties if _is_defined(bounded, prop))


def leans_on_domains(bounded: BoundedModel, prop: Property) -> bool:
    """True if an ``always`` is true by definition only as long as each cell is within its domain."""
    if prop.kind is not Kind.ALWAYS:
        return False
    wider = [None if one.is_flag else (one.low - _FAR, one.high + _FAR) for one in bounded.frame.intervals]
    try:
        return prop(bounded.world(trace_cells(bounded.frame, wider))) is not True
    except ModelError:  # as where a number that is an index is none any more
        return True


def _is_defined(bounded: BoundedModel, prop: Property) -> bool:
    if prop.kind is Kind.STEP:
        return bool(bounded.traced) and all(
            bounded.pairs.read_apart(prop, traced) is True for traced in bounded.traced
        )
    if prop.kind is not Kind.ALWAYS:
        return False
    with blaming(f"Property {prop.name}", prop.file, prop.line):
        return prop(bounded.world(bounded.cell_terms)) is True
