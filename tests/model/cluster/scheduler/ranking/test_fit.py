"""Whether a group fits on a node (RANK-30 to RANK-48, NET-07 to NET-20, PREEMPT-07 to PREEMPT-23)."""

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from nomadspec.model.cluster.entities import (
    Affinity,
    AllocatedDevice,
    Allocation,
    NetworkResource,
    Node,
    NodeReservedResources,
    Port,
    RequestedDevice,
    ReservedNetworks,
    TaskGroup,
)
from nomadspec.model.cluster.resources.use import measure_use
from nomadspec.model.cluster.scheduler.choices import ReplayedChoices
from nomadspec.model.cluster.scheduler.ranking.asks import ask_plainly
from nomadspec.model.cluster.scheduler.ranking.fit import (
    Fitting,
    NoHostNetworkError,
    NoRoomError,
    Offer,
    Plain,
    fit_plainly,
)
from nomadspec.model.cluster.scheduler.ranking.settings import Settings
from nomadspec.model.specification.profiles import INTENDED, NOMAD_2_0, Profile, find_profile
from nomadspec.model.specification.quirks import VAIN_EVICTION
from tests.model.cluster.scheduler.made import make_context, make_job, make_snapshot
from tests.model.cluster.scheduler.ranking.hosts import IP, make_asking, make_devices, make_host, make_tenant

ANY_PORT = NetworkResource(dynamic_ports=(Port(label="http", host_network="default"),))
GPUS = make_devices("big", "a", "b")


def fit(
    group: TaskGroup,
    *there: Allocation,
    node: Node | None = None,
    settings: Settings | None = None,
    ports: Sequence[int] = (),
    profile: Profile = NOMAD_2_0,
    **fields: Any,
) -> Offer:
    job = make_job(group, **{"priority": 70} | fields)
    choices = ReplayedChoices(ports=ports)
    context = make_context(make_snapshot(), job, choices=choices, profile=profile)
    host = node or make_host()
    use = measure_use(host, there)
    return Fitting(context, job, group, host, settings or Settings(), "evict" in job.meta, use).run()


@pytest.mark.parametrize("is_spreading", [True, False])
@pytest.mark.parametrize("seed", range(20))
def test_where_there_is_room_the_short_way_offers_what_the_steps_offer(
    seed: int, *, is_spreading: bool
) -> None:
    """What is short, or makes a node unusable, is left to the steps."""
    random = Random(seed)
    node = make_host(node_max_allocs=random.choice((0, 2, 4)))
    there = [
        make_tenant(f"t{number}", random.randrange(2000), random.randrange(3000))
        for number in range(random.randrange(5))
    ]
    group = make_asking(random.randrange(1, 2000), random.randrange(1, 4000))
    settings = Settings(is_spreading=is_spreading)
    asked = ask_plainly(group, has_oversubscription=False)

    assert asked is not None
    try:
        slowly = fit(group, *there, node=node, settings=settings)
    except NoRoomError:
        slowly = None
    assert slowly == fit_plainly(measure_use(node, tuple(there)), Plain.of(asked), settings)


EVICT: dict[str, Any] = {"meta": {"evict": "yes"}}


def find_shortage(group: TaskGroup, *there: Allocation, **fields: Any) -> str:
    with pytest.raises(NoRoomError) as caught:
        fit(group, *there, **fields)
    return caught.value.dimension


def fixed(port: int) -> NetworkResource:
    return NetworkResource(reserved_ports=(Port(label="fix", value=port, host_network="default"),))


@pytest.mark.parametrize(
    ("used", "binpack", "spread"),
    [((0, 0), 0.181780641197, 0.818219358803), ((2000, 4000), 0.822542453332, 0.177457546668)],
)
def test_scores_of_fit(used: tuple[int, int], binpack: float, spread: float) -> None:
    """RANK-46, RANK-47."""
    tenant = make_tenant("t1", *used)

    assert fit(make_asking(), tenant).fit_score == pytest.approx(binpack, abs=1e-12)
    even = fit(make_asking(), tenant, settings=Settings(is_spreading=True))
    assert even.fit_score == pytest.approx(spread, abs=1e-12)


@pytest.mark.parametrize(
    ("group", "dimension"),
    [
        (make_asking(cpu_mhz=3901), "cpu"),
        (make_asking(memory_mb=7937), "memory"),
        (make_asking(disk_mb=98_305), "disk"),
        (make_asking(cores=5), "cores"),
        (make_asking(devices=(RequestedDevice(name="gpu", count=1),)), "devices: no devices available"),
    ],
)
def test_what_is_short(group: TaskGroup, dimension: str) -> None:
    """RANK-30, RANK-33, RANK-38."""
    assert dimension == find_shortage(group)


