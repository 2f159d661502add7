"""What came of following a log."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from nomadspec.checkers.stepper.reasons import Reason
from nomadspec.checkers.verdict import Budget, Scoped, Verdict
from nomadspec.model.language.story import Story

Label = str | int | bool


@dataclass(frozen=True, slots=True)
class Unlike:
    """A field that was recorded otherwise than it can be there."""

    cell: str
    recorded: Label
    possible: tuple[Label, ...]
    """The values that it can have there, some of them where there are many."""


@dataclass(frozen=True, slots=True)
class Rejection:
    """The first line that no way through the model explains."""

    line: int
    text: str
    sentence: str
    unlike: tuple[Unlike, ...]
    """Where what was recorded does not fit: before the step, or after it."""
    reasons: tuple[Reason, ...]
    """Why no rule that the line may be is possible, the nearest first; empty where one is."""
    possible: tuple[str, ...]
    """What else could have happened there, some of it where it is much."""


@dataclass(frozen=True, slots=True)
class FollowReport:
    """How far a log was followed."""

    about: Scoped
    file: str
    verdict: Verdict
    lines: int
    followed: int
    """How many lines were explained."""
    worlds: int
    """How many worlds the system may be in after the last line that was explained."""
    most_worlds: int
    """How many it may have been in at most, unseen steps included."""
    unseen: tuple[str, ...]
    unseen_steps: int
    """How many unseen steps the way that is told takes."""
    seen: Mapping[str, int]
    """How often each rule happens on the way that is told."""
    seconds: float
    stopped_by: str | None
    """``worlds`` or ``unseen-steps`` where ways were given up, or ``time`` or ``interrupt``; else None."""
    budgets: tuple[Budget, ...]
    """How far the bounds of the scope were used in the worlds that were possible last."""
    story: Story
    """One way that explains the lines so far."""
    rejection: Rejection | None = None

    @property
    def never_seen(self) -> tuple[str, ...]:
        """List the rules that do not happen on the way that is told."""
        return tuple(rule for rule, times in self.seen.items() if not times)
