"""Nodes that reject plans again and again are made ineligible, where that is switched on."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec
from msgspec.structs import replace

from nomadspec.model.cluster.components.two_queue_cache import TwoQueues, look_up, put
from nomadspec.model.cluster.entities.scalar import NS_PER_S

_TOKEN_NS: Final = 6 * 60 * NS_PER_S
"""A token comes so often: five in half an hour."""
_MAX_CREDIT_NS: Final = 10 * _TOKEN_NS

Times = tuple[int, ...]


class Rejections(msgspec.Struct, frozen=True):
    """What the applier remembers of rejections, for as long as its server lives.

    Spec: PLAN-85, PLAN-86.
    """

    is_enabled: bool = False
    threshold: int = 100
    window_ns: int = 5 * 60 * NS_PER_S
    histories: TwoQueues[Times] = TwoQueues(capacity=50)
    """By node, when it rejected part of a plan."""
    credit_ns: int = _MAX_CREDIT_NS
    """The time for which tokens have not been taken yet."""
    counted_at_ns: int = 0


def note_rejections(
    rejections: Rejections, nodes: Iterable[str], now_ns: int
) -> tuple[Rejections, tuple[str, ...]]:
    """Note the nodes that a plan was rejected by, and name those that are to be made ineligible.

    A history is not forgotten by that: a node that goes on rejecting is named again.

    Spec: PLAN-85, PLAN-86, NODEST-19, PLAN-88.
    """
    if not rejections.is_enabled:
        return rejections, ()
    credit_ns = min(_MAX_CREDIT_NS, rejections.credit_ns + max(0, now_ns - rejections.counted_at_ns))
    histories = rejections.histories
    named = []
    for node in nodes:
        known, histories = look_up(histories, node)
        times = (*(time for time in known or () if time >= now_ns - rejections.window_ns), now_ns)
        histories = put(histories, node, times)
        if len(times) >= rejections.threshold and credit_ns >= _TOKEN_NS:
            credit_ns -= _TOKEN_NS
            named.append(node)
    noted = replace(rejections, histories=histories, credit_ns=credit_ns, counted_at_ns=now_ns)
    return noted, tuple(named)
