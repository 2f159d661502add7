"""Whole searches on Ray: each is done by one process, as many at a time as the cluster has processors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from nomadspec.checkers.explore.sharded.crew import LostHandError
from nomadspec.checkers.explore.sharded.ray_crew import wait_for

if TYPE_CHECKING:
    from types import TracebackType

    from nomadspec.checkers.explore.named_search import Errand
    from nomadspec.checkers.explore.sharded.ray_crew import Cluster
    from nomadspec.checkers.progress import Progress
    from nomadspec.checkers.verdict import ExploreReport


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
            report: ExploreReport = wait_for(self._cluster, self._sent[errand])
        except (self._cluster.exceptions.WorkerCrashedError, LostHandError):
            return errand.run(progress)
        return report


def run_errand(errand: Errand) -> ExploreReport:
    """Search, in whichever process this is called."""
    return errand.run()
