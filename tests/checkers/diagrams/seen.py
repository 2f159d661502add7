"""Scopes of the kernel that are explored once for many tests."""

from functools import cache

from nomadspec.checkers.diagrams.sightings import Seen, watch
from nomadspec.model.kernel.kernel import KERNEL


@cache
def seen_in(scope: str, profile: str = "nomad-2.0") -> Seen:
    """Explore a small scope."""
    return watch(KERNEL.at(scope, profile=profile))
