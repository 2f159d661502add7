"""Processor time, memory and disk."""

import pytest

from nomadspec.invariants.cluster.resources.amounts import AMOUNT_CLAIMS
from nomadspec.invariants.cluster.resources.claim import Claim, Part
from tests.invariants.cluster.resources.drawing import list_failures


@pytest.mark.parametrize(
    ("claim", "part"),
    [(claim, part) for claim in AMOUNT_CLAIMS for part in claim.parts],
    ids=lambda one: one.name,
)
def test_claims_hold_for_random_values(claim: Claim, part: Part) -> None:
    assert [] == list_failures(claim, part)
