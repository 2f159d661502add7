"""What stops a search before its end: time, memory, the number of worlds, and Ctrl-C."""

from __future__ import annotations

import os
import resource
import sys
import time
from contextlib import contextmanager
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Final

from nomadspec.checkers.stopping import heeding
from nomadspec.model.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

_STATM: Final = Path("/proc/self/statm")
_MIB: Final = 1 << 20
_ASKS_PER_LOOK: Final = 16
"""How many questions are answered by one look at the memory, which costs a system call."""

TIME: Final = "time"
MEMORY: Final = "memory"
STATES: Final = "states"
INTERRUPT: Final = "interrupt"


def check_limits(
    max_seconds: float | None, max_memory_mib: float | None, max_states: int | None, workers: int
) -> None:
    """Refuse limits that no search can keep."""
    if max_seconds is not None and not max_seconds >= 0:
        raise UsageError(f"max_seconds={max_seconds} is no time to search for: give seconds, or None.")
    if max_memory_mib is not None and not 0 < max_memory_mib < inf:
        raise UsageError(f"max_memory_mib={max_memory_mib} is no room for worlds: give MiB above 0, or None.")
    if max_states is not None and max_states < 1:
        raise UsageError(f"max_states={max_states} leaves no world to look at: give 1 or more, or None.")
    if workers < 1:
        raise UsageError(f"workers={workers} is nobody to search: give 1 or more.")


class Limits:
    """How far a search may go; ``reason`` is asked between worlds."""

    def __init__(
        self,
        max_seconds: float | None = None,
        max_memory_mib: float | None = None,
        max_states: int | None = None,
    ) -> None:
        """Start the clock."""
        self.most_states = sys.maxsize if max_states is None else max_states
        self._deadline = None if max_seconds is None else time.monotonic() + max_seconds
        self._most_bytes = None if max_memory_mib is None else max_memory_mib * _MIB
        self._asked = 0
        self._is_interrupted = False

    def find_reason(self, states: int, table_bytes: int) -> str | None:
        """Say why the search must stop now, given how many worlds are stored and how large their table is."""
        if self._is_interrupted:
            return INTERRUPT
        if states >= self.most_states:
            return STATES
        if self._deadline is not None and time.monotonic() >= self._deadline:
            return TIME
        self._asked += 1
        if self._most_bytes is not None and self._asked % _ASKS_PER_LOOK == 1:
            # a table that doubles lives beside the old one for a moment
            return MEMORY if measure_memory_bytes() + 2 * table_bytes > self._most_bytes else None
        return None

    @contextmanager
    def at_most(self, states: int) -> Iterator[None]:
        """Let a search within another one store no more than so many worlds."""
        usual = self.most_states
        self.most_states = min(usual, states)
        try:
            yield
        finally:
            self.most_states = usual

    def allow_memory(self) -> None:
        """Let memory be no reason any more: what finds no room goes elsewhere."""
        self._most_bytes = None

    def interrupt(self) -> None:
        """Ask for a stop between two worlds."""
        self._is_interrupted = True

    @property
    def is_interrupted(self) -> bool:
        """True if somebody asked for a stop."""
        return self._is_interrupted

    def catching_interrupt(self) -> AbstractContextManager[None]:
        """Take Ctrl-C, and what else asks for a stop, as a wish to stop between two worlds."""
        return heeding(self.interrupt)


def measure_memory_bytes() -> int:
    """Measure how much memory this process holds; where the system does not tell, the most it ever held."""
    if _STATM.exists():
        return int(_STATM.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    scale = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * scale
