"""Traced terms as the solver's terms: one for each node, made once for each state."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import z3

from nomadspec.checkers.smt.algebra import as_term
from nomadspec.checkers.smt.symbols import Role, new_unknown
from nomadspec.model.language.logic import all_of
from nomadspec.model.language.term import Term

if TYPE_CHECKING:
    from nomadspec.model.language.bounded import BoundedModel
    from nomadspec.model.language.logic import Value

_OPERATORS: Final[Mapping[str, Callable[..., Value]]] = MappingProxyType(
    {
        "eq": lambda left, right: left == right,
        "le": lambda left, right: left <= right,
        "add": lambda left, right: left + right,
        "mul": lambda value, factor: value * factor,
        "neg": lambda value: -value,
        "number": lambda flag: z3.If(flag, 1, 0),
        "not": z3.Not,
        "and": z3.And,
        "or": z3.Or,
        "ite": z3.If,
    }
)


class SolverState:
    """One world as unknowns: a constant for each cell, and the traced terms read on them."""

    def __init__(self, bounded: BoundedModel, tag: str, context: Value = None) -> None:
        """Make the unknowns; the tag keeps the states of one question apart."""
        self.context = context
        self._intervals = bounded.frame.intervals
        self.cells = tuple(
            new_unknown(Role.CELL, name, position, tag, is_flag=interval.is_flag, context=context)
            for position, (name, interval) in enumerate(
                zip(bounded.frame.cell_names, self._intervals, strict=True)
            )
        )
        self._known: dict[int, Value] = {}

    def translate(self, value: Value) -> Value:
        """Give the solver's term for a traced term or a constant, read in this state."""
        if not isinstance(value, Term):
            return as_term(value, self.context)
        if value.id not in self._known:
            self._known[value.id] = self._build(value)
        return self._known[value.id]

    def list_domains(self) -> list[Value]:
        """List that each cell holds a value of its domain."""
        return [self.is_inside(position, cell) for position, cell in enumerate(self.cells)]

    def is_inside(self, position: int, value: Value) -> Value:
        """True while a value is one that the cell may hold."""
        interval = self._intervals[position]
        if interval.is_flag:
            return as_term(value=True, context=self.context)
        return z3.And(value >= interval.low, value <= interval.high)

    def equals(self, cells: Sequence[Value]) -> Value:
        """True while the world is this one."""
        pairs = zip(self.cells, cells, strict=True)
        return as_term(all_of(*[mine == as_term(given, self.context) for mine, given in pairs]), self.context)

    def _build(self, term: Term) -> Value:
        if term.op == "cell":
            return self.cells[next(iter(term.reads))]
        return _OPERATORS[term.op](*[self.translate(part) for part in term.args])
