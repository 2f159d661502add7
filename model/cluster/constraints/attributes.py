"""Typed values of device attributes: how they are read, what their units mean, how they compare."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import isinf, isnan
from types import MappingProxyType
from typing import Final

from nomadspec.model.cluster.constraints.literals import (
    WHITE_SPACE,
    parse_boolean,
    parse_float,
    parse_integer,
)
from nomadspec.model.cluster.entities.hardware import DeviceAttribute
from nomadspec.model.errors import NomadSpecError

_REMEMBERED: Final = 10_000
_HALF: Final = 2**63
"""Half of the 64-bit integers are below zero."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit: what it measures, and how many base units it is."""

    base: str
    multiplier: int = 1
    divisor: int = 1


_BYTES: Final[Mapping[str, int]] = {
    **{f"{letter}iB": 2 ** (10 * power) for power, letter in enumerate("KMGTPE", 1)},
    **{f"{letter}B": 10 ** (3 * power) for power, letter in enumerate("kMGTPE", 1)},
    "KB": 10**3,
}

UNITS: Final[Mapping[str, Unit]] = MappingProxyType(
    {
        **{name: Unit("byte", multiplier) for name, multiplier in _BYTES.items()},
        **{f"{name}/s": Unit("byte rate", multiplier) for name, multiplier in _BYTES.items()},
        "MHz": Unit("hertz", 10**6),
        "GHz": Unit("hertz", 10**9),
        "mW": Unit("watt", 1, 1000),
        "W": Unit("watt"),
        "kW": Unit("watt", 10**3),
        "MW": Unit("watt", 10**6),
        "GW": Unit("watt", 10**9),
    }
)
"""Every unit that is known.

Spec: FEAS-56.
"""

_LONGEST_FIRST: Final = sorted(UNITS, key=len, reverse=True)


class NotANumberError(NomadSpecError):
    """A literal that is no number was compared as one: the scheduler's attempt is aborted."""


@lru_cache(maxsize=_REMEMBERED)
def parse_attribute(text: str) -> DeviceAttribute:
    """Read a literal as a typed value: integer, float, truth value or string, the first two with a unit.

    Spec: FEAS-55, FEAS-56.
    """
    unit = _find_unit(text)
    number = text.removesuffix(unit).strip(WHITE_SPACE) if unit else text
    integer = parse_integer(number)
    if integer is not None:
        return DeviceAttribute(int_value=integer, unit=unit)
    fraction = parse_float(number)
    if fraction is not None:
        return DeviceAttribute(float_value=fraction, unit=unit)
    truth = parse_boolean(text)
    return DeviceAttribute(string_value=text) if truth is None else DeviceAttribute(bool_value=truth)


def _find_unit(text: str) -> str:
    if not text[-1:].isalpha():
        return ""
    return next((unit for unit in _LONGEST_FIRST if text.endswith(unit)), "")


def is_comparable(left: DeviceAttribute, right: DeviceAttribute) -> bool:
    """True if two values can be compared: of one kind, and measured in units of one base or in none.

    Spec: FEAS-57.
    """
    left_unit, right_unit = UNITS.get(left.unit), UNITS.get(right.unit)
    if left_unit is not None or right_unit is not None:
        return left_unit is not None and right_unit is not None and left_unit.base == right_unit.base
    return _find_kind(left) == _find_kind(right) != ""


def _find_kind(value: DeviceAttribute) -> str:
    if value.int_value is not None or value.float_value is not None:
        return "number"
    if value.string_value is not None:
        return "string"
    return "" if value.bool_value is None else "truth"


def compare_attributes(left: DeviceAttribute, right: DeviceAttribute) -> int:
    """Compare two comparable values: -1, 0 or 1. Truth values that differ are 1 both ways round.

    Spec: FEAS-57, 06/S-08.
    """
    if left.string_value is not None and right.string_value is not None:
        return (left.string_value > right.string_value) - (left.string_value < right.string_value)
    if left.bool_value is not None and right.bool_value is not None:
        return int(left.bool_value != right.bool_value)
    a, b = _measure_integer(left), _measure_integer(right)
    if a is None or b is None:
        return _compare_exactly(_measure(left), _measure(right))
    return (a > b) - (a < b)


def _measure_integer(value: DeviceAttribute) -> int | None:
    """Count base units as a 64-bit integer, which wraps; a divisor truncates toward zero."""
    if value.int_value is None:
        return None
    unit = UNITS.get(value.unit, Unit(""))
    wrapped = (value.int_value * unit.multiplier + _HALF) % (2 * _HALF) - _HALF
    return wrapped // unit.divisor if wrapped >= 0 else -(-wrapped // unit.divisor)


def _measure(value: DeviceAttribute) -> Fraction | float:
    """Count base units exactly; what is infinite stays a float."""
    number = value.float_value if value.int_value is None else value.int_value
    if number is None or isnan(number):
        raise NotANumberError("A device attribute that is not a number was compared: write a number.")
    if isinf(number):
        return number
    unit = UNITS.get(value.unit, Unit(""))
    return Fraction(number) * unit.multiplier / unit.divisor


def _compare_exactly(a: Fraction | float, b: Fraction | float) -> int:
    return (a > b) - (a < b)
