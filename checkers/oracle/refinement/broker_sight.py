"""What the kernel keeps of a broker: where each evaluation is, who holds it, what is to be canceled."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from msgspec import Struct

from nomadspec.checkers.oracle.refinement.scene import KINDS, Outside, Scene, round_up
from nomadspec.model.cluster.components.broker_state import FAILED_QUEUE, Broker, JobKey, get_job_key
from nomadspec.model.cluster.entities import Evaluation
from nomadspec.model.kernel.statuses import InBroker, Kind, Stage
from nomadspec.model.specification.profiles import Profile


class Sighting(Struct, frozen=True, kw_only=True):
    """What the kernel keeps of one evaluation in the broker."""

    place: InBroker = InBroker.OUT
    delivered: int = 0
    is_cancelable: bool = False
    is_held: bool = False
    is_requeued: bool = False


Sight = Mapping[str, Sighting]
"""By evaluation; those of which nothing is kept are left out."""


def look(broker: Broker) -> Sight:
    """See a broker as the kernel does."""
    limit = broker.settings.delivery_limit
    seen: dict[str, Sighting] = {}
    for place, entry in _list_places(broker):
        if entry.id in seen:
            raise Outside("one evaluation in two places")
        has_failed = place is InBroker.FAILED
        delivery = None if has_failed else broker.unack.get(entry.id)
        seen[entry.id] = Sighting(
            place=place,
            delivered=min(broker.known.get(entry.id, 0), limit),
            is_held=delivery is not None,
            is_requeued=delivery is not None and delivery.token in broker.requeue,
        )
    for entry in broker.cancelable:
        if entry.id in seen:
            raise Outside("one evaluation in two places")
        seen[entry.id] = Sighting(is_cancelable=True)
    return seen


def _list_places(broker: Broker) -> Iterator[tuple[InBroker, Evaluation]]:
    limit = broker.settings.delivery_limit
    for name, queue in broker.queues.items():
        place = InBroker.FAILED if name == FAILED_QUEUE else InBroker.READY
        yield from ((place, entry) for entry in queue.ready)
    for behind in broker.pending.values():
        yield from ((InBroker.PENDING_BEHIND_JOB, entry) for entry in behind)
    for eval_id, delivery in broker.unack.items():
        has_failed = broker.known.get(eval_id, 0) > limit
        yield (InBroker.FAILED if has_failed else InBroker.UNACKED), delivery.eval
    for eval_id, waiting in broker.waits.items():
        is_nacked = broker.slots.get(get_job_key(waiting.eval)) == eval_id
        yield (InBroker.NACKED if is_nacked else InBroker.WAITING), waiting.eval
    watched = broker.watched.eval if broker.watched else None
    yield from ((InBroker.WAITING, entry) for entry in broker.delayed)
    if watched is not None and all(entry.id != watched.id for entry in broker.delayed):
        yield InBroker.WAITING, watched


def list_entries(broker: Broker) -> Iterator[Evaluation]:
    """List every evaluation that a broker holds somewhere."""
    yield from (entry for _, entry in _list_places(broker))
    yield from broker.cancelable


@dataclass(slots=True)
class Cast:
    """Who stands for whom: each job a number, and its evaluations numbered in the order of their writing."""

    entries: dict[str, Evaluation] = field(default_factory=dict)
    jobs: list[JobKey] = field(default_factory=list)
    numbers: dict[str, int] = field(default_factory=dict)
    ranks: dict[int, int] = field(default_factory=dict)

    def job(self, eval_id: str) -> int:
        """Give the job of an evaluation."""
        return self.jobs.index(get_job_key(self.entries[eval_id]))

    def at(self, eval_id: str) -> tuple[int, int]:
        """Give the job and the number of an evaluation."""
        return self.job(eval_id), self.numbers[eval_id]

    def rank(self, eval_id: str) -> int:
        """Give the rank of an evaluation among the priorities."""
        return self.ranks[self.entries[eval_id].priority]


def assign(entries: Iterable[Evaluation], winners: Iterable[str] = ()) -> Cast:
    """Number jobs and evaluations; of two written at the same index, a winner counts as written later.

    The kernel knows no ties, so any order of those that tie is one that it allows.
    """
    cast, preferred = Cast(), set(winners)
    for entry in entries:
        known = cast.entries.setdefault(entry.id, entry)
        if get_job_key(known) != get_job_key(entry):
            raise Outside("one ID for evaluations of two jobs")
    cast.jobs = sorted({get_job_key(entry) for entry in cast.entries.values()})
    for job in cast.jobs:
        own = [entry for entry in cast.entries.values() if get_job_key(entry) == job]
        own.sort(key=lambda entry: (entry.modify_index, entry.id in preferred, entry.id))
        cast.numbers |= {entry.id: number for number, entry in enumerate(own)}
    priorities = sorted({entry.priority for entry in cast.entries.values()})
    cast.ranks = {priority: rank for rank, priority in enumerate(priorities)}
    return cast


@dataclass(slots=True)
class Staged:
    """A broker on the kernel's stage: the scene, and who plays whom."""

    scene: Scene
    cast: Cast
    workers: dict[str, int]
    """By evaluation, the worker that holds its delivery."""
    gap: str = ""
    """In what the kernel is known to be coarser here."""

    @property
    def idle(self) -> int:
        """Give a worker that does nothing."""
        return len(self.workers)

    def see(self) -> Sight:
        """See what the kernel keeps now."""
        seen = {eval_id: self._see(eval_id) for eval_id in self.cast.entries}
        return {eval_id: one for eval_id, one in seen.items() if one != Sighting()}

    def _see(self, eval_id: str) -> Sighting:
        at = self.cast.at(eval_id)
        holders = [worker for worker in range(self.idle + 1) if self._holds(worker, at)]
        return Sighting(
            place=InBroker(self.scene.get("in_broker", *at)),
            delivered=self.scene.get("delivered", *at),
            is_cancelable=bool(self.scene.get("cancelable", *at)),
            is_held=bool(holders),
            is_requeued=any(self.scene.get("requeued", worker) for worker in holders),
        )

    def _holds(self, worker: int, at: tuple[int, int]) -> bool:
        told = (self.scene.get("job", worker), self.scene.get("number", worker))
        return bool(self.scene.get("holds", worker)) and told == at


