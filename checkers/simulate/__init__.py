"""The simulator: seeded random walks, for scopes too large to explore."""

from nomadspec.checkers.simulate.simulator import simulate

__all__ = ["simulate"]
