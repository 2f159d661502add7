"""Every known finding has a story that replays and ends as it claims."""

from pathlib import Path

import pytest

from nomadspec.checkers.all_findings import list_known
from nomadspec.checkers.attribution import find_owners, shows_under
from nomadspec.checkers.model_findings import find_finding, list_findings
from nomadspec.checkers.reference.findings import (
    compute_findings_page,
    describe_first,
    read_harm,
    write_steps,
)
from nomadspec.checkers.reference.sources import ROOT
from nomadspec.checkers.report.finding_beliefs import place_of_story
from nomadspec.checkers.report.stories import read_story, write_story
from nomadspec.checkers.scenario.decisive import MARK
from nomadspec.checkers.verdict import Finding
from nomadspec.invariants.cluster.world.cluster_findings import CLUSTER_FINDINGS
from nomadspec.invariants.cluster.world.finding_scenarios import SCENARIOS
from nomadspec.invariants.known_finding import KnownFinding
from nomadspec.model.language.claim import judge
from nomadspec.model.language.story import replay
from tests.checkers.findings import KNOWN, make_known
from tests.checkers.shop import hasty


@pytest.mark.parametrize("finding", list_findings(), ids=lambda finding: finding.id)
def test_the_story_shows_the_finding(finding: KnownFinding) -> None:
    story, bounded = read_story(place_of_story(ROOT, finding), keeps_rules=False)

    assert (finding.violates, finding.scope, "nomad-2.0") == (story.property, story.scope, story.profile)
    assert finding.shown.steps == len(story.steps)
    assert judge(story, replay(story, bounded)).is_true


SCREEN = 60
"""So many lines a finding has at most."""

OFTEN_TAKEN_FOR_ANOTHER = {"F-02", "F-20", "F-41", "F-43", "F-44"}


@pytest.mark.parametrize(
    "finding",
    [
        pytest.param(
            finding, id=finding.id, marks=[] if finding.id in OFTEN_TAKEN_FOR_ANOTHER else pytest.mark.deep
        )
        for finding in list_findings()
    ],
)
def test_a_story_is_that_of_its_own_quirk_and_of_no_other(finding: KnownFinding) -> None:
    """The story of F-43 was one of F-20: no cure but its own may end a story, and its own must end it."""
    story, _ = read_story(place_of_story(ROOT, finding), keeps_rules=False)

    assert shows_under(story, finding.own_profile)
    assert not shows_under(story, finding.cured_profile)
    alone = shows_under(story, f"nomad-2.0 -{finding.cure}")
    assert (finding.id == "F-41") == alone, "an entry that was refused has failed, and F-02 does the same"


@pytest.mark.parametrize(
    "finding",
    [
        pytest.param(finding, id=finding.id, marks=[] if finding.id == "F-10" else pytest.mark.deep)
        for finding in list_findings()
    ],
)
def test_who_meets_a_finding_is_told_so(finding: KnownFinding) -> None:
    """F-41 is known although mending it alone does not end its story; F-03 needs the quirk of F-30 too."""
    story, bounded = read_story(place_of_story(ROOT, finding))
    owned = find_owners([Finding(finding.violates, None, story)], bounded, finding.model)[finding.violates]

    assert [finding.id, *(["F-30"] if finding.id == "F-03" else [])] == [one.id for one in owned.findings]


def test_a_title_is_understood_at_first_reading() -> None:
    assert {one.id: one.title for one in list_known() if len(one.title.split()) > 12} == {}


def test_each_finding_of_clusters_names_its_decisive_step() -> None:
    """What every component believes just before it stands on the page."""
    read = {shown: (ROOT / shown.file).read_text(encoding="utf-8") for shown in SCENARIOS}
    named = {shown.cure for shown, text in read.items() if f"\n{MARK}" in text}

    assert {one.cure for one in CLUSTER_FINDINGS} <= named


def test_no_story_is_left_behind() -> None:
    told = {path.name for path in (ROOT / "docs/findings").glob("*.json")}

    assert {f"{finding.id}.json" for finding in list_findings()} == told


def test_a_finding_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    make_known(monkeypatch)
    monkeypatch.setattr("nomadspec.checkers.all_findings.CLUSTER_FINDINGS", ())
    story, bounded = hasty()
    path = place_of_story(tmp_path, KNOWN)
    path.parent.mkdir(parents=True)
    write_story(path, story, bounded, "2pc")

    text = compute_findings_page(tmp_path)

    assert "## F-99: The manager commits too soon" in text
    assert "**Conditions:** One is prepared; another one aborts." in text
    assert "**Severity:** critical. Managers disagree." in text
    assert "**Who is hit:** Every manager, but for the first: nobody rescues them." in text
    assert "nomadspec explore --model 2pc --scope hasty --reduction symmetry" in text
    assert "  5  ObeyCommit(rm1)" in text


def test_each_step_says_what_its_rule_does() -> None:
    lines = write_steps(hasty()[0]).splitlines()

    assert 5 == len(lines)
    assert lines[0].startswith("  1  Prepare(rm1)")


@pytest.mark.deep
def test_the_page_ranks_all_findings_and_says_what_each_component_believes() -> None:
    text = compute_findings_page(ROOT)
    table, _, parts = text.partition("## How severe")
    ranks = [line.split(" | ")[1] for line in table.splitlines() if line.startswith("| [")]

    assert sorted(ranks, key=["critical", "high", "medium", "low"].index) == ranks
    assert len(list_known()) == len(ranks)
    assert parts.count("What each believes") == len(list_findings()) + len(CLUSTER_FINDINGS)
    assert "seen on a real cluster: not by us" in table
    assert "| job1's alloc1 | running, takes room on node1 |" in parts
    assert "expect 0 allocs running" in parts


def test_each_finding_fits_a_screen() -> None:
    """One screen each: a maintainer sees what happens, the story and the beliefs at once."""
    page = (ROOT / "docs/findings.md").read_text(encoding="utf-8")
    parts = page.split("\n## ")[3:]

    assert len(parts) == len(list_findings()) + len(CLUSTER_FINDINGS)
    assert {part.split(":")[0]: len(part.splitlines()) for part in parts if part.count("\n") > SCREEN} == {}


def test_each_scenario_says_in_a_sentence_who_is_hurt() -> None:
    for shown in SCENARIOS:
        said = read_harm(ROOT, shown)
        assert said.endswith(".")
        assert len(said) < 300


def test_the_first_world_is_part_of_a_story() -> None:
    story, _ = read_story(place_of_story(ROOT, find_finding("F-02")))

    assert (
        "First world: 2 jobs, 1 node, 2 workers. Allowed in it: log entries that the applier has in flight: "
        "1; jobs that are stopped: 1; log entries that fail: 1. Bounds, where not 1: evaluations that can be "
        "made for a job: 2."
    ) == describe_first(story)


def test_what_is_in_no_scope_is_not_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("nomadspec.checkers.model_findings.FINDINGS", ())
    monkeypatch.setattr("nomadspec.checkers.all_findings.CLUSTER_FINDINGS", ())

    text = compute_findings_page(tmp_path)

    assert "F-01" not in text
    assert "[D-10](scheduler-findings.md#finding-d-10) | critical" in text
