"""A published search too large to be kept: each mutant is searched anew, by machine code where it can be."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from nomadspec.checkers.explore import explore
from nomadspec.checkers.mutants.altered import Altered, trace_property
from nomadspec.checkers.mutants.difference import Difference, Effect
from nomadspec.checkers.requested_properties import list_with_lemmas

if TYPE_CHECKING:
    from nomadspec.checkers.manifest import Published
    from nomadspec.checkers.mutants.parts import Part
    from nomadspec.checkers.verdict import ExploreReport
    from nomadspec.model.language.bounded import BoundedModel
    from nomadspec.model.language.logic import Value
    from nomadspec.model.language.model import Model

_GROWTH: Final = 2


@dataclass(slots=True)
class LargeScene:
    """A published search of the model as it is."""

    entry: Published
    model: Model
    bounded: BoundedModel = field(init=False)
    usual: ExploreReport = field(init=False)
    traced: dict[str, tuple[Value, ...]] = field(init=False)
    noticed: dict[tuple[str, str], bool] = field(default_factory=dict)
    """Whether a property notices a mutant of a rule, as far as anybody asked."""

    def __post_init__(self) -> None:
        """Search."""
        self.bounded = self._bind()
        self.usual = self._search(self.bounded, None)
        self.traced = {prop.name: trace_property(self.bounded, prop) for prop in self.model.properties}

    @property
    def distinct(self) -> int:
        """Give how many worlds are stored."""
        return self.usual.distinct

    def is_usually_lost(self, name: str) -> bool:
        """True if the model as it is violates a property here, or does not reach it."""
        return name in _names(self.usual)

    def compare(self, part: Part) -> Difference:
        """Search again with the text that a part of the model runs now."""
        altered = Altered(self.bounded, part)
        is_same = not altered.changed and altered.initial == self.bounded.initial
        if is_same and not altered.asks_otherwise(self.traced):
            return Difference(Effect.NONE)
        found = self._search(self._bind(), _GROWTH * self.usual.distinct)
        names = _names(found) ^ _names(self.usual)
        if found.stopped_by is not None:
            names -= _names(self.usual)
        return Difference(Effect.STEPS if found.digest == self.usual.digest else Effect.WORLDS, names)

    def find_first(self, part: Part, name: str) -> int | None:
        """Find after how many steps it shows that one property is violated, with the text in force."""
        del part  # the whole model is read anew
        found = self._search(self._bind(), _GROWTH * self.usual.distinct).findings
        stories = [one.story for one in found if one.property == name]
        return next((0 if story is None else len(story.steps) for story in stories), None)

    def _bind(self) -> BoundedModel:
        return self.model.at(self.entry.scope, profile=self.entry.profile)

    def _search(self, bounded: BoundedModel, most_worlds: int | None) -> ExploreReport:
        return explore(
            bounded,
            properties=list_with_lemmas(bounded),
            reduction=self.entry.reduction,
            stop_at_first=False,
            tells_fewest_switches=False,
            max_states=most_worlds,
            most_unfolded=0,
        )


def _names(report: ExploreReport) -> frozenset[str]:
    return frozenset(finding.property for finding in report.findings)
