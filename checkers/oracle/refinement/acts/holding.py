"""Finds the kernel's steps that an act of a cluster is, among those that it declares.

The world before the act is set on the kernel's stage as it is. Then, job by job, the declared texts of the
kernel are tried on what changed, their guards included, until the kernel shows what the world after the act
shows. An act that declares none must leave all of it as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from types import MappingProxyType
from typing import Final, TypeAlias

from msgspec import Struct

from nomadspec.checkers.oracle.refinement.acts.sight import (
    EvalSight,
    Sight,
    Staged,
    WorkerSight,
    assign,
    find_profile_of,
    is_unhandled,
    look,
    put_on_stage,
)
from nomadspec.checkers.oracle.refinement.acts.unheld import UNHELD
from nomadspec.checkers.oracle.refinement.broker_sight import Cast
from nomadspec.checkers.oracle.refinement.broker_sight import look as look_at_broker
from nomadspec.checkers.oracle.refinement.scene import Outside, Text
from nomadspec.model.cluster.acts import CommitPlan, ReportAllocs, UpdateEval
from nomadspec.model.cluster.acts.registry import Act
from nomadspec.model.cluster.components.broker_state import JobKey
from nomadspec.model.cluster.entities import EvalStatus, Trigger
from nomadspec.model.cluster.entities.evaluation import is_terminal
from nomadspec.model.cluster.scheduler.planner import Create, Update
from nomadspec.model.cluster.world import World
from nomadspec.model.kernel import applier, blocked, broker, disconnects, jobs, leader, plan_queue, worker
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import InBroker, TriggeredBy
from nomadspec.model.language.domain import Id, label_of
from nomadspec.model.language.logic import any_of
from nomadspec.model.specification.quirks import CANCELLED_IS_DELIVERED

_MOST_TRIES: Final = 2_000
"""After so many it is not found; acts that are what they declare take a few."""
USES_UP_ATTEMPTS: Final = "a scheduler without attempts left writes two entries, and the kernel takes a step"
LOSES_A_WRITE: Final = "what a worker writes may be lost; in the kernel only plans and cancelings are"
MENDED_OTHERWISE: Final = (
    "as intended, the kernel's broker forgets at once what has ended, a cluster's when its turn comes"
)
DIFFERS_ABOUT_ENDS: Final = (
    "as intended, kernel and cluster differ about plans for purged jobs and about ends that come meanwhile"
)
WAITS_ONCE_MORE: Final = (
    "what was blocked waits in the broker as after its nack (02/S7), which the kernel has for follow-ups only"
)
_RETURNING: Final = frozenset({"Nack", "TimeOutWait", "FireBrokerTimer", "DeregisterJob"})
"""The acts by which a delivery may come back whose evaluation has ended."""
_MOST_STEPS: Final = 4
"""So many steps of the kernel one act is at most for each job, or as many as evaluations change in it."""


class Held(Struct, frozen=True, kw_only=True):
    """What the kernel says of an act."""

    steps: tuple[str, ...] = ()
    """The kernel's steps that it was; none where the kernel sees nothing of it."""
    problem: str = ""
    """Why it is none of what it declares; empty where it is."""
    outside: str = ""
    """Why it was not held against the kernel; empty where it was."""


Arguments: TypeAlias = tuple[int, ...]
Candidates: TypeAlias = Callable[[Staged, Sight, int], Iterator[Arguments]]
"""Lists what a text may be tried with for a job, on the way to what is wanted."""


def _wake(s: Kernel, t: Kernel, job: Id, number: Id) -> None:
    """Give back one that is tracked, if only by its node: the kernel wakes all that a node concerns."""
    t.require(any_of(blocked.is_tracked(s, job, number), s.by_node[job, number]))
    blocked.hand_back(s, t, job, number, is_second=False)


def _answer_error(s: Kernel, t: Kernel, at: Id) -> None:
    """Answer the plan of a worker with an error, whatever the applier had done with it."""
    t.require(plan_queue.is_with_applier(s, at))
    applier.answer_error(t, at)


def _make_pending(s: Kernel, t: Kernel, job: Id, rank: Id) -> None:
    broker.make_pending_with_priority(s, t, job, TriggeredBy.EVENT, rank)


def _make_waiting(s: Kernel, t: Kernel, job: Id, rank: Id) -> None:
    broker.make_waiting(s, t, job, TriggeredBy.FAILED_FOLLOW_UP, rank)


