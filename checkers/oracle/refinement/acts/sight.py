"""What the kernel keeps of a cluster's deliveries: each evaluation's record and place, and what workers do.

Every world can be seen so, whatever happens in it. What a worker's scheduler has in mind the kernel splits
into more stages than can be seen from outside: between the snapshot and the outcome they count as one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from msgspec import Struct

from nomadspec.checkers.oracle.refinement.broker_sight import Cast, Sighting, list_entries
from nomadspec.checkers.oracle.refinement.broker_sight import look as look_at_broker
from nomadspec.checkers.oracle.refinement.scene import KINDS, PLENTY, Scene, round_up
from nomadspec.model.cluster.components.blocked_state import BlockedEvals, Blocking, list_missed_answers
from nomadspec.model.cluster.components.broker_state import JobKey, get_job_key
from nomadspec.model.cluster.components.leader_memory import is_broker_paused
from nomadspec.model.cluster.entities import EvalStatus, Evaluation, JobType, Trigger
from nomadspec.model.cluster.entities.evaluation import is_open
from nomadspec.model.cluster.scheduler import generic, system
from nomadspec.model.cluster.scheduler.planner import Call, Create, Reblock, Submit, Update
from nomadspec.model.cluster.store.tables import EVALS
from nomadspec.model.cluster.world import Worker, World, list_written
from nomadspec.model.kernel.statuses import (
    RECORD_OF,
    BlockedIn,
    EvalRecord,
    InBroker,
    JobPhase,
    Kind,
    Stage,
    TriggeredBy,
)
from nomadspec.model.specification.profiles import Profile, find_profile
from nomadspec.model.specification.quirks import DROPPED_DELAYED_FIRES

_CAUSES: Final[Mapping[str, TriggeredBy]] = {
    Trigger.QUEUED_ALLOCS: TriggeredBy.QUEUED_ALLOCS,
    Trigger.MAX_PLAN_ATTEMPTS: TriggeredBy.MAX_PLAN_ATTEMPTS,
}
_APART: Final = frozenset({Stage.IDLE, Stage.TAKEN, Stage.ACKING, Stage.FAILING})
"""The stages that are seen; all others are called `PLANNING`."""
_BUDGETS: Final = (
    "requests",
    "timeouts",
    "errors",
    "pauses",
    "elections",
    "core_evals",
    "unhandled_triggers",
    "failed_entries",
    "disconnects",
    "purges",
)


class EvalSight(Struct, frozen=True, kw_only=True):
    """What the kernel keeps of an evaluation."""

    record: EvalRecord = EvalRecord.ABSENT
    place: InBroker = InBroker.OUT
    delivered: int = 0
    is_cancelable: bool = False
    is_duplicate: bool = False


class WorkerSight(Struct, frozen=True, kw_only=True):
    """What the kernel keeps of a worker."""

    stage: Stage = Stage.IDLE
    eval_id: str = ""
    holds: bool = False
    """Whether its token is the valid one."""
    is_requeued: bool = False


class Sight(Struct, frozen=True, kw_only=True):
    """What the kernel keeps of a cluster's deliveries."""

    is_led: bool
    is_paused: bool
    evals: Mapping[str, EvalSight]
    workers: Mapping[str, WorkerSight]


def assign(before: World, after: World) -> Cast:
    """Number what matters to a step: what some broker has, what was written, what is blocked in its jobs."""
    in_brokers = [entry for world in (before, after) for entry in list_entries(world.leader.memory.broker)]
    held = [w.held.eval for world in (before, after) for w in world.workers.values() if w.held is not None]
    written = list(_list_stored(before, after, map(str, list_written(after, EVALS))))
    behind = [*before.leader.memory.blocked_evals.duplicates, *after.leader.memory.blocked_evals.duplicates]
    cast = Cast()
    for entry in (*in_brokers, *held, *written, *behind):
        cast.entries.setdefault(entry.id, entry)
    for namespace, job_id in {get_job_key(entry) for entry in cast.entries.values()}:
        for entry in before.state.list_evals_of_job(namespace, job_id):
            if is_open(entry):
                cast.entries.setdefault(entry.id, entry)
    _number(cast, before, after)
    return cast


def _list_stored(before: World, after: World, ids: Iterable[str]) -> Iterator[Evaluation]:
    for eval_id in ids:
        entry = before.state.find_eval(eval_id) or after.state.find_eval(eval_id)
        if entry is not None:
            yield entry


