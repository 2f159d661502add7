"""A tree of decisions walked branch by branch: the same run again, with the last open decision changed."""

from __future__ import annotations

from collections.abc import Sequence


class Backtrack(Exception):  # noqa: N818 -- it steers, nothing went wrong
    """The decisions so far lead to nothing that was recorded."""


class Script:
    """The decisions of one run, and how the next one differs.

    What may be decided is listed when a decision is first met, and is then tried in that order.
    """

    def __init__(self) -> None:
        """Begin with the first branch."""
        self._open: list[list[str]] = []
        """Of each decision the possibilities that are left; the first is the one that is taken."""
        self._at = 0
        self._kept = 0

    def decide(self, possible: Sequence[str]) -> str:
        """Decide: as before as long as there is a before, else for the first."""
        if self._at == len(self._open):
            self._open.append(list(possible))
        self._at += 1
        return self._open[self._at - 1][0]

    def keep(self) -> None:
        """Keep all decisions so far: what they lead to is what was recorded."""
        self._kept = max(self._kept, self._at)

    def advance(self) -> bool:
        """Change the last decision that is still open; true if there was one."""
        del self._open[self._at :]
        self._at = 0
        while len(self._open) > self._kept:
            del self._open[-1][0]
            if self._open[-1]:
                return True
            self._open.pop()
        return False

    def restart(self) -> bool:
        """Forget all decisions but those that are kept; true if there was any to forget."""
        has_any = len(self._open) > self._kept
        del self._open[self._kept :]
        self._at = 0
        return has_any
