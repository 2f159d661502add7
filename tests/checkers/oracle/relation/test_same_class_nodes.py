"""Nodes of one class may differ where the checks of a class look."""

from msgspec.structs import replace

from nomadspec.checkers.oracle.relation.same_class_nodes import list_unequal_mates
from nomadspec.model.cluster.entities import DriverInfo, NetworkResource, NodeResources
from tests.model.cluster.scheduler.made import make_node

NODE = make_node("a", computed_class="v1:1")


def test_mates_that_are_alike_are_left_out() -> None:
    """FEAS-18: what is unique to a node does not count."""
    mate = replace(NODE, id="b", attributes={**NODE.attributes, "unique.hostname": "b"})

    assert list_unequal_mates([NODE, mate]) == []


def test_mates_that_differ_are_listed_with_all_of_their_class() -> None:
    """FEAS-22."""
    ill = replace(NODE, id="b", drivers={"docker": DriverInfo(detected=True, healthy=False)})
    other = make_node("c", computed_class="v1:2")
    listed = list_unequal_mates([NODE, ill, other, replace(NODE, id="d")])

    assert [node.id for node in listed] == ["a", "b", "d"]


def test_nodes_without_resources_can_be_told_apart() -> None:
    there = replace(NODE, id="b", node_resources=NodeResources(networks=(NetworkResource(mode="bridge"),)))

    assert len(list_unequal_mates([replace(NODE, node_resources=None), there])) == 2