def test_exactly_full_fits() -> None:
    """RANK-32."""
    assert fit(make_asking(3900, 7936, 98_304)).fit_score == 1.0


@pytest.mark.parametrize(
    ("group", "tenant", "node", "asked", "free"),
    [
        (make_asking(cpu_mhz=1000), make_tenant("t1", 3000), make_host(), 1000, 900),
        (make_asking(cores=4), make_tenant("t1", cores=[0, 1]), make_host(), 4, 2),
        (make_asking(), make_tenant("t1"), make_host(node_max_allocs=1), 1, 0),
        (
            make_asking(devices=(RequestedDevice(name="gpu", count=2),)),
            make_tenant(
                "t1", devices=[AllocatedDevice(vendor="acme", type="gpu", name="big", device_ids=("a",))]
            ),
            make_host(devices=[GPUS]),
            2,
            1,
        ),
    ],
    ids=["cpu", "cores", "allocations", "devices"],
)
def test_it_is_told_by_how_much_something_is_short(
    group: TaskGroup, tenant: Allocation, node: Node, asked: int, free: int
) -> None:
    with pytest.raises(NoRoomError) as caught:
        fit(group, tenant, node=node)

    assert (asked, free) == (caught.value.asked, caught.value.free)


def test_it_is_told_how_much_bandwidth_is_short() -> None:
    tenant = make_tenant("t1", networks=[NetworkResource(device="eth0", ip=IP, mbits=800)])

    with pytest.raises(NoRoomError) as caught:
        fit(make_asking_with_network(NetworkResource(mbits=300)), tenant)

    assert (300, 200) == (caught.value.asked, caught.value.free)


def test_too_many() -> None:
    """RANK-30."""
    node = make_host(node_max_allocs=1)

    assert "max allocation exceeded" == find_shortage(make_asking(), make_tenant("t1"), node=node)


def test_cores_are_taken_from_below() -> None:
    """RANK-38, RANK-39: the speed of the cores replaces what was asked for."""
    offer = fit(make_asking(cores=2), make_tenant("t1", cores=[1]))
    cpu = offer.resources.tasks["main"].cpu

    assert ((0, 2), 2000) == (cpu.reserved_cores, cpu.cpu_shares)


def test_a_group_is_given_ports() -> None:
    """NET-13, NET-16, RANK-75."""
    offer = fit(make_asking(networks=[ANY_PORT]), ports=[20001])
    (port,) = offer.resources.shared.ports
    (network,) = offer.resources.shared.networks

    assert (IP, 20001) == (port.host_ip, port.value)
    assert (IP, 20001) == (network.ip, network.dynamic_ports[0].value)


@pytest.mark.parametrize(
    ("held", "asked", "problem"),
    [
        ([8080], fixed(8080), "reserved port collision fix=8080"),
        ([20000, 20001], ANY_PORT, "dynamic port selection failed"),
    ],
)
def test_ports_that_are_taken(held: list[int], asked: NetworkResource, problem: str) -> None:
    """NET-10, NET-13."""
    group = make_asking(networks=[asked])

    assert f"network: {problem}" == find_shortage(group, make_tenant("t1", ports=held), ports=[-1])


def test_a_node_whose_ports_cannot_be_read_is_invalid() -> None:
    """NET-04."""
    kept = NodeReservedResources(networks=ReservedNetworks(reserved_host_ports="x"))

    assert "network: invalid node" == find_shortage(make_asking(), node=make_host(reserved_resources=kept))


def test_allocations_that_collide_make_a_node_unusable() -> None:
    """NET-07, PREEMPT-07."""
    there = [make_tenant("t1", ports=[80]), make_tenant("t2", ports=[80])]

    assert "network: port collision" == find_shortage(make_asking(), *there, **EVICT)


def test_a_host_network_without_a_value_drops_the_node() -> None:
    """NET-09."""
    network = NetworkResource(dynamic_ports=(Port(label="http", host_network="${meta.none}"),))

    with pytest.raises(NoHostNetworkError):
        fit(make_asking(networks=[network]))


def test_tasks_are_given_networks_of_their_own() -> None:
    """NET-18, NET-20."""
    ask = NetworkResource(mbits=100, dynamic_ports=(Port(label="a"), Port(label="b", to=-1)))
    asking = make_asking_with_network(ask)

    (network,) = fit(asking, ports=[20001, 20000]).resources.tasks["main"].networks

    assert ("eth0", IP, 100) == (network.device, network.ip, network.mbits)
    assert [(20001, 0), (20000, 20000)] == [(port.value, port.to) for port in network.dynamic_ports]


def make_asking_with_network(ask: NetworkResource) -> TaskGroup:
    group = make_asking()
    (task,) = group.tasks
    assert task.resources is not None
    return replace(group, tasks=(replace(task, resources=replace(task.resources, networks=(ask,))),))