def _number(cast: Cast, before: World, after: World) -> None:
    """Number the evaluations of each job: first what is known, as it was written; then what is new.

    Of two that were written together either may count as the later one: that which the broker prefers. A
    leader that begins takes them in the order in which they were made.
    """
    begins = after.leader.memory.broker.is_enabled and not before.leader.memory.broker.is_enabled
    known = set(look_at_broker(before.leader.memory.broker)) | set(before.state.evals)
    ready = {
        eval_id
        for eval_id, one in look_at_broker(after.leader.memory.broker).items()
        if one.place is InBroker.READY
    }
    cast.jobs = sorted({get_job_key(entry) for entry in cast.entries.values()})
    for job in cast.jobs:
        own = [entry for entry in cast.entries.values() if get_job_key(entry) == job]
        if begins:
            own.sort(key=lambda one: (one.id not in known, one.create_index, one.id))
        else:
            own.sort(key=lambda one: (one.id not in known, one.modify_index, one.id in ready, one.id))
        cast.numbers |= {entry.id: number for number, entry in enumerate(own)}
    priorities = sorted({entry.priority for entry in cast.entries.values()})
    cast.ranks = {priority: rank for rank, priority in enumerate(priorities)}


def look(world: World, cast: Cast) -> Sight:
    """See a world as the kernel does."""
    places = look_at_broker(world.leader.memory.broker)
    duplicates = {entry.id for entry in world.leader.memory.blocked_evals.duplicates}
    return Sight(
        is_led=world.is_led,
        is_paused=is_broker_paused(world.state),
        evals={
            eval_id: _look_at_eval(
                world, eval_id, places.get(eval_id, Sighting()), is_duplicate=eval_id in duplicates
            )
            for eval_id in cast.entries
        },
        workers={name: _look_at_worker(world, worker) for name, worker in sorted(world.workers.items())},
    )


def _look_at_eval(world: World, eval_id: str, one: Sighting, *, is_duplicate: bool) -> EvalSight:
    stored = world.state.find_eval(eval_id)
    return EvalSight(
        record=EvalRecord.ABSENT if stored is None else RECORD_OF[stored.status],
        place=one.place,
        delivered=one.delivered,
        is_cancelable=one.is_cancelable,
        is_duplicate=is_duplicate,
    )


def _look_at_worker(world: World, worker: Worker) -> WorkerSight:
    held, broker = worker.held, world.leader.memory.broker
    if held is None:
        return WorkerSight()
    delivery = broker.unack.get(held.eval.id)
    stage = find_stage(worker)
    return WorkerSight(
        stage=stage if stage in _APART else Stage.PLANNING,
        eval_id=held.eval.id,
        holds=delivery is not None and delivery.token == held.token,
        is_requeued=delivery is not None and delivery.token == held.token and held.token in broker.requeue,
    )


def find_stage(worker: Worker) -> Stage:
    """Find what the kernel calls the stage of a worker."""
    call = worker.call
    if worker.held is None:
        return Stage.IDLE
    if call is None or (call.todo and is_unhandled(worker.held.eval)):
        return Stage.TAKEN
    if worker.answer is not None:
        return Stage.FAILING if worker.answer.error else Stage.REJECTED
    if worker.awaits_plan:
        return Stage.SUBMITTED
    if call.is_over:
        return Stage.FAILING if call.error else Stage.ACKING
    return Stage.PLANNED if isinstance(call.todo[-1], Submit) else Stage.DECIDED


def is_unhandled(entry: Evaluation) -> bool:
    """True if the scheduler of an evaluation does not handle what it was made for.

    What is left behind by a scheduler that uses up its attempts is handled by all that leave something
    behind (02/S12).
    """
    handled = system.HANDLED.get(entry.type, generic.HANDLED) | {Trigger.MAX_PLAN_ATTEMPTS}
    return entry.type != JobType.CORE and entry.triggered_by not in handled


