"""What rules and properties see of a world that is no value: nothing compares it or calculates with it."""

from __future__ import annotations

from typing import Never

from nomadspec.model.errors import StyleError, UncalledError
from nomadspec.model.language.value_wording import say


class Part:
    """What stands for many values (a world, table, set or queue): it is never compared as if it were one."""

    __slots__ = ()

    def _misuse(self, how: str) -> StyleError:
        """Make the error of a text that takes it for a value."""
        return StyleError(
            f"{say(self).capitalize()} is {how} as if it were one value: "
            "ask for its cells one by one, for_all(s.a[i] == s.b[i] for i in s.set)."
        )

    def __eq__(self, other: object) -> Never:
        """Refuse: Python would compare objects, not what they hold."""
        raise self._misuse("compared")

    def __hash__(self) -> Never:
        """Refuse: as for comparing."""
        raise self._misuse("looked up")

    def __bool__(self) -> Never:
        """Refuse: Python would find every object true."""
        raise self._misuse("branched on")

    def __int__(self) -> Never:
        """Refuse: there is no one number."""
        raise self._misuse("made a number")

    def __index__(self) -> Never:
        """Refuse: range() of a set is the set itself."""
        raise StyleError(
            f"{say(self).capitalize()} is used as if it were a number: go through a set itself, for i in "
            "s.set, or write range(s.size) with a declared size."
        )

    def __reversed__(self) -> Never:
        """Refuse: the order of ids shows only in a table of places."""
        raise StyleError(
            f"{say(self).capitalize()} is gone through from its end: go through it as it is, for i in s.set."
        )

    def __lt__(self, other: object) -> Never:
        """Refuse: a set has no order, and a table one for each of its cells."""
        raise self._misuse("ordered")

    __le__ = __gt__ = __ge__ = __lt__

    def __add__(self, other: object) -> Never:
        """Refuse: nobody calculates with many values at once."""
        raise self._misuse("calculated with")

    __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __add__

    def __neg__(self) -> Never:
        """Refuse: as for adding."""
        raise self._misuse("calculated with")


class Asked(Part):
    """What stands for a guard that has been asked: nothing follows from it."""

    __slots__ = ()

    def _misuse(self, how: str) -> StyleError:
        """Make the error of a text that goes on by it."""
        return UncalledError(
            f"what t.require(...) gives is {how}, which is no value: write t.require(a, b), "
            "t.require(any_of(a, b)), or t.when(a) for what happens only where a holds."
        )
