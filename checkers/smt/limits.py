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
    from nomadspec.model.language.domain import Interval
    from nomadspec.model.language.logic import Value
    from nomadspec.model.language.trace import TracedInstance


def list_limits(bounded: BoundedModel) -> tuple[str, ...]:
    """Name the domain of each field, the order of each queue, and that rules do not fail."""
    schema = bounded.frame.schema
    domains = [DOMAIN + one.name for one in schema.fields]
    ends = [END + one.name for one in schema.fields if one.domain.is_open_ended]
    answers = [ANSWERS] if find_raised(bounded) is not None else []
    return (*domains, *ends, *[ORDER + queue.name for queue in schema.queues], *answers)


def state_limits(bounded: BoundedModel, state: SolverState, traced: TracedInstance) -> dict[str, Value]:
    """State of the world after an instance each limit that it could leave."""
    if traced.failure is not None:
        return {ANSWERS: as_term(value=False, context=state.context)}
    stated: dict[str, list[Value]] = {}
    for position, value in traced.writes.items():
        interval = bounded.frame.intervals[position]
        if not interval.is_flag and (isinstance(value, Term) or not interval.admits(value)):
            name = bounded.frame.field_names[position]
            for start, part in _list_parts(interval, state.translate(value)):
                stated.setdefault(start + name, []).append(part)
    after = traced.after(bounded.cell_terms)
    for queue in bounded.frame.schema.queues:
        placed = bounded.frame.placed[queue.name]
        places = range(placed.base, placed.base + placed.span)
        if not traced.writes.keys().isdisjoint(places):
            order = is_in_order(after[placed.base : placed.base + placed.span])
            stated[ORDER + queue.name] = [state.translate(order)]
    return {name: all_of(*parts) for name, parts in stated.items()}


def _list_parts(interval: Interval, value: Value) -> Iterator[tuple[str, Value]]:
    """List what it takes to be in an interval, each part with whose limit it is."""
    domain = interval.domain
    yield END if domain.is_signed else DOMAIN, value >= interval.low
    yield END if domain.is_open_ended else DOMAIN, value <= interval.high
