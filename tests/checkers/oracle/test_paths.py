"""Paths into a JSON tree, and patterns of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomadspec.checkers.oracle.paths import fits, list_steps, step_into
from tests.once import CHARACTERS


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("", "anything[0].at.all", True),
        ("state.ready", "ops[3].state.ready.service[0]", True),
        ("ready", "ops[3].state.already", False),
        ("ops[].state", "ops[31].state.wait", True),
        ("tables.*.created[].Meta", 'entries[0].tables.jobs.created[1].Meta["a.b"]', True),
        ("tables.*.changed", "entries[0].tables.jobs.created[1]", False),
        ("^state", "ops[3].state", False),
        ("^ops[].state", "ops[3].state.wait", True),
        ("[].Count", "jobs[2].Count", True),
    ],
)
def test_a_pattern_is_a_run_of_steps(pattern: str, path: str, expected: bool) -> None:
    assert expected == fits(pattern, path)


def test_a_path_quotes_names_that_it_could_not_show_plainly() -> None:
    assert 'ops[0]["a.b"].c' == step_into(step_into(step_into(step_into("", "ops"), 0), "a.b"), "c")


@given(st.lists(st.integers(min_value=0) | st.text(CHARACTERS)))
def test_the_steps_of_a_path_can_be_read_back(steps: list[str | int]) -> None:
    path = ""
    for step in steps:
        path = step_into(path, step)

    assert steps == list(list_steps(path))
