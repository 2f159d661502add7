"""A decision in the kernel's words: one group as a job, nodes, what stays, and how much room there is.

The kernel counts units of room. How many more allocations of the group a node could take is asked of its real
resources; an allocation is a unit then, and whatever else takes room there is one more job.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from nomadspec.invariants.cluster.scheduler.decision import Decision, list_written
from nomadspec.model.cluster.constraints.targets import find_unmet
from nomadspec.model.cluster.entities import (
    AllocatedCpu,
    AllocatedMemory,
    AllocatedResources,
    AllocatedShared,
    AllocatedTask,
    Allocation,
    AllocClient,
    Job,
    JobType,
    Node,
    NodeStatus,
    Operand,
    Plan,
    TaskGroup,
)
from nomadspec.model.cluster.entities.allocation import (
    has_run_successfully,
    is_client_terminal,
    is_server_terminal,
    is_terminal,
    should_migrate,
    should_migrate_without_replacement,
    should_reschedule_by_request,
)
from nomadspec.model.cluster.entities.group import has_update_strategy
from nomadspec.model.cluster.entities.node import is_in_datacenters, is_scanned_in_pool
from nomadspec.model.cluster.policy.update import UpdateVerdict, judge_update
from nomadspec.model.cluster.resources.fit import judge_fit
from nomadspec.model.cluster.scheduler.feasibility.drivers import has_driver
from nomadspec.model.cluster.scheduler.feasibility.networks import has_network
from nomadspec.model.specification.quirks import INHERITED_NETWORK

MOST_ROOM: Final = 8
"""More room than that is as good as this; no group that is looked at wants more."""

UNREPLACED: Final = "an old version that stays because its successor has no place"
"""Here the kernel is coarser than the schedulers: it stops all that is outdated."""

_CURRENT: Final = 2
"""The version that needs nothing."""

_DISTINCT: Final = frozenset({Operand.DISTINCT_HOSTS, Operand.DISTINCT_PROPERTY})


class Place(Struct, frozen=True):
    """A node: whether it is up, may be given more, is no place for the group, and the room that is left."""

    id: str
    is_up: bool
    is_eligible: bool
    is_barred: bool
    room: int


class Own(Struct, frozen=True):
    """An allocation of the group: where, how far behind its version is, and what happens to it."""

    id: str
    place: int | None
    """The number of its node; None where it takes no room any more."""
    version: int
    """2: the current one, 1: can be taken over in place, 0: has to be replaced."""
    is_leaving: bool
    is_complete: bool
    is_stopped: bool
    """By the plan."""
    is_updated: bool
    """By the plan, in its place."""


class Words(Struct, frozen=True, kw_only=True):
    """A decision about a group as the kernel puts it."""

    is_wanted: bool
    is_system: bool
    count: int
    places: tuple[Place, ...]
    own: tuple[Own, ...]
    placed: tuple[int, ...]
    """The numbers of the nodes on which the plan places something."""
    is_short: bool


class OutsideError(Exception):
    """The kernel has no words for a decision."""


def list_words(decision: Decision) -> Iterator[Words]:
    """Put a decision in the kernel's words, group by group; those that it has no words for are left out.

    Spec: PLAN-92, GENERIC-22.
    """
    job = decision.job
    if job is None:
        return
    for group in job.task_groups:
        try:
            yield find_words(decision, job, group)
        except OutsideError:
            continue


def find_words(decision: Decision, job: Job, group: TaskGroup) -> Words:
    """Put a decision about a group in the kernel's words; an OutsideError says why it cannot be done."""
    _refuse_job(decision, job)
    _refuse_group(job, group)
    is_inherited = decision.profile.has(INHERITED_NETWORK) and any(each.networks for each in job.task_groups)
    _refuse("the network of another group", when=is_inherited)
    plan = decision.outcome.plans[0] if decision.outcome.plans else Plan()
    _refuse_plan(decision, plan)
    own = [
        alloc
        for alloc in decision.before.list_allocs_of_job(job.namespace, job.id)
        if alloc.task_group == group.name
    ]
    for alloc in own:
        is_old = alloc.job is not None and alloc.job.job_modify_index != job.job_modify_index
        is_done = job.type == JobType.BATCH and has_run_successfully(alloc)
        _refuse("a batch of an older version that is complete", when=is_old and is_done)
        _refuse_alloc(alloc, decision.before.find_node(alloc.node_id))
    nodes = decision.before.nodes
    numbers = {node.id: number for number, node in enumerate(nodes)}
    written = [alloc for alloc in list_written(plan) if alloc.task_group == group.name]
    known = {alloc.id for alloc in own}
    stopped = {alloc.id for allocs in plan.node_update.values() for alloc in allocs}
    updated = {alloc.id for alloc in written if alloc.id in known}
    words = Words(
        is_wanted=not job.stop,
        is_system=job.type == JobType.SYSTEM,
        count=group.count,
        places=tuple(_see_place(decision, job, group, node, plan) for node in nodes),
        own=tuple(_see_own(decision, job, alloc, numbers, stopped, updated) for alloc in own),
        placed=tuple(numbers[alloc.node_id] for alloc in written if alloc.id not in known),
        is_short=any(group.name in each.failed_tg_allocs for each in decision.outcome.created_evals),
    )
    _refuse(
        "what is only written again",
        when=any(own.is_updated and own.version == _CURRENT for own in words.own),
    )
    _refuse(UNREPLACED, when=words.is_short and any(map(_is_left_behind, words.own)))
    return words


