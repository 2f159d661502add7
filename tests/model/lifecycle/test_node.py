"""The statuses of a node."""

import pytest

from nomadspec.model.lifecycle.node import NODE, NodeStatus
from nomadspec.model.lifecycle.table import ABSENT, is_legal, list_legal_pairs
from nomadspec.model.specification.profiles import INTENDED, NOMAD_2_0

S = NodeStatus


def test_a_node_comes_back_from_silence_by_the_way_it_left() -> None:
    assert not is_legal(NODE, S.DISCONNECTED, S.READY, INTENDED)
    assert is_legal(NODE, S.DISCONNECTED, S.INITIALIZING, INTENDED)
    assert is_legal(NODE, S.DOWN, S.READY, INTENDED)


def test_only_a_ready_node_is_disconnected() -> None:
    sources = {status for status in S if is_legal(NODE, status, S.DISCONNECTED, INTENDED)}

    assert sources == {S.READY, S.DISCONNECTED}


def test_a_stale_registration_undoes_every_step() -> None:
    steps = list_legal_pairs(NODE, INTENDED)

    assert all(is_legal(NODE, target, source, NOMAD_2_0) for source, target in steps)


@pytest.mark.parametrize("status", S)
def test_any_node_can_be_deregistered(status: NodeStatus) -> None:
    assert is_legal(NODE, status, ABSENT, INTENDED)
