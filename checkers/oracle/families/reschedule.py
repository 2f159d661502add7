"""Judges the recordings of the arithmetic of rescheduling and of disconnected clients."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from nomadspec.checkers.oracle.compare import Rules, compare
from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.judgement import Difference, Judge
from nomadspec.checkers.oracle.shape import Whole, read_entity, read_shape
from nomadspec.model.cluster.codec import format_instant, parse_instant
from nomadspec.model.cluster.entities import Allocation, AllocClient, Deployment, JobType
from nomadspec.model.cluster.entities.allocation import find_last_unknown_ns, needs_to_reconnect
from nomadspec.model.cluster.policy.disconnect import (
    compute_client_stop_ns,
    compute_disconnect_timeout_ns,
    has_expired,
    is_replaced_on_disconnect,
    should_client_stop,
)
from nomadspec.model.cluster.policy.reschedule import (
    NextTime,
    compute_last_event_time_ns,
    compute_next_delay_ns,
    compute_next_time,
    compute_next_time_from,
    count_attempts,
    find_own_policy,
    is_allowed,
    list_events,
    should_reschedule,
)
from nomadspec.model.cluster.policy.reschedule_filter import (
    ZERO_TIME_NS,
    RescheduleCase,
    Verdict,
    decide,
    filter_alloc,
    judge_status,
)
from nomadspec.model.errors import InputError

_RULES: Final[Rules] = (
    ("last_event_time", "OBJ-238"),
    ("next_delay_ns", "OBJ-240"),
    ("next_time", "OBJ-239"),
    ("next_time_from_now", "OBJ-242"),
    ("eligible_by_policy", "OBJ-236"),
    ("should_reschedule", "OBJ-234"),
    ("attempted", "OBJ-237"),
    ("attempts", "OBJ-104"),
    ("pre_filter", "REC-44"),
    ("decision", "RESCHED-18"),
    ("filter", "REC-46"),
    ("last_unknown", "OBJ-222"),
    ("needs_to_reconnect", "OBJ-222"),
    ("expired", "OBJ-247"),
    ("replace_on_disconnect", "REC-39"),
    ("disconnect_timeout", "OBJ-247"),
    ("should_client_stop", "OBJ-246"),
    ("wait_client_stop", "OBJ-246"),
)


class Group(msgspec.Struct, frozen=True, rename="pascal"):
    """The group of the allocation, with the time that its one task gets to stop."""

    name: str
    reschedule_policy: dict[str, Any] | None
    disconnect: dict[str, Any] | None
    kill_timeout: Whole


class Vector(msgspec.Struct, frozen=True):
    """One recording: an allocation, its policy and a time."""

    id: str
    now: str
    job_type: str
    group: Group
    alloc: dict[str, Any]
    eval_id: str
    disconnecting: bool
    deployment: dict[str, Any] | None


def judge(vector: Mapping[str, Any], context: Context) -> Iterator[Difference]:
    """Ask everything about an allocation that was asked of the server."""
    shape = read_shape(Vector, vector)
    alloc, case = _read_alloc(shape, context), _read_reschedule_case(shape, context)
    model = {**_describe_policy(alloc, case.now_ns), **_describe_disconnect(alloc, case.now_ns)}
    model |= _describe_decision(alloc, case)
    told = {key: value for key, value in vector.items() if key not in Vector.__struct_fields__}
    yield from compare(told, model, rules=_RULES)


def _read_alloc(shape: Vector, context: Context) -> Allocation:
    group = {
        "Name": shape.group.name,
        "ReschedulePolicy": shape.group.reschedule_policy,
        "Disconnect": shape.group.disconnect,
        "Tasks": [{"KillTimeout": shape.group.kill_timeout}],
    }
    job = {"Type": shape.job_type, "TaskGroups": [group]}
    return read_entity(Allocation, {**shape.alloc, "Job": job}, context, shape.id)


def _read_reschedule_case(shape: Vector, context: Context) -> RescheduleCase:
    now_ns = parse_instant(shape.now)
    if now_ns is None:
        raise InputError(shape.id, f"expected a time, found {shape.now!r}", at="now")
    return RescheduleCase(
        now_ns=now_ns,
        eval_id=shape.eval_id,
        is_batch=shape.job_type == JobType.BATCH,
        is_disconnecting=shape.disconnecting,
        profile=context.profile,
        deployment=read_entity(Deployment, shape.deployment, context, shape.id) if shape.deployment else None,
    )


def _describe_policy(alloc: Allocation, now_ns: int) -> dict[str, Any]:
    policy, events = find_own_policy(alloc), list_events(alloc.reschedule_tracker)
    failed_ns = compute_last_event_time_ns(alloc)
    return {
        "last_event_time": _show_time(failed_ns),
        "next_delay_ns": compute_next_delay_ns(alloc),
        "next_time": _show_next(compute_next_time(alloc)),
        "next_time_from_now": _show_next(compute_next_time_from(alloc, now_ns)),
        "eligible_by_policy": is_allowed(policy, events, failed_ns),
        "should_reschedule": should_reschedule(alloc, failed_ns),
        "attempted": count_attempts(policy, events, failed_ns) if policy else 0,
        "attempts": policy.attempts if policy else 0,
    }


def _describe_decision(alloc: Allocation, case: RescheduleCase) -> dict[str, Any]:
    verdict = judge_status(alloc, is_batch=case.is_batch)
    decision, filtered = decide(alloc, case), filter_alloc(alloc, case)
    return {
        "pre_filter": {"untainted": verdict is Verdict.KEEP, "ignore": verdict is Verdict.DROP},
        "decision": {
            "now": decision.is_now,
            "later": decision.is_later,
            "time": _show_time(decision.time_ns),
        },
        "filter": {"set": str(filtered.placing), "later": _show_time(filtered.later_ns or 0)},
    }


def _describe_disconnect(alloc: Allocation, now_ns: int) -> dict[str, Any]:
    stops = should_client_stop(alloc)
    model = {
        "last_unknown": _show_time(find_last_unknown_ns(alloc)),
        "needs_to_reconnect": needs_to_reconnect(alloc),
        "expired": has_expired(alloc, now_ns),
        "replace_on_disconnect": is_replaced_on_disconnect(alloc),
        "disconnect_timeout": _show_time(compute_disconnect_timeout_ns(alloc, now_ns)),
        "should_client_stop": stops,
    }
    # Without an entry for the loss the server counts from its own clock, which no recording holds.
    if stops and any(state.value == AllocClient.LOST for state in alloc.alloc_states):
        model["wait_client_stop"] = _show_time(compute_client_stop_ns(alloc, now_ns))
    return model


def _show_next(next_time: NextTime) -> dict[str, Any]:
    return {"time": _show_time(next_time.time_ns), "eligible": next_time.is_eligible}


def _show_time(time_ns: int) -> str | None:
    return format_instant(time_ns) if time_ns not in {0, ZERO_TIME_NS} else None


JUDGES: Final[Mapping[str, Judge]] = {"cases": judge}
