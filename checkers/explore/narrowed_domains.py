"""A bounded model over the values that its cells can have: what machine code is made from.

In most scopes half of the cells never change and half of the instances never happen, since a scope is about
one thing. Code that knows does not ask for them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.logic import all_of
from nomadspec.model.language.pairs import PairTexts
from nomadspec.model.language.term_substitution import Recast
from nomadspec.model.language.trace import TracedInstance, list_conjuncts, trace_cells

if TYPE_CHECKING:
    from nomadspec.checkers.explore.partial_order.facts import Facts


class Narrowed(BoundedModel):
    """The model where cells have no other values than can be; those that have one only are constants.

    Instances keep their numbers, but only those that can happen are ``traced``.
    """

    def __init__(self, facts: Facts) -> None:
        """Read the steps over narrower cells; properties follow when they are asked for."""
        base = facts.bounded
        self.model, self.scope, self.sizes, self.profile = base.model, base.scope, base.sizes, base.profile
        self.declared = base.declared
        self.frame, self.starts, self.initial = base.frame, base.starts, base.initial
        self.instances = base.instances
        self._by_rule = {(item.rule.name, item.arguments): item for item in self.instances}
        self.cell_terms = trace_cells(self.frame, within=facts.cells)
        recast = Recast(self.cell_terms)
        read = [_read(one, recast) for one, can in zip(facts.traced, facts.possible, strict=True) if can]
        self.traced = tuple(one for one in read if one is not None)
        both = trace_cells(self.frame, within=facts.cells * 2, worlds=2)
        self.pairs = PairTexts(self.model.world, self.frame, self.cell_terms, both)
        self._traced_steps, self.duties = {}, base.duties


def _read(traced: TracedInstance, recast: Recast) -> TracedInstance | None:
    """Read an instance over other cells; None where it turns out that it cannot happen."""
    guard = all_of(*map(recast.read, traced.guard))
    if guard is False:
        return None
    writes = {cell: recast.read(value) for cell, value in traced.writes.items()}
    return replace(traced, guard=list_conjuncts(guard), writes=writes)
