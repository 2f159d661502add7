"""Coverage: what of a model a random search has met, and what there is to meet.

Four kinds of things are counted: rules that happened, arrows that objects took, premises of properties that
held, and each ``sometimes``. What tracing has shown to be impossible in the scope is not counted as missing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from nomadspec.checkers.status_changes import Arrows
from nomadspec.checkers.verdict import Covered

if TYPE_CHECKING:
    from nomadspec.checkers.pycode.checks import CodeChecks
    from nomadspec.checkers.stepper.layout import Layout
    from nomadspec.model.language.bounded import BoundedModel

RULES: Final = "rules"
ARROWS: Final = "arrows"
PREMISES: Final = "premises"
GOALS: Final = "goals"


class Coverage:
    """What was met so far; ``news`` counts how often that was something new."""

    def __init__(self, bounded: BoundedModel, layout: Layout, checks: CodeChecks) -> None:
        """List what there is to meet; premises and goals are told by who checks the properties."""
        self.news = 0
        self._rules = [instance.rule.name for instance in bounded.instances]
        self._arrows = Arrows(bounded, layout)
        self._there = {
            RULES: tuple(dict.fromkeys(self._rules)),
            ARROWS: self._arrows.names,
            PREMISES: checks.premises.names,
            GOALS: checks.list_goals(),
        }
        self._size = sum(map(len, self._there.values()))
        self._open = {kind: set(names) for kind, names in self._there.items()}
        self._left = self._size

    @property
    def share(self) -> float:
        """The share of what there is that was met; all of nothing."""
        return 1 - self._left / self._size if self._size else 1.0

    def follow(self, before: int, position: int, after: int) -> None:
        """Look at which rule a step was, and at the arrows that it took."""
        rule = self._rules[position]
        if rule in self._open[RULES]:
            self.meet(RULES, rule)
        for name in self._arrows.list_taken(before, position, after):
            self.meet(ARROWS, name)

    def meet(self, kind: str, name: str) -> None:
        """Note that something was met."""
        if name in self._open[kind]:
            self._open[kind].discard(name)
            self._left -= 1
            self.news += 1

    def report(self) -> tuple[Covered, ...]:
        """Say how much of each kind was met, and what was not."""
        return tuple(
            Covered(kind, len(names), tuple(name for name in names if name in self._open[kind]))
            for kind, names in self._there.items()
            if names
        )
