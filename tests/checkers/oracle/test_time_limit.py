"""What takes too long is ended."""

import signal
import sys
import time

import pytest

from nomadspec.checkers.oracle.time_limit import TooLongError, patience
from nomadspec.model.errors import EXIT_INCONCLUSIVE

AMPLE_S = 600
"""A guard against hanging only: what is to be ended is ended before, what is quick is quicker."""


def spin(seconds: float) -> None:
    end_s = time.monotonic() + seconds
    while time.monotonic() < end_s:
        pass


def test_what_takes_too_long_is_ended() -> None:
    with (
        pytest.raises(TooLongError, match=r"longer than 0\.05 s; allow more with --max-seconds") as told,
        patience(0.05),
    ):
        spin(AMPLE_S)

    assert EXIT_INCONCLUSIVE == told.value.exit_code


def test_what_is_quick_goes_on_and_leaves_no_timer() -> None:
    before = signal.getsignal(signal.SIGALRM)

    with patience(AMPLE_S):
        spin(0)

    assert (0.0, 0.0) == signal.getitimer(signal.ITIMER_REAL)
    assert before is signal.getsignal(signal.SIGALRM)


def test_no_limit_is_no_limit() -> None:
    with patience(0):
        spin(0.01)

    assert (0.0, 0.0) == signal.getitimer(signal.ITIMER_REAL)


def test_handlers_of_errors_on_the_way_do_not_keep_it() -> None:
    def stubborn() -> None:
        try:
            spin(AMPLE_S)
        except Exception:  # noqa: BLE001 -- this is what must not help
            spin(AMPLE_S)

    with pytest.raises(TooLongError), patience(0.05):
        stubborn()


def test_a_ring_that_is_lost_in_a_finaliser_is_no_noise(capfd: pytest.CaptureFixture[str]) -> None:
    class Slow:
        def __del__(self) -> None:
            spin(AMPLE_S)

    def let_go() -> None:
        Slow()
        spin(AMPLE_S)

    before = sys.unraisablehook
    with pytest.raises(TooLongError), patience(0.05):
        let_go()

    assert "" == capfd.readouterr().err
    assert before is sys.unraisablehook


def test_what_a_ring_left_half_made_is_no_noise(capfd: pytest.CaptureFixture[str]) -> None:
    class Slow:
        def __init__(self) -> None:
            spin(AMPLE_S)
            self.number = 1

        def __del__(self) -> None:
            assert self.number

    with pytest.raises(TooLongError), patience(0.05):
        Slow()

    assert "" == capfd.readouterr().err


def test_a_patience_around_another_goes_on() -> None:
    def spin_inside() -> None:
        with patience(AMPLE_S):
            spin(0)
        spin(AMPLE_S)

    with pytest.raises(TooLongError, match=r"0\.2 s"), patience(0.2):
        spin_inside()
