"""Memory of what was found out of immutable values: the very same ones need not be looked at again."""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from operator import is_
from typing import Generic, ParamSpec, TypeVar

Given = ParamSpec("Given")
Found = TypeVar("Found")


class NoValue:
    """What goes with a value and is no part of it: all of a kind compare as equal, and have one hash."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        """Compare as equal: what such a thing knows follows from the value that it goes with."""
        return isinstance(other, type(self))

    def __hash__(self) -> int:
        """Agree with the comparison."""
        return hash(type(self))


class Remembering(Generic[Given, Found]):
    """A pure function that knows what it found last, and of which very arguments."""

    def __init__(self, function: Callable[Given, Found]) -> None:
        """Begin with nothing known."""
        self._function = function
        self._last: tuple[tuple[object, ...], Found] | None = None
        update_wrapper(self, function)

    def __call__(self, *args: Given.args, **kwargs: Given.kwargs) -> Found:
        """Give what is known of the very same arguments, or find it."""
        last = self._last
        if last is not None and not kwargs and len(last[0]) == len(args) and all(map(is_, last[0], args)):
            return last[1]
        found = self._function(*args, **kwargs)
        if not kwargs:
            self._last = args, found
        return found


def remember_last(function: Callable[Given, Found]) -> Remembering[Given, Found]:
    """Let a pure function of immutable values remember what it found last."""
    return Remembering(function)
