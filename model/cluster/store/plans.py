"""Plans: the entry that commits what the applier let through."""

from typing import Final

from msgspec.structs import replace

from nomadspec.model.cluster.entities import (
    Allocation,
    AllocDesired,
    Deployment,
    Eligibility,
    Job,
    JobStatus,
    NodeEvent,
)
from nomadspec.model.cluster.entities.allocation import is_terminal
from nomadspec.model.cluster.store.alloc_writes import write_planned_alloc
from nomadspec.model.cluster.store.deployment_writes import (
    merge_planned,
    update_deployment_status,
    write_deployment,
)
from nomadspec.model.cluster.store.draft import Draft
from nomadspec.model.cluster.store.evals import write_evals
from nomadspec.model.cluster.store.job_status import refresh_job_status
from nomadspec.model.cluster.store.node_events import add_node_event
from nomadspec.model.cluster.store.requests import ApplyPlanResults
from nomadspec.model.cluster.store.run import RefusedError, Run
from nomadspec.model.cluster.store.tables import ALLOCS, EVALS, NODES, JobKey
from nomadspec.model.specification.quirks import FORCED_RUNNING, ORPHANED_DEPLOYMENT

REJECTED_TOO_OFTEN: Final = (
    "Node marked as ineligible for scheduling due to multiple plan rejections, refer to "
    "https://developer.hashicorp.com/nomad/s/port-plan-failure for more information"
)


def apply_plan(run: Run, request: ApplyPlanResults) -> None:
    """Commit a plan's results as a whole, or refuse them as a whole.

    Spec: PLAN-70, OBJ-283, OBJ-415, FSM-03, SYSDEP-25, 01/S15.
    """
    draft = run.begin()
    allocs = _expand(draft, request)
    for node_id in request.ineligible_nodes:
        _make_ineligible(draft, node_id, request.updated_at_ns)
    if request.deployment is not None and _may_deploy(draft, request.deployment):
        write_deployment(draft, merge_planned(draft, request.deployment))
    _update_deployments(draft, request)
    if request.eval_id:
        _touch_eval(draft, request.eval_id)
    written = [alloc for each in allocs if (alloc := write_planned_alloc(draft, each)) is not None]
    draft.touch(ALLOCS)
    for key, is_running in _find_running(written).items():
        refresh_job_status(draft, key, _force(draft, key) if is_running else "")
    write_evals(draft, request.preemption_evals)
    run.commit(draft)
    for evaluation in request.preemption_evals:
        run.hand_eval(evaluation)


def _expand(draft: Draft, request: ApplyPlanResults) -> list[Allocation]:
    updated = [_with_job(alloc, request.job) for alloc in request.allocs_updated]
    stopped = [expand_stop(_find_alloc(draft, stop.id), stop) for stop in request.allocs_stopped]
    evicted = [expand_eviction(_find_alloc(draft, each.id), each) for each in request.allocs_preempted]
    return [*updated, *stopped, *evicted]


def _with_job(alloc: Allocation, job: Job | None) -> Allocation:
    return alloc if alloc.job is not None or is_terminal(alloc) else replace(alloc, job=job)


def _find_alloc(draft: Draft, alloc_id: str) -> Allocation:
    alloc = draft.allocs.get(alloc_id)
    if alloc is None:
        raise RefusedError(f"alloc {alloc_id} doesn't exist")
    return alloc


def expand_stop(alloc: Allocation, stop: Allocation) -> Allocation:
    """Fill in what an allocation is when it is told to stop, from what of it changes.

    Spec: PLAN-40, 03/S9, 01/S10, 09/S9.
    """
    return replace(
        alloc,
        desired_status=AllocDesired.STOP.value,
        desired_description=stop.desired_description,
        alloc_states=stop.alloc_states,
        client_status=stop.client_status or alloc.client_status,
        followup_eval_id=stop.followup_eval_id or alloc.followup_eval_id,
        modify_time_ns=stop.modify_time_ns or alloc.modify_time_ns,
    )


def expand_eviction(alloc: Allocation, eviction: Allocation) -> Allocation:
    """Fill in what an allocation is when it is preempted, from what of it changes.

    Spec: PLAN-03, PLAN-40.
    """
    return replace(
        alloc,
        desired_status=AllocDesired.EVICT.value,
        desired_description=f"Preempted by alloc ID {eviction.preempted_by_allocation}",
        preempted_by_allocation=eviction.preempted_by_allocation,
        modify_time_ns=eviction.modify_time_ns or alloc.modify_time_ns,
    )


def _make_ineligible(draft: Draft, node_id: str, updated_at_ns: int) -> None:
    """Make a node ineligible that rejected too many plans; one that is gone fails the plan as a whole.

    Spec: PLAN-70, 03/S11, 03/S12.
    """
    node = draft.nodes.get(node_id)
    if node is None:
        raise RefusedError("node not found")
    event = NodeEvent(message=REJECTED_TOO_OFTEN, subsystem="Scheduler", timestamp_ns=draft.now_ns)
    ineligible = replace(
        node,
        scheduling_eligibility=Eligibility.INELIGIBLE.value,
        status_updated_at_s=updated_at_ns,
        modify_index=draft.index,
    )
    draft.put(add_node_event(ineligible, event, draft.index))
    draft.touch(NODES)


def _update_deployments(draft: Draft, request: ApplyPlanResults) -> None:
    try:
        for update in request.deployment_updates:
            when_ns = update.updated_at_ns or request.updated_at_ns
            update_deployment_status(draft, replace(update, updated_at_ns=when_ns))
    except RefusedError:
        return  # that update and the later ones are dropped; the plan goes on (01/S15)


def _touch_eval(draft: Draft, eval_id: str) -> None:
    evaluation = draft.evals.get(eval_id)
    if evaluation is None:
        raise RefusedError(f'unable to find eval id "{eval_id}"')
    draft.put(replace(evaluation, modify_index=draft.index))
    draft.touch(EVALS)


def _may_deploy(draft: Draft, deployment: Deployment) -> bool:
    job = draft.jobs.get((deployment.namespace, deployment.job_id))
    is_its_job = job is not None and job.create_index == deployment.job_create_index
    return is_its_job or draft.profile.has(ORPHANED_DEPLOYMENT)


def _find_running(written: list[Allocation]) -> dict[JobKey, bool]:
    return {(alloc.namespace, alloc.job_id): not is_terminal(alloc) for alloc in written}


def _force(draft: Draft, key: JobKey) -> str:
    job = draft.jobs.get(key)
    is_stopped = job is not None and job.stop
    return "" if is_stopped and not draft.profile.has(FORCED_RUNNING) else JobStatus.RUNNING.value
