"""One verdict, with everything that it rests on."""

from dataclasses import replace

import pytest
from click import unstyle

from nomadspec.checkers.report.verification import Sampled, Searched, Verification
from nomadspec.checkers.report.verification_text import render_verification
from nomadspec.checkers.simulate import simulate
from nomadspec.checkers.verdict import Budget, ProofResult, Verdict
from tests.checkers.findings import make_known
from tests.checkers.report.test_verification import bounded_of, proved, published, searched


def render(found: Verification) -> str:
    return " ".join(unstyle(render_verification(found)).split())


def whole() -> Verification:
    walk = simulate(bounded_of("small"), seed=1, walks=2)
    return Verification(
        "fast",
        searched=[replace(searched("small", "symmetry"), also_for=("intended",)), searched("hasty")],
        proved=[proved(ProofResult.PROVED_UNBOUNDED, Verdict.HOLDS)],
        sampled=[Sampled("walks", bounded_of("small"), walk, "nomadspec simulate")],
        left_out=[(published("full"), "nomadspec explore --model 2pc --scope full")],
        seconds=2.0,
    )


def test_every_part_is_told() -> None:
    text = render(whole())

    assert "2pc small nomad-2.0, intended symmetry 314 2,048 17" in text
    assert "2pc hasty X-03 managers_agree 5 steps found" in text
    assert (
        "ID TITLE X-03 The transaction manager commits as soon as one resource manager is prepared." in text
    )
    assert "2pc intended proved for any number 1 property any number of rms" in text
    assert "2 runs, seed 1" in text
    assert "ci nomadspec explore --model 2pc --scope full" in text
    assert text.startswith(
        "HOLDS under nomad-2.0 and intended (in 2 s, effort fast) explored 1 search, 314 worlds"
    )
    assert text.endswith("HOLDS within the bounds above")
    assert "1 of 1 known-bad scope (must fail) failed as published" in text


def test_how_far_it_reaches_is_told() -> None:
    text = render(whole())

    assert (
        "2pc small: liveness not checked under symmetry: ask for it with --property: everyone_is_told" in text
    )
    assert "never fired in these scopes" not in text


def test_a_rule_that_fired_in_no_scope_of_a_model_is_named() -> None:
    found = whole()
    report = replace(found.searched[0].report, fired={"Prepare": 3, "Dream": 0})
    found.searched[0] = replace(found.searched[0], report=report)

    assert "2pc never fired in these scopes: Dream (of 2 rules)" in render(found)


def test_a_rule_that_fired_in_another_scope_is_not_named() -> None:
    found = whole()
    (one, *others), hanoi = found.searched, replace(published("small"), model="hanoi")
    found.searched = [
        replace(one, report=replace(one.report, fired={"Prepare": 3, "Dream": 0})),
        Searched(hanoi, one.report),
        replace(one, report=replace(one.report, fired={"Prepare": 0, "Dream": 1})),
        *others,
    ]

    assert "Dream" not in render(found)


def test_what_two_scopes_leave_unchecked_is_said_once() -> None:
    found = whole()
    one = found.searched[0]
    found.searched.append(replace(one, published=replace(one.published, scope="full")))

    assert 1 == render(found).count("everyone_is_told")
    assert "2pc small and full: liveness not checked under symmetry" in render(found)


def test_many_bounds_that_are_switched_off_are_counted() -> None:
    found = whole()
    budgets = (Budget("made", 2, 1), *[Budget(name, 0, 0) for name in "abcd"])
    report = replace(found.searched[0].report, budgets=budgets)
    found.searched[0] = replace(found.searched[0], report=report)

    assert "2pc small bound not reached: made 1 of 2 2pc small switched off: 4 other bounds of 0" in render(
        found
    )


def test_a_problem_is_told() -> None:
    found = whole()
    found.searched[0] = Searched(
        replace(published("small", "symmetry"), distinct=1), found.searched[0].report
    )

    text = render(found)

    assert "2pc small, symmetry, nomad-2.0: the model has changed: distinct is 314, not 1" in text
    assert "VIOLATED" in text


def test_a_new_violation_is_told_with_its_story() -> None:
    found = Verification("fast", searched=[Searched(published("small"), searched("hasty").report)])

    text = render(found)

    assert "managers_agree is violated" in text
    assert "5 ObeyCommit(rm1)" in text


def test_a_sample_that_found_something_is_told() -> None:
    walk = simulate(bounded_of("hasty"), seed=3)
    text = render(Verification("fast", sampled=[Sampled("walks", bounded_of("hasty"), walk, "do it again")]))

    assert "is violated after" in text
    assert "reproduce: do it again" in text


def test_a_known_finding_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    make_known(monkeypatch)
    entry = replace(published("small"), scope="hasty", profile="X-03", known=("F-99",))
    found = Verification("fast", searched=[Searched(entry, searched("hasty").report)])

    text = render(found)

    assert "F-99 managers_agree 5 steps hasty without X-03 The manager commits too soon" in text
    assert "except 1 known finding of the release" in text


def test_an_interrupt_is_told() -> None:
    found = whole()
    found.missing = ["proving core", "walking through core"]

    text = render(found)

    assert "INCONCLUSIVE" in text
    assert "Interrupted before proving core and walking through core" in text
    assert "interrupted before proving core and 1 later task" in text


def test_a_proof_that_failed_is_named() -> None:
    found = Verification("fast", proved=[proved(ProofResult.NOT_INDUCTIVE, Verdict.INCONCLUSIVE)])

    assert "not-inductive managers_agree any number of rms" in render(found)


def test_an_open_search_is_told() -> None:
    cut = replace(searched("small", "symmetry").report, stopped_by="interrupt")
    found = Verification("fast", searched=[replace(searched("small", "symmetry"), report=cut)])

    assert "not exhaustive, it was interrupted" in render(found)
