"""Terms with what is known put in: parts that can have one value only are constants."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nomadspec.model.language.term import Argument, Term
from nomadspec.model.language.term_substitution import build_anew

if TYPE_CHECKING:
    from nomadspec.checkers.explore.partial_order.ranges import Ranges
    from nomadspec.model.language.logic import Value


class Simplifier:
    """Builds terms anew for worlds in which cells have certain values only."""

    def __init__(self, ranges: Ranges) -> None:
        """Keep which values are possible; what was built is remembered."""
        self._ranges = ranges
        self._known: dict[int, Value] = {}

    def simplify(self, value: Argument) -> Value:
        """Give a value that is the same in those worlds, each part built once, however deep."""
        if not isinstance(value, Term):
            return value
        waiting = [value]
        while waiting:
            term = waiting[-1]
            parts = [] if self._is_constant(term) else self._list_missing(term)
            waiting += parts
            if not parts:
                waiting.pop()
                self._known[term.id] = self._build(term)
        return self._known[value.id]

    def _is_constant(self, term: Term) -> bool:
        values = self._ranges.find(term)
        return values is not None and len(values) == 1

    def _list_missing(self, term: Term) -> list[Term]:
        return [part for part in term.args if isinstance(part, Term) and part.id not in self._known]

    def _build(self, term: Term) -> Value:
        values = self._ranges.find(term)
        if values is not None and len(values) == 1:
            (known,) = values
            return bool(known) if term.is_flag else known
        if term.op == "cell":
            return term
        return build_anew(
            term.op, [self._known[part.id] if isinstance(part, Term) else part for part in term.args]
        )
