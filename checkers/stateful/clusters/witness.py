"""A cluster that keeps what happened to it: every entry, every plan and every call of a scheduler."""

from __future__ import annotations

from dataclasses import dataclass, field

from msgspec import Struct

from nomadspec.checkers.stateful.clusters.cluster import Cluster, Names
from nomadspec.checkers.stateful.clusters.histories import History
from nomadspec.invariants.cluster.scheduler import Decision
from nomadspec.model.cluster.entities import Plan
from nomadspec.model.cluster.scheduler.choices import FreeChoices
from nomadspec.model.cluster.scheduler.outcome import Answer
from nomadspec.model.cluster.store import State
from nomadspec.model.specification.profiles import Profile


@dataclass(slots=True)
class Witness(Cluster):
    """A cluster under way that remembers."""

    entries: list[tuple[int, Struct]] = field(default_factory=list)
    """Log entries, each with its index."""
    plans: list[tuple[State, Plan]] = field(default_factory=list)
    """Plans, each with the state by which it was judged."""
    decisions: list[Decision] = field(default_factory=list)
    first: State | None = None
    """The state before anything happened."""

    def _apply(self, request: Struct) -> None:
        if self.first is None:
            self.first = self.state
        Cluster._apply(self, request)  # noqa: SLF001 -- its own; `super` does not know slotted classes
        self.entries.append((self._index, request))

    def _submit(self, plan: Plan) -> Answer:
        self.plans.append((self.state, plan))
        return Cluster._submit(self, plan)  # noqa: SLF001 -- as above


def witness(history: History, profile: Profile) -> Witness:
    """Take all the steps of a history and give the cluster with what it remembers."""
    seen = Witness(Names(), profile, FreeChoices(history.seed))
    seen.begin(history)
    for step in history.steps:
        seen.decisions.extend(seen.take(step))
    return seen
