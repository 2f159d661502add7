"""What must be true of every decision of a scheduler."""

from nomadspec.invariants.scheduling.catalogue import PROPERTIES, Property
from nomadspec.invariants.scheduling.decision import Decision

__all__ = ["PROPERTIES", "Decision", "Property"]
