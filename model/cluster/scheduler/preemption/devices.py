"""Evicts for devices: of each group of devices that would do, who holds enough, and then the cheapest."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from nomadspec.model.cluster.constraints.devices import is_wanted
from nomadspec.model.cluster.entities import Allocation, Job, Node, NodeDeviceResource, RequestedDevice
from nomadspec.model.cluster.resources.devices import Device, kind_of
from nomadspec.model.cluster.scheduler.choices import Choices, order_map
from nomadspec.model.cluster.scheduler.preemption.candidates import find_priority, is_eligible


@dataclass(frozen=True, slots=True)
class Holder:
    """A task of a candidate that was given devices of a group.

    Spec: PREEMPT-20.
    """

    alloc: Allocation
    count: int


def choose_preempted(
    candidates: Sequence[Allocation],
    job: Job,
    node: Node,
    used: Collection[Device],
    request: RequestedDevice,
    choices: Choices,
) -> tuple[Allocation, ...]:
    """Choose who has to go so that a request can be served; nobody when that does not help.

    Spec: PREEMPT-20, PREEMPT-21, PREEMPT-22.
    """
    best: tuple[Holder, ...] = ()
    least = 0
    for option in list_options(candidates, job, node, used, request, choices):
        kept = keep_largest(option, request.count)
        net = sum({find_priority(holder.alloc) for holder in kept})
        if not best or net < least:
            best, least = kept, net
    return tuple(holder.alloc for holder in best)


def list_options(
    candidates: Sequence[Allocation],
    job: Job,
    node: Node,
    used: Collection[Device],
    request: RequestedDevice,
    choices: Choices,
) -> Iterator[list[Holder]]:
    """List who could go, one option for each group of devices that would then serve the request.

    Spec: PREEMPT-20, PREEMPT-21, 07/S-14.
    """
    groups = node.node_resources.devices if node.node_resources else ()
    by_kind = {tuple(kind_of(group)): group for group in groups if is_wanted(request, group)}
    for kind in choices.ordered(by_kind):
        group = by_kind[kind]
        free = count_free(group, used)
        option: list[Holder] = []
        for holder in _list_eligible(candidates, job, group, choices):
            option.append(holder)
            free += holder.count
            if free >= request.count:
                yield option
                break


def _list_eligible(
    candidates: Sequence[Allocation], job: Job, group: NodeDeviceResource, choices: Choices
) -> list[Holder]:
    """List the tasks with devices of a group whose allocations may have to go, the least important first."""
    holders = (
        holder
        for alloc in candidates
        if is_eligible(alloc, job)
        for holder in list_holders(alloc, group, choices)
    )
    return sorted(holders, key=lambda holder: find_priority(holder.alloc))


def list_holders(alloc: Allocation, group: NodeDeviceResource, choices: Choices) -> Iterator[Holder]:
    """List the tasks of an allocation that have devices of a group, each as often as it was given some.

    Each stands for all devices of the group that the allocation has.

    Spec: PREEMPT-20.
    """
    given, kind = alloc.allocated_resources, kind_of(group)
    tasks = order_map(choices, given.tasks) if given else ()
    held = [len(each.device_ids) for _, task in tasks for each in task.devices if kind_of(each) == kind]
    yield from (Holder(alloc, sum(held)) for _ in held)


def count_free(group: NodeDeviceResource, used: Collection[Device]) -> int:
    """Count the healthy devices of a group that nobody has.

    Spec: PREEMPT-21.
    """
    kind = kind_of(group)
    return sum(each.healthy and Device(kind, each.id) not in used for each in group.instances)


def keep_largest(option: Sequence[Holder], count: int) -> tuple[Holder, ...]:
    """Keep those that hold most, until they hold enough.

    Spec: PREEMPT-22.
    """
    kept: list[Holder] = []
    have = 0
    for holder in sorted(option, key=lambda each: -each.count):
        if have >= count:
            break
        kept.append(holder)
        have += holder.count
    return tuple(kept)
