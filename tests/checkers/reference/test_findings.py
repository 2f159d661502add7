"""Every known finding has a story that replays and ends as it claims."""

from pathlib import Path

import pytest

from nomadspec.checkers.findings import list_findings
from nomadspec.checkers.reference.findings import compute_findings_page, place_of_story, write_steps
from nomadspec.checkers.reference.sources import ROOT
from nomadspec.checkers.report.stories import read_story, write_story
from nomadspec.invariants.findings import KnownFinding
from nomadspec.model.claim import judge
from nomadspec.model.story import replay
from tests.checkers.findings import KNOWN, make_known
from tests.checkers.shop import hasty


@pytest.mark.parametrize("finding", list_findings(), ids=lambda finding: finding.id)
def test_the_story_shows_the_finding(finding: KnownFinding) -> None:
    story, bounded = read_story(place_of_story(ROOT, finding))

    assert (finding.violates, finding.scope, "nomad-2.0") == (story.property, story.scope, story.profile)
    assert finding.steps == len(story.steps)
    assert judge(story, replay(story, bounded)).is_true


def test_no_story_is_left_behind() -> None:
    told = {path.name for path in (ROOT / "docs/findings").glob("*.json")}

    assert {f"{finding.id}.json" for finding in list_findings()} == told


def test_a_finding_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    make_known(monkeypatch)
    story, bounded = hasty()
    path = place_of_story(tmp_path, KNOWN)
    path.parent.mkdir(parents=True)
    write_story(path, story, bounded, "2pc")

    text = compute_findings_page(tmp_path)

    assert "## F-99: The manager commits too soon" in text
    assert "**Conditions:** One is prepared; another one aborts." in text
    assert "nomadspec explore --model 2pc --scope hasty --reduction symmetry" in text
    assert "  5  ObeyCommit(rm1)" in text


def test_each_step_says_what_its_rule_does() -> None:
    lines = write_steps(hasty()[0]).splitlines()

    assert 5 == len(lines)
    assert lines[0].startswith("  1  Prepare(rm1)")


def test_without_findings_there_is_nothing_to_tell(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("nomadspec.checkers.findings.FINDINGS", ())

    assert "None is known." in compute_findings_page(tmp_path)
