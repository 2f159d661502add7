"""Scaling policies and the events that tell of scaling."""

from collections.abc import Mapping

from msgspec import Struct

from nomadspec.model.cluster.entities.scalar import Uint64


class ScalingPolicy(Struct, frozen=True, kw_only=True):
    """Between which counts a group may be scaled."""

    id: str = ""
    type: str = ""
    target: Mapping[str, str] = {}
    policy: Mapping[str, object] = {}
    min: int = 0
    max: int = 0
    enabled: bool = False
    create_index: Uint64 = 0
    modify_index: Uint64 = 0


class ScalingEvent(Struct, frozen=True, kw_only=True):
    """One change of a group's count, or the reason why there was none."""

    time_ns: int = 0
    count: int | None = None
    previous_count: int = 0
    message: str = ""
    error: bool = False
    meta: Mapping[str, object] = {}
    eval_id: str | None = None
    create_index: Uint64 = 0


class JobScalingEvents(Struct, frozen=True, kw_only=True):
    """The last scaling events of a job, newest first, by group."""

    namespace: str = ""
    job_id: str = ""
    scaling_events: Mapping[str, tuple[ScalingEvent, ...]] = {}
    modify_index: Uint64 = 0
