"""Judges in which words changes of nodes say why: the event is the only sign of the cause."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

import msgspec

from nomadspec.checkers.oracle.judgement import ABSENT, Difference
from nomadspec.model.cluster.acts.node_requests import DRAIN_SET, MARKED_ELIGIBLE, MARKED_INELIGIBLE
from nomadspec.model.cluster.components.heartbeats import MISSED
from nomadspec.model.cluster.entities import NodeEvent
from nomadspec.model.cluster.entities.node import UNRESPONSIVE, Eligibility
from nomadspec.model.cluster.store.requests import (
    NodeUpdateDrain,
    NodeUpdateEligibility,
    NodeUpdateStatus,
)

_CLUSTER: Final = "Cluster"
_DRAIN: Final = "Drain"
_BACK: Final = "Node reregistered by heartbeat"


class _Due(NamedTuple):
    """What an event may say."""

    subsystem: str
    messages: tuple[str, ...]
    is_optional: bool = False


def compare_node_event(request: msgspec.Struct, path: str) -> Iterator[Difference]:
    """Compare the event that comes with a change of a node with what this change is told as.

    Spec: OBJ-165, NODEST-08.
    """
    if not isinstance(request, NodeUpdateStatus | NodeUpdateDrain | NodeUpdateEligibility):
        return
    due, event, place = _find_due(request), request.node_event, f"{path}.NodeEvent"
    if event is None:
        if not due.is_optional:
            yield Difference(place, ABSENT, due.messages, "OBJ-165")
        return
    yield from _compare(event, due, place)


def _compare(event: NodeEvent, due: _Due, place: str) -> Iterator[Difference]:
    if event.message not in due.messages:
        yield Difference(f"{place}.Message", event.message, due.messages, "OBJ-165")
    if event.subsystem != due.subsystem:
        yield Difference(f"{place}.Subsystem", event.subsystem, due.subsystem, "OBJ-165")
    if event.details:
        yield Difference(f"{place}.Details", dict(event.details), {}, "OBJ-165")


def _find_due(request: NodeUpdateStatus | NodeUpdateDrain | NodeUpdateEligibility) -> _Due:
    """Find what a change is told as; a drain that is taken from a node without one is not told."""
    match request:
        case NodeUpdateStatus(status=status) if status in UNRESPONSIVE:
            return _Due(_CLUSTER, (MISSED,))
        case NodeUpdateStatus():
            return _Due(_CLUSTER, (_BACK,), is_optional=True)
        case NodeUpdateDrain(drain_strategy=None):
            return _Due(_DRAIN, ("Node drain disabled",), is_optional=True)
        case NodeUpdateDrain():
            return _Due(_DRAIN, (DRAIN_SET, "Node drain strategy updated"))
        case _:
            is_marked_eligible = request.eligibility == Eligibility.ELIGIBLE
            return _Due(_CLUSTER, (MARKED_ELIGIBLE if is_marked_eligible else MARKED_INELIGIBLE,))
