"""More to choose from never places less: where the rules promise that, and only there.

A scheduler places what is missing as long as some node takes it. If the allocations of a group are all alike,
it does not matter in which order nodes are visited or how they score: as many are placed as there is room
for. So one more node, a larger node or a constraint less never places fewer, and a priority alone changes
nothing. None of this is promised

- to a job of several groups: one of them may take the port or the room of another where it could not before;
- where one placement excludes others (distinct hosts and properties), or evicts them;
- while deployments let only some be placed at a time;
- while a version replaces another: when the room of each old allocation is free depends on the order.

A further node takes nothing from jobs on every node, whose nodes do not depend on one another: there the
first does not matter. But which of several groups gets the last room of a node is chance, since nothing fixes
in which order the names are visited. So those are promised as much in the same order only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from msgspec.structs import replace

from nomadspec.invariants.cluster.scheduler.choices import SortedChoices
from nomadspec.invariants.cluster.scheduler.decision import Decision, list_written
from nomadspec.invariants.cluster.scheduler.repetition import plan_anew
from nomadspec.model.cluster.entities import (
    Allocation,
    Constraint,
    CpuTopology,
    Job,
    Node,
    Operand,
    Plan,
)
from nomadspec.model.cluster.entities.allocation import is_client_terminal
from nomadspec.model.cluster.entities.configuration import PreemptionConfig
from nomadspec.model.cluster.entities.job import GENERIC_TYPES
from nomadspec.model.cluster.entities.node import is_ready
from nomadspec.model.cluster.scheduler.snapshot import Snapshot
from nomadspec.model.cluster.store.state import State

_DISTINCT: Final = frozenset({Operand.DISTINCT_HOSTS, Operand.DISTINCT_PROPERTY})
_LARGER: Final = 3
"""Every node is made so many times as large."""

_RAISE: Final = 10
_SEED_OF_IDS: Final = 4712
"""A new allocation must not bear the ID of one that is there."""


def is_promised(decision: Decision, *, has_same_nodes: bool = True) -> bool:
    """True if the rules promise that more to choose from places no less."""
    job = decision.job
    if job is None or job.stop or decision.has_used_up_attempts or len(decision.outcome.plans) > 1:
        return False
    configuration = decision.before.configuration
    evicts = configuration is not None and configuration.preemption_config != PreemptionConfig()
    constraints = [*job.constraints, *_list_inner(job)]
    is_free = not any(each.operand in _DISTINCT for each in constraints)
    has_update = any(group.update is not None for group in job.task_groups)
    if any(_is_in_the_way(alloc, job) for alloc in decision.before.list_allocs_of_job(job.namespace, job.id)):
        return False
    is_apart = job.type not in GENERIC_TYPES and not has_same_nodes
    is_alike = is_apart or len(job.task_groups) == 1
    return is_alike and is_free and not evicts and not has_update


def _is_in_the_way(alloc: Allocation, job: Job) -> bool:
    """True while an allocation has to go first, or is of another version: its room is free some time."""
    return not is_client_terminal(alloc) and (alloc.job is None or alloc.job.version != job.version)


def more_nodes_place_no_less(decision: Decision) -> Iterator[str]:
    """Say what one more node, like one that is ready, keeps from being placed.

    Spec: RANK-70, GENERIC-31, NODE-03, NODE-24, SYSTEM-25.
    """
    ready = next((node for node in decision.before.nodes if is_ready(node)), None)
    if ready is None or not is_promised(decision, has_same_nodes=False):
        return
    twin = replace(ready, id=f"{ready.id}-twin", name=f"{ready.name}-twin")
    more = _with_nodes(decision.before, (twin,))
    if is_promised(decision):
        yield from _compare(decision, more, "one more node")
    else:
        yield from _compare_in_order(decision, more, "one more node")


def larger_nodes_place_no_less(decision: Decision) -> Iterator[str]:
    """Say what larger nodes keep from being placed.

    Spec: RANK-30, RANK-32.
    """
    if is_promised(decision):
        larger = map(_enlarge, decision.before.nodes)
        yield from _compare(decision, _with_nodes(decision.before, larger), "larger nodes")


def fewer_constraints_place_no_less(decision: Decision) -> Iterator[str]:
    """Say what a job without its constraints cannot place, and could with them.

    Spec: FEAS-12, FEAS-31.
    """
    job = decision.job
    if job is not None and any((*job.constraints, *_list_inner(job))) and is_promised(decision):
        groups = tuple(
            replace(group, constraints=(), tasks=tuple(replace(task, constraints=()) for task in group.tasks))
            for group in job.task_groups
        )
        free = replace(job, constraints=(), task_groups=groups)
        yield from _compare(decision, _with_job(decision.before, free), "no constraints")


def higher_priority_alone_changes_nothing(decision: Decision) -> Iterator[str]:
    """Say what a job places otherwise because its priority is higher, though nothing may be evicted.

    Spec: PREEMPT-01, PREEMPT-02.
    """
    job = decision.job
    if job is None or not is_promised(decision):
        return
    raised = replace(job, priority=job.priority + _RAISE)
    usual = count_placed(decision, decision.outcome.plans)
    plans = plan_anew(decision, _with_job(decision.before, raised), decision.evaluation)
    now = count_placed(decision, plans)
    if usual != now:
        yield f"{job.id} places {_tell(now)} at a higher priority, {_tell(usual)} else"


def count_placed(decision: Decision, plans: Iterable[Plan]) -> Counter[str]:
    """Count the new allocations of a plan by group."""
    known = decision.before.state.allocs
    placed = (alloc for plan in plans for alloc in list_written(plan) if alloc.id not in known)
    return Counter(alloc.task_group for alloc in placed)


def _compare(decision: Decision, snapshot: Snapshot, what: str) -> Iterator[str]:
    """Compare what was placed with what is placed on another state, by whatever chance."""
    usual = count_placed(decision, decision.outcome.plans)
    now = count_placed(decision, plan_anew(decision, snapshot, decision.evaluation))
    yield from _find_fewer(usual, now, what)


def _compare_in_order(decision: Decision, snapshot: Snapshot, what: str) -> Iterator[str]:
    """Compare what is placed on two states where names are visited in the same order: up, and down."""
    for is_descending in (False, True):
        usual = _count_in_order(decision, decision.before, is_descending=is_descending)
        now = _count_in_order(decision, snapshot, is_descending=is_descending)
        yield from _find_fewer(usual, now, what)


def _count_in_order(decision: Decision, snapshot: Snapshot, *, is_descending: bool) -> Counter[str]:
    choices = SortedChoices(_SEED_OF_IDS, is_descending=is_descending)
    return count_placed(decision, plan_anew(decision, snapshot, decision.evaluation, choices))


def _find_fewer(usual: Counter[str], now: Counter[str], what: str) -> Iterator[str]:
    for group, count in usual.items():
        if now[group] < count:
            yield f"{now[group]} of {group} are placed with {what}, {count} without"


def _tell(placed: Counter[str]) -> str:
    return ", ".join(f"{count} of {group}" for group, count in sorted(placed.items())) or "nothing"


def _list_inner(job: Job) -> Iterator[Constraint]:
    for group in job.task_groups:
        yield from group.constraints
        for task in group.tasks:
            yield from task.constraints


def _enlarge(node: Node) -> Node:
    """Make a node larger; its class stays, since that says nothing of amounts."""
    resources = node.node_resources
    if resources is None:
        return node
    topology = resources.processors.topology
    cores = (
        tuple(replace(core, base_speed=core.base_speed * _LARGER) for core in topology.cores)
        if topology
        else ()
    )
    processors = replace(resources.processors, topology=replace(topology or CpuTopology(), cores=cores))
    memory = replace(resources.memory, memory_mb=resources.memory.memory_mb * _LARGER)
    disk = replace(resources.disk, disk_mb=resources.disk.disk_mb * _LARGER)
    return replace(node, node_resources=replace(resources, processors=processors, memory=memory, disk=disk))


def _with_nodes(before: Snapshot, nodes: Iterable[Node]) -> Snapshot:
    state = before.state
    for node in nodes:
        state = replace(state, nodes=state.nodes.insert(node.id, node))
    return _look_at(before, state)


def _with_job(before: Snapshot, job: Job) -> Snapshot:
    """Put another job in the place of one; its index stays, so that what runs is up to date."""
    jobs = before.state.jobs.insert((job.namespace, job.id), job)
    return _look_at(before, replace(before.state, jobs=jobs))


def _look_at(before: Snapshot, state: State) -> Snapshot:
    return Snapshot.of(
        state,
        host_volumes=before.host_volumes.values(),
        host_volume_claims=(claim for claims in before.claims_by_job.values() for claim in claims),
        csi_volumes=before.csi_volumes.values(),
        csi_plugins=before.csi_plugins.values(),
    )
