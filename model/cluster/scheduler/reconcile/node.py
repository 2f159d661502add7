"""Compares what runs on each node with what shall run there, for jobs that run on every node."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from nomadspec.model.cluster.entities import (
    Allocation,
    AllocState,
    Deployment,
    DeploymentStatusUpdate,
    Job,
    JobType,
    Node,
    TaskGroup,
)
from nomadspec.model.cluster.entities.allocation import is_terminal, should_migrate
from nomadspec.model.cluster.entities.job import is_stopped
from nomadspec.model.cluster.scheduler.choices import Choices
from nomadspec.model.cluster.scheduler.feasibility.candidates import Candidates
from nomadspec.model.cluster.scheduler.reasons import Bucketed, ReasonLog
from nomadspec.model.cluster.scheduler.reconcile.node_buckets import (
    KEEPING_ROWS,
    LiveCase,
    NodeBucket,
    classify_live,
)
from nomadspec.model.cluster.scheduler.reconcile.system_deployments import SystemDeployments, Visited
from nomadspec.model.cluster.scheduler.tainted import Tainted
from nomadspec.model.specification.profiles import Profile
from nomadspec.model.specification.quirks import UNREPLACED_STOP, UNVISITED_DEPLOYMENT

_RAN_BEFORE: Final = "it has run there, and such a job runs once"
_MISSING: Final = "nothing runs there under its name"


class NodeEntry(Struct, frozen=True, kw_only=True):
    """What has to be done for one name on one node."""

    name: str
    group: TaskGroup
    """That of the job; of a group that the job has no longer only the name is known."""
    alloc: Allocation
    """What is there, or was there last; where there is neither, a blank one that only knows the node."""
    is_canary: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeInput:
    """All that the reconciler looks at.

    Spec: NODE-01.
    """

    job: Job | None
    """The job; None when it was purged."""
    candidates: Candidates
    """The nodes that the job may use; none for a job that is stopped."""
    tainted: Tainted
    allocs: tuple[Allocation, ...]
    deployment: Deployment | None
    """The latest deployment; none for jobs that run once."""
    now_ns: int
    choices: Choices
    reasons: ReasonLog
    profile: Profile


Buckets = Mapping[NodeBucket, tuple[NodeEntry, ...]]


class NodeReconciled(Struct, frozen=True, kw_only=True):
    """What has to be done, each list in the order in which nodes are visited.

    Spec: NODE-01, SYSDEP-09.
    """

    buckets: Buckets
    deployment: Deployment | None = None
    deployment_updates: tuple[DeploymentStatusUpdate, ...] = ()


def list_required(job: Job | None) -> Mapping[str, TaskGroup]:
    """List the names that shall run on every node, with their groups.

    Spec: NODE-05.
    """
    if job is None or is_stopped(job):
        return {}
    return {
        f"{job.name}.{group.name}[{number}]": group
        for group in job.task_groups
        for number in range(group.count)
    }


def is_outdated(alloc: Allocation, job: Job | None) -> bool:
    """True while an allocation runs another specification than that of the job now.

    Spec: NODE-16, VERS-02.
    """
    own = alloc.job or Job()
    return job is not None and own.job_modify_index != job.job_modify_index


def reconcile_nodes(call: NodeInput) -> NodeReconciled:
    """Visit every node that runs something of the job or may do so, and say what has to be done there.

    Spec: NODE-01, NODE-03, NODE-04, SYSDEP-05, SYSTEM-39, X-54.
    """
    visit = _Visit(call)
    nodes = {*visit.live, *visit.eligible}
    if not nodes and not call.profile.has(UNVISITED_DEPLOYMENT):
        visit.deployments.retire()
    for node_id in call.choices.ordered(nodes):
        visit.deployments.retire()
        visit.visit(node_id)
    return NodeReconciled(
        buckets={bucket: tuple(entries) for bucket, entries in visit.found.items()},
        deployment=visit.deployments.settle(call.candidates.nodes),
        deployment_updates=tuple(visit.deployments.updates),
    )


@dataclass(slots=True)
class _Visit:
    """The visit of all nodes, and what it has found so far."""

    call: NodeInput
    required: Mapping[str, TaskGroup] = field(init=False)
    eligible: Mapping[str, Node] = field(init=False)
    live: Mapping[str, list[Allocation]] = field(init=False)
    ended: Mapping[str, Mapping[str, Allocation]] = field(init=False)
    deployments: SystemDeployments = field(init=False)
    found: dict[NodeBucket, list[NodeEntry]] = field(init=False)

    def __post_init__(self) -> None:
        call = self.call
        self.required = list_required(call.job)
        self.eligible = {node.id: node for node in call.candidates.nodes}
        self.live = _group_live(call.allocs)
        self.ended = _find_last_ended(call.allocs)
        self.deployments = SystemDeployments(
            call.job, call.deployment, call.now_ns, call.choices, profile=call.profile
        )
        self.found = {bucket: [] for bucket in NodeBucket}

    def visit(self, node_id: str) -> None:
        ended = self.ended.get(node_id, {})
        visited = Visited(live=tuple(self.live.get(node_id, ())), ended=tuple(ended.values()))
        for alloc in visited.live:
            self._sort_live(alloc, visited)
        leaving = {alloc.name: alloc for alloc in visited.live if self._is_replaced_at_once(alloc)}
        present = {alloc.name for alloc in visited.live} - leaving.keys()
        last = {**ended, **leaving}
        for name in self.call.choices.ordered(self.required):
            group = self.required[name]
            if name in present or self._fill(node_id, name, group, last.get(name), visited):
                self.deployments.join(group, visited)

    def _sort_live(self, alloc: Allocation, visited: Visited) -> None:
        """Put a live allocation into its bucket.

        Spec: NODE-17, NODE-24, NODE-25, NODE-29.
        """
        row = classify_live(self._describe(alloc))
        group = self.required.get(alloc.name) or TaskGroup(name=alloc.task_group)
        is_canary = False
        if row.bucket is NodeBucket.UPDATE:
            visited.updates += 1
            is_canary = self.deployments.is_unpromoted(group)
        elif row.bucket is NodeBucket.RECONNECTING:
            alloc = _note_return(alloc, self.call.now_ns)
        elif row.bucket is NodeBucket.IGNORE:
            self.deployments.has_kept_some |= row.rule in KEEPING_ROWS
        entry = NodeEntry(name=alloc.name, group=group, alloc=alloc, is_canary=is_canary)
        self._put(row.bucket, row.rule, entry, row.why)

    def _is_replaced_at_once(self, alloc: Allocation) -> bool:
        """True while an allocation does not stand in the way of its successor.

        Spec: NODE-24, NODE-26, 05/S5.
        """
        if not should_migrate(alloc) or _runs_once(self.call.job):
            return False
        return not self.call.profile.has(UNREPLACED_STOP)

    def _describe(self, alloc: Allocation) -> LiveCase:
        call, node_id = self.call, alloc.node_id
        return LiveCase(
            alloc=alloc,
            now_ns=call.now_ns,
            is_required=alloc.name in self.required,
            is_tainted=node_id in call.tainted,
            node=call.tainted.get(node_id),
            is_not_ready=node_id in call.candidates.not_ready,
            is_eligible=node_id in self.eligible,
            is_outdated=is_outdated(alloc, call.job),
            profile=call.profile,
        )

    def _fill(
        self, node_id: str, name: str, group: TaskGroup, ended: Allocation | None, visited: Visited
    ) -> bool:
        """Look after a name that nothing runs under; true if it is placed.

        Spec: NODE-20, NODE-21, NODE-22, NODE-23, NODE-26, NODE-27, SYSDEP-19.
        """
        if ended is not None and _runs_once(self.call.job):
            is_changed = is_outdated(ended, self.call.job)
            visited.updates += is_changed
            bucket = NodeBucket.UPDATE if is_changed else NodeBucket.IGNORE
            self._put(bucket, "NODE-20", NodeEntry(name=name, group=group, alloc=ended), _RAN_BEFORE)
            return False
        if node_id in self.call.tainted or node_id not in self.eligible:
            return False
        alloc = ended or Allocation(node_id=node_id)
        self._put(NodeBucket.PLACE, "NODE-23", NodeEntry(name=name, group=group, alloc=alloc), _MISSING)
        return True

    def _put(self, bucket: NodeBucket, rule: str, entry: NodeEntry, why: str) -> None:
        self.found[bucket].append(entry)
        alloc, reasons = entry.alloc, self.call.reasons
        if reasons.is_on and alloc.id:
            reasons.note_bucket(
                Bucketed(
                    alloc_id=alloc.id,
                    group=entry.group.name,
                    bucket=bucket,
                    rule=rule,
                    why=why,
                    operands={
                        "desired": alloc.desired_status,
                        "client": alloc.client_status,
                        "is_tainted": alloc.node_id in self.call.tainted,
                        "is_eligible": alloc.node_id in self.eligible,
                        "is_outdated": is_outdated(alloc, self.call.job),
                    },
                )
            )


def _runs_once(job: Job | None) -> bool:
    return job is not None and job.type == JobType.SYSBATCH


def _group_live(allocs: Iterable[Allocation]) -> Mapping[str, list[Allocation]]:
    found: dict[str, list[Allocation]] = {}
    for alloc in allocs:
        if not is_terminal(alloc):
            found.setdefault(alloc.node_id, []).append(alloc)
    return found


def _find_last_ended(allocs: Iterable[Allocation]) -> Mapping[str, Mapping[str, Allocation]]:
    """Find, by node and name, the allocation that was created last among those that ended."""
    found: dict[str, dict[str, Allocation]] = {}
    for alloc in filter(is_terminal, allocs):
        names = found.setdefault(alloc.node_id, {})
        known = names.get(alloc.name)
        if known is None or known.create_index < alloc.create_index:
            names[alloc.name] = alloc
    return found


def _note_return(alloc: Allocation, now_ns: int) -> Allocation:
    """Write down that an allocation has reconnected.

    Spec: NODE-09.
    """
    state = AllocState(value=alloc.client_status, time_ns=now_ns)
    return replace(alloc, alloc_states=(*alloc.alloc_states, state))
