"""What can happen, by machine code where that is worth it."""

import pytest

from nomadspec.checkers.pycode import possible
from nomadspec.checkers.pycode.possible import find_possible, is_worth_compiling
from nomadspec.checkers.stepper.layout import Layout
from nomadspec.invariants.catalogue import find_model
from tests.checkers.native.models import SHELF


def test_only_what_is_large_is_worth_it(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = find_model("kernel").at("contention", profile="nomad-2.0")
    monkeypatch.setattr(possible, "is_available", lambda: True)

    assert [True, False] == [
        is_worth_compiling(each) for each in (kernel, find_model("2pc").at("small", profile="nomad-2.0"))
    ]
    monkeypatch.setattr(possible, "is_available", lambda: False)
    assert not is_worth_compiling(kernel)
    assert find_possible(kernel, Layout(kernel)) is None


def test_numbers_that_fit_no_word_are_left_to_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(possible, "_LEAST_INSTANCES", 0)
    bounded = SHELF.at("huge")

    assert find_possible(bounded, Layout(bounded)) is None


def test_it_lists_what_the_interpreter_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(possible, "is_available", lambda: True)
    bounded = find_model("kernel").at("contention", profile="nomad-2.0")
    list_possible = find_possible(bounded, Layout(bounded))
    assert list_possible is not None
    cells = bounded.initial[0]

    assert [each.number for each, _ in bounded.successors(cells)] == list_possible(
        Layout(bounded).pack(cells)
    )
