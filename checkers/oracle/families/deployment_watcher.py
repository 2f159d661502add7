"""Judges the recordings of the deployment watcher: what it asks to be written, when, and what comes of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from nomadspec.checkers.oracle.compare import Rules, compare
from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.families.broker import list_told
from nomadspec.checkers.oracle.families.watched_deployment import (
    Placed,
    Scene,
    Version,
    find_image,
    make_scene,
    make_update,
    place,
)
from nomadspec.checkers.oracle.judgement import Difference, Judge
from nomadspec.checkers.oracle.shape import Whole, read_shape
from nomadspec.model.cluster.codec import parse_instant, read, write
from nomadspec.model.cluster.components import deployment_calls as calls
from nomadspec.model.cluster.components.deployment_calls import Call
from nomadspec.model.cluster.components.deployment_watcher import enable, find_next_due, react
from nomadspec.model.cluster.entities import Deployment, Evaluation, Job
from nomadspec.model.cluster.store.requests import (
    AllocClientUpdate,
    AllocUpdateDesiredTransition,
    DeploymentAllocHealth,
    DeploymentPromote,
    DeploymentUpdateStatus,
    Request,
)
from nomadspec.model.errors import InputError
from nomadspec.model.specification.profiles import Profile

RULES: Final[Rules] = (
    ("calls[].after_ns", "DEP-36"),
    ("calls[].rollback_job", "DEP-60"),
    ("calls[].update", "DEP-43"),
    ("calls[].eval", "DEP-40"),
    ("calls[].evals", "DEP-40"),
    ("calls[].allocs", "DEP-38"),
    ("calls[].error", "DEP-27"),
    ("calls", "DEP-33"),
    ("deployment.TaskGroups", "DEP-24"),
    ("deployment", "DEP-20"),
    ("job", "DEP-61"),
    ("made_eval", "DEP-56"),
    ("reverted_to", "DEP-56"),
    ("error", "DEP-57"),
)


class Enable(msgspec.Struct, frozen=True, tag_field="op", tag="enable"):
    """The watcher begins."""


class Report(msgspec.Struct, frozen=True):
    """What a client says of an alloc."""

    ID: str
    ClientStatus: str
    Healthy: bool | None = None


class ClientUpdate(msgspec.Struct, frozen=True, tag_field="op", tag="client-update"):
    """Clients report."""

    allocs: list[Report]


class Place(msgspec.Struct, frozen=True, tag_field="op", tag="place"):
    """Allocs are placed."""

    allocs: list[Placed]


class Elapse(msgspec.Struct, frozen=True, tag_field="op", tag="elapse"):
    """Time passes."""

    ns: Whole


class Pause(msgspec.Struct, frozen=True, tag_field="op", tag="pause"):
    """The deployment is paused, or goes on."""

    pause: bool


class Promote(msgspec.Struct, frozen=True, tag_field="op", tag="promote"):
    """Canaries are promoted by hand."""

    all: bool
    groups: list[str]


class SetHealth(msgspec.Struct, frozen=True, tag_field="op", tag="set-health"):
    """The health of allocs is set by hand."""

    healthy: list[str]
    unhealthy: list[str]


class Fail(msgspec.Struct, frozen=True, tag_field="op", tag="fail"):
    """The deployment is failed by hand."""


Operation = Enable | ClientUpdate | Place | Elapse | Pause | Promote | SetHealth | Fail


class Vector(msgspec.Struct, frozen=True):
    """One recording: a deployment and what is done with it."""

    start: str
    job: dict[str, Any]
    versions: list[Version]
    deployment: dict[str, Any]
    allocs: list[Placed]
    initial_eval: bool
    ops: list[Operation]


def judge(vector: Mapping[str, Any], context: Context) -> Iterator[Difference]:
    """Follow a deployment and its watcher through all that is done with them."""
    shape = read_shape(Vector, vector)
    scene = _begin(shape, context.profile)
    for position, operation in enumerate(shape.ops):
        told = list_told(operation, vector["ops"][position])
        told["calls"] = _drop_repeated(told.get("calls"), context)
        scene, answer = _apply(replace(scene, calls=()), operation)
        scene = _settle(scene)
        shown = answer | {"calls": list(scene.calls), **_show(scene)}
        yield from compare(told, shown, f"ops[{position}]", RULES)


def _begin(shape: Vector, profile: Profile) -> Scene:
    start_ns = parse_instant(shape.start)
    if start_ns is None:
        raise InputError("the recording", "this is no time", at="start")
    return make_scene(
        start_ns,
        read(Job, shape.job),
        shape.versions,
        read(Deployment, shape.deployment),
        shape.allocs,
        has_eval=shape.initial_eval,
        profile=profile,
    )


def _drop_repeated(told: object, context: Context) -> object:
    """Leave out what is asked for again before the watcher sees that it has come."""
    if not isinstance(told, list):
        return told
    kept = [
        call
        for at, call in enumerate(told)
        if not (
            at and call == told[at - 1] and isinstance(call, dict) and call.get("call") == "DeploymentPromote"
        )
    ]
    if len(kept) < len(told):
        context.forgive("repeated-promotion")
    return kept


def _apply(scene: Scene, operation: Operation) -> tuple[Scene, dict[str, Any]]:
    """Do one operation, and give what it answers."""
    match operation:
        case Enable():
            return replace(scene, watchers=enable(scene.watchers)), {}
        case ClientUpdate(allocs=reports):
            updates = tuple(
                make_update(scene, one.ID, one.ClientStatus, healthy=one.Healthy) for one in reports
            )
            return scene.write(AllocClientUpdate(alloc=updates))[0], {}
        case Place(allocs=placed):
            return place(scene, placed), {}
        case Elapse(ns=passed):
            return _elapse(scene, scene.now_ns + passed), {}
    return _call(scene, operation)


def _call(scene: Scene, operation: Operation) -> tuple[Scene, dict[str, Any]]:
    """Do what a person asks for, and give what is answered."""
    call = _ask(scene, operation)
    scene = replace(scene, watchers=call.watchers)
    error = call.error
    if call.request is not None:
        scene, error = _write_call(scene, call.request)
    if error:
        return scene, {"error": error}
    answer: dict[str, Any] = {}
    if isinstance(operation, Pause):
        answer["made_eval"] = not operation.pause
    if call.reverted_to is not None:
        answer["reverted_to"] = call.reverted_to
    return scene, answer


def _ask(scene: Scene, operation: Operation) -> Call:
    where = (scene.watchers, scene.state, scene.deployment_id, scene.next_id, scene.now_ns)
    match operation:
        case Pause(pause=is_pause):
            return calls.pause(*where, is_pause=is_pause)
        case Promote(all=is_all, groups=groups):
            return calls.promote(*where, is_all=is_all, groups=tuple(groups))
        case SetHealth(healthy=healthy, unhealthy=unhealthy):
            return calls.set_health(*where, healthy=tuple(healthy), unhealthy=tuple(unhealthy))
    return calls.fail(*where)


def _elapse(scene: Scene, until_ns: int) -> Scene:
    """Let time pass, and the watcher act whenever something is due."""
    scene = _settle(scene)
    while 0 < (due_ns := find_next_due(scene.watchers)) <= until_ns:
        scene = _settle(replace(scene, now_ns=max(due_ns, scene.now_ns)))
    return replace(scene, now_ns=until_ns)


def _settle(scene: Scene) -> Scene:
    """Let the watcher do all that is due now."""
    while not (
        reaction := react(scene.watchers, scene.state, scene.now_ns, scene.next_id, profile=scene.profile)
    ).is_settled:
        scene = replace(scene, watchers=reaction.watchers)
        if reaction.request is not None:
            scene, _ = _write_call(scene, reaction.request)
    return replace(scene, watchers=reaction.watchers)


def _write_call(scene: Scene, request: Request) -> tuple[Scene, str]:
    """Write what the watcher asks for, and note how the recordings show it."""
    shown = _show_request(request) | {"after_ns": scene.now_ns - scene.start_ns}
    scene, error = scene.write(request)
    if error:
        shown["error"] = error
    return replace(scene, calls=(*scene.calls, shown)), error


def _show_request(request: Request) -> dict[str, Any]:
    match request:
        case DeploymentUpdateStatus():
            return {
                "call": "DeploymentStatusUpdate",
                "update": _show_update(request),
                "eval": _show_eval(request.eval),
                "rollback_job": _show_job(request.job),
            }
        case DeploymentPromote():
            return {
                "call": "DeploymentPromote",
                "all": request.all,
                "groups": list(request.groups),
                "eval": _show_eval(request.eval),
            }
        case DeploymentAllocHealth():
            return {
                "call": "DeploymentAllocHealth",
                "healthy": list(request.healthy_allocation_ids),
                "unhealthy": list(request.unhealthy_allocation_ids),
                "update": _show_update(request),
                "eval": _show_eval(request.eval),
                "rollback_job": _show_job(request.job),
            }
        case AllocUpdateDesiredTransition():
            return {
                "call": "AllocUpdateDesiredTransition",
                "allocs": {name: write(asked) for name, asked in request.allocs.items() if asked},
                "evals": [_show_eval(entry) for entry in request.evals],
            }
    return {}


def _show_update(request: DeploymentUpdateStatus | DeploymentAllocHealth) -> dict[str, object] | None:
    update = request.deployment_update
    return None if update is None else write(replace(update, updated_at_ns=0))


def _show_eval(entry: Evaluation | None) -> dict[str, object] | None:
    return None if entry is None else write(replace(entry, id="", create_time_ns=0, modify_time_ns=0))


def _show_job(job: Job | None) -> dict[str, object] | None:
    return None if job is None else {"Version": job.version, "Stable": job.stable, "image": find_image(job)}


def _show(scene: Scene) -> dict[str, Any]:
    deployment = scene.state.deployments[scene.deployment_id]
    return {
        "deployment": write(replace(deployment, create_index=0, modify_index=0)),
        "job": _show_job(scene.state.find_job(deployment.namespace, deployment.job_id)),
    }


JUDGES: Final[Mapping[str, Judge]] = {"sequences": judge}
