"""What a claim about resources is about: amounts, choices and sets that somebody gives it.

A claim takes its values from a ``Draw``. One draw gives plain values, so that the claim can be tried and a
counterexample be shown; another (the solver's) gives unknown ones, so that the claim is proved for all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Protocol, TypeVar

import msgspec

Option = TypeVar("Option")

WINDOW: Final = range(8)
"""Examples of sets hold numbers of this range; proofs are about any."""


class Draw(Protocol):
    """Who gives a claim its values, by name; a name is asked for once."""

    def number(self, name: str, least: int | None = None, most: int | None = None) -> int:
        """Give a number, between bounds if there are some."""
        ...

    def flag(self, name: str) -> bool:
        """Give a flag."""
        ...

    def text(self, name: str) -> str:
        """Give a text that is compared and nothing else."""
        ...

    def numbers(self, name: str) -> frozenset[int]:
        """Give a set of numbers, of any size."""
        ...

    def growing(self, name: str) -> set[int]:
        """Give a set of numbers, of any size, that can be added to."""
        ...

    def pick(self, name: str, options: Sequence[Option]) -> Option:
        """Give one of a few options."""
        ...

    def show(self, name: str, shown: object) -> None:
        """Take what a reader of a counterexample should see."""
        ...


class GivenValues(msgspec.Struct, frozen=True):
    """A draw of plain values, in which what is not given is 0, false, the first option or an empty set."""

    given: Mapping[str, int | bool | frozenset[int]] = {}
    """For each name a number (of a text: which; of options: the place), a flag, or a set."""
    shown: dict[str, object] = msgspec.field(default_factory=dict)

    def number(self, name: str, least: int | None = None, most: int | None = None) -> int:
        """Give a number; where none is given, the one within the bounds that is nearest to 0."""
        lowest = max(0, least) if least is not None else 0
        value = self.given.get(name, lowest if most is None else min(lowest, most))
        return value if isinstance(value, int) else 0

    def flag(self, name: str) -> bool:
        """Give a flag."""
        return bool(self.given.get(name, False))

    def text(self, name: str) -> str:
        """Give a text."""
        return f"text {self.given.get(name, 0)}"

    def numbers(self, name: str) -> frozenset[int]:
        """Give a set of numbers."""
        value = self.given.get(name, frozenset[int]())
        return value if isinstance(value, frozenset) else frozenset()

    def growing(self, name: str) -> set[int]:
        """Give a set of numbers that can be added to."""
        return set(self.numbers(name))

    def pick(self, name: str, options: Sequence[Option]) -> Option:
        """Give one of a few options."""
        place = self.given.get(name, 0)
        return options[place if isinstance(place, int) else 0]

    def show(self, name: str, shown: object) -> None:
        """Keep what a reader should see."""
        self.shown[name] = shown
