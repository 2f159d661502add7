"""Questions from made-up histories: calls of schedulers, plans to be judged, entries to be applied."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from nomadspec.checkers.conform.making.entries import make_entries
from nomadspec.checkers.stateful.clusters.drawn import draw_histories
from nomadspec.checkers.stateful.clusters.witness import Witness, witness
from nomadspec.invariants.cluster.scheduler import Decision
from nomadspec.model.cluster.codec import write
from nomadspec.model.cluster.entities import (
    Allocation,
    Eligibility,
    Job,
    NodeMemoryResources,
    NodeResources,
    NodeStatus,
    Plan,
)
from nomadspec.model.cluster.store import State
from nomadspec.model.cluster.store.entries import HANDLERS, find_request_type
from nomadspec.model.cluster.store.tables import ALLOCS, NODES, TABLES
from nomadspec.model.errors import InputError
from nomadspec.model.specification.profiles import Profile

SCHEDULER: Final = "scheduler"
PLANS: Final = "plan-applier/plans"
STORE: Final = "state-store/sequences"

_PER_HISTORY: Final = 3
"""So many calls and plans of one history are asked, spread over it: neighbours are much alike."""


def make_from_histories(seed: int, count: int, profile: Profile) -> Iterator[tuple[str, dict[str, Any]]]:
    """Make questions from so many histories, each with its kind."""
    random, calls = Random(seed), _Calls()
    for history in draw_histories(seed, count):
        seen = witness(history, profile)
        yield STORE, _show_entries(seen, random)
        for decision in calls.choose(seen.decisions, random):
            yield SCHEDULER, show_call(decision)
        for state, plan in _choose(seen.plans, random):
            yield PLANS, show_plan_question(_choose_state(seen, state, plan, random), plan, random)


def _choose(items: list[Any], random: Random) -> list[Any]:
    return random.sample(items, min(_PER_HISTORY, len(items)))


@dataclass(slots=True)
class _Calls:
    """Chooses calls of schedulers; many find nothing to do, of which no more are asked than of others."""

    planning: int = 0
    idle: int = 0

    def choose(self, decisions: list[Decision], random: Random) -> Iterator[Decision]:
        """Choose from a history, those first that plan something."""
        chosen = random.sample(decisions, len(decisions))
        chosen.sort(key=lambda each: not each.outcome.plans)
        for decision in chosen[:_PER_HISTORY]:
            if decision.outcome.plans:
                self.planning += 1
            elif self.idle > self.planning:
                continue
            else:
                self.idle += 1
            yield decision


def _choose_state(seen: Witness, state: State, plan: Plan, random: Random) -> State:
    """Judge some plans by what came later, and some by a node that is not what it was: not all fit."""
    chosen = seen.state if random.random() < 0.4 else state
    planned = sorted(node for node in plan.node_allocation if node in chosen.nodes)
    return _disturb(chosen, random.choice(planned), random) if planned and random.random() < 0.6 else chosen


def _disturb(state: State, node_id: str, random: Random) -> State:
    """Let a node go down, be ineligible, drain, shrink, or be gone."""
    node = state.nodes[node_id]
    resources = replace(node.node_resources or NodeResources(), memory=NodeMemoryResources(memory_mb=64))
    changed = random.choice(
        (
            None,
            replace(node, status=NodeStatus.DOWN),
            replace(node, status=NodeStatus.DISCONNECTED),
            replace(node, scheduling_eligibility=Eligibility.INELIGIBLE),
            replace(node, node_resources=resources),
        )
    )
    rows = state.nodes.remove(node_id) if changed is None else state.nodes.insert(node_id, changed)
    return replace(state, nodes=rows)


# --- entries ----------------------------------------------------------------------------------------------


def _show_entries(seen: Witness, random: Random) -> dict[str, Any]:
    """Show the entries of a history and some more, on the state before the first of them."""
    first = seen.first or seen.state
    entries = [
        {"index": index, "type": _NAMES[type(request)], "request": write(request)}
        for index, request in seen.entries
    ]
    index = seen.entries[-1][0] if seen.entries else 1
    more = [
        {"index": index + 2 * at, "type": name, "request": request}
        for at, (name, request) in enumerate(make_entries(seen.state, random), 1)
    ]
    return {
        "initial": {"tables": _show_tables(first), "index": dict(first.indexes)},
        "entries": [*entries, *more],
    }


def _show_tables(state: State) -> dict[str, Any]:
    tables = {}
    for name, table in TABLES.items():
        if table.members and (rows := getattr(state, table.attribute)):
            tables[name] = {"created": [write(row) for _, row in sorted(rows.items())]}
    return tables


def _list_names() -> Iterator[tuple[type[Struct], str]]:
    for request in HANDLERS:
        for name in (
            request.__name__,
            request.__name__.replace("DeploymentUpdateStatus", "DeploymentStatusUpdate"),
        ):
            try:
                yield find_request_type(name), name
            except InputError:
                continue


_NAMES: Final = dict(_list_names())
"""What recordings call each type of entry."""


# --- plans ------------------------------------------------------------------------------------------------


def show_plan_question(state: State, plan: Plan, random: Random) -> dict[str, Any]:
    """Show a plan and the state by which it is judged; some are to be taken whole or not at all."""
    asked = replace(plan, all_at_once=True) if random.random() < 0.2 else plan
    return {
        "state": {
            "index": {
                "nodes": state.indexes.get(NODES, 0),
                "allocs": state.indexes.get(ALLOCS, 0),
                "latest": state.latest_index,
            },
            "nodes": [write(node) for _, node in sorted(state.nodes.items())],
            "jobs": [write(job) for _, job in sorted(state.jobs.items())],
            "allocs": [_show_bare(alloc) for _, alloc in sorted(state.allocs.items())],
        },
        "plan": _show_plan(asked),
    }


def _show_plan(plan: Plan) -> dict[str, Any]:
    lists = {
        "NodeUpdate": plan.node_update,
        "NodeAllocation": plan.node_allocation,
        "NodePreemptions": plan.node_preemptions,
    }
    bare = write(replace(plan, node_update={}, node_allocation={}, node_preemptions={}))
    return {
        **bare,
        **{
            name: {node: [_show_bare(alloc) for alloc in allocs] for node, allocs in by_node.items()}
            for name, by_node in lists.items()
            if by_node
        },
    }


def _show_bare(alloc: Allocation) -> dict[str, Any]:
    shown: dict[str, Any] = write(replace(alloc, job=None))
    return shown


# --- calls ------------------------------------------------------------------------------------------------


class _Documents:
    """The jobs of a call, each once, and the numbers by which the rest points to them."""

    def __init__(self) -> None:
        self.jobs: list[Job] = []

    def refer(self, job: Job | None) -> dict[str, int]:
        """Point to a job."""
        if job is None:
            return {}
        if job not in self.jobs:
            self.jobs.append(job)
        return {"JobRef": self.jobs.index(job)}

    def show_alloc(self, alloc: Allocation) -> dict[str, Any]:
        """Show an allocation that points to its job."""
        return {**_show_bare(alloc), **self.refer(alloc.job)}


def show_call(decision: Decision) -> dict[str, Any]:
    """Show a call of a scheduler whose plans are all taken whole."""
    documents, state = _Documents(), decision.before.state
    tables = {
        "job_table": [documents.refer(job) for _, job in sorted(state.jobs.items())],
        "job_versions": [
            documents.refer(job) for _, versions in sorted(state.job_versions.items()) for job in versions
        ],
        "allocs": [documents.show_alloc(alloc) for _, alloc in sorted(state.allocs.items())],
    }
    for name in ("nodes", "evals", "deployments", "node_pools"):
        tables[name] = [write(row) for _, row in sorted(getattr(state, name).items())]
    configuration = decision.before.configuration
    return {
        "scheduler": decision.evaluation.type,
        "now_ns": decision.now_ns,
        "jobs": [write(job) for job in documents.jobs],
        "state": {
            **tables,
            "index": state.latest_index,
            "scheduler_config": None if configuration is None else write(configuration),
        },
        "eval": write(decision.evaluation),
        "plan_answers": [],
    }
