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
    describe_result,
    find_story,
    paint_result,
    render_all,
    require_unbounded,
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
    Reading,
    Scoped,
    Verdict,
)
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.language.story import Story
from tests.checkers.shop import hasty

BOUNDED = find_model("2pc").at("hasty")
ABOUT = Scoped("2pc", "hasty", BOUNDED.sizes, "X-03")
GAP = InductionGap({"a": 1, "b": 2}, "Prepare", {"rm": "rm1"}, {"a": 1, "b": 3})


def proof_of(
    result: ProofResult, scope: str = "rms 3", story: Story | None = None, gap: InductionGap | None = None
) -> Proof:
    rows = (ProofRow("Prepare", "kept", 0.1),)
    reading = Reading(("rms",)) if result is ProofResult.PROVED_UNBOUNDED else Reading((), {"rms": 3})
    lemmas = ("counted_was_sent",)
    return Proof("managers_agree", ABOUT, result, scope, 0.2, rows, lemmas, story, gap, reading=reading)


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

    assert "2pc, profile X-03: any number of rms X-03: The transaction manager commits" in text
    assert "HOLDS 1 property: 1 proved for any rms" in text


def test_scopes_that_differ_stand_in_a_column() -> None:
    proofs = (proof_of(ProofResult.PROVED_UNBOUNDED, "any"), proof_of(ProofResult.PROVED_BOUNDED, "rms 3"))

    assert "proved in this scope 0.20 rms 3" in text_of(proved_of(Verdict.HOLDS, *proofs))


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

    assert "2 properties: 1 proved in this scope, 1 undecided" == summarise(proofs)
    assert "0 properties: nothing to prove" == summarise([])


def test_a_result_says_for_what_it_is_proved() -> None:
    told = {result: unstyle(paint_result(proof_of(result))) for result in ProofResult}

    assert {
        ProofResult.PROVED_UNBOUNDED: "proved for any rms",
        ProofResult.PROVED_BOUNDED: "proved in this scope",
        ProofResult.COUNTEREXAMPLE: "counterexample",
        ProofResult.NOT_INDUCTIVE: "not-inductive",
        ProofResult.UNKNOWN: "unknown",
    } == told


def test_what_had_a_number_is_named_and_what_is_much_is_counted() -> None:
    proof = proof_of(ProofResult.PROVED_UNBOUNDED)
    some = replace(proof, reading=Reading(("jobs", "nodes"), {"workers": 2, "placements": 1}))
    many = replace(proof, reading=Reading(tuple("abcdef"), {"placements": 1}))

    assert "proved for any jobs, nodes (workers=2, placements=1 fixed)" == describe_result(some)
    assert "proved for any 6 sets and sizes (placements=1 fixed)" == describe_result(many)


def test_what_is_true_by_definition_is_called_so() -> None:
    here, anywhere, open_ = (
        describe_result(replace(proof_of(result), is_by_definition=True))
        for result in (ProofResult.PROVED_BOUNDED, ProofResult.PROVED_UNBOUNDED, ProofResult.UNKNOWN)
    )

    assert "true by definition here" == here
    assert "proved for any rms, true by definition here" == anywhere
    assert "undecided" == open_


def test_promises_of_the_model_are_counted_apart() -> None:
    proofs = [replace(proof_of(ProofResult.PROVED_UNBOUNDED), property="domains_are_kept")]

    assert "1 promise of the model: 1 proved for any rms" == summarise(proofs)
    assert "1 property and 1 promise of the model: 2 proved for any rms" == summarise(
        [proof_of(ProofResult.PROVED_UNBOUNDED), *proofs]
    )


def test_what_is_required_leaves_the_verdict_open() -> None:
    unbounded = proved_of(Verdict.HOLDS, proof_of(ProofResult.PROVED_UNBOUNDED))
    bounded = proved_of(Verdict.HOLDS, proof_of(ProofResult.PROVED_BOUNDED))
    violated = proved_of(Verdict.VIOLATED, proof_of(ProofResult.COUNTEREXAMPLE))

    assert unbounded is require_unbounded(unbounded)
    assert violated is require_unbounded(violated)
    assert Verdict.INCONCLUSIVE is require_unbounded(bounded).report.verdict
    assert "Not proved for any number, as --require unbounded asks: managers_agree." in text_of(
        require_unbounded(bounded)
    )


def test_of_many_rules_only_those_are_named_that_do_not_keep_the_property() -> None:
    rows = (
        *(ProofRow(f"Rule{at}", "kept", 0.25) for at in range(40)),
        ProofRow("Write", "broken", 1),
    )
    text = text_of(
        proved_of(Verdict.HOLDS, replace(proof_of(ProofResult.NOT_INDUCTIVE), rows=rows)), in_full=True
    )

    assert "RULE RESULT SECONDS Write broken 1.000 40 rules kept 10.000" in text
    assert "Rule7" not in text
