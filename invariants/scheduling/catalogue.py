"""All properties of decisions by their names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Final

from nomadspec.invariants.scheduling.counts import (
    groups_get_no_surplus,
    names_are_unique,
    updates_are_rolled_out,
)
from nomadspec.invariants.scheduling.decision import Decision
from nomadspec.invariants.scheduling.placements import (
    constraints_are_met,
    drivers_work,
    hosts_are_distinct,
    nodes_are_candidates,
    plans_fit,
)
from nomadspec.invariants.scheduling.repetition import (
    a_second_look_ends_no_deployment,
    a_second_look_moves_nothing,
)

Property = Callable[[Decision], Iterator[str]]
"""Says what of a decision is wrong, in words; nothing when it is right."""

PROPERTIES: Final[Mapping[str, Property]] = MappingProxyType(
    {
        each.__name__: each
        for each in (
            plans_fit,
            nodes_are_candidates,
            constraints_are_met,
            drivers_work,
            hosts_are_distinct,
            groups_get_no_surplus,
            updates_are_rolled_out,
            names_are_unique,
            a_second_look_moves_nothing,
            a_second_look_ends_no_deployment,
        )
    }
)
