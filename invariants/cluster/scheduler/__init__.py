"""What must be true of every decision of a scheduler."""

from nomadspec.invariants.cluster.scheduler.catalogue import PROPERTIES, Property
from nomadspec.invariants.cluster.scheduler.decision import Decision

__all__ = ["PROPERTIES", "Decision", "Property"]
