"""Answers are judged by the model; what is free may be answered in any way that is open."""

import copy
from collections.abc import Callable
from typing import Any

import pytest

from nomadspec.checkers.conform.judging import Question, Terms, compute_expected, judge_answer
from nomadspec.checkers.conform.protocol import KINDS
from nomadspec.checkers.conform.question_and_answer import take_answer
from nomadspec.checkers.conform.recorded_questions import take
from nomadspec.checkers.oracle.judgement import Ruling
from nomadspec.checkers.oracle.reading import Line
from nomadspec.checkers.oracle.registry import read_kind
from nomadspec.checkers.report.judging import plain
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.checkers.conform.talking import TERMS, ask_recorded, change_of, make_some
from tests.checkers.conform.wrong import CHANGES
from tests.recorded import read_recordings

OFFERED = {"blocked-024", "blocked-097", "blocked-112"}
"""In these, what was offered to the broker was not recorded, so the question lacks it."""


def judge(kind: str, asked: dict[str, Any], answer: Any, terms: Terms = TERMS) -> Any:
    return judge_answer(Question("q", read_kind(kind), asked), answer, terms)


@pytest.mark.parametrize("about", [4, pytest.param(40, marks=pytest.mark.deep(seconds=20))])
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "scheduler"])
def test_what_was_recorded_agrees(kind: str, about: int) -> None:
    wrong = [
        (question.id, judged.differences[:1], judged.reason)
        for question, document in ask_recorded(kind, about)
        if not (judged := judge_answer(question, take_answer(kind, document), TERMS)).is_agreed
    ]

    assert [] == [each for each in wrong if each[0] not in OFFERED]


@pytest.mark.parametrize("about", [3, pytest.param(20, marks=pytest.mark.deep(seconds=20))])
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "scheduler"])
def test_what_the_model_answers_agrees(kind: str, about: int) -> None:
    wrong = [
        question.id
        for question, _ in ask_recorded(kind, about)
        if not judge_answer(question, plain(compute_expected(question, TERMS)), TERMS).is_agreed
    ]

    assert [] == wrong


@pytest.mark.parametrize("kind", CHANGES)
def test_one_mistake_in_each_family_is_seen(kind: str) -> None:
    told = set()
    for question in make_some(kind, count=3):
        answer = plain(compute_expected(question, TERMS))
        assert judge_answer(question, answer, TERMS).is_agreed
        wrong = change_of(kind)(kind, copy.deepcopy(answer))
        told.add(judge_answer(question, wrong, TERMS).ruling)

    assert Ruling.REJECTED in told
    assert told <= {Ruling.REJECTED, Ruling.ACCEPTED}


def test_a_difference_names_its_place_and_rule() -> None:
    asked = {"operand": "version", "left": "1.10.0-beta", "right": ">= 1.9"}
    (difference,) = judge("constraints/operands", asked, {"result": True}).differences

    assert ("result", True, False, "FEAS-37") == (
        difference.path,
        difference.recorded,
        difference.model,
        difference.rule,
    )


@pytest.mark.parametrize(
    ("answer", "at"),
    [
        ([], ""),
        ("x", ""),
        ({"result": True, "operand": "="}, "operand"),
        ({"result": True, "extra": 1}, "extra"),
        ({"__class__": "x"}, "__class__"),
    ],
)
def test_an_answer_cannot_change_the_question(answer: Any, at: str) -> None:
    judged = judge("constraints/operands", {"operand": "=", "left": "a", "right": "a"}, answer)

    assert Ruling.REJECTED is judged.ruling
    assert at == judged.differences[0].path


def test_more_steps_than_were_asked_are_refused() -> None:
    asked = {"job": "j", "group": "g", "count": 1, "existing": [], "ops": [{"op": "next", "n": 1}]}
    judged = judge("alloc-names/cases", asked, {"ops": [{}, {}]})

    assert "2 answers, where 1 were asked for" == judged.reason


def find_broker() -> tuple[Question, dict[str, Any]]:
    for question, document in ask_recorded("broker/sequences"):
        if any("any_of" in step for step in document["ops"]):
            return question, take_answer("broker/sequences", document)
    raise AssertionError("no recording has a choice")


def turn_heaps(answer: dict[str, Any]) -> None:
    for step in answer["ops"]:
        for name in ("ready", "pending"):
            state = step["state"]
            state[name] = {key: items[::-1] for key, items in state[name].items()}


def hide_choices(answer: dict[str, Any]) -> None:
    for step in answer["ops"]:
        step.pop("any_of", None)


