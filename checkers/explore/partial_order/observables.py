"""What a search looks for in worlds, and which steps cannot make it go away.

A search with fewer steps must still meet each world in which something is wrong, reached or used up, or
another world like it. A step may be taken early where it *keeps* the observable: if that is true before the
step, it is true after it. A step that can turn it from false to true *makes* it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from nomadspec.checkers.explore.partial_order.choices import list_cases
from nomadspec.checkers.explore.partial_order.footprints import collect_reads
from nomadspec.checkers.stepper.budgets import list_budget_cells
from nomadspec.checkers.stepper.evaluate import evaluate
from nomadspec.model.language.logic import not_
from nomadspec.model.language.property import Kind
from nomadspec.model.language.term import Term, at_most

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from nomadspec.checkers.explore.partial_order.facts import Facts
    from nomadspec.checkers.explore.partial_order.footprints import Footprint
    from nomadspec.model.language.property import Property


@dataclass(frozen=True, slots=True)
class Observable:
    """What may be noticed of a world: which instances keep it, and which can make it."""

    name: str
    keepers: int
    makers: int


def find_observables(
    facts: Facts, properties: Iterable[Property], footprints: Sequence[Footprint]
) -> tuple[Observable, ...]:
    """Find what is noticed of worlds: broken ``always``, reached ``sometimes``, and how far budgets go."""
    keeping = Keeping(facts, footprints)
    world = facts.bounded.world(facts.bounded.cell_terms)
    found = []
    for prop in properties:
        if prop.kind in {Kind.ALWAYS, Kind.SOMETIMES}:
            value = facts.simplify(prop(world))
            wanted = value if prop.kind is Kind.SOMETIMES else not_(value)
            if isinstance(wanted, Term):
                found.append(Observable(prop.name, keeping.find_keepers(wanted), keeping.find_makers(wanted)))
    return (*found, *(keeping.observe_budget(cell) for cell in list_budget_cells(facts.bounded)))


class Keeping:
    """Asks which instances keep a flag of a world."""

    def __init__(self, facts: Facts, footprints: Sequence[Footprint]) -> None:
        """Keep the instances; the answers for parts of flags are remembered."""
        self._facts = facts
        self._footprints = footprints
        self._all = (1 << len(footprints)) - 1
        self._known: dict[tuple[int, int, bool], bool] = {}

    def find_keepers(self, flag: Term) -> int:
        """Find the instances after which a flag is true if it was true before."""
        return self._find(flag, is_true=True)

    def find_makers(self, flag: Term) -> int:
        """Find the instances that may make a false flag true."""
        return self._all & ~self._find(flag, is_true=False)

    def observe_budget(self, cell: int) -> Observable:
        """Say who keeps a budget as far used as it was, and who uses it."""
        writers = [at for at, footprint in enumerate(self._footprints) if cell in footprint.writes]
        term = self._facts.bounded.cell_terms[cell]
        falling = [
            at
            for at in writers
            if at_most(0, self._facts.traced[at].writes.get(cell, term) - term) is not True
        ]
        name = self._facts.bounded.frame.cell_names[cell]
        return Observable(name, self._all & ~_as_mask(falling), _as_mask(writers))

    def _find(self, flag: Term, *, is_true: bool) -> int:
        """Find who keeps a flag as it is."""
        writers = [at for at, one in enumerate(self._footprints) if not flag.reads.isdisjoint(one.writes)]
        return self._all & ~_as_mask(at for at in writers if not self._does_keep(at, flag, is_true=is_true))

    def _does_keep(self, at: int, flag: Term, *, is_true: bool) -> bool:
        """True if a step keeps a flag as it is: it does where it keeps each of the flag's parts."""
        footprint = self._footprints[at]
        if flag.reads.isdisjoint(footprint.writes):
            return True
        key = (at, flag.id, is_true)
        known = self._known.get(key)
        if known is None:
            if not footprint.writes & flag.reads <= self._facts.traced[at].writes.keys():
                known = False
            else:
                known = self._keeps_in_all_cases(at, flag, is_true=is_true)
            if known is None:
                is_same = is_true is (flag.op != "not")
                known = flag.op in {"not", "and", "or"} and all(
                    self._does_keep(at, part, is_true=is_same) for part in flag.args if isinstance(part, Term)
                )
            self._known[key] = known
        return known

    def _keeps_in_all_cases(self, at: int, flag: Term, *, is_true: bool) -> bool | None:
        """Try all values of the cells that matter; None where they are many."""
        traced = self._facts.traced[at]
        written = {cell: traced.writes[cell] for cell in flag.reads if cell in traced.writes}
        asked = flag.reads | collect_reads(written.values())
        cases = list_cases(asked, self._facts)
        if cases is None:
            return None
        guard = [part for part in traced.guard if part.reads <= asked]
        for cells in cases:
            if bool(evaluate(flag, cells)) is is_true and all(evaluate(part, cells) for part in guard):
                after = list(cells)
                for cell, value in written.items():
                    after[cell] = evaluate(value, cells)
                if bool(evaluate(flag, after)) is not is_true:
                    return False
        return True


def _as_mask(positions: Iterable[int]) -> int:
    found = 0
    for at in positions:
        found |= 1 << at
    return found
