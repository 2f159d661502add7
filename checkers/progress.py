"""Progress of long runs: engines say how far they are, and whoever started them decides what to show."""

from __future__ import annotations

from typing import Protocol


class Progress(Protocol):
    """Who is told how far a run is."""

    def update(self, text: str, done: int, expected: int | None = None) -> None:
        """Hear that so much is done, of so much expected where that is known; engines call it often."""
        ...


class Silence:
    """Nobody listens."""

    def update(self, text: str, done: int, expected: int | None = None) -> None:
        """Ignore it."""
