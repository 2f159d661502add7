"""Judges when evaluations are said to be written: not long before or after other entries."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from nomadspec.checkers.oracle.judgement import Difference
from nomadspec.checkers.oracle.trace_replay import Replay
from nomadspec.checkers.oracle.trace_window import read_time
from nomadspec.model.cluster.entities import Evaluation
from nomadspec.model.cluster.entities.scalar import NS_PER_S
from nomadspec.model.cluster.store.requests import (
    AllocClientUpdate,
    AllocUpdateDesiredTransition,
    ApplyPlanResults,
    DeploymentAllocHealth,
    DeploymentPromote,
    DeploymentUpdateStatus,
    EvalUpdate,
    JobDeregister,
    JobRegister,
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
    """Compare the times of evaluations with each other, and with those of the entries around them.

    Spec: EVAL-10, EVAL-12, EVAL-32.
    """
    later = _list_later(replay)
    earlier: deque[int] = deque(maxlen=_NEAR)
    for step, after in zip(replay.steps, later, strict=True):
        request, path = step.typed.entry.request, f"raft-log[{step.typed.entry.index}]"
        for entry in list_written(request):
            if not entry.create_index and entry.create_time_ns != entry.modify_time_ns:
                yield Difference(
                    f"{path}.Evals.ModifyTime", entry.modify_time_ns, entry.create_time_ns, "EVAL-10"
                )
            yield from _compare_around(entry, earlier, after, path)
        earlier.extend(filter(None, (read_time(request),)))


def _compare_around(
    entry: Evaluation, earlier: Sequence[int], later: Sequence[int], path: str
) -> Iterator[Difference]:
    told_ns = entry.modify_time_ns
    if told_ns and earlier and told_ns + _FAR_NS < min(earlier):
        yield Difference(f"{path}.Evals.ModifyTime", told_ns, f"after {min(earlier)}", "EVAL-32")
    if later and told_ns > max(later) + _FAR_NS:
        yield Difference(f"{path}.Evals.ModifyTime", told_ns, f"before {max(later)}", "EVAL-32")


def _list_later(replay: Replay) -> list[tuple[int, ...]]:
    """List for each entry what time the next ones tell."""
    later: list[tuple[int, ...]] = []
    known: tuple[int, ...] = ()
    for step in reversed(replay.steps):
        later.append(known)
        time_ns = read_time(step.typed.entry.request)
        known = (time_ns, *known)[:_NEAR] if time_ns else known
    return later[::-1]