@dataclass(slots=True)
class Staged:
    """A cluster on the kernel's stage."""

    scene: Scene
    cast: Cast
    workers: list[str]
    waiting: list[list[str]]
    """Of each job the unknown allocations that an evaluation waits for."""

    def see(self) -> Sight:
        """See what the kernel keeps now."""
        scene = self.scene
        return Sight(
            is_led=bool(scene.get("leading")),
            is_paused=bool(scene.get("paused")),
            evals={eval_id: self._see_eval(*self.cast.at(eval_id)) for eval_id in self.cast.entries},
            workers={name: self._see_worker(at) for at, name in enumerate(self.workers)},
        )

    def list_unlike(self, wanted: Sight, job: int) -> list[str]:
        """List the evaluations of a job that are not as they are wanted."""
        own = (name for name in self.cast.entries if self.cast.job(name) == job)
        return [name for name in own if self._see_eval(*self.cast.at(name)) != wanted.evals[name]]

    def _see_eval(self, job: int, number: int) -> EvalSight:
        scene = self.scene
        return EvalSight(
            record=EvalRecord(scene.get("eval_record", job, number)),
            place=InBroker(scene.get("in_broker", job, number)),
            delivered=scene.get("delivered", job, number),
            is_cancelable=bool(scene.get("cancelable", job, number)),
            is_duplicate=bool(scene.get("duplicate", job, number)),
        )

    def _see_worker(self, at: int) -> WorkerSight:
        scene = self.scene
        stage, told = Stage(scene.get("stage", at)), (scene.get("job", at), scene.get("number", at))
        return WorkerSight(
            stage=stage if stage in _APART else Stage.PLANNING,
            eval_id=next((name for name in self.cast.entries if self.cast.at(name) == told), ""),
            holds=bool(scene.get("holds", at)),
            is_requeued=bool(scene.get("requeued", at)),
        )


def find_profile_of(before: World, after: World) -> Profile:
    """Find the profile under which an act is a step: what is called off is gone, but for what is watched.

    The kernel lets the timer of all that was called off run; the broker has one for the first that is due.
    """
    profile, broker = before.settings.profile, before.leader.memory.broker
    left = {entry.id for entry in after.leader.memory.broker.delayed}
    dropped = {entry.id for entry in broker.delayed} - left
    is_seen = broker.watched is not None and broker.watched.eval.id in dropped
    if not dropped or is_seen or not profile.has(DROPPED_DELAYED_FIRES):
        return profile
    return find_profile(f"{profile.name} -{DROPPED_DELAYED_FIRES.id}")


def put_on_stage(world: World, cast: Cast, profile: Profile) -> Staged:
    """Set a kernel world as a cluster is, and nothing in it otherwise than it is there."""
    sight, names = look(world, cast), sorted(world.workers)
    waiting = [_list_waiting(world, cast, key) for key in cast.jobs]
    scene = Scene(_list_sizes(world, cast, max(map(len, waiting), default=0)), profile)
    staged = Staged(scene, cast, names, waiting)
    scene.put("leading", sight.is_led)
    scene.put("reaping", sight.is_led)
    scene.put("paused", sight.is_paused)
    for job, key in enumerate(cast.jobs):
        _put_job(scene, world, cast, job, key)
        for at, alloc_id in enumerate(waiting[job]):
            alloc = world.state.allocs[alloc_id]
            scene.put("follow_up", cast.numbers[alloc.followup_eval_id], job, at)
    for eval_id, seen in sight.evals.items():
        _put_eval(scene, cast, eval_id, seen)
    _put_blocked_evals(scene, world.leader.memory.blocked_evals, cast)
    for at in range(round_up(len(names))):
        scene.put("job", -1, at)
        scene.put("number", -1, at)
    for at, name in enumerate(names):
        _put_worker(scene, cast, at, world.workers[name], sight.workers[name])
    return staged


def _list_waiting(world: World, cast: Cast, key: JobKey) -> list[str]:
    """List the allocations of a job that evaluations follow, where the kernel keeps these."""
    return [
        alloc.id for alloc in world.state.list_allocs_of_job(*key) if alloc.followup_eval_id in cast.numbers
    ]


def _list_sizes(world: World, cast: Cast, allocs: int) -> dict[str, int]:
    return {
        "jobs": round_up(len(cast.jobs)),
        "nodes": 1,
        "workers": round_up(len(world.workers)),
        "evals": round_up(max(cast.numbers.values(), default=0) + 2),
        "allocations": round_up(allocs) if allocs else 0,
        "count": 0,
        "deliveries": world.settings.delivery_limit,
        "kinds": int(Kind.CORE),
        "escapes": 1,
        "priorities": max(cast.ranks.values(), default=0),
        **dict.fromkeys(_BUDGETS, PLENTY),
    }


