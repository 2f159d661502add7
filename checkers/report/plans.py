"""Plans in words: what they stop, preempt, place and update in a state."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from operator import attrgetter
from typing import Final

from nomadspec.model.cluster.entities import Allocation, Plan, PlanResult
from nomadspec.model.cluster.store.state import State


@dataclass(frozen=True, slots=True)
class Naming:
    """What is called how: everything by its ID, unless that says nothing to a reader."""

    name_alloc: Callable[[Allocation], str] = attrgetter("id")
    name_deployment: Callable[[str], str] = str
    name_follow_up: Callable[[str], str] = "the follow-up {}".format


BY_ID: Final = Naming()


def describe_plan(state: State, plan: Plan | PlanResult) -> str:
    """Describe what a plan, or what the applier takes of it, does to a state."""
    return ", ".join(list_acts(state, plan)) or "nothing"


def list_acts(state: State, plan: Plan | PlanResult, naming: Naming = BY_ID) -> Iterator[str]:
    """List what a plan, or what the applier takes of it, does to a state."""
    if plan.deployment is not None and state.find_deployment(plan.deployment.id) is None:
        yield f"begins {naming.name_deployment(plan.deployment.id)}"
    for update in plan.deployment_updates:
        yield f"sets {naming.name_deployment(update.deployment_id)} to {update.status}"
    for verb, lists in (("stops", plan.node_update), ("preempts", plan.node_preemptions)):
        for node, allocs in sorted(lists.items()):
            yield from (f"{verb} {naming.name_alloc(each)} on {node}" for each in allocs)
    for _, allocs in sorted(plan.node_allocation.items()):
        yield from (_describe_change(state, each, naming) for each in allocs)


def _describe_change(state: State, alloc: Allocation, naming: Naming) -> str:
    """Describe what a plan places or updates: of an update, what may be new with it."""
    was = state.find_alloc(alloc.id)
    if was is None:
        joined = f" for {naming.name_deployment(alloc.deployment_id)}" if alloc.deployment_id else ""
        return f"places {naming.name_alloc(alloc)} on {alloc.node_id}{joined}"
    news = _list_news(was, alloc, naming)
    return " ".join((f"updates {naming.name_alloc(alloc)} on {alloc.node_id}", *news))


def _list_news(was: Allocation, now: Allocation, naming: Naming) -> Iterator[str]:
    """List what is new with an allocation that a plan updates."""
    if describe_version(was) != describe_version(now):
        yield f"to {describe_version(now)}"
    if was.client_status != now.client_status:
        yield f"as {now.client_status}"
    if was.deployment_id != now.deployment_id:
        yield f"for {naming.name_deployment(now.deployment_id)}"
    if was.followup_eval_id != now.followup_eval_id:
        yield f"with {naming.name_follow_up(now.followup_eval_id)}"


def describe_version(alloc: Allocation) -> str:
    """Describe of which version of its job an allocation is."""
    return f"version {alloc.job.version if alloc.job is not None else 0}"
