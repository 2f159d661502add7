"""Lies about deployments: what a plan, the watcher or an operator makes of them, field by field."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from nomadspec.model.cluster.entities import Evaluation, Job
from nomadspec.model.cluster.entities.scalar import NS_PER_S
from nomadspec.model.cluster.store import State, requests
from tests.checkers.oracle.lying.plans import ODD
from tests.checkers.oracle.lying.telling import Twist, given, on, with_first

R = requests
HOUR_NS = 3600 * NS_PER_S

# --- statuses ---


def _update(pick: Callable[[Any], bool], change: Callable[[Any], Any]) -> Twist:
    return on(
        R.DeploymentUpdateStatus,
        lambda request, _: change(request) if request.deployment_update and pick(request) else None,
    )


def _is(*statuses: str) -> Callable[[Any], bool]:
    return lambda request: request.deployment_update.status in statuses


def _told(**changes: Any) -> Callable[[Any], Any]:
    def change(request: Any) -> Any:
        update = request.deployment_update
        made = {name: item(update) if callable(item) else item for name, item in changes.items()}
        return replace(request, deployment_update=replace(update, **made))

    return change


def _restored(change: Callable[[Job], Job]) -> Callable[[Any], Any]:
    """Change the job that a failing deployment goes back to."""
    return lambda request: replace(request, job=change(request.job)) if request.job else None


def _count_more(job: Job) -> Job:
    return replace(job, task_groups=tuple(replace(group, count=group.count + 1) for group in job.task_groups))


def _wake(request: Any) -> Any:
    update = request.deployment_update
    made = Evaluation(
        id=ODD,
        namespace="default",
        job_id="web",
        type="service",
        priority=50,
        triggered_by="deployment-watcher",
        deployment_id=update.deployment_id,
        status="pending",
        create_time_ns=update.updated_at_ns,
        modify_time_ns=update.updated_at_ns,
    )
    return replace(request, eval=made)


_ANY = _is("failed", "paused", "running")
STATUSES: Mapping[str, Twist] = {
    "deploying: goes back to a job with another count": _update(_ANY, _restored(_count_more)),
    "deploying: goes back to a job with other words": _update(
        _ANY, _restored(lambda job: replace(job, meta={"odd": "1"}))
    ),
    "deploying: goes back to a job that is not stable": _update(
        _ANY, _restored(lambda job: replace(job, stable=False))
    ),
    "deploying: goes back to a job as if submitted now": _update(
        _ANY, _restored(lambda job: replace(job, submit_time_ns=job.submit_time_ns + HOUR_NS))
    ),
    "deploying: ended an hour later": _update(
        _ANY, _told(updated_at_ns=lambda each: each.updated_at_ns + HOUR_NS)
    ),
    "deploying: ended an hour before": _update(
        _ANY, _told(updated_at_ns=lambda each: each.updated_at_ns - HOUR_NS)
    ),
    "deploying: paused with an evaluation": _update(_is("paused"), _wake),
    "deploying: goes on without an evaluation": _update(
        _is("running"), lambda request: replace(request, eval=None)
    ),
    "deploying: goes on in other words": _update(_is("running"), _told(status_description="again")),
    "deploying: paused in other words": _update(_is("paused"), _told(status_description="later")),
}


# --- watchers ---


def _batch(change: Callable[[Any], Any]) -> Twist:
    return on(
        R.AllocUpdateDesiredTransition,
        lambda request, _: (
            change(request)
            if any(each.triggered_by == "deployment-watcher" for each in request.evals)
            else None
        ),
    )


def _twice(request: Any) -> Any:
    return replace(request, evals=(*request.evals, replace(request.evals[0], id=ODD)))


WATCHERS: Mapping[str, Twist] = {
    "deploying: the watcher wakes twice": _batch(_twice),
    "deploying: the watcher waits": _batch(
        lambda request: given(
            request,
            evals=with_first(
                request.evals, lambda _: True, wait_until_ns=lambda each: each.create_time_ns + HOUR_NS
            ),
        )
    ),
    "deploying: the watcher wakes for a node": _batch(
        lambda request: given(request, evals=with_first(request.evals, lambda _: True, node_id=ODD))
    ),
}

# --- plans ---


def _planned(**changes: Any) -> Twist:
    """Change a deployment that a plan makes."""

    def change(request: Any, state: State) -> Any:
        deployment = request.deployment
        if deployment is None or state.find_deployment(deployment.id) is not None:
            return None
        made = {name: item(deployment) if callable(item) else item for name, item in changes.items()}
        return replace(request, deployment=replace(deployment, **made))

    return on(R.ApplyPlanResults, change)


def _of_group(**changes: Any) -> Twist:
    """Change a group of a deployment that a plan makes or changes."""

    def change(request: Any, _: State) -> Any:
        groups = request.deployment.task_groups if request.deployment else {}
        if not groups:
            return None
        told = {
            name: group
            and replace(
                group, **{key: item(group) if callable(item) else item for key, item in changes.items()}
            )
            for name, group in groups.items()
        }
        return replace(request, deployment=replace(request.deployment, task_groups=told))

    return on(R.ApplyPlanResults, change)


def _other_canaries(request: Any, _: State) -> Any:
    groups = request.deployment.task_groups if request.deployment else {}
    told = {
        name: group and replace(group, placed_canaries=(ODD, *group.placed_canaries[1:]))
        for name, group in groups.items()
        if group and group.placed_canaries
    }
    return (
        replace(request, deployment=replace(request.deployment, task_groups={**groups, **told}))
        if told
        else None
    )


PLANNED: Mapping[str, Twist] = {
    "deploying: made a day before": _planned(create_time_ns=lambda each: each.create_time_ns - 24 * HOUR_NS),
    "deploying: made a day later": _planned(create_time_ns=lambda each: each.create_time_ns + 24 * HOUR_NS),
    "deploying: made and changed since": _planned(modify_time_ns=lambda each: each.create_time_ns + NS_PER_S),
    "deploying: made for other evaluations": _planned(eval_priority=1),
    "deploying: made of another job": _planned(job_create_index=lambda each: each.job_create_index + 1),
    "deploying: made of another change": _planned(job_modify_index=lambda each: each.job_modify_index + 1),
    "deploying: made of another specification": _planned(
        job_spec_modify_index=lambda each: each.job_spec_modify_index + 1
    ),
    "deploying: made for several regions": _planned(is_multiregion=True),
    "deploying: a group is promoted by itself": _of_group(auto_promote=lambda each: not each.auto_promote),
    "deploying: a group counts what is not there": _of_group(
        placed_allocs=lambda each: each.placed_allocs + 1
    ),
    "deploying: a group is healthy at once": _of_group(healthy_allocs=lambda each: each.healthy_allocs + 1),
    "deploying: a group has a deadline at once": _of_group(
        require_progress_by_ns=lambda each: each.require_progress_by_ns + HOUR_NS
    ),
    "deploying: a canary that is none": on(R.ApplyPlanResults, _other_canaries),
    "deploying: ended by a plan an hour later": on(
        R.ApplyPlanResults,
        lambda request, _: given(
            request,
            deployment_updates=with_first(
                request.deployment_updates,
                lambda _: True,
                updated_at_ns=lambda each: each.updated_at_ns + HOUR_NS,
            ),
        ),
    ),
}

DEPLOYING: Mapping[str, Twist] = {**STATUSES, **WATCHERS, **PLANNED}
"""Lies about deployments."""
