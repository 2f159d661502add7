"""What blocked evals remember, and the changes that wait for it."""

from __future__ import annotations

from typing import Final

import msgspec
from rpds import HashTrieMap

from nomadspec.model.cluster.components.blocked_stats import BlockedStats
from nomadspec.model.cluster.components.broker_state import JobKey
from nomadspec.model.cluster.entities import Evaluation
from nomadspec.model.cluster.entities.scalar import NS_PER_S

CAPACITY: Final = 8096
"""So many changes may wait; then whoever applies log entries waits too."""

PRUNE_INTERVAL_NS: Final = 5 * 60 * NS_PER_S


class Held(msgspec.Struct, frozen=True):
    """A tracked eval, and the token of the delivery that blocked it again, if one did."""

    eval: Evaluation
    token: str = ""


class Blocking(msgspec.Struct, frozen=True, tag=True):
    """An eval is to be tracked."""

    held: Held
    is_restored: bool = False
    """Whether a new leader found it, who cannot know what was freed before: it is tried once, as intended."""


class Untracking(msgspec.Struct, frozen=True, tag=True):
    """A job needs its blocked evals no more."""

    job: JobKey


class Unblocking(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Something became free: nodes of a class, a quota, one node, resources that are not of nodes."""

    node_class: str = ""
    quota: str = ""
    node_id: str = ""
    resources: frozenset[str] = frozenset()


Change = Blocking | Untracking | Unblocking


class Freed(msgspec.Struct, frozen=True):
    """When something last became free: the log index and the time."""

    index: int
    at_ns: int


class BlockedEvals(msgspec.Struct, frozen=True, kw_only=True):
    """Blocked evals of a leader."""

    is_enabled: bool = False
    captured: HashTrieMap[str, Held] = HashTrieMap()
    escaped: HashTrieMap[str, Held] = HashTrieMap()
    jobs: HashTrieMap[JobKey, str] = HashTrieMap()
    """The eval of each job that is captured or escaped."""
    system: HashTrieMap[str, Held] = HashTrieMap()
    """Evals of system jobs by their own ID."""
    system_jobs: HashTrieMap[JobKey, HashTrieMap[str, str]] = HashTrieMap()
    """Evals of system jobs by job and node; a job stays listed when its last eval has gone."""
    freed: HashTrieMap[str, Freed] = HashTrieMap()
    """By computed class, quota or resource: all in one map."""
    duplicates: tuple[Evaluation, ...] = ()
    changes: tuple[Change, ...] = ()
    """What blocked evals have still to do, in order."""
    prune_at_ns: int = 0
    stats: BlockedStats = BlockedStats()


def is_full(blocked_evals: BlockedEvals) -> bool:
    """True while whoever brings the next change has to wait.

    Spec: BLOCKED-03.
    """
    return len(blocked_evals.changes) >= CAPACITY


def find_held(blocked_evals: BlockedEvals, eval_id: str) -> Held | None:
    """Find an eval that is captured or escaped."""
    return blocked_evals.captured.get(eval_id) or blocked_evals.escaped.get(eval_id)


def list_system_of_node(blocked_evals: BlockedEvals, node_id: str) -> tuple[Held, ...]:
    """List the tracked evals of system jobs for a node."""
    return tuple(held for _, held in sorted(blocked_evals.system.items()) if held.eval.node_id == node_id)


def list_missed_answers(blocked_evals: BlockedEvals, entry: Evaluation) -> frozenset[bool]:
    """List the allowed answers to whether something became free that the scheduler has not seen.

    There are two where a resource that the eval misses, and has seen, shares the map with a key that it has
    not seen: the order of the map decides.

    Spec: BLOCKED-30, BLOCKED-31.
    """
    seen = entry.snapshot_index
    if entry.quota_limit_reached and (quota := blocked_evals.freed.get(entry.quota_limit_reached)):
        return frozenset({seen < quota.index})
    if entry.quota_limit_reached:
        return frozenset({_is_escaped_unseen(blocked_evals, entry)})
    missing = frozenset(entry.missing_non_node_resources)
    answers = {seen < freed.index for key, freed in blocked_evals.freed.items() if key in missing}
    unseen = (key for key, freed in blocked_evals.freed.items() if key not in missing and seen < freed.index)
    if any(entry.class_eligibility.get(key, True) for key in unseen):
        return frozenset({True, *answers})
    return frozenset(answers or {_is_escaped_unseen(blocked_evals, entry)})


def _is_escaped_unseen(blocked_evals: BlockedEvals, entry: Evaluation) -> bool:
    latest = max((freed.index for freed in blocked_evals.freed.values()), default=0)
    return entry.escaped_computed_class and entry.snapshot_index < latest
