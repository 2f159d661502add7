"""An echo gives for each place what is looked up for it."""

from nomadspec.checkers.oracle.relation.lazy_nodes import Echo
from tests.model.cluster.scheduler.made import make_node

NODES = [make_node(name) for name in "abc"]


def test_an_echo_looks_each_place_up() -> None:
    echo = Echo(NODES, lambda node: NODES[0] if node.id == "b" else node)

    assert [node.id for node in echo[:2]] == ["a", "a"]
    assert echo[2].id == "c"
    assert len(echo) == 3
