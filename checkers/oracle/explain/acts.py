"""Judges entry by entry what clients and the leader of a recorded cluster did, by the states before each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.explain import deployments, gc
from nomadspec.checkers.oracle.explain.cancelable_evals import Handing
from nomadspec.checkers.oracle.explain.entry_times import compare_times
from nomadspec.checkers.oracle.explain.evaluations import compare_evals, compare_origins
from nomadspec.checkers.oracle.explain.launching import Forced, compare_child
from nomadspec.checkers.oracle.explain.node_events import compare_node_event
from nomadspec.checkers.oracle.explain.redelivered_calls import list_elections
from nomadspec.checkers.oracle.explain.reports import compare_reports
from nomadspec.checkers.oracle.explain.unblock_reasons import Openings, Unblocked
from nomadspec.checkers.oracle.judgement import Difference
from nomadspec.checkers.oracle.trace_replay import Replay, Step
from nomadspec.checkers.oracle.trace_window import LONG, History
from nomadspec.model.cluster.store import State
from nomadspec.model.cluster.store.requests import (
    AllocClientUpdate,
    AllocUpdateDesiredTransition,
    DeploymentAllocHealth,
    DeploymentDelete,
    DeploymentPromote,
    DeploymentUpdateStatus,
    EvalDelete,
    EvalUpdate,
    JobBatchDeregister,
    JobRegister,
    NodeBatchDeregister,
)

_DERIVED: Final = (DeploymentAllocHealth, DeploymentUpdateStatus)
"""What may be nothing else than what the model lists."""


def compare_acts(replay: Replay, context: Context, forced: Forced | None = None) -> Iterator[Difference]:
    """Compare what was done with what may have been, by the states shortly before.

    Which launches were forced is known where a recording tells all that operators asked for.
    """
    history, gaps = History(elections=list_elections(replay)), replay.list_gaps()
    openings = Openings()
    handing, unblocked = Handing(openings, context), Unblocked(openings)
    yield from compare_times(replay)
    for step in replay.steps:
        found = [
            *_compare_step(step, history, context, forced),
            *handing.compare(step),
            *unblocked.compare(step),
            *compare_node_event(step.typed.entry.request, f"raft-log[{step.typed.entry.index}]"),
        ]
        if isinstance(step.typed.entry.request, EvalUpdate):
            path = f"raft-log[{step.typed.entry.index}]"
            found += compare_origins(step.typed.entry.request, replay, gaps, path)
        yield from found
        if not found and isinstance(step.typed.entry.request, _DERIVED):
            context.derived.add(step.typed.entry.index)
        openings.add(step, history.states[-1])
        handing.add(step)
        unblocked.add(step)
        history.add(step.typed.entry.request, step.applied.state)


def _compare_step(
    step: Step, history: History, context: Context, forced: Forced | None
) -> Iterator[Difference]:
    request, path = step.typed.entry.request, f"raft-log[{step.typed.entry.index}]"
    before = history.states[-1]
    if isinstance(request, AllocClientUpdate):
        yield from compare_reports(request, before, path, context.profile)
    elif isinstance(request, EvalUpdate):
        yield from compare_evals(request, before, history.list_recent(request, LONG), path, context.profile)
    elif isinstance(request, AllocUpdateDesiredTransition) and not deployments.is_of_watchers(request.evals):
        return
    elif isinstance(request, JobRegister):
        yield from compare_child(request, history, path, forced, context.profile)
    elif isinstance(request, DeploymentUpdateStatus):
        recent = history.list_recent(request, LONG)
        yield from deployments.compare_status(request, recent, path, history.registered, context.profile)
    elif type(request) in _WATCHED:
        recent = history.list_recent(request, LONG)
        yield from _WATCHED[type(request)](request, recent, path, history.registered)
    elif type(request) in _COMPARED:
        yield from _COMPARED[type(request)](request, history.list_recent(request, LONG), path)


_COMPARED: Final[Mapping[type, Callable[[Any, Sequence[State], str], Iterator[Difference]]]] = {
    DeploymentDelete: gc.compare_deployments,
    EvalDelete: gc.compare_deletion,
    JobBatchDeregister: gc.compare_purge,
    NodeBatchDeregister: gc.compare_nodes,
}
"""What compares a request with what recent states make possible."""

_WATCHED: Final[
    Mapping[type, Callable[[Any, Sequence[State], str, deployments.Registered], Iterator[Difference]]]
] = {
    AllocUpdateDesiredTransition: deployments.compare_batch,
    DeploymentAllocHealth: deployments.compare_health,
    DeploymentPromote: deployments.compare_promotion,
}
"""What compares requests about deployments, for which old versions of jobs count as well."""
