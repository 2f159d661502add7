"""What verify finds is compared with what is published."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import pytest

from nomadspec.checkers.explore import explore
from nomadspec.checkers.manifest import Published, list_published
from nomadspec.checkers.report.proving import Proved
from nomadspec.checkers.report.verification import ProvedModel, Sampled, Searched, Verification, find_problems
from nomadspec.checkers.simulate import simulate
from nomadspec.checkers.usual_profile import bind_as_usual
from nomadspec.checkers.verdict import (
    ExploreReport,
    Finding,
    Proof,
    ProofResult,
    ProveReport,
    Scoped,
    Verdict,
)
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.property import Kind
from tests.checkers.findings import make_known


def published(scope: str, reduction: str = "none") -> Published:
    return next(
        entry
        for entry in list_published()
        if (entry.model, entry.scope, entry.reduction) == ("2pc", scope, reduction)
    )


@cache
def searched(scope: str, reduction: str = "none") -> Searched:
    """Run a published search of two-phase commit."""
    entry = published(scope, reduction)
    bounded = find_model("2pc").at(scope, profile=entry.profile)
    return Searched(entry, explore(bounded, reduction=reduction, most_unfolded=0))


def proved(result: ProofResult, verdict: Verdict) -> ProvedModel:
    bounded = find_model("2pc").at(profile="nomad-2.0")
    about = Scoped("2pc", "small", bounded.sizes, "intended")
    proof = Proof("managers_agree", about, result, "any number of rms", 0.1, (), ())
    return ProvedModel(Proved(ProveReport(verdict, (proof,), 0.1), bounded, "2pc"), ("intended",))


@pytest.mark.parametrize(
    ("profile", "result", "verdict"),
    [
        ("nomad-2.0", ProofResult.COUNTEREXAMPLE, Verdict.HOLDS),
        ("nomad-2.0", ProofResult.PROVED_BOUNDED, Verdict.VIOLATED),
        ("nomad-2.0", ProofResult.UNKNOWN, Verdict.HOLDS),
        ("intended", ProofResult.COUNTEREXAMPLE, Verdict.VIOLATED),
        ("intended", ProofResult.PROVED_BOUNDED, Verdict.HOLDS),
    ],
)
def test_a_claim_is_broken_by_who_has_its_quirk_and_by_nobody_else(
    profile: str, result: ProofResult, verdict: Verdict
) -> None:
    """03/S8."""
    about = Scoped("resources", "", {}, profile)
    proof = Proof("in_place_update_never_oversubscribes", about, result, "2 allocations", 0.1, (), ())
    model = ProvedModel(Proved(ProveReport(verdict, (proof,), 0.1), None, "resources"), (profile,))

    assert verdict is model.verdict


def test_what_is_as_published_holds() -> None:
    assert (Verdict.HOLDS, ()) == (
        searched("small", "symmetry").verdict,
        searched("small", "symmetry").problems,
    )


def test_other_counts_mean_that_the_model_has_changed() -> None:
    entry = replace(published("small", "symmetry"), distinct=315, depth=16)

    assert ["the model has changed: distinct is 314, not 315, depth is 17, not 16"] == find_problems(
        entry, searched("small", "symmetry").report
    )


def test_a_fault_that_is_found_again_holds() -> None:
    assert (Verdict.HOLDS, ()) == (searched("hasty").verdict, searched("hasty").problems)


@pytest.mark.parametrize(
    ("search", "problem"),
    [
        (
            lambda: (published("hasty"), searched("small", "symmetry").report),
            "managers_agree was not found violated",
        ),
        (
            lambda: (replace(published("hasty"), violates="all_commit"), searched("hasty").report),
            "all_commit was not found violated; managers_agree was",
        ),
        (
            lambda: (replace(published("hasty"), steps=4), searched("hasty").report),
            "the model has changed: the shortest story has 5 steps, not 4",
        ),
        (
            lambda: (
                published("small"),
                replace(searched("hasty").report, findings=searched("hasty").report.findings[:1]),
            ),
            "managers_agree is violated",
        ),
    ],
)
def test_what_is_not_as_published_is_a_problem(
    search: Callable[[], tuple[Published, ExploreReport]], problem: str
) -> None:
    entry, report = search()

    assert [problem] == find_problems(entry, report)
    assert Verdict.VIOLATED is Searched(entry, report).verdict


def test_a_lemma_that_is_asked_is_a_problem_where_it_is_violated() -> None:
    broken = Finding("commit_counts_everyone", Kind.ALWAYS, None)
    report = replace(searched("small", "symmetry").report, findings=(broken,))

    assert ["commit_counts_everyone is violated"] == find_problems(published("small", "symmetry"), report)


def test_what_is_never_reached_is_a_problem() -> None:
    never = replace(searched("small", "symmetry").report, findings=(Finding("x", Kind.SOMETIMES, None),))

    assert ["x is never reached"] == find_problems(published("small", "symmetry"), never)


def test_a_known_finding_is_found_again_or_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    make_known(monkeypatch)
    report = explore(bounded_of("hasty"), properties=["managers_agree"], stop_at_first=False)
    entry = replace(
        published("small"),
        scope="hasty",
        profile="X-03",
        known=("F-99",),
        distinct=report.distinct,
        generated=report.generated,
        depth=report.depth,
    )
    again = Searched(entry, report)
    gone = Searched(entry, replace(report, findings=()))

    assert (Verdict.HOLDS, ("F-99",), ()) == (again.verdict, again.found_again, again.problems)
    assert (Verdict.VIOLATED, (), ("F-99 is gone: managers_agree holds",)) == (
        gone.verdict,
        gone.found_again,
        gone.problems,
    )


def test_a_known_counterexample_is_not_held_against_a_model(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = replace(proved(ProofResult.COUNTEREXAMPLE, Verdict.VIOLATED), profiles=("X-03",))
    verdicts = [wrong.verdict]
    make_known(monkeypatch)
    verdicts.append(wrong.verdict)

    assert [Verdict.VIOLATED, Verdict.HOLDS] == verdicts


def test_a_search_that_was_cut_is_open() -> None:
    entry = published("small")
    cut = explore(bounded_of("small"), max_states=10)
    nothing_yet = explore(bounded_of("hasty"), max_states=2)

    assert Verdict.INCONCLUSIVE is Searched(entry, cut).verdict
    assert Verdict.INCONCLUSIVE is Searched(published("hasty"), nothing_yet).verdict


def test_a_search_that_was_cut_by_its_violation_is_not_open() -> None:
    assert "violation" == searched("hasty").report.stopped_by
    assert Verdict.HOLDS is searched("hasty").verdict


@pytest.mark.parametrize(
    ("result", "own", "verdict"),
    [
        (ProofResult.PROVED_UNBOUNDED, Verdict.HOLDS, Verdict.HOLDS),
        (ProofResult.NOT_INDUCTIVE, Verdict.INCONCLUSIVE, Verdict.HOLDS),
        (ProofResult.UNKNOWN, Verdict.INCONCLUSIVE, Verdict.HOLDS),
        (ProofResult.COUNTEREXAMPLE, Verdict.VIOLATED, Verdict.VIOLATED),
    ],
)
def test_only_a_reachable_violation_is_held_against_a_model(
    result: ProofResult, own: Verdict, verdict: Verdict
) -> None:
    assert verdict is proved(result, own).verdict


def test_one_violation_is_enough() -> None:
    found = Verification("fast", searched=[searched("small", "symmetry")])
    verdicts = [found.verdict]
    found.missing.append("proving 2pc")
    verdicts.append(found.verdict)
    found.proved.append(proved(ProofResult.COUNTEREXAMPLE, Verdict.VIOLATED))
    verdicts.append(found.verdict)

    assert [Verdict.HOLDS, Verdict.INCONCLUSIVE, Verdict.VIOLATED] == verdicts


def test_samples_refute_or_say_nothing() -> None:
    fine = simulate(bounded_of("small"), seed=1, walks=2)
    wrong = simulate(bounded_of("hasty"), seed=3)

    assert Verdict.HOLDS is Sampled("walks", bounded_of("small"), fine, "again").verdict
    assert Verdict.VIOLATED is Sampled("walks", bounded_of("hasty"), wrong, "again").verdict


def bounded_of(scope: str) -> BoundedModel:
    return bind_as_usual(find_model("2pc"), scope)
