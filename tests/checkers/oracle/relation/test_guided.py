"""A guided run takes its choices from what was recorded, as far as they show there."""

from nomadspec.checkers.oracle.relation.guided import Guided
from nomadspec.checkers.oracle.relation.maps import MapOrders
from nomadspec.model.cluster.entities import (
    AllocatedDevice,
    AllocatedPort,
    AllocatedResources,
    AllocatedShared,
    AllocatedTask,
    Plan,
)
from nomadspec.model.cluster.resources.port_index import PortIndex
from nomadspec.model.cluster.resources.port_offer import FreePorts
from nomadspec.model.cluster.scheduler.choices import IdKind
from nomadspec.model.cluster.scheduler.reasons import Requested
from tests.model.cluster.scheduler.made import make_alloc, make_job, make_node

GIVEN = AllocatedDevice(vendor="v", type="gpu", name="n", device_ids=("z", "y"))
PLACED = make_alloc(
    "x",
    create_index=0,
    node_id="b",
    allocated_resources=AllocatedResources(
        shared=AllocatedShared(ports=(AllocatedPort(label="http", value=22, host_ip="10.0.0.1"),)),
        tasks={"main": AllocatedTask(devices=(GIVEN,))},
    ),
)
REQUEST = Requested(group="web", alloc_name="j.web[0]")


def make_guided(maps: MapOrders | None = None) -> Guided:
    return Guided([Plan(job=make_job(), node_allocation={"b": (PLACED,)})], maps or MapOrders())


def begin(guided: Guided) -> Guided:
    guided.note_requests([REQUEST])
    guided.begin_request(REQUEST)
    return guided


def test_recorded_ports_are_picked_first() -> None:
    free = FreePorts(PortIndex({}), "10.0.0.1", (20, 25))

    assert begin(make_guided()).pick_port(free) == 22
    assert begin(make_guided()).pick_ports(free, 2) == (22, 20)
    assert make_guided().pick_ports(free, 9) is None
    assert make_guided().pick_port(FreePorts(PortIndex({}), "10.0.0.2", (20, 25))) == 20


def test_a_node_that_is_asked_by_itself_gets_its_ports() -> None:
    guided = make_guided()
    guided.begin_request(Requested(group="web", alloc_name="j.web[0]", node_id="b"))

    assert guided.pick_port(FreePorts(PortIndex({}), "10.0.0.1", (20, 25))) == 22


def test_recorded_devices_are_given_in_their_order() -> None:
    """RANK-33: of equal kinds the last is taken, and the first instances."""
    guided = begin(make_guided())

    assert guided.ordered(["x", "y", "z"]) == ["z", "y", "x"]
    assert guided.ordered([("v", "gpu", "n"), ("w", "gpu", "n")])[-1] == ("v", "gpu", "n")


def test_new_allocations_are_called_as_they_were() -> None:
    guided = make_guided()

    assert guided.next_id(IdKind.ALLOCATION) != "x"
    assert begin(guided).next_id(IdKind.ALLOCATION) == "x"
    assert guided.next_id(IdKind.EVALUATION) != "x"
    guided.end_turn()
    assert guided.next_id(IdKind.ALLOCATION) != "x"


def test_what_is_on_a_node_has_no_order_where_nobody_is_evicted() -> None:
    guided = make_guided(MapOrders(is_descending=True, idle=frozenset("ab")))

    assert guided.ordered("ab") == ["b", "a"]
    assert begin(guided).ordered("ab") == ["a", "b"]


def test_nodes_are_visited_as_they_come() -> None:
    nodes = [make_node("b"), make_node("a")]

    assert make_guided().next_node_order(nodes) == nodes