def _list_numbers(staged: Staged, wanted: Sight, job: int) -> Iterator[Arguments]:
    """List the evaluations of a job that are not yet as they shall be."""
    yield from (staged.cast.at(name) for name in staged.list_unlike(wanted, job))


def _list_woken(staged: Staged, wanted: Sight, job: int) -> Iterator[Arguments]:
    """List what may be woken: one in a worker's hands stays as it is, and comes back when that acks it."""
    yield from _list_numbers(staged, wanted, job)
    yield from (each[1:] for each in _list_holders(staged, wanted, job))


def _list_ranks(staged: Staged, wanted: Sight, job: int) -> Iterator[Arguments]:
    """List the priorities that a new evaluation of a job may have: that of the next one to be made."""
    made = staged.scene.get("made", job)
    yield from (
        (job, staged.cast.rank(name))
        for name in staged.list_unlike(wanted, job)
        if staged.cast.numbers[name] == made
    )


def _list_takers(staged: Staged, wanted: Sight, job: int) -> Iterator[Arguments]:
    """List the workers that shall hold an evaluation of a job."""
    for at, name in enumerate(staged.workers):
        eval_id = wanted.workers[name].eval_id
        if eval_id and staged.cast.job(eval_id) == job:
            yield at, *staged.cast.at(eval_id)


def _list_holders(staged: Staged, _: Sight, job: int) -> Iterator[Arguments]:
    """List the workers that hold an evaluation of a job."""
    for at in range(len(staged.workers)):
        if staged.scene.get("job", at) == job:
            yield at, job, staged.scene.get("number", at)


def _list_busy(staged: Staged, wanted: Sight, job: int) -> Iterator[Arguments]:
    yield from (each[:2] for each in _list_holders(staged, wanted, job))


def _list_alone(staged: Staged, wanted: Sight, job: int) -> Iterator[Arguments]:
    yield from (each[:1] for each in _list_holders(staged, wanted, job))


def _list_at_node(staged: Staged, wanted: Sight, job: int) -> Iterator[Arguments]:
    yield from ((*each, 0) for each in _list_holders(staged, wanted, job))


def _list_job(_staged: Staged, _wanted: Sight, job: int) -> Iterator[Arguments]:
    yield (job,)


def _list_followed(staged: Staged, _: Sight, job: int) -> Iterator[Arguments]:
    yield from ((job, at) for at in range(len(staged.waiting[job])))


def _list_arriving(staged: Staged, _: Sight, job: int) -> Iterator[Arguments]:
    own = (staged.cast.at(name) for name in staged.cast.entries if staged.cast.job(name) == job)
    yield from (at for at in own if staged.scene.get("arriving", *at))


_TEXTS: Final[Mapping[str, tuple[Text, Candidates]]] = MappingProxyType(
    {
        "dequeue": (broker.dequeue, _list_takers),
        "expire_delivery": (broker.expire_delivery, _list_holders),
        "end_nack_delay": (broker.end_nack_delay, _list_numbers),
        "end_wait": (broker.end_wait, _list_numbers),
        "reap_failed": (broker.reap_failed, _list_numbers),
        "cancel_cancelable": (broker.cancel_cancelable, _list_numbers),
        "cancel_duplicate": (blocked.cancel_duplicate, _list_numbers),
        "lose_duplicate": (blocked.lose_duplicate, _list_numbers),
        "lose_cancelable": (broker.lose_cancelable, _list_numbers),
        "track_blocked": (blocked.track_blocked, _list_arriving),
        "hand_back": (_wake, _list_woken),
        "retry_failed_plans": (blocked.retry_failed_plans, _list_numbers),
        "cancel_follow_up": (disconnects.cancel_follow_up, _list_followed),
        "purge_job": (jobs.purge_job, _list_job),
        "answer_error": (_answer_error, _list_alone),
        "reject_trigger": (worker.reject_trigger, _list_holders),
        "make_pending": (_make_pending, _list_ranks),
        "make_waiting": (_make_waiting, _list_ranks),
        "begin": (worker.begin, _list_busy),
        "submit": (worker.submit, _list_busy),
        "fail_on_error": (worker.fail_on_error, _list_alone),
        "block": (worker.block, _list_holders),
        "block_at": (worker.block_at, _list_at_node),
        "write_outcome": (worker.write_outcome, _list_holders),
        "ack": (worker.ack, _list_holders),
        "nack": (worker.nack, _list_holders),
    }
)
_OF_ALL: Final[Mapping[str, Text]] = MappingProxyType(
    {
        "lose_leader": leader.lose_leader,
        "gain_leader": leader.gain_leader,
        "pause_broker": leader.pause_broker,
        "resume_broker": leader.resume_broker,
    }
)
"""The texts that touch everything at once: they come first."""


