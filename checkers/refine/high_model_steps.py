"""The steps of the high model, looked up for pairs of its worlds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from nomadspec.checkers.pycode.stepper import Stepper

if TYPE_CHECKING:
    from collections.abc import Mapping

    from nomadspec.checkers.stepper.layout import Layout
    from nomadspec.model.language.bounded import BoundedModel

_THEN: Final = " then "


class Above:
    """Which rules of the high model, or sequences of them, lead from one world to another."""

    def __init__(self, high: BoundedModel, layout: Layout, most_steps: int) -> None:
        """Begin with nothing looked up."""
        self._stepper = Stepper(high, layout)
        self._rules = [instance.rule.name for instance in high.instances]
        self._most = most_steps
        self._reached: dict[int, Mapping[int, tuple[str, ...]]] = {}
        self.initial = frozenset(self._stepper.initial)

    def find_rules(self, before: int, after: int) -> tuple[str, ...] | None:
        """Name the rules, or shortest sequences of rules, that are such a step; none for no step at all."""
        if before == after:
            return ()
        reached = self._reached.get(before)
        if reached is None:
            reached = self._reached[before] = self._reach(before)
        return reached.get(after)

    @staticmethod
    def split(way: str) -> list[str]:
        """List the rules of a sequence."""
        return way.split(_THEN)

    def _reach(self, start: int) -> dict[int, tuple[str, ...]]:
        """Find each world that so many steps lead to, with the shortest sequences of rules."""
        found: dict[int, tuple[str, ...]] = {}
        level: dict[int, tuple[str, ...]] = {start: ("",)}
        for _ in range(self._most):
            fresh: dict[int, dict[str, None]] = {}
            for packed, ways in level.items():
                for position, after in self._stepper.successors(packed):
                    if after != start and after not in found:
                        rule = self._rules[position]
                        more = {f"{way}{_THEN}{rule}" if way else rule: None for way in ways}
                        fresh.setdefault(after, {}).update(more)
            level = {packed: tuple(ways) for packed, ways in fresh.items()}
            found |= level
        return found
