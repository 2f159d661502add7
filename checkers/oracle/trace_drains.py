"""Judges what the drainer of a recorded cluster did: whom it told to move, and whose drains it ended."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from nomadspec.checkers.oracle.judgement import ABSENT, Difference
from nomadspec.checkers.oracle.new_evals import read_new, show_new
from nomadspec.model.cluster.components.drain_look import is_drained, list_remaining, look_at_job
from nomadspec.model.cluster.components.drain_requests import COMPLETE, MOST_IDS
from nomadspec.model.cluster.components.drainer import track
from nomadspec.model.cluster.components.new_eval import make_eval
from nomadspec.model.cluster.entities import Allocation, JobType, Node, NodeEvent, Trigger
from nomadspec.model.cluster.entities.node import is_draining
from nomadspec.model.cluster.store import State
from nomadspec.model.cluster.store.requests import AllocUpdateDesiredTransition, BatchNodeUpdateDrain


def compare_marks(
    request: AllocUpdateDesiredTransition, recent: Sequence[State], path: str
) -> Iterator[Difference]:
    """Compare whom the drainer told to move with whom it may tell, and its evaluations with their jobs.

    Spec: DRAIN-09, DRAIN-10, DRAIN-12, DRAIN-13, TRIG-11.
    """
    now_ns = max(each.create_time_ns for each in request.evals)
    allocs = [alloc for alloc_id in request.allocs if (alloc := _find_alloc(recent, alloc_id)) is not None]
    due = {alloc.id for alloc in allocs if _has_to_leave(recent, alloc, now_ns)}
    for job_id, told in _group_by_job(allocs, due).items():
        if not any(_may_be_told(state, job_id, told) for state in recent):
            yield Difference(f"{path}.Allocs", sorted(told), [], "DRAIN-09")
    for alloc in allocs:
        yield from _compare_transition(request, alloc, path)
    yield from _compare_evals(request, allocs, path)


def _compare_evals(
    request: AllocUpdateDesiredTransition, allocs: Sequence[Allocation], path: str
) -> Iterator[Difference]:
    """Each job is woken once, as it was for one of its allocations; they may be of several versions.

    Spec: DRAIN-10, DRAIN-15, TRIG-11.
    """
    recorded = [read_new(each) for each in request.evals]
    jobs = {(alloc.namespace, alloc.job_id): None for alloc in allocs if alloc.job is not None}
    possible = {
        read_new(make_eval(alloc.job, Trigger.NODE_DRAIN, "", 0)) for alloc in allocs if alloc.job is not None
    }
    woken = sorted((each.namespace, each.job_id) for each in recorded)
    is_full = len(request.allocs) + len(request.evals) >= MOST_IDS
    is_right = possible.issuperset(recorded) and woken == sorted(jobs)
    if not is_right and not is_full:
        yield Difference(f"{path}.Evals", show_new(recorded), show_new(possible), "TRIG-11")


def compare_missing_evals(request: AllocUpdateDesiredTransition, path: str) -> Iterator[Difference]:
    """Whoever marks allocations asks for evaluations of their jobs; a full entry leaves that to the next.

    Spec: TRIG-11, TRIG-12, DEP-37, DRAIN-15.
    """
    if not request.evals and 0 < len(request.allocs) < MOST_IDS:
        yield Difference(f"{path}.Evals", ABSENT, "one of each job", "TRIG-11")


def compare_ends(request: BatchNodeUpdateDrain, recent: Sequence[State], path: str) -> Iterator[Difference]:
    """Compare whose drains ended, and why, with whose may end.

    Spec: DRAIN-12, DRAIN-13.
    """
    for node_id in request.updates:
        event = request.node_events.get(node_id)
        is_late = event is not None and event.details.get("deadline_reached") == "true"
        now_ns = event.timestamp_ns if event else 0
        nodes = [(state, node) for state in recent if (node := state.find_node(node_id)) is not None]
        may_end = any(
            _is_overdue(node, now_ns) if is_late else is_draining(node) and is_drained(state, node)
            for state, node in nodes
        )
        if not may_end:
            yield Difference(f"{path}.Updates.{node_id}", is_late, None, "DRAIN-12")
        elif not _is_end_told(event):
            yield Difference(f"{path}.NodeEvents.{node_id}", _write_event(event), COMPLETE, "DRAIN-12")


def _is_end_told(event: NodeEvent | None) -> bool:
    """True if an event says that a drain has ended, and nothing else but that it was due."""
    if event is None or event.message != COMPLETE:
        return False
    return event.details in ({}, {"deadline_reached": "true"})


def _write_event(event: NodeEvent | None) -> str:
    """Write the event of a drain that ended, as a difference shows it."""
    return str(ABSENT) if event is None else f"{event.message} {dict(event.details)}"


def _find_alloc(recent: Sequence[State], alloc_id: str) -> Allocation | None:
    """Find an allocation as it was last; its job may have been purged while others were gathered."""
    found = (state.find_alloc(alloc_id) for state in recent)
    return next((alloc for alloc in found if alloc is not None), None)


def _has_to_leave(recent: Sequence[State], alloc: Allocation, now_ns: int) -> bool:
    """True if all has to leave the node of an allocation; what is there is listed a moment later.

    Spec: DRAIN-12, DRAIN-13.
    """
    nodes = [(state, node) for state in recent if (node := state.find_node(alloc.node_id)) is not None]
    is_due = any(
        is_draining(node) and (_is_overdue(node, now_ns) or is_drained(state, node)) for state, node in nodes
    )
    return is_due and any(
        each.id == alloc.id for state, node in nodes for each in list_remaining(state, node)
    )


def _is_overdue(node: Node, now_ns: int) -> bool:
    tracked = track(node)
    return tracked is not None and tracked.deadline_ns is not None and tracked.deadline_ns <= now_ns


def _group_by_job(allocs: list[Allocation], due: set[str]) -> dict[tuple[str, str], set[str]]:
    """Group those who are told early, that is before all has to leave their node."""
    early: dict[tuple[str, str], set[str]] = {}
    for alloc in allocs:
        if alloc.id not in due:
            early.setdefault((alloc.namespace, alloc.job_id), set()).add(alloc.id)
    return early


def _may_be_told(state: State, key: tuple[str, str], told: set[str]) -> bool:
    job = state.find_job(*key)
    if job is None or job.type == JobType.SYSTEM:
        return False
    look = look_at_job(state, job, 0)
    within = [told.intersection(ids) for ids in look.drainable]
    return sum(map(len, within)) == len(told) and all(
        len(part) <= room for part, room in zip(within, look.room, strict=True)
    )


def _compare_transition(
    request: AllocUpdateDesiredTransition, alloc: Allocation, path: str
) -> Iterator[Difference]:
    told = request.allocs[alloc.id]
    is_batch = alloc.job is not None and alloc.job.type == JobType.BATCH
    recorded = (told.migrate, told.migrate_disable_placement) if told else None
    if recorded != (True, True if is_batch else None):
        yield Difference(f"{path}.Allocs.{alloc.id}", recorded, (True, is_batch), "DRAIN-10")
