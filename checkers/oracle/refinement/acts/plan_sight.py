"""What the kernel keeps of plans on their way: what waits, what is judged and in flight, and what is stored.

Whether a node has room for a plan is asked of the resources. All that follows from it is the kernel's to say.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import Final, TypeAlias

from msgspec import Struct

from nomadspec.checkers.oracle.refinement.scene import Outside
from nomadspec.model.cluster.acts import SubmitPlan
from nomadspec.model.cluster.acts.registry import Act
from nomadspec.model.cluster.components.broker_state import JobKey
from nomadspec.model.cluster.entities import Allocation, AllocClient, Plan, PlanResult
from nomadspec.model.cluster.entities.allocation import is_client_terminal, is_server_terminal, is_terminal
from nomadspec.model.cluster.scheduler.planner import Submit
from nomadspec.model.cluster.store.requests import ApplyPlanResults
from nomadspec.model.cluster.store.state import State
from nomadspec.model.cluster.store.tables import ALLOCS
from nomadspec.model.cluster.world import InFlight, Worker, World, list_written
from nomadspec.model.kernel.statuses import AllocPhase, EntryStatus, PlannedStatus, Stage

Placed: TypeAlias = frozenset[tuple[str, str]]
"""Allocations by ID, each with the node that is meant."""

_MOST: Final = 14
"""So many allocations or nodes a stage holds; what is larger takes the kernel's text too long."""
_ENDS: Final[Mapping[str, AllocPhase]] = {
    AllocClient.FAILED: AllocPhase.FAILED,
    AllocClient.COMPLETE: AllocPhase.COMPLETE,
    AllocClient.LOST: AllocPhase.LOST,
    AllocClient.UNKNOWN: AllocPhase.UNKNOWN,
}


class Told(Struct, frozen=True):
    """What a plan says, or what is left of it."""

    places: Placed = frozenset()
    updates: Placed = frozenset()
    statuses: frozenset[tuple[str, PlannedStatus]] = frozenset()
    """The client statuses that it writes, other than those that are stored."""
    follow_ups: frozenset[tuple[str, str]] = frozenset()
    """Unknown allocations, each with the evaluation for when its time is up."""
    stops: Placed = frozenset()
    preempts: frozenset[str] = frozenset()


class AllocSight(Struct, frozen=True):
    """What is kept of an allocation: its phase, the node whose capacity it takes, and its follow-up."""

    phase: AllocPhase = AllocPhase.ABSENT
    node: str = ""
    follow_up: str = ""
    """The evaluation for when the time of the unknown allocation is up."""


class PlanSight(Struct, frozen=True, kw_only=True):
    """What the kernel keeps of the plans of a cluster."""

    is_led: bool
    stages: Mapping[str, Stage]
    """By token, what became of a plan."""
    plans: Mapping[str, Told]
    """By token, what waits for the applier or is in its hands."""
    in_flight: tuple[tuple[str, Told], ...]
    """What is in flight, with the token of the plan; an entry for which nobody waits has none."""
    ended: tuple[EntryStatus, ...]
    """How the entries ended whose end the applier has still to see."""
    shown: Mapping[str, str] | None
    """The node on which the applier's snapshot shows each allocation; None where it keeps none."""
    allocs: Mapping[str, AllocSight]


@dataclass(slots=True)
class PlanCast:
    """Who stands for whom in an act."""

    jobs: list[JobKey] = field(default_factory=list)
    nodes: list[str] = field(default_factory=list)
    allocs: dict[JobKey, list[str]] = field(default_factory=dict)
    tokens: list[str] = field(default_factory=list)
    asked: dict[str, Plan] = field(default_factory=dict)
    """By token, the plan as it was asked for."""
    evals: dict[JobKey, list[str]] = field(default_factory=dict)
    """By job the evaluations for which it is planned, and those that unknown allocations wait for."""
    awaited: list[str] = field(default_factory=list)
    """The tokens of the plans for whose answers workers wait before the act."""

    def at(self, alloc_id: str) -> tuple[int, int]:
        """Give the job and the number of an allocation."""
        for job, key in enumerate(self.jobs):
            if alloc_id in self.allocs[key]:
                return job, self.allocs[key].index(alloc_id)
        raise Outside("a plan that names what nobody stored")

    def list_placed(self, token: str, state: State) -> list[str]:
        """List what a plan places anew, in the kernel's order."""
        named = chain.from_iterable(self.asked[token].node_allocation.values())
        new = [alloc.id for alloc in named if state.find_alloc(alloc.id) is None]
        order = self.allocs[get_job_key(self.asked[token])]
        return sorted(new, key=order.index)


def get_job_key(plan: Plan) -> JobKey:
    """Give the job of a plan, which is named apart while the plan is unanswered."""
    told = plan.job or plan.job_info
    if told is None:
        raise Outside("a plan of no job")
    return told.namespace, told.id