def _is_left_behind(own: Own) -> bool:
    return own.place is not None and own.version == 0 and not own.is_stopped


def _refuse(name: str, *, when: bool) -> None:
    if when:
        raise OutsideError(name)


def _refuse_job(decision: Decision, job: Job) -> None:
    _refuse("a job that runs once on every node", when=job.type == JobType.SYSBATCH)
    _refuse(
        "an evaluation that used up its attempts, or ended with an error",
        when=decision.has_used_up_attempts or bool(decision.outcome.error),
    )
    _refuse("a plan that was rejected in part", when=len(decision.outcome.plans) > 1)
    _refuse("an evaluation that is blocked again", when=bool(decision.outcome.reblocked_evals))


def _refuse_group(job: Job, group: TaskGroup) -> None:
    """Refuse what the kernel does not know of groups: it counts units, and replaces all at once."""
    tasks = group.tasks
    of_tasks = (each for task in tasks for each in task.constraints)
    constraints = (*job.constraints, *group.constraints, *of_tasks)
    _refuse(
        "an update strategy", when=bool(group.update and (has_update_strategy(group) or group.update.canary))
    )
    _refuse("distinct hosts or properties", when=any(each.operand in _DISTINCT for each in constraints))
    _refuse("a disk that is kept", when=bool(group.ephemeral_disk and group.ephemeral_disk.sticky))
    _refuse("volumes", when=bool(group.volumes))
    wants = [task.resources for task in tasks if task.resources]
    is_special = any(each.cores or each.devices or each.networks for each in wants)
    _refuse("ports, cores or devices", when=bool(group.networks) or is_special)


def _refuse_plan(decision: Decision, plan: Plan) -> None:
    _refuse("a preemption", when=bool(plan.node_preemptions))
    _refuse("a deployment", when=bool(plan.deployment or plan.deployment_updates))
    _refuse("a follow-up", when=any(each.wait_until_ns for each in decision.outcome.created_evals))


def _refuse_alloc(alloc: Allocation, node: Node | None) -> None:
    is_between = node is not None and node.status not in {NodeStatus.READY, NodeStatus.DOWN}
    _refuse("a node that is neither ready nor down", when=is_between and not is_server_terminal(alloc))
    _refuse("an allocation out of reach", when=alloc.client_status == AllocClient.UNKNOWN)
    is_due = bool(alloc.followup_eval_id) or should_reschedule_by_request(alloc)
    _refuse("an allocation that is rescheduled", when=is_due)
    _refuse("a stop without a successor", when=should_migrate_without_replacement(alloc))
    is_failed = alloc.client_status in {AllocClient.FAILED, AllocClient.LOST}
    _refuse("a failed allocation", when=is_failed and not is_server_terminal(alloc))


