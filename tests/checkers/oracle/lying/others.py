"""Lies about deployments, clients, drains, nodes, jobs, launches and collection."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from nomadspec.model.cluster.entities import Allocation, Evaluation
from nomadspec.model.cluster.entities.allocation import ClientDescription
from nomadspec.model.cluster.store import State, requests
from tests.checkers.oracle.lying.evaluations import EVALUATIONS
from tests.checkers.oracle.lying.plans import ODD, PLANS
from tests.checkers.oracle.lying.telling import SILENCE, Twist, given, on, with_first, without_first

R = requests


def eval_of(kind: type, **changes: Any) -> Twist:
    """Change the evaluation that comes with a request."""

    def change(request: Any, _: State) -> Any:
        entry: Evaluation | None = request.eval
        if entry is None:
            return None
        made = {name: item(entry) if callable(item) else item for name, item in changes.items()}
        return replace(request, eval=replace(entry, **made))

    return on(kind, change)


def _without_eval(kind: type) -> Twist:
    return on(kind, lambda request, _: replace(request, eval=None) if request.eval else None)


def _set(kind: type, pick: Callable[[Any, State], bool], **changes: Any) -> Twist:
    return on(kind, lambda request, state: replace(request, **changes) if pick(request, state) else None)


# --- deployments ---


def _ended(**changes: Any) -> Twist:
    def change(request: Any, _: State) -> Any:
        update = request.deployment_update
        is_failing = update is not None and update.status == "failed"
        return replace(request, deployment_update=replace(update, **changes)) if is_failing else None

    return on(R.DeploymentUpdateStatus, change)


def _revert_elsewhere(request: Any, _: State) -> Any:
    return request.job and replace(request, job=replace(request.job, version=request.job.version + 7))


def _is_watchers(request: Any) -> bool:
    return any(each.triggered_by == "deployment-watcher" for each in request.evals)


def _batch(change: Callable[[Any, State], Any]) -> Twist:
    return on(
        R.AllocUpdateDesiredTransition,
        lambda request, state: change(request, state) if _is_watchers(request) else None,
    )


def _let_another_go(request: Any, state: State) -> Any:
    other = next((each for each in state.list_allocs() if each.id not in request.allocs), None)
    told = next(iter(request.allocs.values()), None)
    return other and told and replace(request, allocs={**request.allocs, other.id: told})


DEPLOYMENTS: Mapping[str, Twist] = {
    "deployment: never reverts": _set(
        R.DeploymentUpdateStatus, lambda request, _: bool(request.job), job=None
    ),
    "deployment: reverts to another version": on(R.DeploymentUpdateStatus, _revert_elsewhere),
    "deployment: fails in other words": _ended(status_description="Failed for fun"),
    "deployment: succeeds though it fails": _ended(status="successful"),
    "deployment: is cancelled though it fails": _ended(status="cancelled"),
    "deployment: fails without an evaluation": on(
        R.DeploymentUpdateStatus,
        lambda request, _: (
            replace(request, eval=None)
            if request.eval and request.deployment_update.status == "failed"
            else None
        ),
    ),
    "deployment: wakes with another priority": eval_of(R.DeploymentUpdateStatus, priority=1),
    "deployment: wakes for another reason": eval_of(R.DeploymentUpdateStatus, triggered_by="job-register"),
    "deployment: does not fail": on(
        R.DeploymentUpdateStatus,
        lambda request, _: (
            SILENCE
            if request.deployment_update.status_description.startswith("Failed due to unhealthy")
            else None
        ),
    ),
    "deployment: is not ended by its deadline": on(
        R.DeploymentUpdateStatus,
        lambda request, _: (
            SILENCE if "progress deadline" in request.deployment_update.status_description else None
        ),
    ),
    "deployment: promoted without an evaluation": _without_eval(R.DeploymentPromote),
    "deployment: promoted for another reason": eval_of(R.DeploymentPromote, triggered_by="job-register"),
    "deployment: promoted by another type": eval_of(R.DeploymentPromote, type="sysbatch"),
    "watcher: wakes for another deployment": _batch(
        lambda request, _: given(request, evals=with_first(request.evals, lambda _: True, deployment_id=""))
    ),
    "watcher: wakes with another priority": _batch(
        lambda request, _: given(request, evals=with_first(request.evals, lambda _: True, priority=1))
    ),
    "watcher: lets another one be replaced": _batch(_let_another_go),
    "health: fails without a word": on(
        R.DeploymentAllocHealth,
        lambda request, _: replace(request, deployment_update=None) if request.deployment_update else None,
    ),
    "health: wakes nobody": _without_eval(R.DeploymentAllocHealth),
}

# --- clients ---


def _reported(pick: Callable[[Allocation, Allocation], bool], **changes: Any) -> Twist:
    def change(request: Any, state: State) -> Any:
        def is_picked(report: Allocation) -> bool:
            stored = state.find_alloc(report.id)
            return stored is not None and pick(report, stored)

        return given(request, alloc=with_first(request.alloc, is_picked, **changes))

    return on(R.AllocClientUpdate, change)


def _report_again(request: Any, state: State) -> Any:
    """Let something that has ended be pending again."""
    ended = next((each for each in state.list_allocs() if each.client_status in {"complete", "failed"}), None)
    if ended is None:
        return None
    report = Allocation(id=ended.id, node_id=ended.node_id, client_status="pending", task_states={})
    return replace(request, alloc=(*request.alloc, report))


def _run_over(request: Any, _: State) -> Any:
    """Leave out that something was ended because it had run for long enough."""
    left = tuple(each for each in request.alloc if each.client_description != ClientDescription.OVERDUE)
    return replace(request, alloc=left) if left else SILENCE


def _wake_another(request: Any, state: State) -> Any:
    known = {each.job_id for each in request.evals}
    job = next((each for each in state.list_jobs() if each.id not in known), None)
    made = job and Evaluation(
        id=ODD,
        namespace=job.namespace,
        job_id=job.id,
        type=job.type,
        priority=job.priority,
        triggered_by="alloc-failure",
        status="pending",
    )
    return made and replace(request, evals=(*request.evals, made))


def _runs(report: Allocation, _: Allocation) -> bool:
    return report.client_status == "running" and bool(report.task_states)


def _ends(report: Allocation, stored: Allocation) -> bool:
    is_over = report.client_status in {"complete", "failed"} and bool(report.task_states)
    return is_over and stored.client_status == "running"


CLIENTS: Mapping[str, Twist] = {
    "client: complete while its tasks run": _reported(_runs, client_status="complete"),
    "client: failed while its tasks run": _reported(_runs, client_status="failed"),
    "client: runs though its tasks have ended": _reported(_ends, client_status="running"),
    "client: failed or complete, otherwise than its tasks": _reported(
        _ends, client_status=lambda each: "failed" if each.client_status == "complete" else "complete"
    ),
    "client: lost by its own word": _reported(_runs, client_status="lost"),
    "client: unknown by its own word": _reported(_runs, client_status="unknown"),
    "client: tells of another node": _reported(_runs, node_id=ODD),
    "client: runs on although its time is over": on(R.AllocClientUpdate, _run_over),
    "client: pending after the end": on(R.AllocClientUpdate, _report_again),
    "report: wakes one less": on(
        R.AllocClientUpdate, lambda request, _: given(request, evals=without_first(request.evals))
    ),
    "report: wakes another": on(R.AllocClientUpdate, _wake_another),
    "report: wakes with another priority": on(
        R.AllocClientUpdate,
        lambda request, _: given(request, evals=with_first(request.evals, lambda _: True, priority=1)),
    ),
    "report: wakes for another reason": on(
        R.AllocClientUpdate,
        lambda request, _: given(
            request, evals=with_first(request.evals, lambda _: True, triggered_by="scheduled")
        ),
    ),
}

# --- nodes and drains ---


def _marks(change: Callable[[Any, State], Any]) -> Twist:
    return on(
        R.AllocUpdateDesiredTransition,
        lambda request, state: (
            change(request, state)
            if any(each.triggered_by == "node-drain" for each in request.evals)
            else None
        ),
    )


def _mark_another(request: Any, state: State) -> Any:
    quiet = {node.id for node in state.list_nodes() if node.drain_strategy is None}
    other = next((each for each in state.list_allocs() if each.node_id in quiet), None)
    told = next(iter(request.allocs.values()), None)
    return other and told and replace(request, allocs={**request.allocs, other.id: told})


def _unmark(request: Any, _: State) -> Any:
    return replace(
        request, allocs={name: told and replace(told, migrate=None) for name, told in request.allocs.items()}
    )


def _end_another(request: Any, state: State) -> Any:
    other = next((node.id for node in state.list_nodes() if node.id not in request.updates), None)
    told = next(iter(request.updates.values()), None)
    return other and replace(request, updates={**request.updates, other: told})


NODES: Mapping[str, Twist] = {
    "drain: marks one that need not go": _marks(_mark_another),
    "drain: marks without a mark": _marks(_unmark),
    "drain: wakes one less": _marks(lambda request, _: given(request, evals=without_first(request.evals))),
    "drain: wakes with another priority": _marks(
        lambda request, _: given(request, evals=with_first(request.evals, lambda _: True, priority=1))
    ),
    "drain: ends where none was": on(R.BatchNodeUpdateDrain, _end_another),
    "drain: does not end": on(R.BatchNodeUpdateDrain, lambda *_: SILENCE),
    "node: called ready though it is down": on(
        R.NodeUpdateStatus,
        lambda request, _: (
            replace(request, status="ready") if request.status in {"down", "disconnected"} else None
        ),
    ),
    "node: down or disconnected, the other way": on(
        R.NodeUpdateStatus,
        lambda request, _: (
            replace(request, status={"down": "disconnected", "disconnected": "down"}[request.status])
            if request.status in {"down", "disconnected"}
            else None
        ),
    ),
}

# --- jobs ---


def _launched(change: Callable[[Any], Any]) -> Twist:
    return on(
        R.JobRegister,
        lambda request, _: change(request) if request.job and "/periodic-" in request.job.id else None,
    )


def _of_job(**changes: Any) -> Callable[[Any], Any]:
    return lambda request: replace(request, job=replace(request.job, **changes))


def _delay_launch(request: Any) -> Any:
    head, _, second = request.job.id.rpartition("-")
    name = f"{head}-{int(second) + 1000}"
    entry = request.eval and replace(request.eval, job_id=name)
    return replace(request, job=replace(request.job, id=name, name=name), eval=entry)


def _run_on(request: Any, state: State) -> Any:
    """Let the launch of a job that prohibits overlap run on."""
    for report in request.alloc:
        alloc = state.find_alloc(report.id)
        job = state.find_job(alloc.namespace, alloc.job_id) if alloc else None
        parent = state.find_job(job.namespace, job.parent_id) if job else None
        is_held = parent is not None and parent.periodic is not None and parent.periodic.prohibit_overlap
        if is_held and report.client_status == "complete":
            left = tuple(each for each in request.alloc if each.id != report.id)
            return replace(request, alloc=left) if left else SILENCE
    return None


def _register(**changes: Any) -> Twist:
    return eval_of(R.JobRegister, **changes)


JOBS: Mapping[str, Twist] = {
    "periodic: a child of another second": _launched(_delay_launch),
    "periodic: a child of another job": _launched(_of_job(parent_id="odd")),
    "periodic: a child of another priority": _launched(_of_job(priority=99)),
    "periodic: a child of another type": _launched(_of_job(type="service")),
    "periodic: a child without groups": _launched(_of_job(task_groups=())),
    "periodic: a child that wakes nobody": _launched(
        lambda request: replace(request, eval=None) if request.eval else None
    ),
    "periodic: a child registered by an operator": _launched(
        lambda request: (
            request.eval and replace(request, eval=replace(request.eval, triggered_by="job-register"))
        )
    ),
    "periodic: a launch that is due does not come": _launched(lambda _: SILENCE),
    "periodic: launched though the one before runs": on(R.AllocClientUpdate, _run_on),
    "job: registered with another priority": _register(priority=lambda each: each.priority % 100 + 1),
    "job: registered as another type": _register(type="sysbatch"),
    "job: registered for another reason": _register(triggered_by="scheduled"),
    "job: registered and done": _register(status="complete"),
    "job: registered and nobody woken": _without_eval(R.JobRegister),
    "job: stopped with another priority": eval_of(
        R.JobDeregister, priority=lambda each: each.priority % 100 + 1
    ),
    "job: stopped for another reason": eval_of(R.JobDeregister, triggered_by="job-register"),
    "job: stopped and nobody woken": _without_eval(R.JobDeregister),
}

# --- collection ---


def _delete_live(request: Any, state: State) -> Any:
    live = [
        each.id
        for each in state.list_allocs()
        if each.client_status == "running" and each.desired_status == "run"
    ]
    return None if request.user_initiated or not live else replace(request, allocs=(*request.allocs, live[0]))


def _delete_open(request: Any, state: State) -> Any:
    live = [each.id for each in state.list_evals() if each.status in {"pending", "blocked"}]
    return None if request.user_initiated or not live else replace(request, evals=(*request.evals, live[0]))


def _purge_live(request: Any, state: State) -> Any:
    job = next((each for each in state.list_jobs() if each.status != "dead" and not each.stop), None)
    named = job and R.JobToDeregister(namespace=job.namespace, id=job.id, purge=True)
    return named and replace(request, jobs=(*request.jobs, named))


def _delete_active(request: Any, state: State) -> Any:
    live = [each.id for each in state.list_deployments() if each.status in {"running", "paused"}]
    return replace(request, deployments=(*request.deployments, live[0])) if live else None


def _delete_ready(request: Any, state: State) -> Any:
    """Take a node away instead of what has ended: no recording shows that a node was collected."""
    ready = [each.id for each in state.list_nodes() if each.status == "ready"]
    return None if request.user_initiated or not ready else R.NodeBatchDeregister(node_ids=(ready[0],))


COLLECTION: Mapping[str, Twist] = {
    "collected: an alloc that runs": on(R.EvalDelete, _delete_live),
    "collected: an evaluation that is open": on(R.EvalDelete, _delete_open),
    "collected: a job that lives": on(R.JobBatchDeregister, _purge_live),
    "collected: a deployment that goes on": on(R.DeploymentDelete, _delete_active),
    "collected: a node that is ready": on(R.EvalDelete, _delete_ready),
}

LIES: Mapping[str, Twist] = {
    **PLANS,
    **EVALUATIONS,
    **DEPLOYMENTS,
    **CLIENTS,
    **NODES,
    **JOBS,
    **COLLECTION,
}
"""All kinds of lies."""
