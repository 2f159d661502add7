"""Signals ask for a stop once; what was found is never lost to a second one."""

import ctypes
import math
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from types import FrameType

import pytest

from nomadspec.checkers import finalisers
from nomadspec.checkers import stopping as subject
from nomadspec.checkers.stopping import (
    ALREADY,
    SIGNALS,
    heeding,
    interruptible,
    is_stopping,
    retake_signals,
    shield,
    shielded,
    stand_apart,
    take_signals,
)


@pytest.fixture(autouse=True)
def _taken(request: pytest.FixtureRequest) -> Iterator[None]:
    request.getfixturevalue("hears_hang_ups")
    before = {number: signal.getsignal(number) for number in SIGNALS}
    take_signals()
    yield
    subject.give_back_signals()
    assert before == {number: signal.getsignal(number) for number in SIGNALS}


@pytest.mark.parametrize("number", SIGNALS)
def test_each_signal_means_the_same_at_first(number: signal.Signals) -> None:
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(number)

    assert is_stopping()


@pytest.mark.parametrize("number", SIGNALS)
def test_an_engine_is_ended_and_then_left_alone(
    number: signal.Signals, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(KeyboardInterrupt), interruptible():
        signal.raise_signal(number)
    for again in SIGNALS:
        signal.raise_signal(again)

    assert ALREADY * len(SIGNALS) == capfd.readouterr().err


def test_after_an_engine_a_signal_is_kept_for_the_next_one() -> None:
    with interruptible():
        pass
    signal.raise_signal(signal.SIGTERM)
    begun = []
    with pytest.raises(KeyboardInterrupt), interruptible():
        begun.append(True)

    assert [] == begun


def test_a_signal_that_nothing_came_of_is_raised_again() -> None:
    with interruptible():
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)


class Dying:
    """Is told to stop while it is taken down, where Python can raise nothing."""

    def __init__(self, number: signal.Signals) -> None:
        self.number = number

    def __del__(self) -> None:
        signal.raise_signal(self.number)


def wait() -> None:
    """Wait for what is to come; a guard against hanging only."""
    for _ in range(60_000):
        time.sleep(0.01)


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_in_a_finaliser_is_heard_after_it_without_a_word(
    number: signal.Signals, capfd: pytest.CaptureFixture[str]
) -> None:
    def let_go() -> None:
        Dying(number)
        wait()

    with pytest.raises(KeyboardInterrupt), interruptible():
        let_go()

    assert "" == capfd.readouterr().err


def test_a_second_signal_while_the_lost_one_is_answered_makes_no_noise(
    capfd: pytest.CaptureFixture[str],
) -> None:
    def signal_again(frame: FrameType, event: str, _given: object) -> None:
        if event == "call" and frame.f_code.co_filename == finalisers.__file__:
            sys.setprofile(None)
            signal.raise_signal(signal.SIGTERM)

    def let_go() -> None:
        sys.setprofile(signal_again)
        Dying(signal.SIGINT)
        wait()

    with pytest.raises(KeyboardInterrupt), interruptible():
        let_go()

    assert ALREADY == capfd.readouterr().err


def test_a_signal_in_a_callback_from_c_is_heard_after_it(capfd: pytest.CaptureFixture[str]) -> None:
    call_back = ctypes.CFUNCTYPE(None)(partial(signal.raise_signal, signal.SIGINT))

    def call() -> None:
        call_back()
        wait()

    with pytest.raises(KeyboardInterrupt), interruptible():
        call()

    assert "" == capfd.readouterr().err


def test_a_signal_while_an_argument_for_c_is_converted_is_no_defect() -> None:
    class Number:
        @property
        def _as_parameter_(self) -> int:
            signal.raise_signal(signal.SIGTERM)
            return -5

    with pytest.raises(KeyboardInterrupt), interruptible():
        ctypes.CDLL(None).abs(Number())


def test_what_goes_wrong_after_a_signal_is_told_as_it_is() -> None:
    def stumble() -> None:
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGTERM)
        raise LookupError

    with pytest.raises(LookupError), interruptible():
        stumble()


