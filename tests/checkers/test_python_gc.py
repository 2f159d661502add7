"""While a cluster runs Python looks for circles seldom, and as often as before when it has ended."""

import gc
from collections.abc import Iterator
from functools import partial

import pytest

from nomadspec.checkers.python_gc import collecting_seldom

USUAL = (700, 10, 10)


@pytest.fixture(autouse=True)
def collecting_as_usual() -> Iterator[None]:
    before = gc.get_threshold()
    gc.freeze()  # what other tests have left is not looked through
    gc.set_threshold(*USUAL)
    yield
    gc.set_threshold(*before)


def test_python_collects_seldom_and_then_as_often_as_before() -> None:
    with collecting_seldom():
        assert gc.get_threshold()[0] > 100 * USUAL[0]

    assert gc.get_threshold() == USUAL


def test_it_collects_as_often_as_before_after_an_error_too() -> None:
    with pytest.raises(KeyError), collecting_seldom():
        raise KeyError

    assert gc.get_threshold() == USUAL


@pytest.mark.parametrize(("frozen", "expected"), [(0, ["freeze", "unfreeze"]), (3, [])])
def test_what_was_made_meanwhile_is_called_old_unless_something_is_frozen(
    frozen: int, expected: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    called: list[str] = []
    monkeypatch.setattr("nomadspec.checkers.python_gc._Others.is_known", False)
    monkeypatch.setattr(gc, "get_freeze_count", lambda: frozen)
    for name in ("freeze", "unfreeze"):
        monkeypatch.setattr(gc, name, partial(called.append, name))

    with collecting_seldom():
        pass

    assert expected == called


def test_what_others_have_frozen_is_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes the longer the more there is: of the tests' millions of values, longer than most scenarios."""
    counted: list[int] = []

    def count() -> int:
        counted.append(3)
        return 3

    monkeypatch.setattr("nomadspec.checkers.python_gc._Others.is_known", False)
    monkeypatch.setattr(gc, "get_freeze_count", count)
    for _ in range(2):
        with collecting_seldom():
            pass

    assert [3] == counted
