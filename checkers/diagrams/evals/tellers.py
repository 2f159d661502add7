"""Who tells a history: a scenario while it is played, a log while it is replayed, or objects as they are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from nomadspec.checkers.diagrams.evals.facts import compare_states, infer_facts, list_changes
from nomadspec.checkers.diagrams.evals.makers import APPLIER
from nomadspec.checkers.diagrams.evals.records import CommittedPlan, Fact, History
from nomadspec.checkers.scenario.run import Run
from nomadspec.model.cluster.acts import Act
from nomadspec.model.cluster.entities import Allocation, Deployment, Evaluation
from nomadspec.model.cluster.entities.allocation import is_server_terminal
from nomadspec.model.cluster.store.requests import ApplyPlanResults
from nomadspec.model.cluster.store.state import State
from nomadspec.model.cluster.world import World

_LOG: Final = "log"
"""It commits the entries of the applier; every other component waits for its own."""


@dataclass(slots=True)
class Teller:
    """Follows the states of a cluster and keeps what is worth telling."""

    evals: dict[str, Evaluation] = field(default_factory=dict)
    allocs: dict[str, Allocation] = field(default_factory=dict)
    deployments: dict[str, Deployment] = field(default_factory=dict)
    facts: list[Fact] = field(default_factory=list)
    plans: list[CommittedPlan] = field(default_factory=list)
    makers: dict[str, str] = field(default_factory=dict)

    def follow(
        self, before: State, after: State, requests: Iterable[ApplyPlanResults] = (), actor: str = ""
    ) -> None:
        """Note what became of a state, which plans were committed meanwhile, and which component did it."""
        if before is after:
            return
        tables: Sequence[tuple[dict[str, Any], str]] = (
            (self.evals, "evals"),
            (self.allocs, "allocs"),
            (self.deployments, "deployments"),
        )
        for kept, table in tables:
            changed = list_changes(getattr(before, table), getattr(after, table))
            kept.update({row.id: row for _, row in changed if row is not None})
        if actor:
            changes = list_changes(before.evals, after.evals)
            self.makers |= {new.id: actor for old, new in changes if old is None}
        self.facts += [replace(fact, actor=actor) for fact in compare_states(before, after)]
        self.plans += [read_plan(request, before, after) for request in requests]

    def tell(self, title: str) -> History:
        """Tell what was noted."""
        return History(
            title,
            tuple(self.evals.values()),
            tuple(self.allocs.values()),
            tuple(self.deployments.values()),
            tuple(self.facts),
            tuple(self.plans),
            has_plans=True,
            makers=self.makers,
        )


def read_plan(request: ApplyPlanResults, before: State, after: State) -> CommittedPlan:
    """Read what a plan changed when it was committed; the log names some of it by ID only."""
    named = (*request.allocs_stopped, *request.allocs_updated)
    placed = [each.id for each in request.allocs_updated if each.id not in before.allocs]
    stopped = [each.id for each in named if _is_ended(each.id, before, after)]
    preempted = [each.id for each in request.allocs_preempted if _is_ended(each.id, before, after)]
    updated = {each.id for each in request.allocs_updated} - set(placed) - set(stopped)
    made = (each.id for each in (*request.evals, *request.preemption_evals))
    return CommittedPlan(
        after.latest_index,
        request.eval_id,
        tuple(sorted(set(placed) & set(after.allocs))),
        tuple(sorted(set(stopped))),
        tuple(sorted(set(preempted))),
        tuple(sorted(updated)),
        tuple(sorted(made)),
    )


def _is_ended(alloc_id: str, before: State, after: State) -> bool:
    old, new = before.find_alloc(alloc_id), after.find_alloc(alloc_id)
    return old is not None and new is not None and not is_server_terminal(old) and is_server_terminal(new)


@dataclass(slots=True)
class ToldRun(Run):
    """A scenario under way that is told of while it is played."""

    teller: Teller = field(default_factory=Teller)

    def take(self, one: Act) -> None:
        """Take an act, and follow what it did."""
        before = self.world
        Run.take(self, one)
        actor = APPLIER if one.actor == _LOG else one.actor
        self.teller.follow(before.state, self.world.state, _list_committed(before, self.world), actor)


def _list_committed(before: World, after: World) -> list[ApplyPlanResults]:
    """List the plans that were in flight and are not any more: committed, or dropped without effect."""
    left = {id(flying) for flying in after.leader.in_flight}
    return [flying.request for flying in before.leader.in_flight if id(flying) not in left]


def tell_objects(
    title: str,
    evals: Iterable[Evaluation],
    allocs: Iterable[Allocation],
    deployments: Iterable[Deployment],
) -> History:
    """Tell what objects remember when nobody has followed how they came to be."""
    evals, allocs = tuple(evals), tuple(allocs)
    return History(title, evals, allocs, tuple(deployments), tuple(infer_facts(evals, allocs)))
