"""Dispatch: what a request has to bring, and the child that comes of it."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from nomadspec.model.cluster.admission.complaint import Complaint, complain_freely
from nomadspec.model.cluster.entities import NS_PER_S, DispatchPayloadRule, Job, ParameterizedJobConfig
from nomadspec.model.cluster.entities.job import is_parameterized

DISPATCH_MARK: Final = "/dispatch-"
_MOST_PAYLOAD_BYTES: Final = 16 * 1024
_LEAST_PRIORITY: Final = 1
_MARK_DIGITS: Final = 8


class Dispatch(Struct, frozen=True, kw_only=True):
    """A request to run a parameterized job once."""

    payload: bytes = b""
    """Not compressed."""
    meta: Mapping[str, str] = {}
    id_prefix: str = ""
    priority: int = 0
    idempotency_token: str = ""


def check_dispatch(parent: Job | None, dispatch: Dispatch, most_priority: int = 100) -> Iterator[Complaint]:
    """Check a dispatch against the job that it is for.

    Spec: JOB-21, OBJ-144.
    """
    if parent is None:
        yield complain_freely("the job to dispatch does not exist")
        return
    if not is_parameterized(parent) or parent.parameterized_job is None:
        yield complain_freely(f"the job {parent.id!r} is not parameterized")
        return
    if parent.stop:
        yield complain_freely(f"the job {parent.id!r} is stopped")
    priority = dispatch.priority or parent.priority
    if not _LEAST_PRIORITY <= priority <= most_priority:
        yield complain_freely(f"the priority must lie between {_LEAST_PRIORITY} and {most_priority}")
    yield from _check_payload(parent.parameterized_job, dispatch.payload)
    yield from _check_meta(parent.parameterized_job, dispatch.meta)


def _check_payload(asked: ParameterizedJobConfig, payload: bytes) -> Iterator[Complaint]:
    if asked.payload == DispatchPayloadRule.REQUIRED and not payload:
        yield complain_freely("the job requires a payload")
    if asked.payload == DispatchPayloadRule.FORBIDDEN and payload:
        yield complain_freely("the job takes no payload")
    if len(payload) > _MOST_PAYLOAD_BYTES:
        yield complain_freely(f"a payload holds at most {_MOST_PAYLOAD_BYTES} bytes; got {len(payload)}")


def _check_meta(asked: ParameterizedJobConfig, meta: Mapping[str, str]) -> Iterator[Complaint]:
    known = {*asked.meta_required, *asked.meta_optional}
    for key in asked.meta_required:
        if key not in meta:
            yield complain_freely(f"the job requires the meta key {key!r}")
    for key in meta:
        if key not in known:
            yield complain_freely(f"the job knows no meta key {key!r}")


def find_earlier_child(children: Iterable[Job], dispatch: Dispatch) -> Job | None:
    """Find the child, dead or alive, that an earlier request with the same token has made.

    Spec: JOB-21, OBJ-144.
    """
    if not dispatch.idempotency_token:
        return None
    return next(
        (child for child in children if child.dispatch_idempotency_token == dispatch.idempotency_token), None
    )


def derive_dispatched_child(
    parent: Job, dispatch: Dispatch, *, now_ns: int, random_hex: str, packed_payload: bytes
) -> Job:
    """Make the job that runs for one dispatch; what is drawn at random and how bytes are packed is given.

    Spec: JOB-21, OBJ-015, OBJ-061, OBJ-144.
    """
    prefix = f"{dispatch.id_prefix}-" if dispatch.id_prefix else ""
    child_id = f"{parent.id}{DISPATCH_MARK}{prefix}{now_ns // NS_PER_S}-{random_hex[:_MARK_DIGITS]}"
    return replace(
        parent,
        id=child_id,
        name=child_id,
        parent_id=parent.id,
        dispatched=True,
        dispatch_idempotency_token=dispatch.idempotency_token,
        payload=packed_payload,
        meta={**parent.meta, **dispatch.meta},
        priority=dispatch.priority or parent.priority,
        status="",
        submit_time_ns=now_ns,
    )
