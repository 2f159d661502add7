"""What a finding of whole clusters says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nomadspec.invariants.known_finding import Impact
    from nomadspec.model.specification.quirk import Quirk


@dataclass(frozen=True, slots=True)
class ClusterFinding:
    """A property of whole clusters that fails for a reason which neither kernel nor schedulers show."""

    id: str
    title: str
    happens: str
    conditions: tuple[str, ...]
    """What must come together, a phrase each."""
    violates: str
    cure: Quirk
    impact: Impact
