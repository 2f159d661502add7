"""What the kernel keeps of the store: jobs, records of evaluations, allocations and what they take, nodes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from msgspec import Struct

from nomadspec.checkers.oracle.refinement.scene import Scene
from nomadspec.model.cluster.entities import Allocation, AllocClient, Eligibility, Job, Node, NodeStatus
from nomadspec.model.cluster.entities.allocation import is_client_terminal, is_server_terminal, is_terminal
from nomadspec.model.cluster.store import State
from nomadspec.model.kernel.statuses import ALLOC_STATUSES, RECORD_OF, AllocPhase, EvalRecord, JobPhase, Kind
from nomadspec.model.lifecycle.table import ABSENT
from nomadspec.model.specification.profiles import Profile

JobKey = tuple[str, str]

_PHASES: Final = {
    str(client.value): phase
    for phase, (_, client) in ALLOC_STATUSES.items()
    if client is not ABSENT and client is not AllocClient.RUNNING
}
"""The phase of an allocation by its client status; one that runs may have been stopped."""
_NOBODY: Final = -1
_DROPPED: Final = 8
"""So many placements of a plan may be dropped, and so never be stored."""


class JobSight(Struct, frozen=True):
    """What is kept of a job."""

    phase: JobPhase


class EvalSight(Struct, frozen=True):
    """What is kept of an evaluation."""

    record: EvalRecord


class AllocSight(Struct, frozen=True):
    """What is kept of an allocation."""

    phase: AllocPhase
    node: int = _NOBODY
    """Whose capacity it takes."""
    is_reported: bool = False
    """Whether its client has told the end of one that was stopped."""
    stopping_on: int = _NOBODY
    """Where it is stopped, until then."""


class NodeSight(Struct, frozen=True):
    """What is kept of a node."""

    is_up: bool
    is_disconnected: bool
    is_initializing: bool
    is_eligible: bool
    is_draining: bool


Sight: TypeAlias = Mapping[str, Struct]
"""By kind and name."""


@dataclass(slots=True)
class Cast:
    """Who stands for whom, before an entry and after it."""

    jobs: list[JobKey] = field(default_factory=list)
    nodes: list[str] = field(default_factory=list)
    evals: dict[JobKey, list[str]] = field(default_factory=dict)
    allocs: dict[JobKey, list[str]] = field(default_factory=dict)

    def job(self, key: JobKey) -> int:
        """Give a job."""
        return self.jobs.index(key)

    def eval(self, key: JobKey, name: str) -> tuple[int, int]:
        """Give the job and the number of an evaluation."""
        return self.job(key), self.evals[key].index(name)

    def alloc(self, key: JobKey, name: str) -> tuple[int, int]:
        """Give the job and the number of an allocation."""
        return self.job(key), self.allocs[key].index(name)

    def node(self, name: str) -> int:
        """Give a node."""
        return self.nodes.index(name) if name in self.nodes else _NOBODY


def assign(before: State, after: State) -> Cast:
    """Number everything that is there before an entry or after it, in the order in which it was made."""
    cast = Cast(nodes=sorted({*before.nodes.keys(), *after.nodes.keys()}))
    evals = {one.id: one for state in (before, after) for one in state.evals.values()}
    allocs = {one.id: one for state in (after, before) for one in state.allocs.values()}
    for evaluation in sorted(evals.values(), key=lambda one: (one.create_index, one.id)):
        cast.evals.setdefault((evaluation.namespace, evaluation.job_id), []).append(evaluation.id)
    for alloc in sorted(allocs.values(), key=lambda one: (one.create_index, one.id)):
        cast.allocs.setdefault((alloc.namespace, alloc.job_id), []).append(alloc.id)
    cast.jobs = sorted({*before.jobs.keys(), *after.jobs.keys(), *cast.evals, *cast.allocs})
    return cast


def look(state: State, cast: Cast) -> Sight:
    """See a store as the kernel does."""
    return dict(_look(state, cast))


def _look(state: State, cast: Cast) -> Iterator[tuple[str, Struct]]:
    for key in cast.jobs:
        yield f"job {'/'.join(key)}", JobSight(find_job_phase(state.jobs.get(key)))
        for name in cast.evals.get(key, ()):
            evaluation = state.find_eval(name)
            status = evaluation.status if evaluation is not None else ""
            yield f"eval {name}", EvalSight(RECORD_OF.get(status, EvalRecord.ABSENT))
        for name in cast.allocs.get(key, ()):
            yield f"alloc {name}", _look_at(state.find_alloc(name), cast)
    for name in cast.nodes:
        yield f"node {name}", look_at_node(state.find_node(name))


def find_job_phase(job: Job | None) -> JobPhase:
    """Find what the store knows of a job."""
    if job is None:
        return JobPhase.ABSENT
    return JobPhase.STOPPED if job.stop else JobPhase.WANTED


def list_living(state: State, node_id: str) -> list[Allocation]:
    """List the allocations of a node that are not terminal."""
    return [alloc for alloc in state.list_allocs_of_node(node_id) if not is_terminal(alloc)]


def _look_at(alloc: Allocation | None, cast: Cast) -> AllocSight:
    if alloc is None:
        return AllocSight(AllocPhase.ABSENT)
    phase = _PHASES.get(alloc.client_status, AllocPhase.RUNNING)
    if is_server_terminal(alloc) and phase is not AllocPhase.LOST:
        is_reported = is_client_terminal(alloc)
        stopping_on = _NOBODY if is_reported else cast.node(alloc.node_id)
        return AllocSight(AllocPhase.STOPPED, is_reported=is_reported, stopping_on=stopping_on)
    return AllocSight(phase, _NOBODY if is_terminal(alloc) else cast.node(alloc.node_id))


def look_at_node(node: Node | None) -> NodeSight:
    """See a node as the kernel does; one that is not there is like one that is down."""
    return NodeSight(
        is_up=node is not None and node.status == NodeStatus.READY,
        is_disconnected=node is not None and node.status == NodeStatus.DISCONNECTED,
        is_initializing=node is not None and node.status == NodeStatus.INITIALIZING,
        is_eligible=node is not None and node.scheduling_eligibility == Eligibility.ELIGIBLE,
        is_draining=node is not None and node.drain_strategy is not None,
    )


@dataclass(slots=True)
class Staged:
    """A store on the kernel's stage."""

    scene: Scene
    cast: Cast
    gap: str = ""
    """In what the kernel is known to be coarser here."""

    @property
    def spare(self) -> int:
        """Give a number that no evaluation bears, for one that the entry leaves to another."""
        return max((len(names) for names in self.cast.evals.values()), default=0)

    def put_nodes(self, state: State) -> None:
        """Set the nodes as they are in a store."""
        for at, name in enumerate(self.cast.nodes):
            one = look_at_node(state.find_node(name))
            self.scene.put("node_up", one.is_up, at)
            self.scene.put("disconnected", one.is_disconnected, at)
            self.scene.put("initializing", one.is_initializing, at)
            self.scene.put("eligible", one.is_eligible, at)
            self.scene.put("draining", one.is_draining, at)

    def see(self) -> Sight:
        """See what the kernel keeps now."""
        return dict(self._see())

    def _see(self) -> Iterator[tuple[str, Struct]]:
        get, cast = self.scene.get, self.cast
        for key in cast.jobs:
            yield f"job {'/'.join(key)}", JobSight(JobPhase(get("job_phase", cast.job(key))))
            for name in cast.evals.get(key, ()):
                yield f"eval {name}", EvalSight(EvalRecord(get("eval_record", *cast.eval(key, name))))
            for name in cast.allocs.get(key, ()):
                yield f"alloc {name}", self._see_alloc(*cast.alloc(key, name))
        for at, name in enumerate(cast.nodes):
            yield (
                f"node {name}",
                NodeSight(
                    is_up=bool(get("node_up", at)),
                    is_disconnected=bool(get("disconnected", at)),
                    is_initializing=bool(get("initializing", at)),
                    is_eligible=bool(get("eligible", at)),
                    is_draining=bool(get("draining", at)),
                ),
            )

    def _see_alloc(self, job: int, at: int) -> AllocSight:
        phase = AllocPhase(self.scene.get("alloc_phase", job, at))
        if phase is AllocPhase.GONE:
            phase = AllocPhase.ABSENT
        is_reported = phase is AllocPhase.STOPPED and bool(self.scene.get("is_reported", job, at))
        where = self.scene.get("occupies", job, at), self.scene.get("stopping_on", job, at)
        return AllocSight(phase, where[0], is_reported, where[1])