def test_bandwidth() -> None:
    """NET-19."""
    assert "network: bandwidth exceeded" == find_shortage(
        make_asking_with_network(NetworkResource(mbits=1001))
    )


def test_devices_are_scored_by_their_affinities() -> None:
    """RANK-33, RANK-35."""
    wanted = Affinity(ltarget="${device.model}", operand="=", rtarget="small", weight=50)
    request = RequestedDevice(name="gpu", count=1, affinities=(wanted,))
    node = make_host(devices=[GPUS, make_devices("small", "c")])

    offer = fit(make_asking(devices=(request,)), node=node)

    assert offer.device_score == 1.0
    assert ("c",) == offer.resources.tasks["main"].devices[0].device_ids


def test_of_equal_groups_of_devices_the_last_is_taken() -> None:
    """RANK-33: and its first devices, in the order of a visit."""
    node = make_host(devices=[make_devices("small", "d", "c"), GPUS])
    request = RequestedDevice(name="gpu", count=1)

    given = fit(make_asking(devices=(request, request)), node=node).resources.tasks["main"].devices

    assert [("small", ("c",)), ("small", ("d",))] == [(each.name, each.device_ids) for each in given]
    assert fit(make_asking(devices=(request,)), node=node).device_score is None


def test_who_has_to_go_still_counts_as_use() -> None:
    """RANK-42, 07/S-09: the worked example of RANK-72."""
    tenant = make_tenant("t1", 3200, 7256)

    offer = fit(make_asking(2000, 256), tenant, **EVICT)

    assert ("t1",) == tuple(alloc.id for alloc in offer.preempted)
    assert offer.fit_score == 1.0


@pytest.mark.parametrize("profile", [NOMAD_2_0, find_profile(f"nomad-2.0 -{VAIN_EVICTION.id}")])
def test_allocs_of_the_job_itself_take_room_only_as_intended(profile: Profile) -> None:
    """PREEMPT-03, PREEMPT-09: beside what the job has on the node, evicting the other may free too little."""
    there = [make_tenant("own", 3000, job_id="j"), make_tenant("t1", 500)]

    enough = fit(make_asking(800), *there, profile=profile, **EVICT)
    asked = make_asking(1500)

    assert ["t1"] == [alloc.id for alloc in enough.preempted]
    if profile.has(VAIN_EVICTION):
        assert ["t1"] == [alloc.id for alloc in fit(asked, *there, profile=profile, **EVICT).preempted]
    else:
        with pytest.raises(NoRoomError):
            fit(asked, *there, profile=profile, **EVICT)


def test_too_many_can_be_cured_by_evicting_one() -> None:
    """RANK-48, 07/S-21."""
    node = make_host(node_max_allocs=2)
    there = [make_tenant("t1", 100), make_tenant("t2", 100)]

    offer = fit(make_asking(), *there, node=node, **EVICT)

    assert len(offer.preempted) == 1
    assert offer.fit_score == 0.0


def test_nobody_is_evicted_for_cores() -> None:
    """PREEMPT-07."""
    assert "cores" == find_shortage(make_asking(cores=4), make_tenant("t1", cores=[0]), **EVICT)


def test_who_is_too_important_stays() -> None:
    """PREEMPT-06."""
    tenant = make_tenant("t1", 3900, priority=61)

    assert "cpu" == find_shortage(make_asking(), tenant, **EVICT)


def test_a_holder_of_a_port_is_evicted() -> None:
    """PREEMPT-16, PREEMPT-19."""
    holder = NetworkResource(ip=IP, reserved_ports=(Port(value=8080),))
    tenant = make_tenant("t1", networks=[holder])

    offer = fit(make_asking(networks=[fixed(8080)]), tenant, **EVICT)

    assert ("t1",) == tuple(alloc.id for alloc in offer.preempted)
    assert [8080] == [port.value for port in offer.resources.shared.ports]


def test_a_dynamic_port_is_not_freed() -> None:
    """PREEMPT-18."""
    tenant = make_tenant("t1", networks=[NetworkResource(ip=IP, dynamic_ports=(Port(value=8080),))])
    group = make_asking(networks=[fixed(8080)])

    assert "network: reserved port collision fix=8080" == find_shortage(group, tenant, **EVICT)


def test_bandwidth_is_freed_for_a_task() -> None:
    """PREEMPT-16."""
    tenant = make_tenant("t1", networks=[NetworkResource(device="eth0", ip=IP, mbits=800)])

    offer = fit(make_asking_with_network(NetworkResource(mbits=300)), tenant, **EVICT)

    assert ("t1",) == tuple(alloc.id for alloc in offer.preempted)


