"""Slips of rules as judges of a property: what it refuses, and its mutant lets pass, shows why it says so.

Mutants of rules are mistakes in a text, and there are only so many. A slip is any one cell in which a rule
writes something else, or any condition that it overlooks; the solver looks through all of them at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nomadspec.checkers.mutants.swapping import swapped
from nomadspec.checkers.smt.slips import Slips
from nomadspec.model.errors import ImpossibleError
from nomadspec.model.language.property import Kind
from nomadspec.model.language.term import is_same

if TYPE_CHECKING:
    from nomadspec.checkers.mutants.mutant import Mutant
    from nomadspec.checkers.smt.single_steps import SingleSteps
    from nomadspec.model.language.bounded import BoundedModel, Cells
    from nomadspec.model.language.property import Property
    from nomadspec.model.language.trace import Instance


class SlipJudge:
    """Shows mutants of properties the slips of each instance of a scope."""

    def __init__(self, bounded: BoundedModel, steps: SingleSteps) -> None:
        """Keep what is known of the worlds before."""
        self._bounded = bounded
        self._slips = Slips(bounded, steps)

    def find_overlooked(self, mutant: Mutant, prop: Property) -> str | None:
        """Describe a slip that a property as it is written notices, and its own mutant does not."""
        altered = self._bounded.pairs.without([prop.name], ())
        for traced in self._bounded.traced:
            refused = self._bounded.pairs.read_apart(prop, traced)
            with swapped(mutant.part.function, mutant.edit.definition):
                accepted = altered.read_apart(prop, traced)
            if refused is None or accepted is None or is_same(refused, accepted):
                continue
            found = self._slips.find(traced, refused, accepted)
            if found is not None:
                self._replay(mutant, prop, traced.instance, *found)
                return self._describe(traced.instance, *found)
        return None

    def _replay(
        self, mutant: Mutant, prop: Property, instance: Instance, before: Cells, after: Cells
    ) -> None:
        """Let the interpreter say the same."""
        is_noticed = not self._holds(prop, before, instance, after)
        with swapped(mutant.part.function, mutant.edit.definition):
            is_overlooked = self._holds(prop, before, instance, after)
        if not (is_noticed and is_overlooked):
            raise ImpossibleError(
                f"The solver says that {mutant.name} overlooks {self._describe(instance, before, after)}; "
                "it does not."
            )

    def _holds(self, prop: Property, before: Cells, instance: Instance, after: Cells) -> bool:
        if prop.kind is Kind.ALWAYS:
            return self._bounded.holds(prop, after)
        return self._bounded.holds_step(prop, before, instance, after)

    def _describe(self, instance: Instance, before: Cells, after: Cells) -> str:
        """Say what is wrong with a step."""
        rule = instance.rule.name
        right = self._bounded.step(before, instance)
        if right is None:
            return f"{rule} that overlooks a condition"
        names = self._bounded.frame.cell_names
        (cell,) = [at for at, value in enumerate(after) if value != right[at]]
        return f"{rule} that writes {self._bounded.frame.intervals[cell].label(after[cell])} to {names[cell]}"
