"""Whether a group fits on a node, and what it gets there: networks, devices, cores, and room for all."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from nomadspec.model.cluster.entities import (
    AllocatedCpu,
    AllocatedDevice,
    AllocatedPort,
    AllocatedResources,
    AllocatedShared,
    AllocatedTask,
    Allocation,
    Job,
    NetworkResource,
    Node,
    RequestedDevice,
    Task,
    TaskGroup,
)
from nomadspec.model.cluster.resources.amounts import NOTHING, Amounts, compute_amounts
from nomadspec.model.cluster.resources.capacity import list_usable_cores
from nomadspec.model.cluster.resources.cores import choose_cores
from nomadspec.model.cluster.resources.device_offer import DeviceOption, compute_device_score, offer_devices
from nomadspec.model.cluster.resources.devices import Device, kind_of, list_used_devices
from nomadspec.model.cluster.resources.fit import TOO_MANY, find_shortage
from nomadspec.model.cluster.resources.group_network import fill_network, mark_offer, resolve_host_networks
from nomadspec.model.cluster.resources.load import Load, add_amounts, compute_load
from nomadspec.model.cluster.resources.port_index import PortIndex, add_network
from nomadspec.model.cluster.resources.port_offer import NoOfferError, offer_ports, prepare_ask
from nomadspec.model.cluster.resources.scores import compute_binpack, compute_spread, normalise
from nomadspec.model.cluster.resources.task_network import offer_task_network
from nomadspec.model.cluster.resources.use import (
    INVALID_NODE,
    PORT_COLLISION,
    Use,
    measure_use,
)
from nomadspec.model.cluster.scheduler.context import Context
from nomadspec.model.cluster.scheduler.preemption import devices as device_preemption
from nomadspec.model.cluster.scheduler.preemption import resources as resource_preemption
from nomadspec.model.cluster.scheduler.preemption.candidates import (
    compute_penalty,
    list_candidates,
    list_classes,
    without,
)
from nomadspec.model.cluster.scheduler.preemption.network import NetworkPreemption
from nomadspec.model.cluster.scheduler.ranking import asks
from nomadspec.model.cluster.scheduler.ranking.settings import Settings
from nomadspec.model.specification.quirks import FORGOTTEN_OFFER, VAIN_EVICTION

Given = TypeVar("Given")

_PROBLEMS: Final[Mapping[str, str]] = {INVALID_NODE: "NET-04", PORT_COLLISION: "NET-07"}
"""What makes a node unusable, and by which rule."""
_MEASURED: Final[Mapping[str, str]] = {"cpu": "cpu_mhz", "memory": "memory_mb", "disk": "disk_mb"}


class NoRoomError(Exception):
    """Something is short on a node."""

    def __init__(
        self, dimension: str, rule: str, asked: float | None = None, free: float | None = None
    ) -> None:
        """Say what is short, and by which rule."""
        super().__init__(dimension)
        self.dimension = dimension
        self.rule = rule
        self.asked = asked
        self.free = free


class NoHostNetworkError(Exception):
    """A node has no value for the template of a host network; nothing is written down of it.

    Spec: NET-09, FEAS-90.
    """


class Plain(Struct, frozen=True):
    """What a group is given, and what that takes of a node."""

    resources: AllocatedResources
    amounts: Amounts

    @staticmethod
    def of(resources: AllocatedResources) -> Plain:
        """Sum up what a group is given."""
        return Plain(resources, compute_amounts(resources))


class Offer(Struct, frozen=True, kw_only=True):
    """What a node can give to a group."""

    resources: AllocatedResources
    preempted: tuple[Allocation, ...]
    fit_score: float
    device_score: float | None
    """None where no device is preferred to another."""


def fit_plainly(use: Use, plain: Plain, settings: Settings) -> Offer | None:
    """Offer what every node would give, where there is room; elsewhere the long way says what is short.

    Spec: RANK-41, RANK-30.
    """
    load = add_amounts(use.load, plain.amounts)
    if use.problem or find_shortage(use.node, use.capacity, load):
        return None
    return make_offer(plain.resources, use.capacity, load.used, settings)


def make_offer(
    resources: AllocatedResources,
    capacity: Amounts,
    used: Amounts,
    settings: Settings,
    *,
    preempted: tuple[Allocation, ...] = (),
    device_score: float | None = None,
) -> Offer:
    """Offer something, scored by what would then be used.

    Spec: RANK-42.
    """
    score = compute_spread if settings.is_spreading else compute_binpack
    return Offer(
        resources=resources,
        preempted=preempted,
        fit_score=normalise(score(capacity, used)),
        device_score=device_score,
    )


@dataclass(slots=True)
class Fitting:
    """The fit of one group on one node, step by step; each step may have allocations evicted.

    Spec: RANK-41.
    """

    context: Context
    job: Job
    group: TaskGroup
    node: Node
    settings: Settings
    may_preempt: bool
    use: Use
    plain: Plain | None = None
    """What every node would give, where that does not depend on the node."""
    working: tuple[Allocation, ...] = field(init=False)
    """The allocations that stay on the node."""
    _index: PortIndex = field(init=False)
    _devices: set[Device] = field(init=False)
    _ports: tuple[AllocatedPort, ...] = ()
    """What was offered to the group."""
    _networks: list[NetworkResource] = field(default_factory=list)
    """What was offered to tasks so far."""
    _given: set[Device] = field(default_factory=set)
    """The devices that were given to tasks so far."""
    _cores: set[int] = field(default_factory=set)
    """The cores that were given to tasks so far."""
    _options: list[DeviceOption] = field(default_factory=list)
    _preempted: list[Allocation] = field(default_factory=list)

    def run(self) -> Offer:
        """Put the group on the node; what is short is raised.

        Spec: RANK-41, RANK-42, PREEMPT-01, PREEMPT-02.
        """
        self.working = self.use.allocs
        if self.use.problem:
            raise NoRoomError(self.use.problem, _PROBLEMS[self.use.problem])
        plain = self.plain or Plain.of(self._give())
        capacity = self.use.capacity
        used = self._fit_amounts(capacity, plain.amounts)
        return make_offer(
            plain.resources,
            capacity,
            used,
            self.settings,
            preempted=tuple(self._preempted),
            device_score=compute_device_score(self._options),
        )

    def _give(self) -> AllocatedResources:
        """Give the group its network, and each task what it asks for.

        Spec: RANK-41, RANK-75.
        """
        self._index = self.use.index.copy()
        self._devices = set(list_used_devices(self.working))
        shared = self._fit_group_network()
        return AllocatedResources(
            tasks={task.name: self._fit_task(task) for task in self.group.tasks},
            task_lifecycles={task.name: task.lifecycle for task in self.group.tasks},
            shared=shared,
        )

    def _fit_group_network(self) -> AllocatedShared:
        """Offer the ports of the group, which its tasks then do not get.

        Spec: NET-09, NET-16, NET-17, RANK-22.
        """
        disk_mb = asks.find_disk_mb(self.group)
        if not self.group.networks:
            return AllocatedShared(disk_mb=disk_mb)
        ask = resolve_host_networks(self.node, self.group.networks[0])
        if ask is None:
            raise NoHostNetworkError
        choose = self.context.choices.pick_port
        try:
            ports = offer_ports(prepare_ask(self._index, self.node, ask), choose)
        except NoOfferError as refusal:
            self._evict_for_network(ask, refusal)
            ports = _refuse_as_network(lambda: offer_ports(prepare_ask(self._index, self.node, ask), choose))
        mark_offer(self._index, ports)
        self._ports = ports
        network = fill_network(self.node, ask, ports)
        return AllocatedShared(networks=(network,), disk_mb=disk_mb, ports=ports)

    def _fit_task(self, task: Task) -> AllocatedTask:
        """Give a task its network, its devices and its cores, in this order.

        Spec: RANK-41.
        """
        asked = task.resources or asks.NOTHING
        given = asks.ask_for_task(asked, has_oversubscription=self.settings.has_oversubscription)
        if asked.networks:
            given = replace(given, networks=(self._fit_task_network(asked.networks[0]),))
        if asked.devices:
            given = replace(given, devices=tuple(self._fit_device(request) for request in asked.devices))
        if asked.cores > 0:
            given = replace(given, cpu=self._fit_cores(asked.cores))
        return given

    def _fit_task_network(self, ask: NetworkResource) -> NetworkResource:
        """Offer a task its network, which later tasks then do not get.

        Spec: NET-18, NET-20, NET-21.
        """
        choose = self.context.choices.pick_ports
        try:
            offer = offer_task_network(self._index, self.node, ask, choose)
        except NoOfferError as refusal:
            self._evict_for_network(ask, refusal)
            offer = _refuse_as_network(lambda: offer_task_network(self._index, self.node, ask, choose))
        add_network(self._index, offer)
        self._networks.append(offer)
        return offer

    def _evict_for_network(self, ask: NetworkResource, refusal: NoOfferError) -> None:
        """Evict those whose ports or bandwidth are in the way.

        What was offered to the group before is forgotten, and may be offered again.

        Spec: PREEMPT-07, PREEMPT-18, PREEMPT-19, 07/S-13.
        """
        preempted: tuple[Allocation, ...] = ()
        if self.may_preempt:
            search = NetworkPreemption(
                self.node, self.job, self._index, self.context.choices, self._compute_penalty
            )
            preempted = search.choose_preempted(list_candidates(self.working, self.job), ask)
        if not preempted:
            raise _make_network_error(refusal) from None
        self._evict(preempted)
        self._index = measure_use(self.node, self.working, self.use).index
        if not self.context.profile.has(FORGOTTEN_OFFER):
            mark_offer(self._index, self._ports)
            for network in self._networks:
                add_network(self._index, network)

    def _fit_device(self, request: RequestedDevice) -> AllocatedDevice:
        """Give devices for a request; when there are too few free ones, evict for it and ask again.

        Spec: RANK-33, PREEMPT-20, PREEMPT-23, 07/S-13.
        """
        try:
            return self._offer_device(request)
        except NoOfferError as refusal:
            preempted: tuple[Allocation, ...] = ()
            if self.may_preempt:
                candidates = list_candidates(self.working, self.job)
                preempted = device_preemption.choose_preempted(
                    candidates, self.job, self.node, self._devices, request, self.context.choices
                )
            if not preempted:
                raise _make_device_error(refusal) from None
            self._evict(preempted)
            self._devices = set(list_used_devices(self.working))
            if not self.context.profile.has(FORGOTTEN_OFFER):
                self._devices |= self._given
        try:
            return self._offer_device(request)
        except NoOfferError as refusal:
            raise _make_device_error(refusal) from None

    def _offer_device(self, request: RequestedDevice) -> AllocatedDevice:
        choices = self.context.choices

        def choose(options: Sequence[DeviceOption], count: int) -> tuple[DeviceOption, tuple[str, ...]]:
            by_kind = {tuple(kind_of(option.group)): option for option in options}
            option = by_kind[choices.ordered(by_kind)[-1]]
            return option, tuple(choices.ordered(option.free_ids)[:count])

        given, option = offer_devices(self.node, self._devices, request, choose)
        self._options.append(option)
        devices = {Device(kind_of(given), device_id) for device_id in given.device_ids}
        self._devices |= devices
        self._given |= devices
        return given

    def _fit_cores(self, count: int) -> AllocatedCpu:
        """Give a task the lowest cores that nobody has; nobody is evicted for them.

        Spec: RANK-38, RANK-39.
        """
        held = (compute_amounts(alloc.allocated_resources).cores for alloc in self.working)
        there = self.node.node_resources
        topology = there.processors.topology if there else None
        taken = frozenset(self._cores).union(*held)
        chosen = choose_cores(topology, taken, count)
        if chosen is None:
            free = len(list_usable_cores(topology) - taken)
            raise NoRoomError("cores", "RANK-38", asked=count, free=free)
        cores, cpu_mhz = chosen
        self._cores.update(cores)
        return AllocatedCpu(cpu_shares=cpu_mhz, reserved_cores=cores)

    def _fit_amounts(self, capacity: Amounts, ask: Amounts) -> Amounts:
        """Test whether everything fits, and evict if not; those who have to go then still count as use.

        Spec: RANK-30, RANK-31, RANK-42, RANK-48, 07/S-08, 07/S-09.
        """
        there = self.use.load if not self._preempted else compute_load(self.working)
        load = add_amounts(there, ask)
        shortage = find_shortage(self.node, capacity, load)
        if shortage:
            self._evict_for_amounts(capacity, ask, load, shortage)
        return NOTHING if shortage == TOO_MANY else load.used

    def _evict_for_amounts(self, capacity: Amounts, ask: Amounts, load: Load, shortage: str) -> None:
        """Evict those whose resources are needed.

        Spec: PREEMPT-07, PREEMPT-09, PREEMPT-11.
        """
        preempted: tuple[Allocation, ...] = ()
        if self.may_preempt:
            candidates = list_candidates(self.working, self.job)
            counted = candidates if self.context.profile.has(VAIN_EVICTION) else self.working
            free = resource_preemption.compute_free(capacity, counted)
            classes = list_classes(candidates, self.job)
            preempted = resource_preemption.choose_preempted(classes, free, ask, self._compute_penalty)
        if not preempted:
            raise _make_amount_error(shortage, self.node, capacity, load, ask)
        self._evict(preempted)

    def _evict(self, preempted: Sequence[Allocation]) -> None:
        """Take allocations off the node.

        Spec: PREEMPT-08.
        """
        self._preempted.extend(preempted)
        self.working = without(self.working, preempted)

    def _compute_penalty(self, alloc: Allocation) -> float:
        return compute_penalty(alloc, self.context.plan)


def _make_amount_error(shortage: str, node: Node, capacity: Amounts, load: Load, ask: Amounts) -> NoRoomError:
    name = _MEASURED.get(shortage)
    if shortage == TOO_MANY:
        return NoRoomError(shortage, "RANK-30", 1, node.node_max_allocs - load.members + 1)
    if name is None:
        return NoRoomError(shortage, "RANK-30")
    asked = getattr(ask, name)
    return NoRoomError(shortage, "RANK-30", asked, getattr(capacity, name) - getattr(load.used, name) + asked)


def _make_network_error(refusal: NoOfferError) -> NoRoomError:
    return NoRoomError(f"network: {refusal}", "FEAS-87", refusal.asked, refusal.free)


def _make_device_error(refusal: NoOfferError) -> NoRoomError:
    return NoRoomError(f"devices: {refusal}", "RANK-33", refusal.asked, refusal.free)


def _refuse_as_network(offer: Callable[[], Given]) -> Given:
    """Ask again after an eviction.

    Spec: PREEMPT-19.
    """
    try:
        return offer()
    except NoOfferError as refusal:
        raise _make_network_error(refusal) from None
