"""Versions, their order, and the requirements that the operands `version` and `semver` put on them."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import zip_longest
from operator import eq, ge, gt, le, lt, ne
from typing import Final

from nomadspec.model.cluster.constraints.literals import parse_integer

_GROUP: Final = r"[0-9A-Za-z~-]+"
_MORE: Final = rf"(?:\.{_GROUP})*"
_NUMBERS: Final = r"v?(?P<numbers>[0-9]+(?:\.[0-9]+)*)"
_DIGIT_FIRST: Final = rf"-(?P<digits>[0-9][0-9A-Za-z~-]*{_MORE})"
_WORD_FIRST: Final = rf"(?P<word>[A-Za-z~-][0-9A-Za-z~-]*{_MORE})"
_METADATA: Final = rf"(?:\+{_GROUP}{_MORE})?"
_LENIENT: Final = rf"{_NUMBERS}(?:{_DIGIT_FIRST}|-?{_WORD_FIRST})?{_METADATA}"
_STRICT: Final = rf"{_NUMBERS}(?:{_DIGIT_FIRST}|-{_WORD_FIRST})?{_METADATA}"
_SPACE: Final = r"[\t\n\f\r ]*"
_OPERATORS: Final = r"(?:<=|>=|!=|~>|=|<|>)?"
_ITEM: Final = re.compile(rf"{_SPACE}(?P<operator>{_OPERATORS}){_SPACE}(?P<version>[^\t\n\f\r ]+){_SPACE}")
_LENIENT_TEXT: Final = re.compile(_LENIENT)
_STRICT_TEXT: Final = re.compile(_STRICT)
_FULL_LENGTH: Final = 3
"""Fewer integers are padded with zeros to this many."""
_REMEMBERED: Final = 10_000
"""So many versions that were read are kept."""


@dataclass(frozen=True)
class Version:
    """A version: its integers, how many of them were written, and its pre-release.

    Spec: FEAS-36.
    """

    numbers: tuple[int, ...]
    written: int
    prerelease: str = ""

    @cached_property
    def parts(self) -> tuple[str, ...]:
        """Give the parts of the pre-release between its dots."""
        return tuple(self.prerelease.split("."))


@lru_cache(maxsize=_REMEMBERED)
def parse_version(text: str, *, strict: bool = False) -> Version | None:
    """Read a version; the strict form wants a hyphen before every pre-release.

    Spec: FEAS-36.
    """
    match = (_STRICT_TEXT if strict else _LENIENT_TEXT).fullmatch(text)
    if match is None:
        return None
    numbers = [parse_integer(number) for number in match["numbers"].split(".")]
    whole = [number for number in numbers if number is not None]
    if len(whole) < len(numbers):
        return None
    padding = [0] * (_FULL_LENGTH - len(whole))
    return Version((*whole, *padding), len(whole), match["digits"] or match["word"] or "")


def compare_versions(left: Version, right: Version) -> int:
    """Compare two versions: -1, 0 or 1. Metadata never matters.

    Spec: FEAS-38.
    """
    if left.numbers == right.numbers:
        return _compare_prereleases(left, right)
    for a, b in zip_longest(left.numbers, right.numbers, fillvalue=0):
        if a != b:
            return _sign(a, b)
    return 0


def _sign(a: int, b: int) -> int:
    return (a > b) - (a < b)


def _compare_prereleases(left: Version, right: Version) -> int:
    if not left.prerelease or not right.prerelease:
        return _sign(not left.prerelease, not right.prerelease)
    for a, b in zip_longest(left.parts, right.parts):
        if a != b:
            return _compare_parts(a, b)
    return 0


def _compare_parts(a: str | None, b: str | None) -> int:
    """Compare two parts that differ; the side that has run out is below a number and above a word."""
    if a is None or b is None:
        other = b if a is None else a
        order = -1 if other is not None and parse_integer(other) is not None else 1
        return order if a is None else -order
    number_a, number_b = parse_integer(a), parse_integer(b)
    if number_a is not None and number_b is not None:
        return _sign(number_a, number_b)
    if number_a is not None or number_b is not None:
        return 1 if number_a is None else -1
    return 1 if a > b else -1


def _is_comparable(version: Version, bound: Version) -> bool:
    """True if an ordered comparison may hold: a pre-release is only measured by one of its own release."""
    if not version.prerelease:
        return True
    return bool(bound.prerelease) and version.numbers == bound.numbers


def _is_close_above(version: Version, bound: Version) -> bool:
    """True if the pessimistic operator holds: at least the bound, and equal in all but its last integer."""
    if not _is_comparable(version, bound) or (bound.prerelease and not version.prerelease):
        return False
    fixed, last = bound.written - 1, len(bound.numbers) - 1
    return (
        compare_versions(version, bound) >= 0
        and len(version.numbers) >= len(bound.numbers)
        and version.numbers[:fixed] == bound.numbers[:fixed]
        and bound.numbers[last] <= version.numbers[last]
    )


def _in_release_order(sign: Callable[[int, int], bool]) -> "Check":
    return lambda version, bound: _is_comparable(version, bound) and sign(compare_versions(version, bound), 0)


def _in_plain_order(sign: Callable[[int, int], bool]) -> "Check":
    return lambda version, bound: sign(compare_versions(version, bound), 0)


Check = Callable[[Version, Version], bool]

_ORDERS: Final = {">": gt, "<": lt, ">=": ge, "<=": le}
_EQUALITY: Final[Mapping[str, Check]] = {
    "": _in_plain_order(eq),
    "=": _in_plain_order(eq),
    "!=": _in_plain_order(ne),
}
VERSION_CHECKS: Final[Mapping[str, Check]] = {
    **_EQUALITY,
    **{word: _in_release_order(order) for word, order in _ORDERS.items()},
    "~>": _is_close_above,
}
"""What each operator of the operand `version` asks; none means equality."""

SEMVER_CHECKS: Final[Mapping[str, Check]] = {
    **_EQUALITY,
    **{word: _in_plain_order(order) for word, order in _ORDERS.items()},
}
"""What each operator of the operand `semver` asks: the plain order, and no pessimistic operator."""


@dataclass(frozen=True, slots=True)
class Requirement:
    """One item of a list of requirements: what is asked, against which version."""

    check: Check
    bound: Version


@cache
def parse_requirements(text: str, *, strict: bool = False) -> tuple[Requirement, ...] | None:
    """Read the right side of `version`, or with `strict` of `semver`; one malformed item spoils the list.

    Spec: FEAS-37, FEAS-39.
    """
    checks = SEMVER_CHECKS if strict else VERSION_CHECKS
    found = [_parse_item(item, checks, strict=strict) for item in text.split(",")]
    requirements = tuple(requirement for requirement in found if requirement is not None)
    return requirements if len(requirements) == len(found) else None


def _parse_item(item: str, checks: Mapping[str, Check], *, strict: bool) -> Requirement | None:
    match = _ITEM.fullmatch(item)
    if match is None or match["operator"] not in checks:
        return None
    bound = parse_version(match["version"], strict=strict)
    return None if bound is None else Requirement(checks[match["operator"]], bound)


def is_version_within(text: str, requirements: str, *, strict: bool = False) -> bool:
    """True if a version, read leniently, meets all requirements; nothing is met by what cannot be read.

    Spec: FEAS-37, FEAS-39.
    """
    version = parse_version(text)
    items = parse_requirements(requirements, strict=strict)
    if version is None or items is None:
        return False
    return all(item.check(version, item.bound) for item in items)
