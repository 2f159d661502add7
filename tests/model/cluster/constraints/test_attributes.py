import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomadspec.model.cluster.constraints.attributes import (
    UNITS,
    NotANumberError,
    compare_attributes,
    is_comparable,
    parse_attribute,
)
from nomadspec.model.cluster.entities import DeviceAttribute

LITERALS = st.builds(
    "{}{}".format,
    st.one_of(st.integers(-(2**63), 2**63 - 1), st.floats(allow_nan=False, allow_infinity=False, width=32)),
    st.sampled_from([""] + [f" {unit}" for unit in UNITS]),
)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", DeviceAttribute(string_value="")),
        ("1", DeviceAttribute(int_value=1)),
        ("t", DeviceAttribute(bool_value=True)),
        ("F", DeviceAttribute(bool_value=False)),
        ("1.4 GHz", DeviceAttribute(float_value=1.4, unit="GHz")),
        ("5GiB", DeviceAttribute(int_value=5, unit="GiB")),
        ("3 GiB/s", DeviceAttribute(int_value=3, unit="GiB/s")),
        ("7 kW", DeviceAttribute(int_value=7, unit="kW")),
        ("10k", DeviceAttribute(string_value="10k")),
        ("5 GiB ", DeviceAttribute(string_value="5 GiB ")),
        ("GiB", DeviceAttribute(string_value="GiB")),
        (" 1", DeviceAttribute(string_value=" 1")),
        ("0x10", DeviceAttribute(string_value="0x10")),
    ],
)
def test_a_literal_is_read_as_a_typed_value(text: str, value: DeviceAttribute) -> None:
    """FEAS-55."""
    assert value == parse_attribute(text)


def test_there_are_units_of_four_kinds() -> None:
    """FEAS-56."""
    bases = [unit.base for unit in UNITS.values()]

    assert {"byte": 13, "byte rate": 13, "hertz": 2, "watt": 5} == {base: bases.count(base) for base in bases}


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ("1 GiB", "1 MB", True),
        ("1 GB/s", "1 GB", False),
        ("11 GiB", "12", False),
        ("1", "1.5", True),
        ("a", "", True),
        ("true", "false", True),
        ("true", "2", False),
        ("1 XB", "1 XB", True),
    ],
)
def test_what_can_be_compared(left: str, right: str, expected: bool) -> None:
    """FEAS-57."""
    assert expected == is_comparable(parse_attribute(left), parse_attribute(right))


def test_a_value_of_no_kind_is_not_comparable() -> None:
    """FEAS-57."""
    assert not is_comparable(DeviceAttribute(), DeviceAttribute())


@pytest.mark.parametrize(
    ("left", "order", "right"),
    [
        ("11 GiB", 0, "11264 MiB"),
        ("1480 MHz", 1, "1.4 GHz"),
        ("1500 mW", 0, "1 W"),
        ("-1500 mW", 0, "-1 W"),
        ("1500 mW", 0, "1.5 W"),
        ("1500 mW", 1, "1.0 W"),
        ("16 EiB", 0, "0 EiB"),
        ("16.0 EiB", 1, "0 EiB"),
        ("9007199254740993", 1, "9007199254740992.0"),
        ("inf", 1, "1e308"),
        ("b", 1, "a"),
        ("true", 1, "false"),
        ("false", 1, "true"),
        ("false", 0, "false"),
    ],
)
def test_values_are_compared_in_base_units(left: str, order: int, right: str) -> None:
    """FEAS-57."""
    assert order == compare_attributes(parse_attribute(left), parse_attribute(right))


def test_what_is_no_number_aborts() -> None:
    """FEAS-57."""
    with pytest.raises(NotANumberError, match="write a number"):
        compare_attributes(parse_attribute("nan"), parse_attribute("1"))


@given(LITERALS, LITERALS)
def test_numbers_order_in_two_directions(left: str, right: str) -> None:
    """FEAS-57."""
    a, b = parse_attribute(left), parse_attribute(right)

    assert is_comparable(a, b) == is_comparable(b, a)
    assert compare_attributes(a, b) == -compare_attributes(b, a)
