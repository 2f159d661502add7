"""The verdict on one screen: what it rests on, what is known to be wrong, what was not looked at."""

from dataclasses import replace
from typing import Any

import pytest
from click import unstyle

from nomadspec.checkers.report.verification import Sampled, Searched, Verification
from nomadspec.checkers.report.verification_summary import render_summary
from nomadspec.checkers.simulate import simulate
from nomadspec.checkers.verdict import ProofResult, Verdict
from tests.checkers.findings import KNOWN, make_known
from tests.checkers.report.test_verification import bounded_of, proved, published, searched


def whole() -> Verification:
    walk = simulate(bounded_of("small"), seed=1, walks=2)
    return Verification(
        "fast",
        searched=[replace(searched("small", "symmetry"), also_for=("intended",)), searched("hasty")],
        proved=[proved(ProofResult.PROVED_UNBOUNDED, Verdict.HOLDS)],
        sampled=[Sampled("walks", bounded_of("small"), walk, "nomadspec simulate")],
        left_out=[(published("full"), "nomadspec explore --model 2pc --scope full")],
        deferred=["nomadspec verify --model kernel --effort ci", "nomadspec prove --model resources"],
        seconds=2.0,
    )


def render(found: Verification) -> str:
    return unstyle(render_summary(found))


def test_the_verdict_stands_first_and_last() -> None:
    lines = render(whole()).splitlines()

    assert "HOLDS  under nomad-2.0 and intended (in 2 s, effort fast)" == lines[0]
    assert lines[-1].startswith("HOLDS  within the bounds above; details: nomadspec verify --full")


def test_the_work_has_a_line_each() -> None:
    lines = render(whole()).splitlines()

    assert "  explored   1 search, 314 worlds of 2pc" in lines
    assert "  proved     1 of 1 property, 1 for any size" in lines
    assert "  sampled    34 steps in 2 random runs" in lines
    assert "  self-test  1 of 1 known-bad scope (must fail) failed as published" in lines


def test_what_was_not_looked_at_has_a_number_and_a_command() -> None:
    lines = {" ".join(line.split()) for line in render(whole()).splitlines()}

    assert "1 larger search nomadspec verify --effort ci" in lines
    assert "liveness in 1 scope nomadspec explore --model 2pc --scope small" in lines
    assert "proofs and samples of a model nomadspec verify --model kernel --effort ci" in lines
    assert "proofs nomadspec prove --model resources" in lines


def test_liveness_that_another_search_has_checked_is_not_open() -> None:
    found = whole()
    found.searched.insert(0, replace(searched("small"), also_for=("intended",)))

    assert "liveness" not in render(found)


def test_a_known_finding_has_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    make_known(monkeypatch)
    entry = replace(published("small"), scope="hasty", profile="X-03", known=("F-99",))
    found = Verification("fast", searched=[Searched(entry, searched("hasty").report)])
    text = render(found)

    assert [{"id": "F-99", "severity": "critical", "harm": "managers disagree"}] == found.data()["known"]
    titles: Any = found.data()["titles"]
    assert ["X-03"] == list(titles)
    assert "except 1 known finding of the release" in text
    assert f"  F-99     {KNOWN.impact.severity.value}" in text
    assert KNOWN.impact.harm in text


def test_a_new_violation_is_told_with_its_story() -> None:
    text = render(Verification("fast", searched=[Searched(published("small"), searched("hasty").report)]))

    assert text.startswith("VIOLATED")
    assert "managers_agree is violated after 5 steps" in text
    assert "5  ObeyCommit(rm1)" in text
    assert "VIOLATED  the violations above are new" in text


def test_an_interrupt_says_where() -> None:
    found = whole()
    found.missing = ["proving core", "walking through core"]

    assert "interrupted before proving core and 1 later task; run it again to check everything" in render(
        found
    )


def test_an_undecided_proof_is_counted_as_such() -> None:
    found = Verification("fast", proved=[proved(ProofResult.UNKNOWN, Verdict.INCONCLUSIVE)])

    assert "proved    0 of 1 property, 0 for any size, 1 undecided" in render(found)


def test_it_fits_one_screen() -> None:
    assert len(render(whole()).splitlines()) <= 24
