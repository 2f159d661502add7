"""Judges the recordings of plans that were evaluated against a state."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from nomadspec.checkers.oracle.compare import Rules, compare
from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.families.fit_and_score import agree_on_port_text
from nomadspec.checkers.oracle.judgement import Difference, Judge
from nomadspec.checkers.oracle.shape import Whole, read_shape
from nomadspec.model.cluster.codec import read, write
from nomadspec.model.cluster.components.plan_applier import (
    evaluate_plan,
    is_result_no_op,
    list_nodes,
)
from nomadspec.model.cluster.components.plan_error import UnknownAllocError, VerdictError
from nomadspec.model.cluster.components.plan_node import NodeVerdict, judge_node
from nomadspec.model.cluster.entities import Allocation, Job, Node, Plan, PlanResult
from nomadspec.model.cluster.entities.plan import count_placements, is_full_commit
from nomadspec.model.cluster.store.state import State
from nomadspec.model.cluster.store.tables import ALLOCS, NODES
from nomadspec.model.specification.profiles import Profile

RULES: Final[Rules] = (
    ("nodes.*.reason", "PLAN-54"),
    ("nodes", "PLAN-51"),
    ("rejected", "PLAN-45"),
    ("rejected_one_of", "PLAN-47"),
    ("order_dependent", "PLAN-47"),
    ("result.NodeUpdate", "PLAN-40"),
    ("result.NodePreemptions", "PLAN-44"),
    ("result.NodeAllocation", "PLAN-46"),
    ("result.Deployment", "PLAN-49"),
    ("result.DeploymentUpdates", "PLAN-48"),
    ("result.RefreshIndex", "PLAN-57"),
    ("no_op", "PLAN-04"),
    ("full_commit", "PLAN-05"),
    ("expected", "PLAN-05"),
    ("actual", "PLAN-05"),
    ("error", "PLAN-45"),
)


class Indexes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The index table of a recorded state."""

    nodes: Whole
    allocs: Whole
    latest: Whole


