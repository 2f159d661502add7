"""The whole check of a node, by a plan: all dimensions together, and which plans come to it at all."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Final

from msgspec.structs import replace

from nomadspec.invariants.cluster.resources.claim import Claim, Part, part
from nomadspec.invariants.cluster.resources.cores import is_usable
from nomadspec.invariants.cluster.resources.devices import is_healthy
from nomadspec.invariants.cluster.resources.draw import Draw
from nomadspec.invariants.cluster.resources.need import (
    ALIVE_OR_ENDED,
    compute_cpu_need,
    compute_disk_need,
    compute_memory_need,
    is_ended,
    is_enough,
    list_cores,
)
from nomadspec.invariants.cluster.resources.ports import PORT_COUNT
from nomadspec.invariants.cluster.resources.shapes import draw_cores
from nomadspec.model.cluster.components.plan_node import judge_node
from nomadspec.model.cluster.entities import (
    AllocatedCpu,
    AllocatedDevice,
    AllocatedMemory,
    AllocatedPort,
    AllocatedResources,
    AllocatedShared,
    AllocatedTask,
    Allocation,
    AllocClient,
    AllocDesired,
    Core,
    CpuTopology,
    Eligibility,
    Node,
    NodeDevice,
    NodeDeviceResource,
    NodeDiskResources,
    NodeMemoryResources,
    NodeProcessorResources,
    NodeReservedResources,
    NodeResources,
    NodeStatus,
    Plan,
    ReservedCpu,
    ReservedDisk,
    ReservedMemory,
)
from nomadspec.model.cluster.resources.fit import judge_fit
from nomadspec.model.cluster.store.state import State
from nomadspec.model.language.logic import Value, all_of, any_of, iff, implies, not_
from nomadspec.model.specification.profiles import INTENDED, Profile
from nomadspec.model.specification.quirks import UNCHECKED_UPDATE

ALL: Final = "all dimensions"

_KINDS: Final = ("amounts", "core", "port", "device")
"""What an allocation takes beside processor time, memory and disk."""
_ENDINGS: Final = (
    (AllocClient.RUNNING, False),
    (AllocClient.UNKNOWN, False),
    (AllocClient.FAILED, False),
    (AllocClient.RUNNING, True),
)
"""How an allocation that is there stands, and whether the plan stops it."""
_ADDRESS: Final = "192.0.2.1"
_SCOPE: Final = (
    "2 allocations of one task, with a core, a port or a device; a node of one core and one device"
)


def draw_simple_node(draw: Draw) -> Node:
    """Draw a node with one core and one device, which may keep any of it for itself."""
    core = Core(id=draw.number("node.core"), base_speed=draw.number("node.core_mhz", least=1))
    device = NodeDevice(id=draw.text("node.device"), healthy=True)
    node = Node(
        id="node",
        status=NodeStatus.READY,
        scheduling_eligibility=Eligibility.ELIGIBLE,
        node_max_allocs=draw.number("node.max_allocs", least=0),
        node_resources=NodeResources(
            processors=NodeProcessorResources(topology=CpuTopology(cores=(core,))),
            memory=NodeMemoryResources(memory_mb=draw.number("node.memory_mb")),
            disk=NodeDiskResources(disk_mb=draw.number("node.disk_mb")),
            devices=(NodeDeviceResource(vendor="vendor", type="gpu", name="model", instances=(device,)),),
        ),
        reserved_resources=NodeReservedResources(
            cpu=ReservedCpu(
                cpu_shares=draw.number("node.kept_mhz"), reserved_cpu_cores=draw_cores(draw, "node.kept", 1)
            ),
            memory=ReservedMemory(memory_mb=draw.number("node.kept_memory_mb")),
            disk=ReservedDisk(disk_mb=draw.number("node.kept_disk_mb")),
        ),
    )
    draw.show("node", node)
    return node


def draw_any_alloc(draw: Draw, name: str, alloc_id: str, kinds: Sequence[str] = _KINDS) -> Allocation:
    """Draw an allocation of one task that takes some of everything."""
    kind = draw.pick(f"{name}.takes", kinds)
    cores = draw_cores(draw, name, 1) if kind == "core" else ()
    device = AllocatedDevice(
        vendor="vendor", type="gpu", name="model", device_ids=(draw.text(f"{name}.device"),)
    )
    port = AllocatedPort(label="port", value=draw.number(f"{name}.port"), host_ip=_ADDRESS)
    task = AllocatedTask(
        cpu=AllocatedCpu(cpu_shares=draw.number(f"{name}.cpu_mhz", least=0), reserved_cores=cores),
        memory=AllocatedMemory(memory_mb=draw.number(f"{name}.memory_mb", least=0)),
        devices=(device,) if kind == "device" else (),
    )
    shared = AllocatedShared(
        disk_mb=draw.number(f"{name}.disk_mb", least=0), ports=(port,) if kind == "port" else ()
    )
    alloc = Allocation(
        id=alloc_id,
        node_id="node",
        desired_status=AllocDesired.RUN,
        client_status=AllocClient.RUNNING,
        allocated_resources=AllocatedResources(tasks={"task": task}, shared=shared),
    )
    draw.show(name, alloc)
    return alloc


def is_room(node: Node, allocs: Sequence[Allocation]) -> Value:
    """True while a node has room for allocations: enough of each amount, and nothing taken twice.

    Spec: PLAN-54, PLAN-55, PLAN-56, RANK-30, RANK-32.
    """
    there, kept = node.node_resources or NodeResources(), node.reserved_resources or NodeReservedResources()
    topology = there.processors.topology or CpuTopology()
    speed_mhz = sum(core.base_speed for core in topology.cores)
    living = [alloc for alloc in allocs if not is_ended(alloc)]
    return all_of(
        any_of(node.node_max_allocs == 0, len(allocs) <= node.node_max_allocs),
        is_enough(speed_mhz - kept.cpu.cpu_shares, living, compute_cpu_need),
        is_enough(there.memory.memory_mb - kept.memory.memory_mb, living, compute_memory_need),
        is_enough(there.disk.disk_mb - kept.disk.disk_mb, living, compute_disk_need),
        _are_cores_free(node, living),
        _are_ports_free(living),
        _are_devices_free(node, living),
    )


def _are_cores_free(node: Node, living: Sequence[Allocation]) -> Value:
    held = [list_cores(alloc) for alloc in living]
    apart = [one != two for these, those in combinations(held, 2) for one in these for two in those]
    topology = node.node_resources.processors.topology if node.node_resources is not None else None
    offers_some = any_of(*[is_usable(node, core.id) for core in (topology.cores if topology else ())])
    usable = [is_usable(node, core) for cores in held for core in cores]
    return all_of(*apart, implies(offers_some, all_of(*usable)))


def _are_ports_free(living: Sequence[Allocation]) -> Value:
    given = [alloc.allocated_resources.shared.ports for alloc in living if alloc.allocated_resources]
    values = [port.value for ports in given for port in ports]
    are_ports = [all_of(value >= 0, value < PORT_COUNT) for value in values]
    return all_of(*are_ports, *[one != two for one, two in combinations(values, 2)])


def _are_devices_free(node: Node, living: Sequence[Allocation]) -> Value:
    tasks = [
        task
        for alloc in living
        if alloc.allocated_resources
        for task in alloc.allocated_resources.tasks.values()
    ]
    used = [device_id for task in tasks for device in task.devices for device_id in device.device_ids]
    return all_of(
        *[not_(all_of(one == two, is_healthy(node, "gpu", one))) for one, two in combinations(used, 2)]
    )


def say_the_check_is_exact(draw: Draw) -> Value:
    """True while a set of allocations fits if and only if the node has room for it."""
    node = draw_simple_node(draw)
    first, second = (draw_any_alloc(draw, name, name) for name in ("first", "second"))
    status = draw.pick("second.client_status", ALIVE_OR_ENDED)
    allocs = [first, replace(second, client_status=status)]
    return iff(judge_fit(node, allocs).fits, is_room(node, allocs))


def say_placements_are_checked(draw: Draw) -> Value:
    """True while a new allocation is taken if and only if there is room for it beside what stays."""
    node = draw_simple_node(draw)
    status, goes = draw.pick("there", _ENDINGS)
    there = replace(draw_any_alloc(draw, "there", "there"), client_status=status)
    comes = draw_any_alloc(draw, "comes", "comes")
    plan = Plan(node_allocation={"node": (comes,)}, node_update={"node": (there,)} if goes else {})
    stays = [] if goes or is_ended(there) else [there]
    verdict = judge_node(State.of(nodes=[node], allocs=[there]), plan, "node", profile=INTENDED)
    return iff(verdict.fits, is_room(node, [*stays, comes]))


def say_growth_is_checked(draw: Draw, profile: Profile) -> Value:
    """True while an allocation that is changed in place leaves room, if there was room before."""
    node = draw_simple_node(draw)
    stays = draw_any_alloc(draw, "stays", "stays")
    before = draw_any_alloc(draw, "before", "grows", _KINDS[:1])
    after = draw_any_alloc(draw, "after", "grows")
    state = State.of(nodes=[node], allocs=[stays, before])
    verdict = judge_node(state, Plan(node_allocation={"node": (after,)}), "node", profile=profile)
    is_accepted = all_of(verdict.fits, is_room(node, [stays, before]))
    return implies(is_accepted, is_room(node, [stays, after]))


def say_fewer_fit(draw: Draw) -> Value:
    """True while where two allocations fit, each of them fits alone."""
    node = draw_simple_node(draw)
    first, second = (draw_any_alloc(draw, name, name) for name in ("first", "second"))
    fits_beside = judge_fit(node, [first, second]).fits
    return implies(fits_beside, judge_fit(node, [first]).fits)


CHECK_CLAIMS: Final = (
    Claim(
        "the_check_of_a_node_is_exact",
        ALL,
        "a set of allocations is refused where something is short, and nowhere else",
        ("PLAN-54", "PLAN-55", "PLAN-56", "RANK-30", "RANK-31", "RANK-32", "NET-23"),
        _SCOPE,
        (part("fits where there is room", say_the_check_is_exact),),
        is_unbounded=False,
    ),
    Claim(
        "placements_never_oversubscribe",
        ALL,
        "a plan's new allocation is taken exactly where the node has room for it beside what stays",
        ("PLAN-43", "PLAN-51", "PLAN-53", "PLAN-54", "OBJ-261"),
        _SCOPE,
        (part("a plan places", say_placements_are_checked),),
        is_unbounded=False,
    ),
    Claim(
        "removed_allocs_oversubscribe_no_node",
        ALL,
        "a node with room for some allocations has room for fewer of them, as the kernel takes for granted",
        ("PLAN-43", "PLAN-54"),
        _SCOPE,
        (part("one of two leaves", say_fewer_fit),),
        is_unbounded=False,
    ),
    Claim(
        "in_place_update_never_oversubscribes",
        ALL,
        f"what is changed in place must fit as well ({UNCHECKED_UPDATE.happens})",
        ("PLAN-51", "PLAN-54", UNCHECKED_UPDATE.id),
        _SCOPE,
        (Part("a plan changes in place", say_growth_is_checked),),
        is_unbounded=False,
        quirk=UNCHECKED_UPDATE,
    ),
)
