"""Questions in processes of their own."""

import os
import signal
from contextlib import closing
from multiprocessing import get_context

import pytest

from nomadspec.checkers.smt import parallel_questions
from nomadspec.checkers.smt.parallel_questions import ask_in_parallel
from nomadspec.model.errors import ImpossibleError, StyleError


def square(number: int) -> int:
    return number * number


@pytest.mark.parametrize("workers", [None, 1, 3])
def test_each_question_has_its_result(workers: int | None) -> None:
    done = dict(ask_in_parallel(square, range(7), workers))

    assert {number: number * number for number in range(7)} == done


def test_without_workers_all_is_done_here() -> None:
    assert [("x", os.getpid())] == list(ask_in_parallel(lambda _: os.getpid(), ["x"], None))


def test_no_question_sees_what_another_has_left() -> None:
    seen: list[int] = []

    def look(number: int) -> int:
        seen.append(number)
        return len(seen)

    assert [1] * 5 == [found for _, found in ask_in_parallel(look, range(5), 2)]
    assert [] == seen


def test_questions_are_asked_side_by_side() -> None:
    both = get_context("fork").Barrier(2, timeout=600)  # a guard against hanging only

    def meet(_: int) -> bool:
        """Nobody gets any further before the other one has come."""
        both.wait()
        return True

    assert {0: True, 1: True} == dict(ask_in_parallel(meet, range(2), 2))


def test_an_error_is_raised_where_somebody_waits() -> None:
    def fail(_: int) -> None:
        raise StyleError("as it should be written")

    with pytest.raises(StyleError, match="as it should be written"):
        list(ask_in_parallel(fail, range(2), 2))


def test_a_defect_is_told_as_one(capfd: pytest.CaptureFixture[str]) -> None:
    def divide(number: int) -> float:
        return 1 / number

    with pytest.raises(ImpossibleError, match="ended with the error above"):
        list(ask_in_parallel(divide, [0], 1))

    assert "ZeroDivisionError" in capfd.readouterr().err


def test_a_process_that_is_killed_has_no_result() -> None:
    def die(number: int) -> int:
        if number == 1:
            os.kill(os.getpid(), signal.SIGKILL)
        return number

    assert {0: 0, 1: None, 2: 2} == dict(ask_in_parallel(die, range(3), 2))


def test_what_nobody_waits_for_is_ended() -> None:
    ours, theirs = get_context("fork").Pipe(duplex=False)

    def wait(number: int) -> int:
        if number:
            theirs.send(os.getpid())
            signal.pause()
        return os.getpid()

    with closing(ask_in_parallel(wait, [0, 1, 2], 2)) as done:
        assert next(done)
        waiting = ours.recv()

    with pytest.raises(ProcessLookupError):
        os.kill(waiting, 0)


def test_ctrl_c_is_for_whoever_waits() -> None:
    def take_it(_: int) -> str:
        os.kill(os.getpid(), signal.SIGINT)
        return "still there"

    assert [(0, "still there")] == list(ask_in_parallel(take_it, [0], 1))


def test_where_no_process_can_be_copied_all_is_done_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel_questions, "can_fork", lambda: False)

    assert [(0, os.getpid()), (1, os.getpid())] == list(ask_in_parallel(lambda _: os.getpid(), [0, 1], 2))
