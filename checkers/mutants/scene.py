"""One published search of a model, kept so that searching it again with a mutant takes little.

The search is the explorer's own, by the interpreter's steps; only who takes the steps is another, since
most of them are known already.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from nomadspec.checkers.explore.liveness import check_endless
from nomadspec.checkers.explore.search import Search
from nomadspec.checkers.explore.task import Task, make_task
from nomadspec.checkers.mutants.altered import Altered, trace_property
from nomadspec.checkers.mutants.difference import Difference, Effect
from nomadspec.checkers.mutants.left_out import LeftOut
from nomadspec.checkers.mutants.steps import AlteredSteps, KeptSteps
from nomadspec.checkers.pycode.stepper import Stepper
from nomadspec.checkers.requested_properties import list_with_lemmas
from nomadspec.checkers.stepper.checks import Checks
from nomadspec.model.language.model_promises import TEXTS_HAVE_ANSWERS
from nomadspec.model.language.property import PATH_KINDS, Kind

if TYPE_CHECKING:
    from nomadspec.checkers.manifest import Published
    from nomadspec.checkers.mutants.parts import Part
    from nomadspec.checkers.stepper.steps import Steps
    from nomadspec.model.language.bounded import BoundedModel
    from nomadspec.model.language.logic import Value
    from nomadspec.model.language.model import Model
    from nomadspec.model.language.property import Property

LEAST_WORLDS: Final = 10_000
"""So many worlds of a search that must fail are enough: what it must show is near the start."""
MOST_WORLDS: Final = 40_000
"""A search with more worlds is left to machine code, where it is known to have more."""
_GROWTH: Final = 4
"""A mutant may reach far more worlds than the model: so many times as many are enough to judge it."""
_AT_ONCE: Final = 4_096


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a search found: what is violated or not reached, and the digest of its worlds."""

    missing: frozenset[str]
    """What is violated, or has to be reached and is not."""
    digest: int
    is_complete: bool
    first: Mapping[str, int]
    """The number of the world in which each was seen first; 0 where it shows in no single one."""


