"""Judges what servers made of requests about allocations, jobs and nodes in a recorded cluster."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from nomadspec.checkers.oracle.judgement import Difference
from nomadspec.checkers.oracle.new_evals import NewEval, read_new
from nomadspec.checkers.oracle.plain_json import write_plain
from nomadspec.model.cluster.components.job_calls import Call, evaluate_job, stop_alloc
from nomadspec.model.cluster.entities import DesiredTransition, Trigger
from nomadspec.model.cluster.entities.scalar import NS_PER_S
from nomadspec.model.cluster.store import State
from nomadspec.model.cluster.store.requests import (
    AllocUpdateDesiredTransition,
    NodeRegister,
    NodeUpdateDrain,
)

Marks = Mapping[str, DesiredTransition | None]
_OF_OPERATORS: Final = frozenset({Trigger.ALLOC_STOP, Trigger.JOB_REGISTER})
"""Why evaluations were made for whose allocations an operator asks."""


def compare_operators(
    request: AllocUpdateDesiredTransition, recent: Sequence[State], path: str
) -> Iterator[Difference]:
    """Compare an allocation that is stopped, or a job that is evaluated, with what recent states give.

    Spec: ALLOC-16, JOB-20, TRIG-05b, TRIG-12.
    """
    if not request.evals or request.evals[0].triggered_by not in _OF_OPERATORS:
        return
    recorded = _read(request.allocs, request)
    models = [each for state in recent for each in _list_models(request, state)]
    if recorded not in models:
        is_stop = request.evals[0].triggered_by == Trigger.ALLOC_STOP
        model = models[0] if models else None
        yield Difference(path, _show(recorded), _show(model), "TRIG-12" if is_stop else "TRIG-05b")


def _list_models(
    request: AllocUpdateDesiredTransition, state: State
) -> Iterator[tuple[Marks, Sequence[NewEval]]]:
    for call in _list_calls(request, state):
        if call.request is not None:
            yield _read(call.request.allocs, call.request)


def _list_calls(request: AllocUpdateDesiredTransition, state: State) -> Iterator[Call]:
    """List what comes of a wish to stop any one of the allocations, or to evaluate the job."""
    entry = request.evals[0]
    if entry.triggered_by == Trigger.ALLOC_STOP:
        for alloc_id, told in request.allocs.items():
            yield stop_alloc(state, alloc_id, told or DesiredTransition(), "", 0)
    else:
        for is_forced in (False, True):
            yield evaluate_job(state, entry.namespace, entry.job_id, "", 0, is_forced=is_forced)


def _read(allocs: Marks, request: AllocUpdateDesiredTransition) -> tuple[Marks, Sequence[NewEval]]:
    return dict(allocs), [read_new(each) for each in request.evals]


def _show(told: tuple[Marks, Sequence[NewEval]] | None) -> object:
    if told is None:
        return None
    marks, evals = told
    shown = {alloc_id: mark and write_plain(mark) for alloc_id, mark in marks.items()}
    return {"Allocs": shown, "Evals": [dict(each.told) for each in evals]}


def compare_drain(request: NodeUpdateDrain, recent: Sequence[State], path: str) -> Iterator[Difference]:
    """Compare the times of a drain with the one before, and with when it was asked for.

    Spec: NODEST-16, DRAIN-02.
    """
    strategy = request.drain_strategy
    if strategy is None:
        return
    place = f"{path}.DrainStrategy"
    asked_ns = strategy.force_deadline_ns - strategy.deadline_ns
    if strategy.deadline_ns <= 0:
        if strategy.force_deadline_ns:
            yield Difference(f"{place}.ForceDeadline", strategy.force_deadline_ns, 0, "NODEST-16")
    elif abs(asked_ns // NS_PER_S - request.updated_at_s) > 1:
        model = request.updated_at_s * NS_PER_S + strategy.deadline_ns
        yield Difference(f"{place}.ForceDeadline", strategy.force_deadline_ns, model, "NODEST-16")
    nodes = [node for state in recent if (node := state.find_node(request.node_id)) is not None]
    begun = {node.drain_strategy.started_at_ns for node in nodes if node.drain_strategy is not None}
    is_new = any(node.drain_strategy is None for node in nodes)
    is_now = abs(strategy.started_at_ns // NS_PER_S - request.updated_at_s) <= 1
    if strategy.started_at_ns not in begun and not (is_new and is_now):
        yield Difference(f"{place}.StartedAt", strategy.started_at_ns, sorted(begun), "NODEST-16")


def compare_node(request: NodeRegister, recent: Sequence[State], path: str) -> Iterator[Difference]:
    """A node that is there keeps its status when it registers again.

    Spec: NODEST-02.
    """
    if recent[0].find_node(request.node.id) is None:
        return
    known = {node.status for state in recent if (node := state.find_node(request.node.id)) is not None}
    if request.node.status not in known:
        yield Difference(f"{path}.Node.Status", request.node.status, sorted(known), "NODEST-02")
