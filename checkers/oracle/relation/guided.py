"""A run whose free choices are taken from what was recorded, as far as they show there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from nomadspec.checkers.oracle.relation.expected import find_of_node
from nomadspec.checkers.oracle.relation.maps import MapOrders
from nomadspec.checkers.oracle.relation.pairing import Pairing
from nomadspec.model.cluster.entities import Allocation, Job, Node, Plan
from nomadspec.model.cluster.entities.job import find_group
from nomadspec.model.cluster.resources.port_offer import FreePorts
from nomadspec.model.cluster.scheduler.choices import FreeChoices, IdKind, Key
from nomadspec.model.cluster.scheduler.reasons import ReasonLog, Requested, Visit


class Guided(ReasonLog):
    """Knows at any time which recorded allocation is looked for, and picks its ports and its name."""

    def __init__(self, recorded: Sequence[Plan], maps: MapOrders) -> None:
        """Begin with the first attempt."""
        super().__init__(is_on=True)
        self.maps = maps
        self._recorded = recorded
        self._ids = FreeChoices(0)
        self._turn = 0
        self._request = -1
        self._asked: Sequence[Requested] = ()
        self._pairing = Pairing([], [])
        self._alloc: Allocation | None = None
        self._is_placing = False
        self._given: set[tuple[str, int]] = set()
        """The recorded ports that were picked on this visit."""

    # --- the choices ---

    def next_node_order(self, candidates: Sequence[Node]) -> Sequence[Node]:
        """Visit the candidates as they come."""
        return candidates

    def ordered(self, keys: Iterable[Key]) -> list[Key]:
        """Visit a map as the orders of this run say; what is on a node matters only to evictions."""
        known = list(keys)
        if self._is_placing and known and known[0] in self.maps.idle:
            return sorted(known)
        return self.maps.order(self._turn, known, self._rank_device)

    def pick_port(self, free: FreePorts) -> int | None:
        """Pick the port that was recorded, where one may be meant."""
        picked = self.pick_ports(free, 1)
        return None if picked is None else picked[0]

    def pick_ports(self, free: FreePorts, count: int) -> tuple[int, ...] | None:
        """Pick the ports that were recorded first, then the lowest.

        After an eviction what was given on this visit may be free again, and is not meant (07/S-13).
        """
        wanted = [port for port in self._list_ports(free.ip) if port in free]
        wanted.sort(key=lambda port: (free.ip, port) in self._given)
        chosen = list(dict.fromkeys(wanted))[:count]
        self._given.update((free.ip, port) for port in chosen)
        if len(chosen) < count:
            chosen += [port for port in _take(free, 2 * count) if port not in chosen][: count - len(chosen)]
        return tuple(chosen) if len(chosen) == count else None

    def next_id(self, kind: IdKind) -> str:
        """Call an allocation as it was recorded, so that it stands in its place among others."""
        if kind is IdKind.ALLOCATION and self._alloc is not None and self._alloc.id:
            return self._alloc.id
        return self._ids.next_id(kind)

    # --- what is learnt on the way ---

    def note_requests(self, requests: Sequence[Requested]) -> None:
        """Guess what was recorded for what is asked for."""
        self._asked, self._request = requests, -1
        self._pairing = Pairing.of(requests, self._plan, lambda ids: self.maps.order(self._turn, ids))

    def begin_request(self, request: Requested, name: str = "") -> None:
        """Look for what was recorded for the request."""
        self._is_placing = True
        self._given.clear()
        if request.node_id:
            self._alloc = find_of_node(request, self._plan)
        else:
            self._request += 1
            self._alloc = self._pairing.take(self._request, request, name or request.alloc_name)

    def note_visit(self, visit: Visit) -> None:  # noqa: ARG002 -- others learn from it
        """Begin anew with the ports at the next node."""
        self._given.clear()

    def end_selection(self, group: str, alloc_name: str, chosen: str, *, may_preempt: bool = False) -> None:
        """Learn nothing from the end of a search."""

    def end_turn(self) -> None:
        """Go on to the next plan."""
        self._turn += 1
        self._request = -1
        self._alloc = None
        self._is_placing = False

    # --- inside ---

    @property
    def _plan(self) -> Plan:
        """The recorded plan of the attempt that is under way."""
        return self._recorded[self._turn] if self._turn < len(self._recorded) else Plan()

    def _rank_device(self, key: object) -> int:
        """Rank what may be a device: recorded instances come first, and the recorded kinds last.

        Spec: RANK-33, RANK-34.
        """
        resources = self._alloc.allocated_resources if self._alloc else None
        given = [device for task in resources.tasks.values() for device in task.devices] if resources else []
        if isinstance(key, tuple):
            return int(any(key == (device.vendor, device.type, device.name) for device in given))
        instances = [each for device in given for each in device.device_ids]
        return instances.index(str(key)) - len(instances) if key in instances else 0

    def _list_ports(self, ip: str) -> Iterable[int]:
        """List the ports that were recorded on an address for what is looked for."""
        return [] if self._alloc is None else _list_ports_of(self._alloc, ip, self._plan.job)


def _list_ports_of(alloc: Allocation, ip: str, job: Job | None) -> list[int]:
    """List the ports of an allocation on an address, in the order in which they were given."""
    resources, group = alloc.allocated_resources, find_group(alloc.job or job, alloc.task_group)
    if resources is None or group is None:
        return []
    ports = [port.value for port in resources.shared.ports if port.host_ip == ip]
    for task in group.tasks:
        given = resources.tasks.get(task.name)
        for network in given.networks if given else ():
            if network.ip == ip:
                ports += [port.value for port in network.dynamic_ports]
    return ports


def _take(free: FreePorts, count: int) -> list[int]:
    found: list[int] = []
    for port in free:
        found.append(port)
        if len(found) == count:
            break
    return found
