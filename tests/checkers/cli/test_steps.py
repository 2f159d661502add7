"""``nomadspec steps``."""

from tests.checkers.cli.calling import call
from tests.checkers.cli.schemas import check_output

NACK = "Nack(worker1, job2)"
CORE = ("--model", "core", "--scope", "small")


def test_a_world_is_shown_with_what_can_happen() -> None:
    called = call("steps", *CORE)

    assert (0, "") == (called.code, called.err)
    assert "Dequeue(worker1, job2)" in called.out
    assert NACK not in called.out


def test_the_condition_that_does_not_hold_is_shown_with_its_place() -> None:
    called = call("steps", *CORE, "--why-not", NACK)

    assert 0 == called.code
    assert f"{NACK} is not possible: 2 conditions do not hold, in the first world" in called.out
    assert "no     s.job[worker] == job   (job[worker1] is NONE)" in called.out


def test_steps_are_taken_first_and_expressions_computed() -> None:
    words = ("steps", *CORE, "--after", "Dequeue(worker1, job2)", "--eval", "s.job[worker1] == job2")
    called = call(*words, "--json")

    check_output(called.data)
    assert {"s.job[worker1] == job2": "true"} == called.data["values"]
    assert "Dequeue(worker2, job2)" not in called.data["possible"]
    assert "after 1 step" in call(*words).out


def test_the_reasons_keep_to_the_schema() -> None:
    data = call("steps", *CORE, "--why-not", NACK, "--json").data

    check_output(data)
    assert [False, False] == [one["holds"] for one in data["reasons"][0]["conditions"]]


def test_what_cannot_be_read_exits_with_2_and_what_cannot_happen_with_1() -> None:
    assert 2 == call("steps", *CORE, "--why-not", "Nack(").code
    assert 2 == call("steps", *CORE, "--eval", "s.").code
    assert 1 == call("steps", *CORE, "--after", NACK).code
