"""Sets the plans of a cluster on the kernel's stage, as they are, and sees what the kernel makes of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from nomadspec.checkers.oracle.refinement.acts.plan_sight import (
    AllocSight,
    PlanCast,
    PlanSight,
    Told,
    find_room,
    get_job_key,
    tell_plan,
)
from nomadspec.checkers.oracle.refinement.scene import KINDS, PLENTY, Outside, Scene, round_up
from nomadspec.checkers.oracle.refinement.store_sight import find_job_phase, list_living, look_at_node
from nomadspec.model.cluster.components.plan_node import propose
from nomadspec.model.cluster.entities import Plan
from nomadspec.model.cluster.entities.allocation import is_client_terminal
from nomadspec.model.cluster.resources.fit import judge_fit
from nomadspec.model.cluster.store.state import State
from nomadspec.model.cluster.world import World
from nomadspec.model.kernel.statuses import (
    TERMINAL_ALLOC,
    AllocPhase,
    EntryStatus,
    Kind,
    PlannedStatus,
    SnapshotIndex,
    Stage,
    TriggeredBy,
)

_NOBODY: Final = -1
_IN_HAND: Final = frozenset({Stage.SUBMITTED, Stage.JUDGED})


@dataclass(slots=True)
class Rooms:
    """How much room each view leaves on each node: as many units are taken as keep out what does not fit."""

    cap: int
    fillers: dict[str, list[int]] = field(default_factory=dict)
    """By view, the node of each instance that only takes room."""


@dataclass(slots=True)
class PlanStage:
    """The plans of a cluster on the kernel's stage."""

    scene: Scene
    cast: PlanCast
    placements: dict[str, list[str]]
    """By token, what a plan places."""
    stored: State

    def see(self, wanted: PlanSight) -> PlanSight:
        """See what the kernel keeps now; how something ended is told apart only until it is stopped."""
        get, cast = self.scene.get, self.cast
        stages = {token: Stage(get("stage", at)) for at, token in enumerate(cast.tokens)}
        entries = range(self.scene.count("entry_status"))
        flying = sorted((at for at in entries if get("in_flight", at)), key=lambda at: get("in_flight", at))
        ended = sorted((at for at in entries if get("ended", at)), key=lambda at: get("ended", at))
        ids = [one for own in cast.allocs.values() for one in own]
        shown = {one: self._name(get("snapshot.occupies", *cast.at(one))) for one in ids}
        return PlanSight(
            is_led=bool(get("leading")),
            stages={token: stages[token] for token in cast.awaited},
            plans={
                token: self._tell_plan(at, token)
                for at, token in enumerate(cast.tokens)
                if stages[token] in _IN_HAND
            },
            in_flight=tuple((self._find_token(at), self._tell_entry(at)) for at in flying),
            ended=tuple(EntryStatus(get("entry_status", at)) for at in ended),
            shown=shown if get("has_snap") else None,
            allocs={one: self._see_alloc(one, wanted) for one in ids},
        )

    def _see_alloc(self, alloc_id: str, wanted: PlanSight) -> AllocSight:
        at = self.cast.at(alloc_id)
        phase = AllocPhase(self.scene.get("alloc_phase", *at))
        if phase is AllocPhase.GONE:
            return AllocSight()
        if phase in TERMINAL_ALLOC and wanted.allocs[alloc_id].phase is AllocPhase.STOPPED:
            phase = AllocPhase.STOPPED
        follow_up = self.scene.get("follow_up", *at) if phase is AllocPhase.UNKNOWN else _NOBODY
        return AllocSight(
            phase, self._name(self.scene.get("occupies", *at)), self._name_eval(at[0], follow_up)
        )

    def _find_token(self, entry: int) -> str:
        worker = self.scene.get("entry.worker", entry)
        return "" if worker == _NOBODY else self.cast.tokens[worker]

    def _name(self, node: int) -> str:
        return "" if node == _NOBODY else self.cast.nodes[node]

    def _name_eval(self, job: int, number: int) -> str:
        return "" if number == _NOBODY else self.cast.evals[self.cast.jobs[job]][number]

    def _tell_plan(self, at: int, token: str) -> Told:
        own = self.cast.allocs[get_job_key(self.cast.asked[token])]
        placed = [
            (one, self.scene.get("plan.to", at, placement))
            for placement, one in enumerate(self.placements[token])
        ]
        return self._tell_rest("plan", at, own, placed)

    def _tell_entry(self, at: int) -> Told:
        """Tell what an entry says; what it places has its numbers by now."""
        get = self.scene.get
        own = self.cast.allocs[self.cast.jobs[get("entry.job", at)]]
        numbers = [
            (get("entry.alloc", at, placement), get("entry.to", at, placement))
            for placement in range(self.scene.sizes["count"])
        ]
        placed = [(own[number], node) for number, node in numbers if number in range(len(own))]
        return self._tell_rest("entry", at, own, placed)

    def _tell_rest(self, record: str, at: int, own: list[str], placed: list[tuple[str, int]]) -> Told:
        get = self.scene.get
        kept = [(one, get(f"{record}.keeps", at, number)) for number, one in enumerate(own)]
        stopped = [(one, get(f"{record}.stops", at, number)) for number, one in enumerate(own)]
        written = [(one, get(f"{record}.client_status", at, number)) for number, one in enumerate(own)]
        statuses = [(one, PlannedStatus(status)) for one, status in written if status]
        job = get("job" if record == "plan" else "entry.job", at)
        awaited = [(one, get(f"{record}.follow_up", at, number)) for number, one in enumerate(own)]
        return Told(
            places=self._name_all(placed),
            updates=self._name_all(kept),
            statuses=frozenset(statuses),
            follow_ups=frozenset(
                (one, self._name_eval(job, number)) for one, number in awaited if number != _NOBODY
            ),
            stops=self._name_all(stopped),
            preempts=self._find_preempted(record, at),
        )

    def _name_all(self, told: Iterable[tuple[str, int]]) -> frozenset[tuple[str, str]]:
        return frozenset((alloc_id, self._name(node)) for alloc_id, node in told if node != _NOBODY)

    def _find_preempted(self, record: str, at: int) -> frozenset[str]:
        get, jobs = self.scene.get, self.cast.jobs
        if not self.scene.sizes["preempting"]:
            return frozenset()
        return frozenset(
            name
            for job, key in enumerate(jobs)
            for i, name in enumerate(self.cast.allocs[key])
            if get(f"{record}.preempted", at, job, i)
        )


