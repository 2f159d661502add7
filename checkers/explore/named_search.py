"""A search that can be done by any process, of this machine or another, since names are all that it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from nomadspec.checkers.explore.explorer import explore
from nomadspec.checkers.explore.reduction import NONE
from nomadspec.checkers.progress import Progress, Silence
from nomadspec.invariants.catalogue import find_model

if TYPE_CHECKING:
    from nomadspec.checkers.manifest import Published
    from nomadspec.checkers.verdict import ExploreReport


@dataclass(frozen=True, slots=True)
class Errand:
    """A search of a scope that every installation has, so that it can be done anywhere."""

    model: str
    scope: str
    profile: str
    reduction: str = NONE
    stops_at_first: bool = True
    tells_fewest_switches: bool = True
    expected: int | None = None
    """How many worlds are published."""

    def run(self, progress: Progress | None = None) -> ExploreReport:
        """Search."""
        return explore(
            find_model(self.model).at(self.scope, profile=self.profile),
            progress=progress or Silence(),
            reduction=self.reduction,
            stop_at_first=self.stops_at_first,
            tells_fewest_switches=self.tells_fewest_switches,
            most_unfolded=0,
            expected=self.expected,
        )


def make_errand(published: Published) -> Errand:
    """Make the errand of a published search; the stories of what is known are told elsewhere."""
    stops = not published.known
    names = published.model, published.scope, published.profile, published.reduction
    return Errand(*names, stops, stops, published.distinct)
