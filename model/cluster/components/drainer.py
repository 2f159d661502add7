"""The drainer of the leader: it tells allocations to leave draining nodes, few at a time, and ends drains.

It acts through ``react``: each call does one thing that is due, and returns the requests that are to be
written, if any. Call it until the drainer is settled, after every change of the state and when the time of
``find_next_due`` has come. While marks wait to be written nothing else is looked at: after them much may look
different.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

import msgspec
from msgspec.structs import replace
from rpds import HashTrieMap

from nomadspec.model.cluster.components.drain_look import (
    JobLook,
    is_drained,
    list_blocking_jobs,
    list_remaining,
    look_at_job,
)
from nomadspec.model.cluster.components.drain_requests import make_ends, make_marks
from nomadspec.model.cluster.components.node_evals import MakeId
from nomadspec.model.cluster.entities import JobType, Node
from nomadspec.model.cluster.entities.node import is_draining
from nomadspec.model.cluster.entities.scalar import NS_PER_S
from nomadspec.model.cluster.memo import remember_last
from nomadspec.model.cluster.store.requests import Request
from nomadspec.model.cluster.store.state import State
from nomadspec.model.cluster.store.tables import ALLOCS, JobKey
from nomadspec.model.specification.profiles import Profile
from nomadspec.model.specification.quirks import UNMARKED_END, UNNOTICED_END

BATCH_NS = NS_PER_S
"""So long marks are collected before they are written."""
COALESCE_NS = 5_000_000_000
"""Deadlines that come so soon after the earliest one are met together with it."""


class Tracked(msgspec.Struct, frozen=True):
    """How a draining node is to be emptied, as far as the drainer minds."""

    deadline_ns: int | None
    """When all has to leave at once; None is never, 0 is now."""
    ignores_system: bool


class Drainer(msgspec.Struct, frozen=True, kw_only=True):
    """What the drainer remembers; a time of 0 is none."""

    is_enabled: bool = False
    nodes: HashTrieMap[str, Tracked] = HashTrieMap()
    jobs: HashTrieMap[JobKey, int] = HashTrieMap()
    """The jobs that have something on draining nodes, and up to which index each was looked at."""
    marks: frozenset[str] = frozenset()
    """The allocations that the batch will tell to move."""
    batch_at_ns: int = 0
    finishing: tuple[str, ...] = ()
    """The nodes whose drains are over, once what remains on them is told to go."""
    is_late: bool = False
    """Whether they are over because their deadline has passed."""


class Reaction(msgspec.Struct, frozen=True):
    """What the drainer is after one thing that it did, and what it wants to be written, in this order."""

    drainer: Drainer
    requests: tuple[Request, ...] = ()
    is_settled: bool = False
    """Nothing was left to do."""


def enable(drainer: Drainer) -> Drainer:
    """Let the drainer work; it begins anew from the state.

    Spec: DRAIN-16.
    """
    return drainer if drainer.is_enabled else Drainer(is_enabled=True)


def disable() -> Drainer:
    """Forget what was tracked, and the marks that are not written yet.

    Spec: DRAIN-16.
    """
    return Drainer()


def track(node: Node) -> Tracked | None:
    """Say how a node is to be emptied, if it is: whatever its status.

    Spec: DRAIN-01, DRAIN-02.
    """
    strategy = node.drain_strategy
    if strategy is None:
        return None
    deadline_ns = 0 if strategy.deadline_ns < 0 else strategy.force_deadline_ns or None
    return Tracked(deadline_ns, strategy.ignore_system_jobs)


def find_next_due(drainer: Drainer) -> int | None:
    """Find when the drainer has to be called again, if nothing changes before.

    Deadlines wait for those that come a little later. Now is the earliest of all; a real drainer may overlook
    it as long as other nodes have deadlines, depending on the order of a map.

    Spec: DRAIN-14, 09/S2.
    """
    if drainer.batch_at_ns:
        return drainer.batch_at_ns
    deadlines = [each.deadline_ns for each in drainer.nodes.values() if each.deadline_ns is not None]
    if not deadlines:
        return None
    return max(each for each in deadlines if each <= min(deadlines) + COALESCE_NS)


def react(drainer: Drainer, state: State, now_ns: int, make_id: MakeId, *, profile: Profile) -> Reaction:
    """Do the next thing that is due: write marks, end drains, follow nodes, look at jobs, meet a deadline.

    Spec: DRAIN-03, DRAIN-06, DRAIN-12, DRAIN-13, X-65, X-67.
    """
    if not drainer.is_enabled:
        return Reaction(drainer, is_settled=True)
    if drainer.batch_at_ns:
        return _write_marks(drainer, state, now_ns, make_id)
    if drainer.finishing:
        unmarked = () if profile.has(UNMARKED_END) else _list_unmarked(drainer, state)
        if unmarked:
            return Reaction(_collect(drainer, unmarked, now_ns))
        return _finish(drainer, state, now_ns, make_id)
    followed = _follow_nodes(drainer, state)
    if followed == drainer and not profile.has(UNNOTICED_END):
        emptied = sorted(node_id for node_id in drainer.nodes if is_drained(state, state.nodes[node_id]))
        followed = replace(drainer, finishing=tuple(emptied), is_late=False)
    return Reaction(followed) if followed != drainer else _look_around(drainer, state, now_ns)


def _write_marks(drainer: Drainer, state: State, now_ns: int, make_id: MakeId) -> Reaction:
    if drainer.batch_at_ns > now_ns:
        return Reaction(drainer, is_settled=True)
    marks = make_marks(state, drainer.marks, now_ns, make_id)
    return Reaction(replace(drainer, marks=frozenset(), batch_at_ns=0), marks)


def _follow_nodes(drainer: Drainer, state: State) -> Drainer:
    """Track what drains; register the jobs of what is new, and end what is drained already (DRAIN-03)."""
    tracked = _list_tracked(state.sort_nodes().others)
    news = [state.nodes[node_id] for node_id, how in tracked.items() if drainer.nodes.get(node_id) != how]
    jobs = drainer.jobs
    for key in (key for node in news for key in list_blocking_jobs(state, node)):
        jobs = jobs if key in jobs else jobs.insert(key, 0)
    finishing = tuple(node.id for node in news if is_drained(state, node))
    return replace(drainer, nodes=HashTrieMap(tracked), jobs=jobs, finishing=finishing, is_late=False)


@remember_last
def _list_tracked(nodes: tuple[Node, ...]) -> Mapping[str, Tracked]:
    draining = [node for node in nodes if node.drain_strategy is not None]
    return MappingProxyType({node.id: how for node in draining if (how := track(node)) is not None})


def _look_around(drainer: Drainer, state: State, now_ns: int) -> Reaction:
    index = state.index_of(ALLOCS)
    if any(last_index < index for last_index in drainer.jobs.values()):
        return _look_at_jobs(drainer, state, index, now_ns)
    due_ns = find_next_due(drainer)
    if due_ns is not None and due_ns <= now_ns:
        return _meet_deadlines(drainer, state, due_ns, now_ns)
    return Reaction(drainer, is_settled=True)


def _look_at_jobs(drainer: Drainer, state: State, index: int, now_ns: int) -> Reaction:
    """Look at all jobs: tell some allocs to move, end drains of emptied nodes, forget jobs that are done."""
    looks: dict[JobKey, JobLook] = {}
    for key, last_index in sorted(drainer.jobs.items()):
        job = state.find_job(*key)
        if job is not None and job.type != JobType.SYSTEM:
            looks[key] = look_at_job(state, job, last_index)
    jobs = {key: index for key, look in looks.items() if not look.is_over}
    emptied = {node_id for look in looks.values() for node_id in look.migrated_from}
    finishing = tuple(
        node_id for node_id in sorted(emptied & set(drainer.nodes)) if is_drained(state, state.nodes[node_id])
    )
    looked = replace(drainer, jobs=HashTrieMap(jobs), finishing=finishing, is_late=False)
    return Reaction(_collect(looked, (each for look in looks.values() for each in look.chosen), now_ns))


def _collect(drainer: Drainer, alloc_ids: Iterable[str], now_ns: int) -> Drainer:
    marks = drainer.marks.union(alloc_ids)
    return replace(drainer, marks=marks, batch_at_ns=now_ns + BATCH_NS if marks else 0)


def _meet_deadlines(drainer: Drainer, state: State, due_ns: int, now_ns: int) -> Reaction:
    """Tell all that remains on the due nodes to move; when that is written their drains end (DRAIN-13)."""
    due = sorted(
        node_id
        for node_id, how in drainer.nodes.items()
        if how.deadline_ns is not None and how.deadline_ns <= due_ns
    )
    remaining = [alloc.id for node_id in due for alloc in list_remaining(state, state.nodes[node_id])]
    met = replace(drainer, finishing=tuple(due), is_late=True)
    return Reaction(_collect(met, remaining, now_ns))


def _finish(drainer: Drainer, state: State, now_ns: int, make_id: MakeId) -> Reaction:
    """End drains: what remains is told to go at once, and the strategies go right after (DRAIN-12)."""
    nodes = [state.nodes[node_id] for node_id in drainer.finishing if _still_drains(state, node_id)]
    left = () if drainer.is_late else [alloc.id for node in nodes for alloc in list_remaining(state, node)]
    marks = make_marks(state, left, now_ns, make_id)
    ends = make_ends([node.id for node in nodes], now_ns, is_late=drainer.is_late)
    kept = drainer.nodes
    for node in nodes:
        kept = kept.discard(node.id)
    return Reaction(replace(drainer, nodes=kept, finishing=(), is_late=False), marks + ends)


def _list_unmarked(drainer: Drainer, state: State) -> tuple[str, ...]:
    """List what is left on the nodes whose deadline has passed and was not told to migrate."""
    nodes = [state.nodes[node_id] for node_id in drainer.finishing if _still_drains(state, node_id)]
    left = (alloc for node in nodes for alloc in list_remaining(state, node))
    return tuple(alloc.id for alloc in left if drainer.is_late and not alloc.desired_transition.migrate)


def _still_drains(state: State, node_id: str) -> bool:
    node = state.find_node(node_id)
    return node is not None and is_draining(node)
