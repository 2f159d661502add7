"""Made-up nodes."""

from hypothesis import given

from nomadspec.checkers.stateful.clusters.nodes import DRIVER, make_node, nodes
from nomadspec.model.cluster.entities import Node
from nomadspec.model.cluster.entities.node import is_ready
from nomadspec.model.cluster.resources.capacity import compute_capacity
from nomadspec.model.cluster.scheduler.feasibility.drivers import has_driver
from nomadspec.model.cluster.store.canonical import canonicalize_node


@given(node=nodes())
def test_nodes_can_take_something(node: Node) -> None:
    assert is_ready(canonicalize_node(node))
    assert compute_capacity(node).cpu_mhz >= 1000
    assert has_driver(node, DRIVER)


def test_neither_numbers_nor_broken_drivers_enter_the_class() -> None:
    """FEAS-16, FEAS-17."""
    usual = make_node().computed_class

    assert usual == make_node(number="1", works=False, cpu_mhz=2000).computed_class
    assert usual != make_node(rack="r2").computed_class
    assert not has_driver(make_node(works=False), DRIVER)
