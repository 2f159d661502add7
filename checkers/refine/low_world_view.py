"""The low world as a mapping reads it where ids know their sets, and cells what they hold.

A mapping may name an id and calculate with it, since nothing exchanges ids while refinement is checked. But
it may not take an id of one set for that of another, nor a status of one enum for that of another.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from nomadspec.model.language.names import Name, NameFrame
from nomadspec.model.language.term import Term

if TYPE_CHECKING:
    from nomadspec.model.language.logic import Value
    from nomadspec.model.language.sets import Ids


class SeenFrame(NameFrame):
    """A finite frame that refuses keys which are ids of other sets, and comparisons with these."""

    @cached_property
    def _both(self) -> tuple[Value, ...]:
        """Make terms that may be compared with numbers, whatever they hold."""
        cells = super()._both
        for cell in cells:
            cell.is_name = False
        return cells

    def name(self, value: int, ids: Ids | None) -> Value:
        """Give an id that is a number, and knows its set."""
        if ids is None or value < 0:
            return super().name(value, None)
        named = Name(value)
        named.ids = ids
        return named

    def _refuse_numbers(self, what: str, ids: Ids, value: Value) -> None:
        """Let an id be named."""

    def _expect_alike(self, one: Term, other: object, is_equal: bool) -> None:  # noqa: FBT001 -- see Alike
        """Raise a NamingError where a value is compared with an id or status of another kind."""
        super()._expect_alike(one, other, is_equal)
        if isinstance(other, Name | Term) and any(ids.is_symmetric for ids in self.list_sets(one)):
            self._expect_one_set(one, other)
