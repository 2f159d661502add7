"""Tests of `model/cluster/codec/computed.py`."""

from nomadspec.model.cluster.codec import read, write, write_dense
from nomadspec.model.cluster.codec.computed import list_computed
from nomadspec.model.cluster.entities import DrainStrategy, Job, Node


def test_a_draining_node_says_so() -> None:
    """OBJ-151."""
    draining = Node(drain_strategy=DrainStrategy())

    assert {"Drain": True, "DrainStrategy": {}} == write(draining)
    assert {} == write(Node())
    assert [True, False] == [write_dense(node)["Drain"] for node in (draining, Node())]


def test_what_a_node_says_of_draining_is_known_and_not_kept() -> None:
    """WIRE-007."""
    unknown: list[str] = []

    assert Node() == read(Node, {"Drain": True}, unknown)
    assert not unknown


def test_other_records_compute_nothing() -> None:
    assert {} == list_computed(Job)
