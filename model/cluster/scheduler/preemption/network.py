"""Evicts for ports and bandwidth: who holds a port that is asked for, then who has most of the bandwidth."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from nomadspec.model.cluster.entities import Allocation, Job, NetworkResource, Node
from nomadspec.model.cluster.resources.given import find_given
from nomadspec.model.cluster.resources.networks import list_networks
from nomadspec.model.cluster.resources.port_index import PortIndex
from nomadspec.model.cluster.scheduler.choices import Choices
from nomadspec.model.cluster.scheduler.preemption.candidates import is_eligible, list_classes, order_tasks

Penalty = Callable[[Allocation], float]


@dataclass(frozen=True, slots=True)
class Holder:
    """A candidate with what it holds on networks; only the first of them says where it belongs.

    Spec: PREEMPT-15.
    """

    alloc: Allocation
    networks: tuple[NetworkResource, ...]

    @property
    def network(self) -> NetworkResource:
        """The first network."""
        return self.networks[0]

    def holds(self, port: int) -> bool:
        """True if it has a port as a fixed one, on any of its networks.

        Spec: PREEMPT-16.
        """
        return any(port == each.value for network in self.networks for each in network.reserved_ports)


@dataclass(slots=True)
class Holders:
    """The candidates of a node by the device of their first network.

    Spec: PREEMPT-15.
    """

    by_device: dict[str, list[Holder]] = field(default_factory=dict)
    """Those that may have to go."""
    blocked: dict[str, set[int]] = field(default_factory=dict)
    """The fixed ports of those that may not."""


def sort_holders(candidates: Sequence[Allocation], job: Job, choices: Choices) -> Holders:
    """Sort the candidates of a node; who has no network is left out.

    Spec: PREEMPT-15.
    """
    holders = Holders()
    for alloc in candidates:
        given = find_given(alloc)
        networks = list_networks(order_tasks(given, choices)) if given else ()
        if not networks:
            continue
        device = networks[0].device
        if is_eligible(alloc, job):
            holders.by_device.setdefault(device, []).append(Holder(alloc, networks))
        else:
            ports = (port.value for port in networks[0].reserved_ports)
            holders.blocked.setdefault(device, set()).update(ports)
    return holders


@dataclass(frozen=True, slots=True)
class NetworkPreemption:
    """The search for allocations whose networks an ask could have.

    Spec: PREEMPT-16.
    """

    node: Node
    job: Job
    index: PortIndex
    """The ports and the bandwidth in use before anybody goes."""
    choices: Choices
    penalty: Penalty

    def choose_preempted(
        self, candidates: Sequence[Allocation], ask: NetworkResource
    ) -> tuple[Allocation, ...]:
        """Choose who has to go so that an ask can be met on one device; nobody when that does not help.

        Spec: PREEMPT-15, PREEMPT-16, PREEMPT-17, PREEMPT-18.
        """
        holders = sort_holders(candidates, self.job, self.choices)
        for device in self.choices.ordered(holders.by_device):
            chosen = self._choose_on(device, holders, ask)
            if chosen is not None:
                free = self._find_mbits(device) - self.index.used_mbits.get(device, 0)
                return tuple(holder.alloc for holder in trim(chosen, free, ask.mbits))
        return ()

    def _choose_on(self, device: str, holders: Holders, ask: NetworkResource) -> list[Holder] | None:
        """Choose on one device; None when it cannot serve.

        Spec: PREEMPT-16, 07/S-14.
        """
        there = self._find_mbits(device)
        if there < ask.mbits:
            return None
        own = holders.by_device[device]
        chosen = _choose_for_ports(own, holders.blocked.get(device, set()), ask)
        if chosen is None:
            return None
        missing = ask.mbits - (there - self.index.used_mbits.get(device, 0))
        missing -= sum(holder.network.mbits for holder in chosen)
        if missing <= 0:
            return chosen
        taken = {holder.alloc.id for holder in chosen}
        for holder in self._order_by_bandwidth([each for each in own if each.alloc.id not in taken], ask):
            chosen.append(holder)
            missing -= holder.network.mbits
            if missing <= 0:
                return chosen
        return None

    def _order_by_bandwidth(self, holders: Sequence[Holder], ask: NetworkResource) -> list[Holder]:
        """Put the least important first, and among them those whose bandwidth is nearest to the ask.

        Spec: PREEMPT-16.
        """
        by_id = {holder.alloc.id: holder for holder in holders}
        ordered: list[Holder] = []
        for members in list_classes([holder.alloc for holder in holders], self.job):
            own = [by_id[alloc.id] for alloc in members]
            own.sort(
                key=lambda each: compute_distance(ask.mbits, each.network.mbits) + self.penalty(each.alloc)
            )
            ordered.extend(own)
        return ordered

    def _find_mbits(self, device: str) -> int:
        networks = self.node.node_resources.networks if self.node.node_resources else ()
        own = (network.mbits for network in reversed(networks) if device and network.device == device)
        return next(own, 0)


def _choose_for_ports(own: Sequence[Holder], blocked: set[int], ask: NetworkResource) -> list[Holder] | None:
    """Choose who holds the fixed ports that are asked for; None when one of them cannot be had.

    Spec: PREEMPT-16, 07/S-14.
    """
    chosen: list[Holder] = []
    for port in ask.reserved_ports:
        holder = next((each for each in reversed(own) if each.holds(port.value)), None)
        if holder is not None:
            chosen.append(holder)
        elif port.value in blocked:
            return None
    return chosen


def trim(chosen: Sequence[Holder], free_mbits: int, asked_mbits: int) -> list[Holder]:
    """Keep those whose bandwidth is farthest from the ask until there is enough.

    Where no bandwidth is asked for all are kept, in the order in which they were chosen.

    Spec: PREEMPT-17, 07/S-15.
    """
    if not asked_mbits:
        return list(chosen)
    kept: list[Holder] = []
    have = free_mbits
    for holder in sorted(chosen, key=lambda each: -compute_distance(asked_mbits, each.network.mbits)):
        kept.append(holder)
        have += holder.network.mbits
        if have >= asked_mbits and have:
            break
    return kept


def compute_distance(asked_mbits: int, mbits: int) -> float:
    """Compute how far the bandwidth of an allocation is from what is asked for.

    Spec: PREEMPT-16, PREEMPT-17.
    """
    return abs(float(asked_mbits - mbits) / float(asked_mbits)) if asked_mbits else math.inf
