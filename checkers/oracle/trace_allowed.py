"""What may differ between a recorded cluster and the model, and how narrowly: see the table of equivalences.

Each function gives the recorded object with the model's value in the places that may differ and do so within
what is allowed, and counts the row of the table; everything else is left to the comparison.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, TypeVar

import msgspec
from msgspec.structs import replace

from nomadspec.checkers.oracle.context import Context
from nomadspec.model.cluster.components.broker import compute_nack_delay_ns
from nomadspec.model.cluster.components.broker_state import Broker, BrokerSettings
from nomadspec.model.cluster.entities import (
    Deployment,
    DeploymentState,
    Evaluation,
    Job,
    Namespace,
    Node,
    NodeEvent,
    NodePool,
    PeriodicLaunch,
)
from nomadspec.model.specification.profiles import Profile

WALL_CLOCK: Final = "wall-clock"
LEADER_MEMORY: Final = "leader-memory"
LOST_BYTES: Final = "lost-bytes"

_LOST: Final = re.compile("\ufffd+")

FindEval = Callable[[str], Evaluation | None]
"""Finds an evaluation that may have been known when a line was written."""

Row = TypeVar("Row", bound=msgspec.Struct)


class Clock(msgspec.Struct, frozen=True):
    """Which times of the model stand for ones that a server took from its own clock while it applied."""

    times_ns: frozenset[int]
    applied_again: frozenset[str] = frozenset()
    """The deployments whose promotion a server that came back may have applied again, at a later time.

    Spec: 01/S14, WIRE-092.
    """

    def is_own(self, time_ns: int) -> bool:
        """True if a time of the model stands for one of the server's own clock."""
        return time_ns in self.times_ns


def allow_clock(recorded: Row, model: Row, clock: Clock, context: Context) -> Row:
    """Allow any later time where the server looked at its own clock.

    Spec: 01/S14, 09/S12, OBJ-413, JOB-28, PLAN-70.
    """
    allowed: msgspec.Struct = recorded
    match recorded, model:
        case Deployment(), Deployment():
            groups = {
                name: _allow_state(
                    state,
                    model.task_groups.get(name),
                    clock,
                    is_later=recorded.id in clock.applied_again,
                )
                for name, state in recorded.task_groups.items()
            }
            allowed = replace(recorded, task_groups=groups)
        case PeriodicLaunch(), PeriodicLaunch() if clock.is_own(model.launch_ns) and recorded.launch_ns:
            allowed = replace(recorded, launch_ns=model.launch_ns)
        case Node(), Node() if len(recorded.events) == len(model.events):
            pairs = zip(recorded.events, model.events, strict=True)
            allowed = replace(recorded, events=tuple(_allow_event(*pair, clock) for pair in pairs))
    if allowed != recorded:
        context.forgive(WALL_CLOCK)
        return allowed  # type: ignore[return-value]  # replace keeps the type
    return recorded


def allow_memory(
    recorded: Evaluation, model: Evaluation, find_eval: FindEval, context: Context
) -> Evaluation:
    """Allow what the leader's memory had already put into the object that it shares with the store.

    That is the follow-up that a scheduler has made for the evaluation, and a delay that follows a nack. A
    line is written late: the follow-up may be in an entry that comes after the one that the line is of.

    Spec: 02/S7, WIRE-084.
    """
    allowed = recorded
    if recorded.next_eval and recorded.next_eval != model.next_eval:
        follow_up = find_eval(recorded.next_eval)
        if follow_up is not None and follow_up.previous_eval == recorded.id:
            allowed = replace(allowed, next_eval=model.next_eval)
    if recorded.wait_ns != model.wait_ns and recorded.wait_ns in list_nack_delays_ns(context.profile):
        allowed = replace(allowed, wait_ns=model.wait_ns)
    if allowed is not recorded:
        context.forgive(LEADER_MEMORY)
    return allowed


def list_nack_delays_ns(profile: Profile) -> list[int]:
    """List how long an evaluation may wait that a worker has given back.

    Spec: BROKER-40, 02/S7.
    """
    broker = Broker(settings=BrokerSettings(profile=profile))
    return [compute_nack_delay_ns(broker, nacks) for nacks in range(1, broker.settings.delivery_limit)]


def allow_lost_bytes(recorded: Row, model: Row, context: Context) -> Row:
    """Allow bytes that the log does not show because they are no text.

    Spec: WIRE-102.
    """
    match recorded, model:
        case Namespace(), Namespace() if _may_be_lost(recorded.hash, model.hash):
            context.forgive(LOST_BYTES)
            return replace(recorded, hash=model.hash)
        case NodePool(), NodePool() if _may_be_lost(recorded.hash, model.hash):
            context.forgive(LOST_BYTES)
            return replace(recorded, hash=model.hash)
        case Job(), Job() if _may_be_lost(recorded.payload, model.payload):
            context.forgive(LOST_BYTES)
            return replace(recorded, payload=model.payload)
    return recorded


def _may_be_lost(recorded: bytes, model: bytes) -> bool:
    if recorded == model:
        return False
    logged = model.decode(errors="replace")
    if logged.encode() != model:
        return False  # no text: these bytes do not come from the log, and all of them are known
    shown = recorded.decode(errors="replace")
    return "\ufffd" in shown and _LOST.sub("?", shown) == _LOST.sub("?", logged)


def _allow_state(
    recorded: DeploymentState | None, model: DeploymentState | None, clock: Clock, *, is_later: bool
) -> DeploymentState | None:
    if recorded is None or model is None or not recorded.require_progress_by_ns:
        return recorded
    is_later = is_later and recorded.require_progress_by_ns > model.require_progress_by_ns
    if not is_later and not clock.is_own(model.require_progress_by_ns):
        return recorded
    return replace(recorded, require_progress_by_ns=model.require_progress_by_ns)


def _allow_event(recorded: NodeEvent, model: NodeEvent, clock: Clock) -> NodeEvent:
    if not clock.is_own(model.timestamp_ns) or not recorded.timestamp_ns:
        return recorded
    return replace(recorded, timestamp_ns=model.timestamp_ns)
