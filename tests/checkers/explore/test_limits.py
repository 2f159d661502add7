"""What stops a search."""

import signal
import subprocess
import sys
from math import inf, nan
from typing import Any

import pytest

from nomadspec.checkers.explore import limits as subject
from nomadspec.checkers.explore.limits import Limits, check_limits, measure_memory_bytes
from nomadspec.model.errors import UsageError

HOLD_64_MIB = """
from nomadspec.checkers.explore.limits import measure_memory_bytes

before = measure_memory_bytes()
block = b"x" * (64 << 20)
print(measure_memory_bytes() - before)
"""


def test_without_limits_nothing_stops() -> None:
    assert Limits().find_reason(10**9, 10**12) is None


def test_each_limit_has_its_name() -> None:
    assert "states" == Limits(max_states=10).find_reason(10, 0)
    assert Limits(max_states=10).find_reason(9, 0) is None
    assert "time" == Limits(max_seconds=0).find_reason(0, 0)
    assert Limits(max_seconds=1000).find_reason(0, 0) is None
    assert "memory" == Limits(max_memory_mib=1).find_reason(0, 0)
    assert Limits(max_memory_mib=1 << 20).find_reason(0, 0) is None


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ((-1, None, None, 1), "max_seconds=-1"),
        ((nan, None, None, 1), "max_seconds=nan"),
        ((None, -1, None, 1), "max_memory_mib=-1"),
        ((None, 0, None, 1), "max_memory_mib=0"),
        ((None, nan, None, 1), "max_memory_mib=nan"),
        ((None, inf, None, 1), "max_memory_mib=inf"),
        ((None, None, 0, 1), "max_states=0"),
        ((None, None, None, 0), "workers=0"),
    ],
)
def test_what_no_search_can_keep_is_refused(given: tuple[Any, ...], name: str) -> None:
    check_limits(0, 0.5, 1, 1)
    check_limits(None, None, None, 64)

    with pytest.raises(UsageError, match=name):
        check_limits(*given)


def test_room_is_left_for_a_table_that_doubles() -> None:
    holds_mib = measure_memory_bytes() / (1 << 20)

    assert Limits(max_memory_mib=holds_mib + 50).find_reason(0, 0) is None
    assert "memory" == Limits(max_memory_mib=holds_mib + 50).find_reason(0, 60 << 20)


def test_memory_is_measured_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[None] = []

    def measure() -> int:
        looks.append(None)
        return 0

    monkeypatch.setattr(subject, "measure_memory_bytes", measure)
    limits = Limits(max_memory_mib=1)

    assert {None} == {limits.find_reason(0, 0) for _ in range(33)}
    assert 3 == len(looks)


def test_memory_is_what_the_process_holds() -> None:
    """A process of its own, which holds nothing that it could give again."""
    grown = subprocess.run([sys.executable, "-c", HOLD_64_MIB], capture_output=True, text=True, check=True)

    assert 60 << 20 < int(grown.stdout) < 70 << 20


def test_a_job_that_ignores_ctrl_c_goes_on_ignoring_it() -> None:
    limits = Limits()
    usual = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with limits.catching_interrupt():
            signal.raise_signal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, usual)

    assert limits.find_reason(0, 0) is None


def test_ctrl_c_is_a_wish_and_a_second_one_waits(capfd: pytest.CaptureFixture[str]) -> None:
    limits = Limits()

    with limits.catching_interrupt():
        signal.raise_signal(signal.SIGINT)
        assert "interrupt" == limits.find_reason(0, 0)
        signal.raise_signal(signal.SIGINT)

    assert "already stopping" in capfd.readouterr().err

    assert signal.default_int_handler is signal.getsignal(signal.SIGINT)