def _see_own(
    decision: Decision,
    job: Job,
    alloc: Allocation,
    numbers: dict[str, int],
    stopped: set[str],
    updated: set[str],
) -> Own:
    node = decision.before.find_node(alloc.node_id)
    verdict = judge_update(alloc, job, node).verdict
    is_tried = verdict in {UpdateVerdict.TRY, UpdateVerdict.IN_PLACE}
    group = next(group for group in job.task_groups if group.name == alloc.task_group)
    can_stay = node is not None and not _is_barred(decision, job, group, node)
    version = _CURRENT if verdict is UpdateVerdict.IGNORE else int(is_tried and can_stay)
    has_ended = is_terminal(alloc)
    return Own(
        id=alloc.id,
        place=None if has_ended else numbers.get(alloc.node_id),
        version=version,
        is_leaving=should_migrate(alloc),
        is_complete=job.type == JobType.BATCH and has_run_successfully(alloc),
        is_stopped=alloc.id in stopped,
        is_updated=alloc.id in updated,
    )


def _see_place(decision: Decision, job: Job, group: TaskGroup, node: Node, plan: Plan) -> Place:
    is_eligible = node.scheduling_eligibility == "eligible" and node.drain_strategy is None
    return Place(
        id=node.id,
        is_up=node.status == NodeStatus.READY,
        is_eligible=is_eligible,
        is_barred=_is_barred(decision, job, group, node),
        room=_count_room(decision, group, node, plan),
    )


def _is_barred(decision: Decision, job: Job, group: TaskGroup, node: Node) -> bool:
    """True while a group that asks for no network may not be on a node.

    Spec: FEAS-82.
    """
    of_tasks = (each for task in group.tasks for each in task.constraints)
    is_home = is_scanned_in_pool(node, job.node_pool) and is_in_datacenters(node, job.datacenters)
    has_drivers = all(has_driver(node, task.driver) for task in group.tasks)
    unmet = find_unmet((*job.constraints, *group.constraints, *of_tasks), node)
    lacks_network = decision.profile.has(INHERITED_NETWORK) and not has_network(node, "host")
    return not is_home or not has_drivers or unmet is not None or lacks_network


def _count_room(decision: Decision, group: TaskGroup, node: Node, plan: Plan) -> int:
    """Count the allocations that fit on a node beside what the plan leaves there; -1 where that is too much.

    What was told to stop takes room for schedulers until its client has said that it ended.
    """
    known = decision.before.list_allocs_of_node(node.id)
    there = {alloc.id: alloc for alloc in known if not is_client_terminal(alloc)}
    for alloc in plan.node_update.get(node.id, ()):
        there.pop(alloc.id, None)
    there |= {alloc.id: alloc for alloc in plan.node_allocation.get(node.id, ())}
    one = Allocation(allocated_resources=_make_resources(group))
    left = list(there.values())
    for more in range(MOST_ROOM + 1):
        if not judge_fit(node, [*left, *[replace(one, id=f"more-{at}") for at in range(more)]]).fits:
            return more - 1
    return MOST_ROOM


def _make_resources(group: TaskGroup) -> AllocatedResources:
    """Make what an allocation of a group takes."""
    tasks = {
        task.name: AllocatedTask(
            cpu=AllocatedCpu(cpu_shares=task.resources.cpu_mhz),
            memory=AllocatedMemory(memory_mb=task.resources.memory_mb),
        )
        for task in group.tasks
        if task.resources
    }
    disk = group.ephemeral_disk
    return AllocatedResources(tasks=tasks, shared=AllocatedShared(disk_mb=disk.size_mb if disk else 0))