def list_unanswered(world: World) -> list[tuple[str, Plan]]:
    """List the unanswered plans by token: those that wait, are judged, or in flight."""
    leader = world.leader
    plans = [queued.plan for queued in leader.plans.waiting]
    plans += [leader.judged.plan] if leader.judged is not None else []
    plans += [flying.plan for flying in leader.in_flight]
    return [(plan.eval_token, plan) for plan in plans]


def list_submitted(world: World, act: Act) -> list[tuple[str, Plan]]:
    """List the plan that an act submits, if it does."""
    worker = world.workers[act.worker] if isinstance(act, SubmitPlan) else None
    plan = None if worker is None else find_asked(worker)
    return [] if plan is None or worker is None or worker.held is None else [(worker.held.token, plan)]


def find_asked(worker: Worker) -> Plan | None:
    """Find the plan that a scheduler wants to submit next; None where it does not."""
    call = worker.call
    if call is None or worker.awaits_plan or worker.answer is not None or not call.todo:
        return None
    first = call.todo[0]
    return first.plan if isinstance(first, Submit) else None


def assign(before: World, act: Act, after: World) -> PlanCast:
    """Number what matters to an act: the plans that it moves on, and all that they name or it wrote."""
    cast = PlanCast()
    for token, plan in chain(list_submitted(before, act), list_unanswered(before), list_unanswered(after)):
        if token not in cast.asked:
            cast.tokens.append(token)
            cast.asked[token] = plan
    orphans = {one.plan.eval_token for one in before.leader.in_flight if one.is_lost}
    cast.awaited = [token for token in cast.tokens if token not in orphans]
    named = list(dict.fromkeys(chain(_list_flying(before), _list_flying(after), _list_named(cast))))
    written = [str(key) for key in list_written(after, ALLOCS)]
    _number(cast, before, after, [*named, *written])
    cast.evals = {key: list(dict.fromkeys(_list_evals(cast, key, (before, after)))) for key in cast.jobs}
    sizes = (len(cast.nodes), *(len(ids) for ids in cast.allocs.values()))
    if max(sizes, default=0) > _MOST:
        raise Outside("an act about more allocations or nodes than a stage holds")
    return cast


def _list_flying(world: World) -> Iterator[str]:
    for flying in world.leader.in_flight:
        yield from (alloc.id for alloc in flying.request.allocs_updated)


def _list_named(cast: PlanCast) -> Iterator[str]:
    for plan in cast.asked.values():
        for by_node in (plan.node_allocation, plan.node_update, plan.node_preemptions):
            yield from (alloc.id for allocs in by_node.values() for alloc in allocs)


def _number(cast: PlanCast, before: World, after: World, named: Iterable[str]) -> None:
    """Number allocations of each job: first what is stored, then what is in flight, then what is planned."""
    keys = {alloc.id: get_job_key(plan) for plan in cast.asked.values() for alloc in _list_own(plan)}
    nodes = {node for plan in cast.asked.values() for node in (*plan.node_allocation, *plan.node_update)}
    found: dict[JobKey, list[str]] = {get_job_key(plan): [] for plan in cast.asked.values()}
    for alloc_id in sorted(dict.fromkeys(named), key=lambda one: before.state.find_alloc(one) is None):
        stored = before.state.find_alloc(alloc_id) or after.state.find_alloc(alloc_id)
        key = keys.get(alloc_id, ("", "")) if stored is None else (stored.namespace, stored.job_id)
        found.setdefault(key, []).append(alloc_id)
        nodes |= {stored.node_id} if stored is not None else set()
    cast.jobs, cast.allocs, cast.nodes = sorted(found), found, sorted(nodes)


def _list_evals(cast: PlanCast, job: JobKey, worlds: Iterable[World]) -> Iterator[str]:
    own = [plan for plan in cast.asked.values() if get_job_key(plan) == job]
    yield from (plan.eval_id for plan in own)
    stored = (world.state.find_alloc(one) for world in worlds for one in cast.allocs[job])
    named = chain(chain.from_iterable(map(_list_own, own)), filter(None, stored))
    yield from (follow_up for alloc in named if (follow_up := find_follow_up(alloc)))


def find_follow_up(alloc: Allocation) -> str:
    """Find the evaluation for when the time of an unknown allocation is up; empty where there is none."""
    return alloc.followup_eval_id if is_unknown(alloc) else ""


def is_unknown(alloc: Allocation) -> bool:
    """True if it is unknown what became of an allocation."""
    return alloc.client_status == AllocClient.UNKNOWN


def _list_own(plan: Plan) -> Iterator[Allocation]:
    return chain.from_iterable((*plan.node_allocation.values(), *plan.node_update.values()))


