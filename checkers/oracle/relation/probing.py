"""Places everything as recorded, whatever the order, and asks each search how every node would fare."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from nomadspec.checkers.oracle.relation.forcing import Forced
from nomadspec.checkers.oracle.relation.maps import MapOrders
from nomadspec.checkers.oracle.relation.pursuit import Pursuit
from nomadspec.model.cluster.entities import Allocation, Node, Plan
from nomadspec.model.cluster.scheduler.ranking.limits import ASIDE_THRESHOLD, MOST_ASIDE
from nomadspec.model.cluster.scheduler.reasons import Scored, Visit


@dataclass(frozen=True, slots=True)
class Stretch:
    """One search along an order: how each node fares in it, and whose metrics tell of it."""

    group: str
    verdicts: Mapping[str, Visit]
    alloc: Allocation | None = None
    """What was placed; None where all nodes were visited in vain."""
    limit: int = 0
    """How many options are compared before it ends."""
    is_aside: bool = False
    """Whether only nodes that were preferred were asked; the next search begins at the first place."""
    name: str = ""
    """The name that was asked for."""


@dataclass(slots=True)
class Probed:
    """One order of nodes that a run asked for, and the searches along it."""

    turn: int
    """Of which attempt it is."""
    nodes: Sequence[Node]
    stretches: list[Stretch]


class Probe(Forced):
    """A run in which every search meets the recorded node only, after all nodes were examined.

    What is on the nodes when a search begins is thus as in the recorded call, and so are the verdicts. What
    comes out is of no use.
    """

    def __init__(self, recorded: Sequence[Plan], maps: MapOrders) -> None:
        """Begin a run."""
        super().__init__(recorded, maps)
        self.orders: list[Probed] = []
        self._verdicts: dict[str, Visit] = {}
        self._met: list[float] = []
        self._is_probing = False
        self._was_asked = False

    def next_node_order(self, candidates: Sequence[Node]) -> Sequence[Node]:
        """Give an order in which the recorded node stands everywhere."""
        self.orders.append(Probed(self._turn, candidates, []))
        return super().next_node_order(candidates)

    def begin_search(self, examine: Callable[[Node], object]) -> None:
        """Examine all nodes."""
        self._verdicts, self._met, self._was_asked = {}, [], False
        if self._request < 0 or not self.orders:
            return
        self._is_probing = True
        for node in self._nodes:
            examine(node)
        self._is_probing = False

    def note_visit(self, visit: Visit) -> None:
        """Keep what was asked for; visits themselves tell nothing."""
        super().note_visit(visit)
        if self._is_probing:
            self._verdicts[visit.node_id] = visit
        elif isinstance(visit, Scored):
            self._met.append(visit.norm_score)

    def end_selection(self, group: str, alloc_name: str, chosen: str, *, may_preempt: bool = False) -> None:  # noqa: ARG002 -- the request says it all
        """Keep the search."""
        if self._request < 0 or not self.orders:
            return
        alloc = self._alloc if chosen else None
        limit = len(self._met) - min(sum(score <= ASIDE_THRESHOLD for score in self._met), MOST_ASIDE)
        is_aside = not self._was_asked and bool(self.orders[-1].nodes)
        stretch = Stretch(group, self._verdicts, alloc, limit, is_aside, alloc_name)
        self.orders[-1].stretches.append(stretch)

    def _find_wanted(self, node: Node) -> Node:
        self._was_asked = True
        return super()._find_wanted(node)


class Following(Pursuit):
    """A run along orders that are given."""

    def follow(self, orders: Iterator[Sequence[Node]]) -> Following:
        """Take the orders, and be ready."""
        self._orders = orders
        return self

    def next_node_order(self, candidates: Sequence[Node]) -> Sequence[Node]:
        """Take the next order that is given, as long as there is one."""
        lazy = super().next_node_order(candidates)
        given = next(self._orders, ())
        return given if len(given) == len(candidates) else lazy
