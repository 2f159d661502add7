"""What an engine is asked to check: properties by name or as they are, and whether a deadlock is wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from nomadspec.model.errors import UsageError
from nomadspec.model.property import Kind, Property
from nomadspec.model.story import DEADLOCK

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

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
    names = list_names(everything if wanted is None else wanted)
    return Asked(tuple(model.find_property(name) for name in names if name != DEADLOCK), DEADLOCK in names)


def list_names(wanted: Iterable[Property | str]) -> tuple[str, ...]:
    """List the names of what is wanted, each once; a text by itself is one name."""
    items = [wanted] if isinstance(wanted, str) else wanted
    return tuple(dict.fromkeys(item.name if isinstance(item, Property) else item for item in items))


def find_asked_of_runs(bounded: BoundedModel, wanted: Iterable[Property | str] | None) -> Asked:
    """Resolve names for an engine whose runs end; it refuses to look for what no such run can show."""
    asked = find_asked(bounded, wanted)
    if asked.names(Kind.ALWAYS, Kind.STEP, Kind.SOMETIMES):
        return asked
    if not asked.properties:
        raise UsageError(
            f"No property is asked for, so nothing can be found: name one, or `{DEADLOCK}`, "
            "which every model has."
        )
    name = asked.properties[0].name
    raise UsageError(
        f"{name} is of the kind {Kind.EVENTUALLY.value}, which a run that ends cannot show: "
        f"ask `nomadspec explore --property {name}`."
    )


def find_usual(bounded: BoundedModel) -> Asked:
    """Give what a search of every world answers: a ``sometimes`` only where the scope promises it."""
    elsewhere = name_promised_elsewhere(bounded)
    kept = tuple(prop for prop in bounded.model.properties if prop.name not in elsewhere)
    return Asked(kept, has_deadlock=True)


def name_promised_elsewhere(bounded: BoundedModel) -> Mapping[str, str]:
    """Name each ``sometimes`` that the scope does not promise, and say where it is promised."""
    model = bounded.model
    return {
        prop.name: f"promised in the scope {' or '.join(prop.scopes)}"
        for prop in model.list_properties(Kind.SOMETIMES)
        if not model.promises(prop, bounded.scope, bounded.sizes)
    }