def test_what_is_lost_of_other_exceptions_is_told_as_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    told = []
    subject.give_back_signals()
    monkeypatch.setattr(sys, "unraisablehook", lambda lost: told.append(lost.exc_type))
    take_signals()

    class Clumsy:
        def __del__(self) -> None:
            raise LookupError

    Clumsy()

    assert [LookupError] == told


class HalfMade:
    """Is made in two steps, and taken down as if both were done, like a context of Z3."""

    def __init__(self, between: Callable[[], object]) -> None:
        between()
        self.number = 1

    def __del__(self) -> None:
        assert self.number


def test_what_a_signal_left_half_made_is_taken_down_without_a_word(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(KeyboardInterrupt), interruptible():
        HalfMade(partial(signal.raise_signal, signal.SIGINT))

    assert "" == capfd.readouterr().err


def test_what_else_is_half_made_is_told_as_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    told = []
    subject.give_back_signals()
    monkeypatch.setattr(sys, "unraisablehook", lambda lost: told.append(lost.exc_type))
    take_signals()

    with pytest.raises(ValueError, match="math domain"), interruptible():
        HalfMade(partial(math.sqrt, -1.0))

    assert [AttributeError] == told


def test_an_engine_inside_another_leaves_the_outer_one_to_be_ended() -> None:
    with interruptible():
        with interruptible():
            pass
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)


def test_who_looks_for_the_wish_is_told_once(capfd: pytest.CaptureFixture[str]) -> None:
    told = []
    with heeding(lambda: told.append(True)):
        signal.raise_signal(signal.SIGHUP)
        signal.raise_signal(signal.SIGINT)

    assert [True, True] == told
    assert ALREADY == capfd.readouterr().err


def test_who_looks_for_the_wish_hears_of_one_from_before() -> None:
    with interruptible():
        pass
    signal.raise_signal(signal.SIGINT)
    told = []
    with heeding(lambda: told.append(True)):
        pass

    assert [True] == told


def test_what_is_told_is_told_whole() -> None:
    shield()
    signal.raise_signal(signal.SIGINT)
    signal.raise_signal(signal.SIGTERM)

    assert is_stopping()


def test_what_is_shielded_is_finished_first() -> None:
    done = []

    def do() -> None:
        with interruptible():
            with shielded():
                signal.raise_signal(signal.SIGTERM)
                done.append("finished")
            done.append("more")

    with pytest.raises(KeyboardInterrupt):
        do()

    assert ["finished"] == done


def test_a_program_of_somebody_elses_keeps_its_signals_but_for_ctrl_c() -> None:
    subject.give_back_signals()
    before = signal.getsignal(signal.SIGTERM)
    told = []
    with heeding(lambda: told.append(True)):
        assert before is signal.getsignal(signal.SIGTERM)
        signal.raise_signal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)

    assert [True] == told
    take_signals()


def test_what_is_ignored_stays_ignored() -> None:
    subject.give_back_signals()
    usual = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        take_signals()
        signal.raise_signal(signal.SIGHUP)
        assert not is_stopping()
    finally:
        subject.give_back_signals()
        signal.signal(signal.SIGHUP, usual)
        take_signals()


def test_what_somebody_else_took_is_taken_again() -> None:
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    retake_signals()
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGTERM)


def test_what_nobody_took_is_left_alone() -> None:
    subject.give_back_signals()
    retake_signals()

    assert signal.SIG_DFL == signal.getsignal(signal.SIGTERM)
    take_signals()


def test_a_copy_of_the_process_is_ended_as_others_are() -> None:
    child = os.fork()
    if not child:
        signal.raise_signal(signal.SIGTERM)
        os._exit(0)
    _, status = os.waitpid(child, 0)

    assert signal.SIGTERM == os.WTERMSIG(status)


def test_a_hand_is_not_ended_by_what_a_terminal_sends() -> None:
    child = os.fork()
    if not child:
        stand_apart()
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGHUP)
        os._exit(7 if os.getpgrp() == os.getpid() else 8)
    _, status = os.waitpid(child, 0)

    assert 7 == os.waitstatus_to_exitcode(status)
