"""What each step reads and writes: from this alone it is concluded which steps may wait for which.

The cells come from tracing: those of the guard, of the written values, and of every ``step`` property that is
asked about the step, since the answer belongs to what the step does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nomadspec.checkers.explore.partial_order.choices import is_certain
from nomadspec.model.language.property import Kind
from nomadspec.model.language.term import Term

if TYPE_CHECKING:
    from collections.abc import Iterable

    from nomadspec.checkers.explore.partial_order.facts import Facts
    from nomadspec.model.language.logic import Value
    from nomadspec.model.language.property import Property


@dataclass(frozen=True, slots=True)
class Footprint:
    """The cells that a step reads, and those that it writes."""

    reads: frozenset[int]
    writes: frozenset[int]


def find_footprints(facts: Facts, properties: Iterable[Property]) -> tuple[Footprint, ...]:
    """Find the footprint of each instance when these properties are asked."""
    questions = [facts.bounded.trace_steps(prop) for prop in properties if prop.kind is Kind.STEP]
    certain: dict[int, bool] = {}
    found = []
    for at, traced in enumerate(facts.traced):
        answers = [
            facts.simplify_before(at, of_instances[at]) for of_instances in questions if facts.possible[at]
        ]
        asked = [part for answer in answers for part in _list_open(answer, facts, certain)]
        reads = collect_reads([*traced.guard, *traced.writes.values(), *asked])
        found.append(Footprint(reads, frozenset(traced.writes)))
    return tuple(found)


def _list_open(answer: Value, facts: Facts, certain: dict[int, bool]) -> list[Term]:
    """List the parts of an answer that are not true in any case; which are is remembered."""
    if not isinstance(answer, Term):
        return []
    parts = [part for part in answer.args if isinstance(part, Term)] if answer.op == "and" else [answer]
    for part in parts:
        if part.id not in certain:
            certain[part.id] = is_certain(part, facts)
    return [part for part in parts if not certain[part.id]]


def collect_reads(values: Iterable[Value]) -> frozenset[int]:
    """Collect the cells that some traced values read; constants read none."""
    return frozenset[int]().union(*(value.reads for value in values if isinstance(value, Term)))


def find_users(footprints: Sequence[Footprint], length: int) -> tuple[list[int], list[int]]:
    """Find for each cell who reads and who writes it, as masks of instances."""
    readers, writers = [0] * length, [0] * length
    for at, footprint in enumerate(footprints):
        for cell in footprint.reads:
            readers[cell] |= 1 << at
        for cell in footprint.writes:
            writers[cell] |= 1 << at
    return readers, writers