def put_on_stage(world: World, cast: PlanCast, sight: PlanSight, judged: Plan | None) -> PlanStage:
    """Set a kernel world as the plans of a cluster are, with the room that the judged one will find."""
    placements = {token: cast.list_placed(token, world.state) for token in cast.tokens}
    rooms = _measure(world, cast, judged)
    scene = _make_scene(world, cast, placements, rooms)
    stage = PlanStage(scene, cast, placements, world.state)
    _clear(scene)
    _put_store(stage, world)
    _put_snapshot(stage, world)
    for at, token in enumerate(cast.tokens):
        _put_plan(stage, world, at, token, sight)
    _put_entries(stage, world, sight)
    filler = len(cast.jobs)
    for view, nodes in rooms.fillers.items():
        for at, node in enumerate(nodes):
            scene.put(f"{view}occupies", node, filler, at)
    return stage


def _measure(world: World, cast: PlanCast, judged: Plan | None) -> Rooms:
    """Ask the resources whether each node has the room, by the store and by the applier's snapshot."""
    if judged is None:
        return Rooms(cap=sum(map(len, cast.allocs.values())) + 1)
    views = {"": world.state}
    if world.leader.applier.snapshot is not None:
        views["snapshot."] = world.leader.applier.snapshot
    found = {
        view: [_count_units(state, cast, judged, node) for node in cast.nodes]
        for view, state in views.items()
    }
    cap = max((units for rooms in found.values() for units, has_room in rooms if has_room), default=0)
    fillers = {
        view: [
            node
            for node, (units, has_room) in enumerate(rooms)
            if not has_room
            for _ in range(cap - units + 1)
        ]
        for view, rooms in found.items()
    }
    return Rooms(cap, fillers)


def _count_units(state: State, cast: PlanCast, plan: Plan, node_id: str) -> tuple[int, bool]:
    """Count what would be on a node on the stage after a plan, and ask the resources whether it may."""
    node = state.find_node(node_id)
    living = list_living(state, node_id)
    told = tell_plan(plan, state)
    leaving = {one for one, at in (*told.stops, *told.updates) if at == node_id} | told.preempts
    ids = {one for own in cast.allocs.values() for one in own}
    staying = sum(alloc.id in ids and alloc.id not in leaving for alloc in living)
    noted = {one for one, status in told.statuses if status is PlannedStatus.ENDED}
    coming = sum(at == node_id and one not in noted for one, at in (*told.places, *told.updates))
    if node is None or not plan.node_allocation.get(node_id):
        return staying + coming, True
    fit = judge_fit(node, propose(living, plan, node_id))
    if fit.error:
        raise Outside("a capacity check that fails")
    return staying + coming, fit.fits


