"""What the kernel keeps of blocked evals: what is tracked, what is to be canceled, what was handed back."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from msgspec import Struct

from nomadspec.checkers.oracle.refinement.scene import Outside, Scene, round_up
from nomadspec.model.cluster.components.blocked_state import BlockedEvals, Held
from nomadspec.model.cluster.components.broker_state import JobKey, get_job_key
from nomadspec.model.cluster.entities import Evaluation
from nomadspec.model.cluster.entities.evaluation import Trigger
from nomadspec.model.cluster.entities.job import JobType
from nomadspec.model.kernel.statuses import BlockedIn, EvalRecord, InBroker, Kind, TriggeredBy
from nomadspec.model.specification.profiles import Profile

_CONCERNS: Final = False
"""That a job is infeasible on a node which matters to it."""


class Sighting(Struct, frozen=True, kw_only=True):
    """What the kernel keeps of one evaluation in blocked evals."""

    tracking: BlockedIn = BlockedIn.OUT
    is_by_node: bool = False
    is_duplicate: bool = False
    is_handed_back: bool = False


Sight = Mapping[str, Sighting]
"""By evaluation; those of which nothing is kept are left out."""


def look(blocked_evals: BlockedEvals, handed: Iterable[Held] = ()) -> Sight:
    """See blocked evals, and what they have just handed back, as the kernel does."""
    duplicates = {entry.id for entry in blocked_evals.duplicates}
    returned = {held.eval.id for held in handed}
    names = {entry.id for entry in list_entries(blocked_evals)} | returned
    return {
        name: Sighting(
            tracking=_find_tracking(blocked_evals, name),
            is_by_node=name in blocked_evals.system,
            is_duplicate=name in duplicates,
            is_handed_back=name in returned,
        )
        for name in names
    }


def _find_tracking(blocked_evals: BlockedEvals, name: str) -> BlockedIn:
    if name in blocked_evals.escaped:
        return BlockedIn.ESCAPED
    return BlockedIn.CAPTURED if name in blocked_evals.captured else BlockedIn.OUT


def list_entries(blocked_evals: BlockedEvals) -> Iterator[Evaluation]:
    """List every evaluation that blocked evals hold somewhere."""
    for held in (
        *blocked_evals.captured.values(),
        *blocked_evals.escaped.values(),
        *blocked_evals.system.values(),
    ):
        yield held.eval
    yield from blocked_evals.duplicates


@dataclass(slots=True)
class Cast:
    """Who stands for whom."""

    entries: dict[str, Evaluation] = field(default_factory=dict)
    jobs: list[JobKey] = field(default_factory=list)
    nodes: list[str] = field(default_factory=list)

    def at(self, eval_id: str) -> tuple[int, int]:
        """Give the job and the number of an evaluation."""
        job = get_job_key(self.entries[eval_id])
        own = sorted(name for name, entry in self.entries.items() if get_job_key(entry) == job)
        return self.jobs.index(job), own.index(eval_id)

    def node(self, node_id: str) -> int:
        """Give a node; the one behind all others is nobody's."""
        return self.nodes.index(node_id) if node_id in self.nodes else len(self.nodes)


def assign(entries: Iterable[Evaluation]) -> Cast:
    """Number jobs, evaluations and nodes."""
    cast = Cast()
    for entry in entries:
        known = cast.entries.setdefault(entry.id, entry)
        if get_job_key(known) != get_job_key(entry):
            raise Outside("one ID for evaluations of two jobs")
    cast.jobs = sorted({get_job_key(entry) for entry in cast.entries.values()})
    cast.nodes = sorted({entry.node_id for entry in cast.entries.values() if entry.node_id})
    return cast


@dataclass(slots=True)
class Staged:
    """Blocked evals on the kernel's stage."""

    scene: Scene
    cast: Cast
    gap: str = ""
    """In what the kernel is known to be coarser here."""

    def see(self) -> Sight:
        """See what the kernel keeps now."""
        return {name: self._see(*self.cast.at(name)) for name in self.cast.entries}

    def _see(self, job: int, number: int) -> Sighting:
        return Sighting(
            tracking=BlockedIn(self.scene.get("blocked_in", job, number)),
            is_by_node=bool(self.scene.get("by_node", job, number)),
            is_duplicate=bool(self.scene.get("duplicate", job, number)),
            is_handed_back=self.scene.get("in_broker", job, number) != InBroker.OUT,
        )

    def let_concern(self, node: int, concerned: Collection[str]) -> None:
        """Let a node matter to the jobs of some evaluations, and to no other."""
        self.scene.fill("infeasible", value=True)
        self.scene.fill("escaped", value=False)
        for name in concerned:
            self.scene.put("infeasible", _CONCERNS, self.cast.at(name)[0], node)


def put_on_stage(blocked_evals: BlockedEvals, cast: Cast, profile: Profile) -> Staged:
    """Set a scene as blocked evals are, with a broker that has nothing of all this."""
    most = max((cast.at(name)[1] for name in cast.entries), default=0) + 1
    sizes = {
        "jobs": round_up(len(cast.jobs)),
        "nodes": round_up(len(cast.nodes) + 1),
        "workers": 0,
        "evals": round_up(most),
        "allocations": 0,
        "kinds": int(Kind.SYSTEM),
        "infeasibilities": 1,
        "escapes": 1,
        "pauses": 1,
    }
    staged = Staged(Scene(sizes, profile), cast)
    staged.scene.put("paused", not blocked_evals.is_enabled)
    staged.scene.fill("at", -1)
    sight = look(blocked_evals)
    for name, entry in cast.entries.items():
        _put(staged, entry, sight.get(name, Sighting()))
    return staged


def _put(staged: Staged, entry: Evaluation, one: Sighting) -> None:
    job, number = staged.cast.at(entry.id)
    is_late = entry.triggered_by == Trigger.MAX_PLAN_ATTEMPTS
    values = {
        "blocked_in": one.tracking,
        "by_node": one.is_by_node,
        "duplicate": one.is_duplicate,
        "eval_record": EvalRecord.BLOCKED,
        "triggered_by": TriggeredBy.MAX_PLAN_ATTEMPTS if is_late else TriggeredBy.QUEUED_ALLOCS,
        "at": staged.cast.node(entry.node_id) if entry.node_id else -1,
    }
    for name, value in values.items():
        staged.scene.put(name, value, job, number)
    if entry.type == JobType.SYSTEM:
        staged.scene.put("kind", Kind.SYSTEM, job)
