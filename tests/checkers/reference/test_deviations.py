"""The page of what recordings contradict."""

from nomadspec.checkers.oracle.deviations import DEVIATIONS, OBSERVATIONS
from nomadspec.checkers.oracle.equivalence import EQUIVALENCES
from nomadspec.checkers.reference.deviations import compute_deviations_page
from nomadspec.checkers.reference.markdown import titled


def test_every_deviation_observation_and_equivalence_has_a_row() -> None:
    page = compute_deviations_page()

    assert all(f"| {titled([one.rule])} | {one.said} |" in page for one in DEVIATIONS)
    assert all(one.example in page for one in DEVIATIONS)
    assert all(f"| `{one.recordings}` | {one.seen} |" in page for one in OBSERVATIONS)
    assert all(f"| `{row.id}` | `{row.kind}` |" in page for row in EQUIVALENCES)
