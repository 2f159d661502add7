"""The sets and sizes of an open world, and the cells of functions over them.

A declared set has any number of members, a size is an unknown number; an index has the length that the scope
gives it. Reading at NONE gives the least value of the domain.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import z3

from nomadspec.checkers.smt.binder import OpenBinder
from nomadspec.checkers.smt.symbols import Role, new_number
from nomadspec.model.language.logic import Value, all_of, ite

if TYPE_CHECKING:
    from nomadspec.checkers.smt.state import Function
    from nomadspec.checkers.smt.update import Keys
    from nomadspec.model.language.bounded import BoundedModel
    from nomadspec.model.language.domain import Domain
    from nomadspec.model.language.sets import Ids, Size


class OpenSets:
    """How many members each set has, which keys are members, and what a function has at them."""

    def __init__(self, bounded: BoundedModel, context: Value = None) -> None:
        """Take the lengths of indexes from the bounded model, and of sizes what it has as a feature."""
        self.context = context
        self.schema = bounded.frame.schema
        self.binder = OpenBinder(context)
        self._open = {ids.name for ids in self.schema.sets if ids.is_symmetric or self._numbers(ids)}
        fixed = {ids.size.name for ids in self.schema.sets if not self.is_open(ids)}
        fixed |= {size.name for size in self.schema.sizes if not size.is_open}
        self.sizes: dict[str, Value] = {
            size.name: bounded.sizes[size.name]
            if size.name in fixed
            else new_number(Role.SIZE, size.name, context=context)
            for size in self.schema.sizes
        }
        self._members: dict[int, tuple[Value, Ids]] = {}
        self._unknowns = 0

    @property
    def lengths(self) -> dict[str, Value]:
        """How many members each set has."""
        return {ids.name: self.length(ids) for ids in self.schema.sets}

    def is_open(self, ids: Ids) -> bool:
        """True if a set has any number of members: one of ids, or of numbers that are given out."""
        return ids.name in self._open

    def length(self, ids: Ids) -> Value:
        """Give the number of members of a set."""
        return self.sizes[ids.size.name]

    def new_member(self, ids: Ids, *names: str) -> tuple[Value, Value]:
        """Make an argument that is an unknown member of a set, and say that it is one."""
        symbol = new_number(Role.ARGUMENT, *names, context=self.context)
        self._members[symbol.get_id()] = (symbol, ids)
        return symbol, z3.And(symbol >= 0, symbol < self.length(ids))

    def new_number(self, name: str) -> Value:
        """Make an unknown number that a step brings in."""
        return new_number(Role.NEW, name, self.number_unknown(), context=self.context)

    def number_unknown(self) -> int:
        """Give the next number to something that is not known."""
        self._unknowns += 1
        return self._unknowns

    def number_anew(self) -> None:
        """Number what steps bring in from the first on, for who reads a text again."""
        self._unknowns = 0

    def is_member(self, ids: Ids, key: Value) -> bool:
        """True if a key is an argument or loop variable of a set."""
        if not z3.is_expr(key):
            return False
        _, own = self._members.get(key.get_id(), (None, None))
        return own is ids or self.binder.is_member(ids, key)

    def iterate(self, ids: Ids) -> Iterator[Value]:
        """Go through the places of an index, or open one unknown member of a set."""
        if not self.is_open(ids):
            return iter(range(self.length(ids)))
        return self.binder.iterate(ids, self.length(ids))

    def size(self, declared: Size) -> Value:
        """Give a size as a number, known or not."""
        return self.sizes[declared.name]

    def look_up(
        self, index: tuple[Ids, ...], function: Function, keys: Keys, lowest: Value, rest: Keys = ()
    ) -> Value:
        """Read a cell, below some keys at a place; at what is no member, as NONE is, its least value."""
        there = self.is_there(index, keys)
        return lowest if there is False else ite(there, function(*keys, *rest), lowest)

    def admits(self, domain: Domain, value: Value) -> Value:
        """True while a value is in a domain; a counter has no upper end there, a signed one none."""
        if domain.is_flag or domain.is_signed:
            return True
        low = value >= domain.low
        if domain.is_open_ended:
            return low
        is_named = not domain.labels or domain.has_all_labels or value < len(domain.labels)
        return all_of(low, value <= domain.high.evaluate(self.sizes), is_named)

    def is_there(self, index: tuple[Ids, ...], keys: Keys) -> Value:
        """True while the keys are members of the sets that they index."""
        doubtful = [(ids, key) for ids, key in zip(index, keys, strict=False) if not self.is_member(ids, key)]
        return all_of(*[part for ids, key in doubtful for part in (key >= 0, key < self.length(ids))])

    def _numbers(self, ids: Ids) -> bool:
        """True if an index numbers what is made one by one: a budget counts how far it has come."""
        return any(one.is_budget and one.domain.high == ids.bound for one in self.schema.fields)
