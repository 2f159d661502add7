"""Takes plans and outcomes apart into facts that are alike whatever free names and orders were chosen."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from nomadspec.checkers.oracle.plain_json import make_plain, write_plain
from nomadspec.model.cluster.codec.shape import list_fields
from nomadspec.model.cluster.entities import (
    Allocation,
    AllocMetric,
    Deployment,
    DeploymentStatusUpdate,
    EvalStatus,
    Evaluation,
    Plan,
)
from nomadspec.model.cluster.entities.allocation import is_canary
from nomadspec.model.cluster.entities.job import GENERIC_TYPES
from nomadspec.model.cluster.store import State

Facts = Mapping[str, Any]
"""What was decided, by where it stands in an entry."""

_LOOSE: Final = (
    "ID",
    "BlockedEval",
    "ClassEligibility",
    "CreateIndex",
    "CreateTime",
    "DeploymentID",
    "EscapedComputedClass",
    "FailedTGAllocs",
    "LeaderACL",
    "ModifyIndex",
    "ModifyTime",
    "NextEval",
    "PlanAnnotations",
    "PreviousEval",
    "SnapshotIndex",
    "Wait",
    "WaitUntil",
)
"""What of an evaluation is named freely, or written by others than its scheduler."""
_COUNTED: Final = {
    "NodesEvaluated": "nodes_evaluated",
    "NodesInPool": "nodes_in_pool",
    "NodesAvailable": "nodes_available",
    "NodesFiltered": "nodes_filtered",
    "NodesExhausted": "nodes_exhausted",
    "CoalescedFailures": "coalesced_failures",
}
"""What metrics of a group that failed count, whatever the order in which nodes were visited."""

_DIGITS: Final = 9
"""So many digits of a score are the same wherever it is reckoned."""


class Shown:
    """An object among the facts: it is as another one if both are written alike.

    Objects that are equal are; hardly any has to be written to know.
    """

    __slots__ = ("row",)

    def __init__(self, row: msgspec.Struct) -> None:
        """Keep the object."""
        self.row = row

    def __eq__(self, other: object) -> bool:
        """Compare with another object."""
        if not isinstance(other, Shown):
            return NotImplemented
        return self.row == other.row or bool(write_plain(self.row) == write_plain(other.row))

    __hash__ = None  # type: ignore[assignment]  # facts are compared, and nothing else


def show_fact(fact: Any) -> Any:  # noqa: ANN401 -- what JSON can hold
    """Write a fact as a difference shows it."""
    return write_plain(fact.row) if isinstance(fact, Shown) else fact


def tell_plan(plan: Plan, state: State) -> dict[str, Any]:
    """Tell what a plan does, by the state that it was made on."""
    facts: dict[str, Any] = {}
    placed = [alloc for allocs in plan.node_allocation.values() for alloc in allocs]
    names = {alloc.id: _name(alloc) for alloc in placed if state.find_alloc(alloc.id) is None}
    for title, allocs in _group_by_title(placed, names).items():
        for number, alloc in enumerate(allocs, start=1):
            place = f"AllocsUpdated[{title} #{number}]" if number > 1 else f"AllocsUpdated[{title}]"
            facts.update((f"{place}.{key}", told) for key, told in _tell_alloc(alloc, plan, state))
    for allocs in plan.node_update.values():
        facts |= {f"AllocsStopped[{each.id}]": _tell_stop(each) for each in allocs}
    for allocs in plan.node_preemptions.values():
        facts |= {f"AllocsPreempted[{each.id}]": names.get(each.preempted_by_allocation) for each in allocs}
    facts["Deployment"] = _tell_deployment(plan.deployment, state)
    facts["DeploymentUpdates"] = sorted(
        _tell_update(each, plan.deployment) for each in plan.deployment_updates
    )
    return facts


def tell_outcome(outcome: Evaluation, made: Sequence[Evaluation]) -> dict[str, Any]:
    """Tell how an evaluation ended, and which others were made for it."""
    facts: dict[str, Any] = {
        place: make_plain(value)
        for place, attribute in _list_kept()
        if (value := getattr(outcome, attribute))
    }
    facts["Evals.DeploymentID"] = bool(outcome.deployment_id)
    facts["Evals.BlockedEval"] = bool(outcome.blocked_eval)
    facts["Evals.NextEval"] = bool(outcome.next_eval)
    for group, metric in outcome.failed_tg_allocs.items():
        facts |= _count_metric(f"Evals.FailedTGAllocs.{group}", metric)
    facts["made"] = sorted(_tell_made(each, outcome.id) for each in made)
    annotations = outcome.plan_annotations
    updates = annotations.desired_tg_updates if annotations is not None else {}
    # whom an attempt without an entry evicted is a matter of the order of nodes
    facts["Evals.DesiredTGUpdates"] = {
        name: make_plain(replace(update, preemptions=0)) for name, update in updates.items()
    }
    groups = frozenset(updates)
    for each in made:
        facts |= _tell_waiting(each, groups)
    return facts


def _tell_waiting(made: Evaluation, groups: frozenset[str]) -> dict[str, Any]:
    """Tell what an evaluation waits for that is blocked, as far as no order of nodes decides it.

    System jobs have one made as soon as a node is passed over. A group that was placed has met some nodes
    only, of classes that others may not be eligible for.

    Spec: EVAL-13, EVAL-15, EVAL-20.
    """
    if made.status != EvalStatus.BLOCKED or made.type not in GENERIC_TYPES:
        return {}
    place = f"made.{made.triggered_by}"
    known = made.class_eligibility
    is_whole = bool(groups) and groups <= made.failed_tg_allocs.keys()
    facts: dict[str, Any] = {f"{place}.ClassEligibility": sorted(known.items() if is_whole else known)}
    for group, metric in made.failed_tg_allocs.items():
        facts |= _count_metric(f"{place}.FailedTGAllocs.{group}", metric)
    return facts


def _count_metric(place: str, metric: AllocMetric) -> dict[str, Any]:
    return {
        f"{place}.{wire}": make_plain(getattr(metric, attribute)) or None
        for wire, attribute in _COUNTED.items()
    }


def list_waits(made: Iterable[Evaluation]) -> list[tuple[str, int]]:
    """List when evaluations that wait are due, and why they were made; attempts may ask for the same."""
    return sorted({(each.triggered_by, each.wait_until_ns) for each in made if each.wait_until_ns})


def _name(alloc: Allocation) -> str:
    kind = "canary" if is_canary(alloc) else "new"
    follows = f" after {alloc.previous_allocation}" if alloc.previous_allocation else ""
    return f"{kind} {alloc.name} on {alloc.node_id}{follows}"


def _group_by_title(
    placed: Iterable[Allocation], names: Mapping[str, str]
) -> Mapping[str, Sequence[Allocation]]:
    """Group allocations that are told alike; those of a group stand in the order of what they were given."""
    groups: defaultdict[str, list[Allocation]] = defaultdict(list)
    for alloc in placed:
        groups[names.get(alloc.id, alloc.id)].append(alloc)
    for allocs in groups.values():
        if len(allocs) > 1:
            allocs.sort(key=lambda each: _write(each.allocated_resources))
    return groups


@cache
def _list_kept() -> tuple[tuple[str, str], ...]:
    """List what of an evaluation its scheduler determines: the places of facts, and attributes."""
    known = list_fields(Evaluation)
    return tuple((f"Evals.{each.wire}", each.attribute) for each in known if each.wire not in _LOOSE)


def _tell_alloc(alloc: Allocation, plan: Plan, state: State) -> Iterator[tuple[str, Any]]:
    events = (alloc.reschedule_tracker.events if alloc.reschedule_tracker else None) or ()
    yield "TaskGroup", alloc.task_group
    yield "Name", alloc.name
    yield "NodeID", alloc.node_id
    yield "AllocatedResources", Shown(alloc.allocated_resources) if alloc.allocated_resources else None
    yield "DeploymentID", _tell_link(alloc.deployment_id, plan.deployment, state)
    yield "EvalID", alloc.eval_id
    yield "DeploymentStatus.Canary", is_canary(alloc)
    yield "DesiredStatus", alloc.desired_status
    yield "DesiredDescription", alloc.desired_description
    yield "ClientStatus", alloc.client_status
    yield "Scores", _tell_scores(alloc)
    yield "RescheduleTracker", [(each.prev_alloc_id, each.prev_node_id, each.delay_ns) for each in events]


def _tell_scores(alloc: Allocation) -> Mapping[str, float] | None:
    """Tell how the node of a new allocation was scored, part by part, as far as all machines reckon alike.

    Spec: RANK-02, RANK-03, RANK-74.
    """
    shown = alloc.metrics.score_meta_data if alloc.metrics is not None and not alloc.create_index else ()
    own = next((each.scores for each in shown if each.node_id == alloc.node_id), {})
    return {name: round(score, _DIGITS) for name, score in own.items()}


def _tell_link(deployment_id: str, made: Deployment | None, state: State) -> str:
    """Tell which deployment is meant; one that the plan makes has no name of its own."""
    is_made = made is not None and made.id == deployment_id and state.find_deployment(made.id) is None
    return "the new one" if is_made else deployment_id


def _tell_stop(alloc: Allocation) -> tuple[str, str, bool]:
    return alloc.desired_description, alloc.client_status, bool(alloc.followup_eval_id)


def _tell_deployment(deployment: Deployment | None, state: State) -> Shown | None:
    """Tell what a deployment is to be; of one that is there the store keeps counts and times.

    Spec: DEP-04, DEP-05, DEP-22.
    """
    if deployment is None:
        return None
    is_known = state.find_deployment(deployment.id) is not None
    groups = {
        name: group
        and replace(
            group,
            require_progress_by_ns=0 if is_known else group.require_progress_by_ns,
            placed_canaries=("",) * len(group.placed_canaries),
        )
        for name, group in deployment.task_groups.items()
    }
    bare = replace(
        deployment,
        id=deployment.id if is_known else "",
        task_groups=groups,
        create_time_ns=0,
        modify_time_ns=0 if is_known else deployment.modify_time_ns,
        create_index=0,
        modify_index=0,
    )
    return Shown(bare)


def _tell_update(update: DeploymentStatusUpdate, made: Deployment | None) -> tuple[str, str, str, int]:
    which = "" if made is not None and made.id == update.deployment_id else update.deployment_id
    return which, update.status, update.status_description, update.updated_at_ns


def _tell_made(evaluation: Evaluation, previous: str) -> str:
    row = (
        evaluation.namespace,
        evaluation.job_id,
        evaluation.type,
        evaluation.priority,
        evaluation.triggered_by,
        evaluation.status,
        evaluation.status_description,
        evaluation.node_id,
        bool(evaluation.deployment_id),
        evaluation.previous_eval == previous,
        evaluation.job_modify_index,
        bool(evaluation.wait_until_ns),
        evaluation.escaped_computed_class,
        evaluation.missing_non_node_resources,
        sorted(evaluation.failed_tg_allocs),
    )
    return " ".join(map(str, row))


def _write(tree: object) -> str:
    return json.dumps(write_plain(tree) if tree is not None else None, sort_keys=True, default=str)  # type: ignore[arg-type]  # a struct
