"""Choices by order."""

from nomadspec.invariants.cluster.scheduler.choices import SortedChoices
from nomadspec.model.cluster.entities import Node
from nomadspec.model.cluster.resources.port_index import PortIndex
from nomadspec.model.cluster.resources.port_offer import FreePorts


def test_the_least_comes_first() -> None:
    choices = SortedChoices(0)
    free = FreePorts(PortIndex({"": frozenset({7})}), "", (7, 9))
    nodes = (Node(id="b"), Node(id="a"))

    assert tuple(reversed(nodes)) == choices.next_node_order(nodes)
    assert ["a", "b"] == choices.ordered(("b", "a"))
    assert (8, 9) == choices.pick_ports(free, 2)
    assert choices.pick_ports(free, 3) is None
    assert 8 == choices.pick_port(free)


def test_the_greatest_may_come_first() -> None:
    choices = SortedChoices(0, is_descending=True)

    assert ["b", "a"] == choices.ordered(("a", "b"))
    assert ["b", "a"] == [node.id for node in choices.next_node_order((Node(id="a"), Node(id="b")))]
