"""Networks of an allocation by device (RANK-23)."""

from nomadspec.model.cluster.entities import (
    AllocatedResources,
    AllocatedShared,
    AllocatedTask,
    Lifecycle,
    NetworkResource,
    Port,
)
from nomadspec.model.cluster.resources.networks import list_networks


def network(device: str, mbits: int, *ports: int) -> NetworkResource:
    fixed = tuple(Port(value=port) for port in ports)
    return NetworkResource(device=device, mbits=mbits, reserved_ports=fixed)


def test_networks_of_one_device_are_merged_and_sidecars_count_twice() -> None:
    given = AllocatedResources(
        tasks={
            "web": AllocatedTask(networks=(network("eth0", 10, 80), network("eth1", 1))),
            "log": AllocatedTask(networks=(network("eth0", 5, 90),)),
        },
        task_lifecycles={"log": Lifecycle(hook="prestart", sidecar=True)},
        shared=AllocatedShared(networks=(network("", 0, 8080),)),
    )

    assert (network("eth0", 20, 80, 90, 90), network("eth1", 1), network("", 0, 8080)) == list_networks(given)
