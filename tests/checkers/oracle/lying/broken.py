"""Servers that are broken in one condition: a job asked for something else all along, and nobody heeded it.

What is changed stands in every entry that holds the job. So all entries agree with each other, and what was
decided is what a server decides that does not look at the one condition.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from nomadspec.checkers.oracle.trace_log import TypedEntry
from nomadspec.checkers.oracle.trace_replay import Replay, read_run_clock, replay_log
from nomadspec.model.cluster.entities import (
    Affinity,
    Allocation,
    Constraint,
    Evaluation,
    Job,
    Spread,
    TaskGroup,
    VolumeRequest,
)
from nomadspec.model.cluster.entities.allocation import ClientDescription, DesiredDescription
from nomadspec.model.cluster.entities.network import NetworkResource, Port
from nomadspec.model.cluster.entities.policy import DisconnectStrategy
from nomadspec.model.cluster.entities.resources import RequestedDevice
from nomadspec.model.cluster.store import State
from nomadspec.model.cluster.store.requests import (
    AllocClientUpdate,
    AllocUpdateDesiredTransition,
    ApplyPlanResults,
    DeploymentUpdateStatus,
    EvalUpdate,
    JobRegister,
    NodeUpdateStatus,
)
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.checkers.oracle.deciding import replay_recorded
from tests.checkers.oracle.lying.plans import give_more, is_new
from tests.checkers.oracle.lying.telling import Lie, read_rest

Key = tuple[str, str]
UPDATING = "alloc is being updated due to job update"
HOUR_NS = 3_600_000_000_000
GROWN = 1
"""After so many reschedules a delay has grown."""
LEAST_PRIORITY = 5
"""Of a job that evicts nobody."""
Concerns = Callable[[Any, State, Job], bool]
"""Whether an entry decides by the condition, for a job as it was recorded."""
OfJob = Callable[[Job], Job]
OfAlloc = Callable[[Allocation], Any]


class Fault:
    """A condition that is not heeded: what the job asks for, and which entries are wrong then."""

    def __init__(self, concerns: Concerns, of_job: OfJob, resources: OfAlloc | None = None) -> None:
        self.concerns = concerns
        self.of_job = of_job
        self.resources = resources

    def tell(self, name: str) -> Iterator[Lie]:
        """Tell it of the first job of a recording that it concerns."""
        replay = replay_recorded(name)
        for key in dict.fromkeys(_list_keys(replay)):
            wrong = frozenset(self._list_wrong(replay, key))
            if wrong:
                yield Lie(name, min(wrong), self._rewrite(replay, key), wrong, read_rest(name))
                return

    def _list_wrong(self, replay: Replay, key: Key) -> Iterator[int]:
        """List the entries of the decision that comes first, and how it ended."""
        evals: set[str] = set()
        for step in replay.steps:
            index, request = step.typed.entry.index, step.typed.entry.request
            before = replay.find_state(index - 1)
            job = before.find_job(*key)
            if job is None or self.of_job(job) == job:
                continue
            if isinstance(request, EvalUpdate) and any(entry.id in evals for entry in request.evals):
                yield index
            elif not step.applied.error and self.concerns(request, before, job):
                evals.update({request.eval_id} if isinstance(request, ApplyPlanResults) else ())
                made = request.evals if isinstance(request, EvalUpdate) else ()
                evals.update(entry.previous_eval for entry in made)
                yield index

    def _rewrite(self, replay: Replay, key: Key) -> Replay:
        log = [self._rewrite_entry(step.typed, key) for step in replay.steps]
        return replay_log(log, NOMAD_2_0, read_run_clock)

    def _rewrite_entry(self, typed: TypedEntry, key: Key) -> TypedEntry:
        request: Any = typed.entry.request
        job = getattr(request, "job", None)
        if not isinstance(request, JobRegister | ApplyPlanResults | DeploymentUpdateStatus) or job is None:
            return typed
        if (job.namespace, job.id) != key:
            return typed
        changed = replace(request, job=self.of_job(job))
        if isinstance(changed, ApplyPlanResults):
            changed = replace(changed, allocs_updated=tuple(map(self._rewrite_alloc, changed.allocs_updated)))
        return replace(typed, entry=replace(typed.entry, request=changed))

    def _rewrite_alloc(self, alloc: Allocation) -> Allocation:
        if alloc.job is not None:
            alloc = replace(alloc, job=self.of_job(alloc.job))
        return replace(alloc, allocated_resources=self.resources(alloc)) if self.resources else alloc


def _list_keys(replay: Replay) -> Iterator[Key]:
    for step in replay.steps:
        request = step.typed.entry.request
        if isinstance(request, JobRegister) and request.job is not None and not request.job.parent_id:
            yield request.job.namespace, request.job.id


# --- which entries decide ---


def places_scored(request: Any, state: State, job: Job) -> bool:
    """Tell whether a plan places something of a job whose nodes are scored by what it prefers.

    Spec: SYSTEM-18.
    """
    return job.type in {"service", "batch"} and places(request, state, job)


def evicts(request: Any, state: State, job: Job) -> bool:
    """Tell whether a plan evicts something for a job."""
    return _is_plan_of(request, job) and bool(request.allocs_preempted)


def replaces_some(request: Any, state: State, job: Job) -> bool:
    """Tell whether a plan replaces several of a group at once because their job was updated."""
    if not _is_plan_of(request, job) or job.type != "service":
        return False
    updated = [each for each in request.allocs_stopped if each.desired_description == UPDATING]
    return len(updated) > 1


def follows_later(request: Any, state: State, job: Job) -> bool:
    """Tell whether something that failed is looked at again later."""
    waits = not any(group.disconnect is not None for group in job.task_groups)
    made = request.evals if isinstance(request, EvalUpdate) else ()
    return waits and any(_is_follow_up(each, job) for each in made)


def _is_follow_up(entry: Evaluation, job: Job) -> bool:
    is_new = not entry.create_index and entry.triggered_by == "alloc-reschedule"
    return entry.job_id == job.id and is_new and entry.wait_until_ns > 0


def ends_late(request: Any, state: State, job: Job) -> bool:
    """Tell whether a client ends something of a job because it has run for long enough."""
    return isinstance(request, AllocClientUpdate) and any(
        report.client_description == ClientDescription.OVERDUE
        and (alloc := state.find_alloc(report.id)) is not None
        and alloc.job_id == job.id
        for report in request.alloc
    )


def places(request: Any, state: State, job: Job) -> bool:
    """Tell whether a plan places something of a job."""
    return _is_plan_of(request, job) and any(
        is_new(each) and state.find_alloc(each.id) is None for each in request.allocs_updated
    )


def crowds(request: Any, state: State, job: Job) -> bool:
    """Tell whether a plan places two of a group on one node."""
    if not _is_plan_of(request, job) or job.type not in {"service", "batch"}:
        return False
    new = [(each.node_id, each.task_group) for each in request.allocs_updated if is_new(each)]
    return len(new) > len(set(new))


def replaces(request: Any, state: State, job: Job) -> bool:
    """Tell whether a plan places something for what has failed more than once."""
    return _is_plan_of(request, job) and any(_count_events(each) > 1 for each in request.allocs_updated)


def places_canaries(request: Any, state: State, job: Job) -> bool:
    return _is_plan_of(request, job) and any(
        each.deployment_status is not None and each.deployment_status.canary and is_new(each)
        for each in request.allocs_updated
    )


def calls_disconnected(request: Any, state: State, job: Job) -> bool:
    is_missed = isinstance(request, NodeUpdateStatus) and request.status == "disconnected"
    return is_missed and any(
        each.job_id == job.id and each.job is not None and _waits(each.job)
        for each in state.list_allocs_of_node(request.node_id)
    )


def marks_early(request: Any, state: State, job: Job) -> bool:
    if not isinstance(request, AllocUpdateDesiredTransition) or job.type != "service":
        return False
    is_drainers = any(each.triggered_by == "node-drain" for each in request.evals)
    allocs = [alloc for name in request.allocs if (alloc := state.find_alloc(name)) is not None]
    nodes = [state.find_node(alloc.node_id) for alloc in allocs]
    has_time = all(
        node is not None and node.drain_strategy is not None and node.drain_strategy.deadline_ns > 0
        for node in nodes
    )
    is_alone = len({alloc.job_id for alloc in allocs}) == 1
    return is_drainers and has_time and is_alone and allocs[0].job_id == job.id


def _replaces(status: str) -> Concerns:
    """Tell whether a plan places something for what has a status, or gets it by the same plan."""

    def is_placed(request: Any, state: State, job: Job) -> bool:
        if status == "unknown" and isinstance(request, EvalUpdate):
            is_cut_off = any(node.status == "disconnected" for node in state.list_nodes())
            return is_cut_off and any(_is_follow_up(each, job) for each in request.evals)
        if not _is_plan_of(request, job) or job.type != "service":
            return False
        told = {each.id: each.client_status for each in (*request.allocs_stopped, *request.allocs_updated)}
        before = (state.find_alloc(each.previous_allocation) for each in request.allocs_updated)
        return any(
            alloc is not None and status in {told.get(alloc.id), alloc.client_status} for alloc in before
        )

    return is_placed


def follows_again(request: Any, state: State, job: Job) -> bool:
    """Tell whether a plan tells of a delay after the first one."""
    return _is_plan_of(request, job) and any(
        is_new(each) and _count_events(each) > GROWN for each in request.allocs_updated
    )


def keeps_one(request: Any, state: State, job: Job) -> bool:
    """Tell whether a plan keeps one of two after a client came back, and stops the other."""
    return _is_plan_of(request, job) and any(
        each.desired_description == DesiredDescription.RECONNECTED for each in request.allocs_stopped
    )


def _keep_others(job: Job) -> Job:
    """Let a job keep what it did not: the replacement, or the original."""

    def change(group: TaskGroup) -> TaskGroup:
        block = group.disconnect
        if block is None:
            return group
        is_original = block.reconcile != "keep_replacement"
        kept = "keep_replacement" if is_original else "keep_original"
        return replace(group, disconnect=replace(block, reconcile=kept))

    return _groups(change)(job)


def _is_plan_of(request: Any, job: Job) -> bool:
    told = request.job if isinstance(request, ApplyPlanResults) else None
    return told is not None and (told.namespace, told.id) == (job.namespace, job.id)


def _count_events(alloc: Allocation) -> int:
    tracker = alloc.reschedule_tracker
    return len(tracker.events or ()) if tracker is not None else 0


def _waits(job: Job) -> bool:
    return any(group.disconnect is not None and group.disconnect.lost_after_ns for group in job.task_groups)


# --- what the job asks for ---


def _groups(change: Callable[[TaskGroup], TaskGroup]) -> OfJob:
    return lambda job: replace(job, task_groups=tuple(map(change, job.task_groups)))


def _asks(**changes: Any) -> OfJob:
    def change(group: TaskGroup) -> TaskGroup:
        tasks = (replace(task, resources=replace(task.resources, **changes)) for task in group.tasks)  # type: ignore[type-var]  # all tasks of recordings ask for something
        return replace(group, tasks=tuple(tasks))

    return _groups(change)


def _constrained(operand: str, ltarget: str, rtarget: str = "") -> OfJob:
    added = Constraint(operand=operand, ltarget=ltarget, rtarget=rtarget)
    return lambda job: replace(job, constraints=(*job.constraints, added))


def _port(group: TaskGroup) -> TaskGroup:
    asked = NetworkResource(mode="host", reserved_ports=(Port(label="odd", value=8765),))
    return replace(group, networks=(*group.networks, asked))


def _volume(kind: str, *, sticky: bool = False) -> OfJob:
    asked = VolumeRequest(name="data", type=kind, source="odd", sticky=sticky)
    return _groups(lambda group: replace(group, volumes={**group.volumes, "data": asked}))


def _of_task(**changes: Any) -> OfJob:
    return _groups(
        lambda group: replace(group, tasks=tuple(replace(task, **changes) for task in group.tasks))
    )


def _ranked(job: Job) -> Job:
    """Make a job so little more important than others that it may evict none of them.

    Spec: PREEMPT-04.
    """
    return replace(job, priority=LEAST_PRIORITY)


def _disk(size_mb: int) -> OfJob:
    return _groups(
        lambda group: replace(group, ephemeral_disk=replace(group.ephemeral_disk, size_mb=size_mb))  # type: ignore[type-var]  # filled in by admission
    )


def _changed(name: str, **changes: Any) -> OfJob:
    def change(group: TaskGroup) -> TaskGroup:
        block = getattr(group, name)
        return replace(group, **{name: replace(block, **changes)}) if block is not None else group

    return _groups(change)


def _stopped_after(time_ns: int) -> OfJob:
    wish = DisconnectStrategy(stop_on_client_after_ns=time_ns, replace=True)
    return _groups(lambda group: replace(group, disconnect=wish))


_MANY = 1_000_000
_SPREAD = Spread(attribute="${node.unique.id}", weight=50)
_AFFINITY = Affinity(operand="=", ltarget="${node.datacenter}", rtarget="dc1", weight=100)

FAULTS: Mapping[str, Fault] = {
    "broken: cpu is not compared": Fault(places, _asks(cpu_mhz=_MANY), give_more(cpu=_MANY)),
    "broken: memory is not compared": Fault(places, _asks(memory_mb=_MANY), give_more(memory=_MANY)),
    "broken: disk is not compared": Fault(places, _disk(_MANY * 10), give_more(disk=_MANY * 10)),
    "broken: cores are not compared": Fault(places, _asks(cores=999)),
    "broken: devices are not looked for": Fault(
        places, _asks(devices=(RequestedDevice(name="gpu", count=1),))
    ),
    "broken: ports are not reserved": Fault(places, _groups(_port)),
    "broken: an equality is always true": Fault(places, _constrained("=", "${attr.kernel.name}", "plan9")),
    "broken: an inequality is always true": Fault(places, _constrained("!=", "${node.datacenter}", "dc1")),
    "broken: a pattern always matches": Fault(places, _constrained("regexp", "${node.datacenter}", "^odd$")),
    "broken: any version will do": Fault(places, _constrained("version", "${attr.nomad.version}", "< 0.1")),
    "broken: an attribute need not be set": Fault(places, _constrained("is_set", "${meta.odd}")),
    "broken: datacenters are not compared": Fault(places, lambda job: replace(job, datacenters=("odd",))),
    "broken: hosts need not be distinct": Fault(crowds, _constrained("distinct_hosts", "", "true")),
    "broken: a property need not be distinct": Fault(
        crowds, _constrained("distinct_property", "${node.unique.id}", "1")
    ),
    "broken: spreads are not scored": Fault(places_scored, lambda job: replace(job, spreads=(_SPREAD,))),
    "broken: affinities are not scored": Fault(
        places_scored, lambda job: replace(job, affinities=(_AFFINITY,))
    ),
    "broken: host volumes are not looked for": Fault(places, _volume("host")),
    "broken: storage volumes are not looked for": Fault(places, _volume("csi")),
    "broken: a sticky volume need not be there": Fault(places, _volume("host", sticky=True)),
    "broken: pools of nodes are not compared": Fault(places, lambda job: replace(job, node_pool="odd")),
    "broken: a set need not be contained": Fault(
        places, _constrained("set_contains", "${node.datacenter}", "odd,even")
    ),
    "broken: an attribute may be set": Fault(places, _constrained("is_not_set", "${attr.kernel.name}")),
    "broken: anything is greater": Fault(places, _constrained(">", "${attr.cpu.totalcompute}", "9999999")),
    "broken: a driver need not be there": Fault(places, _of_task(driver="odd")),
    "broken: counts are not heeded": Fault(places_scored, _groups(lambda group: replace(group, count=0))),
    "broken: whoever is nearly as important is evicted": Fault(evicts, _ranked),
    "broken: all are replaced at once": Fault(replaces_some, _changed("update", max_parallel=1)),
    "broken: nobody waits before he is replaced": Fault(
        follows_later,
        _changed("reschedule_policy", delay_ns=HOUR_NS, max_delay_ns=HOUR_NS, delay_function="constant"),
    ),
    "broken: what may run for long is ended": Fault(
        ends_late, _groups(lambda group: replace(group, max_run_duration_ns=HOUR_NS))
    ),
    "broken: one replacement too many": Fault(
        replaces, _changed("reschedule_policy", attempts=1, interval_ns=10**15, unlimited=False)
    ),
    "broken: a replacement is placed though none is wanted": Fault(
        _replaces("unknown"), _changed("disconnect", replace=False)
    ),
    "broken: nobody waits until the client has stopped": Fault(_replaces("lost"), _stopped_after(HOUR_NS)),
    "broken: a delay does not grow": Fault(
        follows_again,
        _changed("reschedule_policy", delay_function="exponential", delay_ns=7, max_delay_ns=HOUR_NS),
    ),
    "broken: the wrong one is kept": Fault(keeps_one, _keep_others),
    "broken: canaries more than asked": Fault(places_canaries, _changed("update", canary=0)),
    "broken: lost_after is not heeded": Fault(calls_disconnected, _changed("disconnect", lost_after_ns=0)),
    "broken: the drainer marks all at once": Fault(marks_early, _changed("migrate", max_parallel=0)),
}
"""What a server does not look at."""
