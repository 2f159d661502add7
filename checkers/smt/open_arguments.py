"""The arguments of a rule in an open world: unknown members, unknown numbers, and the places of an index."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nomadspec.checkers.smt.algebra import equals
from nomadspec.checkers.smt.open_tables import OpenRow, lowest_of
from nomadspec.checkers.smt.state import unknown_function
from nomadspec.checkers.smt.symbols import Role, new_flag, new_number, new_unknown
from nomadspec.model.language.domain import Domain, Map, as_domain
from nomadspec.model.language.logic import Value, all_of, any_of, for_all
from nomadspec.model.language.sets import Ids

if TYPE_CHECKING:
    from nomadspec.checkers.smt.open_frame import OpenFrame
    from nomadspec.model.language.arguments import ArgumentSpec
    from nomadspec.model.language.rule import Rule


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """A value that an argument can have, and what is known of it."""

    value: Value
    premise: Value


def list_choices(frame: OpenFrame, rule: Rule, name: str, spec: ArgumentSpec) -> Iterator[Choice]:
    """List the choices for an argument: each place of an index, else one unknown that stands for all."""
    symbol = (rule.name, name)
    if isinstance(spec, Map):
        yield _choose_map(frame, symbol, spec)
    elif isinstance(spec, Ids) and frame.is_open(spec):
        yield Choice(*frame.new_member(spec, *symbol))
    else:
        yield from _choose_value(frame, symbol, as_domain(spec))


def _choose_value(frame: OpenFrame, symbol: tuple[str, str], domain: Domain) -> Iterator[Choice]:
    if domain.is_flag:
        yield Choice(new_flag(Role.ARGUMENT, *symbol, context=frame.context), premise=True)
    elif domain.members is not None and not frame.is_open(domain.members):
        for value in domain.bound_by(frame.sizes).values():
            yield Choice(value, premise=True)
    else:
        value = new_number(Role.ARGUMENT, *symbol, context=frame.context)
        yield Choice(value, frame.admits(domain, value))


def _choose_map(frame: OpenFrame, symbol: tuple[str, str], spec: Map) -> Choice:
    domain = as_domain(spec.domain)
    if frame.is_open(spec.index):
        function = unknown_function(1, domain, Role.ARGUMENT, *symbol, context=frame.context)
        members = frame.iterate(spec.index)
        premise = for_all(_is_admitted(frame, spec, function(member)) for member in members)
        return Choice(OpenRow(frame, (spec.index,), domain, function), premise)
    values = tuple(
        new_unknown(Role.ARGUMENT, *symbol, place, is_flag=domain.is_flag, context=frame.context)
        for place in range(frame.length(spec.index))
    )
    return Choice(values, all_of(*[_is_admitted(frame, spec, value) for value in values]))


def _is_admitted(frame: OpenFrame, spec: Map, value: Value) -> Value:
    """True while a value is one that the map can give: where it is left out, the least one."""
    domain = as_domain(spec.domain)
    is_on = True if spec.on is None else frame.size(spec.on) > 0
    least = lowest_of(domain) - domain.below.evaluate(frame.sizes) if domain.is_signed else lowest_of(domain)
    return all_of(frame.admits(domain, value), any_of(is_on, equals(value, least)))
