"""Orders: whether a text says the same in whatever order it goes through interchangeable ids.

Whoever takes the first of some ids, or counts along, tells one from the others without naming it. So a text
is run twice, with the ids of each such set in two orders. Most of what comes out is the same text up to the
order of its parts; the rest is compared in worlds that are made up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from nomadspec.model.errors import NamingError
from nomadspec.model.language.term import Term
from nomadspec.model.language.term_substitution import Recast

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from nomadspec.model.language.domain import Interval
    from nomadspec.model.language.logic import Value
    from nomadspec.model.language.term import Argument

_WORLDS: Final = 64
_FACTOR: Final = 6364136223846793005
_MASK: Final = (1 << 64) - 1
_WITHOUT_ORDER: Final = frozenset({"and", "or", "add", "eq"})


class OrderCheck:
    """Compares what two runs of a text made, over the same cells."""

    def __init__(self, intervals: Sequence[Interval]) -> None:
        """Make up worlds in which values are compared; none is made before it is needed."""
        self._intervals = intervals
        self._recasts: list[Recast] = []
        self._shapes: dict[tuple[object, ...], int] = {}
        self._known: dict[int, int] = {}

    def expect_same(self, one: Sequence[Value], other: Sequence[Value]) -> None:
        """Raise a NamingError where two runs did not make the same, value by value."""
        apart = [(a, b) for a, b in zip(one, other, strict=True) if a is not b and not self._is_alike(a, b)]
        if not apart:
            return
        for recast in self._list_recasts():
            for a, b in apart:
                if recast.read(a) != recast.read(b):
                    raise NamingError(
                        "it says something else where it goes through interchangeable ids in another order, "
                        "so that it tells one from the others by its place; let a rule choose one by an "
                        "argument, ask all of them alike, or declare the set with index(...)."
                    )

    def _is_alike(self, one: Value, other: Value) -> bool:
        """True if two values are the same text up to the order of parts that have none."""
        return self._find_shape(one) == self._find_shape(other)

    def _find_shape(self, value: Argument) -> object:
        """Number what a value looks like, whatever the order of its parts."""
        if not isinstance(value, Term):
            return type(value), value
        waiting = [value]
        while waiting:
            term = waiting[-1]
            open_parts = [part for part in term.args if isinstance(part, Term) and part.id not in self._known]
            waiting += open_parts
            if not open_parts:
                waiting.pop()
                self._known[term.id] = self._number_shape(term)
        return self._known[value.id]

    def _number_shape(self, term: Term) -> int:
        parts = _list_summands(term) if term.op == "add" else list(term.args)
        shapes = [self._known[part.id] if isinstance(part, Term) else (type(part), part) for part in parts]
        ordered = sorted(shapes, key=repr) if term.op in _WITHOUT_ORDER else shapes
        return self._shapes.setdefault((term.op, *ordered), len(self._shapes))

    def _list_recasts(self) -> list[Recast]:
        if not self._recasts:
            numbers = _scatter_numbers()
            self._recasts = [
                Recast([interval.pick(next(numbers)) for interval in self._intervals]) for _ in range(_WORLDS)
            ]
        return self._recasts


def _scatter_numbers() -> Iterator[int]:
    """Give numbers that look like chance, and are the same each time: high bits of a product."""
    state = 1
    while True:
        state = (state * _FACTOR + 1) & _MASK
        yield state >> 33


def _list_summands(term: Term) -> list[Argument]:
    """List what a sum adds up, those of its parts included that are sums."""
    found: list[Argument] = []
    waiting: list[Argument] = [term]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Term) and part.op == "add":
            waiting += part.args
        else:
            found.append(part)
    return found