def list_kernel_texts() -> frozenset[str]:
    """List the texts of the kernel that an act can declare."""
    return frozenset(_TEXTS) | frozenset(_OF_ALL)


def hold(before: World, act: Act, after: World) -> Held:
    """Hold an act against the kernel; what was written in it must be known of the world after it."""
    name = type(act).__name__
    if _is_the_same(before, after):
        return Held()
    if reason := _find_reason(before, act, after):
        return Held(outside=reason)
    try:
        cast = assign(before, after)
        wanted = look(after, cast)
        staged = put_on_stage(before, cast, find_profile_of(before, after))
        steps = _Search(staged, wanted, list_declared(before, act, after)).find()
    except Outside as answer:
        return Held(outside=answer.name)
    if steps is not None:
        return Held(steps=steps)
    return Held(problem=f"{name}: {_describe(look(before, cast), wanted)}")


def list_declared(before: World, act: Act, after: World) -> tuple[str, ...]:
    """List the texts that an act declares; whatever it writes comes after the entries that were in flight."""
    is_behind = bool(before.leader.in_flight) and before.state is not after.state
    return tuple(dict.fromkeys((*type(act).refines, *(CommitPlan.refines if is_behind else ()))))


def _find_reason(before: World, act: Act, after: World) -> str:
    """Find why an act is not held against the kernel; empty where it is."""
    name = type(act).__name__
    if name in UNHELD:
        return UNHELD[name]
    if _uses_up_attempts(before, act):
        return USES_UP_ATTEMPTS
    if reason := _find_reason_in_the_release(name, before, after):
        return reason
    if before.settings.profile.has(CANCELLED_IS_DELIVERED):
        return ""
    if _keeps_ended_evals(name, after, before):
        return MENDED_OTHERWISE
    return DIFFERS_ABOUT_ENDS if _differs_about_ends(before, act) else ""


def _find_reason_in_the_release(name: str, before: World, after: World) -> str:
    """Find a reason that holds in the release and as intended."""
    if before.losses > after.losses and name in {"CreateEval", "UpdateEval"}:
        return LOSES_A_WRITE
    return WAITS_ONCE_MORE if name == "ProcessUnblock" and _has_more_timers(before, after) else ""


def _has_more_timers(before: World, after: World) -> bool:
    """True if a broker has begun to let an evaluation wait."""
    return len(after.leader.memory.broker.waits) > len(before.leader.memory.broker.waits)


def _uses_up_attempts(before: World, act: Act) -> bool:
    """True if a scheduler writes one of the two entries that end its last attempt."""
    at = before.workers.get(getattr(act, "worker", ""))
    asked = at.call.todo[0] if at is not None and at.call is not None and at.call.todo else None
    match asked:
        case Create(evaluation=entry):
            return entry.triggered_by == Trigger.MAX_PLAN_ATTEMPTS
        case Update(evaluation=entry):
            return entry.status == EvalStatus.FAILED and not is_unhandled(entry)
    return False


def _keeps_ended_evals(act: str, *worlds: World) -> bool:
    """True if a broker has an evaluation that has ended, other than one that its worker will ack."""
    for world in worlds:
        for eval_id, one in look_at_broker(world.leader.memory.broker).items():
            stored = world.state.find_eval(eval_id)
            is_kept = one.place is not InBroker.UNACKED or act in _RETURNING
            if is_kept and stored is not None and is_terminal(stored):
                return True
    return False


def _differs_about_ends(before: World, act: Act) -> bool:
    """True if an act is about what has ended or gone under the hands of those who work on it."""
    worker_of = before.workers.get(getattr(act, "worker", ""))
    if worker_of is not None and worker_of.held is not None:
        entry = worker_of.held.eval
        stored = before.state.find_eval(entry.id)
        has_ended = stored is not None and is_terminal(stored) and isinstance(act, UpdateEval)
        return has_ended or before.state.find_job(entry.namespace, entry.job_id) is None
    if isinstance(act, ReportAllocs):
        places = look_at_broker(before.leader.memory.broker)
        known = before.clients[act.node].to_report
        followed = [
            before.state.allocs[each].followup_eval_id for each in known if each in before.state.allocs
        ]
        return any(places[each].place is not InBroker.WAITING for each in followed if each in places)
    return False


