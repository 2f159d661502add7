"""What was said of recordings, as data and as text."""

import json
from collections.abc import Iterable
from dataclasses import replace

import pytest
from click import unstyle

from nomadspec.checkers.oracle.judgement import ABSENT, Difference, Judgement, Ruling
from nomadspec.checkers.report.judging import Tally, describe, line_of, plain, shorten
from nomadspec.model.cluster.entities import Evaluation
from nomadspec.model.errors import InputError

GOOD = Judgement("a.ndjson", "gc", "x", Ruling.ACCEPTED, notes=("another wording",), forgiven={"row": 2})
BAD = Judgement("a.ndjson", "gc", "y", Ruling.REJECTED, Difference("calls[0]", {"a": ABSENT}, ABSENT, "GC-1"))
OPEN = Judgement("b.ndjson", "gc", "z", Ruling.UNDECIDED, reason="too little")
BROKEN = InputError("c.ndjson", "no JSON", at="line 2")


def tally_of(answers: Iterable[Judgement | InputError], *, is_stopped: bool = False) -> Tally:
    tally = Tally(is_stopped=is_stopped)
    for answer in answers:
        tally.add(answer)
    return tally


@pytest.mark.parametrize(
    ("answers", "verdict", "code"),
    [
        ([GOOD], "holds", 0),
        ([GOOD, BAD, OPEN], "violated", 1),
        ([GOOD, OPEN], "inconclusive", 4),
        ([GOOD, BROKEN], "inconclusive", 3),
        ([BAD, BROKEN], "violated", 3),
        ([], "inconclusive", 4),
    ],
)
def test_one_verdict_for_all(answers: list[Judgement | InputError], verdict: str, code: int) -> None:
    tally = tally_of(answers)

    assert (verdict, code) == (tally.verdict.value, tally.exit_code)


def test_what_was_interrupted_is_no_success() -> None:
    tally = tally_of([GOOD], is_stopped=True)

    assert 4 == tally.exit_code
    assert "1 recording judged before it was interrupted: 1 accepted" in tally.render()


def test_the_sum_counts_every_answer() -> None:
    data = tally_of([GOOD, GOOD, BAD, OPEN, BROKEN]).data()

    assert {"accepted": 2, "rejected": 1, "undecided": 1, "unsupported": 0, "defect": 0} == data["summary"]
    assert {"row": 4} == data["forgiven"]
    assert {"another wording": 2} == data["remarks"]
    assert [{"file": "c.ndjson", "at": "line 2", "problem": "no JSON"}] == data["unreadable"]


def test_the_text_names_what_was_refused_and_sums_up_by_file() -> None:
    text = unstyle(tally_of([GOOD, BAD, OPEN, OPEN, BROKEN]).render())

    assert 'rejected a.ndjson y: calls[0]: recorded {"a": null}, model nothing (GC-1)' in text
    assert "undecided b.ndjson, 2 recordings: too little" in text
    assert "unreadable c.ndjson, at line 2: no JSON." in text
    assert "  a.ndjson           1   2" in text
    assert "forgiven 2 times: row" in text
    assert "allowed 1 times: another wording" in text
    assert text.endswith(
        "violated: 4 recordings judged: 1 accepted, 1 rejected, 2 undecided; 1 place unreadable"
    )


def test_clusters_are_counted_by_the_folder_around_them() -> None:
    tally = tally_of(Judgement(f"traces/{name}", "trace", name, Ruling.ACCEPTED) for name in "ab")

    assert "  traces             2   2" in unstyle(tally.render())


def test_a_line_of_json_has_all_members_and_no_others() -> None:
    assert {
        "file": "a.ndjson", "family": "gc", "id": "y", "verdict": "rejected",
        "path": "calls[0]", "recorded": {"a": None}, "model": None, "rule": "GC-1", "title": None,
    } == json.loads(line_of(BAD))  # fmt: skip
    assert json.loads(line_of(BAD)).keys() == json.loads(line_of(GOOD)).keys()
    assert "too little" == json.loads(line_of(OPEN))["model"]


def test_a_rejected_recording_names_the_title_of_its_rule() -> None:
    bad = Judgement("a.ndjson", "gc", "y", Ruling.REJECTED, Difference("collect", True, False, "GC-23"))

    assert "(GC-23: Blocked and pending evaluations are never collected)" in unstyle(describe(bad))
    assert "Blocked and pending evaluations are never collected." == json.loads(line_of(bad))["title"]


def test_a_line_of_text_says_what_is_known() -> None:
    assert ["accepted a.ndjson x", "undecided b.ndjson z: too little"] == [
        unstyle(describe(one)) for one in (GOOD, OPEN)
    ]


def test_values_are_shortened_for_people_and_whole_for_programs() -> None:
    assert shorten("x" * 500).endswith("...")
    assert [1, {"a": [None]}] == plain((1, {"a": [ABSENT]}))


def test_an_object_of_the_server_is_told_as_json() -> None:
    model = {"made": Evaluation(id="e1", priority=50)}
    told = replace(BAD, difference=Difference("Eval", None, model, "TRIG-03"))

    assert {"made": {"ID": "e1", "Priority": 50}} == json.loads(line_of(told))["model"]
    assert '"ID": "e1"' in describe(told)


def test_a_defect_counts_before_all_else() -> None:
    defect = Judgement("a.ndjson", "gc", "z", Ruling.DEFECT, reason="this program failed on it")

    assert 5 == tally_of([GOOD, BAD, BROKEN, defect]).exit_code
    assert "defect a.ndjson, 1 recording: this program failed on it" in unstyle(tally_of([defect]).render())
