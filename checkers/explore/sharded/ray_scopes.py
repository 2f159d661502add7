"""Whole searches on Ray: each is done by one process, as many at a time as the cluster has processors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from nomadspec.checkers.explore.explorer import explore
from nomadspec.checkers.explore.reduction import NONE
from nomadspec.checkers.progress import Progress, Silence
from nomadspec.invariants.catalogue import find_model

if TYPE_CHECKING:
    from types import TracebackType

    from nomadspec.checkers.explore.sharded.ray_crew import Cluster
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

    def run(self, progress: Progress | None = None) -> ExploreReport:
        """Search."""
        return explore(
            find_model(self.model).at(self.scope, profile=self.profile),
            progress=progress or Silence(),
            **self.choices(),
        )

    def choices(self) -> dict[str, Any]:
        """Give what is chosen beside the scope, by name."""
        return {
            "reduction": self.reduction,
            "stop_at_first": self.stops_at_first,
            "tells_fewest_switches": self.tells_fewest_switches,
        }


def make_errand(published: Published) -> Errand:
    """Make the errand of a published search; the stories of what is known are told elsewhere."""
    stops = not published.known
    return Errand(published.model, published.scope, published.profile, published.reduction, stops, stops)


class FarSearches:
    """Searches that were sent away, whose reports are fetched when they are wanted."""

    def __init__(self, cluster: Cluster) -> None:
        """Take the cluster."""
        self._cluster = cluster
        self._run = cluster.remote(run_errand)
        self._sent: dict[Errand, Any] = {}

    def __enter__(self) -> Self:
        """Begin."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End; the cluster goes on for whoever else has it."""

    def send(self, errand: Errand) -> None:
        """Have a search done as soon as a process is free."""
        self._sent[errand] = self._run.remote(errand)

    def fetch(self, errand: Errand, progress: Progress) -> ExploreReport:
        """Wait for the report; a search that was lost on the way is done here."""
        try:
            report: ExploreReport = self._cluster.get(self._sent[errand])
        except self._cluster.exceptions.WorkerCrashedError:
            return errand.run(progress)
        return report


def run_errand(errand: Errand) -> ExploreReport:
    """Search, in whichever process this is called."""
    return errand.run()
