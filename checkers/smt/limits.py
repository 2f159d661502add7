"""What the interpreter insists on after each step: values within their domains, ranks that are a queue."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from nomadspec.checkers.smt.scope_reading import is_in_order
from nomadspec.model.logic import all_of
from nomadspec.model.term import Term

if TYPE_CHECKING:
    from nomadspec.checkers.smt.translate import SolverState
    from nomadspec.model.bounded import BoundedModel
    from nomadspec.model.logic import Value
    from nomadspec.model.trace import TracedInstance

_DOMAIN: Final = "domain of "
_QUEUE: Final = "order of "


def list_limits(bounded: BoundedModel) -> tuple[str, ...]:
    """Name the domain of each field and the order of each queue."""
    schema = bounded.frame.schema
    domains = [_DOMAIN + one.name for one in schema.fields]
    return (*domains, *[_QUEUE + queue.name for queue in schema.queues])


def state_limits(bounded: BoundedModel, state: SolverState, traced: TracedInstance) -> dict[str, Value]:
    """State of the world after an instance each limit that it could leave."""
    stated: dict[str, list[Value]] = {}
    for position, value in traced.writes.items():
        interval = bounded.frame.intervals[position]
        if not interval.is_flag and (isinstance(value, Term) or not interval.admits(value)):
            name = _DOMAIN + bounded.frame.cell_names[position].partition("[")[0]
            stated.setdefault(name, []).append(state.is_inside(position, state.translate(value)))
    after = traced.after(bounded.cell_terms)
    for queue in bounded.frame.schema.queues:
        placed = bounded.frame.placed[queue.name]
        places = range(placed.base, placed.base + placed.span)
        if not traced.writes.keys().isdisjoint(places):
            order = is_in_order(after[placed.base : placed.base + placed.span])
            stated[_QUEUE + queue.name] = [state.translate(order)]
    return {name: all_of(*parts) for name, parts in stated.items()}
