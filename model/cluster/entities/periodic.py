"""Jobs that are started by the clock or by dispatch."""

from enum import StrEnum

from msgspec import Struct

from nomadspec.model.cluster.entities.scalar import Instant, Uint64


class SpecType(StrEnum):
    """How the times of a periodic job are written."""

    CRON = "cron"
    TEST = "_internal_test"


class DispatchPayloadRule(StrEnum):
    """Whether a dispatch brings a payload."""

    OPTIONAL = "optional"
    REQUIRED = "required"
    FORBIDDEN = "forbidden"


class PeriodicConfig(Struct, frozen=True, kw_only=True):
    """When a periodic job is launched."""

    enabled: bool = False
    spec: str = ""
    specs: tuple[str, ...] = ()
    spec_type: str = ""
    prohibit_overlap: bool = False
    time_zone: str = ""


class ParameterizedJobConfig(Struct, frozen=True, kw_only=True):
    """What a dispatch of the job has to bring."""

    payload: str = ""
    meta_required: tuple[str, ...] = ()
    meta_optional: tuple[str, ...] = ()


class PeriodicLaunch(Struct, frozen=True, kw_only=True):
    """When a periodic job was last launched."""

    id: str = ""
    namespace: str = ""
    launch_ns: Instant = 0
    create_index: Uint64 = 0
    modify_index: Uint64 = 0
