"""Each verb that judges says what it judged, case by case."""

from dataclasses import replace

from nomadspec.checkers.ci.case import Outcome
from nomadspec.checkers.ci.verb_cases import list_explored, list_judged, list_verified
from nomadspec.checkers.explore import explore
from nomadspec.checkers.oracle.judgement import Difference, Judgement, Ruling
from nomadspec.checkers.report.exploring import Explored
from nomadspec.checkers.report.judging import Tally
from nomadspec.checkers.report.verification import Searched, Verification
from nomadspec.checkers.verdict import ProofResult, Verdict
from nomadspec.model.errors import InputError
from tests.checkers.report.test_verification import bounded_of, proved, published, searched


def explored(scope: str) -> Explored:
    return Explored(explore(bounded_of(scope)), bounded_of(scope), "2pc", "nomadspec explore")


def test_a_violated_property_fails_with_its_story_and_place() -> None:
    failed = [case for case in list_explored(explored("hasty")) if case.outcome is Outcome.FAILED]

    assert ["managers_agree"] == [case.name for case in failed]
    assert "5  ObeyCommit(rm1)" in failed[0].details
    assert "\x1b" not in failed[0].details
    assert "managers_agree is violated after 5 steps" == failed[0].message
    assert failed[0].message not in failed[0].details
    assert failed[0].place is not None
    assert failed[0].place.file.endswith("two_phase_commit.py")


def test_what_a_search_did_not_finish_is_skipped_and_not_passed() -> None:
    cases = list_explored(explored("hasty"))

    assert not [case for case in cases if case.outcome is Outcome.PASSED]


def test_a_file_that_cannot_be_read_is_named_once() -> None:
    tally = Tally()
    tally.add(InputError("x.ndjson", "it is no JSON", at="line 3", hint="look there"))
    (case,) = list_judged(tally)

    assert ("x.ndjson", "line 3") == (case.group, case.name)
    assert "it is no JSON; look there" == case.message


def test_what_holds_everywhere_passes() -> None:
    cases = list_explored(explored("small"))

    assert {Outcome.PASSED} == {case.outcome for case in cases}


def test_verify_has_a_case_for_each_search_proof_and_larger_search() -> None:
    found = Verification(
        "fast",
        searched=[searched("small", "symmetry"), searched("hasty")],
        proved=[
            proved(ProofResult.PROVED_UNBOUNDED, Verdict.HOLDS),
            proved(ProofResult.COUNTEREXAMPLE, Verdict.VIOLATED),
            proved(ProofResult.UNKNOWN, Verdict.INCONCLUSIVE),
        ],
        left_out=[(published("full"), "nomadspec explore --model 2pc --scope full")],
        missing=["proving core"],
    )

    assert ["passed", "passed", "passed", "failed", "skipped", "skipped", "skipped"] == [
        case.outcome.value for case in list_verified(found)
    ]


def test_a_search_that_is_not_as_published_fails() -> None:
    changed = replace(published("small", "symmetry"), distinct=1)
    (case,) = list_verified(Verification("fast", [Searched(changed, searched("small", "symmetry").report)]))

    assert (Outcome.FAILED, "the model has changed: distinct is 314, not 1") == (case.outcome, case.message)


def test_recordings_fail_one_by_one_and_pass_by_file() -> None:
    tally = Tally()
    tally.add(Judgement("gc/cases.ndjson", "gc", "gc-1", Ruling.ACCEPTED))
    tally.add(Judgement("gc/cases.ndjson", "gc", "gc-2", Ruling.ACCEPTED))
    difference = Difference("ops[1]", 1, 2, "GC-01")
    tally.add(Judgement("gc/cases.ndjson", "gc", "gc-3", Ruling.REJECTED, difference))
    tally.add(InputError("x.ndjson", "it is no JSON"))

    assert [
        ("gc gc-3", Outcome.FAILED),
        ("file", Outcome.ERROR),
        ("2 recordings accepted", Outcome.PASSED),
    ] == [(case.name, case.outcome) for case in list_judged(tally)]
