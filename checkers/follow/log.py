"""A log that was read: what each of its lines says of a step of the model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

Observed = Mapping[int, int]
"""The cells whose values were recorded."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One line: which instances it may be, and what was seen before and after."""

    line: int
    text: str
    """The line as it was written."""
    rules: tuple[str, ...]
    """The rules that it may be; none where nothing happens, and something is only seen."""
    positions: frozenset[int]
    """The instances that it may be."""
    before: Observed
    after: Observed


@dataclass(frozen=True, slots=True)
class Log:
    """The lines of a log, what was seen first, and which rules may happen unseen."""

    file: str
    entries: tuple[Entry, ...]
    first: Observed
    unseen: tuple[str, ...]
    head: str = ""
    """The first line as it was written, which says what was seen first."""