def _is_the_same(before: World, after: World) -> bool:
    """True if an act touched nothing of what is seen."""
    return (
        before.state.evals is after.state.evals
        and before.state.configuration is after.state.configuration
        and before.leader.memory is after.leader.memory
        and before.workers is after.workers
        and before.is_led is after.is_led
    )


class _Search:
    """Tries declared texts on a stage until it shows what is wanted."""

    def __init__(self, staged: Staged, wanted: Sight, refines: tuple[str, ...]) -> None:
        self._staged = staged
        self._wanted = wanted
        self._refines = refines
        self._jobs = _number_jobs(staged.cast)
        self._tries = 0

    def find(self) -> tuple[str, ...] | None:
        """Find the steps; None where there are none."""
        steps = [name for name in self._refines if name in _OF_ALL and self._take(name)]
        for job in self._jobs.values():
            steps += self._descend(job)
            most = max(_MOST_STEPS, len(self._staged.list_unlike(self._wanted, job)))
            found = next(filter(None, (self._go(job, depth) for depth in range(most + 1))), None)
            if found is None:
                return None
            steps += found[1:]
        return tuple(steps) if self._staged.see() == self._wanted else None

    def _descend(self, job: int) -> list[str]:
        """Take steps as long as each brings something of a job where it shall be."""
        steps, scene = list[str](), self._staged.scene
        left = len(self._list_unlike(job))
        for name in (name for name in self._refines if name in _TEXTS):
            text, candidates = _TEXTS[name]
            for arguments in list(candidates(self._staged, self._wanted, job)) if left > 1 else ():
                kept = scene.keep()
                if scene.run(text, *arguments) and len(self._list_unlike(job)) < left:
                    left = len(self._list_unlike(job))
                    steps.append(name)
                else:
                    scene.go_back(kept)
        return steps

    def _take(self, name: str) -> bool:
        """Take a step of all, if leader or operator have changed anything and the kernel allows it."""
        return not self._agrees_on_leader() and self._staged.scene.run(_OF_ALL[name])

    def _agrees_on_leader(self) -> bool:
        seen, wanted = self._staged.see(), self._wanted
        return (seen.is_led, seen.is_paused) == (wanted.is_led, wanted.is_paused)

    def _go(self, job: int, depth: int) -> list[str] | None:
        """Go so many steps on for a job; the list begins with an empty name, so that it is never empty."""
        if self._agrees(job):
            return [""]
        if not depth:
            return None
        scene = self._staged.scene
        for name in (name for name in self._refines if name in _TEXTS):
            text, candidates = _TEXTS[name]
            for arguments in list(candidates(self._staged, self._wanted, job)):
                kept, self._tries = scene.keep(), self._tries + 1
                if self._tries > _MOST_TRIES:
                    return None
                if scene.run(text, *arguments) and (rest := self._go(job, depth - 1)) is not None:
                    return ["", name, *rest[1:]]
                scene.go_back(kept)
        return None

    def _agrees(self, job: int) -> bool:
        return not self._list_unlike(job)

    def _list_unlike(self, job: int) -> list[str]:
        """List the evaluations of a job, and the workers with one, that are not as they are wanted."""
        seen, wanted, cast = self._staged.see().workers, self._wanted, self._staged.cast
        own = {"", *(name for name in cast.entries if cast.job(name) == job)}
        workers = (
            name
            for name, one in seen.items()
            if one != wanted.workers[name] and {one.eval_id, wanted.workers[name].eval_id} <= own
        )
        return [*self._staged.list_unlike(wanted, job), *workers]


def _number_jobs(cast: Cast) -> dict[JobKey, int]:
    return {job: at for at, job in enumerate(cast.jobs)}


def _describe(before: Sight, wanted: Sight) -> str:
    """Say what changed, as the kernel sees it."""
    parts = [f"leader {before.is_led} to {wanted.is_led}"] if before.is_led != wanted.is_led else []
    for kind in ("evals", "workers"):
        old, new = getattr(before, kind), getattr(wanted, kind)
        parts += [
            f"{name} from {_spell(old[name])} to {_spell(new[name])}"
            for name in new
            if old[name] != new[name]
        ]
    return "; ".join(parts) or "nothing that it declares"


def _spell(one: EvalSight | WorkerSight) -> str:
    values = (getattr(one, name) for name in one.__struct_fields__)
    return "/".join(label_of(value) if isinstance(value, Enum) else str(value) for value in values)
