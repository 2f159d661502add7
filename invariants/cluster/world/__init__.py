"""What must be true of a whole cluster: of every world, of every step, and of one that has come to rest."""

from nomadspec.invariants.cluster.world.catalogue import PROPERTIES, list_properties
from nomadspec.invariants.cluster.world.registry import Property, Scope, Step, find_touched

__all__ = ["PROPERTIES", "Property", "Scope", "Step", "find_touched", "list_properties"]
