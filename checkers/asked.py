"""What an engine is asked to check: properties by name or as they are, and whether a deadlock is wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from nomadspec.model.property import Kind, Property
from nomadspec.model.story import DEADLOCK

if TYPE_CHECKING:
    from collections.abc import Iterable

    from nomadspec.model.bounded import BoundedModel


@dataclass(frozen=True, slots=True)
class Asked:
    """The properties that are asked about, and whether a deadlock is."""

    properties: tuple[Property, ...]
    has_deadlock: bool

    def list_properties(self, *kinds: Kind) -> tuple[Property, ...]:
        """List the properties of some kinds that are asked about."""
        return tuple(prop for prop in self.properties if prop.kind in kinds)

    def names(self, *kinds: Kind) -> tuple[str, ...]:
        """Name what is asked of some kinds, the deadlock included."""
        names = tuple(prop.name for prop in self.list_properties(*kinds))
        return (*names, DEADLOCK) if self.has_deadlock else names


def find_asked(bounded: BoundedModel, wanted: Iterable[Property | str] | None) -> Asked:
    """Resolve names; without a wish everything is asked, deadlock included."""
    model = bounded.model
    everything: tuple[Property | str, ...] = (*model.properties, DEADLOCK)
    names = dict.fromkeys(
        item.name if isinstance(item, Property) else item
        for item in (everything if wanted is None else wanted)
    )
    return Asked(tuple(model.find_property(name) for name in names if name != DEADLOCK), DEADLOCK in names)
