"""In which worlds a solver's term is known of which some parts were read where a table may have no member.

For terms of a scope model/language/definedness.py says so, by the same logic: what is false whatever stands
there is false. What is stated here is made to be proved: for all that a quantifier binds stands one unknown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import z3

from nomadspec.checkers.smt.symbols import Role, new_number
from nomadspec.model.language.logic import Value, all_of, any_of, not_

if TYPE_CHECKING:
    from collections.abc import Callable


class OpenAnswers:
    """Finds of terms with marks what has to hold so that they are known."""

    def __init__(self, read_mark: Callable[[Value], Value], context: Value) -> None:
        """Take who says of a mark where it stands for something; of what is no mark, None."""
        self._read_mark = read_mark
        self._context = context
        self._known: dict[int, tuple[Value, Value]] = {}
        """What was found, each with its term, so that its number is not given to another."""
        self._bound = 0

    def is_known(self, value: Value) -> Value:
        """True where a value is known, and everywhere if it has no marks."""
        if not z3.is_expr(value):
            return True
        found = self._known.get(value.get_id())
        if found is None:
            found = self._known[value.get_id()] = (self._read(value), value)
        return found[0]

    def _read(self, value: Value) -> Value:
        if z3.is_quantifier(value):
            return self.is_known(z3.substitute_vars(value.body(), *self._list_unknowns(value.num_vars())))
        there = self._read_mark(value)
        known = [self.is_known(part) for part in value.children()]
        if there is not None:
            return all_of(there, *known)
        return True if all(one is True for one in known) else _combine(value, known)

    def _list_unknowns(self, count: int) -> list[Value]:
        first, self._bound = self._bound, self._bound + count
        return [new_number(Role.BOUND, first + place, context=self._context) for place in range(count)]


def _combine(value: Value, known: list[Value]) -> Value:
    """State where a term is known whose parts are known where that is stated."""
    parts, are_known = value.children(), all_of(*known)
    if z3.is_app_of(value, z3.Z3_OP_ITE):
        condition, then, otherwise = parts[0], known[1], known[2]
        return all_of(known[0], any_of(not_(condition), then), any_of(condition, otherwise))
    if z3.is_implies(value):
        deciding = [not_(parts[0]), parts[1]]
    elif z3.is_and(value):
        deciding = [not_(part) for part in parts]
    else:
        deciding = parts if z3.is_or(value) else []
    return any_of(are_known, *[all_of(*pair) for pair in zip(known, deciding, strict=False)])
