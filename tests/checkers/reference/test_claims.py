"""Claims about functions, on the page of properties."""

from nomadspec.checkers.reference.claims import compute_claims_part
from nomadspec.invariants.cluster.resources.claims import CLAIMS


def test_each_claim_is_shown_with_what_breaks_it() -> None:
    part = compute_claims_part()

    assert all(f"### {claim.name}" in part for claim in CLAIMS)
    assert "| `flatten` | `allocated.shared.disk_mb` | `0` |" in part
    assert "**Proved for** any number of allocations." in part
