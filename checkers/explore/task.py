"""What a search is to do: the model, what is asked of it, and the tools that were made for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from nomadspec.checkers.explore.partial_order.partial_order import PartialOrder
from nomadspec.checkers.explore.reduction import Reduction, does_leave_steps, does_rename, make_reduction
from nomadspec.checkers.pycode.stepper import Stepper
from nomadspec.checkers.requested_properties import (
    find_asked,
    find_usual,
    name_idle_lemmas,
    name_promised_elsewhere,
)
from nomadspec.checkers.stepper.layout import Layout
from nomadspec.checkers.stepper.steps import Steps
from nomadspec.model.language.model_promises import is_promise_of_models
from nomadspec.model.language.property import PATH_KINDS, Kind, Property
from nomadspec.model.language.story import DEADLOCK

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from nomadspec.model.language.bounded import BoundedModel


@dataclass(frozen=True, slots=True)
class Task:
    """A bounded model with its packed form, the properties asked about, and the reduction."""

    bounded: BoundedModel
    layout: Layout
    stepper: Steps
    properties: tuple[Property, ...]
    asks_deadlock: bool
    promises: tuple[str, ...]
    """The promises of every model that are asked about by name."""
    reduction_name: str
    reduction: Reduction
    stops_at_first: bool
    elsewhere: Mapping[str, str]
    """Each ``sometimes`` that is not asked here because another scope promises it."""
    idle: tuple[str, ...] = ()
    """The lemmas that are not asked because quirks may break them."""
    partial_order: PartialOrder | None = None
    """Who chooses the steps that are taken; None where every step is."""
    max_depth: int | None = None
    """How many steps from an initial world the search goes; None where it goes on to the end."""

    @property
    def is_reduced(self) -> bool:
        """True if some worlds stand for others that differ by names."""
        return does_rename(self.reduction_name)

    @property
    def keeps_edges(self) -> bool:
        """True if steps must be stored, since endless paths are asked about."""
        is_whole = not self.is_reduced and self.partial_order is None
        return is_whole and bool(self.list_properties(*PATH_KINDS))

    @property
    def asked(self) -> tuple[str, ...]:
        """The names of what is asked."""
        names = tuple(prop.name for prop in self.properties)
        return (*names, *([DEADLOCK] if self.asks_deadlock else ()), *self.promises)

    def decides(self, name: str) -> bool:
        """True if a search ends where this is violated; where a text fails, every search does."""
        return is_promise_of_models(name) or (self.stops_at_first and self.is_decisive(name))

    def is_decisive(self, name: str) -> bool:
        """True if a violation decides the search; that of a lemma only says that a proof will fail."""
        return all(prop.name != name or not prop.is_lemma for prop in self.properties)

    def list_properties(self, *kinds: Kind) -> tuple[Property, ...]:
        """List the properties of some kinds that are asked about."""
        return tuple(prop for prop in self.properties if prop.kind in kinds)


def make_task(
    bounded: BoundedModel,
    properties: Iterable[Property | str] | None,
    reduction: str,
    *,
    stops_at_first: bool,
) -> Task:
    """Resolve names and make the tools; without properties all that the scope answers is asked."""
    layout = Layout(bounded)
    asked = find_usual(bounded) if properties is None else find_asked(bounded, properties)
    return Task(
        bounded,
        layout,
        Stepper(bounded, layout),
        asked.properties,
        asked.has_deadlock,
        asked.promises,
        reduction,
        make_reduction(reduction, bounded, layout),
        stops_at_first,
        name_promised_elsewhere(bounded) if properties is None else {},
        name_idle_lemmas(bounded) if properties is None else (),
        _make_partial_order(reduction, bounded, layout, asked.properties),
    )


def _make_partial_order(
    reduction: str, bounded: BoundedModel, layout: Layout, properties: Iterable[Property]
) -> PartialOrder | None:
    if not does_leave_steps(reduction):
        return None
    return PartialOrder(bounded, layout, properties, is_renamed=does_rename(reduction))


def count_world_bytes(task: Task) -> int:
    """Count the bytes in which a packed world is stored."""
    return max(1, -(-task.layout.bits // 8))
