"""The networks of an allocation, merged by device: what preemption looks at."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from nomadspec.model.cluster.entities import AllocatedResources, Hook, NetworkResource


def list_networks(allocated: AllocatedResources) -> tuple[NetworkResource, ...]:
    """List the networks of an allocation, those of its tasks first, one a device.

    A task that runs beside the others from before they start counts twice.

    Spec: RANK-23.
    """
    merged: dict[str, NetworkResource] = {}
    for network in _list_all(allocated):
        known = merged.get(network.device)
        merged[network.device] = network if known is None else merge(known, network)
    return tuple(merged.values())


def _list_all(allocated: AllocatedResources) -> Iterator[NetworkResource]:
    for name, task in allocated.tasks.items():
        lifecycle = allocated.task_lifecycles.get(name)
        is_sidecar = lifecycle is not None and lifecycle.hook == Hook.PRESTART and lifecycle.sidecar
        yield from task.networks
        yield from task.networks if is_sidecar else ()
    yield from allocated.shared.networks


def merge(first: NetworkResource, second: NetworkResource) -> NetworkResource:
    """Merge two networks of one device: bandwidth adds up and ports are put together."""
    return replace(
        first,
        mbits=first.mbits + second.mbits,
        reserved_ports=(*first.reserved_ports, *second.reserved_ports),
        dynamic_ports=(*first.dynamic_ports, *second.dynamic_ports),
    )
