"""Makes recordings that are right: what the model does in a recorded call under other choices."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from msgspec.structs import replace

from nomadspec.checkers.oracle.context import Document
from nomadspec.checkers.oracle.families.scheduler_reading import Jobs, Tables, Vector, read_row, read_vector
from nomadspec.checkers.oracle.families.scheduler_replay import Server, find_refusal
from nomadspec.checkers.oracle.families.scheduler_showing import list_evals, show_alloc, show_plan
from nomadspec.model.cluster.codec import write
from nomadspec.model.cluster.entities import Allocation, Evaluation, Node, Plan, PlanResult
from nomadspec.model.cluster.resources.port_offer import FreePorts
from nomadspec.model.cluster.scheduler.choices import Choices, FreeChoices, IdKind, Key
from nomadspec.model.cluster.scheduler.outcome import Answer
from nomadspec.model.cluster.scheduler.schedule import schedule
from nomadspec.model.specification.profiles import NOMAD_2_0

INDEX = 1_000_000
"""The index that plans are taken at."""


class OneWayChoices:
    """Chooses by a seed, but visits all maps upwards, or all downwards."""

    def __init__(self, seed: int) -> None:
        """Begin; an odd seed goes downwards."""
        self._free = FreeChoices(seed)
        self._is_descending = bool(seed % 2)

    def next_node_order(self, candidates: Sequence[Node]) -> Sequence[Node]:
        """Shuffle."""
        return self._free.next_node_order(candidates)

    def ordered(self, keys: Iterable[Key]) -> list[Key]:
        """Sort."""
        return sorted(keys, reverse=self._is_descending)

    def pick_port(self, free: FreePorts) -> int | None:
        """Pick any."""
        return self._free.pick_port(free)

    def pick_ports(self, free: FreePorts, count: int) -> tuple[int, ...] | None:
        """Pick any."""
        return self._free.pick_ports(free, count)

    def next_id(self, kind: IdKind) -> str:
        """Make one up."""
        return self._free.next_id(kind)


@dataclass
class Applier:
    """Takes plans whole, but refuses some nodes of the first so many."""

    jobs: Jobs
    tables: Tables
    refusals: int
    plans: list[dict[str, Any]] = field(default_factory=list)

    def submit(self, plan: Plan) -> Answer:
        """Answer a plan and write down both; one that the store refuses ends the call, and is not told of."""
        refusal = find_refusal(plan, self.tables.rows["evals"])
        if refusal:
            return Answer(error=refusal)
        turn = len(self.plans)
        is_refused = turn < self.refusals
        kept = self._keep(plan.node_allocation, turn) if is_refused else plan.node_allocation
        updates = {} if is_refused else plan.node_update
        gone = {} if is_refused else plan.node_preemptions
        index = INDEX + turn
        stamped = {node: tuple(_stamp(each, index) for each in allocs) for node, allocs in kept.items()}
        result = PlanResult(
            node_update=updates,
            node_allocation=stamped,
            node_preemptions=gone,
            deployment=None if is_refused else plan.deployment,
            deployment_updates=() if is_refused else plan.deployment_updates,
            refresh_index=index if is_refused else 0,
            alloc_index=index,
        )
        told: dict[str, Any] = {
            "NodeUpdate": _name(updates),
            "NodeAllocation": _name(kept),
            "NodePreemptions": _name(gone),
            "AllocIndex": index,
            "RefreshIndex": result.refresh_index,
            "Deployment": result.deployment is not None,
            "DeploymentUpdates": len(result.deployment_updates),
            "NewAllocs": sorted(
                each.id for allocs in stamped.values() for each in allocs if each.create_index == index
            ),
        }
        after = None
        if is_refused:
            rows = [self._show(each, plan) for allocs in stamped.values() for each in allocs]
            after = {"index": index, "allocs": rows}
            self.tables.lay_over(after, "after")
        self.plans.append({"plan": show_plan(plan, self.jobs), "result": told, "state_after": after})
        return Answer(result=result, new_state=self.tables.build() if after else None)

    def _show(self, alloc: Allocation, plan: Plan) -> dict[str, Any]:
        return show_alloc(replace(alloc, job=alloc.job or plan.job), self.jobs)

    def _keep(
        self, by_node: Mapping[str, tuple[Allocation, ...]], turn: int
    ) -> Mapping[str, tuple[Allocation, ...]]:
        """Refuse every other node, or all of them."""
        return {node: by_node[node] for at, node in enumerate(sorted(by_node)) if (at + turn) % 2}


def choose_otherwise(document: Document, choices: Choices, *, refusals: int = 0) -> dict[str, Any]:
    """Make a recorded call again under other choices; the first plans are refused on some nodes."""
    vector: Vector = read_vector(document)
    jobs = Jobs.of(vector)
    tables = Tables.of(vector, jobs)
    first = tables.build()
    applier = Applier(jobs, tables, refusals)
    outcome = schedule(
        first,
        read_row(Evaluation, vector.eval, "eval"),
        vector.now_ns,
        choices,
        Server(applier.submit, tables.rows["evals"].get),
        scheduler=vector.scheduler,
        profile=NOMAD_2_0,
    )
    told = {name: [write(each) for each in rows] for name, rows in list_evals(outcome).items()}
    recorded = {"plans": applier.plans, **told, "error": outcome.error}
    return {**document, "outcome": recorded, "choices": {}}


def _stamp(alloc: Allocation, index: int) -> Allocation:
    if alloc.create_index:
        return replace(alloc, modify_index=alloc.create_index + 1)
    return replace(alloc, create_index=index, modify_index=index)


def _name(by_node: Mapping[str, tuple[Allocation, ...]]) -> dict[str, list[str]]:
    return {node: [each.id for each in allocs] for node, allocs in by_node.items()}
