"""Statuses: members of which enums a value may be; where two enums are mixed up, their numbers mislead.

Of a ``StatusEnum`` no member is a number: what a cell of numbers or ids holds is none of them.

A value that is chosen from several, as by ``ite``, may be any of these. So each of them is looked at: what
the others mean says nothing about it.
"""

from __future__ import annotations

from enum import IntEnum
from itertools import combinations, product
from typing import TYPE_CHECKING, TypeAlias

from nomadspec.model.errors import NamingError
from nomadspec.model.language.domain import Domain, label_of
from nomadspec.model.language.subterms import is_cell, list_leaves

if TYPE_CHECKING:
    from collections.abc import Callable

    from nomadspec.model.language.domain import Interval
    from nomadspec.model.language.logic import Value
    from nomadspec.model.language.term import Term

_Status: TypeAlias = "Domain | IntEnum"
"""What a status may be: one of those that a cell holds, or one member."""


def mix_enums(what: str, domain: Domain, member: IntEnum, how: str = "compared with") -> NamingError:
    """Make the error of a text that takes a member of one enum for that of another."""
    return NamingError(f"{what} {domain.describe()}, is {how} {_name(member)}: two enums are mixed up.")


def expect_one_enum(one: Value, other: Value, find_interval: Callable[[Term], Interval]) -> None:
    """Raise a NamingError where two values are compared that may be statuses of two enums."""
    ours, theirs = (_list_statuses(value, find_interval) for value in (one, other))
    for our, their in product(ours, theirs):
        if _are_mixed(our, their):
            with_what = _name(other) if isinstance(other, IntEnum) else f"one that {_say(their)}"
            raise NamingError(
                f"A value, which {_say(our)}, is compared with {with_what}: two enums are mixed up."
            )
    for our, their in (*combinations(ours, 2), *combinations(theirs, 2)):
        if _are_mixed(our, their):
            raise NamingError(
                f"What is compared is chosen from a value that {_say(our)}, and one that {_say(their)}: "
                "two enums are mixed up; compare each of them, and choose between the answers."
            )
    _refuse_number(ours, other, find_interval)
    _refuse_number(theirs, one, find_interval)
    leaves = list(list_leaves(one))
    if not isinstance(other, IntEnum) or len(leaves) != len([*filter(is_cell, leaves)]):
        return
    domains = [find_interval(leaf).domain for leaf in leaves]
    if not any(domain.has_member(other) for domain in domains):
        raise mix_enums("A value, which is", domains[0], other)


def _refuse_number(statuses: list[_Status], value: Value, find_interval: Callable[[Term], Interval]) -> None:
    """Raise a NamingError where a cell of numbers or ids is compared with one of statuses."""
    number = _find_number(value, find_interval)
    status = next((each for each in statuses if isinstance(each, Domain) and each.is_status), None)
    if number is not None and status is not None:
        raise NamingError(
            f"A value, which {_say(status)}, is compared with one that {_say(number)}, and so none of these."
        )


def expect_own_enum(
    name: str, wanted: Domain, value: Value, find_interval: Callable[[Term], Interval]
) -> None:
    """Raise a NamingError where a field is given a status of another enum, or one of the two is a number."""
    number = _find_number(value, find_interval)
    if wanted.is_status and number is not None:
        raise NamingError(
            f"{name}, which {_say(wanted)}, is given a value that {_say(number)}, and so none of these: give "
            "it a status, or choose one by the value, ite(value == ..., ...)."
        )
    for given in _list_statuses(value, find_interval):
        if isinstance(given, IntEnum) and not wanted.has_member(given):
            raise mix_enums(f"{name}, which is", wanted, given, "given")
        if not wanted.labels and not wanted.is_flag and isinstance(given, Domain) and given.is_status:
            raise NamingError(
                f"{name}, which {_say(wanted)}, is given a value that {_say(given)}: its number says nothing "
                "there; write ite(value == ..., ...) for each of them."
            )
        if wanted.labels and _are_mixed(wanted, given):
            raise NamingError(
                f"{name}, which {_say(wanted)}, is given a value that {_say(given)}: two "
                "enums are mixed up; write ite(value == ..., ...) for each of them."
            )


def _list_statuses(value: Value, find_interval: Callable[[Term], Interval]) -> list[_Status]:
    """List the statuses that a value may be, those of one domain once."""
    found: dict[int, _Status] = {}
    for leaf in list_leaves(value):
        status = find_interval(leaf).domain if is_cell(leaf) else leaf
        if isinstance(status, IntEnum) or (isinstance(status, Domain) and status.labels):
            found[id(status)] = status
    return list(found.values())


def _find_number(value: Value, find_interval: Callable[[Term], Interval]) -> Domain | None:
    """Find what a cell holds that a value may be, where that is no status: a number or an id."""
    domains = (find_interval(leaf).domain for leaf in list_leaves(value) if is_cell(leaf))
    return next((domain for domain in domains if not domain.labels and not domain.is_flag), None)


def _are_mixed(one: _Status, other: _Status) -> bool:
    """True if a number means two statuses, or a status has two numbers."""
    if one is other:
        return False
    pairs = product(_list_names(one), _list_names(other))
    return any((our == their) != (name == named) for (our, name), (their, named) in pairs)


def _list_names(status: _Status) -> list[tuple[int, str]]:
    if isinstance(status, IntEnum):
        return [(int(status), label_of(status))]
    return list(enumerate(status.labels))


def _say(status: _Status) -> str:
    return f"may be {_name(status)}" if isinstance(status, IntEnum) else f"is {status.describe()}"


def _name(member: IntEnum) -> str:
    return f"{type(member).__name__}.{member.name}"
