"""Makes the choices of one run so that it comes out as recorded, and gives up where it no longer can."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from nomadspec.checkers.oracle.relation.expected import Expected, find_of_node, pair_requests
from nomadspec.checkers.oracle.relation.lazy_order import LazyOrder
from nomadspec.checkers.oracle.relation.script import Backtrack, Script
from nomadspec.checkers.oracle.relation.windows import suggest_places
from nomadspec.model.entities import Allocation, Job, Node, Plan
from nomadspec.model.entities.job import find_group
from nomadspec.model.resources.port_offer import FreePorts
from nomadspec.model.scheduler.choices import FreeChoices, IdKind, Key
from nomadspec.model.scheduler.reasons import Exhausted, Filtered, ReasonLog, Requested, Scored, Visit

UPWARDS: Final = -1
DOWNWARDS: Final = -2


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


class Pursuit(ReasonLog):
    """The choices of one run, and the log that tells whether they lead anywhere."""

    def __init__(
        self,
        recorded: Sequence[Plan],
        script: Script,
        knowledge: Knowledge,
        map_order: int,
        *,
        may_evict: bool = True,
    ) -> None:
        """Begin a run; maps are visited upwards, downwards, or shuffled by a seed."""
        super().__init__(is_on=True)
        self._recorded = recorded
        self._script = script
        self._knowledge = knowledge
        self._map_order = map_order
        self._may_evict = may_evict
        self._free = FreeChoices(max(map_order, 0))
        self._asked: Sequence[Requested] = ()
        self._paired: Sequence[Allocation | None] = ()
        self._turn = 0
        self._request = -1
        self._expected: Expected | None = None
        self._alloc: Allocation | None = None
        self._searches = 0
        self._is_other = False
        """Whether the search that is under way cannot be the one whose metrics were recorded."""
        self._is_strict = False
        self._places: Mapping[int, str] = {}
        self._nodes: Mapping[str, Node] = {}

    # --- the choices ---

    def next_node_order(self, candidates: Sequence[Node]) -> Sequence[Node]:
        """Leave the order open until the nodes are visited."""
        self._places = suggest_places(candidates, self._paired[max(self._request, 0) :])
        self._nodes = {node.id: node for node in candidates}
        return LazyOrder(candidates, self._choose_node)

    def ordered(self, keys: Iterable[Key]) -> list[Key]:
        """Visit maps in one way in all of the run."""
        if self._map_order >= 0:
            return self._free.ordered(keys)
        return sorted(keys, reverse=self._map_order == DOWNWARDS)

    def pick_port(self, free: FreePorts) -> int | None:
        """Pick the port that was recorded, where one may be meant."""
        picked = self.pick_ports(free, 1)
        return None if picked is None else picked[0]

    def pick_ports(self, free: FreePorts, count: int) -> tuple[int, ...] | None:
        """Pick the ports that were recorded first, then the lowest."""
        wanted = [port for port in self._list_ports(free.ip) if port in free]
        chosen = list(dict.fromkeys(wanted))[:count]
        if len(chosen) < count:
            chosen += [port for port in _take(free, 2 * count) if port not in chosen][: count - len(chosen)]
        return tuple(chosen) if len(chosen) == count else None

    def next_id(self, kind: IdKind) -> str:
        """Make up an ID; which one it is does not matter."""
        return self._free.next_id(kind)

    # --- what is learnt on the way ---

    def note_requests(self, requests: Sequence[Requested]) -> None:
        """Pair what is asked for with what was recorded."""
        self._asked, self._request = requests, -1
        self._paired = pair_requests(requests, self._plan)

    def begin_request(self, request: Requested) -> None:
        """Expect what was recorded for the request; a node that is asked by itself has only its ports."""
        if request.node_id:
            self._alloc = find_of_node(request, self._plan)
            return
        self._request += 1
        alloc = self._alloc = self._paired[self._request]
        self._expected = Expected.of(alloc) if alloc is not None else None
        self._searches = 0
        self._is_other = alloc is not None and bool(alloc.preempted_allocations)
        self._is_strict = alloc is not None and not self._may_prefer(alloc)

    def note_visit(self, visit: Visit) -> None:
        """Give up where a node fares otherwise than recorded."""
        self._knowledge.visits += 1
        expected = self._expected
        if self._request >= 0:
            self._learn(visit)
        if expected is None or not self._is_told() or self._admits(expected, visit):
            return
        if self._searches or not self._may_evict:
            raise Backtrack
        self._is_other = True

    def end_selection(self, group: str, alloc_name: str, chosen: str, *, may_preempt: bool = False) -> None:  # noqa: ARG002 -- the request says it all
        """Give up where another node is taken than recorded, or one where none was."""
        expected = self._expected
        if self._request < 0:
            return
        if not chosen:
            self._searches += 1
            self._is_other = False
            self._expected = Expected.of(expected.alloc) if expected else None
        elif expected is None or not self._admits_end(expected, chosen):
            raise Backtrack

    def end_turn(self) -> None:
        """Go on to the next plan: all so far is as recorded."""
        self._turn += 1
        self._request = -1
        self._expected = self._alloc = None
        self._script.keep()

    # --- inside ---

    def _admits(self, expected: Expected, visit: Visit) -> bool:
        node = self._nodes.get(visit.node_id)
        return expected.admits(visit, node.node_class if node else "")

    @property
    def _plan(self) -> Plan:
        """The recorded plan of the attempt that is under way."""
        return self._recorded[self._turn] if self._turn < len(self._recorded) else Plan()

    def _admits_end(self, expected: Expected, chosen: str) -> bool:
        if chosen != expected.alloc.node_id:
            self._knowledge.winners.setdefault((self._turn, expected.alloc.name), set()).add(chosen)
            return False
        if self._is_strict and self._is_other:
            return False
        return not self._is_strict or expected.admits_end(chosen)

    def _is_told(self) -> bool:
        """Whether the search that is under way is the one whose metrics were recorded."""
        return self._is_strict and not self._is_other

    def _may_prefer(self, alloc: Allocation) -> bool:
        """Whether a node may have been asked first because of a disk that it has."""
        group = find_group(alloc.job or self._plan.job, alloc.task_group)
        disk = group.ephemeral_disk if group else None
        return bool(alloc.previous_allocation and disk and (disk.sticky or disk.migrate))

    def _learn(self, visit: Visit) -> None:
        alloc = self._paired[self._request]
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

    def _list_ports(self, ip: str) -> Iterable[int]:
        """List the ports that were recorded on an address for what is looked for."""
        return [] if self._alloc is None else _list_ports_of(self._alloc, ip, self._plan.job)


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


def _list_ports_of(alloc: Allocation, ip: str, job: Job | None) -> list[int]:
    """List the ports of an allocation on an address, in the order in which they were given."""
    resources, group = alloc.allocated_resources, find_group(alloc.job or job, alloc.task_group)
    if resources is None or group is None:
        return []
    ports = [port.value for port in resources.shared.ports if port.host_ip == ip]
    for task in group.tasks:
        given = resources.tasks.get(task.name)
        for network in given.networks if given else ():
            if network.ip == ip:
                ports += [port.value for port in network.dynamic_ports]
    return ports


def _take(free: FreePorts, count: int) -> list[int]:
    found: list[int] = []
    for port in free:
        found.append(port)
        if len(found) == count:
            break
    return found