class Tables(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A recorded state."""

    index: Indexes
    nodes: list[dict[str, Any]]
    jobs: list[dict[str, Any]]
    allocs: list[dict[str, Any]]


class Vector(msgspec.Struct, frozen=True):
    """One recording: a state, a plan, and of what the applier said, that by which an order is chosen."""

    id: str
    state: Tables
    plan: dict[str, Any]
    nodes: dict[str, dict[str, Any]]
    error: str | None = None


_ASKED: Final = frozenset({"id", "tags", "state", "plan"})


class Verdicts(msgspec.Struct, frozen=True):
    """What is said of each node of a plan, and what follows from the order in which it is said."""

    by_node: dict[str, NodeVerdict]
    all_at_once: bool

    @property
    def rejected(self) -> list[str]:
        """The nodes that do not fit."""
        return sorted(node for node, it in self.by_node.items() if not (it.fits or it.error))

    @property
    def failing(self) -> list[str]:
        """The nodes on which there is no verdict."""
        return [node for node, it in self.by_node.items() if it.error]

    @property
    def is_order_dependent(self) -> bool:
        """True if the plan may be rejected or fail, by what comes first."""
        return bool(self.all_at_once and self.rejected and self.failing)


def judge(vector: Mapping[str, Any], context: Context) -> Iterator[Difference]:
    """Judge each node of a plan by itself, then the plan as a whole."""
    told = read_shape(Vector, vector)
    state = read_state(told.state, told.id)
    plan = read(Plan, told.plan, source=told.id)
    judged = {node: judge_node(state, plan, node, profile=context.profile) for node in list_nodes(plan)}
    verdicts = Verdicts(judged, plan.all_at_once)
    model: dict[str, Any] = {"nodes": _show_verdicts(verdicts, told.nodes, context)}
    if verdicts.is_order_dependent:
        model["order_dependent"] = True
    model |= _answer(state, plan, verdicts, told, context.profile)
    recorded = {name: item for name, item in vector.items() if name not in _ASKED}
    yield from compare(recorded, model, "", RULES)


def read_state(tables: Tables, source: str) -> State:
    """Read a recorded state; its allocations carry the jobs that they are of."""
    jobs = [read(Job, each, source=source) for each in tables.jobs]
    by_key = {(job.namespace, job.id): job for job in jobs}
    allocs = [read(Allocation, each, source=source) for each in tables.allocs]
    return State.of(
        nodes=[read(Node, each, source=source) for each in tables.nodes],
        jobs=jobs,
        allocs=[replace(alloc, job=by_key.get((alloc.namespace, alloc.job_id))) for alloc in allocs],
        indexes={NODES: tables.index.nodes, ALLOCS: tables.index.allocs},
    )


def _show_verdicts(
    verdicts: Verdicts, recorded: Mapping[str, Mapping[str, Any]], context: Context
) -> dict[str, Any]:
    shown: dict[str, Any] = {}
    for node, verdict in verdicts.by_node.items():
        words = str(recorded.get(node, {}).get("reason", ""))
        reason = agree_on_port_text(words, verdict.reason, context)
        shown[node] = {"fit": verdict.fits, "reason": reason}
        if verdict.error:
            shown[node]["error"] = verdict.error
    return shown


def _answer(state: State, plan: Plan, verdicts: Verdicts, told: Vector, profile: Profile) -> dict[str, Any]:
    """Answer a plan; of the orders in which verdicts may come, one that leads to what was recorded."""
    try:
        result = evaluate_plan(state, plan, _choose_order(plan, verdicts, told), profile=profile)
    except UnknownAllocError as error:
        allowed = _list_unknown(state, plan)
        return {"error": told.error if told.error in allowed else str(error)}
    except VerdictError as error:
        fewer = {str(VerdictError(error.problems[:count])) for count in range(1, len(error.problems))}
        return {"error": told.error if told.error in fewer else str(error)}
    return _show_result(plan, result, verdicts)


def _choose_order(plan: Plan, verdicts: Verdicts, told: Vector) -> Sequence[str]:
    """Choose what is handled first: the nodes without a verdict where the plan failed, else the rejected."""
    last = [] if told.error is not None else verdicts.failing
    rest = [node for node in list_nodes(plan) if node not in {*verdicts.failing, *verdicts.rejected}]
    first = verdicts.failing if told.error is not None else []
    return [*first, *verdicts.rejected, *rest, *last]


def _list_unknown(state: State, plan: Plan) -> set[str]:
    """List the errors that unknown allocations may give: which is first is open, stops before the rest."""
    stops, preemptions = (
        {alloc.id for allocs in changes.values() for alloc in allocs if state.find_alloc(alloc.id) is None}
        for changes in (plan.node_update, plan.node_preemptions)
    )
    return {str(UnknownAllocError(alloc_id)) for alloc_id in stops or preemptions}


def _show_result(plan: Plan, result: PlanResult, verdicts: Verdicts) -> dict[str, Any]:
    is_rejected_all_at_once = plan.all_at_once and bool(verdicts.rejected)
    rejected = verdicts.rejected if is_rejected_all_at_once else sorted(result.rejected_nodes)
    return {
        "rejected_one_of" if is_rejected_all_at_once else "rejected": rejected,
        "result": {
            "NodeUpdate": _show_allocs(result.node_update),
            "NodeAllocation": {
                node: [alloc.id for alloc in allocs] for node, allocs in result.node_allocation.items()
            },
            "NodePreemptions": _show_allocs(result.node_preemptions),
            "Deployment": None if result.deployment is None else write(result.deployment),
            "DeploymentUpdates": [write(update) for update in result.deployment_updates],
            "RefreshIndex": result.refresh_index,
        },
        "no_op": is_result_no_op(result),
        "full_commit": is_full_commit(plan, result),
        "expected": count_placements(plan.node_allocation),
        "actual": count_placements(result.node_allocation),
    }


def _show_allocs(by_node: Mapping[str, Sequence[Allocation]]) -> dict[str, Any]:
    return {node: [write(replace(alloc, job=None)) for alloc in allocs] for node, allocs in by_node.items()}


JUDGES: Final[Mapping[str, Judge]] = {"plans": judge}
