"""Efforts: how much, and never anything that is left behind."""

import pytest

from nomadspec.checkers.stateful.effort import EFFORTS, find_effort
from nomadspec.model.errors import UnknownNameError


def test_efforts_grow() -> None:
    amounts = [each.max_examples * each.stateful_step_count for each in EFFORTS.values()]

    assert ["fast", "ci", "deep"] == list(EFFORTS)
    assert sorted(amounts) == amounts


@pytest.mark.parametrize("name", EFFORTS)
def test_an_effort_repeats_and_leaves_nothing(name: str) -> None:
    effort = find_effort(name)

    assert (True, None, None) == (effort.derandomize, effort.database, effort.deadline)


def test_an_unknown_effort_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="did you mean deep"):
        find_effort("deeep")
