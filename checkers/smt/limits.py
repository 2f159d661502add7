"""What the interpreter insists on after each step: values within their domains, ranks that are a queue.

Of a counter it is the field's own limit that it is no less than nothing, and the scope's where it ends.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nomadspec.checkers.smt.algebra import as_term
from nomadspec.checkers.smt.promise_proofs import ANSWERS, DOMAIN, END, ORDER, find_raised
from nomadspec.checkers.smt.scope_reading import is_in_order
from nomadspec.model.language.logic import all_of
from nomadspec.model.language.term import Term

if TYPE_CHECKING:
    from collections.abc import Iterator

    from nomadspec.checkers.smt.translate import SolverState
    from nomadspec.model.language.bounded import BoundedModel
    from nomadspec.model.language.domain import Domain, Interval
    from nomadspec.model.language.logic import Value
    from nomadspec.model.language.trace import TracedInstance
    from nomadspec.model.language.world import Queue


def list_limits(bounded: BoundedModel) -> tuple[str, ...]:
    """Name the domain of each field, the order of each queue, and that rules do not fail."""
    schema = bounded.frame.schema
    domains = [DOMAIN + one.name for one in schema.fields]
    ends = [END + one.name for one in schema.fields if one.domain.is_open_ended]
    answers = [ANSWERS] if find_raised(bounded) is not None else []
    return (*domains, *ends, *[ORDER + queue.name for queue in schema.queues], *answers)


def name_limits(bounded: BoundedModel, traced: TracedInstance) -> set[str]:
    """Name the limits that the world after an instance could leave, without stating them."""
    if traced.failure is not None:
        return {ANSWERS}
    frame = bounded.frame
    named = {
        start + frame.field_names[position]
        for position in _list_doubtful(bounded, traced)
        for start in _name_bounds(frame.intervals[position].domain)
    }
    return named | {ORDER + queue.name for queue, _ in _list_changed(bounded, traced)}


def state_limits(bounded: BoundedModel, state: SolverState, traced: TracedInstance) -> dict[str, Value]:
    """State of the world after an instance each limit that it could leave."""
    if traced.failure is not None:
        return {ANSWERS: as_term(value=False, context=state.context)}
    stated: dict[str, list[Value]] = {}
    for position in _list_doubtful(bounded, traced):
        interval, name = bounded.frame.intervals[position], bounded.frame.field_names[position]
        value = state.translate(traced.writes[position])
        for start, part in zip(_name_bounds(interval.domain), _list_bounds(interval, value), strict=True):
            stated.setdefault(start + name, []).append(part)
    after = traced.after(bounded.cell_terms)
    for queue, places in _list_changed(bounded, traced):
        stated[ORDER + queue.name] = [state.translate(is_in_order([after[place] for place in places]))]
    return {name: all_of(*parts) for name, parts in stated.items()}


def _list_doubtful(bounded: BoundedModel, traced: TracedInstance) -> Iterator[int]:
    """List the cells that an instance could write something to that is outside of their intervals."""
    for position, value in traced.writes.items():
        interval = bounded.frame.intervals[position]
        if not interval.is_flag and (isinstance(value, Term) or not interval.admits(value)):
            yield position


def _list_changed(bounded: BoundedModel, traced: TracedInstance) -> Iterator[tuple[Queue, range]]:
    """List the queues that an instance changes, each with its cells."""
    for queue in bounded.frame.schema.queues:
        placed = bounded.frame.placed[queue.name]
        places = range(placed.base, placed.base + placed.span)
        if not traced.writes.keys().isdisjoint(places):
            yield queue, places


def _name_bounds(domain: Domain) -> tuple[str, str]:
    """Tell of the lower and the upper bound of a domain with whose limit each is."""
    return END if domain.is_signed else DOMAIN, END if domain.is_open_ended else DOMAIN


def _list_bounds(interval: Interval, value: Value) -> tuple[Value, Value]:
    """State that a value is not below an interval, and that it is not above."""
    return value >= interval.low, value <= interval.high
