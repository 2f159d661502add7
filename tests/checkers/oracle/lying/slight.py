"""Slight lies: a field, a bound, a word or a step of one component is wrong, and all else is right."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from nomadspec.model.cluster.components.deployment_watcher import FAILED_DEADLINE, FAILED_HEALTH
from nomadspec.model.cluster.entities import (
    Allocation,
    AllocDeploymentStatus,
    DesiredTransition,
    Evaluation,
    Node,
)
from nomadspec.model.cluster.entities.allocation import is_terminal
from nomadspec.model.cluster.entities.scalar import NS_PER_S
from nomadspec.model.cluster.store import State, requests
from tests.checkers.oracle.lying.plans import ODD
from tests.checkers.oracle.lying.slight_plans import SLIGHT_PLANS
from tests.checkers.oracle.lying.telling import SILENCE, Twist, given, on, with_first, without_first

R = requests
HOUR_NS = 3600 * NS_PER_S

# --- evaluations ---


def _entry(pick: Callable[[Evaluation], bool], **changes: Any) -> Twist:
    return on(
        R.EvalUpdate, lambda request, _: given(request, evals=with_first(request.evals, pick, **changes))
    )


def _is_of_node(entry: Evaluation) -> bool:
    return not entry.create_index and entry.triggered_by == "node-update"


def _is_scaled(entry: Evaluation) -> bool:
    return not entry.create_index and entry.triggered_by == "job-scaling"


def _is_registered(entry: Evaluation) -> bool:
    return not entry.create_index and entry.triggered_by == "job-register"


def _is_outcome(entry: Evaluation) -> bool:
    is_done = bool(entry.create_index and entry.snapshot_index) and entry.type != "_core"
    return is_done and entry.status == "complete"


def _and_another(trigger: str) -> Twist:
    """Make one more evaluation, for which there is no reason."""

    def change(request: Any, _: State) -> Any:
        found = next(filter(_is_outcome, request.evals), None)
        made = found and Evaluation(
            id=ODD,
            namespace=found.namespace,
            job_id=found.job_id,
            type=found.type,
            priority=found.priority,
            triggered_by=trigger,
            status="pending",
            create_time_ns=found.modify_time_ns,
            modify_time_ns=found.modify_time_ns,
        )
        return made and replace(request, evals=(*request.evals, made))

    return on(R.EvalUpdate, change)


EVALUATIONS: Mapping[str, Twist] = {
    "slight: a node wakes in the name of another": _entry(_is_of_node, node_id=ODD),
    "slight: a node names another entry": _entry(
        _is_of_node, node_modify_index=lambda each: each.node_modify_index - 1
    ),
    "slight: a node names the version of a job": _entry(_is_of_node, job_modify_index=7),
    "slight: a node wakes for a deployment": _entry(_is_of_node, deployment_id=ODD),
    "slight: scaled and nobody woken": on(
        R.EvalUpdate, lambda request, _: SILENCE if any(map(_is_scaled, request.evals)) else None
    ),
    "slight: scaled in another entry": _entry(
        _is_scaled, job_modify_index=lambda each: each.job_modify_index - 1
    ),
    "slight: registered again with another type": _entry(_is_registered, type="sysbatch"),
    "slight: an outcome of a later state": _entry(
        _is_outcome, snapshot_index=lambda each: each.snapshot_index + 1000
    ),
    "slight: an outcome of no deployment": _entry(
        lambda entry: _is_outcome(entry) and bool(entry.deployment_id), deployment_id=""
    ),
    "slight: another group is queued": _entry(
        _is_outcome, queued_allocations=lambda each: {**each.queued_allocations, "odd": 1}
    ),
    "slight: woken for a failure that nobody told": _and_another("alloc-failure"),
    "slight: woken for a rolling update": _and_another("rolling-update"),
    "slight: woken by a watcher alone": _and_another("deployment-watcher"),
}

# --- clients ---


def _report(change: Callable[[Allocation, Allocation], Any]) -> Twist:
    """Change the first report that can be changed so, by what is stored of it."""

    def twist(request: Any, state: State) -> Any:
        for at, report in enumerate(request.alloc):
            stored = state.find_alloc(report.id)
            changed = change(report, stored) if stored is not None else None
            if changed is not None:
                return replace(request, alloc=(*request.alloc[:at], changed, *request.alloc[at + 1 :]))
        return None

    return on(R.AllocClientUpdate, twist)


def _is_running(report: Allocation) -> bool:
    states = report.task_states.values()
    return report.client_status == "running" and all(state.started_at_ns for state in states)


def _knows(stored: Allocation) -> bool:
    return stored.deployment_status is not None and stored.deployment_status.healthy is not None


def _tell_health(report: Allocation, time_ns: int, *, is_healthy: bool) -> Allocation:
    known = report.deployment_status or AllocDeploymentStatus()
    return replace(report, deployment_status=replace(known, healthy=is_healthy, timestamp_ns=time_ns))


def _healthy_at_once(report: Allocation, stored: Allocation) -> Any:
    is_due = bool(stored.deployment_id) and not _knows(stored) and _is_running(report)
    started_ns = max((state.started_at_ns for state in report.task_states.values()), default=0)
    return _tell_health(report, started_ns + 1, is_healthy=True) if is_due else None


def _unhealthy_at_once(report: Allocation, stored: Allocation) -> Any:
    is_due = bool(stored.deployment_id) and not _knows(stored) and _is_running(report)
    return _tell_health(report, report.modify_time_ns, is_healthy=False) if is_due else None


def _healthy_batch(report: Allocation, stored: Allocation) -> Any:
    is_batch = stored.job is not None and stored.job.type == "batch"
    return _tell_health(report, report.modify_time_ns, is_healthy=True) if is_batch else None


def _woken(**changes: Any) -> Twist:
    return on(
        R.AllocClientUpdate,
        lambda request, _: given(request, evals=with_first(request.evals, lambda _: True, **changes)),
    )


CLIENTS: Mapping[str, Twist] = {
    "slight: healthy at once": _report(_healthy_at_once),
    "slight: unhealthy before the deadline": _report(_unhealthy_at_once),
    "slight: a batch job is healthy": _report(_healthy_batch),
    "slight: a report wakes for a deployment": _woken(deployment_id=ODD),
    "slight: a report names the version of a job": _woken(job_modify_index=7),
    "slight: a report wakes later": _woken(wait_ns=NS_PER_S),
    "slight: a report makes a blocked one": _woken(status="blocked"),
}

# --- deployments ---


def _early_deadline(request: Any, _: State) -> Any:
    update = request.deployment_update
    if update is None or not update.status_description.startswith(FAILED_HEALTH):
        return None
    words = update.status_description.replace(FAILED_HEALTH, FAILED_DEADLINE)
    return replace(request, deployment_update=replace(update, status_description=words))


def _marked(trigger: str, change: Callable[[Any, State], Any]) -> Twist:
    return on(
        R.AllocUpdateDesiredTransition,
        lambda request, state: (
            change(request, state) if any(each.triggered_by == trigger for each in request.evals) else None
        ),
    )


def _woken_by(trigger: str, **changes: Any) -> Twist:
    return _marked(
        trigger,
        lambda request, _: given(request, evals=with_first(request.evals, lambda _: True, **changes)),
    )


def _remark(**changes: Any) -> Callable[[Any, State], Any]:
    return lambda request, _: replace(
        request,
        allocs={
            name: replace(told or DesiredTransition(), **changes) for name, told in request.allocs.items()
        },
    )


def _force_more(request: Any, state: State) -> Any:
    other = next((each for each in state.list_allocs() if each.id not in request.allocs), None)
    told = DesiredTransition(force_reschedule=True)
    return other and replace(request, allocs={**request.allocs, other.id: told})


DEPLOYMENTS: Mapping[str, Twist] = {
    "slight: a deadline that is far": on(R.DeploymentUpdateStatus, _early_deadline),
    "slight: a watcher names the version of a job": _woken_by("deployment-watcher", job_modify_index=7),
    "slight: a watcher asks for a migration": _marked("deployment-watcher", _remark(migrate=True)),
    "slight: stopped with another priority": _woken_by("alloc-stop", priority=1),
    "slight: stopped without the version of its job": _woken_by("alloc-stop", job_modify_index=0),
    "slight: stopped without a mark": _marked("alloc-stop", _remark(migrate=None)),
    "slight: stopped by force": _marked("alloc-stop", _remark(force_reschedule=True)),
    "slight: an evaluation of a job forces one more": _marked("job-register", _force_more),
    "slight: an evaluation of a job names no version": _woken_by("job-register", job_modify_index=0),
}

# --- nodes ---


def _drained(**changes: Any) -> Twist:
    def change(request: Any, _: State) -> Any:
        strategy = request.drain_strategy
        if strategy is None:
            return None
        made = {name: item(strategy) if callable(item) else item for name, item in changes.items()}
        return replace(request, drain_strategy=replace(strategy, **made))

    return on(R.NodeUpdateDrain, change)


def _ended(**changes: Any) -> Twist:
    return on(
        R.BatchNodeUpdateDrain,
        lambda request, _: replace(
            request,
            node_events={
                name: event and replace(event, **changes) for name, event in request.node_events.items()
            },
        ),
    )


def _register_ready(request: Any, state: State) -> Any:
    stored: Node | None = state.find_node(request.node.id)
    if stored is None or stored.status == "ready":
        return None
    return replace(request, node=replace(request.node, status="ready"))


NODES: Mapping[str, Twist] = {
    "slight: a drain takes an hour longer": _drained(
        force_deadline_ns=lambda each: each.force_deadline_ns + HOUR_NS if each.force_deadline_ns else 0
    ),
    "slight: a drain has begun before": _drained(started_at_ns=lambda each: each.started_at_ns - HOUR_NS),
    "slight: a drain without end has one": _drained(
        force_deadline_ns=lambda each: each.force_deadline_ns or each.started_at_ns + HOUR_NS
    ),
    "slight: a drain ends in other words": _ended(message="Node drain done"),
    "slight: a drain says more than that it ended": _ended(details={"why": "for fun"}),
    "slight: marked for the drain of a batch job": _marked(
        "node-drain", _remark(migrate_disable_placement=False)
    ),
    "slight: a drain names the version of a job": _woken_by("node-drain", job_modify_index=7),
    "slight: registered as ready": on(R.NodeRegister, _register_ready),
}

# --- jobs and collection ---


def _event(**changes: Any) -> Twist:
    def change(request: Any, _: State) -> Any:
        event = request.scaling_event
        if event is None or event.count is None:
            return None
        made = {name: item(event) if callable(item) else item for name, item in changes.items()}
        return replace(request, scaling_event=replace(event, **made))

    return on(R.ScalingEventRegister, change)


def _collect_without(request: Any, state: State) -> Any:
    """Collect an evaluation, and leave an allocation of it."""
    if request.user_initiated:
        return None
    for eval_id in request.evals:
        own = {alloc.id for alloc in state.list_allocs_of_eval(eval_id)}
        if own.intersection(request.allocs):
            return given(request, allocs=without_first(request.allocs, own.__contains__))
    return None


def _collect_early(request: Any, state: State) -> Any:
    """Collect an evaluation with its allocations while one lives: how old others must be is unknown."""
    ended = [
        each
        for each in state.list_evals()
        if each.status in {"complete", "canceled"}
        and any(not is_terminal(alloc) for alloc in state.list_allocs_of_eval(each.id))
    ]
    newest = max(ended, key=lambda each: each.modify_time_ns, default=None)
    if request.user_initiated or newest is None or newest.id in request.evals:
        return None
    own = (alloc.id for alloc in state.list_allocs_of_eval(newest.id))
    return replace(request, evals=(*request.evals, newest.id), allocs=(*request.allocs, *own))


JOBS: Mapping[str, Twist] = {
    "slight: an event of another count": _event(count=lambda each: each.count + 1),
    "slight: an event of another count before": _event(previous_count=77),
    "slight: an event of another evaluation": _event(eval_id=ODD),
    "slight: an evaluation goes too early": on(R.EvalDelete, _collect_early),
    "slight: an evaluation goes before its allocs": on(R.EvalDelete, _collect_without),
}

SLIGHT: Mapping[str, Twist] = {**SLIGHT_PLANS, **EVALUATIONS, **CLIENTS, **DEPLOYMENTS, **NODES, **JOBS}
"""All slight lies."""
