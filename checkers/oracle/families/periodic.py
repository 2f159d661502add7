"""Judges the recordings of launch times and of the dispatcher of periodic jobs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Annotated, Any, Final
from zoneinfo import ZoneInfo

import msgspec

from nomadspec.checkers.oracle.compare import Rules, compare
from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.families.wording import word_error
from nomadspec.checkers.oracle.judgement import Difference, Judge
from nomadspec.checkers.oracle.shape import Whole, read_shape
from nomadspec.model.cluster.admission.launch_checks import check_periodic
from nomadspec.model.cluster.codec import format_instant, parse_instant, read
from nomadspec.model.cluster.components import periodic as actions
from nomadspec.model.cluster.components.periodic import Dispatcher, Launch
from nomadspec.model.cluster.entities import NS_PER_S, Job, PeriodicConfig
from nomadspec.model.cluster.policy.cron_fields import CronError
from nomadspec.model.cluster.policy.launch_times import find_next_launch
from nomadspec.model.cluster.policy.time_zones import find_time_zone_or_utc
from nomadspec.model.errors import InputError
from nomadspec.model.specification.profiles import Profile

_NEXT_RULES: Final[Rules] = (
    ("validate_error", "OBJ-140"),
    ("error", "OBJ-141"),
    ("", "OBJ-141"),
)
_OPERATION_RULES: Final[Rules] = (
    ("launched", "JOB-25"),
    ("tracked", "JOB-26"),
    ("error", "JOB-29"),
    ("eval", "JOB-29"),
    ("at", "JOB-26"),
)
_YEAR_NS: Final = 366 * 24 * 3600 * NS_PER_S
_NAMESPACE: Final = "default"
"""Of the jobs that are removed or forced."""


class NextVector(msgspec.Struct, frozen=True, rename={"from_": "from"}):
    """One recording: when a job is launched next."""

    id: str
    periodic: dict[str, Any]
    from_: str
    validate_error: str = ""


class SetEnabled(msgspec.Struct, frozen=True, tag_field="op", tag="set-enabled"):
    """The dispatcher is switched on or off."""

    enabled: bool


class Add(msgspec.Struct, frozen=True, tag_field="op", tag="add"):
    """A job was registered."""

    job: dict[str, Any]


class Remove(msgspec.Struct, frozen=True, tag_field="op", tag="remove"):
    """A job was deregistered."""

    job: str


class RunningChildren(msgspec.Struct, frozen=True, tag_field="op", tag="running-children"):
    """From now on a job has running children, or none."""

    job: str
    running: bool


class Force(msgspec.Struct, frozen=True, tag_field="op", tag="force"):
    """A job is to be launched now."""

    job: str


class Elapse(msgspec.Struct, frozen=True, tag_field="op", tag="elapse"):
    """Time passes, no more than a year of it."""

    ns: Annotated[int, msgspec.Meta(ge=0, le=_YEAR_NS)]


Operation = SetEnabled | Add | Remove | RunningChildren | Force | Elapse


class DispatcherVector(msgspec.Struct, frozen=True):
    """One recording: what is done with a dispatcher."""

    id: str
    start: str
    ops: list[Operation]


class Scene(msgspec.Struct):
    """A dispatcher, the time, and which jobs have running children."""

    dispatcher: Dispatcher
    now_ns: Whole
    running: frozenset[str] = frozenset()

    def is_running(self, job: Job) -> bool:
        """True if a job has a running child."""
        return job.id in self.running


def judge_next(vector: Mapping[str, Any], context: Context) -> Iterator[Difference]:
    """Find the next launch of a job."""
    shape = read_shape(NextVector, vector)
    periodic = read(PeriodicConfig, shape.periodic, source=shape.id)
    complaints = tuple(check_periodic(periodic))
    model: dict[str, Any] = {}
    if complaints:
        model["validate_error"] = word_error(shape.validate_error, complaints, context)
    model |= _describe_next(periodic, _read_time(shape.from_, shape.id, "from"), context.profile)
    told = {key: value for key, value in vector.items() if key not in {"id", "periodic", "from"}}
    yield from compare(told, model, rules=_NEXT_RULES)


def _describe_next(periodic: PeriodicConfig, from_ns: int, profile: Profile) -> dict[str, Any]:
    try:
        next_ns = find_next_launch(periodic, from_ns, profile)
    except CronError as error:
        return {"error": str(error)}
    if next_ns is None:
        return {"next": None}
    return {
        "next": _show_local(next_ns, find_time_zone_or_utc(periodic.time_zone)),
        "next_utc": format_instant(next_ns),
    }


def judge_dispatcher(vector: Mapping[str, Any], context: Context) -> Iterator[Difference]:
    """Follow a dispatcher through all that is done with it."""
    shape = read_shape(DispatcherVector, vector)
    start_ns = _read_time(shape.start, shape.id, "start")
    scene = Scene(Dispatcher(profile=context.profile), start_ns)
    for position, operation in enumerate(shape.ops):
        answer, launches = _do(scene, operation, shape.id)
        recorded = vector["ops"][position]
        asked = {"op", *type(operation).__struct_fields__}
        told = {key: value for key, value in recorded.items() if key not in asked}
        model = {
            **answer,
            "at": format_instant(scene.now_ns),
            "launched": [_show_launch(launch) for launch in launches],
            "tracked": sorted("/".join(key) for key in scene.dispatcher.tracked),
        }
        told["launched"] = _order_launches(told.get("launched"))
        yield from compare(told, model, f"ops[{position}]", _OPERATION_RULES)


def _do(scene: Scene, operation: Operation, source: str) -> tuple[dict[str, Any], tuple[Launch, ...]]:
    """Do one thing; give what is answered and what is launched."""
    match operation:
        case Elapse(ns=ns):
            scene.now_ns += ns
            scene.dispatcher, launches = actions.advance(scene.dispatcher, scene.now_ns, scene.is_running)
            return {}, launches
        case Force(job=job_id):
            refusal = actions.find_force_refusal(scene.dispatcher, _NAMESPACE, job_id)
            if refusal is not None:
                return {"error": refusal}, ()
            launch = actions.force_launch(scene.dispatcher, _NAMESPACE, job_id, scene.now_ns)
            return {"eval": True}, (launch,)
        case RunningChildren(job=job_id, running=running):
            scene.running = scene.running | {job_id} if running else scene.running - {job_id}
        case SetEnabled(enabled=enabled):
            scene.dispatcher = actions.set_enabled(scene.dispatcher, is_enabled=enabled)
        case Add(job=raw):
            job = read(Job, raw, source=source)
            scene.dispatcher = actions.add_job(scene.dispatcher, job, scene.now_ns)
        case Remove(job=job_id):
            scene.dispatcher = actions.remove_job(scene.dispatcher, _NAMESPACE, job_id)
    return {}, ()


def _show_launch(launch: Launch) -> dict[str, Any]:
    child = launch.child
    return {
        "ID": child.id,
        "ParentID": child.parent_id,
        "Name": child.name,
        "Periodic": child.periodic is not None,
        "Status": child.status,
        "time": format_instant(launch.at_ns),
    }


def _order_launches(recorded: Any) -> Any:  # noqa: ANN401 -- a recording may hold anything there
    """Launches at one instant come in any order; the model's come by their jobs."""
    if not isinstance(recorded, list) or not all(isinstance(launch, Mapping) for launch in recorded):
        return recorded
    times = [str(launch.get("time")) for launch in recorded]
    if times != sorted(times):
        return recorded
    return sorted(recorded, key=lambda launch: (str(launch.get("time")), str(launch.get("ParentID"))))


def _show_local(time_ns: int, zone: ZoneInfo) -> str:
    text = datetime.fromtimestamp(time_ns // NS_PER_S, zone).isoformat()
    return text.removesuffix("+00:00") + "Z" if text.endswith("+00:00") else text


def _read_time(text: str, source: str, at: str) -> int:
    time_ns = parse_instant(text)
    if time_ns is None:
        raise InputError(source, f"expected a time, found {text!r}", at=at)
    return time_ns


JUDGES: Final[Mapping[str, Judge]] = {"dispatcher": judge_dispatcher, "next-launch": judge_next}
