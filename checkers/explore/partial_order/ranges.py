"""Which values a term can have, where for each cell the values are known that it can have."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Final, TypeAlias

from nomadspec.model.language.subterms import list_parts
from nomadspec.model.language.term import Argument, Term

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Values: TypeAlias = "frozenset[int] | None"
"""All values that are possible, flags as 0 and 1; None where they are too many to be followed."""

MOST_VALUES: Final = 64
_MOST_PAIRS: Final = 1_024

FALSE: Final = frozenset((0,))
TRUE: Final = frozenset((1,))
EITHER: Final = frozenset((0, 1))

_PAIRWISE: Final[dict[str, Callable[[int, int], int]]] = {
    "eq": lambda left, right: left == right,
    "le": lambda left, right: left <= right,
    "add": lambda left, right: left + right,
    "mul": lambda left, right: left * right,
}
_SINGLY: Final[dict[str, Callable[[int], int]]] = {
    "neg": lambda value: -value,
    "number": int,
    "not": lambda value: not value,
}


class Ranges:
    """The values of terms, where those of the cells are given."""

    def __init__(self, cells: Sequence[Values]) -> None:
        """Keep the values of the cells; what was found of terms is remembered."""
        self.cells = cells
        self._known: dict[int, Values] = {}

    def find(self, value: Argument) -> Values:
        """Find the values of a term, or give a constant as it is; each part once, however deep."""
        if not isinstance(value, Term):
            return frozenset((int(value),))
        for term in list_parts(value, self._known):
            self._known[term.id] = _narrow(self._compute(term), term)
        return self._known[value.id]

    def _look_up(self, value: Argument) -> Values:
        return self._known[value.id] if isinstance(value, Term) else frozenset((int(value),))

    def _compute(self, term: Term) -> Values:
        if term.op == "cell":
            return self.cells[next(iter(term.reads))]
        parts = [self._look_up(part) for part in term.args]
        if term.op in {"and", "or"}:
            return _join(parts, deciding=int(term.op == "or"))
        if term.op == "ite":
            condition, *branches = parts
            chosen = [branches[not one] for one in condition or EITHER]
            return _unite(chosen)
        if term.op in _SINGLY:
            (values,) = parts
            return None if values is None else frozenset(int(_SINGLY[term.op](one)) for one in values)
        left, right = parts
        if left is None or right is None or len(left) * len(right) > _MOST_PAIRS:
            return EITHER if term.is_flag else None
        return frozenset(int(_PAIRWISE[term.op](*pair)) for pair in product(left, right))


def _join(parts: Sequence[Values], *, deciding: int) -> Values:
    """Find what flags together can be: one that decides is enough."""
    sure = frozenset((deciding,))
    if sure in parts:
        return sure
    found = _unite(parts)
    return EITHER if found is None else found


def _unite(parts: Sequence[Values]) -> Values:
    found: frozenset[int] = frozenset()
    for part in parts:
        if part is None:
            return None
        found |= part
    return found if len(found) <= MOST_VALUES else None


def _narrow(values: Values, term: Term) -> Values:
    """Follow what has few values by its interval; give up on what has many."""
    if values is None:
        is_narrow = term.high - term.low < MOST_VALUES
        return frozenset(range(int(term.low), int(term.high) + 1)) if is_narrow else None
    return values if len(values) <= MOST_VALUES else None
