"""How verify goes about it."""

import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nomadspec.checkers import minimise
from nomadspec.checkers.cli import verifying
from nomadspec.checkers.cli.verifying import Plan, command_of, verify
from nomadspec.checkers.explore import named_search
from nomadspec.checkers.manifest import Effort, Published, list_published
from nomadspec.checkers.progress import Silence
from nomadspec.checkers.report.verification import Verification
from nomadspec.checkers.report.verification_text import render_verification
from nomadspec.checkers.verdict import ProveReport, SimulateReport, Verdict
from nomadspec.invariants.cluster.resources.claims import find_claim
from nomadspec.model.specification.profiles import find_profile
from tests.checkers.cli.calling import call


def entry(reduction: str, profile: str) -> Published:
    return next(
        one
        for one in list_published()
        if (one.model, one.scope, one.reduction, one.profile) == ("core", "flip", reduction, profile)
    )


def test_the_command_runs_the_search() -> None:
    assert "nomadspec explore --model core --scope flip" == command_of(entry("none", "nomad-2.0"))
    assert "nomadspec explore --model core --scope flip --profile intended --reduction symmetry" == (
        command_of(entry("symmetry", "intended"))
    )


@pytest.mark.parametrize(
    "engine", ["explore", "prove", pytest.param("simulate", marks=pytest.mark.deep), "run"]
)
def test_an_interrupt_keeps_what_was_found(monkeypatch: pytest.MonkeyPatch, engine: str) -> None:
    monkeypatch.setattr(verifying, "prove", lambda *_, **__: ProveReport(Verdict.HOLDS, (), 0.0))
    monkeypatch.setattr(named_search if engine == "explore" else verifying, engine, interrupt)

    monkeypatch.setattr(verifying, "_WALKS", dict.fromkeys(Effort, 20))
    found = verify(["2pc"], Effort.FAST, Silence())

    assert Verdict.INCONCLUSIVE is found.verdict
    assert found.missing
    assert (engine == "explore") == (not found.searched)


def test_classics_are_proved_and_sampled_only_where_they_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(named_search, "explore", interrupt)
    monkeypatch.setattr(verifying, "list_alike", lambda *_: ())

    assert "exploring hanoi small, nomad-2.0" in (everything := verify([], Effort.FAST, Silence()).missing)
    assert "proving hanoi" not in everything
    assert "proving hanoi" in verify(["hanoi"], Effort.FAST, Silence()).missing


def test_an_interrupted_proof_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def cut(*_given: object, **_named: object) -> ProveReport:
        return ProveReport(Verdict.INCONCLUSIVE, (), 0.0, is_interrupted=True)

    monkeypatch.setattr(verifying, "prove", cut)
    found = verify(["2pc"], Effort.FAST, Silence())

    assert Verdict.INCONCLUSIVE is found.verdict
    assert not found.sampled
    assert ["proving 2pc", "walking through 2pc", "running 2pc under Hypothesis"] == found.missing


def test_a_larger_effort_leaves_less_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(named_search, "explore", interrupt)
    left_out = [len(verify(["core"], effort, Silence()).left_out) for effort in Effort]

    assert left_out == sorted(left_out, reverse=True)
    assert 0 == left_out[-1]


@pytest.mark.deep
def test_claims_about_resources_are_proved_once_and_for_each_profile_that_they_ask(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """03/S8."""
    monkeypatch.setattr(verifying, "list_published", list)
    quick = [
        find_claim(name) for name in ("allocs_are_never_too_many", "in_place_update_never_oversubscribes")
    ]
    monkeypatch.setattr(verifying, "CLAIMS", quick)
    monkeypatch.setattr(verifying, "_CLUSTER_ACTS", dict.fromkeys(Effort, 50))
    found = verify([], Effort.CI, Silence())

    assert [("nomad-2.0", "intended"), ("nomad-2.0",), ("intended",)] == [
        one.profiles for one in found.proved
    ]
    assert {Verdict.HOLDS} == {one.verdict for one in found.proved}
    assert ["nomadspec prove --model resources"] == verify([], Effort.FAST, Silence()).deferred


@pytest.mark.parametrize("is_broken", [False, True])
def test_whole_clusters_are_driven_as_intended_and_without_what_is_known(
    monkeypatch: pytest.MonkeyPatch, *, is_broken: bool
) -> None:
    """X-41: what the release does wrong is a violation where nobody has mended it."""
    monkeypatch.setattr(verifying, "list_published", list)
    monkeypatch.setattr(verifying, "CLAIMS", [])
    monkeypatch.setattr(verifying, "_CLUSTER_ACTS", dict.fromkeys(Effort, 900 if is_broken else 200))
    if is_broken:
        monkeypatch.setattr(verifying, "_SEED", 1)
        monkeypatch.setattr(verifying, "make_cured_profile", lambda: find_profile("intended +X-41"))
    found = verify([], Effort.CI, Silence())
    text = render_verification(found)

    assert ["intended", found.clusters[1].search.profile] == [one.search.profile for one in found.clusters]
    assert (Verdict.VIOLATED if is_broken else Verdict.HOLDS) is found.clusters[1].verdict
    assert Verdict.HOLDS is found.clusters[0].verdict
    assert is_broken is ("version_of_job_never_decreases" in text)
    assert "steps of whole clusters in" in text
    told: Any = found.data()["clusters"]
    assert [one.search.acts for one in found.clusters] == [one["acts"] for one in told]


def test_what_a_walk_found_is_found_again_by_its_line(monkeypatch: pytest.MonkeyPatch) -> None:
    found = Verification("fast")
    monkeypatch.setattr(
        minimise._Shortener, "_find_detour", lambda *_: None
    )  # it may be longer than it must be
    verifying._walk(Plan(("2pc",), Effort.FAST, Silence()), "2pc", "X-03", found)
    (sample,) = found.sampled
    again = call(*shlex.split(sample.again)[1:], "--json").data
    report = sample.report
    assert isinstance(report, SimulateReport)

    assert (report.digest, report.walks) == (again["digest"], again["walks"])
    assert ["managers_agree"] == [one["property"] for one in again["findings"]]


@pytest.mark.deep
def test_what_hypothesis_found_is_replayed_by_its_line(tmp_path: Path) -> None:
    found = Verification("fast")
    verifying._run_machine(Plan(("2pc",), Effort.CI, Silence()), "2pc", "X-03", found)
    (sample,) = found.sampled
    story = sample.report.findings[0].story
    words = [sys.executable, *shlex.split(sample.again)[1:]]
    done = subprocess.run(words, cwd=tmp_path, check=False, capture_output=True, text=True)
    assert story is not None

    assert 1 == done.returncode
    assert "ViolationError: managers_agree does not hold" in done.stderr
    assert all(f"{number:3} {step}\n" in done.stderr for number, step in enumerate(story.steps, 1))


def interrupt(*_given: object, **_named: Callable[..., object]) -> None:
    raise KeyboardInterrupt
