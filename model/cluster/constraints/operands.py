"""What each operand of a constraint asks of its two sides."""

from collections.abc import Callable, Mapping
from operator import ge, gt, le, lt
from typing import Any, Final

from nomadspec.model.cluster.constraints.literals import parse_float, parse_integer, split_list
from nomadspec.model.cluster.constraints.regex_syntax import is_regex_match
from nomadspec.model.cluster.constraints.versions import is_version_within
from nomadspec.model.cluster.entities.constraint import Operand

EQUALITIES: Final = frozenset({Operand.EQUAL, Operand.EQUAL_TWICE, Operand.IS})
INEQUALITIES: Final = frozenset({Operand.UNEQUAL, Operand.NOT})
HANDLED_ELSEWHERE: Final = frozenset({Operand.DISTINCT_HOSTS, Operand.DISTINCT_PROPERTY})
ORDERS: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    Operand.LESS: lt,
    Operand.LESS_OR_EQUAL: le,
    Operand.GREATER: gt,
    Operand.GREATER_OR_EQUAL: ge,
}


def is_ordered(operand: str, left: str, right: str) -> bool:
    """True if an ordered comparison holds: of integers if both are, else of floats, else of the bytes.

    Spec: FEAS-35.
    """
    order = ORDERS[operand]
    for parse in (parse_integer, parse_float):
        a, b = parse(left), parse(right)
        if a is not None and b is not None:
            return order(a, b)
    return order(left, right)  # characters order as their UTF-8 bytes do


def _has_all(left: str, right: str) -> bool:
    return split_list(right) <= split_list(left)


def _has_any(left: str, right: str) -> bool:
    return not split_list(right).isdisjoint(split_list(left))


TEXT_CHECKS: Final[Mapping[str, Callable[[str, str], bool]]] = {
    Operand.REGEXP: lambda left, right: is_regex_match(right, left),
    Operand.SET_CONTAINS: _has_all,
    Operand.SET_CONTAINS_ALL: _has_all,
    Operand.SET_CONTAINS_ANY: _has_any,
}
"""Operands that read both sides as text, on nodes and on devices."""

VERSION_CHECKS: Final[Mapping[str, Callable[[str, str], bool]]] = {
    Operand.VERSION: is_version_within,
    Operand.SEMVER: lambda left, right: is_version_within(left, right, strict=True),
}


def is_met(operand: str, left: str | None, right: str | None) -> bool:
    """True if the operand is satisfied by its sides; None is a side that was not found.

    Spec: FEAS-31, FEAS-34.
    """
    if operand in HANDLED_ELSEWHERE:
        return True
    if operand in INEQUALITIES:
        return (left or "") != (right or "")
    if operand == Operand.IS_SET:
        return left is not None
    if operand == Operand.IS_NOT_SET:
        return left is None
    return left is not None and right is not None and _is_met_by_both(operand, left, right)


def _is_met_by_both(operand: str, left: str, right: str) -> bool:
    if operand in EQUALITIES:
        return left == right
    if operand in ORDERS:
        return is_ordered(operand, left, right)
    check = TEXT_CHECKS.get(operand) or VERSION_CHECKS.get(operand)
    return check is not None and check(left, right)