def _make_scene(world: World, cast: PlanCast, placements: dict[str, list[str]], rooms: Rooms) -> Scene:
    evals = max(map(len, cast.evals.values()), default=0)
    most = max((*map(len, cast.allocs.values()), *map(len, rooms.fillers.values())), default=0)
    plans = cast.asked.values()
    sizes = {
        "jobs": len(cast.jobs) + 1,
        "nodes": max(len(cast.nodes), 1),
        "workers": max(len(cast.tokens), 1),
        "evals": evals + 2,
        "allocations": round_up(most),
        "count": round_up(max(map(len, placements.values()), default=0)),
        "cap": rooms.cap,
        "depth": world.settings.pipeline_depth,
        "attempts": PLENTY,
        "batch_attempts": PLENTY,
        "all_at_once": int(any(plan.all_at_once for plan in plans)),
        "in_place_updates": 1,
        "plan_statuses": 1,
        "preempting": int(any(plan.node_preemptions for plan in plans)),
        "kinds": int(Kind.CORE),
        "priorities": 1,
        "initializations": 1,
        **dict.fromkeys(("reports", "failed_entries", "purges", "disconnects", "elections"), PLENTY),
    }
    return Scene(sizes, world.settings.profile)


def _clear(scene: Scene) -> None:
    names = ["occupies", "snapshot.occupies", "follow_up", "at"]
    for record in ("plan", "entry"):
        names += [f"{record}.{name}" for name in ("to", "stops", "keeps", "follow_up")]
    for name in (*names, "entry.worker", "entry.job", "entry.alloc", "job", "number"):
        scene.fill(name, _NOBODY)


def _put_store(stage: PlanStage, world: World) -> None:
    scene, cast = stage.scene, stage.cast
    scene.put("leading", world.is_led)
    for at, name in enumerate(cast.nodes):
        node = look_at_node(world.state.find_node(name))
        scene.put("node_up", node.is_up, at)
        scene.put("disconnected", node.is_disconnected, at)
        scene.put("initializing", node.is_initializing, at)
        scene.put("eligible", node.is_eligible, at)
    flying = {one.id for each in world.leader.in_flight for one in each.request.allocs_updated}
    for job, key in enumerate(cast.jobs):
        stored = world.state.find_job(*key)
        scene.put("job_phase", find_job_phase(stored), job)
        scene.put("kind", KINDS.get(stored.type, Kind.SERVICE) if stored else Kind.SERVICE, job)
        scene.put("made", len(cast.evals[key]), job)
        for number, eval_id in enumerate(cast.evals[key]):
            scene.put("eval_record", int(world.state.find_eval(eval_id) is not None), job, number)
        known = [one for one in cast.allocs[key] if world.state.find_alloc(one) or one in flying]
        scene.put("alloc_made", len(known), job)


def _put_allocs(stage: PlanStage, sight: PlanSight) -> None:
    for alloc_id, seen in sight.allocs.items():
        at = stage.cast.at(alloc_id)
        stage.scene.put("alloc_phase", seen.phase, *at)
        stage.scene.put("occupies", _find_node(stage.cast, seen.node), *at)
        stage.scene.put("follow_up", _find_eval(stage.cast, at[0], seen.follow_up), *at)


def _find_node(cast: PlanCast, name: str) -> int:
    return cast.nodes.index(name) if name in cast.nodes else _NOBODY


def _find_eval(cast: PlanCast, job: int, name: str) -> int:
    return cast.evals[cast.jobs[job]].index(name) if name else _NOBODY


def _put_snapshot(stage: PlanStage, world: World) -> None:
    scene, cast, snapshot = stage.scene, stage.cast, world.leader.applier.snapshot
    scene.put("has_snap", snapshot is not None)
    if snapshot is None:
        return
    index, newest = snapshot.latest_index, world.state.latest_index
    older = SnapshotIndex.EVEN if index == newest else SnapshotIndex.BEHIND
    scene.put("snapshot.index", SnapshotIndex.AHEAD if index > newest else older)
    seen_ends = (world.leader.applier.seen_index, *world.leader.ended)
    scene.put("is_snapshot_outdated", max(seen_ends) > index)
    for at, name in enumerate(cast.nodes):
        node = look_at_node(snapshot.find_node(name))
        scene.put("snapshot.node_up", node.is_up, at)
        scene.put("snapshot.eligible", node.is_eligible, at)
        scene.put("snapshot.disconnected", node.is_disconnected, at)
    for job, key in enumerate(cast.jobs):
        scene.put("snapshot.job_phase", find_job_phase(snapshot.find_job(*key)), job)
        for number, eval_id in enumerate(cast.evals[key]):
            scene.put("snapshot.knows", snapshot.find_eval(eval_id) is not None, job, number)
        for number, alloc_id in enumerate(cast.allocs[key]):
            alloc = snapshot.find_alloc(alloc_id)
            scene.put("snapshot.lacks", alloc is None, job, number)
            has_ended = alloc is not None and is_client_terminal(alloc)
            scene.put("snapshot.has_ended", has_ended, job, number)
            scene.put("snapshot.occupies", _find_node(cast, find_room(alloc)), job, number)