def put_on_stage(broker: Broker, cast: Cast, profile: Profile) -> Staged:
    """Set a scene as the broker is."""
    sight = look(broker)
    held = [eval_id for eval_id, one in sight.items() if one.is_held]
    staged = Staged(_make_scene(broker, cast, len(held) + 1, profile), cast, {})
    staged.scene.put("paused", not broker.is_enabled)
    staged.scene.fill("job", -1)
    for eval_id, one in sight.items():
        _put(staged.scene, cast, eval_id, one)
    for eval_id, entry in cast.entries.items():
        job, number = cast.at(eval_id)
        staged.scene.put("eval_priority", cast.rank(eval_id), job, number)
        _put_kind(staged.scene, broker, job, entry)
    for worker, eval_id in enumerate(held):
        staged.workers[eval_id] = worker
        _put_worker(staged, worker, eval_id, is_requeued=sight[eval_id].is_requeued)
    return staged


def _make_scene(broker: Broker, cast: Cast, workers: int, profile: Profile) -> Scene:
    sizes = {
        "jobs": round_up(len(cast.jobs)),
        "nodes": 0,
        "workers": round_up(workers),
        "evals": round_up(max(cast.numbers.values(), default=0) + 1),
        "allocations": 0,
        "deliveries": broker.settings.delivery_limit,
        "kinds": int(Kind.CORE),
        "priorities": max(cast.ranks.values(), default=0),
        "requests": 1,
        "timeouts": 1,
        "pauses": 1,
    }
    return Scene(sizes, profile)


def _put(scene: Scene, cast: Cast, eval_id: str, one: Sighting) -> None:
    at = cast.at(eval_id)
    scene.put("in_broker", one.place, *at)
    scene.put("delivered", one.delivered, *at)
    scene.put("cancelable", one.is_cancelable, *at)


def _put_kind(scene: Scene, broker: Broker, job: int, entry: Evaluation) -> None:
    """Give a job the type of the evaluation that occupies it."""
    holder = broker.slots.get(get_job_key(entry))
    if holder in {None, entry.id}:
        scene.put("kind", KINDS.get(entry.type, Kind.SERVICE), job)


def _put_worker(
    staged: Staged, worker: int, eval_id: str, *, is_requeued: bool, is_valid: bool = True
) -> None:
    job, number = staged.cast.at(eval_id)
    staged.scene.put("stage", Stage.TAKEN, worker)
    staged.scene.put("job", job, worker)
    staged.scene.put("number", number, worker)
    staged.scene.put("holds", is_valid, worker)
    staged.scene.put("requeued", is_requeued, worker)
