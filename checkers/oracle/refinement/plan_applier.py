"""Holds recorded evaluations of plans against the kernel's verdict.

The kernel counts units of room. Whether a node has the room is asked of the resources of the plan and the
node; what follows from that, from the status of nodes, and from all or nothing, is the kernel's to say.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from msgspec import Struct

from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.families import plan_applier as recorded
from nomadspec.checkers.oracle.refinement.report import Step
from nomadspec.checkers.oracle.refinement.scene import Outside, Scene
from nomadspec.checkers.oracle.refinement.store_sight import list_living
from nomadspec.checkers.oracle.shape import read_shape
from nomadspec.model.cluster.codec import read
from nomadspec.model.cluster.components.plan_applier import evaluate_plan, list_nodes
from nomadspec.model.cluster.components.plan_error import UnknownAllocError, VerdictError
from nomadspec.model.cluster.components.plan_node import judge_node, propose
from nomadspec.model.cluster.entities import (
    Allocation,
    Eligibility,
    Node,
    NodeStatus,
    Plan,
    PlanResult,
)
from nomadspec.model.cluster.entities.allocation import is_terminal
from nomadspec.model.cluster.entities.node import is_unresponsive
from nomadspec.model.cluster.resources.fit import judge_fit
from nomadspec.model.cluster.store.state import State
from nomadspec.model.kernel.applier import names_missing
from nomadspec.model.kernel.ids import AllocNumber, JobId, NodeId, Placement
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import AllocPhase
from nomadspec.model.kernel.verdict import judge, view_store
from nomadspec.model.language.domain import Id
from nomadspec.model.language.logic import Value
from nomadspec.model.lifecycle.allocation import SAID_BY_SERVERS
from nomadspec.model.specification.profiles import Profile

_OWN, _PREEMPTED, _FILLER = range(3)
"""The jobs of the scene: the plan's, that of what it preempts, and one that takes the rest of the room."""


class Sighting(Struct, frozen=True, kw_only=True):
    """What the kernel says of an allocation or a node of a plan."""

    is_committed: bool = False
    is_rejected: bool = False


Sight = dict[str, Sighting]

_VOID: Final = {"plan": Sighting(is_rejected=True)}
"""A plan that is answered with an error."""


def refine(vector: Mapping[str, Any], context: Context) -> Iterator[Step]:
    """Hold the evaluation of a plan against the kernel's verdict."""
    told = read_shape(recorded.Vector, vector)
    state = recorded.read_state(told.state, told.id)
    plan = read(Plan, told.plan, source=told.id)
    name = "evaluate all at once" if plan.all_at_once else "evaluate"
    try:
        stage = _Stage(state, plan, context.profile)
        expected = stage.expect()
        seen = stage.judge()
        yield Step(0, name, seen, expected, gap=stage.gap)
    except Outside as answer:
        yield Step(0, name, outside=answer.name)


@dataclass(slots=True)
class _Cast:
    """Who stands for whom."""

    nodes: list[str]
    placed: list[tuple[str, Allocation]] = field(default_factory=list)
    """New allocations, each with its node."""
    own: list[tuple[str, Allocation]] = field(default_factory=list)
    """Stored allocations that the plan updates, with the node that it names."""
    stopped: list[tuple[str, Allocation]] = field(default_factory=list)
    preempted: tuple[str, Allocation] | None = None


