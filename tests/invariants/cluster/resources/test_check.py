"""The whole check of a node."""

import pytest

from nomadspec.invariants.cluster.resources.check import (
    CHECK_CLAIMS,
    draw_any_alloc,
    draw_simple_node,
    is_room,
)
from nomadspec.invariants.cluster.resources.claim import Claim, Part
from nomadspec.invariants.cluster.resources.draw import GivenValues
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.invariants.cluster.resources.drawing import list_failures


@pytest.mark.parametrize(
    ("claim", "part"),
    [(claim, part) for claim in CHECK_CLAIMS for part in claim.parts],
    ids=lambda one: one.name,
)
def test_claims_hold_for_random_values(claim: Claim, part: Part) -> None:
    assert [] == list_failures(claim, part)


def test_growth_is_not_checked_in_the_release() -> None:
    """03/S8, PLAN-51."""
    claim = next(claim for claim in CHECK_CLAIMS if claim.name == "in_place_update_never_oversubscribes")
    grown = {"after.memory_mb": 3, "node.memory_mb": 2, "node.core_mhz": 1}

    assert not claim.parts[0].state(GivenValues(grown), NOMAD_2_0)


@pytest.mark.parametrize(
    ("given", "has_room"),
    [
        ({"a.memory_mb": 2, "b.memory_mb": 2, "node.memory_mb": 4}, True),
        ({"a.memory_mb": 2, "b.memory_mb": 3, "node.memory_mb": 4}, False),
        ({"a.memory_mb": 2, "b.memory_mb": 2, "node.memory_mb": 4, "node.kept_memory_mb": 1}, False),
        ({"a.cpu_mhz": 2, "node.core_mhz": 2}, True),
        ({"a.cpu_mhz": 2, "b.cpu_mhz": 1, "node.core_mhz": 2}, False),
        ({"a.disk_mb": 1}, False),
        ({"node.max_allocs": 1}, False),
        ({"a.takes": 1, "b.takes": 1, "a.core1": 0, "b.core1": 0, "node.kept.core1": 9}, False),
        ({"a.takes": 1, "a.core1": 1, "node.kept.core1": 9}, False),
        ({"a.takes": 1, "a.core1": 1, "node.kept.core1": 0}, True),
        ({"a.takes": 2, "b.takes": 2, "a.port": 80, "b.port": 80}, False),
        ({"a.takes": 2, "b.takes": 2, "a.port": 80, "b.port": 81}, True),
        ({"a.takes": 2, "a.port": 65536}, False),
        ({"a.takes": 3, "b.takes": 3}, False),
        ({"a.takes": 3, "b.takes": 3, "b.device": 1}, True),
    ],
)
def test_room_is_where_nothing_is_short(given: dict[str, int], has_room: bool) -> None:
    """PLAN-54, RANK-30, RANK-32."""
    values = GivenValues({"node.core_mhz": 1, **given})
    allocs = [draw_any_alloc(values, name, name) for name in ("a", "b")]

    assert has_room is is_room(draw_simple_node(values), allocs)
