"""Judges when entries are said to be made: not long before or after others."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import msgspec

from nomadspec.checkers.oracle.judgement import Difference
from nomadspec.checkers.oracle.trace_replay import LATE_NS, Replay
from nomadspec.checkers.oracle.trace_window import read_time
from nomadspec.model.cluster.components.reapers import CORE
from nomadspec.model.cluster.entities import Evaluation
from nomadspec.model.cluster.entities.scalar import NS_PER_S
from nomadspec.model.cluster.store.requests import (
    AllocClientUpdate,
    AllocUpdateDesiredTransition,
    ApplyPlanResults,
    BatchNodeUpdateDrain,
    DeploymentAllocHealth,
    DeploymentPromote,
    DeploymentUpdateStatus,
    EvalUpdate,
    JobDeregister,
    JobRegister,
    NodeUpdateDrain,
    NodeUpdateEligibility,
    NodeUpdateStatus,
)

_NEAR: Final = 3
"""So many entries before and after one tell what time it was: one of them may be wrong itself."""
_FAR_NS: Final = 60 * NS_PER_S
"""So long nobody holds back an entry that he has made, even where there is no leader for a while."""


def list_written(request: msgspec.Struct) -> Sequence[Evaluation]:
    """List the evaluations that an entry holds, whatever it is about."""
    match request:
        case (
            EvalUpdate(evals=evals)
            | AllocClientUpdate(evals=evals)
            | AllocUpdateDesiredTransition(evals=evals)
        ):
            return evals
        case ApplyPlanResults(preemption_evals=evals):
            return evals
        case (
            JobRegister(eval=entry)
            | JobDeregister(eval=entry)
            | DeploymentUpdateStatus(eval=entry)
            | DeploymentPromote(eval=entry)
            | DeploymentAllocHealth(eval=entry)
        ) if entry is not None:
            return (entry,)
    return ()


def compare_times(replay: Replay) -> Iterator[Difference]:
    """Compare the times that servers write down with each other, and with those of the entries around them.

    Spec: EVAL-10, EVAL-12, EVAL-32, ALLOC-09, DEP-04, DEP-20, NODEST-16, OBJ-005, OBJ-283.
    """
    later = _list_later(replay)
    earlier: deque[int] = deque(maxlen=_NEAR)
    for step, after in zip(replay.steps, later, strict=True):
        request, path = step.typed.entry.request, f"raft-log[{step.typed.entry.index}]"
        for entry in list_written(request):
            is_new = not entry.create_index and entry.type != CORE
            if is_new and entry.create_time_ns != entry.modify_time_ns:
                yield Difference(
                    f"{path}.Evals.ModifyTime", entry.modify_time_ns, entry.create_time_ns, "EVAL-10"
                )
        least_ns = min(earlier, default=0) - _FAR_NS
        most_ns = max(after) + _FAR_NS if after else LATE_NS
        for told in _list_told(request):
            if told.time_ns and told.time_ns < least_ns:
                yield Difference(f"{path}.{told.place}", told.time_ns, f"after {min(earlier)}", told.rule)
            if told.time_ns > most_ns:
                yield Difference(f"{path}.{told.place}", told.time_ns, f"before {max(after)}", told.rule)
        earlier.extend(filter(None, (read_time(request),)))


class _Told(NamedTuple):
    """A time that a server has written down, where it stands, and the rule that says so."""

    place: str
    time_ns: int
    rule: str


def _list_told(request: msgspec.Struct) -> Iterator[_Told]:
    """List the times that an entry tells by the clock of a server."""
    for entry in list_written(request):
        yield _Told("Evals.ModifyTime", entry.modify_time_ns, "EVAL-32")
    match request:
        case AllocClientUpdate(alloc=reports):
            for at, report in enumerate(reports):
                yield _Told(f"Alloc[{at}].ModifyTime", report.modify_time_ns, "ALLOC-09")
        case ApplyPlanResults(deployment=deployment):
            yield _Told("UpdatedAt", request.updated_at_ns, "OBJ-283")
            if deployment is not None and not deployment.create_index:
                yield _Told("Deployment.CreateTime", deployment.create_time_ns, "DEP-04")
        case DeploymentUpdateStatus(deployment_update=update) if update is not None:
            yield _Told("DeploymentUpdate.UpdatedAt", update.updated_at_ns, "DEP-20")
        case DeploymentAllocHealth():
            yield _Told("Timestamp", request.timestamp_ns, "DEP-29")
        case NodeUpdateStatus() | NodeUpdateEligibility() | NodeUpdateDrain() | BatchNodeUpdateDrain():
            yield _Told("UpdatedAt", request.updated_at_s * NS_PER_S, "OBJ-005")
            event = None if isinstance(request, BatchNodeUpdateDrain) else request.node_event
            if event is not None:
                yield _Told("NodeEvent.Timestamp", event.timestamp_ns, "OBJ-005")


def _list_later(replay: Replay) -> list[tuple[int, ...]]:
    """List for each entry what time the next ones tell."""
    later: list[tuple[int, ...]] = []
    known: tuple[int, ...] = ()
    for step in reversed(replay.steps):
        later.append(known)
        time_ns = read_time(step.typed.entry.request)
        known = (time_ns, *known)[:_NEAR] if time_ns else known
    return later[::-1]
