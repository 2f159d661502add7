"""What the HTTP API fills into a job before the server sees it.

The API's form of a job tells what was not given (null) from what was given as zero, which the stored form
does not for most fields. So this step works on the documents themselves, and its defaults are data.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from nomadspec.model.cluster.entities.scalar import NS_PER_S
from nomadspec.model.errors import InputError

Document = Mapping[str, Any]

_NULL: Final = (None,)
_BLANK: Final = (None, "")
"""What counts as not given: of fields that cannot be null, the empty text."""

_MINUTE: Final = 60 * NS_PER_S
_HOUR: Final = 60 * _MINUTE
_DAY: Final = 24 * _HOUR

_JOB: Final[Document] = {
    "Region": "global",
    "Namespace": "default",
    "Type": "service",
    "Priority": 50,
    "AllAtOnce": False,
    "NodePool": "",
    "Stop": False,
    "ParentID": "",
    "ConsulNamespace": "",
    "VaultNamespace": "",
    "NomadTokenID": "",
    "Status": "",
    "StatusDescription": "",
    "Stable": False,
    "Version": 0,
    "CreateIndex": 0,
    "ModifyIndex": 0,
    "JobModifyIndex": 0,
}
_PERIODIC: Final[Document] = {
    "Enabled": True,
    "Spec": "",
    "Specs": [],
    "SpecType": "cron",
    "ProhibitOverlap": False,
    "TimeZone": "UTC",
}
_UPDATE: Final[Document] = {
    "Stagger": 30 * NS_PER_S,
    "MaxParallel": 1,
    "HealthCheck": "checks",
    "MinHealthyTime": 10 * NS_PER_S,
    "HealthyDeadline": 5 * _MINUTE,
    "ProgressDeadline": 10 * _MINUTE,
    "Canary": 0,
    "AutoRevert": False,
    "AutoPromote": False,
}
_MIGRATE: Final[Document] = {
    "MaxParallel": 1,
    "HealthCheck": "checks",
    "MinHealthyTime": 10 * NS_PER_S,
    "HealthyDeadline": 5 * _MINUTE,
}
_NO_RESCHEDULE: Final[Document] = {
    "Attempts": 0,
    "Interval": 0,
    "Delay": 0,
    "DelayFunction": "",
    "MaxDelay": 0,
    "Unlimited": False,
}
_RESCHEDULE_BY_TYPE: Final[Mapping[str, Document]] = {
    "service": {
        "Attempts": 0,
        "Interval": 0,
        "Delay": 30 * NS_PER_S,
        "DelayFunction": "exponential",
        "MaxDelay": _HOUR,
        "Unlimited": True,
    },
    "batch": {
        "Attempts": 1,
        "Interval": _DAY,
        "Delay": 5 * NS_PER_S,
        "DelayFunction": "constant",
        "MaxDelay": 0,
        "Unlimited": False,
    },
}
_RESTART: Final[Document] = {
    "Interval": 30 * _MINUTE,
    "Attempts": 2,
    "Delay": 15 * NS_PER_S,
    "Mode": "fail",
    "RenderTemplates": False,
}
_BATCH_RESTART: Final[Document] = {**_RESTART, "Interval": _DAY, "Attempts": 3}
_EPHEMERAL_DISK: Final[Document] = {"Sticky": False, "Migrate": False, "SizeMB": 300}
_DISCONNECT: Final[Document] = {"Replace": True, "Reconcile": "best_score"}
_LOG_CONFIG: Final[Document] = {"MaxFiles": 10, "MaxFileSizeMB": 10, "Enabled": None, "Disabled": False}
_SERVICE: Final[Document] = {
    "AddressMode": "auto",
    "OnUpdate": "require_healthy",
    "Provider": "consul",
    "Cluster": "default",
}
_SCALING: Final[Document] = {"Enabled": True, "Type": "horizontal"}
_RESOURCES: Final[Document] = dict.fromkeys(
    ("MemoryMaxMB", "DiskMB", "Networks", "Devices", "NUMA", "SecretsMB", "IOPS")
) | {"Cores": 0, "MemoryMB": 300}
_CPU_MHZ: Final = 100
_WEIGHT: Final[Document] = {"Weight": 50}
_DEVICE: Final[Document] = {"Count": 1}

_ROLLING_TYPES: Final = frozenset({"service", "system"})
_BATCH_TYPES: Final = frozenset({"batch", "sysbatch"})


def fill_api_defaults(job: Document) -> dict[str, Any]:
    """Fill in what the HTTP API adds to a job that leaves things out.

    Spec: OBJ-031, OBJ-050, OBJ-101, OBJ-104, OBJ-108, OBJ-110, OBJ-140, OBJ-430, DEP-07, ALLOC-19.
    """
    filled = _fill(job, {**_JOB, "Name": job.get("ID")}, _BLANK)
    if not isinstance(filled["Type"], str):
        raise InputError("job", "a text was expected", at="Type")
    filled["Affinities"] = _each(job, "Affinities", _WEIGHT)
    filled["Spreads"] = _each(job, "Spreads", _WEIGHT)
    filled["Periodic"] = _optional(job, "Periodic", _PERIODIC)
    filled["Update"] = _inherit((_block(job, "Update"),), _UPDATE, always=filled["Type"] in _ROLLING_TYPES)
    filled["TaskGroups"] = _map(job, "TaskGroups", lambda group: _fill_group(group, filled))
    return filled


def _fill_group(group: Document, job: Document) -> dict[str, Any]:
    """Policies of the group win over those of the job, field by field."""
    job_type, count = job["Type"], _compute_count(group)
    rescheduling = _RESCHEDULE_BY_TYPE.get(job_type)
    restart = _BATCH_RESTART if job_type in _BATCH_TYPES else _RESTART
    policies = {
        "RestartPolicy": _fill(_block(group, "RestartPolicy"), restart),
        "ReschedulePolicy": _inherit(
            (_block(group, "ReschedulePolicy"), _block(job, "Reschedule")),
            rescheduling or _NO_RESCHEDULE,
            always=rescheduling is not None,
        ),
        "Migrate": _inherit(
            (_block(group, "Migrate"), _block(job, "Migrate")), _MIGRATE, always=job_type == "service"
        ),
        "Update": _inherit((_block(group, "Update"), _block(job, "Update")), _UPDATE, always=False),
        "Disconnect": _optional(group, "Disconnect", _DISCONNECT),
        "Scaling": _optional(group, "Scaling", {**_SCALING, "Min": count}, _BLANK),
    }
    return {
        **group,
        **policies,
        "Count": count,
        "Affinities": _each(group, "Affinities", _WEIGHT),
        "Spreads": _each(group, "Spreads", _WEIGHT),
        "EphemeralDisk": _fill(_block(group, "EphemeralDisk"), _EPHEMERAL_DISK),
        "Services": _each(group, "Services", _SERVICE, _BLANK),
        "Tasks": _map(group, "Tasks", lambda task: _fill_task(task, policies["RestartPolicy"] or {})),
    }


def _compute_count(group: Document) -> object:
    asked = (group.get("Count"), (_block(group, "Scaling") or {}).get("Min"))
    return next((count for count in asked if count is not None), 1)


def _fill_task(task: Document, restart: Document) -> dict[str, Any]:
    return {
        **_fill(task, {"KillTimeout": 5 * NS_PER_S}),
        "Affinities": _each(task, "Affinities", _WEIGHT),
        "LogConfig": _fill(_block(task, "LogConfig"), _LOG_CONFIG),
        "RestartPolicy": _fill(_block(task, "RestartPolicy"), restart),
        "Resources": _fill_resources(_block(task, "Resources") or {}),
        "Services": _each(task, "Services", _SERVICE, _BLANK),
    }


def _fill_resources(asked: Document) -> dict[str, Any]:
    filled = _fill(asked, {**_RESOURCES, "CPU": 0 if asked.get("Cores") else _CPU_MHZ})
    return {**filled, "Devices": _each(filled, "Devices", _DEVICE)}


def _fill(given: Document | None, defaults: Document, unset: tuple[object, ...] = _NULL) -> dict[str, Any]:
    filled = dict(given or {})
    for key, default in defaults.items():
        if filled.get(key) in unset:
            filled[key] = default
    return filled


def _inherit(blocks: tuple[Document | None, ...], defaults: Document, *, always: bool) -> Document | None:
    """Lay the blocks over one another and over the defaults, if there is a block or there must be one."""
    if not always and all(block is None for block in blocks):
        return None
    merged: dict[str, Any] = {}
    for block in blocks:
        merged = _fill(merged, {key: value for key, value in (block or {}).items() if value is not None})
    return _fill(merged, defaults)


def _optional(
    parent: Document, key: str, defaults: Document, unset: tuple[object, ...] = _NULL
) -> Document | None:
    block = _block(parent, key)
    return None if block is None else _fill(block, defaults, unset)


def _each(
    parent: Document, key: str, defaults: Document, unset: tuple[object, ...] = _NULL
) -> list[dict[str, Any]] | None:
    return _map(parent, key, lambda member: _fill(member, defaults, unset))


def _map(
    parent: Document, key: str, change: Callable[[Document], dict[str, Any]]
) -> list[dict[str, Any]] | None:
    members = parent.get(key)
    if members is None:
        return None
    if not isinstance(members, list) or not all(isinstance(member, Mapping) for member in members):
        raise InputError("job", "a list of objects was expected", at=key)
    return [change(member) for member in members]


def _block(parent: Document, key: str) -> Document | None:
    block = parent.get(key)
    if block is not None and not isinstance(block, Mapping):
        raise InputError("job", "an object was expected", at=key)
    return block