def look(world: World, cast: PlanCast, stored: State) -> PlanSight:
    """See the plans of a cluster as the kernel does; what is new was not stored before the act."""
    leader, snapshot = world.leader, world.leader.applier.snapshot
    ids = [alloc_id for own in cast.allocs.values() for alloc_id in own]
    in_hand = {queued.plan.eval_token: tell_plan(queued.plan, stored) for queued in leader.plans.waiting}
    if leader.judged is not None:
        in_hand[leader.judged.plan.eval_token] = tell_result(leader.judged.result, stored)
    return PlanSight(
        is_led=world.is_led,
        stages={token: find_stage(world, token) for token in cast.awaited},
        plans=in_hand,
        in_flight=tuple(
            ("" if one.is_lost else one.plan.eval_token, tell_entry(one, stored)) for one in leader.in_flight
        ),
        ended=tuple(EntryStatus.COMMITTED if index else EntryStatus.FAILED for index in leader.ended),
        shown=None if snapshot is None else {one: find_room(snapshot.find_alloc(one)) for one in ids},
        allocs={one: look_at_alloc(world.state.find_alloc(one)) for one in ids},
    )


def tell_plan(plan: Plan, stored: State) -> Told:
    """Tell what a plan says."""
    return _tell(plan.node_allocation, plan.node_update, plan.node_preemptions, stored)


def tell_result(result: PlanResult, stored: State) -> Told:
    """Tell what was left of a plan."""
    if result.ineligible_nodes:
        raise Outside("nodes that plan rejections make ineligible")
    return _tell(result.node_allocation, result.node_update, result.node_preemptions, stored)


def tell_entry(flying: InFlight, stored: State) -> Told:
    """Tell what an entry in flight asks of the store; where it stops something the plan said."""
    request: ApplyPlanResults = flying.request
    places = {alloc.id: node for node, own in flying.result.node_update.items() for alloc in own}
    by_node: dict[str, list[Allocation]] = {}
    for alloc in request.allocs_updated:
        by_node.setdefault(alloc.node_id, []).append(alloc)
    stops: dict[str, list[Allocation]] = {}
    for alloc in request.allocs_stopped:
        stops.setdefault(places.get(alloc.id, ""), []).append(alloc)
    return _tell(by_node, stops, {"": request.allocs_preempted}, stored)


def _tell(
    placed: Mapping[str, Iterable[Allocation]],
    stopped: Mapping[str, Iterable[Allocation]],
    preempted: Mapping[str, Iterable[Allocation]],
    stored: State,
) -> Told:
    named = [(alloc, node) for node, own in placed.items() for alloc in own]
    statuses = {alloc.id: _find_status(alloc, named) for alloc, _ in named}
    return Told(
        places=frozenset((one.id, node) for one, node in named if stored.find_alloc(one.id) is None),
        updates=frozenset((one.id, node) for one, node in named if stored.find_alloc(one.id) is not None),
        statuses=frozenset((one, status) for one, status in statuses.items() if status),
        follow_ups=frozenset((one.id, follow_up) for one, _ in named if (follow_up := find_follow_up(one))),
        stops=frozenset((alloc.id, node) for node, own in stopped.items() for alloc in own),
        preempts=frozenset(alloc.id for own in preempted.values() for alloc in own),
    )


def _find_status(alloc: Allocation, named: Iterable[tuple[Allocation, str]]) -> PlannedStatus:
    """Find the client status that a plan writes for an allocation, which it may name twice."""
    if is_client_terminal(alloc):
        return PlannedStatus.ENDED
    both = {is_unknown(one) for one, _ in named if one.id == alloc.id}
    if len(both) > 1:
        return PlannedStatus.UNKNOWN_AND_UPDATED
    return PlannedStatus.UNKNOWN if both == {True} else PlannedStatus.AS_IT_IS


def find_stage(world: World, token: str) -> Stage:
    """Find what became of a plan."""
    leader = world.leader
    if any(queued.plan.eval_token == token for queued in leader.plans.waiting):
        return Stage.SUBMITTED
    if leader.judged is not None and leader.judged.plan.eval_token == token:
        return Stage.JUDGED
    if any(flying.plan.eval_token == token and not flying.is_lost for flying in leader.in_flight):
        return Stage.IN_FLIGHT
    worker = next((one for one in world.workers.values() if one.held and one.held.token == token), None)
    if worker is None:
        return Stage.IDLE
    if find_asked(worker) is not None:
        return Stage.PLANNED
    return _find_answer(worker)


def _find_answer(worker: Worker) -> Stage:
    answer, call = worker.answer, worker.call
    if (answer is not None and answer.error) or (call is not None and call.error):
        return Stage.FAILING
    if answer is None or answer.result is None:
        return Stage.PLANNING
    return Stage.REJECTED if answer.result.refresh_index else Stage.DECIDED


def look_at_alloc(alloc: Allocation | None) -> AllocSight:
    """See an allocation; of one that the servers have stopped its client's word changes nothing any more."""
    if alloc is None:
        return AllocSight()
    if is_server_terminal(alloc):
        return AllocSight(AllocPhase.STOPPED)
    phase = _ENDS.get(alloc.client_status, AllocPhase.RUNNING)
    return AllocSight(phase, find_room(alloc), find_follow_up(alloc))


def find_room(alloc: Allocation | None) -> str:
    """Find the node whose room an allocation takes; none where it has ended or is not there."""
    return "" if alloc is None or is_terminal(alloc) else alloc.node_id
