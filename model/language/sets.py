"""Declared sets and sizes: how many of what there are in a world, which a scope says.

A size reads as a number on a world, a set as its members; both are bounds of domains (bounds.py).
"""

from __future__ import annotations

from abc import abstractmethod
from types import GenericAlias
from typing import TYPE_CHECKING, Never, Protocol, overload

from nomadspec.model.errors import StyleError
from nomadspec.model.language.bounds import Bound, as_bound
from nomadspec.model.language.part import Part

if TYPE_CHECKING:
    from collections.abc import Iterator

    from nomadspec.model.language.logic import Value


class Census(Protocol):
    """What knows how many of each set there are: the frame of a world."""

    @abstractmethod
    def iterate(self, ids: Ids) -> Iterator[Value]:
        """Go through the members of a set."""

    @abstractmethod
    def size(self, declared: Size) -> Value:
        """Give a size as a number."""


class Populated(Part):
    """What has members of sets: a world, of which no more is known here."""

    __slots__ = ()

    frame: Census


class Members(Part):
    """The members of a declared set in one world: each pass over it goes through all of them."""

    __slots__ = ("_frame", "_ids")

    def __init__(self, frame: Census, declared: Ids) -> None:
        """Keep which set, and the frame that knows its members."""
        self._frame = frame
        self._ids = declared

    def __iter__(self) -> Iterator[Value]:
        """Begin another pass."""
        return self._frame.iterate(self._ids)

    def __getitem__(self, key: object) -> Never:
        """Refuse: only tables are indexed."""
        raise StyleError(
            f"{self._ids.name} is a set and is indexed, which only tables are: go through it, for i in "
            f"s.{self._ids.name}, or let an argument of a rule choose one."
        )


class Declared:
    """What the declarations of a world have in common: a name and a sentence."""

    def __init__(self, about: str) -> None:
        """Keep the sentence; the class body gives the name."""
        self.name = ""
        self.about = about

    def __set_name__(self, owner: type, name: str) -> None:
        """Learn the name from the class body."""
        if not self.name:
            self.name = name


class Size(Declared):
    """A number that a scope chooses; reads as a number in rules, and adds and multiplies in bounds.

    A feature is 0 where it is off, else 1; it reads as a flag.
    """

    def __init__(
        self, default: int, about: str, least: int, *, is_feature: bool = False, is_open: bool = True
    ) -> None:
        """Keep the default, and the least value that makes sense; whether a proof leaves it open."""
        super().__init__(about)
        self.default = default
        self.least = least
        self.is_feature = is_feature
        self.is_open = is_open

    def __class_getitem__(cls, of: type) -> GenericAlias:
        """Let a world say that a size is the number of a member of an enum: ``kinds: Size[Kind]``."""
        return GenericAlias(cls, of)

    def __add__(self, other: Bound | Size | int) -> Bound:
        """Add a number or another size."""
        return as_bound(self) + other

    def __mul__(self, other: Bound | Size | int) -> Bound:
        """Multiply with a number or another size."""
        return as_bound(self) * other

    __radd__ = __add__
    __rmul__ = __mul__

    @overload
    def __get__(self, world: Populated, owner: type) -> Value: ...
    @overload
    def __get__(self, world: object, owner: type) -> Size: ...
    def __get__(self, world: object, owner: type) -> Value:
        """Give the declaration on the class, and on a world the number, or whether the feature is on."""
        if not isinstance(world, Populated):
            return self
        number = world.frame.size(self)
        return number > 0 if self.is_feature else number


class Ids(Declared):
    """A declared set: interchangeable ids, or the places of an index whose order shows."""

    def __init__(
        self, label: str, bound: Size | None, about: str, default: int, *, is_symmetric: bool
    ) -> None:
        """Keep how members are called and how many there are."""
        super().__init__(about)
        self.label = label
        self.is_symmetric = is_symmetric
        self.size = bound if bound is not None else Size(default, about, least=0)

    def __class_getitem__(cls, of: type) -> GenericAlias:
        """Let a world say which class its ids are of: ``jobs: Ids[JobId]``."""
        return GenericAlias(cls, of)

    def __set_name__(self, owner: type, name: str) -> None:
        """Learn the name; a set that declares its own size passes it on."""
        super().__set_name__(owner, name)
        self.size.__set_name__(owner, name)

    @property
    def bound(self) -> Bound:
        """How many members there are, as a bound."""
        return as_bound(self.size)

    def name_of(self, member: int) -> str:
        """Write a member as people do; they count from 1."""
        return f"{self.label}{member + 1}"

    @overload
    def __get__(self, world: Populated, owner: type) -> Value: ...
    @overload
    def __get__(self, world: object, owner: type) -> Ids: ...
    def __get__(self, world: object, owner: type) -> Value:
        """Give the declaration on the class and the members on a world."""
        return Members(world.frame, self) if isinstance(world, Populated) else self
