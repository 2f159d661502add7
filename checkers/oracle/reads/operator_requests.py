"""What operators ask a cluster for: which entries come of it, and what these have to say."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple
from urllib.parse import unquote

from nomadspec.checkers.oracle.plain_json import write_plain
from nomadspec.model.cluster.codec import read
from nomadspec.model.cluster.entities import DeploymentStatus, SchedulerConfiguration
from nomadspec.model.cluster.store.requests import EvalUpdate, JobRegister

Body = Mapping[str, Any]
Said = Iterator[tuple[str, Any, Any]]
"""A member, what was asked for there, and what the entry says."""


class Asked(NamedTuple):
    """One kind of call."""

    method: str
    path: str
    """A pattern; its group is the name of what is asked about."""
    types: frozenset[str]
    """The types of entries that may come of it."""
    say: Callable[[str, Body, Body, Any], Said]
    """Tells what has to be alike, by the name, the body that was sent, the answer and the entry."""
    rule: str
    names: str = "Index"
    """The member of the answer that names the entry."""


def _say_job(name: str, _: Body, __: Body, request: Any) -> Said:  # noqa: ANN401 -- any entry
    yield "JobID", name, _find_job(request)


def _say_registered(_: str, body: Body, __: Body, request: Any) -> Said:  # noqa: ANN401 -- any entry
    job = body.get("Job")
    yield "JobID", job.get("ID") if isinstance(job, Mapping) else None, _find_job(request)


def _say_child(name: str, _: Body, answer: Body, request: Any) -> Said:  # noqa: ANN401 -- any entry
    yield "JobID", answer.get("DispatchedJobID", _find_job(request)), _find_job(request)
    yield "ParentID", name, request.job.parent_id if isinstance(request, JobRegister) and request.job else ""


def _find_job(request: Any) -> str:  # noqa: ANN401 -- any entry
    """Find the job that an entry is about."""
    if isinstance(request, JobRegister):
        return request.job.id if request.job else ""
    if hasattr(request, "evals"):
        return next((each.job_id for each in request.evals), "")
    return str(request.job_id)


def _say_marked(name: str, _: Body, __: Body, request: Any) -> Said:  # noqa: ANN401 -- any entry
    told = request.allocs.get(name)
    yield "Migrate", True, told.migrate if told else None


def _say_drain(name: str, body: Body, _: Body, request: Any) -> Said:  # noqa: ANN401 -- any entry
    strategy, asked = request.drain_strategy, body.get("DrainSpec")
    yield "NodeID", name, request.node_id
    yield "MarkEligible", bool(body.get("MarkEligible")), request.mark_eligible
    yield "DrainSpec", asked is not None, strategy is not None
    if isinstance(asked, Mapping) and strategy is not None:
        yield "Deadline", asked.get("Deadline") or 0, strategy.deadline_ns
        yield "IgnoreSystemJobs", bool(asked.get("IgnoreSystemJobs")), strategy.ignore_system_jobs


def _say_eligibility(name: str, body: Body, _: Body, request: Any) -> Said:  # noqa: ANN401 -- any entry
    yield "NodeID", name, request.node_id
    yield "Eligibility", body.get("Eligibility"), request.eligibility


def _say_node(name: str, _: Body, __: Body, request: Any) -> Said:  # noqa: ANN401 -- any entry
    if isinstance(request, EvalUpdate):
        yield "NodeID", name, next((each.node_id for each in request.evals), name)
    else:
        yield "NodeID", name, request.node_id


def _say_promoted(name: str, body: Body, _: Body, request: Any) -> Said:  # noqa: ANN401 -- any entry
    yield "DeploymentID", name, request.deployment_id
    yield "All", bool(body.get("All")), request.all


def _say_health(name: str, body: Body, _: Body, request: Any) -> Said:  # noqa: ANN401 -- any entry
    yield "DeploymentID", name, request.deployment_id
    for key, told in (
        ("HealthyAllocationIDs", request.healthy_allocation_ids),
        ("UnhealthyAllocationIDs", request.unhealthy_allocation_ids),
    ):
        yield key, sorted(body.get(key) or ()), sorted(told)


def _say_failed(name: str, _: Body, __: Body, request: Any) -> Said:  # noqa: ANN401 -- any entry
    yield from _say_status(name, request, DeploymentStatus.FAILED)


def _say_paused(name: str, body: Body, _: Body, request: Any) -> Said:  # noqa: ANN401 -- any entry
    yield from _say_status(
        name, request, DeploymentStatus.PAUSED if body.get("Pause") else DeploymentStatus.RUNNING
    )


def _say_status(name: str, request: Any, status: str) -> Said:  # noqa: ANN401 -- any entry
    update = request.deployment_update
    yield "DeploymentID", name, update.deployment_id if update else ""
    yield "Status", str(status), update.status if update else ""


def _say_configured(_: str, body: Body, __: Body, request: Any) -> Said:  # noqa: ANN401 -- any entry
    known = ("CreateIndex", "ModifyIndex")
    asked = read(SchedulerConfiguration, body, [], source="actions")
    told, model = write_plain(asked), write_plain(request.config)
    for name in sorted((told.keys() | model.keys()).difference(known)):
        yield name, told.get(name), model.get(name)


def _asked(
    method: str,
    path: str,
    types: str,
    say: Callable[[str, Body, Body, Any], Said],
    rule: str,
    index: str = "Index",
) -> Asked:
    return Asked(method, f"^/v1/{path}$", frozenset(types.split()), say, rule, index)


ASKED: Final[tuple[Asked, ...]] = (
    _asked("DELETE", "job/(.+)", "JobDeregister", _say_job, "WIRE-066", "JobModifyIndex"),
    _asked("PUT", "jobs", "JobRegister EvalUpdate", _say_registered, "WIRE-065"),
    _asked("PUT", "job/(.+)/dispatch", "JobRegister", _say_child, "WIRE-066", "JobCreateIndex"),
    _asked("PUT", "job/(.+)/evaluate", "AllocUpdateDesiredTransition EvalUpdate", _say_job, "WIRE-066"),
    _asked("PUT", "job/(.+)/periodic/force", "JobRegister", _say_child, "WIRE-066", "EvalCreateIndex"),
    _asked("PUT", "job/(.+)/revert", "JobRegister", _say_job, "WIRE-066", "JobModifyIndex"),
    _asked("PUT", "job/(.+)/scale", "ScalingEventRegister", _say_job, "WIRE-066"),
    _asked("PUT", "job/(.+)/stable", "JobStability", _say_job, "WIRE-065"),
    _asked("PUT", "job/(.+)/versions/[^/]+/tag", "JobVersionTag", _say_job, "WIRE-065"),
    _asked("PUT", "allocation/([^/]+)/stop", "AllocUpdateDesiredTransition", _say_marked, "WIRE-049"),
    _asked("PUT", "deployment/allocation-health/(.+)", "DeploymentAllocHealth", _say_health, "WIRE-052"),
    _asked("PUT", "deployment/fail/(.+)", "DeploymentStatusUpdate", _say_failed, "WIRE-052"),
    _asked("PUT", "deployment/pause/(.+)", "DeploymentStatusUpdate", _say_paused, "WIRE-052"),
    _asked("PUT", "deployment/promote/(.+)", "DeploymentPromote", _say_promoted, "WIRE-052"),
    _asked("PUT", "node/([^/]+)/drain", "NodeUpdateDrain", _say_drain, "WIRE-073"),
    _asked("PUT", "node/([^/]+)/eligibility", "NodeUpdateEligibility", _say_eligibility, "WIRE-073"),
    _asked("PUT", "node/([^/]+)/evaluate", "EvalUpdate", _say_node, "WIRE-073"),
    _asked("PUT", "node/([^/]+)/purge", "NodeDeregister", _say_node, "WIRE-073"),
    _asked("PUT", "operator/scheduler/configuration", "SchedulerConfig", _say_configured, "WIRE-075"),
)
"""The calls that are judged; others write nothing, or nothing that an answer names."""


def find_asked(method: str, path: str) -> tuple[Asked, str] | None:
    """Find what a call asks for, and about what; nothing where it is not judged.

    Spec: WIRE-010.
    """
    bare = path.partition("?")[0]
    for asked in ASKED:
        found = re.match(asked.path, bare) if asked.method == method.replace("POST", "PUT") else None
        if found is not None:
            return asked, unquote(found[1]) if found.groups() else ""
    return None
