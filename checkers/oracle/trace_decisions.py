"""Judges what the leader of a recorded cluster decided besides plans: statuses of nodes, and who is woken.

A decision is made on a snapshot that is a little older than the entry it becomes, nobody knows how much. So
it is right if some recent state gives it, and wrong if none does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from nomadspec.checkers.oracle.judgement import Difference
from nomadspec.checkers.oracle.new_evals import NewEval, read_new, show_new
from nomadspec.checkers.oracle.trace_drains import compare_ends, compare_marks, compare_missing_evals
from nomadspec.checkers.oracle.trace_jobs import (
    compare_deregistration,
    compare_registration,
    compare_scaling,
    compare_scaling_event,
)
from nomadspec.checkers.oracle.trace_replay import Replay, Step
from nomadspec.checkers.oracle.trace_requests import compare_drain, compare_node, compare_operators
from nomadspec.checkers.oracle.trace_window import LONG, SHORT, History
from nomadspec.model.cluster.components.client_evals import find_client_trigger
from nomadspec.model.cluster.components.heartbeats import (
    MISSED,
    compute_heartbeat_status,
    compute_missed_status,
)
from nomadspec.model.cluster.components.new_eval import make_eval
from nomadspec.model.cluster.components.node_evals import make_node_evals
from nomadspec.model.cluster.entities import EvalStatus, Evaluation, Node, NodeStatus, Trigger
from nomadspec.model.cluster.entities.scalar import NS_PER_S
from nomadspec.model.cluster.store import State
from nomadspec.model.cluster.store.requests import (
    AllocClientUpdate,
    AllocUpdateDesiredTransition,
    BatchNodeUpdateDrain,
    EvalUpdate,
    JobDeregister,
    JobRegister,
    NodeRegister,
    NodeUpdateDrain,
    NodeUpdateStatus,
    ScalingEventRegister,
)
from nomadspec.model.specification.profiles import Profile

_JUDGED: Final = (
    AllocClientUpdate,
    AllocUpdateDesiredTransition,
    EvalUpdate,
    JobDeregister,
    JobRegister,
    NodeUpdateStatus,
)
"""The requests that show what was decided."""

_COMPARED: Final[Mapping[type, Callable[[Any, Sequence[State], str], Iterator[Difference]]]] = {
    BatchNodeUpdateDrain: compare_ends,
    NodeRegister: compare_node,
    NodeUpdateDrain: compare_drain,
    ScalingEventRegister: compare_scaling_event,
}
"""What compares such a request with what recent states make possible."""


def compare_decisions(replay: Replay, profile: Profile) -> Iterator[Difference]:
    """Compare the decisions that the log shows with what the model would have decided.

    Spec: TRIG-09, TRIG-11, TRIG-12, TRIG-15, TRIG-29, ALLOC-12, DEP-37, DRAIN-10, DRAIN-12, DRAIN-13,
    NODEST-02, NODEST-08, NODEST-09, NODEST-16.
    """
    history = History()
    for step in replay.steps:
        yield from _compare_step(step, history, profile)
        history.add(step.typed.entry.request, step.applied.state)


def _compare_step(step: Step, history: History, profile: Profile) -> Iterator[Difference]:
    request, path = step.typed.entry.request, f"raft-log[{step.typed.entry.index}]"
    if type(request) in _COMPARED:
        reach = SHORT if isinstance(request, NodeRegister) else LONG
        yield from _COMPARED[type(request)](request, history.list_recent(request, reach), path)
    elif isinstance(request, _JUDGED):
        recent, newest = history.list_recent(request, LONG), history.list_recent(request, SHORT)
        match request:
            case EvalUpdate() if _are_of_a_node(request.evals):
                yield from _compare_node_evals(request.evals, recent, path, profile)
            case EvalUpdate(evals=(made,)) if _is_new(made, Trigger.JOB_SCALING):
                yield from compare_scaling(made, recent, path)
            case JobRegister():
                yield from compare_registration(request, newest, path)
            case JobDeregister():
                yield from compare_deregistration(request, newest, path)
            case AllocClientUpdate():
                yield from _compare_client_evals(request, recent, newest, path)
            case AllocUpdateDesiredTransition():
                yield from _compare_marks(request, recent, path)
            case NodeUpdateStatus():
                yield from _compare_status(request, newest, path, history, profile)


def _compare_status(
    request: NodeUpdateStatus, recent: Sequence[State], path: str, history: History, profile: Profile
) -> Iterator[Difference]:
    """A node is asked to be ready by its heartbeats only, and to be anything else where these are missed.

    Whether an allocation may still wait is asked shortly before the time that is written down; of states that
    were replaced long before, that is known.
    """
    event = request.node_event
    is_missed = event is not None and event.message == MISSED
    asked_ns = max(event.timestamp_ns if event is not None else 0, request.updated_at_s * NS_PER_S)
    possible = [
        compute_missed_status(state, node, now_ns)
        if is_missed
        else compute_heartbeat_status(state, node, profile=profile)
        for state in recent[: history.count_since(asked_ns - LONG.span_ns)]
        if (node := state.find_node(request.node_id)) is not None
        for now_ns in (asked_ns, asked_ns - NS_PER_S)
    ]
    if request.status not in possible:
        yield Difference(
            f"{path}.Status",
            request.status,
            sorted(set(possible)),
            "NODEST-08" if is_missed else "NODEST-09",
        )


def _compare_marks(
    request: AllocUpdateDesiredTransition, recent: Sequence[State], path: str
) -> Iterator[Difference]:
    if _are_of_the_drainer(request.evals):
        yield from compare_marks(request, recent, path)
    yield from compare_operators(request, recent, path)
    yield from compare_missing_evals(request, path)


def _are_of_a_node(evals: Sequence[Evaluation]) -> bool:
    return any(_is_new(each, Trigger.NODE_UPDATE) for each in evals)


def _is_new(evaluation: Evaluation, trigger: Trigger) -> bool:
    is_pending = evaluation.status == EvalStatus.PENDING
    return is_pending and evaluation.triggered_by == trigger and not evaluation.create_index


def _are_of_the_drainer(evals: Sequence[Evaluation]) -> bool:
    return any(each.triggered_by == Trigger.NODE_DRAIN for each in evals)


def _compare_node_evals(
    evals: Sequence[Evaluation], recent: Sequence[State], path: str, profile: Profile
) -> Iterator[Difference]:
    node_id, index = evals[0].node_id, evals[0].node_modify_index
    if not _names_event(recent, node_id, index):
        yield Difference(f"{path}.Evals.NodeModifyIndex", index, "no entry of the node", "TRIG-09")
        return
    recorded = [read_new(each) for each in evals]
    closest: list[NewEval] = []
    for state, node in _list_sights(recent, node_id, index):
        made = make_node_evals(state, node, index, str, 0, profile=profile)
        closest = [read_new(each) for each in made or ()]
        if closest == recorded:
            return
    yield Difference(f"{path}.Evals", show_new(recorded), show_new(closest), "TRIG-29")


def _names_event(recent: Sequence[State], node_id: str, index: int) -> bool:
    """True if an entry changed or deleted a node; a node that is down may be called so without one.

    Spec: TRIG-09, TRIG-10, NODEST-12.
    """
    if any(state.latest_index == index and state.find_node(node_id) is None for state in recent):
        return True
    return any(
        node.modify_index == index or (not index and node.status == NodeStatus.DOWN)
        for node in _find_nodes(recent, node_id)
    )


def _list_sights(recent: Sequence[State], node_id: str, index: int) -> Iterator[tuple[State, Node]]:
    """List the states after the node's own entry, each with the node before or after that entry."""
    since = [state for state in recent if state.latest_index >= index]
    known = _find_nodes(recent, node_id)
    return ((state, node) for state in since for node in known)


