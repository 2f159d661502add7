"""Domains: the finite interval of integers that a cell of the world, or an argument of a rule, can hold.

    FLAG              False or True
    upto(n)           0 .. n, and the protocol keeps it so (the solver proves it)
    counter(n)        0 .. n, where n only bounds the scope: the solver reads it without upper end
    counter(n, m)     -m .. n, a count that can be wrong: the solver reads it without any end
    an IntEnum class  its members, which count from 0
    upto(n, Enum)     the first members of an IntEnum class, as far as the one with the number n
    a declared set    one of its ids
    opt(ids)          one of the ids, or NONE; ``opt(ids, SKIP)`` also admits SKIP
    Map(index, d)     arguments only: every function from an index set to the domain d

A bound may be a number, a declared size, or a sum or product of them; or a declared set, of which there are
so many: a type checker then knows what ``counter(evals)`` counts. ``NONE`` and ``SKIP`` lie below the ids.
Inside a model every value is an int (a flag: a bool); labels are for people and files.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from nomadspec.model.errors import ModelError, UnknownNameError, UsageError
from nomadspec.model.language.bounds import ZERO, Bound, Named, as_bound

if TYPE_CHECKING:
    from nomadspec.model.language.sets import Ids, Size

    Id: TypeAlias = Any
    """One member of any declared set, as rules see it; typed.py has ids that know their set."""
else:
    Id: TypeAlias = int

NONE: Final[Any] = -1
"""No id."""
SKIP: Final[Any] = -2
"""Not even no id: what an entry of a plan holds that the plan leaves alone."""

_SENTINELS: Final = {NONE: "NONE", SKIP: "SKIP"}


class StatusEnum(IntEnum):
    """Statuses: they have numbers, but are compared with their own alone, and nobody calculates with them."""

    @property
    def label(self) -> str:
        """How people and files write it; override it where it is spelled otherwise elsewhere."""
        return self.name.lower()


def label_of(member: Enum) -> str:
    """Write a member of an enum as people and files do."""
    return member.label if isinstance(member, StatusEnum) else member.name.lower()


@dataclass(frozen=True, slots=True)
class Domain:
    """A declared domain, before a scope says how large its bounds are."""

    kind: str
    low: int
    high: Bound
    members: Ids | None = None
    labels: tuple[str, ...] = ()
    below: Bound = ZERO
    """How far a count can go below the lowest value that is right."""
    is_status: bool = False
    """Whether the values are members of a ``StatusEnum``, which no number stands for."""

    @property
    def is_flag(self) -> bool:
        """True if the values are False and True."""
        return self.kind == "flag"

    @property
    def is_open_ended(self) -> bool:
        """True if the upper bound is the scope's, not the protocol's."""
        return self.kind == "counter"

    @property
    def is_signed(self) -> bool:
        """True if a count can be wrong, and less than nothing."""
        return any(factor for factor, _ in self.below.terms)

    @property
    def has_all_labels(self) -> bool:
        """True if it has every member of its enum, whatever the scope."""
        return self.high == as_bound(len(self.labels) - 1)

    def has_member(self, member: IntEnum) -> bool:
        """True if it can hold a member of an enum: its own, by name and number, or any number."""
        return not self.labels or label_of(member) in self.labels[member : member + 1]

    def bound_by(self, sizes: Mapping[str, int]) -> Interval:
        """Give the lowest and the highest value in a scope."""
        high = self.high.evaluate(sizes)
        if self.labels and high >= len(self.labels):
            raise UsageError(
                f"{self.high.text} is {high}, but the last of {', '.join(self.labels)} has the number "
                f"{len(self.labels) - 1}: choose no more than that."
            )
        return Interval(self, self.low - self.below.evaluate(sizes), high)

    def list_parts(self) -> list[Named]:
        """List the declared set and sizes that the domain depends on."""
        sizes = [size for _, factors in (*self.high.terms, *self.below.terms) for size in factors]
        return sizes if self.members is None else [*sizes, self.members]

    def describe(self) -> str:
        """Say in words what the domain admits."""
        if self.is_flag:
            return "flag"
        if self.labels:
            names = ", ".join(self.labels)
            bounded = "" if self.has_all_labels else f", with a number up to {self.high.text}"
            return f"one of {names}{bounded}"
        if self.members is not None:
            extra = "".join(f" or {_SENTINELS[value]}" for value in range(-1, self.low - 1, -1))
            return f"{self.members.label}{extra}"
        lowest = f"-({self.below.text})" if self.is_signed else "0"
        return f"{lowest} .. {self.high.text}{' (bounded by the scope)' if self.is_open_ended else ''}"


@dataclass(frozen=True, slots=True)
class Interval:
    """A domain in a scope: its lowest and highest value, and how people write the values."""

    domain: Domain
    low: int
    high: int

    @property
    def is_flag(self) -> bool:
        """True if the values are False and True."""
        return self.domain.is_flag

    @property
    def bits(self) -> int:
        """How many bits hold any of the values."""
        return (self.high - self.low).bit_length()

    def values(self) -> Iterable[int]:
        """List the values in order."""
        return (False, True)[: self.high + 1] if self.is_flag else range(self.low, self.high + 1)

    def pick(self, number: int) -> int:
        """Give the value that a number stands for, counting on from the first one after the last."""
        value = self.low + number % max(1, self.high - self.low + 1)
        return bool(value) if self.is_flag else value

    def admits(self, value: object) -> bool:
        """True if the value is one of the domain."""
        if self.is_flag or isinstance(value, bool):
            return self.is_flag and isinstance(value, bool) and value <= self.high
        return isinstance(value, int) and self.low <= value <= self.high

    def is_passed_by(self, value: int) -> bool:
        """True if a value that is not admitted is beyond an end that only the scope gives."""
        is_below = value < self.low
        return self.domain.is_signed if is_below else self.domain.is_open_ended

    def label(self, value: int) -> str | int | bool:
        """Write a value as people and files do."""
        domain = self.domain
        if domain.is_flag:
            return bool(value)
        if value in _SENTINELS and domain.members is not None:
            return _SENTINELS[value]
        if domain.members is not None:
            return domain.members.name_of(value)
        return domain.labels[value] if domain.labels else int(value)

    def parse(self, label: object) -> int:
        """Read a value as people and files write it."""
        for value in self.values():
            if self.label(value) == label and isinstance(label, bool) == self.is_flag:
                return value
        raise UnknownNameError("value", str(label), (str(self.label(value)) for value in self.values()))


@dataclass(frozen=True, slots=True)
class Map:
    """The domain of an argument that assigns a value to each member of an index set.

    Where a size is 0 of which it is part (``on``), each value is the least one of the domain; where that has
    none, as the domain of a set without members, there is no value.
    """

    index: Ids
    domain: Domain
    on: Size | None = None


def _count_of(ids: Ids) -> Bound:
    bound = getattr(ids, "bound", None)
    if not isinstance(bound, Bound):
        if isinstance(ids, type) and issubclass(ids, Enum):
            raise ModelError(f"{ids.__name__} is an Enum: write class {ids.__name__}(IntEnum), with numbers.")
        raise ModelError(
            f"{ids!r} is no domain: "
            "give FLAG, upto(n), counter(n), opt(set), an IntEnum class or a declared set."
        )
    return bound


def _enum_domain(labels: type[IntEnum]) -> Domain:
    members = list(labels)
    if [member.value for member in members] != list(range(len(members))):
        raise ModelError(
            f"The members of {labels.__name__} must count from 0 without gaps to be a domain: "
            f"{members[0].name} = 0 and so on (auto() begins at 1)."
        )
    names = tuple(map(label_of, members))
    return Domain(
        "enum", 0, as_bound(len(members) - 1), labels=names, is_status=issubclass(labels, StatusEnum)
    )


def as_domain(spec: Domain | type[IntEnum] | Ids) -> Domain:
    """Read what a declaration gives as its domain: a domain, an IntEnum class, or a declared set."""
    if isinstance(spec, Domain):
        return spec
    if isinstance(spec, type) and issubclass(spec, IntEnum):
        return _enum_domain(spec)
    return Domain("id", 0, _count_of(spec) + -1, members=spec)


FLAG: Final = Domain("flag", 0, as_bound(1))
"""False or True."""


def upto(bound: Bound | Named | int, of: type[IntEnum] | None = None) -> Domain:
    """Admit 0 up to the bound; that the protocol never leaves it is something to prove.

    Of an enum, these are its first members: a scope says how many of them there are.
    """
    if of is None:
        return Domain("upto", 0, as_bound(bound))
    whole = as_domain(of)
    if not whole.labels:
        raise ModelError(f"upto(bound, Enum) takes an IntEnum class, not {of!r}.")
    return Domain("enum", 0, as_bound(bound), labels=whole.labels, is_status=whole.is_status)


def counter(bound: Bound | Named | int, below: Bound | Named | int = 0) -> Domain:
    """Admit 0 up to a bound that belongs to the scope; the solver reads it without upper end.

    What counts wrongly can go below 0, as far as a second bound says; the solver reads that without end, too.
    """
    return Domain("counter", 0, as_bound(bound), below=as_bound(below))


def opt(ids: Ids, lowest: int = NONE) -> Domain:
    """Admit an id of the set or NONE; with SKIP as the lowest value also that."""
    if lowest not in _SENTINELS:
        raise ModelError(f"opt(set, lowest) takes NONE or SKIP as the lowest value, not {lowest!r}.")
    return Domain("opt", lowest, _count_of(ids) + -1, members=ids)
