"""The deprecated sum of resources: OBJ-210."""

from nomadspec.model.cluster.entities import Allocation, NetworkResource, Port, Resources
from nomadspec.model.cluster.store.old_resources import add_up_resources


def test_tasks_and_what_they_share_are_added_up() -> None:
    alloc = Allocation(
        task_resources={
            "main": Resources(cpu_mhz=100, memory_mb=50, memory_max_mb=80),
            "side": Resources(cpu_mhz=30, memory_mb=20),
        },
        shared_resources=Resources(disk_mb=300),
    )

    assert Resources(cpu_mhz=130, memory_mb=70, memory_max_mb=100, disk_mb=300) == add_up_resources(alloc)


def test_networks_of_one_device_are_one() -> None:
    web, admin = Port(label="web", value=80), Port(label="admin", value=81)
    alloc = Allocation(
        task_resources={
            "a": Resources(networks=(NetworkResource(device="eth0", mbits=5, reserved_ports=(web,)),)),
            "b": Resources(networks=(NetworkResource(device="eth0", mbits=7, reserved_ports=(admin,)),)),
        },
        shared_resources=Resources(networks=(NetworkResource(device="eth1"),)),
    )
    first, second = add_up_resources(alloc).networks

    assert (12, (web, admin), "eth1") == (first.mbits, first.reserved_ports, second.device)


def test_an_alloc_that_says_nothing_has_nothing() -> None:
    assert Resources() == add_up_resources(Allocation())
