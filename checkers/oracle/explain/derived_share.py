"""Counts how much of a recorded log was derived, only held against rules, or taken as it came."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any, Final

import msgspec

from nomadspec.checkers.oracle.trace_replay import Replay, Step
from nomadspec.model.cluster.codec import write
from nomadspec.model.cluster.store import requests
from nomadspec.model.cluster.store.requests import Outside


class Share(StrEnum):
    """How an entry was judged."""

    DERIVED = "derived"
    """The model decided the same, on a state that the decision may have been made on."""
    CHECKED = "checked"
    """Rules say that it may be so, and not that it must."""
    TAKEN = "taken"
    """It comes from outside, or nothing is known of why it was written: only its effect is judged."""


_CHECKED: Final = (
    requests.AllocClientUpdate,
    requests.ApplyPlanResults,
    requests.BatchNodeUpdateDrain,
    requests.DeploymentAllocHealth,
    requests.DeploymentDelete,
    requests.DeploymentPromote,
    requests.DeploymentUpdateStatus,
    requests.EvalDelete,
    requests.EvalUpdate,
    requests.JobBatchDeregister,
    requests.JobDeregister,
    requests.JobRegister,
    requests.NodeBatchDeregister,
    requests.NodeRegister,
    requests.NodeUpdateDrain,
    requests.NodeUpdateStatus,
    requests.ScalingEventRegister,
    requests.AllocUpdateDesiredTransition,
)
"""What the servers or clients decide, and the rules that are held against it."""


def count_shares(replay: Replay, derived: Iterable[int]) -> Counter[str]:
    """Count entries and the fields in them, by how they were judged; those of Raft itself are left out."""
    known = frozenset(derived)
    counted: Counter[str] = Counter()
    for step in replay.steps:
        request = step.typed.entry.request
        if not isinstance(request, Outside):
            share = find_share(step, known)
            counted[f"entries {share}"] += 1
            counted[f"fields {share}"] += count_fields(request)
    return counted


def find_share(step: Step, derived: frozenset[int]) -> Share:
    """Find how an entry was judged."""
    if step.typed.entry.index in derived:
        return Share.DERIVED
    return Share.CHECKED if isinstance(step.typed.entry.request, _CHECKED) else Share.TAKEN


def count_fields(request: msgspec.Struct) -> int:
    """Count the values in a request that are not zero."""
    return _count(write(request))


def _count(tree: Any) -> int:  # noqa: ANN401 -- what JSON can hold
    if isinstance(tree, Mapping):
        return sum(map(_count, tree.values()))
    if isinstance(tree, list | tuple):
        return sum(map(_count, tree))
    return 1
