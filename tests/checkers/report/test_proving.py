"""What the solver says, in words."""

from dataclasses import replace
from typing import Any

import pytest
from click import unstyle

from nomadspec.checkers.report.proving import (
    Proved,
    combine,
    data_of,
    describe_reach,
    find_story,
    paint_result,
    render_all,
    summarise,
)
from nomadspec.checkers.verdict import (
    InductionGap,
    Proof,
    ProofResult,
    ProofRow,
    ProveReport,
    Reach,
    ReachMark,
    Scoped,
    Verdict,
)
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.story import Story
from tests.checkers.shop import hasty

BOUNDED = find_model("2pc").at("hasty")
ABOUT = Scoped("2pc", "hasty", BOUNDED.sizes, "X-03")
GAP = InductionGap({"a": 1, "b": 2}, "Prepare", {"rm": "rm1"}, {"a": 1, "b": 3})


def proof_of(
    result: ProofResult, scope: str = "rms 3", story: Story | None = None, gap: InductionGap | None = None
) -> Proof:
    rows = (ProofRow("Prepare", "kept", 0.1),)
    return Proof("managers_agree", ABOUT, result, scope, 0.2, rows, ("counted_was_sent",), story, gap)


def proved_of(verdict: Verdict, *proofs: Proof) -> Proved:
    return Proved(ProveReport(verdict, proofs, 0.3), BOUNDED, "2pc")


def text_of(*proved: Proved, in_full: bool = False) -> str:
    return " ".join(unstyle(render_all(proved, in_full=in_full)).split())


@pytest.mark.parametrize(
    ("verdicts", "whole"),
    [
        ([Verdict.HOLDS, Verdict.HOLDS], Verdict.HOLDS),
        ([Verdict.HOLDS, Verdict.INCONCLUSIVE], Verdict.INCONCLUSIVE),
        ([Verdict.INCONCLUSIVE, Verdict.VIOLATED], Verdict.VIOLATED),
        ([], Verdict.HOLDS),
    ],
)
def test_verdicts_are_combined(verdicts: list[Verdict], whole: Verdict) -> None:
    assert whole is combine(verdicts)


def test_a_scope_that_all_share_is_said_once() -> None:
    text = text_of(proved_of(Verdict.HOLDS, proof_of(ProofResult.PROVED_UNBOUNDED, "any number of rms")))

    assert "2pc, profile X-03: any number of rms PROPERTY RESULT SECONDS managers_agree" in text
    assert "HOLDS 1 property: 1 proved without bounds" in text


def test_scopes_that_differ_stand_in_a_column() -> None:
    proofs = (proof_of(ProofResult.PROVED_UNBOUNDED, "any"), proof_of(ProofResult.PROVED_BOUNDED, "rms 3"))

    assert "proved-bounded 0.20 rms 3" in text_of(proved_of(Verdict.HOLDS, *proofs))


def test_in_full_there_is_a_row_for_each_rule() -> None:
    text = text_of(proved_of(Verdict.HOLDS, proof_of(ProofResult.PROVED_BOUNDED)), in_full=True)

    assert "RULE RESULT SECONDS Prepare kept 0.100" in text
    assert "with counted_was_sent" in text


def test_a_counterexample_is_told() -> None:
    one = proved_of(Verdict.VIOLATED, proof_of(ProofResult.COUNTEREXAMPLE, story=hasty()[0]))

    assert "5 ObeyCommit(rm1) state[rm1]: prepared -> committed" in text_of(one)
    assert (hasty()[0], BOUNDED, "2pc") == find_story([one])


def test_a_gap_is_shown_with_what_it_changes_first() -> None:
    one = proved_of(Verdict.INCONCLUSIVE, proof_of(ProofResult.NOT_INDUCTIVE, gap=GAP))
    text = text_of(one)

    assert "managers_agree is not inductive: Prepare(rm1) breaks it in this world," in text
    assert "b 2 -> 3 a 1" in text
    assert "if it is false, more steps of `--bmc`, or `nomadspec explore`, show how." in text
    assert "INCONCLUSIVE 1 property: 1 not inductive" in text
    assert find_story([one]) is None


@pytest.mark.parametrize(
    ("reach", "sentence"),
    [
        (None, "which perhaps nothing leads to."),
        (Reach(ReachMark.OPEN, 8), "perhaps nothing leads to: 8 steps back there is no initial world yet."),
        (Reach(ReachMark.UNREACHABLE, 1), "which nothing leads to: 1 step back there is no world left."),
    ],
)
def test_a_gap_says_whether_its_world_is_reachable(reach: Reach | None, sentence: str) -> None:
    gap = replace(GAP, reach=reach)
    proof = proof_of(ProofResult.NOT_INDUCTIVE, gap=gap)
    data: Any = data_of([proved_of(Verdict.INCONCLUSIVE, proof)])

    assert sentence in describe_reach(reach)
    assert sentence in text_of(proved_of(Verdict.INCONCLUSIVE, proof))
    assert (reach and {"mark": reach.mark.value, "steps": reach.steps}) == data["results"][0]["gap"]["reach"]


def test_what_limits_the_proofs_is_said() -> None:
    note = "The rules Prepare can never happen where the proved properties hold."
    proof = proof_of(ProofResult.PROVED_UNBOUNDED)
    proved = Proved(ProveReport(Verdict.HOLDS, (proof,), 0.5, (note,)), BOUNDED, "2pc")

    assert note in text_of(proved)
    assert [f"2pc: {note}"] == data_of([proved])["notes"]


def test_data_says_the_same() -> None:
    data = data_of([proved_of(Verdict.INCONCLUSIVE, proof_of(ProofResult.NOT_INDUCTIVE, gap=GAP))])
    results: Any = data["results"]

    assert ("inconclusive", 0.3) == (data["verdict"], data["seconds"])
    assert {"a": 1, "b": 3} == results[0]["gap"]["after"]
    assert ("Prepare", {"rm": "rm1"}) == (results[0]["gap"]["rule"], results[0]["gap"]["arguments"])


def test_results_are_counted() -> None:
    proofs = [proof_of(ProofResult.PROVED_BOUNDED), proof_of(ProofResult.UNKNOWN)]

    assert "2 properties: 1 proved within bounds, 1 undecided" == summarise(proofs)
    assert "0 properties: nothing to prove" == summarise([])


def test_a_result_keeps_its_name_in_colour() -> None:
    for result in ProofResult:
        assert result.value == unstyle(paint_result(result))
