"""Who knows what can happen in packed worlds."""

from __future__ import annotations

from typing import Protocol


class Steps(Protocol):
    """Who knows the initial worlds of a bounded model and the successors of each, packed."""

    @property
    def initial(self) -> tuple[int, ...]:
        """Give the initial worlds."""
        ...

    def successors(self, packed: int) -> list[tuple[int, int]]:
        """List the instances that can happen by position, each with the packed world after it."""
        ...
