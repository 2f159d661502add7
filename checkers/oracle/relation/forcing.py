"""Makes a call with every placement where it was recorded, whatever the order of nodes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence

from nomadspec.checkers.oracle.relation.asking import list_unasked
from nomadspec.checkers.oracle.relation.facts import Facts, Name
from nomadspec.checkers.oracle.relation.guided import Guided
from nomadspec.checkers.oracle.relation.lazy_nodes import Echo
from nomadspec.checkers.oracle.relation.maps import MapOrders
from nomadspec.checkers.oracle.relation.recorded_call import RecordedCall
from nomadspec.checkers.oracle.relation.same_class_nodes import list_unequal_mates
from nomadspec.checkers.oracle.relation.trials import Trial
from nomadspec.model.cluster.entities import Node, Plan
from nomadspec.model.cluster.scheduler.reasons import Requested


class Forced(Guided):
    """A run in which every search meets the recorded node only.

    Whoever was taken is then as recorded, so that all else that depends on no order must be so, too.
    """

    _nodes: Sequence[Node] = ()
    _deciding: Sequence[Node] = ()

    def __init__(self, recorded: Sequence[Plan], maps: MapOrders, *, has_claims: bool = False) -> None:
        """Begin a run; where volumes are claimed, each node that is checked may use a claim up."""
        super().__init__(recorded, maps)
        self._has_claims = has_claims
        self.requests: dict[int, list[Requested]] = defaultdict(list)
        """What was asked for in each attempt, in order."""

    def begin_request(self, request: Requested, name: str = "") -> None:
        """Keep in which order things are asked for."""
        super().begin_request(request, name)
        self.requests[self._turn].append(request)

    def next_node_order(self, candidates: Sequence[Node]) -> Sequence[Node]:
        """Give an order in which the recorded node stands everywhere.

        Where it matters who was checked before, that is a matter of an order as well.
        """
        by_id = {node.id: node for node in candidates}
        deciding = self._list_deciding(candidates)
        self._deciding = [by_id[node_id] for node_id in self.ordered([node.id for node in deciding])]
        apart = {node.id for node in deciding}
        self._nodes = [*self._deciding, *(node for node in candidates if node.id not in apart)]
        return Echo(self._nodes, self._find_wanted)

    def begin_search(self, examine: Callable[[Node], object]) -> None:
        """Let those be checked that come before the recorded node and may decide for it."""
        if self._alloc is None or self._request < 0:
            return
        names = [node.id for node in self._deciding]
        if self._alloc.node_id in names:
            for node in self._deciding[: names.index(self._alloc.node_id)]:
                examine(node)

    def _list_deciding(self, candidates: Sequence[Node]) -> Sequence[Node]:
        """List the nodes of which it matters who is checked first: those whose class differs inside.

        Spec: FEAS-22, FEAS-67.
        """
        return candidates if self._has_claims else list_unequal_mates(candidates)

    def _find_wanted(self, node: Node) -> Node:
        """Find the recorded node; where nothing was placed, each node stands for itself."""
        wanted = self._alloc.node_id if self._alloc else node.id
        return next((each for each in self._nodes if each.id == wanted), node)


def _replace_untold(facts: Facts, call: RecordedCall) -> dict[Name, str]:
    """Take what came after the last recorded plan as it was recorded: some order may lead to the break.

    Spec: GENERIC-03.
    """
    told = {("plans", str(turn)) for turn in range(len(call.plans))}
    kept = {name: fact for name, fact in facts.items() if name[:2] in told}
    return {name: fact for name, fact in call.facts.items() if name[:2] not in told} | kept


def force(call: RecordedCall, maps: MapOrders) -> Trial:
    """Make a call as recorded under some orders of maps, and take what comes out apart."""
    forced = Forced(call.plans, maps, has_claims=call.has_claims)
    outcome = call.run(forced, forced, lambda _turn, _plan: forced.end_turn())
    facts = {} if outcome is None else dict(call.list_facts(outcome))
    is_other = outcome is not None and outcome.get("error") != call.recorded.get("error")
    if call.is_broken_off and is_other and call.has_orders:
        facts = _replace_untold(facts, call)
    for turn, plan in enumerate(call.plans):
        facts |= dict(list_unasked(turn, plan, forced.requests[turn], is_doubled=call.is_doubled or turn > 0))
    return Trial(forced.maps, facts, repr(forced.requests))
