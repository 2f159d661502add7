"""What stops a search."""

import signal

import pytest

from nomadspec.checkers.explore import limits as subject
from nomadspec.checkers.explore.limits import Limits, measure_memory_bytes


def test_without_limits_nothing_stops() -> None:
    assert Limits().find_reason(10**9, 10**12) is None


def test_each_limit_has_its_name() -> None:
    assert "states" == Limits(max_states=10).find_reason(10, 0)
    assert Limits(max_states=10).find_reason(9, 0) is None
    assert "time" == Limits(max_seconds=0).find_reason(0, 0)
    assert Limits(max_seconds=1000).find_reason(0, 0) is None
    assert "memory" == Limits(max_memory_mib=1).find_reason(0, 0)
    assert Limits(max_memory_mib=1 << 20).find_reason(0, 0) is None


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
    before = measure_memory_bytes()
    block = b"x" * (64 << 20)

    assert 60 << 20 < measure_memory_bytes() - before < 70 << 20
    assert len(block) == 64 << 20


def test_a_job_that_ignores_ctrl_c_goes_on_ignoring_it() -> None:
    limits = Limits()
    usual = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with limits.catching_interrupt():
            signal.raise_signal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, usual)

    assert limits.find_reason(0, 0) is None


def test_ctrl_c_is_a_wish_once_and_then_pythons() -> None:
    limits = Limits()

    with limits.catching_interrupt():
        signal.raise_signal(signal.SIGINT)
        assert "interrupt" == limits.find_reason(0, 0)
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)

    assert signal.default_int_handler is signal.getsignal(signal.SIGINT)
