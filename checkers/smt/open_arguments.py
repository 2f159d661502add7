"""The arguments of a rule in an open world: unknown members, unknown numbers, and the places of an index."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import z3

from nomadspec.checkers.smt.open_tables import OpenRow
from nomadspec.checkers.smt.state import unknown_function
from nomadspec.model.domain import Domain, Map, as_domain
from nomadspec.model.logic import Value, all_of, for_all
from nomadspec.model.world import Ids

if TYPE_CHECKING:
    from nomadspec.checkers.smt.open_frame import OpenFrame
    from nomadspec.model.rule import ArgumentSpec, Rule


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """A value that an argument can have, and what is known of it."""

    value: Value
    premise: Value


def list_choices(frame: OpenFrame, rule: Rule, name: str, spec: ArgumentSpec) -> Iterator[Choice]:
    """List the choices for an argument: each place of an index, else one unknown that stands for all."""
    symbol = f"{rule.name}.{name}"
    if isinstance(spec, Map):
        yield _choose_map(frame, symbol, spec)
    elif isinstance(spec, Ids) and frame.is_open(spec):
        yield Choice(*frame.new_member(spec, symbol))
    else:
        yield from _choose_value(frame, symbol, as_domain(spec))


def _choose_value(frame: OpenFrame, symbol: str, domain: Domain) -> Iterator[Choice]:
    if domain.is_flag:
        yield Choice(z3.Bool(symbol, frame.context), premise=True)
    elif domain.members is not None and not frame.is_open(domain.members):
        for value in domain.bound_by(frame.sizes).values():
            yield Choice(value, premise=True)
    else:
        value = z3.Int(symbol, frame.context)
        yield Choice(value, frame.admits(domain, value))


def _choose_map(frame: OpenFrame, symbol: str, spec: Map) -> Choice:
    domain = as_domain(spec.domain)
    if frame.is_open(spec.index):
        function = unknown_function(1, domain, symbol, frame.context)
        members = frame.iterate(spec.index)
        premise = for_all(frame.admits(domain, function(member)) for member in members)
        return Choice(OpenRow(frame, (spec.index,), domain, function), premise)
    sort = (z3.BoolSort if domain.is_flag else z3.IntSort)(frame.context)
    values = tuple(z3.Const(f"{symbol}.{place}", sort) for place in range(frame.length(spec.index)))
    return Choice(values, all_of(*[frame.admits(domain, value) for value in values]))