@pytest.mark.parametrize("change", [turn_heaps, hide_choices])
def test_heaps_and_choices_need_not_be_told(change: Callable[[dict[str, Any]], None]) -> None:
    question, answer = find_broker()
    change(answer)

    assert judge_answer(question, answer, TERMS).is_agreed


def test_another_choice_is_followed_and_an_impossible_one_is_not() -> None:
    """Another queue may be served from; then all that follows has to follow."""
    question, answer = find_broker()
    at = next(at for at, step in enumerate(answer["ops"]) if "any_of" in step)
    chosen = answer["ops"][at]["answer"]["eval"]
    other = next(each for each in answer["ops"][at]["any_of"] if each != chosen)
    blank = {"ops": [{"answer": step["answer"]} if "answer" in step else {} for step in answer["ops"][:at]]}
    blank["ops"].append({"answer": {"eval": other, "token": answer["ops"][at]["answer"]["token"]}})
    expected = compute_expected(question, TERMS, blank)
    wrong = copy.deepcopy(plain(expected))
    wrong["ops"][at]["answer"]["eval"] = "e99"

    assert other == expected["ops"][at]["answer"]["eval"]
    assert judge_answer(question, plain(expected), TERMS).is_agreed
    assert Ruling.REJECTED is judge_answer(question, wrong, TERMS).ruling


def test_any_free_port_may_be_offered() -> None:
    question, document = next(
        (question, document)
        for question, document in ask_recorded("fit-and-score/ports")
        if any(port.get("dynamic") for port in document.get("ports") or ())
    )
    model = plain(compute_expected(question, TERMS))
    taken = copy.deepcopy(model)
    dynamic = next(port for port in taken["ports"] if port.get("dynamic"))
    dynamic["Value_recorded"] = 1

    assert judge_answer(question, take_answer("fit-and-score/ports", document), TERMS).is_agreed
    assert judge_answer(question, model, TERMS).is_agreed
    assert not judge_answer(question, taken, TERMS).is_agreed


def test_one_of_the_rejected_nodes_may_be_named() -> None:
    kind = "plan-applier/plans"
    document = next(each for each in read_recordings(kind) if len(each.get("rejected_one_of") or ()) > 1)
    question = take(read_kind(kind), Line("recorded", 1, document))
    assert question is not None
    answer = take_answer(kind, document)
    nodes = answer.pop("rejected_one_of")

    assert judge_answer(question, {**answer, "rejected": nodes[:1]}, TERMS).is_agreed
    assert judge_answer(question, {**answer, "rejected": nodes[1:2]}, TERMS).is_agreed
    assert not judge_answer(question, {**answer, "rejected": nodes[:2]}, TERMS).is_agreed
    assert not judge_answer(question, {**answer, "rejected": ["another"]}, TERMS).is_agreed


def test_null_is_absent_and_true_is_not_one() -> None:
    asked = {"operand": "=", "left": "a", "right": "a"}

    assert judge("constraints/operands", asked, {"result": True}).is_agreed
    assert not judge("constraints/operands", asked, {"result": 1}).is_agreed
    assert not judge("constraints/operands", asked, {"result": None}).is_agreed
    assert not judge("constraints/operands", asked, {}).is_agreed


def test_what_a_program_does_not_answer_is_left_out() -> None:
    question, answer = find_broker()
    for step in answer["ops"]:
        step["state"].pop("stats")

    assert not judge_answer(question, answer, TERMS).is_agreed
    assert judge_answer(question, answer, Terms(NOMAD_2_0, without=("state.stats",))).is_agreed


def test_times_of_the_clock_may_be_shown_as_they_are() -> None:
    kind = "state-store/sequences"
    question, document = next(
        (question, document) for question, document in ask_recorded(kind) if "'NOW'" in str(document)
    )
    answer = take_answer(kind, document)

    def show(tree: Any) -> Any:
        if isinstance(tree, dict):
            return {name: show(item) for name, item in tree.items()}
        if isinstance(tree, list):
            return [show(item) for item in tree]
        return "2020-01-01T00:00:00Z" if tree == "NOW" else tree

    assert judge_answer(question, answer, TERMS).is_agreed
    assert judge_answer(question, show(answer), TERMS).is_agreed


def test_a_list_without_steps_says_nothing() -> None:
    asked = {"job": "j", "group": "g", "count": 1, "existing": [], "ops": []}
    initial = {"size": 8, "used": [], "duplicates": {}}

    assert judge("alloc-names/cases", asked, {"initial": initial}).is_agreed
    assert judge("alloc-names/cases", asked, {"initial": initial, "ops": []}).is_agreed
