"""Calls of schedulers are asked without their choices; any choice may lead to the answer."""

from pathlib import Path
from typing import Any

import pytest

from nomadspec.checkers.conform.calls import put_call_together, take_call_answer, take_call_question
from nomadspec.checkers.conform.judging import Question, compute_expected, judge_answer
from nomadspec.checkers.conform.question_and_answer import MalformedError
from nomadspec.checkers.oracle.context import Document
from nomadspec.checkers.oracle.reading import read_lines
from nomadspec.checkers.oracle.registry import read_kind
from nomadspec.checkers.report.judging import plain
from tests.checkers.conform.talking import TERMS
from tests.recorded import FOLDER


def list_calls(name: str) -> list[Document]:
    return [line.document for line in read_lines(Path(FOLDER / "scheduler" / f"{name}.ndjson.xz"))]


def ask(document: Document) -> Question:
    asked = take_call_question(document)
    assert asked is not None
    return Question(str(document["id"]), read_kind("scheduler"), asked)


@pytest.mark.parametrize("name", ["service-00", "batch-03", "system-01", "sysbatch-01"])
def test_recorded_calls_agree_and_so_does_the_model(name: str) -> None:
    askable = [each for each in list_calls(name)[::9] if take_call_question(each) is not None]

    assert askable
    for document in askable:
        question = ask(document)
        assert judge_answer(question, take_call_answer(document), TERMS).is_agreed
        assert judge_answer(question, plain(compute_expected(question, TERMS)), TERMS).is_agreed


def test_a_call_whose_answers_name_what_was_chosen_is_not_asked() -> None:
    partial = [
        each
        for each in list_calls("service-00")
        if "plan:partial-commit" in each["tags"] and "plan:refresh" in each["tags"]
    ]

    assert partial
    assert all(take_call_question(each) is None for each in partial)


def test_a_question_tells_no_choices() -> None:
    document = next(each for each in list_calls("service-00") if take_call_question(each))

    assert {"scheduler", "now_ns", "jobs", "state", "eval", "plan_answers"} == set(ask(document).asked)


@pytest.mark.parametrize(
    ("answer", "at"),
    [
        ({"plans": {}}, "plans"),
        ({"plans": [{}] * 21}, "plans"),
        ({"choices": {}}, "choices"),
        ({"plans": [{"NodeAllocation": {"n": [{}]}}]}, "plans[0].NodeAllocation.n"),
    ],
)
def test_what_is_no_outcome_is_refused(answer: dict[str, Any], at: str) -> None:
    document = next(each for each in list_calls("service-00") if take_call_question(each))
    with pytest.raises(MalformedError) as caught:
        put_call_together("q", ask(document).asked, answer)

    assert at == caught.value.path
