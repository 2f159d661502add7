import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomadspec.model.cluster.constraints.operands import is_met, is_ordered
from nomadspec.model.cluster.entities import Operand
from tests.once import CHARACTERS

SIDES = st.one_of(
    st.none(), st.text(CHARACTERS, max_size=8), st.sampled_from(["1", "2.0", "1.2.3", "a,b", "~> 1", "[a-z"])
)


@pytest.mark.parametrize(
    ("left", "operand", "right", "expected"),
    [
        ("10", "<", "1", False),
        ("1", "<", "10", True),
        ("1.5", "<", "10.5", True),
        ("10", "<", "9.5", False),
        ("1", ">", "foo", False),
        ("10MB", "<", "9MB", True),
        ("99999999999999999999", ">", "5", True),
        ("NaN", "<=", "NaN", False),
        ("é", ">", "z", True),
    ],
)
def test_order_is_of_integers_or_floats_or_bytes(left: str, operand: str, right: str, expected: bool) -> None:
    """FEAS-35."""
    assert expected == is_ordered(operand, left, right)


@pytest.mark.parametrize(
    ("operand", "expected"),
    [
        *[
            ("=", False),
            ("==", False),
            ("is", False),
            ("!=", True),
            ("not", True),
            ("<", False),
            (">=", False),
        ],
        *[("is_set", False), ("is_not_set", True), ("version", False), ("semver", False), ("regexp", False)],
        *[("set_contains", False), ("set_contains_any", False), ("distinct_hosts", True), ("===", False)],
    ],
)
def test_a_missing_left_side(operand: str, expected: bool) -> None:
    """FEAS-34."""
    assert expected == is_met(operand, None, "x")


@pytest.mark.parametrize("right", [None, ""])
def test_what_is_missing_does_not_differ_from_the_empty_text(right: str | None) -> None:
    """FEAS-34."""
    assert not is_met("!=", None, right)


@pytest.mark.parametrize(
    ("operand", "left", "right", "expected"),
    [
        ("is", "linux", "linux", True),
        ("=", "linux", "Linux", False),
        ("not", "a", "b", True),
        ("regexp", "linux-6", "x-[0-9]", True),
        ("regexp", "linux", "(", False),
        ("version", "1.3.0-beta", ">= 1.0", False),
        ("semver", "1.3.0-beta", ">= 1.0", True),
        ("set_contains", "a,b,c", "c, a", True),
        ("set_contains_all", "a,b", "a,d", False),
        ("set_contains_any", "a,b", "d,b", True),
        ("set_contains_any", "a,b", "", False),
        ("is_set", "", None, True),
        ("IS", "a", "a", False),
    ],
)
def test_what_operands_ask(operand: str, left: str, right: str | None, expected: bool) -> None:
    """FEAS-31."""
    assert expected == is_met(operand, left, right)


@given(st.sampled_from([*Operand, "other"]), SIDES, SIDES)
def test_every_operand_answers_whatever_its_sides(operand: str, left: str | None, right: str | None) -> None:
    """FEAS-31."""
    assert is_met(operand, left, right) in {True, False}
