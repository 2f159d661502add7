"""Why a scheduler did what it did, as data."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import TypeAlias

from msgspec import Struct

from nomadspec.model.cluster.entities import Allocation, Node


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
    is_trial: bool = False
    """Whether only the node was asked on which the allocation is, and whether it may follow its job there."""
    visits: tuple[Visit, ...] = ()
    chosen: str = ""
    """The node that was taken; empty when none was."""


class Bucketed(Struct, frozen=True, kw_only=True):
    """What the reconciler made of an allocation."""

    alloc_id: str
    group: str
    bucket: str
    rule: str
    why: str = ""
    """What the rule asks for, in words."""
    operands: Mapping[str, object] = {}
    """What was looked at, by name."""


class Stage(StrEnum):
    """The stages that judge an allocation once it has its bucket."""

    RETURN = "return"
    """Its client is back: it stays, or what came after it does."""
    RESCHEDULE = "reschedule"
    """It is placed again now, later, or not at all."""
    EXCESS = "excess"
    """There are too many of its group."""
    UPDATE = "update"
    """Its job has changed."""
    MAX_PARALLEL = "max_parallel"
    """How much may be replaced at once."""


class Judged(Struct, frozen=True, kw_only=True):
    """What one stage made of an allocation that has its bucket."""

    alloc_id: str
    group: str
    stage: Stage
    verdict: str
    rule: str
    why: str = ""
    """What decided, in words, where the rule knows more than one answer."""
    operands: Mapping[str, object] = {}
    """What was looked at, by name."""


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
    judgements: tuple[Judged, ...] = ()
    """What later stages made of the same allocations, in the order in which they did."""
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
        self.is_trial = False
        """Whether the searches that follow are trials of the nodes that allocations are on."""
        self._judgements: list[Judged] = []
        self._buckets: list[Bucketed] = []
        self._requests: list[Requested] = []
        self._selections: list[Selection] = []
        self._visits: list[Visit] = []

    def note_bucket(self, bucket: Bucketed) -> None:
        """Note what was made of an allocation."""
        if self.is_on:
            self._buckets.append(bucket)

    def note_judgement(
        self, alloc: Allocation, stage: Stage, verdict: str, rule: str, why: str = "", **operands: object
    ) -> None:
        """Note what a later stage made of an allocation, by which rule, and what that looked at."""
        if self.is_on:
            self._judgements.append(
                Judged(
                    alloc_id=alloc.id,
                    group=alloc.task_group,
                    stage=stage,
                    verdict=verdict,
                    rule=rule,
                    why=why,
                    operands=operands,
                )
            )

    def note_requests(self, requests: Sequence[Requested]) -> None:
        """Note all that will be looked for in an attempt, before the first search."""
        if self.is_on:
            self._requests.extend(requests)

    def begin_request(self, request: Requested, name: str = "") -> None:
        """Begin to look for a node for a request; the searches that follow are for it.

        The name is what will be given, where that may be another than was asked for.
        """

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
                    is_trial=self.is_trial,
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
            judgements=tuple(self._judgements),
            requests=tuple(self._requests),
            selections=tuple(self._selections),
        )
