"""Judges evaluations that stay blocked although capacity came: soon they have to be worked on again."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from nomadspec.checkers.oracle.explain.redelivered_calls import ELECTED
from nomadspec.checkers.oracle.judgement import Difference
from nomadspec.checkers.oracle.trace_replay import Replay, Step
from nomadspec.checkers.oracle.trace_window import read_time
from nomadspec.model.cluster.components.leader_memory import is_broker_paused
from nomadspec.model.cluster.entities import (
    EvalStatus,
    Evaluation,
    JobType,
    Node,
    Plan,
    PlanResult,
)
from nomadspec.model.cluster.entities.allocation import is_reported_end
from nomadspec.model.cluster.entities.node import Eligibility
from nomadspec.model.cluster.entities.scalar import NS_PER_S
from nomadspec.model.cluster.scheduler.choices import FreeChoices
from nomadspec.model.cluster.scheduler.outcome import Answer, SubmitOnly
from nomadspec.model.cluster.scheduler.schedule import schedule
from nomadspec.model.cluster.scheduler.snapshot import Snapshot
from nomadspec.model.cluster.store import State
from nomadspec.model.cluster.store.requests import (
    AllocClientUpdate,
    BatchNodeUpdateDrain,
    EvalUpdate,
    NodeRegister,
    NodeUpdateDrain,
    NodeUpdateEligibility,
    NodeUpdateStatus,
)
from nomadspec.model.lifecycle.node import NodeStatus
from nomadspec.model.specification.profiles import Profile

_AGAIN_NS: Final = 30 * NS_PER_S
"""So long it may take on the way: an evaluation that was given back waits before it is delivered again."""
_MOST_STATES: Final = 60
"""So many states before the end of the stay are asked whether something fits."""


class _Stay(NamedTuple):
    """How long an evaluation was blocked: from the place of an entry to that of the last before a change."""

    entry: Evaluation
    first: int
    last: int
    until_ns: int
    """When it was still blocked."""


def list_stuck(
    replay: Replay, stop_index: int, ended_ns: int | None, patience_ns: int, profile: Profile
) -> Iterator[Difference]:
    """List what stays blocked for long although capacity came that it waits for, and fits ever since.

    What is blocked at the end is judged where it is known when that was.

    Spec: BLOCKED-10, BLOCKED-40, FSM-02, FSM-03, FSM-22.
    """
    steps = [step for step in replay.steps if ended_ns is None or step.typed.entry.index <= stop_index]
    for stay in _list_stays(steps, ended_ns):
        if _is_stuck(stay, steps, patience_ns, profile):
            path = f"raft-log[{stay.entry.create_index}].Evals[{stay.entry.id}].Status"
            yield Difference(path, stay.entry.status, "it is unblocked", "BLOCKED-40")


def _list_stays(steps: Sequence[Step], ended_ns: int | None) -> Iterator[_Stay]:
    for first, step in enumerate(steps):
        request = step.typed.entry.request
        for told in request.evals if isinstance(request, EvalUpdate) else ():
            entry = step.applied.state.find_eval(told.id)
            if entry is None or entry.status != EvalStatus.BLOCKED or entry.type == JobType.SYSBATCH:
                continue
            last = _find_last(steps, first, entry)
            until_ns = ended_ns if last + 1 == len(steps) else read_time(steps[last + 1].typed.entry.request)
            if until_ns:
                yield _Stay(entry, first, last, until_ns)


def _find_last(steps: Sequence[Step], first: int, entry: Evaluation) -> int:
    """Find the last place at which an evaluation is as it was written: once it changed it never is again."""

    def has_changed(at: int) -> bool:
        return steps[at].applied.state.find_eval(entry.id) is not entry

    return bisect_left(range(first, len(steps)), x=True, key=has_changed) + first - 1


def _is_stuck(stay: _Stay, steps: Sequence[Step], patience_ns: int, profile: Profile) -> bool:
    is_left = stay.last + 1 == len(steps)
    patience_ns = patience_ns if is_left else max(patience_ns, _AGAIN_NS)
    unblocking = [
        at
        for at in _list_unblocking(stay, steps)
        if _find_latest(steps, at, stay.until_ns) + patience_ns < stay.until_ns
    ]
    if not unblocking or not _is_tracked(stay, steps):
        return False
    since = stay.last + 1
    while since > unblocking[-1] and stay.last - since < _MOST_STATES:
        state = steps[since - 1].applied.state
        if _is_held_up(stay.entry, state) or not _fits(state, stay.entry, stay.until_ns, profile):
            break
        since -= 1
    return unblocking[0] >= since


def _is_tracked(stay: _Stay, steps: Sequence[Step]) -> bool:
    """True if the leader knows that an evaluation is blocked: it forgets those of a job that needs none.

    Spec: BLOCKED-45, FSM-02.
    """
    entry = stay.entry
    return not any(
        each.job_id == entry.job_id and each.status == EvalStatus.COMPLETE and not each.failed_tg_allocs
        for step in steps[: stay.last + 1]
        if step.typed.entry.index > entry.create_index and isinstance(step.typed.entry.request, EvalUpdate)
        for each in step.typed.entry.request.evals
    )


def _is_held_up(entry: Evaluation, state: State) -> bool:
    """True if an evaluation may have to wait: others of its job come first, or none is handed out.

    Spec: BLOCKED-12, BLOCKED-20, BROKER-10, LEADER-04.
    """
    if is_broker_paused(state):
        return True
    siblings = (
        each for each in state.list_evals_of_job(entry.namespace, entry.job_id) if each.id != entry.id
    )
    is_system = entry.type == JobType.SYSTEM
    return any(
        each.status == EvalStatus.PENDING
        or (each.status == EvalStatus.BLOCKED and not (is_system and each.node_id != entry.node_id))
        for each in siblings
    )


def _list_unblocking(stay: _Stay, steps: Sequence[Step]) -> Iterator[int]:
    """List the entries that unblock an evaluation, the last first, as long as no leader was elected since."""
    for at in range(stay.last, stay.first, -1):
        step = steps[at]
        is_seen = step.typed.entry.index <= max(stay.entry.snapshot_index, stay.entry.modify_index)
        if step.typed.type == ELECTED or is_seen:
            return
        before = steps[at - 1].applied.state
        if step.applied.error is None and any(
            waits_for(stay.entry, node) for node in list_freed(step, before)
        ):
            yield at


def waits_for(entry: Evaluation, node: Node) -> bool:
    """True if room on a node unblocks an evaluation; one of a system job waits for its own node.

    Spec: BLOCKED-10, BLOCKED-40.
    """
    if entry.type == JobType.SYSTEM:
        return not entry.escaped_computed_class and node.id == entry.node_id
    return entry.escaped_computed_class or entry.class_eligibility.get(node.computed_class) is not False


def list_freed(step: Step, before: State) -> Iterator[Node]:
    """List the nodes on which an entry tells that there is room, be it of an allocation that was deleted.

    Spec: FSM-03, FSM-22, NODEST-14, NODEST-17, NODEST-18.
    """
    names: list[str] = []
    match step.typed.entry.request:
        case AllocClientUpdate(alloc=reports):
            ended = [each for each in reports if is_reported_end(each.client_status)]
            names = [(before.find_alloc(each.id) or each).node_id for each in ended]
        case NodeUpdateStatus(node_id=name, status=NodeStatus.READY):
            names = [name]
        case (
            NodeUpdateEligibility(node_id=name, eligibility=Eligibility.ELIGIBLE)
            | NodeUpdateDrain(node_id=name, mark_eligible=True)
        ):
            node = before.find_node(name)
            is_new = node is not None and node.scheduling_eligibility == Eligibility.INELIGIBLE
            names = [name] if is_new else []
    yield from (node for name in names if (node := step.applied.state.find_node(name)) is not None)


def list_reopened(step: Step) -> Iterator[Node]:
    """List the nodes that an entry makes eligible by other ways than most: as they register, or several.

    Spec: FSM-03, NODEST-03.
    """
    names: Iterable[str] = ()
    match step.typed.entry.request:
        case NodeRegister(node=registered) if registered.status == NodeStatus.READY:
            names = [registered.id]
        case BatchNodeUpdateDrain(updates=updates):
            names = updates
    yield from (node for name in names if (node := step.applied.state.find_node(name)) is not None)


def _find_latest(steps: Sequence[Step], at: int, ended_ns: int) -> int:
    """Find when an entry was written at the latest: before the next one that tells the time."""
    request = steps[at].typed.entry.request
    if isinstance(request, NodeUpdateStatus | NodeUpdateEligibility | NodeUpdateDrain):
        return (request.updated_at_s + 1) * NS_PER_S
    times_ns = (read_time(step.typed.entry.request) for step in steps[at:])
    return next(filter(None, times_ns), ended_ns)


def _fits(state: State, entry: Evaluation, now_ns: int, profile: Profile) -> bool:
    """True if a scheduler places something for an evaluation on a state."""
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
