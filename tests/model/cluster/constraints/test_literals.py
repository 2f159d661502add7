import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomadspec.model.cluster.constraints.literals import (
    INT64_MAX,
    INT64_MIN,
    parse_boolean,
    parse_float,
    parse_integer,
    split_list,
)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("7", 7),
        ("+5", 5),
        ("-3", -3),
        ("007", 7),
        ("0" * 5000 + "1", 1),
        ("-" + "0" * 5000 + "1", -1),
        (str(INT64_MAX), INT64_MAX),
        (str(INT64_MIN), INT64_MIN),
    ],
)
def test_an_integer_is_read(text: str, value: int) -> None:
    assert value == parse_integer(text)


@pytest.mark.parametrize(
    "text", ["", "5 ", "1_000", "1.0", "٣", "0x10", str(INT64_MAX + 1), "9" * 5000, "--1"]
)
def test_what_is_no_integer_is_none(text: str) -> None:
    assert parse_integer(text) is None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (".5", 0.5),
        ("5.", 5.0),
        ("1e3", 1000.0),
        ("1_000", 1000.0),
        ("1e1_0", 1e10),
        ("0x1p4", 16.0),
        ("0x_1p4", 16.0),
        ("-0X.8p1", -1.0),
        ("Inf", math.inf),
        ("-infinity", -math.inf),
        ("1e-999", 0.0),
    ],
)
def test_a_float_is_read(text: str, value: float) -> None:
    assert value == parse_float(text)


@pytest.mark.parametrize(
    "text",
    ["", ".", " 1", "1 ", "0x10", "0x1p", "1__0", "_1", "1_", "1e999", "0x1p9999", "-nan", "1e", "0x_.8p1"],
)
def test_what_is_no_float_is_none(text: str) -> None:
    assert parse_float(text) is None


def test_not_a_number_has_no_sign() -> None:
    value = parse_float("NaN")

    assert value is not None
    assert math.isnan(value)


@given(st.floats(allow_nan=False))
def test_every_float_that_python_writes_is_read_back(value: float) -> None:
    assert value == parse_float(repr(value))


def test_truth_has_six_words() -> None:
    words = ["1", "t", "T", "TRUE", "true", "True", "0", "f", "F", "FALSE", "false", "False", "yes", ""]

    assert [True] * 6 + [False] * 6 + [None] * 2 == [parse_boolean(word) for word in words]


@pytest.mark.parametrize(
    ("text", "elements"),
    [("", {""}), ("a,,b", {"a", "", "b"}), (" a ,\u2003b\n", {"a", "b"}), ("a\x1c", {"a\x1c"}), (",", {""})],
)
def test_a_list_is_split_at_commas_and_trimmed(text: str, elements: set[str]) -> None:
    """FEAS-32."""
    assert elements == split_list(text)
