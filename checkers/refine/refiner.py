"""The comparison: every world of the low model is visited, level by level, and each step is looked up above.

So the first step that is none of the high model ends a shortest story. A step whose two worlds are seen as
the same one is no step there: it stutters.
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from nomadspec.checkers.progress import Silence
from nomadspec.checkers.pycode.stepper import Stepper
from nomadspec.checkers.refine.high_model_steps import Above
from nomadspec.checkers.refine.mapping import Mapping
from nomadspec.checkers.refine.report import Becomes, Failure, Fault, RefineReport
from nomadspec.checkers.stepper.layout import Layout
from nomadspec.checkers.stepper.reasons import list_reasons
from nomadspec.checkers.stopping import interruptible, shielded
from nomadspec.checkers.verdict import Scoped, Verdict
from nomadspec.model.errors import ModelError, UsageError
from nomadspec.model.language.broken_promises import list_failing_steps
from nomadspec.model.language.claim import tell

if TYPE_CHECKING:
    from nomadspec.checkers.progress import Progress
    from nomadspec.checkers.stepper.reasons import Reason
    from nomadspec.model.language.bounded import BoundedModel
    from nomadspec.model.language.refinement import Refinement

_WORLDS_PER_LOOK: Final = 64
"""So many worlds pass between two looks at the clock."""


@dataclass(frozen=True, slots=True)
class _Limits:
    """What ends the comparison before its end."""

    deadline: float | None
    most_worlds: int | None

    def find_reason(self, worlds: int, expanded: int) -> str | None:
        """Say why to stop now."""
        if self.most_worlds is not None and worlds >= self.most_worlds:
            return "states"
        is_due = self.deadline is not None and expanded % _WORLDS_PER_LOOK == 0
        return "time" if is_due and self.deadline is not None and time.monotonic() >= self.deadline else None


@dataclass(slots=True)
class _Found:
    """What was visited and counted so far."""

    worlds: list[int] = field(default_factory=list)
    numbers: dict[int, int] = field(default_factory=dict)
    ways: list[tuple[int, int]] = field(default_factory=list)
    """The number of the world from which each was found first, and by which instance; (-1, -1) for none."""
    seen_as: list[int] = field(default_factory=list)
    """The high world as which each is seen."""
    counted: Counter[tuple[int, tuple[str, ...]]] = field(default_factory=Counter)
    """How many steps of each instance were what."""
    steps: int = 0


def refine(
    low: BoundedModel,
    refinement: Refinement,
    *,
    max_seconds: float | None = None,
    max_states: int | None = None,
    progress: Progress | None = None,
) -> RefineReport:
    """Compare every step of the low model with the steps of the high one."""
    for name, limit in (("max_seconds", max_seconds), ("max_states", max_states)):
        if limit is not None and limit <= 0:
            raise UsageError(f"{name} must be more than 0, not {limit}.")
    begun = time.monotonic()
    limits = _Limits(None if max_seconds is None else begun + max_seconds, max_states)
    return _Refiner(low, refinement).run(limits, progress or Silence(), begun)


class _Refiner:
    """One comparison under way."""

    def __init__(self, low: BoundedModel, refinement: Refinement) -> None:
        self._low = low
        self._high = refinement.bound(low)
        self._refinement = refinement
        self._layout, self._high_layout = Layout(low), Layout(self._high)
        self._stepper = Stepper(low, self._layout)
        self._mapping = Mapping(refinement, low, self._high, (self._layout, self._high_layout))
        self._above = Above(self._high, self._high_layout, refinement.most_steps)
        self._found = _Found()
        self._failure: Failure | None = None

    def run(self, limits: _Limits, progress: Progress, begun: float) -> RefineReport:
        """Compare until the end, the first failure, or a limit."""
        stopped_by = None
        try:
            with interruptible():
                stopped_by = self._compare(limits, progress)
        except KeyboardInterrupt:
            stopped_by = "interrupt"
        return self._report(self._failure, stopped_by, time.monotonic() - begun)

    def _compare(self, limits: _Limits, progress: Progress) -> str | None:
        """Compare world after world, and say what ended it before the last."""
        self._start()
        expanded, stopped_by = 0, None
        while self._failure is None and stopped_by is None and expanded < len(self._found.worlds):
            self._expand(expanded)
            expanded += 1
            stopped_by = limits.find_reason(len(self._found.worlds), expanded)
            progress.update(f"{len(self._found.worlds):,} worlds", expanded)
        return None if expanded == len(self._found.worlds) else stopped_by

    def _start(self) -> None:
        for packed in self._stepper.initial:
            seen = self._mapping.map(packed)
            if isinstance(seen, str):
                self._fail(Fault.MAPPING, [], packed, f"The first world is seen as none: {seen}.")
                return
            if seen not in self._above.initial:
                sentence = (
                    f"The first world is seen as one with which {self._high.model.name} does not begin."
                )
                self._fail(Fault.START, [], packed, sentence)
                return
            self._add(packed, (-1, -1), seen)

    def _expand(self, number: int) -> None:
        found = self._found
        before = found.seen_as[number]
        for position, after in self._list_steps(number):
            seen = self._mapping.map(after)
            path = [*self._path_to(number), position]
            if isinstance(seen, str):
                sentence = f"The last world is seen as none: {seen}."
                self._fail(Fault.MAPPING, path, self._first_of(number), sentence)
                return
            try:
                names = self._above.find_rules(before, seen)
            except ModelError as error:
                self._fail(Fault.HIGH, path, self._first_of(number), self._say_how_high_fails(error))
                return
            if names is None:
                self._fail(Fault.STEP, path, self._first_of(number), self._describe_failing_step(position))
                return
            found.steps += 1
            found.counted[position, names] += 1
            if after not in found.numbers:
                self._add(after, (number, position), seen)

    def _list_steps(self, number: int) -> list[tuple[int, int]]:
        """List the steps from a low world; one that fails ends the comparison, as it ends a search."""
        packed = self._found.worlds[number]
        try:
            return self._stepper.successors(packed)
        except ModelError:
            failing = next(list_failing_steps(self._low, self._layout.unpack(packed)), None)
            if failing is None or failing.instance is None:
                raise
            path = [*self._path_to(number), failing.instance.number]
            sentence = f"The last step, {failing.instance.rule.name}, fails: {failing.sentence}"
            self._fail(Fault.LOW, path, self._first_of(number), sentence)
            return []

    def _say_how_high_fails(self, error: ModelError) -> str:
        high = self._high.model.name
        return f"A rule of {high} fails in the world as which the one before the last step is seen: {error}"

    def _describe_failing_step(self, position: int) -> str:
        most, high = self._refinement.most_steps, self._high.model.name
        much = "no step" if most == 1 else f"no sequence of at most {most} steps"
        rule = self._low.instances[position].rule.name
        return f"The last step, {rule}, is {much} of {high}, and changes something there."

    def _add(self, packed: int, way: tuple[int, int], seen: int) -> None:
        found = self._found
        if packed not in found.numbers:
            found.numbers[packed] = len(found.worlds)
            found.worlds.append(packed)
            found.ways.append(way)
            found.seen_as.append(seen)

    def _path_to(self, number: int) -> list[int]:
        path = []
        while self._found.ways[number][0] >= 0:
            number, position = self._found.ways[number]
            path.append(position)
        return path[::-1]

    def _first_of(self, number: int) -> int:
        while self._found.ways[number][0] >= 0:
            number = self._found.ways[number][0]
        return self._found.worlds[number]

    def _fail(self, fault: Fault, positions: list[int], first: int, sentence: str) -> None:
        """Keep what fails; a signal cannot take it away any more."""
        with shielded():
            self._failure = self._tell(fault, positions, first, sentence)

    def _tell(self, fault: Fault, positions: list[int], first: int, sentence: str) -> Failure:
        low, high = self._low, self._high
        instances = [low.instances[position] for position in positions]
        story = tell(low, self._layout.unpack(first), instances)
        worlds = [first]
        for position in positions if fault is not Fault.LOW else positions[:-1]:
            worlds.append(next(after for at, after in self._stepper.successors(worlds[-1]) if at == position))
        seen = [self._mapping.map(packed) for packed in worlds[-2:]]
        told = [None if isinstance(one, str) else self._high_layout.unpack(one) for one in seen]
        shown = [None if cells is None else high.describe(cells) for cells in told]
        if fault is Fault.LOW:
            return Failure(fault, story, sentence, shown[-1], None)
        before, after = told[0] if len(told) > 1 else None, told[-1]
        reasons: tuple[Reason, ...] = ()
        if fault is Fault.STEP and before is not None and after is not None:
            reasons = tuple(list_reasons(high, before, after))
        return Failure(fault, story, sentence, shown[0] if len(shown) > 1 else None, shown[-1], reasons)

    def _report(self, failure: Failure | None, stopped_by: str | None, seconds: float) -> RefineReport:
        found = self._found
        if failure is not None:
            stopped_by = "violation"
        report = RefineReport(
            about=_about(self._low),
            high=_about(self._high),
            mapping=self._refinement.name,
            verdict=Verdict.VIOLATED,
            worlds=len(found.worlds),
            steps=found.steps,
            stuttering=sum(times for (_, names), times in found.counted.items() if not names),
            high_worlds=len(set(found.seen_as)),
            seconds=seconds,
            becomes=self._list_becomes(),
            taken=self._count_taken(),
            stopped_by=stopped_by,
            failure=failure,
        )
        return _judge(report)

    def _list_becomes(self) -> tuple[Becomes, ...]:
        counted: Counter[tuple[str, tuple[str, ...]]] = Counter()
        for (position, names), times in self._found.counted.items():
            counted[self._low.instances[position].rule.name, names] += times
        order = [rule.name for rule in self._low.model.rules]
        rows = sorted(counted.items(), key=lambda row: (order.index(row[0][0]), -row[1], row[0][1]))
        return tuple(Becomes(rule, names, times) for (rule, names), times in rows)

    def _count_taken(self) -> dict[str, int]:
        taken = {rule.name: 0 for rule in self._high.model.rules}
        for (_, names), times in self._found.counted.items():
            for name in {one for way in names for one in self._above.split(way)}:
                taken[name] += times
        return taken


def _judge(report: RefineReport) -> RefineReport:
    if report.failure is not None:
        return report
    is_open = report.stopped_by is not None or report.is_vacuous
    return replace(report, verdict=Verdict.INCONCLUSIVE if is_open else Verdict.HOLDS)


def _about(bounded: BoundedModel) -> Scoped:
    return Scoped(bounded.model.name, bounded.scope, bounded.sizes, bounded.profile.name)
