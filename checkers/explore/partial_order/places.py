"""Which cells are looked at together: those that renaming exchanges, where worlds are renamed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nomadspec.checkers.explore.symmetry.geometry import Geometry

if TYPE_CHECKING:
    from nomadspec.model.language.bounded import BoundedModel


def number_places(bounded: BoundedModel, *, is_renamed: bool) -> list[int]:
    """Number the cells; those that renaming exchanges have one number."""
    if not is_renamed:
        return list(range(bounded.frame.cell_count))
    numbers: dict[tuple[object, ...], int] = {}
    places = []
    for place in Geometry(bounded.frame).places:
        fixed = [member for ids, member, _ in place.steps if not ids.is_symmetric]
        places.append(numbers.setdefault((place.placed.field.name, *fixed), len(numbers)))
    return places
