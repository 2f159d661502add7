"""Plans in words: what they stop, preempt, place and update in a state."""

from __future__ import annotations

from collections.abc import Iterator

from nomadspec.model.cluster.entities import Allocation, Plan, PlanResult
from nomadspec.model.cluster.store.state import State


def describe_plan(state: State, plan: Plan | PlanResult) -> str:
    """Describe what a plan, or what the applier takes of it, does to a state."""
    done = [f"sets the deployment to {update.status}" for update in plan.deployment_updates]
    if plan.deployment is not None and state.find_deployment(plan.deployment.id) is None:
        done.append(f"begins {plan.deployment.id}")
    for verb, lists in (("stops", plan.node_update), ("preempts", plan.node_preemptions)):
        done += [f"{verb} {each.id}" for _, allocs in sorted(lists.items()) for each in allocs]
    for _, allocs in sorted(plan.node_allocation.items()):
        done += [_describe_change(state, each) for each in allocs]
    return ", ".join(done) or "nothing"


def _describe_change(state: State, alloc: Allocation) -> str:
    """Describe what a plan places or updates: of an update, what may be new with it."""
    was = state.find_alloc(alloc.id)
    if was is None:
        joined = f" for {alloc.deployment_id}" if alloc.deployment_id else ""
        return f"places {alloc.id} on {alloc.node_id}{joined}"
    return " ".join((f"updates {alloc.id}", *_list_news(was, alloc)))


def _list_news(was: Allocation, now: Allocation) -> Iterator[str]:
    """List what is new with an allocation that a plan updates."""
    if describe_version(was) != describe_version(now):
        yield f"to {describe_version(now)}"
    if was.client_status != now.client_status:
        yield f"as {now.client_status}"
    if was.deployment_id != now.deployment_id:
        yield f"for {now.deployment_id}"
    if was.followup_eval_id != now.followup_eval_id:
        yield f"with the follow-up {now.followup_eval_id}"


def describe_version(alloc: Allocation) -> str:
    """Describe of which version of its job an allocation is."""
    return f"version {alloc.job.version if alloc.job is not None else 0}"