def _put_plan(stage: PlanStage, world: World, at: int, token: str, sight: PlanSight) -> None:
    scene, cast, plan = stage.scene, stage.cast, stage.cast.asked[token]
    job = cast.jobs.index(get_job_key(plan))
    is_sure = True
    scene.put("job", job, at)
    number = cast.evals[get_job_key(plan)].index(plan.eval_id)
    scene.put("number", number, at)
    entry = world.state.find_eval(plan.eval_id)
    scene.put(
        "triggered_by",
        TriggeredBy.MAX_DISCONNECT_TIMEOUT if entry and entry.wait_until_ns else TriggeredBy.EVENT,
        job,
        number,
    )
    scene.put("stage", sight.stages.get(token, Stage.IDLE), at)
    scene.put("holds", _is_held(world, plan, token), at)
    snapshot = world.leader.applier.snapshot
    scene.put("is_newer", snapshot is not None and plan.snapshot_index > snapshot.latest_index, at)
    told = sight.plans.get(token, tell_plan(plan, stage.stored))
    _put_told(stage, "plan", at, token, told)
    judged = world.leader.judged
    if judged is not None and judged.plan.eval_token == token:
        scene.put("is_partial", judged.result.refresh_index > 0, at)
    for flying in world.leader.in_flight:
        if flying.plan.eval_token == token and flying.result.refresh_index:
            scene.put("is_partial", is_sure, at)


def _is_held(world: World, plan: Plan, token: str) -> bool:
    """True if a plan is of the delivery that the broker knows of."""
    delivery = world.leader.memory.broker.unack.get(plan.eval_id)
    return delivery is not None and delivery.token == token


def _put_told(stage: PlanStage, record: str, at: int, token: str, told: Told) -> None:
    scene, cast = stage.scene, stage.cast
    for alloc_id, node in told.places:
        scene.put(f"{record}.to", _find_node(cast, node), at, stage.placements[token].index(alloc_id))
    for name, named in (("keeps", told.updates), ("stops", told.stops)):
        for alloc_id, node in named:
            scene.put(f"{record}.{name}", _find_node(cast, node), at, cast.at(alloc_id)[1])
    job = cast.jobs.index(get_job_key(cast.asked[token]))
    for alloc_id, status in told.statuses:
        scene.put(f"{record}.client_status", status, at, cast.at(alloc_id)[1])
    for alloc_id, follow_up in told.follow_ups:
        scene.put(f"{record}.follow_up", _find_eval(cast, job, follow_up), at, cast.at(alloc_id)[1])
    for alloc_id in told.preempts:
        job, number = cast.at(alloc_id)
        scene.put(f"{record}.preempted", True, at, job, number)  # noqa: FBT003 -- the value of a flag


def _put_entries(stage: PlanStage, world: World, sight: PlanSight) -> None:
    """Set what waits in the queue, what is in flight and what has ended, each in its order."""
    scene, cast = stage.scene, stage.cast
    for turn, (flying, (token, told)) in enumerate(zip(world.leader.in_flight, sight.in_flight, strict=True)):
        owner = flying.plan.eval_token
        scene.put("entry_status", EntryStatus.IN_FLIGHT if token else EntryStatus.ORPHANED, turn)
        scene.put("in_flight", turn + 1, turn)
        scene.put("entry.worker", cast.tokens.index(token) if token else _NOBODY, turn)
        scene.put("entry.job", cast.jobs.index(get_job_key(flying.plan)), turn)
        _put_told(stage, "entry", turn, owner, told)
        for alloc_id, _ in told.places:
            scene.put("entry.alloc", cast.at(alloc_id)[1], turn, stage.placements[owner].index(alloc_id))
    for turn, status in enumerate(sight.ended):
        entry = len(sight.in_flight) + turn
        scene.put("entry_status", status, entry)
        scene.put("ended", turn + 1, entry)
    _put_allocs(stage, sight)


def put_queue(stage: PlanStage, world: World, first: str) -> None:
    """Set who waits in the plan queue; of plans that tie, one that is named may be the first."""
    waiting = sorted(
        world.leader.plans.waiting,
        key=lambda one: (-one.plan.priority, one.since_ns, one.plan.eval_token != first),
    )
    lowest = min((one.plan.priority for one in waiting), default=0)
    turns = {"plans": 0, "higher_priority_plans": 0}
    is_above = 1
    for one in waiting:
        at = stage.cast.tokens.index(one.plan.eval_token)
        name = "higher_priority_plans" if one.plan.priority > lowest else "plans"
        turns[name] += 1
        stage.scene.put(name, turns[name], at)
        if name == "higher_priority_plans":
            stage.scene.put(
                "eval_priority", is_above, stage.scene.get("job", at), stage.scene.get("number", at)
            )
