"""Puts a job on the nodes that miss it, one node after the other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from msgspec.structs import replace

from nomadspec.model.cluster.entities import (
    Allocation,
    AllocDeploymentStatus,
    AllocMetric,
    Deployment,
    Evaluation,
    Job,
    Node,
)
from nomadspec.model.cluster.entities.allocation import is_terminal
from nomadspec.model.cluster.scheduler.allocations import make_alloc
from nomadspec.model.cluster.scheduler.choices import IdKind
from nomadspec.model.cluster.scheduler.context import Context
from nomadspec.model.cluster.scheduler.evaluations import make_blocked
from nomadspec.model.cluster.scheduler.failures import coalesce, note_exhausted
from nomadspec.model.cluster.scheduler.feasibility.candidates import Candidates
from nomadspec.model.cluster.scheduler.in_place import NodeSearch
from nomadspec.model.cluster.scheduler.reasons import Requested
from nomadspec.model.cluster.scheduler.reconcile.node import NodeEntry
from nomadspec.model.cluster.scheduler.requests import Selected, SelectOptions
from nomadspec.model.cluster.scheduler.system_tally import Tally, merge_filtered
from nomadspec.model.specification.quirks import UNREACHABLE_TOTALS, WRAPPED_COUNT


class JobSearch(NodeSearch, Protocol):
    """A search for nodes that is pointed to a job."""

    def set_job(self, job: Job) -> None:
        """Point it to a version of the job."""


def count_queued(job: Job | None, entries: Sequence[NodeEntry], *, is_run_once: bool) -> dict[str, int]:
    """Count what is about to be placed; jobs that run once leave out groups that place nothing.

    Spec: SYSTEM-24.
    """
    asked = Counter(entry.group.name for entry in entries)
    if job is None or (is_run_once and asked):
        return dict(asked)
    return {group.name: asked[group.name] for group in job.task_groups}


@dataclass(slots=True)
class SystemPlacer:
    """Places entries, and keeps what one pass has to remember of them."""

    context: Context
    search: NodeSearch
    candidates: Candidates
    deployment: Deployment | None
    deployment_id: str
    """What new allocations are marked with."""
    queued: dict[str, int]
    tallies: Mapping[str, Tally]
    block: Callable[[Evaluation], None]
    """Writes an evaluation that waits until there is room: at once, whatever becomes of the pass.

    Spec: SYSTEM-31.
    """
    stranded: frozenset[str] = frozenset()
    """The groups whose new version no node can take: what they run stays."""
    failed: dict[str, AllocMetric] = field(default_factory=dict)
    """Of each group that could not be placed what is known of it."""
    preemptions: Counter[str] = field(default_factory=Counter)
    """How many allocations each group evicts."""
    placed: list[Allocation] = field(default_factory=list)
    _filtered: dict[str, AllocMetric] = field(default_factory=dict)

    def place_all(self, entries: Iterable[NodeEntry]) -> None:
        """Try each entry on its own node; one whose node the job may not use is passed over.

        Spec: SYSTEM-25, SYSTEM-26, SYS-02.
        """
        nodes = {node.id: node for node in self.candidates.nodes}
        for entry in entries:
            if entry.alloc.node_id in nodes:
                self._place(entry, nodes[entry.alloc.node_id])

    def _place(self, entry: NodeEntry, node: Node) -> None:
        self.context.reasons.begin_request(
            Requested(
                group=entry.group.name,
                alloc_name=entry.name,
                previous=entry.alloc.id,
                is_canary=entry.is_canary,
                node_id=node.id,
            )
        )
        self.search.set_nodes((node,))
        selected = self.search.select(entry.group, SelectOptions(alloc_name=entry.name))
        if selected is not None:
            self._add(entry, selected)
        elif self.context.metrics.nodes_filtered > 0:
            self._note_filtered(entry)
        else:
            self._note_exhausted(entry, node)
        if selected is None and self._goes_on(entry):
            self.context.plan.take_back_stop(entry.alloc)

    def _goes_on(self, entry: NodeEntry) -> bool:
        """True where what was to be replaced stays, since no node can take what should follow it.

        Spec: X-52.
        """
        return bool(entry.alloc.id) and entry.group.name in self.stranded and not is_terminal(entry.alloc)

    def _add(self, entry: NodeEntry, selected: Selected) -> None:
        """Add the new allocation to the plan, and the evictions that it needs.

        Spec: SYSTEM-33.
        """
        context = self.context
        alloc = make_alloc(
            context.choices.next_id(IdKind.ALLOCATION),
            entry.name,
            entry.group.name,
            evaluation=context.evaluation,
            node=selected.node,
            resources=selected.resources,
            metrics=self._build_metrics(),
        )
        is_canary = entry.is_canary and self.deployment is not None
        alloc = replace(
            alloc,
            deployment_id=self.deployment_id,
            deployment_status=AllocDeploymentStatus(canary=True) if is_canary else None,
            previous_allocation=entry.alloc.id,
            preempted_allocations=tuple(each.id for each in selected.preempted),
        )
        for evicted in selected.preempted:
            context.plan.append_preempted(evicted, alloc.id)
        self.preemptions[entry.group.name] += len(selected.preempted)
        context.plan.append_alloc(alloc)
        self.placed.append(alloc)

    def _build_metrics(self, node_pool: str = "") -> AllocMetric:
        return self.context.metrics.build(
            nodes_available=self.candidates.by_datacenter,
            nodes_in_pool=len(self.candidates.nodes),
            node_pool=node_pool,
        )

    def _note_filtered(self, entry: NodeEntry) -> None:
        """Note that a node cannot host the group at all; only a group that runs nowhere has failed.

        Spec: SYSTEM-28, 05/S15.
        """
        group = entry.group.name
        self._count_down(entry)
        if not entry.alloc.id or self.context.profile.has(WRAPPED_COUNT):
            self.tallies[group].place -= 1
        self.queued[group] -= 1
        self._filtered[group] = merge_filtered(self._filtered.get(group), self._build_metrics())
        if self.queued[group] <= 0 and not self.tallies[group].has_existing:
            self.failed[group] = self._filtered[group]

    def _note_exhausted(self, entry: NodeEntry, node: Node) -> None:
        """Note that a node has too little left; the first of a group gets an evaluation that waits for it.

        Spec: SYSTEM-29, SYSTEM-31, SYSTEM-32.
        """
        context, group = self.context, entry.group
        self._count_down(entry)
        if group.name in self.failed:
            self.failed[group.name] = coalesce(self.failed[group.name], group)
            return
        metrics = self._build_metrics(context.job.node_pool if context.job else "")
        self.failed[group.name] = note_exhausted(metrics, group)
        eval_id = context.choices.next_id(IdKind.EVALUATION)
        self.block(make_blocked(context, eval_id, dict(self.failed), node_id=node.id))

    def _count_down(self, entry: NodeEntry) -> None:
        """Count a node no longer that cannot get the group.

        Spec: SYSTEM-30, SYSDEP-10, SYSDEP-11, SYSDEP-12, X-52.
        """
        if self.context.profile.has(UNREACHABLE_TOTALS) or self._goes_on(entry):
            return
        tally = self.tallies[entry.group.name]
        tally.candidates -= 1
        tally.destructive -= bool(entry.alloc.id)
