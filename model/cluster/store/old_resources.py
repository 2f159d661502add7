"""The deprecated sum of resources that allocations still carry."""

from msgspec.structs import replace

from nomadspec.model.cluster.entities import Allocation, NetworkResource, Resources


def add_up_resources(alloc: Allocation) -> Resources:
    """Add up what the tasks of an allocation ask for and what they share.

    Spec: OBJ-210.
    """
    total = Resources()
    for task in alloc.task_resources.values():
        total = _add(total, task)
    return total if alloc.shared_resources is None else _add(total, alloc.shared_resources)


def _add(total: Resources, part: Resources) -> Resources:
    networks = total.networks
    for network in part.networks:
        networks = _add_network(networks, network)
    return replace(
        total,
        cpu_mhz=total.cpu_mhz + part.cpu_mhz,
        cores=total.cores + part.cores,
        memory_mb=total.memory_mb + part.memory_mb,
        memory_max_mb=total.memory_max_mb + (part.memory_max_mb or part.memory_mb),
        disk_mb=total.disk_mb + part.disk_mb,
        iops=total.iops + part.iops,
        secrets_mb=total.secrets_mb + part.secrets_mb,
        networks=networks,
        devices=(*total.devices, *part.devices),
    )


def _add_network(networks: tuple[NetworkResource, ...], part: NetworkResource) -> tuple[NetworkResource, ...]:
    position = next((n for n, known in enumerate(networks) if known.device == part.device), None)
    if position is None:
        return (*networks, part)
    known = networks[position]
    merged = replace(
        known,
        mbits=known.mbits + part.mbits,
        reserved_ports=(*known.reserved_ports, *part.reserved_ports),
        dynamic_ports=(*known.dynamic_ports, *part.dynamic_ports),
    )
    return (*networks[:position], merged, *networks[position + 1 :])
