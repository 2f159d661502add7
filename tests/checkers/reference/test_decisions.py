"""The page of findings about schedulers."""

from nomadspec.checkers.reference.decisions import compute_decisions_page
from nomadspec.checkers.stateful.clusters.scheduler_findings import SCHEDULER_FINDINGS


def test_every_finding_is_told_with_its_history() -> None:
    text = compute_decisions_page()

    assert all(f"## {one.id}: {one.title}" in text for one in SCHEDULER_FINDINGS)
    assert "[06/S-04](reference/quirks.md#quirk-06-s-04)" in text
    assert "- **Admitted by** `SYSTEM-19` (" in text
    assert "3. node 0: disconnected" in text
    assert text.count("```text") == len(SCHEDULER_FINDINGS)
    assert text.count("VIOLATED") == len(SCHEDULER_FINDINGS)
    assert text.index("## D-10") < text.index("## D-03") < text.index("## D-01") < text.index("## D-02")