@dataclass(slots=True)
class Scene:
    """A published search of the model as it is."""

    entry: Published
    task: Task
    steps: KeptSteps
    most_worlds: int
    usual: Outcome = field(init=False)
    traced: dict[str, tuple[Value, ...]] = field(init=False)
    worlds: tuple[int, ...] = field(init=False)
    noticed: dict[tuple[str, str], bool] = field(default_factory=dict)
    """Whether a property notices a mutant of a rule, as far as anybody asked."""
    _left_out: LeftOut | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        """Search."""
        search = Search(self.task)
        self.usual = _finish(search, self.task, self.most_worlds)
        self.worlds = tuple(search.explored.worlds)
        self.traced = {prop.name: trace_property(self.task.bounded, prop) for prop in self.task.properties}
        if self.usual.is_complete:
            self.most_worlds = max(LEAST_WORLDS, _GROWTH * len(self.worlds))

    @property
    def distinct(self) -> int:
        """Give how many worlds are stored."""
        return len(self.worlds)

    @property
    def has_all_steps(self) -> bool:
        """True if each step between the worlds of the scope is known, at least up to names."""
        return self.usual.is_complete and self.task.partial_order is None

    def compare(self, part: Part) -> Difference:
        """Search again with the text that a part of the model runs now."""
        altered = Altered(self.task.bounded, part)
        steps = AlteredSteps(self.steps, altered)
        asks_otherwise = altered.asks_otherwise(self.traced)
        if not asks_otherwise and not self._steps_differ(altered, steps):
            return Difference(Effect.NONE)
        if part.is_property:
            return self._compare_property(altered, steps, part)
        found = self._search(altered, steps, altered.list_asked(self.task.properties))
        effect = Effect.STEPS if found.digest == self.usual.digest else Effect.WORLDS
        return Difference(effect, self._compare(found))

    def _compare_property(self, altered: Altered, steps: AlteredSteps, part: Part) -> Difference:
        """See whether a property is violated now where it was not, or no longer where it was."""
        others = {TEXTS_HAVE_ANSWERS} if altered.has_other_duties else set[str]()
        names = frozenset(part.properties) | others
        wanted = [prop for prop in altered.list_asked(self.task.properties) if prop.name in names]
        is_kept = self.usual.is_complete and all(prop.kind not in PATH_KINDS for prop in wanted)
        missing = self._look(altered, wanted) if is_kept else self._search(altered, steps, wanted).missing
        return Difference(Effect.STEPS, names & (missing ^ self.usual.missing))

    def _look(self, altered: Altered, wanted: Sequence[Property]) -> frozenset[str]:
        """Name what the kept worlds and steps violate or do not reach, which takes no search."""
        checks = Checks(altered, self.task.layout, wanted)
        violated: set[str] = set()
        missed = {prop.name for prop in wanted if prop.kind is Kind.SOMETIMES}
        for packed in self.worlds:
            missed.difference_update(prop.name for prop in checks.reached(packed))
            while (prop := checks.broken(packed)) is not None:
                violated.add(prop.name)
                checks.drop(prop.name)
            for position, after in self.steps.rows[packed]:
                while checks.watches(position) and (prop := checks.broken_step(packed, position, after)):
                    violated.add(prop.name)
                    checks.drop(prop.name)
        return frozenset(violated | missed)

    def find_first(self, part: Part, name: str) -> int | None:
        """Find the first world that shows that one property is violated, with the text that a part runs now.

        That a world is missed, or that a path never ends, shows in no single world: then it is 0.
        """
        altered = Altered(self.task.bounded, part)
        wanted = [prop for prop in self.task.properties if prop.name == name]
        return self._search(altered, AlteredSteps(self.steps, altered), wanted).first.get(name)

    def is_usually_lost(self, name: str) -> bool:
        """True if the model as it is violates a property here, or does not reach it."""
        return name in self.usual.missing

    def list_happening(self) -> frozenset[str]:
        """List the rules that happen in some world that was visited."""
        positions = {position for row in self.steps.rows.values() for position, _ in row}
        return frozenset(self.task.bounded.traced[position].instance.rule.name for position in positions)

    def _steps_differ(self, altered: Altered, steps: AlteredSteps) -> bool:
        """True if a step differs anywhere; where some worlds were not visited, that is not known."""
        if not altered.changed and altered.initial == self.task.bounded.initial:
            return False
        return not self.usual.is_complete or steps.differ(self.worlds)

    def _compare(self, found: Outcome) -> frozenset[str]:
        """Name what is found anew; what is gone is known only after a complete search."""
        new = found.missing - self.usual.missing
        gone = (
            self.usual.missing - found.missing if found.is_complete or not self.usual.is_complete else set()
        )
        return frozenset(new | gone)

    def find_missing(
        self, bounded: BoundedModel, steps: Steps, properties: Iterable[Property]
    ) -> frozenset[str]:
        """Name the properties that do not hold with other steps."""
        return self._search(bounded, steps, properties).missing

    def leave_out(self) -> LeftOut:
        """Give what is reached without single rules, which takes going through all steps once."""
        if self._left_out is None:
            self._left_out = LeftOut(self.task, self.worlds, self.steps, self.find_missing)
        return self._left_out

    def _search(self, bounded: BoundedModel, steps: Steps, properties: Iterable[Property]) -> Outcome:
        task = replace(self.task, bounded=bounded, stepper=steps, properties=tuple(properties))
        return _finish(Search(task), task, self.most_worlds)


def make_scene(model: Model, entry: Published) -> Scene:
    """Search as it is published."""
    bounded = model.at(entry.scope, profile=entry.profile)
    task = make_task(bounded, list_with_lemmas(bounded), entry.reduction, stops_at_first=False)
    steps = KeptSteps(bounded, task.layout, Stepper(bounded, task.layout))
    most = LEAST_WORLDS if entry.is_failing else MOST_WORLDS
    return Scene(entry, replace(task, stepper=steps), steps, most)


def _finish(search: Search, task: Task, most_worlds: int) -> Outcome:
    explored = search.explored
    while not search.is_over and len(explored.worlds) < most_worlds:
        search.expand(_AT_ONCE, most_worlds)
    first = {found.property: found.world for found in explored.found}
    if explored.is_complete:
        sometimes = task.list_properties(Kind.SOMETIMES)
        first |= {prop.name: 0 for prop in sometimes if prop.name not in explored.reached}
        first |= {found.property: 0 for found in check_endless(task, explored, lambda: None).findings}
    digest = explored.compute_digest(task.layout.byte_count)
    return Outcome(frozenset(first), digest, explored.is_complete, first)
