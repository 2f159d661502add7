"""Judges evaluations that stay blocked although capacity came: by the end they have to be worked on again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from nomadspec.checkers.oracle.explain.redelivered import ELECTED
from nomadspec.checkers.oracle.judgement import Difference
from nomadspec.checkers.oracle.trace_replay import Replay, Step
from nomadspec.checkers.oracle.trace_window import read_time
from nomadspec.model.cluster.entities import (
    AllocClient,
    EvalStatus,
    Evaluation,
    JobType,
    Node,
    Plan,
    PlanResult,
)
from nomadspec.model.cluster.entities.node import Eligibility, NodeStatus
from nomadspec.model.cluster.scheduler.choices import FreeChoices
from nomadspec.model.cluster.scheduler.outcome import Answer, SubmitOnly
from nomadspec.model.cluster.scheduler.schedule import schedule
from nomadspec.model.cluster.scheduler.snapshot import Snapshot
from nomadspec.model.cluster.store import State
from nomadspec.model.cluster.store.requests import (
    AllocClientUpdate,
    EvalUpdate,
    NodeUpdateEligibility,
    NodeUpdateStatus,
)
from nomadspec.model.specification.profiles import Profile

_FREEING: Final = frozenset({AllocClient.COMPLETE, AllocClient.FAILED})
_MOST_STATES: Final = 60
"""So many states since capacity came are asked whether something fits; where there are more, nobody knows."""


def list_stuck(replay: Replay, stop_index: int, ended_ns: int, profile: Profile) -> Iterator[Difference]:
    """List what stays blocked although capacity came that it waits for, and fits ever since.

    Spec: BLOCKED-10, BLOCKED-40, FSM-02, FSM-03, FSM-22.
    """
    state = replay.find_state(stop_index)
    if state.configuration is not None and state.configuration.pause_eval_broker:
        return
    steps = [step for step in replay.steps if step.typed.entry.index <= stop_index]
    for entry in state.list_evals():
        if not _is_tracked(entry, state, steps):
            continue
        at = _find_unblocking(entry, steps)
        if at is None or _find_latest(steps, at, ended_ns) >= ended_ns:
            continue
        states = [step.applied.state for step in steps[at:]]
        if len(states) <= _MOST_STATES and all(_fits(each, entry, ended_ns, profile) for each in states):
            path = f"raft-log[{entry.create_index}].Evals[{entry.id}].Status"
            yield Difference(path, entry.status, "it is unblocked", "BLOCKED-40")


def _is_tracked(entry: Evaluation, state: State, steps: Sequence[Step]) -> bool:
    """Tell whether the leader knows that an evaluation is blocked: it forgets those of a job that needs none.

    Spec: BLOCKED-20, BLOCKED-45, FSM-02.
    """
    if entry.status != EvalStatus.BLOCKED or entry.type not in {JobType.SERVICE, JobType.BATCH}:
        return False
    siblings = state.list_evals_of_job(entry.namespace, entry.job_id)
    if any(each.status == EvalStatus.BLOCKED and each.id != entry.id for each in siblings):
        return False
    return not any(
        each.job_id == entry.job_id and each.status == EvalStatus.COMPLETE and not each.failed_tg_allocs
        for step in steps
        if step.typed.entry.index > entry.create_index and isinstance(step.typed.entry.request, EvalUpdate)
        for each in step.typed.entry.request.evals
    )


def _find_unblocking(entry: Evaluation, steps: Sequence[Step]) -> int | None:
    """Find the last entry that unblocks an evaluation, unless a leader was elected since."""
    for at in range(len(steps) - 1, 0, -1):
        step = steps[at]
        is_seen = step.typed.entry.index <= max(entry.snapshot_index, entry.modify_index)
        if step.typed.type == ELECTED or is_seen:
            return None
        before = steps[at - 1].applied.state
        if step.applied.error is None and any(_waits_for(entry, node) for node in _list_freed(step, before)):
            return at
    return None


def _waits_for(entry: Evaluation, node: Node) -> bool:
    return entry.escaped_computed_class or entry.class_eligibility.get(node.computed_class) is not False


def _list_freed(step: Step, before: State) -> Iterator[Node]:
    """List the nodes on which an entry tells that there is room.

    Spec: FSM-03, FSM-22.
    """
    names: list[str] = []
    match step.typed.entry.request:
        case AllocClientUpdate(alloc=reports):
            ended = (before.find_alloc(each.id) for each in reports if each.client_status in _FREEING)
            names = [alloc.node_id for alloc in ended if alloc is not None]
        case NodeUpdateStatus(node_id=name, status=NodeStatus.READY):
            names = [name]
        case NodeUpdateEligibility(node_id=name, eligibility=Eligibility.ELIGIBLE):
            node = before.find_node(name)
            is_new = node is not None and node.scheduling_eligibility == Eligibility.INELIGIBLE
            names = [name] if is_new else []
    yield from (node for name in names if (node := step.applied.state.find_node(name)) is not None)


def _find_latest(steps: Sequence[Step], at: int, ended_ns: int) -> int:
    """Find when an entry was written at the latest: before the next one that tells the time."""
    times_ns = (read_time(step.typed.entry.request) for step in steps[at:])
    return next(filter(None, times_ns), ended_ns)


def _fits(state: State, entry: Evaluation, now_ns: int, profile: Profile) -> bool:
    """Tell whether a scheduler places something for an evaluation on a state."""
    outcome = schedule(
        Snapshot.of(state),
        entry,
        now_ns,
        FreeChoices(0),
        SubmitOnly(_let_through),
        scheduler=entry.type,
        profile=profile,
    )
    placed = (alloc for plan in outcome.plans for allocs in plan.node_allocation.values() for alloc in allocs)
    return any(state.find_alloc(alloc.id) is None for alloc in placed)


def _let_through(plan: Plan) -> Answer:
    return Answer(result=PlanResult(node_update=plan.node_update, node_allocation=plan.node_allocation))
