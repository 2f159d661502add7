"""What a scheduler gives a new allocation of a node: free cores, ports and devices, if there are enough."""

from __future__ import annotations

from itertools import combinations
from typing import Final

from nomadspec.invariants.cluster.resources.claim import Claim, part
from nomadspec.invariants.cluster.resources.draw import Draw
from nomadspec.invariants.cluster.resources.need import is_in
from nomadspec.model.cluster.entities import (
    AllocatedPort,
    Core,
    CpuTopology,
    NetworkResource,
    Node,
    NodeDevice,
    NodeDeviceResource,
    NodeNetworkAddress,
    NodeNetworkResource,
    NodeResources,
    Port,
    RequestedDevice,
)
from nomadspec.model.cluster.resources.cores import choose_cores
from nomadspec.model.cluster.resources.device_offer import offer_devices
from nomadspec.model.cluster.resources.devices import Device, DeviceKind
from nomadspec.model.cluster.resources.port_index import PortIndex
from nomadspec.model.cluster.resources.port_offer import NoOfferError, offer_ports, prepare_ask
from nomadspec.model.language.logic import Value, all_of, any_of, as_number, implies, none_of, not_

OFFERS: Final = "offers"

_ADDRESSES: Final = ("192.0.2.1", "192.0.2.2")
_FIRST, _LAST = 1, 2
"""The range of free ports, small enough for examples; the fixed ones that are asked for may lie in it."""
_FIXED: Final = ((), (7,), (_FIRST,))
_KIND: Final = DeviceKind("vendor", "gpu", "model")


def say_chosen_cores_are_free(draw: Draw) -> Value:
    """True while a task gets cores that nobody has and are switched on, or that they are too few.

    The node lists its cores in order, as the quirk 07/S-17 wants it.
    """
    ids = [draw.number(f"core{at}") for at in (1, 2)]
    off = [draw.pick(f"core{at}.disabled", (False, True)) for at in (1, 2)]
    topology = CpuTopology(
        cores=tuple(Core(id=core, disable=is_off) for core, is_off in zip(ids, off, strict=True))
    )
    held = frozenset({draw.number("held1"), draw.number("held2")})
    count = draw.pick("asked", (1, 2))
    if not ids[0] < ids[1]:
        return True
    are_free = [
        all_of(not is_off, none_of(*[core == one for one in held]))
        for core, is_off in zip(ids, off, strict=True)
    ]
    chosen = choose_cores(topology, held, count)
    if chosen is None:
        return sum(as_number(is_free) for is_free in are_free) < count
    given = chosen[0]
    is_each_free = [
        any_of(*[all_of(core == given_id, is_free) for core, is_free in zip(ids, are_free, strict=True)])
        for given_id in given
    ]
    return all_of(len(given) == count, *is_each_free, *[one != two for one, two in combinations(given, 2)])


def say_offered_ports_are_free(draw: Draw) -> Value:
    """True while a group gets ports that nobody has, each once, or that they are too few.

    Spec: NET-10, NET-11, NET-12, NET-13, NET-14.
    """
    index = PortIndex(
        {ip: draw.numbers(f"{ip}.kept") for ip in _ADDRESSES},
        {ip: draw.growing(f"{ip}.taken") for ip in _ADDRESSES},
    )
    there = _ADDRESSES[: draw.pick("addresses", (1, 2))]
    addresses = tuple(NodeNetworkAddress(alias="default", address=ip) for ip in there)
    node = Node(
        node_resources=NodeResources(
            node_networks=(NodeNetworkResource(addresses=addresses),),
            min_dynamic_port=_FIRST,
            max_dynamic_port=_LAST,
        )
    )
    fixed, free = draw.pick("fixed", _FIXED), draw.pick("free", (0, 1, 2))
    network = NetworkResource(
        reserved_ports=tuple(Port(label="fixed", value=port, host_network="default") for port in fixed),
        dynamic_ports=tuple(Port(label=f"free{at}", host_network="default") for at in range(free)),
    )
    try:
        offer = offer_ports(prepare_ask(index, node, network))
    except NoOfferError:
        return _are_too_few(index, there, fixed, free)
    return _are_offered_well(index, offer, fixed, free)


def _are_offered_well(
    index: PortIndex, offer: tuple[AllocatedPort, ...], fixed: tuple[int, ...], free: int
) -> Value:
    is_complete = [port.value for port in offer[: len(fixed)]] == list(fixed) and len(offer) == len(
        fixed
    ) + free
    is_in_range = all(_FIRST <= port.value <= _LAST for port in offer[len(fixed) :])
    is_given_once = len({(port.host_ip, port.value) for port in offer}) == len(offer)
    unused = [not_(_is_used(index, port.host_ip, port.value)) for port in offer]
    return all_of(is_complete, is_in_range, is_given_once, *unused)


def _are_too_few(index: PortIndex, there: tuple[str, ...], fixed: tuple[int, ...], free: int) -> Value:
    is_fixed_taken = [all_of(*[_is_used(index, ip, port) for ip in there]) for port in fixed]
    places = [port for port in range(_FIRST, _LAST + 1) if port not in fixed]
    is_somewhere_free = [any_of(*[not_(_is_used(index, ip, port)) for ip in there]) for port in places]
    return any_of(*is_fixed_taken, sum(as_number(is_free) for is_free in is_somewhere_free) < free)


def _is_used(index: PortIndex, ip: str, port: int) -> Value:
    return any_of(is_in(port, index.kept[ip]), is_in(port, index.taken[ip]))


def say_offered_devices_are_free(draw: Draw) -> Value:
    """True while a task gets healthy devices that nobody has, or that they are too few.

    The devices of the node have different names.
    """
    ids = [draw.text(f"device{at}") for at in (1, 2)]
    well = [draw.pick(f"device{at}.healthy", (True, False)) for at in (1, 2)]
    instances = tuple(NodeDevice(id=name, healthy=is_well) for name, is_well in zip(ids, well, strict=True))
    group = NodeDeviceResource(vendor="vendor", type="gpu", name="model", instances=instances)
    node = Node(node_resources=NodeResources(devices=(group,)))
    held = draw.text("held")
    count = draw.pick("asked", (1, 2))
    are_free = [all_of(is_well, name != held) for name, is_well in zip(ids, well, strict=True)]
    is_proper = ids[0] != ids[1]
    try:
        given, _ = offer_devices(node, [Device(_KIND, held)], RequestedDevice(name="gpu", count=count))
    except NoOfferError:
        return implies(is_proper, sum(as_number(is_free) for is_free in are_free) < count)
    is_each_free = [
        any_of(*[all_of(name == one, is_free) for name, is_free in zip(ids, are_free, strict=True)])
        for one in given.device_ids
    ]
    differ = [one != two for one, two in combinations(given.device_ids, 2)]
    return implies(is_proper, all_of(len(given.device_ids) == count, *is_each_free, *differ))


OFFER_CLAIMS: Final = (
    Claim(
        "offers_are_free",
        OFFERS,
        "what a scheduler gives belongs to nobody else, and it gives up only where too little is left",
        ("RANK-33", "RANK-38", "RANK-39", "NET-05", "NET-10", "NET-11", "NET-12", "NET-13", "NET-14"),
        "a node of 2 cores, 2 devices, up to 2 addresses with any ports in use; a range of 2 free ports",
        (
            part("cores", say_chosen_cores_are_free),
            part("devices", say_offered_devices_are_free),
            part("ports", say_offered_ports_are_free),
        ),
        is_unbounded=False,
    ),
)