def _find_nodes(recent: Sequence[State], node_id: str) -> list[Node]:
    found = {id(node): node for state in recent if (node := state.find_node(node_id)) is not None}
    return list(found.values())


def _compare_client_evals(
    request: AllocClientUpdate, recent: Sequence[State], newest: Sequence[State], path: str
) -> Iterator[Difference]:
    """Each evaluation has a reason in some recent state; what has one in all the newest is not left out.

    What a client reports of was in the state that it was judged by; reports are gathered for moments only.
    """
    now_ns = max((update.modify_time_ns for update in request.alloc), default=0)
    known = [update.id for update in request.alloc if recent[0].find_alloc(update.id) is not None]
    since = [state for state in recent if all(state.find_alloc(name) is not None for name in known)]
    wanted = [frozenset(_list_wanted(state, request, now_ns)) for state in since]
    recorded = [read_new(each) for each in request.evals]
    possible = frozenset().union(*wanted)
    latest = wanted[: len(newest)]
    certain = frozenset(_keys(latest[0])).intersection(*(_keys(each) for each in latest))
    keys = _keys(recorded)
    is_right = possible.issuperset(recorded) and certain.issubset(keys) and len(set(keys)) == len(keys)
    if not is_right:
        yield Difference(f"{path}.Evals", show_new(recorded), show_new(possible), "ALLOC-12")


def _list_wanted(state: State, request: AllocClientUpdate, now_ns: int) -> Iterator[NewEval]:
    for update in request.alloc:
        wanted = find_client_trigger(state, update, now_ns)
        if wanted is not None:
            job, trigger = wanted
            yield read_new(make_eval(job, trigger, "", 0))


def _keys(rows: Iterable[NewEval]) -> list[tuple[str, str]]:
    return [(row.namespace, row.job_id) for row in rows]
