"""Makes the choices of one run so that it comes out as recorded, and gives up where it no longer can."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from nomadspec.checkers.oracle.relation.decision_tree import Backtrack, Script
from nomadspec.checkers.oracle.relation.expected import Expected
from nomadspec.checkers.oracle.relation.guided import Guided
from nomadspec.checkers.oracle.relation.lazy_order import LazyOrder
from nomadspec.checkers.oracle.relation.maps import MapOrders
from nomadspec.checkers.oracle.relation.windows import suggest_places
from nomadspec.model.cluster.entities import Allocation, Node, Plan
from nomadspec.model.cluster.entities.job import find_group
from nomadspec.model.cluster.scheduler.reasons import Exhausted, Filtered, Requested, Scored, Visit


@dataclass(slots=True)
class Knowledge:
    """What all runs together have learnt of one recording."""

    visits: int = 0
    met: dict[tuple[int, str, str], Visit] = field(default_factory=dict)
    """By turn, name and node, the last verdict on a recorded node."""
    winners: dict[tuple[int, str], set[str]] = field(default_factory=dict)
    """By turn and name, the nodes that were taken in the place of the recorded one."""
    refused: dict[tuple[str, str], bool] = field(default_factory=dict)
    """By group and computed class, whether the last node of the class was refused."""
    verdicts: dict[tuple[str, str], Visit] = field(default_factory=dict)
    """By group and node, the last verdict: it tells who may be asked next, and decides nothing."""


class Pursuit(Guided):
    """The choices of one run, and the log that tells whether they lead anywhere."""

    def __init__(
        self,
        recorded: Sequence[Plan],
        script: Script,
        knowledge: Knowledge,
        maps: MapOrders,
        *,
        may_evict: bool = True,
        is_broken_off: bool = False,
    ) -> None:
        """Begin a run."""
        super().__init__(recorded, maps)
        self._script = script
        self._knowledge = knowledge
        self._may_evict = may_evict
        self._told_turns = len(recorded) if is_broken_off else None
        self._expected: Expected | None = None
        self._searches = 0
        self._is_other = False
        """Whether the search that is under way cannot be the one whose metrics were recorded."""
        self._is_strict = False
        self._places: Mapping[int, str] = {}
        self._nodes: Mapping[str, Node] = {}

    # --- the choices ---

    def next_node_order(self, candidates: Sequence[Node]) -> Sequence[Node]:
        """Leave the order open until the nodes are visited."""
        self._places = suggest_places(candidates, self._pairing.guessed[max(self._request, 0) :])
        self._nodes = {node.id: node for node in candidates}
        return LazyOrder(candidates, self._choose_node)

    # --- what is learnt on the way ---

    def begin_request(self, request: Requested, name: str = "") -> None:
        """Expect what was recorded for the request; a node that is asked by itself has only its ports."""
        super().begin_request(request, name)
        alloc = self._alloc
        if request.node_id:
            return
        self._expected = Expected.of(alloc) if alloc is not None else None
        self._searches = 0
        self._is_other = alloc is not None and bool(alloc.preempted_allocations)
        self._is_strict = alloc is not None and not self._may_prefer(alloc)

    def note_visit(self, visit: Visit) -> None:
        """Give up where a node fares otherwise than recorded."""
        super().note_visit(visit)
        self._knowledge.visits += 1
        expected = self._expected
        if self._request >= 0:
            self._learn(visit)
        if self._is_untold() or expected is None or not self._is_told() or self._admits(expected, visit):
            return
        if self._searches or not self._may_evict:
            raise Backtrack
        self._is_other = True

    def end_selection(self, group: str, alloc_name: str, chosen: str, *, may_preempt: bool = False) -> None:  # noqa: ARG002 -- the request says it all
        """Give up where another node is taken than recorded, or one where none was."""
        expected = self._expected
        if self._request < 0 or self._is_untold():
            return
        if not chosen:
            self._searches += 1
            self._is_other = False
            self._expected = Expected.of(expected.alloc) if expected else None
        elif expected is None or not self._admits_end(expected, chosen):
            raise Backtrack

    def end_turn(self) -> None:
        """Go on to the next plan: all so far is as recorded."""
        super().end_turn()
        self._expected = None
        self._script.keep()

    def give_up(self) -> None:
        """Give the run up."""
        raise Backtrack

    # --- inside ---

    def _admits(self, expected: Expected, visit: Visit) -> bool:
        node = self._nodes.get(visit.node_id)
        return expected.admits(visit, node.node_class if node else "")

    def _admits_end(self, expected: Expected, chosen: str) -> bool:
        if chosen != expected.alloc.node_id:
            self._knowledge.winners.setdefault((self._turn, expected.alloc.name), set()).add(chosen)
            return False
        if self._is_strict and self._is_other:
            return False
        return not self._is_strict or expected.admits_end(chosen)

    def _is_untold(self) -> bool:
        """True if an attempt is under way in which the call broke off: nobody knows what it placed."""
        return self._told_turns is not None and self._turn >= self._told_turns

    def _is_told(self) -> bool:
        """True if the search that is under way is the one whose metrics were recorded."""
        return self._is_strict and not self._is_other

    def _may_prefer(self, alloc: Allocation) -> bool:
        """True if a node may have been asked first because of a disk that it has."""
        group = find_group(self._plan.job or alloc.job, alloc.task_group)
        disk = group.ephemeral_disk if group else None
        return bool(alloc.previous_allocation and disk and (disk.sticky or disk.migrate))

    def _learn(self, visit: Visit) -> None:
        alloc = self._pairing.guessed[self._request]
        request = self._asked[self._request]
        self._knowledge.verdicts[request.group, visit.node_id] = visit
        node = self._nodes.get(visit.node_id)
        if node is not None:
            self._knowledge.refused[request.group, node.computed_class] = isinstance(visit, Filtered)
        if alloc is not None and visit.node_id == alloc.node_id:
            self._knowledge.met[self._turn, request.alloc_name, visit.node_id] = visit

    def _choose_node(self, place: int, left: Sequence[Node]) -> Node:
        if len(left) == 1:
            return left[0]
        ranked = sorted(left, key=lambda node: self._rank(place, node))
        return self._nodes[self._script.decide([node.id for node in ranked])]

    def _rank(self, place: int, node: Node) -> tuple[int | str, ...]:
        """Rank a node for a place: the suggested one first, then who may be visited next by the metrics."""
        expected = self._expected
        is_suggested = self._places.get(place) == node.id
        if expected is None:
            return 0, not is_suggested, 0, 0, 0, node.id
        group = expected.alloc.task_group
        known = self._knowledge.verdicts.get((group, node.id))
        wants_unscored = expected.unscored_left > 0
        is_refused = self._knowledge.refused.get((group, node.computed_class), wants_unscored)
        is_shown = node.id in expected.shown
        return (
            known is not None and not is_shown and not expected.may_follow(known, node.node_class),
            not is_suggested,
            known is None and (is_refused != wants_unscored or not expected.has_room_for(node.node_class)),
            is_shown == wants_unscored,
            node.id != expected.alloc.node_id,
            node.id,
        )


def explain(knowledge: Knowledge, turn: int, alloc: Allocation) -> tuple[str, str]:
    """Say by a rule why a recorded node was not taken in any run."""
    match knowledge.met.get((turn, alloc.name, alloc.node_id)):
        case Filtered() as visit:
            return visit.rule, f"infeasible: {visit.text}"
        case Exhausted() as visit:
            return visit.rule, f"no room: {visit.dimension}"
        case Scored() as visit:
            winners = sorted(knowledge.winners.get((turn, alloc.name), ()))
            others = ", ".join(winners) if winners else "no node that was seen"
            return "RANK-20", f"scored {visit.norm_score:.12g}, outscored by {others}"
        case _:
            return "RANK-20", "not taken in any order"
