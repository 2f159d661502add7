"""Flags with names: a long text that a rule asks again and again is one unknown to the solver.

What such a flag says is a premise of its own. Much that a rule does follows whatever the flag says, and is
found at once where the solver is not told; what does not, it finds once it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import z3

from nomadspec.checkers.smt.symbols import Role, new_value_for

if TYPE_CHECKING:
    from nomadspec.model.language.logic import Value


class NameTable:
    """The flags that were named, by their texts, and what each says."""

    def __init__(self, context: Value) -> None:
        """Start with none."""
        self._context = context
        self._named: dict[int, tuple[Value, Value, Value]] = {}

    def name(self, flag: Value, places: Sequence[Value]) -> tuple[Value, Value]:
        """Give the name of a flag, as it is for members in some places, and what it says for any."""
        if flag.get_id() not in self._named:
            number = len(self._named)
            named = new_value_for(Role.NAMED, number, around=places, is_flag=True, context=self._context)
            says = named == flag
            definition = z3.ForAll(list(places), says, patterns=[named]) if places else says
            # the text is kept, so that its number is not given to another
            self._named[flag.get_id()] = named, definition, flag
        named, definition, _ = self._named[flag.get_id()]
        return named, definition
