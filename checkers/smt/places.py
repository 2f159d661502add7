"""Places: whether a key of a table is one of its members in scopes of every size.

An argument or loop variable of the set is one, and so is a cell that holds ids of it, or else it is nobody.
A number is one where its domain ends before the set does, or where the solver finds that what is given leaves
it no other choice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import z3

from nomadspec.checkers.smt.algebra import as_term, list_leaves, read_number
from nomadspec.checkers.smt.symbols import Role, name_symbol, new_flag
from nomadspec.model.language.domain import SKIP, Map, as_domain
from nomadspec.model.language.logic import Value, all_of, any_of, not_

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from nomadspec.checkers.smt.open_frame import OpenFrame
    from nomadspec.model.language.bounded import BoundedModel
    from nomadspec.model.language.domain import Domain
    from nomadspec.model.language.sets import Ids

AFTER: Final = ("after",)
"""Tells the cells of the world after a step from those before it."""

_PLACE_LIMIT: Final = 100_000
"""The steps that the solver may take over where a number goes: a guard says it plainly or not at all."""


class Places:
    """Knows what cells and arguments hold, and what every scope is."""

    def __init__(self, frame: OpenFrame, bounded: BoundedModel, background: Sequence[Value]) -> None:
        """Take the background, which is what every scope is, as it is in the context of the frame."""
        self._frame = frame
        self._background = [as_term(part, frame.context) for part in background]
        self._domains = dict(self._list_domains(bounded))
        self._asked: dict[tuple[str, int], tuple[bool, Value]] = {}
        """Whether a set has a key, by the number of the key, which is held so that this stays its own."""

    def has(self, ids: Ids, key: Value) -> bool:
        """True if a key is a member wherever it is asked for, or nobody."""
        if not z3.is_expr(key):
            return self.state_member(ids, key) is True
        about = ids.name, key.get_id()
        if about not in self._asked:
            self._asked[about] = self.state_member(ids, key) is True, key
        return self._asked[about][0]

    def state_member(self, ids: Ids, key: Value, *, plain: bool | None = None) -> Value:
        """True while a key is a member or nobody, as far as that is not known; of a choice, what it chooses.

        What is below all members means nobody where no number is chosen from. In an index no plain number
        does: in some scope it may be all that is left of the choice. It can be said of plain numbers alone,
        or of all others.
        """
        leaves = list(list_leaves(key))
        are_ids = all(read_number(leaf) is not None or self._holds_id(ids, leaf) for leaf in leaves)
        stated = [
            (leaf, plain not in {None, is_plain} or self._state_leaf(ids, leaf, may_be_nobody=are_ids))
            for leaf, is_plain in [(leaf, read_number(leaf) is not None) for leaf in leaves]
        ]
        if not z3.is_expr(key) or all(one is True for _, one in stated):
            return stated[0][1]
        return _state_choice(key, {leaf.get_id(): one for leaf, one in stated})

    def _state_leaf(self, ids: Ids, key: Value, *, may_be_nobody: bool) -> Value:
        length = self._frame.length(ids)
        stated = all_of(key >= 0, key < length)
        number = read_number(key)
        if number is not None:
            if number < 0:
                return ids.is_symmetric and may_be_nobody and number >= SKIP
            return number < length if isinstance(length, int) else self.must_be(stated) or stated
        if self._holds_id(ids, key):
            return may_be_nobody or self._frame.is_member(ids, key) or stated
        domain = self._find_domain(key)
        if domain is None or domain.members is not None or domain.is_flag or domain.is_open_ended:
            return stated
        high: Value = domain.high.evaluate(self._frame.sizes)
        is_one = isinstance(high, int) and isinstance(length, int) and high < length
        return is_one or stated

    def must_be(self, stated: Value, given: Sequence[Value] = ()) -> bool:
        """True if something follows from what is given, whatever quantifiers say."""
        if stated is True:
            return True
        context = self._frame.context
        told = [*self._background, *[as_term(flag, context) for flag in (*given, not_(stated))]]
        parts = list(_list_parts_outside(told))
        found = [(part, self._find_domain(part)) for part in parts]
        told += [as_term(self._is_within(domain, part), context) for part, domain in found if domain]
        quantified = [
            (part, new_flag(Role.QUANTIFIED, number, context=context))
            for number, part in enumerate(part for part in parts if z3.is_quantifier(part))
        ]
        solver = z3.Solver(ctx=context)
        solver.set("rlimit", _PLACE_LIMIT)
        solver.add(*[z3.substitute(flag, *quantified) for flag in told])
        return bool(solver.check() == z3.unsat)

    def _list_domains(self, bounded: BoundedModel) -> Iterator[tuple[str, Domain]]:
        """List what the unknowns of cells and arguments hold."""
        frame = self._frame
        for one in frame.schema.fields:
            for which in ((), AFTER):
                yield name_symbol(Role.FIELD, one.name, *which), one.domain
        for rule in (*bounded.model.starts, *bounded.model.rules):
            for name, spec in rule.arguments:
                domain = as_domain(spec.domain if isinstance(spec, Map) else spec)
                yield name_symbol(Role.ARGUMENT, rule.name, name), domain
                if isinstance(spec, Map) and not frame.is_open(spec.index):
                    for place in range(frame.length(spec.index)):
                        yield name_symbol(Role.ARGUMENT, rule.name, name, place), domain

    def _holds_id(self, ids: Ids, key: Value) -> bool:
        """True if a key is a member of a set, or a cell or argument that holds one."""
        domain = self._find_domain(key)
        return self._frame.is_member(ids, key) or (domain is not None and domain.members is ids)

    def _find_domain(self, part: Value) -> Domain | None:
        is_unknown = z3.is_app(part) and z3.is_app_of(part, z3.Z3_OP_UNINTERPRETED)
        return self._domains.get(part.decl().name()) if is_unknown else None

    def _is_within(self, domain: Domain, value: Value) -> Value:
        """True while a cell or argument has the value in some scope, where a counter has an end as well."""
        below, high = (bound.evaluate(self._frame.sizes) for bound in (domain.below, domain.high))
        return domain.is_flag or all_of(value >= domain.low - below, value <= high)


def _state_choice(key: Value, stated: dict[int, Value]) -> Value:
    """State of a choice what is stated of what it chooses, which is taken down as it is found."""
    number = key.get_id()
    if number not in stated:
        condition, *chosen = key.children()
        then, otherwise = (_state_choice(part, stated) for part in chosen)
        stated[number] = all_of(any_of(not_(condition), then), any_of(condition, otherwise))
    return stated[number]


def _list_parts_outside(terms: Iterable[Value]) -> Iterator[Value]:
    """List the parts of some terms, each once, but nothing of what a quantifier says."""
    pending, seen = [*terms], set[int]()
    while pending:
        term = pending.pop()
        if term.get_id() not in seen:
            seen.add(term.get_id())
            yield term
            pending += [] if z3.is_quantifier(term) else term.children()