class _Stage:
    """A plan on the kernel's stage."""

    def __init__(self, state: State, plan: Plan, profile: Profile) -> None:
        self._state = state
        self._plan = plan
        self._profile = profile
        self._cast = _assign(state, plan)
        self._ids = list(dict.fromkeys(alloc.id for _, alloc in (*self._cast.own, *self._cast.stopped)))
        self.gap = _find_gap(plan, self._cast)
        rooms = [self._count_units(node) for node in self._cast.nodes]
        cap = max((units for units, has_room in rooms if has_room), default=0)
        fillers = [
            node
            for node, (units, has_room) in enumerate(rooms)
            if not has_room
            for _ in range(cap - units + 1)
        ]
        self._scene = Scene(
            {
                "jobs": 3,
                "nodes": len(self._cast.nodes),
                "workers": 1,
                "count": len(self._cast.placed),
                "cap": cap,
                "allocations": max(len(self._ids), len(fillers), 1),
                "all_at_once": int(plan.all_at_once),
                "in_place_updates": 1,
                "preempting": 1,
            },
            profile,
        )
        self._fill(fillers)

    def _count_units(self, node_id: str) -> tuple[int, bool]:
        """Count what would be on a node in the scene, and ask the resources whether it may."""
        node = self._state.find_node(node_id)
        living = list_living(self._state, node_id)
        told = {alloc.id for _, alloc in (*self._cast.own, *self._cast.stopped)}
        own = {alloc.id for alloc in living if alloc.id in told}
        leaving = own & {
            alloc.id for place, alloc in (*self._cast.own, *self._cast.stopped) if place == node_id
        }
        coming = sum(place == node_id for place, _ in (*self._cast.placed, *self._cast.own))
        units = len(own) - len(leaving) + coming
        if node is None or not self._plan.node_allocation.get(node_id):
            return units, True
        fit = judge_fit(node, propose(living, self._plan, node_id))
        if fit.error:
            raise Outside("a capacity check that fails")
        return units, fit.fits

    def _fill(self, fillers: list[int]) -> None:
        scene = self._scene
        for name in ("occupies", "plan.to", "plan.keeps", "snapshot.occupies"):
            scene.fill(name, -1)
        for at, node_id in enumerate(self._cast.nodes):
            self._put_node(at, self._state.find_node(node_id))
        for at, alloc_id in enumerate(self._ids):
            self._put_alloc(_OWN, at, self._state.find_alloc(alloc_id))
        for at, node in enumerate(fillers):
            scene.put("alloc_phase", AllocPhase.RUNNING, _FILLER, at)
            scene.put("occupies", node, _FILLER, at)
        self._put_plan()

    def _put_node(self, at: int, node: Node | None) -> None:
        is_up = node is not None and node.status == NodeStatus.READY
        is_eligible = node is not None and node.scheduling_eligibility != Eligibility.INELIGIBLE
        self._scene.put("node_up", is_up, at)
        self._scene.put("eligible", is_eligible, at)

    def _put_alloc(self, job: int, at: int, alloc: Allocation | None) -> None:
        if alloc is None:
            return
        is_live = not is_terminal(alloc)
        self._scene.put("alloc_phase", AllocPhase.RUNNING if is_live else AllocPhase.STOPPED, job, at)
        if is_live:
            self._scene.put("occupies", self._node(alloc.node_id), job, at)

    def _put_plan(self) -> None:
        scene, cast = self._scene, self._cast
        scene.put("job", _OWN, 0)
        for slot, (node, _) in enumerate(cast.placed):
            scene.put("plan.to", self._node(node), 0, slot)
        for node, alloc in cast.own:
            scene.put("plan.keeps", self._node(node), 0, self._ids.index(alloc.id))
        for node, alloc in cast.stopped:
            scene.put("plan.stops", self._node(node), 0, self._ids.index(alloc.id))
        if cast.preempted is not None:
            scene.put("plan.preempted", True, 0, _PREEMPTED, 0)  # noqa: FBT003 -- the value of a flag
            self._put_alloc(_PREEMPTED, 0, self._state.find_alloc(cast.preempted[1].id))

    def _number(self, alloc: Allocation) -> AllocNumber:
        return AllocNumber(self._ids.index(alloc.id))

    def _node(self, node_id: str) -> int:
        return self._cast.nodes.index(node_id) if node_id in self._cast.nodes else -1

    def judge(self) -> Sight:
        """Give the kernel's verdict."""
        found: Sight = {}
        is_void: Value = False

        def text(s: Kernel, _t: Kernel, worker: Id, job: Id) -> None:
            nonlocal is_void
            is_void = names_missing(s, s.plan[worker], job, view_store(s))
            plan, verdict = s.plan[worker], judge(s, worker, job, view_store(s))

            def see(node: NodeId) -> Sighting:
                return Sighting(is_committed=verdict.stands(node))

            for at, name in enumerate(self._cast.nodes):
                found[f"node {name}"] = Sighting(is_rejected=verdict.rejects(NodeId(at)))
            for slot, (_, alloc) in enumerate(self._cast.placed):
                found[f"place {alloc.id}"] = see(plan.to[Placement(slot)])
            for _, alloc in self._cast.own:
                found[f"update {alloc.id}"] = see(plan.keeps[self._number(alloc)])
            for _, alloc in self._list_living_stops():
                found[f"stop {alloc.id}"] = see(plan.stops[self._number(alloc)])
            if self._cast.preempted is not None:
                node = s.occupies[JobId(_PREEMPTED), AllocNumber(0)]
                found[f"preempt {self._cast.preempted[1].id}"] = see(node)

        self._scene.run(text, 0, _OWN)
        return dict(_VOID) if is_void else found

    def expect(self) -> Sight:
        """Give what the applier says."""
        try:
            result = evaluate_plan(self._state, self._plan, profile=self._profile)
        except UnknownAllocError:
            return dict(_VOID)
        except VerdictError:
            raise Outside("a verdict that fails") from None
        return self._expect(result)

    def _expect(self, result: PlanResult) -> Sight:
        verdicts = {
            node: judge_node(self._state, self._plan, node, profile=self._profile)
            for node in self._cast.nodes
        }
        allocs = {alloc.id for kept in result.node_allocation.values() for alloc in kept}
        stops = {alloc.id for kept in result.node_update.values() for alloc in kept}
        evicted = {alloc.id for kept in result.node_preemptions.values() for alloc in kept}
        expected = {f"node {node}": Sighting(is_rejected=not it.fits) for node, it in verdicts.items()}
        for _, alloc in self._cast.placed:
            expected[f"place {alloc.id}"] = Sighting(is_committed=alloc.id in allocs)
        for _, alloc in self._cast.own:
            expected[f"update {alloc.id}"] = Sighting(is_committed=alloc.id in allocs)
        for _, alloc in self._list_living_stops():
            expected[f"stop {alloc.id}"] = Sighting(is_committed=alloc.id in stops)
        if self._cast.preempted is not None:
            name = self._cast.preempted[1].id
            expected[f"preempt {name}"] = Sighting(is_committed=name in evicted)
        return expected

    def _list_living_stops(self) -> list[tuple[str, Allocation]]:
        """List the stops that change anything."""
        stored = ((node, self._state.find_alloc(alloc.id)) for node, alloc in self._cast.stopped)
        return [(node, alloc) for node, alloc in stored if alloc is not None and not is_terminal(alloc)]


