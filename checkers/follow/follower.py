"""The search: all worlds that the system may be in are carried from line to line.

Before each line rules may happen that the log does not show. All worlds that such steps lead to are kept,
unless there are more than allowed: then some ways are given up, and that no other explains the log is no
rejection.
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from nomadspec.checkers.follow.explain import explain, find_unlike
from nomadspec.checkers.follow.report import FollowReport, Rejection
from nomadspec.checkers.follow.steps import WorkingSteps
from nomadspec.checkers.follow.ways import Ways, list_new
from nomadspec.checkers.progress import Silence
from nomadspec.checkers.stepper.budgets import find_highest, list_budget_cells, make_budgets
from nomadspec.checkers.stepper.layout import Layout
from nomadspec.checkers.stopping import interruptible, shielded
from nomadspec.checkers.verdict import Scoped, Verdict
from nomadspec.model.errors import UsageError
from nomadspec.model.language.claim import tell

if TYPE_CHECKING:
    from collections.abc import Iterable

    from nomadspec.checkers.follow.log import Entry, Log, Observed
    from nomadspec.checkers.progress import Progress
    from nomadspec.checkers.verdict import Budget
    from nomadspec.model.language.bounded import BoundedModel
    from nomadspec.model.language.story import Story

DEFAULT_WORLDS: Final = 100_000
"""So many worlds are kept at a time."""
_WORLDS_PER_LOOK: Final = 256


@dataclass(frozen=True, slots=True)
class _Limits:
    """How many ways are kept, and how long it may take."""

    most_worlds: int
    most_unseen: int | None
    deadline: float | None


class _OutOfTimeError(Exception):
    """The time that was given is over."""


def follow(
    bounded: BoundedModel,
    log: Log,
    *,
    most_worlds: int = DEFAULT_WORLDS,
    most_unseen: int | None = None,
    max_seconds: float | None = None,
    progress: Progress | None = None,
) -> FollowReport:
    """Follow a log, with at most so many unseen steps before a line (as many as there are, by default)."""
    for name, limit, least in (("most_worlds", most_worlds, 1), ("most_unseen", most_unseen, 0)):
        if limit is not None and limit < least:
            raise UsageError(f"{name} must be at least {least}, not {limit}.")
    begun = time.monotonic()
    limits = _Limits(most_worlds, most_unseen, None if max_seconds is None else begun + max_seconds)
    return _Follower(bounded, log, limits).run(progress or Silence(), begun)


class _Follower:
    """One log on its way."""

    def __init__(self, bounded: BoundedModel, log: Log, limits: _Limits) -> None:
        self._bounded = bounded
        self._log = log
        self._limits = limits
        self._layout = Layout(bounded)
        self._stepper = WorkingSteps(bounded, self._layout)
        mask, bits = self._pack(log.first)
        self._ways = Ways([packed for packed in self._stepper.initial if packed & mask == bits])
        self._unseen = frozenset(one.number for one in bounded.instances if one.rule.name in log.unseen)
        self._cut: str | None = None
        self._most = len(self._ways.ends)
        self._looks = 0
        self._followed = 0
        self._rejection: Rejection | None = None
        self._last: Iterable[int] = self._ways.ends
        """The worlds that were possible before the last line that was taken."""

    def run(self, progress: Progress, begun: float) -> FollowReport:
        """Follow until the end, a line that nothing explains, or a limit."""
        stopped_by, self._rejection = None, self._refuse_first()
        entries = self._log.entries
        try:
            with interruptible():
                while self._followed < len(entries) and self._rejection is None:
                    self._take(entries[self._followed])
                    progress.update(f"{self._followed:,} lines", self._followed, len(entries))
        except _OutOfTimeError:
            stopped_by = "time"
        except KeyboardInterrupt:
            stopped_by = "interrupt"
        rejection = self._rejection
        if rejection is not None:
            stopped_by, rejection = (None, rejection) if self._cut is None else (self._cut, None)
        return self._report(self._followed, stopped_by, rejection, time.monotonic() - begun)

    def _refuse_first(self) -> Rejection | None:
        """Say what is wrong where no initial world is as was seen first."""
        if self._ways.ends:
            return None
        cells = [self._layout.unpack(packed) for packed in self._stepper.initial]
        unlike = find_unlike(self._bounded, cells, self._log.first)
        sentence = "What was seen first is no initial world."
        return Rejection(1, self._log.head, sentence, unlike, (), ())

    def _take(self, entry: Entry) -> None:
        """Take unseen steps and then that of a line; nothing changes where there is none."""
        ways = self._ways
        reached = self._take_unseen()
        self._last = reached
        before_mask, before_bits = self._pack(entry.before)
        after_mask, after_bits = self._pack(entry.after)
        ends: dict[int, int] = {}
        for packed, number in reached.items():
            self._look()
            if packed & before_mask != before_bits:
                continue
            if not entry.rules and packed & after_mask == after_bits:
                ends[packed] = number
            for position, after in self._stepper.successors(packed) if entry.rules else ():
                if position in entry.positions and after & after_mask == after_bits:
                    ways.add(ends, after, number, position)
        with shielded():  # what a line comes to is kept whole, or not at all
            if not ends:
                worlds = list(reached)
                self._rejection = explain(self._bounded, self._layout, self._stepper, worlds, entry)
                return
            ways.ends = self._cut_off(ends)
            self._most = max(self._most, len(ways.ends))
            self._followed += 1

    def _take_unseen(self) -> dict[int, int]:
        """Find all worlds that rules lead to which may happen unseen."""
        ends = dict(self._ways.ends)
        begun, depth = 0, 0
        while self._unseen and begun < len(ends):
            fresh, begun = list_new(ends, begun), len(ends)
            is_deep = depth == self._limits.most_unseen
            for packed, number in fresh:
                self._look()
                for position, after in self._stepper.successors(packed):
                    if position not in self._unseen or after in ends:
                        continue
                    if is_deep or len(ends) >= self._limits.most_worlds:
                        self._cut = self._cut or ("unseen-steps" if is_deep else "worlds")
                    else:
                        self._ways.add(ends, after, number, position)
            depth += 1
        self._most = max(self._most, len(ends))
        return ends

    def _cut_off(self, ends: dict[int, int]) -> dict[int, int]:
        """Keep as many worlds as are allowed."""
        if len(ends) <= self._limits.most_worlds:
            return ends
        self._cut = self._cut or "worlds"
        return dict(list(ends.items())[: self._limits.most_worlds])

    def _look(self) -> None:
        """Look at the clock from time to time."""
        self._looks += 1
        deadline = self._limits.deadline
        if deadline is not None and self._looks % _WORLDS_PER_LOOK == 1 and time.monotonic() >= deadline:
            raise _OutOfTimeError

    def _pack(self, observed: Observed) -> tuple[int, int]:
        """Give the mask of what was seen, and the bits below it."""
        cells = list(self._bounded.frame.first_cells())
        for cell, value in observed.items():
            cells[cell] = value
        mask = self._layout.mask(observed)
        return mask, self._layout.pack(tuple(cells)) & mask

    def _report(
        self, followed: int, stopped_by: str | None, rejection: Rejection | None, seconds: float
    ) -> FollowReport:
        bounded, ends = self._bounded, self._ways.ends
        story, positions = self._tell(min(ends.values(), default=None))
        seen = Counter(bounded.instances[position].rule.name for position in positions)
        verdict = Verdict.INCONCLUSIVE if stopped_by is not None else Verdict.HOLDS
        steps = sum(1 for entry in self._log.entries[:followed] if entry.rules)
        return FollowReport(
            about=Scoped(bounded.model.name, bounded.scope, bounded.sizes, bounded.profile.name),
            file=self._log.file,
            verdict=Verdict.VIOLATED if rejection is not None else verdict,
            lines=len(self._log.entries),
            followed=followed,
            worlds=len(ends),
            most_worlds=self._most,
            unseen=self._log.unseen,
            unseen_steps=len(positions) - steps,
            seen={rule.name: seen[rule.name] for rule in bounded.model.rules},
            seconds=seconds,
            stopped_by=stopped_by,
            budgets=self._find_budgets(),
            story=story,
            rejection=rejection,
        )

    def _find_budgets(self) -> tuple[Budget, ...]:
        bounded, layout = self._bounded, self._layout
        return make_budgets(bounded, find_highest(layout, self._last, list_budget_cells(bounded)))

    def _tell(self, number: int | None) -> tuple[Story, list[int]]:
        """Tell the way to a world, from any initial one."""
        bounded = self._bounded
        first, positions = self._stepper.initial[0], list[int]()
        if number is not None:
            first, positions = self._ways.trace(number)
        instances = [bounded.instances[position] for position in positions]
        return tell(bounded, self._layout.unpack(first), instances), positions
