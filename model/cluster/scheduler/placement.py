"""Places what the reconciler of services and batches asks for, one request after the other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from msgspec.structs import replace

from nomadspec.model.cluster.entities import (
    Allocation,
    AllocClient,
    AllocDeploymentStatus,
    AllocMetric,
    Deployment,
    DesiredDescription,
    DesiredUpdates,
    Job,
    LastReschedule,
    Node,
    RescheduleTracker,
    TaskGroup,
)
from nomadspec.model.cluster.entities.allocation import is_terminal
from nomadspec.model.cluster.entities.deployment import is_active
from nomadspec.model.cluster.entities.node import is_ready
from nomadspec.model.cluster.policy.names import NameIndex, compute_name, find_index
from nomadspec.model.cluster.policy.reschedule import list_events, record_reschedule
from nomadspec.model.cluster.scheduler.allocations import make_alloc
from nomadspec.model.cluster.scheduler.annotations import count_preemptions
from nomadspec.model.cluster.scheduler.choices import IdKind
from nomadspec.model.cluster.scheduler.context import Context
from nomadspec.model.cluster.scheduler.failures import coalesce, note_exhausted
from nomadspec.model.cluster.scheduler.feasibility.candidates import Candidates, find_candidates
from nomadspec.model.cluster.scheduler.in_place import NodeSearch
from nomadspec.model.cluster.scheduler.reasons import Requested
from nomadspec.model.cluster.scheduler.requests import (
    DestructiveRequest,
    PlacementRequest,
    Selected,
    SelectOptions,
)
from nomadspec.model.cluster.scheduler.stable_version import Downgrade, find_downgrade
from nomadspec.model.specification.quirks import (
    FORGOTTEN_RESCHEDULE,
    NOTED_AGAIN,
    REWRITTEN_FAILURE,
    SILENT_RESCHEDULE,
    SPENT_BY_A_NOTE,
    SPENT_NAMES,
    STRAY_DEPLOYMENT,
)


class JobSearch(NodeSearch, Protocol):
    """A search for nodes that can be pointed to another version of the job."""

    def set_job(self, job: Job) -> None:
        """Point it to a version of the job."""


@dataclass(slots=True)
class Placer:
    """Places requests, and keeps what one attempt has to remember of them."""

    context: Context
    search: JobSearch
    job: Job
    deployment: Deployment | None
    names: dict[str, NameIndex]
    desired: Mapping[str, DesiredUpdates]
    failed: dict[str, AllocMetric] = field(default_factory=dict)
    """Of each group that could not be placed the metrics of its first failure."""
    candidates: Candidates = field(init=False)
    deployment_id: str = field(init=False)
    """What new allocations are marked with; a downgrade changes it for all that come after.

    Spec: GENERIC-26, GENERIC-28, 04/S-07.
    """

    def __post_init__(self) -> None:
        """Begin with the current deployment and the candidates of the current version."""
        self.deployment_id = self._find_usual_deployment_id()
        self.candidates = find_candidates(self.context.snapshot, self.job)

    def place_all(
        self, destructive: Sequence[DestructiveRequest], placements: Sequence[PlacementRequest]
    ) -> None:
        """Place all requests: what replaces a running allocation comes first.

        Spec: GENERIC-25, RANK-09.
        """
        replacing = [
            PlacementRequest(name=update.name, group=update.group, previous=update.alloc)
            for update in destructive
        ]
        self.context.reasons.note_requests([_tell(request) for request in (*replacing, *placements)])
        self._offer(self.candidates)
        for request in replacing:
            self._place(request, is_destructive=True)
        for request in placements:
            self._place(request, is_destructive=False)

    def _find_usual_deployment_id(self) -> str:
        deployment = self.deployment
        return deployment.id if deployment and is_active(deployment) else ""

    def _offer(self, candidates: Candidates) -> None:
        self.search.set_nodes(self.context.choices.next_node_order(candidates.nodes))

    def _place(self, request: PlacementRequest, *, is_destructive: bool) -> None:
        self.context.reasons.begin_request(_tell(request), self._find_name(request)[0])
        downgrade = find_downgrade(self.context.snapshot, self.job, request)
        if downgrade is not None:
            self.deployment_id = downgrade.deployment_id
        elif not self.context.profile.has(STRAY_DEPLOYMENT):
            self.deployment_id = self._find_usual_deployment_id()
        group = downgrade.group if downgrade else request.group
        if group.name in self.failed:
            self._coalesce(request, group)
            return
        if is_destructive and request.previous is not None:
            self.context.plan.append_stop(request.previous, DesiredDescription.UPDATING)
        selected, metrics = self._search_as(downgrade, group, request)
        if selected is None:
            self._note_failure(request, group, metrics, is_destructive=is_destructive)
        else:
            self._add(request, group, downgrade, selected, metrics)

    def _coalesce(self, request: PlacementRequest, group: TaskGroup) -> None:
        """Count one more failure of a group that failed before.

        Spec: GENERIC-30, 04/S-03.
        """
        self.failed[group.name] = coalesce(self.failed[group.name], group)
        is_forgotten = self.context.profile.has(FORGOTTEN_RESCHEDULE)
        if request.previous is not None and request.is_reschedule and not is_forgotten:
            self._mark_not_rescheduled(request.previous)

    def _search_as(
        self, downgrade: Downgrade | None, group: TaskGroup, request: PlacementRequest
    ) -> tuple[Selected | None, AllocMetric]:
        """Search among the candidates of the version that is placed, then offer the usual ones again.

        Spec: GENERIC-27, RANK-08.
        """
        job, usual = (downgrade.job if downgrade else self.job), self.candidates
        has_moved = (job.node_pool, set(job.datacenters)) != (self.job.node_pool, set(self.job.datacenters))
        if downgrade is not None:
            self.search.set_job(job)
        if has_moved:
            self.candidates = find_candidates(self.context.snapshot, job)
            self._offer(self.candidates)
        selected = self._search(group, request)
        metrics = self.context.metrics.build(
            nodes_available=self.candidates.by_datacenter,
            nodes_in_pool=len(self.candidates.nodes),
            node_pool=self.job.node_pool,
        )
        if downgrade is not None:
            self.search.set_job(self.job)
        if has_moved:
            self.candidates = usual
            self._offer(usual)
        return selected, metrics

    def _search(self, group: TaskGroup, request: PlacementRequest) -> Selected | None:
        """Search without eviction, then with it.

        Spec: GENERIC-34, RANK-14, RANK-77.
        """
        options = SelectOptions(
            alloc_name=request.name,
            penalty_nodes=list_penalty_nodes(request.previous),
            preferred_nodes=self._find_preferred(request),
        )
        selected = self.search.select(group, options)
        if selected is None and self._may_preempt():
            selected = self.search.select(group, replace(options, preempt=True))
        return selected

    def _find_name(self, request: PlacementRequest) -> tuple[str, NameIndex | None]:
        """Find the name that is next to be given, and what is then left of the index if it changes.

        It is what was asked for, unless another allocation has that as well.

        Spec: GENERIC-36, REC-65, X-77.
        """
        group = request.group.name
        index = self.names.get(group)
        number = find_index(request.name, self.job.id, group)
        if index is None or not index.is_duplicate(number):
            return request.name, None
        (name,), index = index.with_next(1)
        if not self.context.profile.has(SPENT_NAMES):
            name = self._find_own_name(request, name)
        return name, index.without(number)

    def _find_own_name(self, request: PlacementRequest, name: str) -> str:
        """Find a name that no other allocation of the version has; the given one where there is none left.

        Spec: REC-58, REC-60, X-77.
        """
        downgrade = find_downgrade(self.context.snapshot, self.job, request)
        job, group, plan = (downgrade.job if downgrade else self.job), request.group, self.context.plan
        stopped = {alloc.id for entries in plan.node_update.values() for alloc in entries}
        known = self.context.snapshot.list_allocs_of_job(job.namespace, job.id)
        planned = (alloc for entries in plan.node_allocation.values() for alloc in entries)
        taken = {
            alloc.name
            for alloc in (*known, *planned)
            if alloc.task_group == group.name and (alloc.job or self.job).version == job.version
            if not (alloc.id in stopped or is_terminal(alloc))
        }
        own = (compute_name(job.id, group.name, index) for index in range(group.count))
        return name if name not in taken else next((each for each in own if each not in taken), name)

    def _give_name(self, request: PlacementRequest) -> str:
        """Give the name that is next, and keep what is left of the index.

        Spec: GENERIC-36, REC-65.
        """
        name, index = self._find_name(request)
        if index is not None:
            self.names[request.group.name] = index
        return name

    def _find_preferred(self, request: PlacementRequest) -> tuple[Node, ...]:
        """Find the node whose disk the allocation should have again.

        The disk is that of the current version, also where an older one is placed.

        Spec: GENERIC-31, RANK-12.
        """
        previous, disk = request.previous, request.group.ephemeral_disk
        if previous is None or previous.job is None or disk is None or not (disk.sticky or disk.migrate):
            return ()
        if (previous.job.node_pool, previous.job.datacenters) != (self.job.node_pool, self.job.datacenters):
            return ()
        node = self.context.snapshot.find_node(previous.node_id)
        return (node,) if node is not None and is_ready(node) else ()

    def _may_preempt(self) -> bool:
        """True if evictions are allowed for jobs of this type; they are while nothing is configured.

        Spec: PREEMPT-01, OBJ-292.
        """
        configuration = self.context.configuration
        if configuration is None:
            return True
        preemption = configuration.preemption_config
        if self.job.type == "batch":
            return preemption.batch_scheduler_enabled
        return preemption.service_scheduler_enabled

    def _add(
        self,
        request: PlacementRequest,
        group: TaskGroup,
        downgrade: Downgrade | None,
        selected: Selected,
        metrics: AllocMetric,
    ) -> None:
        """Add the new allocation to the plan, and the evictions that it needs.

        Spec: GENERIC-34, GENERIC-35.
        """
        context, previous = self.context, request.previous
        alloc = make_alloc(
            context.choices.next_id(IdKind.ALLOCATION),
            self._give_name(request),
            group.name,
            evaluation=context.evaluation,
            node=selected.node,
            resources=selected.resources,
            metrics=metrics,
        )
        is_canary = request.is_canary and self.deployment is not None
        alloc = replace(
            alloc,
            deployment_id=self.deployment_id,
            deployment_status=AllocDeploymentStatus(canary=True) if is_canary else None,
            previous_allocation=previous.id if previous else "",
            preempted_allocations=tuple(each.id for each in selected.preempted),
        )
        if request.is_reschedule and previous is not None:
            alloc = replace(alloc, reschedule_tracker=record_reschedule(previous, context.now_ns))
            self._mark_rescheduled(previous)
        for evicted in selected.preempted:
            context.plan.append_preempted(evicted, alloc.id)
        self.desired = count_preemptions(self.desired, group.name, len(selected.preempted))
        context.plan.append_alloc(alloc, downgrade.job if downgrade else None)

    def _mark_rescheduled(self, previous: Allocation) -> None:
        """Say on the allocation that failed, where it stands in the plan, that it has a successor.

        Spec: GENERIC-37, 04/S-15.
        """
        plan = self.context.plan
        marked = self._with_last_reschedule(previous, LastReschedule.OK)
        if not self.context.profile.has(SILENT_RESCHEDULE):
            marked = replace(marked, desired_description=DesiredDescription.RESCHEDULED)
        if not plan.replace_entry(plan.node_update, marked):
            self._mark_update(previous, LastReschedule.OK)

    def _mark_update(self, previous: Allocation, how: LastReschedule) -> bool:
        """Mark an allocation where it stands among the updates, maybe as unknown; true if it does."""
        plan = self.context.plan
        updates = plan.node_allocation.get(previous.node_id, ())
        entry = next((entry for entry in updates if entry.id == previous.id), None)
        if entry is None:
            return False
        return plan.replace_entry(plan.node_allocation, self._with_last_reschedule(entry, how))

    def _note_failure(
        self, request: PlacementRequest, group: TaskGroup, metrics: AllocMetric, *, is_destructive: bool
    ) -> None:
        """Note that no node was found, and take back what only made sense with one.

        Spec: GENERIC-33, GENERIC-38, GENERIC-39.
        """
        self.failed[group.name] = note_exhausted(metrics, group)
        if request.previous is None:
            return
        if is_destructive:
            self.context.plan.pop_stop(request.previous)
        elif request.is_reschedule:
            self._mark_not_rescheduled(request.previous)

    def _mark_not_rescheduled(self, previous: Allocation) -> None:
        """Keep the allocation that failed, and say on it that no place was found.

        Spec: GENERIC-38, 04/S-16, X-58.
        """
        plan, is_rewritten = self.context.plan, self.context.profile.has(REWRITTEN_FAILURE)
        tracker = previous.reschedule_tracker
        is_said = tracker is not None and tracker.last_reschedule == LastReschedule.NO_PLACEMENT
        is_news = self.context.profile.has(NOTED_AGAIN) or not is_said
        if not self._mark_update(previous, LastReschedule.NO_PLACEMENT) and is_news:
            marked = self._with_last_reschedule(previous, LastReschedule.NO_PLACEMENT)
            plan.append_alloc(marked, self.job if is_rewritten else previous.job)
        if is_rewritten:
            plan.pop_stop(previous)
        else:
            plan.drop_stop(previous)

    def _with_last_reschedule(self, alloc: Allocation, how: LastReschedule) -> Allocation:
        """Note how the last attempt went; a tracker without a list of events counts as used up.

        Spec: RESCHED-10, 01/S11.
        """
        tracker = alloc.reschedule_tracker or RescheduleTracker()
        if not self.context.profile.has(SPENT_BY_A_NOTE):
            tracker = replace(tracker, events=tracker.events or ())
        return replace(alloc, reschedule_tracker=replace(tracker, last_reschedule=how))


def list_penalty_nodes(previous: Allocation | None) -> frozenset[str]:
    """List the nodes on which an allocation or its predecessors failed.

    Spec: GENERIC-32, RANK-11.
    """
    if previous is None:
        return frozenset()
    earlier = {event.prev_node_id for event in list_events(previous.reschedule_tracker)}
    failed_here = {previous.node_id} if previous.client_status == AllocClient.FAILED else set[str]()
    return frozenset(earlier | failed_here)


def count_requests(
    destructive: Iterable[DestructiveRequest], placements: Iterable[PlacementRequest]
) -> dict[str, int]:
    """Count what is asked for, by group.

    Spec: GENERIC-21.
    """
    asked = [request.group.name for request in destructive]
    asked += [request.group.name for request in placements]
    return dict(Counter(asked))


def _tell(request: PlacementRequest) -> Requested:
    return Requested(
        group=request.group.name,
        alloc_name=request.name,
        previous=request.previous.id if request.previous else "",
        is_canary=request.is_canary,
    )
