"""Memory of what was found out of immutable values: the very same ones need not be looked at again."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, update_wrapper
from operator import is_
from typing import Generic, ParamSpec, TypeVar
from weakref import ref

Given = ParamSpec("Given")
Found = TypeVar("Found")
Entry = TypeVar("Entry")


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


class RememberingEach(Generic[Entry, Found]):
    """A pure function of one record that knows what it found of each that somebody still has."""

    def __init__(self, function: Callable[[Entry], Found]) -> None:
        """Begin with nothing known."""
        self._function = function
        self._known: dict[int, tuple[ref[Entry], Found]] = {}
        """By the address of a record, which nothing here keeps alive: what is known of it goes with it."""
        update_wrapper(self, function)

    def __call__(self, record: Entry) -> Found:
        """Give what is known of the very same record, or find it."""
        address = id(record)
        held = self._known.get(address)
        if held is not None and held[0]() is record:
            return held[1]
        found = self._function(record)
        self._known[address] = ref(record, partial(self._forget, address)), found
        return found

    def __len__(self) -> int:
        """Count the records of which something is known."""
        return len(self._known)

    def _forget(self, address: int, gone: ref[Entry]) -> None:
        """Forget a record that nobody has any more, unless another one is known under its address already."""
        held = self._known.get(address)
        if held is not None and held[0] is gone:
            del self._known[address]


def remember_each(function: Callable[[Entry], Found]) -> RememberingEach[Entry, Found]:
    """Let a pure function of an immutable record remember what it found of each."""
    return RememberingEach(function)
