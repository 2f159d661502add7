"""Comparing a recording with the model: exact, in order, and with the rule that decides."""

from enum import StrEnum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomadspec.checkers.oracle.compare import compare, compare_sets, find_rule
from nomadspec.checkers.oracle.judgement import ABSENT, Difference
from tests.once import CHARACTERS

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(CHARACTERS),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(CHARACTERS), inner),
    max_leaves=12,
)


class Colour(StrEnum):
    RED = "red"


@given(JSON)
def test_a_tree_equals_itself(tree: Any) -> None:
    assert [] == list(compare(tree, tree))


@pytest.mark.parametrize(
    ("recorded", "model"),
    [(1, True), (0, False), (1.0, 1), ("1", 1), (None, False), (None, 0), ([], {}), (2**53, 2**53 + 1)],
)
def test_values_of_other_kinds_differ(recorded: Any, model: Any) -> None:
    assert [Difference("x", recorded, model, "")] == list(compare(recorded, model, "x"))


@pytest.mark.parametrize(("recorded", "model"), [(1, 1.0), ("red", Colour.RED), ([1], (1,))])
def test_values_that_json_cannot_tell_apart_are_equal(recorded: Any, model: Any) -> None:
    assert [] == list(compare(recorded, model))


def test_members_are_compared_both_ways_in_the_order_of_the_recording() -> None:
    found = list(compare({"b": 1, "a": 1, "c": 1}, {"c": 1, "d": None, "a": 2}))

    assert [("b", 1, ABSENT), ("a", 1, 2), ("d", ABSENT, None)] == [
        (one.path, one.recorded, one.model) for one in found
    ]


def test_lists_are_compared_by_position() -> None:
    found = list(compare(["a", "b"], ["a", "c", "d"], "xs"))

    assert [("xs[1]", "b", "c"), ("xs[2]", ABSENT, "d")] == [
        (one.path, one.recorded, one.model) for one in found
    ]


def test_sets_know_no_order_but_count() -> None:
    assert [] == list(compare_sets(["b", "a"], ("a", "b")))
    assert 1 == len(list(compare_sets(["a", "a"], ["a"], "ids")))


def test_the_first_pattern_that_fits_names_the_rule() -> None:
    rules = (("state.ready", "BROKER-1"), ("state", "BROKER-2"), ("", "BROKER-3"))

    assert ["BROKER-1", "BROKER-2", "BROKER-3", ""] == [
        find_rule("ops[0].state.ready", rules),
        find_rule("ops[0].state.wait", rules),
        find_rule("ops[0].answer", rules),
        find_rule("ops[0].answer", rules[:2]),
    ]