def _assign(state: State, plan: Plan) -> _Cast:
    """Sort what a plan says: new allocations, updates of stored ones, stops, and what it preempts."""
    cast = _Cast(nodes=list(list_nodes(plan)))
    for node, allocs in plan.node_allocation.items():
        for alloc in allocs:
            is_stored = state.find_alloc(alloc.id) is not None
            (cast.own if is_stored else cast.placed).append((node, alloc))
            _refuse_lost_or_unknown(state, node, alloc)
    for node, allocs in plan.node_update.items():
        cast.stopped += [(node, alloc) for alloc in allocs]
    for node, alloc in (*cast.own, *cast.stopped):
        stored = state.find_alloc(alloc.id)
        if stored is not None and stored.node_id != node:
            raise Outside("an allocation under another node than its own")
    driven = [(node, alloc) for node, allocs in plan.node_preemptions.items() for alloc in allocs]
    if len(driven) > 1:
        raise Outside("several allocations that are preempted")
    cast.preempted = driven[0] if driven else None
    return cast


def _refuse_lost_or_unknown(state: State, node_id: str, alloc: Allocation) -> None:
    """The kernel's plans place and update; what they only write as lost or unknown is a rule of its own."""
    node = state.find_node(node_id)
    is_out_of_reach = node is not None and is_unresponsive(node)
    if is_out_of_reach and alloc.client_status in SAID_BY_SERVERS:
        raise Outside("an allocation that is written as lost or unknown")


def _find_gap(plan: Plan, cast: _Cast) -> str:
    if cast.preempted is not None and cast.preempted[0] not in list_nodes(plan):
        return "what is preempted on a node for which the plan has nothing else stays"
    return ""
