"""Witnesses: which ids made a property false, found by watching its quantifiers.

While a property is evaluated on plain values, the sets that its generators go through note which member is
bound. When a ``for_all`` meets a flag that is false, or an ``exists`` one that is true, what was bound at
that moment is the witness. So no property has to say what it would blame.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from nomadspec.model.language.logic import Value, add_up

if TYPE_CHECKING:
    from nomadspec.model.language.sets import Ids

_MOST_WITNESSES = 20


class Watcher:
    """A binder that evaluates on plain values and remembers what decided the outermost quantifiers."""

    def __init__(self) -> None:
        """Start with nothing bound."""
        self._bound: list[str] = []
        self._depth = 0
        self._blamed: dict[tuple[str, ...], None] = {}
        self._met: dict[tuple[str, ...], None] = {}

    def iterate(self, ids: Ids, length: int) -> Iterator[int]:
        """Go through a set and note which member is bound."""
        for member in range(length):
            self._bound.append(ids.name_of(member))
            yield member
            self._bound.pop()

    def for_all(self, flags: Iterable[Value]) -> bool:
        """Evaluate every flag; those that are false are to blame."""
        return not self._consume(flags, decisive=False, into=self._blamed)

    def exists(self, flags: Iterable[Value]) -> bool:
        """Evaluate every flag; those that are true are what was met."""
        return self._consume(flags, decisive=True, into=self._met)

    def total(self, numbers: Iterable[Value]) -> Value:
        """Add up; a sum has no witness."""
        self._depth += 1
        result = add_up(numbers)
        self._depth -= 1
        return result

    def name(self, text: Callable[..., Value], ids: tuple[Value, ...]) -> Value:
        """Give what a function says as it is: what is plain needs no name."""
        return text(*ids)

    def witnesses(self, *, holds: bool) -> tuple[tuple[str, ...], ...]:
        """List the bindings that explain a property which holds, or does not."""
        first, second = (self._met, self._blamed) if holds else (self._blamed, self._met)
        return tuple(first or second)[:_MOST_WITNESSES]

    def _consume(self, flags: Iterable[Value], *, decisive: bool, into: dict[tuple[str, ...], None]) -> bool:
        mark = len(self._bound)
        found = False
        self._depth += 1
        for flag in flags:
            if flag is decisive:
                found = True
                if self._depth == 1 and self._bound[mark:]:
                    into[tuple(self._bound[mark:])] = None
        self._depth -= 1
        return found
