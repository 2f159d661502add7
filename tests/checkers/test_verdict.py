from dataclasses import FrozenInstanceError, replace
from typing import Any

import pytest

from nomadspec.checkers.verdict import (
    Budget,
    ExploreReport,
    Proof,
    ProofResult,
    ProveReport,
    Scoped,
    SimulateReport,
    Verdict,
)

ABOUT = Scoped("core", "small", {"jobs": 2}, "intended")
REPORT = ExploreReport(
    about=ABOUT,
    verdict=Verdict.HOLDS,
    reduction="none",
    distinct=3,
    generated=4,
    depth=2,
    seconds=0.1,
    digest="0" * 32,
    stopped_by=None,
    findings=(),
    reached={},
    checked=("fine",),
    not_checked={},
    fired={"Dequeue": 2, "FlipNode": 0, "Ack": 1},
    budgets=(),
)


@pytest.mark.parametrize(
    ("verdict", "word", "code"),
    [
        (Verdict.HOLDS, "holds", 0),
        (Verdict.VIOLATED, "violated", 1),
        (Verdict.INCONCLUSIVE, "inconclusive", 4),
        (Verdict.NOT_REFUTED, "not-refuted", 0),
    ],
)
def test_each_verdict_has_its_word_and_exit_code(verdict: Verdict, word: str, code: int) -> None:
    assert (word, code) == (verdict.value, verdict.exit_code)


def test_there_is_no_other_verdict() -> None:
    assert 4 == len(Verdict)


@pytest.mark.parametrize(("used", "is_touched"), [(0, False), (1, False), (2, True), (3, True)])
def test_a_budget_is_touched_when_it_is_used_up(used: int, is_touched: bool) -> None:
    assert is_touched is Budget("flips", 2, used).is_touched


def test_a_budget_of_nothing_is_touched() -> None:
    assert Budget("flips", 0, 0).is_touched


def test_rules_that_never_fired_are_listed() -> None:
    assert ("FlipNode",) == REPORT.silent_rules
    assert () == replace(REPORT, fired={}).silent_rules


def test_a_search_is_complete_and_without_checkpoint_unless_it_says_so() -> None:
    assert (None, None) == (REPORT.stopped_by, REPORT.checkpoint)


def test_a_report_is_never_changed() -> None:
    report: Any = REPORT
    with pytest.raises(FrozenInstanceError):
        report.verdict = Verdict.VIOLATED


def test_a_walk_that_ended_was_not_stopped() -> None:
    report = SimulateReport(ABOUT, Verdict.NOT_REFUTED, 1, 2, 3, 0.1, "0" * 32, (), {}, {}, ())

    assert (None, (), {}) == (report.stopped_by, report.checked, report.not_checked)


@pytest.mark.parametrize(
    ("result", "word"),
    [
        (ProofResult.PROVED_UNBOUNDED, "proved-unbounded"),
        (ProofResult.PROVED_BOUNDED, "proved-bounded"),
        (ProofResult.COUNTEREXAMPLE, "counterexample"),
        (ProofResult.NOT_INDUCTIVE, "not-inductive"),
        (ProofResult.UNKNOWN, "unknown"),
    ],
)
def test_each_proof_result_has_its_word(result: ProofResult, word: str) -> None:
    proof = Proof("fine", ABOUT, result, "any number of jobs", 0.1, (), ())

    assert word == proof.result.value
    assert (None, None) == (proof.story, proof.gap)
    assert () == ProveReport(Verdict.HOLDS, (proof,), 0.1).notes
