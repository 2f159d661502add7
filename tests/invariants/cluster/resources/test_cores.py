"""Cores."""

import pytest

from nomadspec.invariants.cluster.resources.claim import Claim, Part
from nomadspec.invariants.cluster.resources.cores import CORE_CLAIMS
from tests.invariants.cluster.resources.drawing import list_failures


@pytest.mark.parametrize(
    ("claim", "part"),
    [(claim, part) for claim in CORE_CLAIMS for part in claim.parts],
    ids=lambda one: one.name,
)
def test_claims_hold_for_random_values(claim: Claim, part: Part) -> None:
    assert [] == list_failures(claim, part)
