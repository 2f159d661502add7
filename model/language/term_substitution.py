"""Terms with other values in the place of cells: what tracing would have made of the same text.

A part is built anew by what built it before, so that it folds again wherever more is known now.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from nomadspec.model.errors import ImpossibleError
from nomadspec.model.language.logic import all_of, any_of, ite, not_
from nomadspec.model.language.subterms import find_position, list_parts
from nomadspec.model.language.term import Term, add, at_most, equal, negative, times

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from nomadspec.model.language.logic import Value
    from nomadspec.model.language.term import Argument

_BUILDERS: Final[Mapping[str, Callable[..., Value]]] = {
    "member": lambda number, _set: number,
    "eq": equal,
    "le": at_most,
    "add": add,
    "mul": lambda value, factor: times(value, factor) if isinstance(value, Term) else value * factor,
    "neg": negative,
    "number": lambda value: add(value, 0),
    "not": not_,
    "and": all_of,
    "or": any_of,
    "ite": ite,
    "stray": lambda _number, lowest: lowest,
}


def build_anew(op: str, parts: Iterable[Value]) -> Value:
    """Build what an operator makes of some parts, folded as far as they allow."""
    builder = _BUILDERS.get(op)
    if builder is None:
        raise ImpossibleError(f"There is no way to build {op} anew.")
    return builder(*parts)


class Others:
    """Values for some cells, other than the usual ones."""

    __slots__ = ("cells", "values")

    def __init__(self, values: Mapping[int, Value]) -> None:
        """Keep which cells they are as a set: it is asked again and again."""
        self.values = values
        self.cells = frozenset(values)


class Recast:
    """Reads terms over some cells with a value for each of them, and again with other values for a few."""

    def __init__(self, values: Sequence[Value]) -> None:
        """Keep the usual values; what they make of each part is remembered."""
        self._values = values
        self._usual: dict[int, Value] = {}

    def read(self, value: Argument) -> Value:
        """Give what a term is with the usual values, each part built once, however deep."""
        if not isinstance(value, Term):
            return value
        known = self._usual
        if value.id in known:
            return known[value.id]
        for term in list_parts(value, known):
            known[term.id] = self._values[find_position(term)] if term.op == "cell" else _build(term, known)
        return known[value.id]

    def read_where(self, value: Argument, others: Others) -> Value:
        """Give what a term is where some cells have other values; only what reads those is built anew."""
        if not isinstance(value, Term) or value.reads.isdisjoint(others.cells):
            return self.read(value)
        built: dict[int, Value] = {}
        for term in _list_concerned(value, others.cells):
            built[term.id] = (
                others.values[find_position(term)] if term.op == "cell" else self._mix(term, built)
            )
        return built[value.id]

    def _mix(self, term: Term, built: Mapping[int, Value]) -> Value:
        """Build a term from parts of which some were built anew."""
        return build_anew(
            term.op,
            [
                built[part.id] if isinstance(part, Term) and part.id in built else self.read(part)
                for part in term.args
            ],
        )


def _list_concerned(root: Term, cells: frozenset[int]) -> Sequence[Term]:
    """List a term and its parts that read one of some cells, parts first."""
    found: dict[int, Term] = {}
    waiting = [root]
    while waiting:
        term = waiting.pop()
        if term.id not in found and not term.reads.isdisjoint(cells):
            found[term.id] = term
            waiting += [part for part in term.args if isinstance(part, Term)]
    return [found[number] for number in sorted(found)]


def _build(term: Term, known: Mapping[int, Value]) -> Value:
    return build_anew(term.op, [known[part.id] if isinstance(part, Term) else part for part in term.args])