def _put_job(scene: Scene, world: World, cast: Cast, job: int, key: JobKey) -> None:
    stored = world.state.find_job(*key)
    phase = JobPhase.ABSENT if stored is None else JobPhase.STOPPED if stored.stop else JobPhase.WANTED
    own = [entry for entry in cast.entries.values() if get_job_key(entry) == key]
    holder = world.leader.memory.broker.slots.get(key)
    shown = next((entry for entry in own if entry.id == holder), own[0])
    known = [entry for entry in own if look_up(world, entry.id)]
    scene.put("job_phase", phase, job)
    scene.put("kind", KINDS.get(shown.type, Kind.SERVICE), job)
    scene.put("made", len(known), job)


def look_up(world: World, eval_id: str) -> bool:
    """True if an evaluation is there already: in the store, or only in the broker."""
    broker = world.leader.memory.broker
    is_stored = world.state.find_eval(eval_id) is not None
    return is_stored or any(entry.id == eval_id for entry in list_entries(broker))


def _put_eval(scene: Scene, cast: Cast, eval_id: str, seen: EvalSight) -> None:
    at, entry = cast.at(eval_id), cast.entries[eval_id]
    is_late = entry.wait_ns > 0 or entry.wait_until_ns > 0
    scene.put("eval_record", seen.record, *at)
    scene.put("in_broker", seen.place, *at)
    scene.put("delivered", seen.delivered, *at)
    scene.put("cancelable", seen.is_cancelable, *at)
    scene.put("duplicate", seen.is_duplicate, *at)
    scene.put("eval_priority", cast.rank(eval_id), *at)
    scene.put("triggered_by", TriggeredBy.FAILED_FOLLOW_UP if is_late else find_cause(entry), *at)


def find_cause(entry: Evaluation) -> TriggeredBy:
    """Find why an evaluation was made, as far as the kernel minds."""
    return (
        TriggeredBy.UNHANDLED_TRIGGER
        if is_unhandled(entry)
        else _CAUSES.get(entry.triggered_by, TriggeredBy.EVENT)
    )


def _put_blocked_evals(scene: Scene, blocked_evals: BlockedEvals, cast: Cast) -> None:
    """Set what blocked evals have, and what they were given and have not looked at yet."""
    for place, table in (
        (BlockedIn.CAPTURED, blocked_evals.captured),
        (BlockedIn.ESCAPED, blocked_evals.escaped),
    ):
        for eval_id in filter(cast.numbers.__contains__, table):
            scene.put("blocked_in", place, *cast.at(eval_id))
    for eval_id in cast.numbers:
        scene.put("by_node", eval_id in blocked_evals.system, *cast.at(eval_id))
    arriving = [change.held.eval for change in blocked_evals.changes if isinstance(change, Blocking)]
    for turn, entry in enumerate(entry for entry in arriving if entry.id in cast.numbers):
        job, number = cast.at(entry.id)
        scene.put("arriving", min(turn + 1, PLENTY), job, number)
        scene.put("missed_unblock", True in list_missed_answers(blocked_evals, entry), job, number)
        scene.put("escaped", entry.escaped_computed_class, job)


def _put_worker(scene: Scene, cast: Cast, at: int, worker: Worker, seen: WorkerSight) -> None:
    scene.put("stage", find_stage(worker), at)
    if not seen.eval_id or worker.held is None:
        return
    job, number = cast.at(seen.eval_id)
    is_short, has_made = find_debts(worker.call)
    scene.put("job", job, at)
    scene.put("number", number, at)
    scene.put("holds", seen.holds, at)
    scene.put("requeued", seen.is_requeued, at)
    scene.put("was_blocked", worker.held.eval.status == EvalStatus.BLOCKED, at)
    scene.put("is_short", is_short, at)
    scene.put("made_blocked", has_made, at)


def find_debts(call: Call | None) -> tuple[bool, bool]:
    """Find whether the last attempt could not place everything, and whether that was written already."""
    todo = () if call is None else call.todo
    owes = any(isinstance(each, Create) and each.evaluation.status == EvalStatus.BLOCKED for each in todo)
    is_told = any(
        isinstance(each, Reblock) or (isinstance(each, Update) and bool(each.evaluation.failed_tg_allocs))
        for each in todo
    )
    return owes or is_told, is_told and not owes