def test_devices_are_freed() -> None:
    """PREEMPT-20, PREEMPT-23."""
    held = AllocatedDevice(vendor="acme", type="gpu", name="big", device_ids=("a", "b"))
    node = make_host(devices=[GPUS])
    group = make_asking(devices=(RequestedDevice(name="gpu", count=1),))
    tenant = make_tenant("t1", devices=[held])

    assert "devices: no devices match request" == find_shortage(group, tenant, node=node)
    offer = fit(group, tenant, node=node, **EVICT)
    assert ("t1",) == tuple(alloc.id for alloc in offer.preempted)
    assert ("a",) == offer.resources.tasks["main"].devices[0].device_ids


def test_a_device_can_be_offered_twice_after_an_eviction() -> None:
    """PREEMPT-23, 07/S-13: the first request got a, and the eviction for the second forgets that."""
    held = AllocatedDevice(vendor="acme", type="gpu", name="big", device_ids=("b",))
    request = RequestedDevice(name="gpu", count=1)
    group = make_asking(devices=(request, request))

    offer = fit(group, make_tenant("t1", devices=[held]), node=make_host(devices=[GPUS]), **EVICT)

    assert [("a",), ("a",)] == [each.device_ids for each in offer.resources.tasks["main"].devices]


def test_an_eviction_that_does_not_help_is_none() -> None:
    """PREEMPT-23: nobody holds devices that would do."""
    node = make_host(devices=[GPUS])
    group = make_asking(devices=(RequestedDevice(name="gpu", count=3),))

    assert "devices: no devices match request" == find_shortage(group, node=node, **EVICT)


def test_a_device_that_is_counted_twice_frees_one() -> None:
    """PREEMPT-23, 07/S-14: the request that evicted finds too little still."""
    held = AllocatedDevice(vendor="acme", type="gpu", name="big", device_ids=("a",))
    lesser = make_tenant("t1", devices=[held, held])
    important = make_tenant(
        "t2", devices=[AllocatedDevice(vendor="acme", type="gpu", name="big", device_ids=("b",))], priority=90
    )
    group = make_asking(devices=(RequestedDevice(name="gpu", count=2),))

    assert "devices: no devices match request" == find_shortage(
        group, lesser, important, node=make_host(devices=[GPUS]), **EVICT
    )


@pytest.mark.parametrize("profile", [NOMAD_2_0, INTENDED], ids=lambda profile: profile.name)
def test_an_eviction_for_a_later_task_leaves_the_earlier_one_its_bandwidth(profile: Profile) -> None:
    """07/S-13: what is freed is counted beside what the first task was given."""
    hog = make_tenant("t1", networks=[NetworkResource(device="eth0", ip=IP, mbits=400)])
    (first,) = make_asking_with_network(NetworkResource(mbits=600)).tasks
    (second,) = make_asking_with_network(NetworkResource(mbits=400)).tasks
    group = replace(make_asking(), tasks=(first, replace(second, name="second")))

    offer = fit(group, hog, profile=profile, **EVICT)

    assert ["t1"] == [alloc.id for alloc in offer.preempted]
    assert [600, 400] == [task.networks[0].mbits for task in offer.resources.tasks.values()]


def test_an_intended_offer_stays_taken() -> None:
    """07/S-13: the second request gets what the eviction freed."""
    held = AllocatedDevice(vendor="acme", type="gpu", name="big", device_ids=("b",))
    request = RequestedDevice(name="gpu", count=1)
    group = make_asking(devices=(request, request))
    node = make_host(devices=[GPUS])

    offer = fit(group, make_tenant("t1", devices=[held]), node=node, profile=INTENDED, **EVICT)

    assert [("a",), ("b",)] == [each.device_ids for each in offer.resources.tasks["main"].devices]


@pytest.mark.parametrize(("profile", "second"), [(NOMAD_2_0, 8080), (INTENDED, None)])
def test_ports_of_the_group_after_an_eviction(profile: Profile, second: int | None) -> None:
    """07/S-13: a task asks for the port that its group was given, and for bandwidth that has to be freed."""
    hog = make_tenant("t1", networks=[NetworkResource(device="eth0", ip=IP, mbits=900)])
    taken = make_tenant(
        "t2", networks=[NetworkResource(device="eth0", ip=IP, reserved_ports=(Port(value=81),))]
    )
    ask = NetworkResource(mbits=500, reserved_ports=(Port(label="own", value=8080), Port(value=81)))
    group = replace(make_asking_with_network(ask), networks=(fixed(8080),))

    def find_second() -> int | None:
        try:
            offer = fit(group, hog, taken, profile=profile, **EVICT)
        except NoRoomError:
            return None
        return offer.resources.tasks["main"].networks[0].reserved_ports[0].value

    assert second == find_second()
