"""What the pages tell is found by exploring, and the shortest of it is kept."""

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from nomadspec.checkers.reference import evidence
from nomadspec.checkers.reference.evidence import find_taken, list_seen, main, write_findings
from nomadspec.checkers.reference.witnesses import Taken
from nomadspec.checkers.report.finding_beliefs import place_of_story
from nomadspec.checkers.report.stories import read_story
from nomadspec.invariants.known_finding import KnownFinding
from nomadspec.model.errors import ImpossibleError
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.agreement.walking import KERNEL
from tests.checkers.findings import KNOWN, make_known

SMALL = replace(
    KERNEL, scopes=tuple(one for one in KERNEL.scopes if one.name in {"batch", "external-triggers"})
)


@cache
def find(most_states: int = 1_000) -> list[Taken]:
    return find_taken(list_seen(SMALL, most_states))


def test_the_shortest_story_of_several_scopes_is_kept() -> None:
    (dequeued,) = [one for one in find() if (one.lifecycle, one.cause) == ("evaluation-full", "dequeued")]

    assert ("nomad-2.0", 1) == (dequeued.profile, len(dequeued.steps))
    assert "Dequeue" == dequeued.steps[-1].rule


def test_an_occasion_is_told_apart() -> None:
    triggers = {one.cause for one in find() if one.steps[-1].rule == "EvaluateJob"}

    assert {"a job is scaled", "a periodic job is launched"} <= triggers


def test_what_is_far_away_is_not_looked_at() -> None:
    assert len(find(2)) < len(find())


def test_each_finding_gets_its_story(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    make_known(monkeypatch)
    monkeypatch.setattr(evidence, "NOMAD_2_0", replace(NOMAD_2_0, name="X-03"))
    monkeypatch.setattr(KnownFinding, "own_profile", "X-03")
    (tmp_path / "docs").mkdir()

    write_findings(tmp_path)

    story, _ = read_story(place_of_story(tmp_path, KNOWN))
    assert ("managers_agree", 5) == (story.property, len(story.steps))


def test_a_finding_that_is_gone_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    make_known(monkeypatch, replace(KNOWN, shown=replace(KNOWN.shown, scope="small")))

    with pytest.raises(ImpossibleError, match="F-99 is gone: managers_agree holds in small"):
        write_findings(tmp_path)


def test_only_what_is_asked_for_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(evidence, "write_findings", lambda _: asked.append("findings"))
    monkeypatch.setattr(evidence, "write_taken", lambda *_: asked.append("lifecycles"))
    monkeypatch.setattr(evidence, "find_taken", lambda _: [])

    codes = [main(["findings"]), main(["lifecycles"]), main([])]

    assert [0, 0, 0] == codes
    assert ["findings", "lifecycles", "findings", "lifecycles"] == asked
