"""Stubborn sets: steps that nothing outside of the set can disturb, switch on or switch off.

From one possible step the set is closed: with a possible step belong all that disturb it, with an impossible
one those that can make one false part of its guard true. Whatever happens outside of the set, its possible
members stay possible and lead to the same worlds, so all others can wait.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nomadspec.checkers.stepper.evaluate import evaluate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nomadspec.checkers.native.choice import Choices
    from nomadspec.checkers.stepper.layout import Layout
    from nomadspec.model.language.term import Term


class Stubborn:
    """Closes sets of steps in a world."""

    def __init__(self, choices: Choices, layout: Layout) -> None:
        """Prepare the parts of the guards."""
        self._layout = layout
        self._disturbing = choices.disturbing
        flags = [
            _Flag(flag, layout, enablers)
            for flag, enablers in zip(choices.flags, choices.enablers, strict=True)
        ]
        self._guards = [[flags[number] for number in guard] for guard in choices.guards]

    def look_at(self, packed: int, enabled: int) -> View:
        """Look at a world in which these instances are possible."""
        return View(self._disturbing, self._guards, self._layout, packed, enabled)


class _Flag:
    """A part of guards: what it reads, who can make it true, and what was answered so far."""

    __slots__ = ("answers", "enablers", "mask", "term")

    def __init__(self, term: Term, layout: Layout, enablers: int) -> None:
        self.term = term
        self.mask = layout.mask(term.reads)
        self.enablers = enablers
        self.answers: dict[int, bool] = {}


class View:
    """One world, in which sets are closed."""

    def __init__(
        self, disturbing: Sequence[int], guards: list[list[_Flag]], layout: Layout, packed: int, enabled: int
    ) -> None:
        """Nothing is asked before it is needed."""
        self._disturbing = disturbing
        self._guards = guards
        self._layout = layout
        self._packed = packed
        self._enabled = enabled
        self._false: dict[int, list[int]] = {}

    def close(self, seed: int, most: int) -> int | None:
        """Give a small set that holds the seed, a mask; None where so many of its members are possible."""
        members, waiting = 0, 1 << seed
        while waiting:
            if ((members | waiting) & self._enabled).bit_count() >= most:
                return None
            # the possible ones first: what they bring makes the choice for the others
            urgent = waiting & self._enabled or waiting
            bit = urgent & -urgent
            members |= bit
            needed = self._find_needed(bit.bit_length() - 1, members | waiting)
            waiting = (waiting | needed) & ~members
        return members

    def _find_needed(self, at: int, there: int) -> int:
        """Find what must belong to a set that holds an instance; of several answers a small one."""
        if self._enabled >> at & 1:
            return self._disturbing[at]
        false = self._false.get(at)
        if false is None:
            false = [flag.enablers for flag in self._guards[at] if not self._ask(flag)]
            self._false[at] = false
        best, least = false[0], (1 << 30, 0)
        for enablers in false:
            new = enablers & ~there
            price = ((new & self._enabled).bit_count(), new.bit_count())
            if price < least:
                best, least = enablers, price
        return best

    def _ask(self, flag: _Flag) -> bool:
        key = self._packed & flag.mask
        known = flag.answers.get(key)
        if known is None:
            known = flag.answers[key] = bool(evaluate(flag.term, self._layout.unpack(self._packed)))
        return known
