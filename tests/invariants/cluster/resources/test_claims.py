"""All claims."""

import pytest

from nomadspec.invariants.cluster.resources.claims import CLAIMS, find_claim
from nomadspec.model.errors import UnknownNameError


def test_each_dimension_has_its_claim() -> None:
    wanted = {
        "cpu",
        "memory",
        "memory_max",
        "disk",
        "cores",
        "ports",
        "devices",
        "allocs",
        "all dimensions",
        "offers",
    }

    assert wanted == {claim.dimension for claim in CLAIMS}
    assert len(CLAIMS) == len({claim.name for claim in CLAIMS})


def test_claims_are_found_by_name() -> None:
    assert CLAIMS[0] is find_claim(CLAIMS[0].name)
    with pytest.raises(UnknownNameError, match="no property of resources named 'cpu_is_fine'"):
        find_claim("cpu_is_fine")
