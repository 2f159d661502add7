"""Which instance a drawn number means: the same one whatever else can happen, as far as that goes.

Hypothesis shrinks a failure by leaving steps out, and keeps the numbers of the others. So a number must not
mean *the third of what can happen*, which is another instance as soon as something is missing. It stands for
an order of all rules, and of all instances of a rule, which looks like chance; what comes first of those that
can happen is meant. That changes only if that very instance is no longer possible, or one before it is new.
"""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

_MASK: Final = (1 << 32) - 1
_WEIGHTS: Final = (0.05, 1.0, 1.0, 4.0, 16.0)
"""What a mood gives to rules; the least is almost nothing."""


def mix(number: int, salt: int) -> int:
    """Mix two small numbers into 32 bits that look like chance, the same in every process."""
    mixed = (number * 0x9E3779B1 ^ (salt + 1) * 0x85EBCA77) & _MASK
    mixed = ((mixed ^ mixed >> 15) * 0xC2B2AE3D) & _MASK
    mixed = ((mixed ^ mixed >> 13) * 0x27D4EB2F) & _MASK
    return mixed ^ mixed >> 16


class Chooser:
    """Chooses a rule, then one of its instances."""

    def __init__(self, rules: Sequence[int]) -> None:
        """Know the rule of each instance, as a number."""
        self._rules = rules
        self._weights: list[float] = []

    def set_mood(self, mood: int) -> None:
        """Let a number decide how much each rule counts; 0: all the same."""
        count = 1 + max(self._rules, default=-1)
        self._weights = [_WEIGHTS[mix(mood, rule) % len(_WEIGHTS)] for rule in range(count)] if mood else []

    def choose(self, number: int, possible: Sequence[int]) -> int:
        """Choose among the positions that can happen, which come in the order of their rules."""
        best_rule, best = -1, 0.0
        last = -1
        for position in possible:
            rule = self._rules[position]
            if rule != last:
                last = rule
                place = self._place(number, rule)
                if best_rule < 0 or place < best:
                    best_rule, best = rule, place
        own = [position for position in possible if self._rules[position] == best_rule]
        return own[0] if len(own) == 1 else min(own, key=lambda position: mix(number + 1, position + 97))

    def _place(self, number: int, rule: int) -> float:
        """Find how far behind a rule stands in the order of a number; what counts more is in front."""
        mixed = mix(number, rule)
        return -log((mixed + 1) / (_MASK + 2)) / self._weights[rule] if self._weights else mixed
