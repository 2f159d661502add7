"""What schedulers give."""

import pytest

from nomadspec.invariants.cluster.resources.claim import Claim, Part
from nomadspec.invariants.cluster.resources.draw import GivenValues
from nomadspec.invariants.cluster.resources.offers import (
    OFFER_CLAIMS,
    say_chosen_cores_are_free,
    say_offered_ports_are_free,
)
from tests.invariants.cluster.resources.drawing import list_failures


@pytest.mark.parametrize(
    ("claim", "part"),
    [(claim, part) for claim in OFFER_CLAIMS for part in claim.parts],
    ids=lambda one: one.name,
)
def test_claims_hold_for_random_values(claim: Claim, part: Part) -> None:
    assert [] == list_failures(claim, part)


def test_a_node_that_lists_its_cores_out_of_order_is_not_asked() -> None:
    """07/S-17."""
    assert say_chosen_cores_are_free(GivenValues({"core1": 2, "core2": 1, "held1": 1, "held2": 1}))


@pytest.mark.parametrize(("kept", "fixed"), [(frozenset({7}), 1), (frozenset({1, 2}), 0)])
def test_ports_that_the_node_keeps_are_not_offered(kept: frozenset[int], fixed: int) -> None:
    """NET-02, NET-10, NET-13."""
    given: dict[str, int | bool | frozenset[int]] = {"192.0.2.1.kept": kept, "fixed": fixed, "free": 1}

    assert say_offered_ports_are_free(GivenValues(given))
