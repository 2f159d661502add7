"""Judges drains that had to end and did not: their node was empty, or their deadline had passed."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from nomadspec.checkers.oracle.explain.redelivered_calls import ELECTED
from nomadspec.checkers.oracle.judgement import Difference
from nomadspec.checkers.oracle.trace_replay import Replay, Step
from nomadspec.checkers.oracle.trace_window import read_time
from nomadspec.model.cluster.components.drain_look import is_drained, is_held_back, list_blocking_jobs
from nomadspec.model.cluster.components.drainer import COALESCE_NS
from nomadspec.model.cluster.entities import Allocation, JobType, Node
from nomadspec.model.cluster.entities.job import find_group
from nomadspec.model.cluster.entities.node import is_draining
from nomadspec.model.cluster.entities.scalar import NS_PER_S
from nomadspec.model.cluster.store import State
from nomadspec.model.cluster.store.tables import JobKey

_NEAR: Final = 40
_SOON_NS: Final = 5 * NS_PER_S
"""So many entries and so much time later a drain that is due has ended."""
_BATCH_NS: Final = NS_PER_S
"""So long marks are gathered before they are written."""


class _Due(NamedTuple):
    """Since when a drain has to end: the place among the entries, and the time."""

    at: int
    since_ns: int


class _Told(NamedTuple):
    """What the drainer was told when it began to track a node."""

    is_empty: bool
    """Whether nothing was left to wait for."""
    jobs: frozenset[JobKey]
    """The jobs that it looks at since."""


@dataclass(slots=True)
class _Drains:
    """The drains of a log under way, and which of them are due to end."""

    due: dict[str, _Due] = field(default_factory=dict)
    begun: dict[tuple[str, int], int] = field(default_factory=dict)
    """By which entries drains have begun."""
    now_ns: int = 0
    _told: dict[tuple[str, int], _Told] = field(default_factory=dict)
    _is_timed: bool = True
    """Whether an entry has told the time since a leader was elected."""
    _nodes: object = None
    _draining: Sequence[Node] = ()

    def see(self, at: int, step: Step) -> Iterator[Node]:
        """See an entry, and list the nodes whose drains are overdue by then."""
        state, time_ns = step.applied.state, read_time(step.typed.entry.request)
        self.now_ns = max(self.now_ns, time_ns)
        self._is_timed = step.typed.type != ELECTED and (self._is_timed or time_ns > 0)
        if not self._is_timed:
            self._told, self.due = {}, {}  # the next leader tracks all nodes anew
            return
        if state.nodes is not self._nodes:
            self._nodes = state.nodes
            self._draining = [node for node in state.list_nodes() if is_draining(node)]
        found = ((node.id, self._find_due(state, node)) for node in self._draining)
        self.due = {
            name: self.due.get(name, _Due(at, since_ns)) for name, since_ns in found if since_ns is not None
        }
        yield from (node for node in self._draining if self._is_overdue(self.due.get(node.id), at))

    def _is_overdue(self, due: _Due | None, at: int) -> bool:
        return due is not None and at - due.at >= _NEAR and self.now_ns - due.since_ns > _SOON_NS

    def list_left(self, ended_ns: int) -> Iterator[Node]:
        """List the nodes whose drains were due before the end of a recording."""
        for node in self._draining if self._is_timed else ():
            due = self.due.get(node.id)
            since_ns = due.since_ns if due is not None else self._find_deadline(node)
            if since_ns is not None and since_ns < ended_ns:
                yield node

    def _find_due(self, state: State, node: Node) -> int | None:
        """Find since when a drain has to end; None where it need not."""
        name, is_empty = _name(node), is_drained(state, node)
        if name not in self._told:
            self.begun.setdefault(name, state.latest_index)
            jobs = frozenset(list_blocking_jobs(state, node))
            self._told[name] = _Told(is_empty, jobs)
        deadline_ns = self._find_deadline(node)
        if deadline_ns is not None and deadline_ns <= self.now_ns:
            return deadline_ns
        told = self._told[name]
        if not is_empty:
            return None
        if told.is_empty:
            return max(_find_start(node), self.now_ns)
        return self._find_end(state, node, told.jobs)

    def _find_end(self, state: State, node: Node, jobs: Container[JobKey]) -> int | None:
        """Find when the drainer was told that the last allocation of a node has ended; None where it was not.

        It looks at the jobs that were live on the node; of others it is not told: of a job that is gone or
        was registered anew, of a group that is gone or has no migrate block, as those of sysbatch jobs, and
        of allocations that are deleted.

        Spec: DRAIN-03, DRAIN-06, DRAIN-07, DRAIN-08, DRAIN-12.
        """
        last = max(_list_awaited(state, node), key=lambda alloc: alloc.modify_index, default=None)
        if last is None or last.job is None or (last.namespace, last.job_id) not in jobs:
            return None
        if last.modify_index != state.latest_index and node.id not in self.due:
            return None
        job = state.find_job(last.namespace, last.job_id)
        if job is None or job.create_index != last.job.create_index:
            return None
        group = find_group(job, last.task_group)
        is_told = group is not None and (job.type == JobType.BATCH or group.migrate is not None)
        return max(last.modify_time_ns, self.now_ns) if is_told else None

    def _find_deadline(self, node: Node) -> int | None:
        """Find when the drainer meets the deadline of a node at the latest.

        It waits for deadlines that come a little later. A deadline that is now may be overlooked while other
        nodes have some.

        Spec: DRAIN-10, DRAIN-13, DRAIN-14, 09/S2.
        """
        strategy = node.drain_strategy
        if strategy is None:
            return None
        is_alone = len(self._draining) == 1
        if strategy.deadline_ns < 0:
            return strategy.started_at_ns + _BATCH_NS if is_alone else None
        deadline_ns = strategy.force_deadline_ns
        wait_ns = 0 if is_alone else COALESCE_NS
        return deadline_ns + wait_ns + _BATCH_NS if deadline_ns else None


def compare_drains(
    replay: Replay, stop_index: int, ended_ns: int | None, patience_ns: int
) -> Iterator[Difference]:
    """List drains that had to end and did not, on the way and, where it is known when that was, at the end.

    Spec: DRAIN-03, DRAIN-12, DRAIN-13.
    """
    drains = _Drains()
    told: set[tuple[str, int]] = set()
    for at, step in enumerate(replay.steps):
        if ended_ns is not None and step.typed.entry.index > stop_index:
            break
        told |= set(map(_name, drains.see(at, step)))
    if ended_ns is not None:
        told |= set(map(_name, drains.list_left(ended_ns - patience_ns)))
    for name in sorted(told):
        yield Difference(f"raft-log[{drains.begun[name]}]", "it drains", "the drain ends", "DRAIN-12")


def _name(node: Node) -> tuple[str, int]:
    """Name a drain: a node may be drained again."""
    return node.id, _find_start(node)


def _find_start(node: Node) -> int:
    return node.drain_strategy.started_at_ns if node.drain_strategy is not None else 0


def _list_awaited(state: State, node: Node) -> Iterator[Allocation]:
    """List the allocations that a drain of a node waits for."""
    for alloc in state.list_allocs_of_node(node.id):
        if alloc.job is not None and not is_held_back(alloc.job):
            yield alloc
