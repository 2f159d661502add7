"""A random model as plain data: what both its Python text and its brute-force search are made from.

An expression is a tuple whose first item says what it is:

    numbers   (num, 3)  (var, "x")  (size, "cap")  (cell, "stage", (index, ...), "s")  (plus, a, b)
              (minus, a, b)  (ite, flag, a, b)  (min, a, b)  (max, a, b)  (count, "x", "jobs", flag)
              (total, "x", "jobs", number)  (tally, "used", index)  (pick, "to", index) of a map
    flags     a cell of a flag, (true,)  (eq ne lt le, a, b)  (and or, (a, ...))  (not, a)  (implies, a, b)
              (iff, a, b)  (all some, "x", "jobs", flag)  (in heads, "plans", index)  (empty, "plans")
              (by, ("take", ...)) of a step

Nothing here knows the package.
"""

from dataclasses import dataclass, field, replace
from typing import Any

Expr = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Set:
    """A declared set: interchangeable ids, the places of an index, or the members of an enum."""

    name: str
    label: str
    length: int
    is_index: bool = False
    is_enum: bool = False
    """Whether only arguments go through it, which have its members as values."""


@dataclass(frozen=True, slots=True)
class Domain:
    """What a cell can hold: ``flag``, ``upto``, ``counter``, ``enum``, ``opt`` or ``id``."""

    kind: str
    high: int = 1
    members: str = ""

    @property
    def low(self) -> int:
        """The least value, which is also what a read outside of a table gives."""
        return -1 if self.kind == "opt" else 0


@dataclass(frozen=True, slots=True)
class Part:
    """A variable, or a table of them over sets."""

    name: str
    index: tuple[str, ...]
    domain: Domain
    init: int


@dataclass(frozen=True, slots=True)
class Effect:
    """What a rule writes: a cell (``set``), a whole table (``fill``), each cell of a row, or a queue."""

    kind: str
    """``set``, ``fill``, ``each``, ``push``, ``pop`` or ``remove``."""
    target: str
    index: tuple[Expr, ...] = ()
    value: Expr = ()
    condition: Expr | None = None
    loop: tuple[str, str] | None = None
    """The variable and the set of an ``each``."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule: its arguments with their sets, its guard, what it writes, and how fair it is."""

    name: str
    arguments: tuple[tuple[str, str], ...]
    """Names and sets; where a set is written ``map jobs`` each member of jobs has a number, 0 or 1."""
    guard: tuple[Expr, ...]
    effects: tuple[Effect, ...]
    fairness: str | None = None
    """``weak``, ``strong`` or None."""
    each: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """What the package calls it."""
        return "".join(word.capitalize() for word in self.name.split("_"))


@dataclass(frozen=True, slots=True)
class Property:
    """A property of one of the four kinds."""

    name: str
    kind: str
    flag: Expr
    arguments: tuple[tuple[str, str], ...] = ()
    given: Expr | None = None


@dataclass(frozen=True, slots=True)
class Described:
    """A whole model."""

    seed: int
    sets: tuple[Set, ...]
    parts: tuple[Part, ...]
    queues: tuple[tuple[str, str], ...] = ()
    """Queues: a name and the set whose ids queue up."""
    tallies: tuple[tuple[str, str], ...] = ()
    """Tallies: a name and the part that is counted."""
    rules: tuple[Rule, ...] = ()
    properties: tuple[Property, ...] = ()
    rest: Expr | None = None
    sizes: dict[str, int] = field(default_factory=dict)
    """Numbers that a scope chooses, which bound counters."""
    starts: tuple[Rule, ...] = ()
    """What makes the first worlds of the declared first values; without any these are the first world."""

    def find_set(self, name: str) -> Set:
        """Find a set by its name."""
        return next(one for one in self.sets if one.name == name)

    def find_part(self, name: str) -> Part:
        """Find a part by its name."""
        return next(one for one in self.parts if one.name == name)

    def with_sizes(self, lengths: dict[str, int]) -> "Described":
        """Give the same model with sets of other lengths; numbers that bound counters are sizes as well."""
        sets = tuple(replace(one, length=lengths.get(one.name, one.length)) for one in self.sets)
        return replace(self, sets=sets, sizes={name: lengths.get(name, n) for name, n in self.sizes.items()})