def put_on_stage(state: State, cast: Cast, profile: Profile) -> Staged:
    """Set a scene as the store is, without anything in the leader's memory."""
    most_evals = max((len(names) for names in cast.evals.values()), default=0) + 1
    most_allocs = max((len(names) for names in cast.allocs.values()), default=0)
    budgets = dict.fromkeys(
        ("updates", "stops", "purges", "node_changes", "disconnects", "reports", "returns", "migrations"), 1
    )
    sizes = {
        "jobs": len(cast.jobs),
        "nodes": len(cast.nodes),
        "workers": 1,
        "evals": most_evals,
        "allocations": most_allocs + _DROPPED,
        "count": most_allocs + _DROPPED,
        "cap": sum(len(names) for names in cast.allocs.values()) + most_allocs + _DROPPED,
        "kinds": int(Kind.SYSTEM),
        "in_place_updates": 1,
        "preempting": 1,
        "initializations": 1,
        "external_triggers": 1,
        "gc_deletions": 1,
        "unhandled_triggers": 1,
        **budgets,
    }
    staged = Staged(Scene(sizes, profile), cast)
    for name in ("occupies", "stopping_on", "plan.to", "plan.keeps", "at", "follow_up"):
        staged.scene.fill(name, _NOBODY)
    staged.put_nodes(state)
    for name, one in look(state, cast).items():
        _put(staged, name.partition(" ")[2], one)
    return staged


def _put(staged: Staged, name: str, one: Struct) -> None:
    scene, cast = staged.scene, staged.cast
    match one:
        case JobSight(phase=phase):
            scene.put(
                "job_phase", phase, next(at for at, key in enumerate(cast.jobs) if "/".join(key) == name)
            )
        case EvalSight(record=record):
            key = next(key for key, names in cast.evals.items() if name in names)
            scene.put("eval_record", record, *cast.eval(key, name))
        case AllocSight(phase=phase, node=node, is_reported=is_reported, stopping_on=stopping_on):
            key = next(key for key, names in cast.allocs.items() if name in names)
            scene.put("alloc_phase", phase, *cast.alloc(key, name))
            scene.put("occupies", node, *cast.alloc(key, name))
            scene.put("is_reported", is_reported, *cast.alloc(key, name))
            scene.put("stopping_on", stopping_on, *cast.alloc(key, name))
