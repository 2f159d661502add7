"""Why a scheduler did what it did, as data."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct

from nomadspec.model.entities import Node


class Filtered(Struct, frozen=True, kw_only=True, tag=True):
    """A node that a check refused."""

    node_id: str
    rule: str
    """The rule that the check follows."""
    text: str
    """What the metrics of the placement say."""
    operands: Mapping[str, object] = {}
    """What was compared, by name."""


class Exhausted(Struct, frozen=True, kw_only=True, tag=True):
    """A node that has too little of something left."""

    node_id: str
    rule: str
    dimension: str
    """What is short, as the metrics of the placement say it."""
    asked: float | None = None
    free: float | None = None
    """How much is left; below zero when it is overdrawn already."""


class Scored(Struct, frozen=True, kw_only=True, tag=True):
    """A node that could take the placement."""

    node_id: str
    scores: Mapping[str, float]
    norm_score: float
    preempted: tuple[str, ...] = ()
    """The allocations that would have to go."""


class Dropped(Struct, frozen=True, kw_only=True, tag=True):
    """A node that was passed over without a trace in the metrics."""

    node_id: str
    rule: str


Visit: TypeAlias = Filtered | Exhausted | Scored | Dropped


class Selection(Struct, frozen=True, kw_only=True):
    """One search for a node: whom it looked at, in order, and whom it took."""

    group: str
    alloc_name: str
    may_preempt: bool = False
    visits: tuple[Visit, ...] = ()
    chosen: str = ""
    """The node that was taken; empty when none was."""


class Bucketed(Struct, frozen=True, kw_only=True):
    """What the reconciler made of an allocation."""

    alloc_id: str
    group: str
    bucket: str
    rule: str


class Requested(Struct, frozen=True, kw_only=True):
    """A placement that the reconciler asked for."""

    group: str
    alloc_name: str
    previous: str = ""
    """The allocation that it replaces or continues."""
    is_canary: bool = False
    node_id: str = ""
    """The node that it is for, where every node is asked by itself."""


class Reasons(Struct, frozen=True, kw_only=True):
    """Why, for one call of a scheduler."""

    buckets: tuple[Bucketed, ...] = ()
    requests: tuple[Requested, ...] = ()
    """In the order in which nodes were looked for, of all attempts."""
    selections: tuple[Selection, ...] = ()


class ReasonLog:
    """Collects reasons while a scheduler works; does nothing when they are not wanted.

    Ask `is_on` before building a costly reason.
    """

    def __init__(self, *, is_on: bool) -> None:
        """Begin empty."""
        self.is_on = is_on
        self._buckets: list[Bucketed] = []
        self._requests: list[Requested] = []
        self._selections: list[Selection] = []
        self._visits: list[Visit] = []

    def note_bucket(self, bucket: Bucketed) -> None:
        """Note what was made of an allocation."""
        if self.is_on:
            self._buckets.append(bucket)

    def note_requests(self, requests: Sequence[Requested]) -> None:
        """Note all that will be looked for in an attempt, before the first search."""
        if self.is_on:
            self._requests.extend(requests)

    def begin_request(self, request: Requested) -> None:
        """Begin to look for a node for a request; the searches that follow are for it."""

    def begin_search(self, examine: Callable[[Node], object]) -> None:
        """Begin a search; to examine a node notes how it would fare as the next one."""

    def note_visit(self, visit: Visit) -> None:
        """Note what was made of a node in the search that is under way."""
        if self.is_on:
            self._visits.append(visit)

    def end_selection(self, group: str, alloc_name: str, chosen: str, *, may_preempt: bool = False) -> None:
        """End the search that is under way; an empty choice says that it found nothing."""
        if self.is_on:
            self._selections.append(
                Selection(
                    group=group,
                    alloc_name=alloc_name,
                    may_preempt=may_preempt,
                    visits=tuple(self._visits),
                    chosen=chosen,
                )
            )
            self._visits.clear()

    def build(self) -> Reasons | None:
        """Give what was collected; None when nobody asked."""
        if not self.is_on:
            return None
        return Reasons(
            buckets=tuple(self._buckets),
            requests=tuple(self._requests),
            selections=tuple(self._selections),
        )
