"""Proofs of claims about resources."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from nomadspec.checkers.progress import Silence
from nomadspec.checkers.smt.emit import QuestionFiles
from nomadspec.checkers.smt.question import Answer, Asking
from nomadspec.checkers.smt.resources import proof as subject
from nomadspec.checkers.smt.resources import prove_resources
from nomadspec.checkers.verdict import ProofResult, Verdict
from nomadspec.invariants.cluster.resources.claim import Claim
from nomadspec.model.errors import UnknownNameError
from nomadspec.model.language.logic import implies
from nomadspec.model.specification.profiles import INTENDED, NOMAD_2_0
from tests.checkers.smt.emit_status import status_of
from tests.checkers.smt.resources.claims import claim_of, prove_statement

QUICK = ("disk_is_never_oversubscribed", "memory_is_never_oversubscribed", "allocs_are_never_too_many")
GROWTH = "in_place_update_never_oversubscribes"


def with_claims(monkeypatch: pytest.MonkeyPatch, claims: Sequence[Claim]) -> None:
    monkeypatch.setattr(subject, "CLAIMS", claims)


def test_quick_dimensions_are_proved_for_any_number_of_allocations() -> None:
    """PLAN-54, PLAN-55, RANK-30."""
    report = prove_resources(NOMAD_2_0, properties=QUICK)

    assert Verdict.HOLDS is report.verdict
    assert {ProofResult.PROVED_UNBOUNDED} == {proof.result for proof in report.proofs}
    assert "no allocation" == report.proofs[0].rows[0].rule


def test_devices_are_proved_within_their_bound() -> None:
    """PLAN-54."""
    (proof,) = prove_resources(INTENDED, properties=["devices_are_never_used_twice"]).proofs

    assert ProofResult.PROVED_BOUNDED is proof.result
    assert "up to 3 allocations" in proof.scope


def test_growth_in_place_is_a_quirk_with_its_example() -> None:
    """03/S8, PLAN-51."""
    report = prove_resources(NOMAD_2_0, properties=[GROWTH])
    example = report.proofs[0].example

    assert Verdict.VIOLATED is report.verdict
    assert example is not None
    assert {"node", "stays", "before", "after"} == set(example.objects)


@pytest.mark.deep
def test_everything_is_proved_as_intended() -> None:
    """PLAN-51, PLAN-53, PLAN-54, PLAN-55, PLAN-56, RANK-30."""
    report = prove_resources(INTENDED)

    assert Verdict.HOLDS is report.verdict
    assert () == report.notes


@pytest.mark.deep
@pytest.mark.parametrize("seed", [0, 1, 2, 3, 4])
def test_all_seeds_give_the_same(seed: int) -> None:
    report = prove_resources(NOMAD_2_0, asking=Asking(seed))

    assert [GROWTH] == [one.property for one in report.proofs if one.result is ProofResult.COUNTEREXAMPLE]


def test_one_broken_part_breaks_the_claim(monkeypatch: pytest.MonkeyPatch) -> None:
    with_claims(monkeypatch, [claim_of(lambda _draw: True, lambda draw: draw.number("n") != 5)])
    report = prove_resources(INTENDED)
    (proof,) = report.proofs

    assert (Verdict.VIOLATED, ProofResult.COUNTEREXAMPLE) == (report.verdict, proof.result)
    assert ["kept", "broken"] == [row.result for row in proof.rows]
    assert proof.example is not None
    assert {"n": 5} == proof.example.values


def test_a_premise_that_is_never_met_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    with_claims(
        monkeypatch, [claim_of(lambda draw: implies(draw.number("n") != draw.number("n"), draw.flag("f")))]
    )
    report = prove_resources(INTENDED)

    assert (Verdict.INCONCLUSIVE, ProofResult.UNKNOWN) == (report.verdict, report.proofs[0].result)
    assert ("The premise of toy, part 1, is never met.",) == report.notes


def test_without_time_nothing_is_known() -> None:
    assert Answer.UNKNOWN is prove_statement(lambda draw: draw.number("n") != 5, seconds=0.0).answer
    assert Verdict.INCONCLUSIVE is prove_resources(INTENDED, properties=QUICK, max_seconds=0.0).verdict


def test_an_interrupt_keeps_what_was_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(name: str, done: int, expected: int | None = None) -> None:
        del name, expected
        if done == 1:
            raise KeyboardInterrupt

    progress = Silence()
    monkeypatch.setattr(progress, "update", interrupt)
    report = prove_resources(NOMAD_2_0, properties=QUICK, progress=progress)

    assert (True, Verdict.INCONCLUSIVE) == (report.is_interrupted, report.verdict)
    assert [ProofResult.PROVED_UNBOUNDED, ProofResult.UNKNOWN, ProofResult.UNKNOWN] == [
        proof.result for proof in report.proofs
    ]


def test_a_bounded_claim_is_proved_in_its_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    with_claims(monkeypatch, [claim_of(lambda _draw: True, is_unbounded=False)])

    assert ProofResult.PROVED_BOUNDED is prove_resources(INTENDED).proofs[0].result


def test_however_many_processes_ask_the_answers_are_the_same() -> None:
    names = ["in_place_update_never_oversubscribes", "disk_is_never_oversubscribed"]
    here, there = (
        prove_resources(NOMAD_2_0, properties=names, asking=Asking(workers=workers)) for workers in (None, 2)
    )

    assert names == [proof.property for proof in there.proofs]
    assert [(proof.result, proof.example) for proof in here.proofs] == [
        (proof.result, proof.example) for proof in there.proofs
    ]


def test_an_unknown_claim_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="no property of resources"):
        prove_resources(INTENDED, properties=["nothing"])


def test_all_questions_of_a_part_are_one_file(tmp_path: Path) -> None:
    files = QuestionFiles(tmp_path, "resources")
    prove_resources(NOMAD_2_0, properties=[QUICK[0], GROWTH], asking=Asking(ledgers=(files,)))
    statuses = {one.file: one.status for one in files.written}

    assert "sat" == statuses[f"resources.{GROWTH}.a-plan-changes-in-place.smt2"]
    assert "unsat" == statuses["resources.disk_is_never_oversubscribed.accepted-is-enough.smt2"]
    for file, status in statuses.items():
        assert status == status_of((tmp_path / file).read_text())
