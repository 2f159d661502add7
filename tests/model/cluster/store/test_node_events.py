"""The last events of a node: OBJ-150."""

from nomadspec.model.cluster.entities import Node, NodeEvent
from nomadspec.model.cluster.store.node_events import add_node_event


def test_an_event_bears_the_index_of_its_entry() -> None:
    assert (NodeEvent(message="x", create_index=7),) == add_node_event(
        Node(), NodeEvent(message="x"), 7
    ).events


def test_the_oldest_goes_when_there_are_more_than_ten() -> None:
    node = Node()
    for index in range(12):
        node = add_node_event(node, NodeEvent(), index)

    assert list(range(2, 12)) == [event.create_index for event in node.events]


def test_no_event_is_no_change() -> None:
    node = Node(id="n")

    assert node is add_node_event(node, None, 7)
