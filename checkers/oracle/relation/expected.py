"""What a recorded plan makes one expect of each search for a node."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from nomadspec.model.cluster.entities import Allocation, AllocMetric, Plan
from nomadspec.model.cluster.entities.allocation import is_canary
from nomadspec.model.cluster.scheduler.reasons import Dropped, Exhausted, Filtered, Requested, Scored, Visit

_SHOWN = 5


def list_new(plan: Plan) -> list[Allocation]:
    """List the allocations that a plan creates."""
    return [alloc for allocs in plan.node_allocation.values() for alloc in allocs if not alloc.create_index]


def pair_requests(requests: Sequence[Requested], allocs: Iterable[Allocation]) -> list[Allocation | None]:
    """Pair requests with the allocations that were recorded for them; none where nothing was placed.

    Those that have the name that was asked for come first: others were given a name that nobody has.

    Spec: GENERIC-36.
    """
    waiting = list(allocs)
    paired: dict[int, Allocation] = {}
    for is_near in (_is_exactly_of, is_of_same_kind, may_be_of):
        for at, request in enumerate(requests):
            found = next((alloc for alloc in waiting if at not in paired and is_near(alloc, request)), None)
            if found is not None:
                paired[at] = found
                waiting.remove(found)
    return [paired.get(at) for at in range(len(requests))]


def find_of_node(request: Requested, plan: Plan) -> Allocation | None:
    """Find what was recorded for a request that is for one node."""
    wanted = (request.node_id, request.alloc_name, request.group, request.previous)
    return next(
        (
            alloc
            for alloc in list_new(plan)
            if (alloc.node_id, alloc.name, alloc.task_group, alloc.previous_allocation) == wanted
        ),
        None,
    )


def _is_exactly_of(alloc: Allocation, request: Requested) -> bool:
    return alloc.name == request.alloc_name and is_of_same_kind(alloc, request)


def is_of_same_kind(alloc: Allocation, request: Requested) -> bool:
    """True if an allocation is a canary where one was asked for, and may stand for the request."""
    return is_canary(alloc) == request.is_canary and may_be_of(alloc, request)


def may_be_of(alloc: Allocation, request: Requested) -> bool:
    """True if an allocation may stand for a request, whatever its name."""
    is_same = (alloc.task_group, alloc.previous_allocation) == (request.group, request.previous)
    return is_same and (request.is_canary or not is_canary(alloc))


@dataclass(slots=True)
class Expected:
    """What the metrics of a recorded allocation leave open for the rest of its search."""

    alloc: Allocation
    metrics: AllocMetric
    visited: int = 0
    shown_visited: set[str] = field(default_factory=set)
    filtered: Counter[str] = field(default_factory=Counter)
    exhausted: Counter[str] = field(default_factory=Counter)
    classes: Counter[tuple[str, bool]] = field(default_factory=Counter)
    """How many nodes of each class were filtered, and exhausted."""

    @staticmethod
    def of(alloc: Allocation) -> Expected:
        """Begin a search."""
        return Expected(alloc, alloc.metrics or AllocMetric())

    @property
    def shown(self) -> Mapping[str, float]:
        """The nodes that are shown with their scores."""
        return {meta.node_id: meta.norm_score for meta in self.metrics.score_meta_data}

    def may_follow(self, visit: Visit, node_class: str) -> bool:
        """True if a node that fares like this may be visited next."""
        told = self.metrics
        match visit:
            case Filtered():
                left = told.constraint_filtered.get(visit.text, 0) - self.filtered[visit.text]
                return left > 0 and self._has_class_left(node_class, is_filtered=True)
            case Exhausted():
                left = told.dimension_exhausted.get(visit.dimension, 0) - self.exhausted[visit.dimension]
                return left > 0 and self._has_class_left(node_class, is_filtered=False)
            case Scored():
                return self.unscored_left == 0 and self.may_score(visit.node_id, visit.norm_score)
            case Dropped():
                return True

    def has_room_for(self, node_class: str) -> bool:
        """True if a node of a class may still be refused or full, if any is."""
        if self.unscored_left == 0:
            return True
        return any(self._has_class_left(node_class, is_filtered=kind) for kind in (True, False))

    def _has_class_left(self, node_class: str, *, is_filtered: bool) -> bool:
        """True if one more node of a class may be counted; those without a class are the rest."""
        told = self.metrics
        total = told.nodes_filtered if is_filtered else told.nodes_exhausted
        by_class = told.class_filtered if is_filtered else told.class_exhausted
        counted = by_class.get(node_class, 0) if node_class else total - sum(by_class.values())
        return self.classes[node_class, is_filtered] < counted

    @property
    def unscored_left(self) -> int:
        """How many nodes without a score are still to be visited."""
        told = self.metrics
        seen = self.filtered.total() + self.exhausted.total()
        return told.nodes_filtered + told.nodes_exhausted - seen

    def admits(self, visit: Visit, node_class: str) -> bool:
        """Count a visit; true if it may have been one of those that were counted."""
        may_follow = self.visited < self.metrics.nodes_evaluated and (
            self.may_score(visit.node_id, visit.norm_score)
            if isinstance(visit, Scored)
            else self.may_follow(visit, node_class)
        )
        self.visited += 1
        match visit:
            case Filtered():
                self.filtered[visit.text] += 1
                self.classes[node_class, True] += 1
            case Exhausted():
                self.exhausted[visit.dimension] += 1
                self.classes[node_class, False] += 1
            case Scored():
                self.shown_visited.add(visit.node_id)
            case Dropped():
                pass
        return may_follow

    def may_score(self, node_id: str, score: float) -> bool:
        """True if a node may have had a score."""
        shown = self.shown
        if node_id in shown:
            return shown[node_id] == score
        return len(shown) == _SHOWN and score <= min(shown.values())

    def admits_end(self, chosen: str) -> bool:
        """True if the search may have ended like this."""
        is_complete = self.visited == self.metrics.nodes_evaluated and self.shown.keys() <= self.shown_visited
        return chosen == self.alloc.node_id and is_complete
