"""A world over sets of any size: a function for each field and total, which a rule changes write by write.

A function takes the ids of a cell and gives its value, plain or symbolic. Writing wraps the function that
was there: the new value where the ids are those that were written, the old one elsewhere. What no such
function can say makes the whole field unknown, which is coarser and so never proves too much.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import TYPE_CHECKING, TypeAlias

import z3

from nomadspec.checkers.smt.algebra import equals
from nomadspec.checkers.smt.symbols import Role, new_function, new_unknown
from nomadspec.model.language.logic import Value, ite
from nomadspec.model.language.world import Total

if TYPE_CHECKING:
    from nomadspec.model.language.domain import Domain
    from nomadspec.model.language.world import Field, Schema

Function: TypeAlias = "Callable[..., Value]"
"""From the ids of a cell to its value."""


@dataclass(slots=True)
class State:
    """What a world over sets of any size is stored in."""

    fields: dict[str, Function]
    totals: dict[str, Function]
    lost: set[str] = field(default_factory=set)
    """The fields and totals of which the step says nothing any more."""
    facts: list[Value] = field(default_factory=list)
    """What is known of the unknowns that the step brought in."""
    obligations: dict[str, list[Value]] = field(default_factory=dict)
    """For each queue, what must be so for its operations to mean what they say."""
    places: dict[tuple[int, str], tuple[int | None, Value]] = field(default_factory=dict)
    """Where in the index of a field the member of a plain loop stands, else the one value that is written."""

    def copy(self) -> State:
        """Give a state to write to."""
        return State(dict(self.fields), dict(self.totals))

    def watched(self) -> tuple[State, set[str]]:
        """Give the same world, and the names of what will have been read of it."""
        read: set[str] = set()
        return State(_Watched(self.fields, read), _Watched(self.totals, read)), read

    def list_changes(self, before: State) -> frozenset[str]:
        """Name the fields and totals that a step wrote to."""
        pairs = ((self.fields, before.fields), (self.totals, before.totals))
        return frozenset(name for new, old in pairs for name in new if new[name] is not old[name])

    def lose(self, declared: Field | Total, number: int, context: Value = None) -> None:
        """Say nothing more of a field or total; the number tells the unknowns of one step apart."""
        name, role = declared.name, Role.LOST
        if isinstance(declared, Total):
            self.totals[name] = _unknown_total(role, name, number, context=context)
        else:
            arity = len(declared.index)
            self.fields[name] = unknown_function(arity, declared.domain, role, name, number, context=context)
        self.lost.add(declared.name)


class _Watched(dict[str, Function]):
    """Functions that note which of them is asked for."""

    def __init__(self, functions: Mapping[str, Function], read: set[str]) -> None:
        super().__init__(functions)
        self._read = read

    def __getitem__(self, name: str) -> Function:
        self._read.add(name)
        return super().__getitem__(name)


def unknown_function(
    arity: int, domain: Domain, role: Role, *parts: object, context: Value = None
) -> Function:
    """Make a function of ids of which nothing is known."""
    if not arity:
        constant = new_unknown(role, *parts, is_flag=domain.is_flag, context=context)
        return lambda: constant
    function: Function = new_function(role, *parts, arity=arity, is_flag=domain.is_flag, context=context)
    return function


def unknown_state(schema: Schema, context: Value = None, which: Sequence[str] = ()) -> State:
    """Make a world of which nothing is known but that totals are counts; a word may say which one it is."""
    return State(
        {
            one.name: unknown_function(
                len(one.index), one.domain, Role.FIELD, one.name, *which, context=context
            )
            for one in schema.fields
        },
        {one.name: _unknown_total(Role.TOTAL, one.name, *which, context=context) for one in schema.totals},
    )


def first_state(schema: Schema, lengths: Mapping[str, Value]) -> State:
    """Make the world of the declared first values, in which a total is all cells of its field or none."""
    return State(
        {one.name: _constant(one.init) for one in schema.fields},
        {one.name: _first_total(one, lengths) for one in schema.totals},
    )


def _constant(value: int) -> Function:
    return lambda *_at: value


def _first_total(declared: Total, lengths: Mapping[str, Value]) -> Function:
    cells = prod(lengths[ids.name] for ids in declared.of.index)
    return lambda member: ite(equals(member, declared.of.init), cells, 0)


def _unknown_total(role: Role, *parts: object, context: Value) -> Function:
    function = new_function(role, *parts, arity=1, context=context)

    def held(member: Value) -> Value:
        value = function(member)
        return z3.If(value >= 0, value, 0)

    return held
