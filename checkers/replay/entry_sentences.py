"""Says in a sentence what an entry of a log does, and who wrote it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from nomadspec.checkers.diagrams.evals.makers import find_maker
from nomadspec.checkers.oracle.trace_replay import Step
from nomadspec.model.cluster.entities import Allocation, Evaluation
from nomadspec.model.cluster.entities.node import RESPONSIVE
from nomadspec.model.cluster.store import State
from nomadspec.model.cluster.store import requests as asked

_SHORT: Final = 8
"""So much of an ID is enough to tell it from others."""
_MOST: Final = 4
"""So many names are listed before the rest is only counted."""


def tell_step(step: Step, before: State) -> str:
    """Say what an entry does."""
    request = step.typed.entry.request
    tell = _TELLERS.get(type(request))
    told = tell(request, before) if tell else _name_kind(step.typed.type)
    return f"{told}: refused, {step.applied.error}" if step.applied.error else told


def find_actor(step: Step) -> str:
    """Find the component that wrote an entry, as far as the entry tells."""
    request = step.typed.entry.request
    if isinstance(request, asked.AllocUpdateDesiredTransition) and request.evals:
        return find_maker(request.evals[0], ()) or "operator"
    if isinstance(request, asked.NodeUpdateStatus):
        return "client" if request.status in RESPONSIVE else "leader"
    if isinstance(request, asked.EvalUpdate) and not any(each.snapshot_index for each in request.evals):
        return "leader"
    return _ACTORS.get(type(request), "log" if isinstance(request, asked.Outside) else "operator")


def shorten_id(name: str) -> str:
    """Shorten an ID as the command line of a cluster does."""
    return name[:_SHORT] if len(name) > _SHORT and name.count("-") >= _MOST else name


def _join(names: Iterable[str]) -> str:
    """List names, and count those that are alike or too many."""
    counted = [f"{name} x{times}" if times > 1 else name for name, times in Counter(names).items()]
    rest = len(counted) - _MOST
    return ", ".join(counted[:_MOST]) + (f" and {rest} more" if rest > 0 else "")


def _name_kind(name: str) -> str:
    return f"({name})"


def _tell_evals(request: asked.EvalUpdate, _: State) -> str:
    return _join(map(_tell_eval, request.evals)) or "no evaluation"


def _tell_eval(entry: Evaluation) -> str:
    name = f"eval {shorten_id(entry.id)} of {entry.job_id}"
    if not entry.create_index:
        return f"{name} is made, {entry.status} by {entry.triggered_by}"
    return f"{name} is {entry.status}"


def _tell_plan(request: asked.ApplyPlanResults, before: State) -> str:
    new = [each.name for each in request.allocs_updated if before.find_alloc(each.id) is None]
    kept = [each.name for each in request.allocs_updated if before.find_alloc(each.id) is not None]
    parts = [
        f"{word} {_join(names)}"
        for word, names in (
            ("place", new),
            ("update", kept),
            ("stop", _name_known(request.allocs_stopped, before)),
            ("preempt", _name_known(request.allocs_preempted, before)),
            ("begin a deployment of", [request.deployment.job_id] if request.deployment else []),
            ("call the deployment", [each.status for each in request.deployment_updates]),
        )
        if names
    ]
    return f"plan of eval {shorten_id(request.eval_id)}: {'; '.join(parts) or 'nothing'}"


def _name_known(allocs: Iterable[Allocation], before: State) -> list[str]:
    found = [(each, before.find_alloc(each.id)) for each in allocs]
    return [stored.name if stored else shorten_id(each.id) for each, stored in found]


def _tell_reports(request: asked.AllocClientUpdate, before: State) -> str:
    known = [(each, before.find_alloc(each.id)) for each in request.alloc]
    told = [
        f"{stored.name if stored else shorten_id(each.id)} is {each.client_status}" for each, stored in known
    ]
    made = f"; made {_join(f'an eval of {each.job_id}' for each in request.evals)}" if request.evals else ""
    return f"a client reports: {_join(told)}{made}"


def _tell_marks(request: asked.AllocUpdateDesiredTransition, before: State) -> str:
    found = [(name, before.find_alloc(name)) for name in request.allocs]
    names = [alloc.name if alloc else shorten_id(name) for name, alloc in found]
    parts = [f"ask to move or stop {_join(names)}"] if names else []
    return "; ".join([*parts, *(f"made an eval of {each.job_id}" for each in request.evals)])


def _tell_job(request: asked.JobRegister, _: State) -> str:
    job = request.job
    return "register no job" if job is None else f"register {job.type} job {job.id}"


def _tell_status(request: asked.DeploymentUpdateStatus, before: State) -> str:
    update = request.deployment_update
    if update is None:
        return "change a deployment"
    deployment = before.find_deployment(update.deployment_id)
    back = " and roll its job back" if request.job is not None else ""
    return f"deployment of {deployment.job_id if deployment else '?'} is {update.status}{back}"


def _tell_health(request: asked.DeploymentAllocHealth, _: State) -> str:
    healthy, unhealthy = len(request.healthy_allocation_ids), len(request.unhealthy_allocation_ids)
    return f"call {healthy} allocations healthy and {unhealthy} unhealthy"


def _tell_end_of_drain(request: asked.BatchNodeUpdateDrain, before: State) -> str:
    return f"end the drain of {_join(_name_node(each, before) for each in request.updates)}"


def _tell_drain(request: asked.NodeUpdateDrain, before: State) -> str:
    verb = "drain" if request.drain_strategy is not None else "end the drain of"
    return f"{verb} {_name_node(request.node_id, before)}"


def _name_node(node_id: str, before: State) -> str:
    node = before.find_node(node_id)
    return f"node {node.name if node is not None and node.name else shorten_id(node_id)}"


_TELLERS: Final[Mapping[type, Callable[[Any, State], str]]] = {
    asked.AllocClientUpdate: _tell_reports,
    asked.AllocUpdateDesiredTransition: _tell_marks,
    asked.ApplyPlanResults: _tell_plan,
    asked.BatchNodeUpdateDrain: _tell_end_of_drain,
    asked.DeploymentAllocHealth: _tell_health,
    asked.DeploymentDelete: lambda request, _: f"collect {len(request.deployments)} deployments",
    asked.DeploymentPromote: lambda request, _: f"promote deployment {shorten_id(request.deployment_id)}",
    asked.DeploymentUpdateStatus: _tell_status,
    asked.EvalDelete: lambda request, _: (
        f"delete {len(request.evals)} evals and {len(request.allocs)} allocations"
    ),
    asked.EvalUpdate: _tell_evals,
    asked.JobBatchDeregister: lambda request, _: f"purge {_join(each.id for each in request.jobs)}",
    asked.JobDeregister: lambda request, _: f"{'purge' if request.purge else 'stop'} job {request.job_id}",
    asked.JobRegister: _tell_job,
    asked.NodeBatchDeregister: lambda request, before: (
        f"collect {_join(_name_node(each, before) for each in request.node_ids)}"
    ),
    asked.NodeDeregister: lambda request, before: f"purge {_name_node(request.node_id, before)}",
    asked.NodeRegister: lambda request, _: f"node {request.node.name} registers, {request.node.status}",
    asked.NodeUpdateDrain: _tell_drain,
    asked.NodeUpdateEligibility: lambda request, before: (
        f"{_name_node(request.node_id, before)} is {request.eligibility}"
    ),
    asked.NodeUpdateStatus: lambda request, before: (
        f"{_name_node(request.node_id, before)} is {request.status}"
    ),
    asked.SchedulerConfig: lambda _request, _before: "configure the schedulers",
}

_ACTORS: Final[Mapping[type, str]] = {
    asked.AllocClientUpdate: "client",
    asked.ApplyPlanResults: "applier",
    asked.BatchNodeUpdateDrain: "drainer",
    asked.DeploymentDelete: "worker",
    asked.DeploymentUpdateStatus: "deployment watcher",
    asked.DeploymentPromote: "deployment watcher",
    asked.DeploymentAllocHealth: "deployment watcher",
    asked.EvalUpdate: "worker",
    asked.EvalDelete: "worker",
    asked.JobBatchDeregister: "worker",
    asked.NodeBatchDeregister: "worker",
    asked.NodeRegister: "client",
    asked.UpsertNodeEvents: "client",
}
