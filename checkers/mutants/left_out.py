"""Rules that never happen, as judges of what must be reached: without one of them some worlds are missed.

All steps of a kept search are known, so the worlds that are left without some of them are known without a
search. Without a rule some paths go on for ever, too, which takes a search to see.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from nomadspec.checkers.mutants.swapping import swapped
from nomadspec.checkers.stepper.question import ask_property
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.property import PATH_KINDS, Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from nomadspec.checkers.explore.task import Task
    from nomadspec.checkers.mutants.mutant import Mutant
    from nomadspec.checkers.mutants.steps import KeptSteps, Row
    from nomadspec.checkers.stepper.steps import Steps
    from nomadspec.model.language.bounded import Cells
    from nomadspec.model.language.property import Property
    from nomadspec.model.language.trace import Instance

MOST_SEARCHED: Final = 1_000
"""In a search with more worlds nobody looks for endless paths without each of the rules."""
FindMissing: TypeAlias = "Callable[[BoundedModel, Steps, Iterable[Property]], frozenset[str]]"
"""Who searches with other steps, and names the properties that do not hold then."""

_NOT_YET, _REACHED = b"01"


class Without(BoundedModel):
    """A bounded model some of whose instances never happen; they keep their places."""

    def __init__(self, base: BoundedModel, positions: Collection[int]) -> None:
        """Take over what was traced."""
        vars(self).update(vars(base))
        self._left_out = positions

    def step(self, cells: Cells, instance: Instance) -> Cells | None:
        """Take a step, unless it never happens."""
        return None if instance.number in self._left_out else super().step(cells, instance)


@dataclass(frozen=True, slots=True)
class StepsWithout:
    """The steps of a kept search without some instances."""

    kept: KeptSteps
    left_out: Collection[int]

    @property
    def initial(self) -> tuple[int, ...]:
        """Give the initial worlds."""
        return self.kept.initial

    def successors(self, packed: int) -> Row:
        """List what can still happen in a world."""
        return [step for step in self.kept.successors(packed) if step[0] not in self.left_out]


class LeftOut:
    """The steps of a complete search, and what is reached without those of one rule, or with one argument."""

    def __init__(
        self, task: Task, worlds: Sequence[int], steps: KeptSteps, find_missing: FindMissing
    ) -> None:
        """Number the worlds, and sort the instances."""
        self._task = task
        self._worlds = worlds
        self._kept = steps
        self._find_missing = find_missing
        numbers = {packed: number for number, packed in enumerate(worlds)}
        canonical = task.reduction.canonical
        self._initial = [numbers[canonical(packed)] for packed in steps.initial]
        self._steps = [
            [(at, numbers[canonical(after)]) for at, after in steps.rows[packed]] for packed in worlds
        ]
        happening = {at for row in self._steps for at, _ in row}
        self._mistakes = list_mistakes(task.bounded, happening, by_argument=not task.is_reduced)
        self._reached: dict[str, int] = {}
        self._endless: dict[str, frozenset[str]] = {}

    def find_overlooked(self, mutant: Mutant, prop: Property) -> str | None:
        """Name what never happens so that a property does not come true, while its mutant still does."""
        if prop.kind is Kind.SOMETIMES:
            return self._find_missed(mutant, prop)
        is_small = len(self._steps) <= MOST_SEARCHED and not self._task.is_reduced
        return self._find_endless(mutant, prop) if is_small else None

    def _find_missed(self, mutant: Mutant, prop: Property) -> str | None:
        wanted = self._ask(prop)
        with swapped(mutant.part.function, mutant.edit.definition):
            accepted = self._ask(prop)
        if accepted & ~wanted:
            for mistake in self._mistakes:
                reached = self._find_reached(mistake)
                if not wanted & reached and accepted & reached:
                    return mistake
        return None

    def _ask(self, prop: Property) -> int:
        """Give the worlds in which a property holds, as the bits of a number."""
        question = ask_property(self._task.bounded, self._task.layout, prop)
        flags = (b"1" if question.ask(packed) else b"0" for packed in reversed(self._worlds))
        return int(b"".join(flags), 2)

    def _find_reached(self, mistake: str) -> int:
        """Give the worlds that are reached in spite of a mistake, as the bits of a number."""
        if mistake not in self._reached:
            missing = self._mistakes[mistake]
            reached = bytearray([_NOT_YET]) * len(self._steps)
            waiting = list(self._initial)
            while waiting:
                number = waiting.pop()
                if reached[-1 - number] == _NOT_YET:
                    reached[-1 - number] = _REACHED
                    waiting += [target for at, target in self._steps[number] if at not in missing]
            self._reached[mistake] = int(bytes(reached), 2)
        return self._reached[mistake]

    def _find_endless(self, mutant: Mutant, prop: Property) -> str | None:
        everything = self._task.list_properties(*PATH_KINDS)
        for mistake, positions in self._mistakes.items():
            if mistake not in self._endless:
                self._endless[mistake] = self._search_without(positions, everything)
            if prop.name in self._endless[mistake]:
                with swapped(mutant.part.function, mutant.edit.definition):
                    if prop.name not in self._search_without(positions, [prop]):
                        return mistake
        return None

    def _search_without(self, positions: Collection[int], properties: Sequence[Property]) -> frozenset[str]:
        """Name the properties that do not hold where some instances never happen."""
        bounded = Without(self._task.bounded, positions)
        return self._find_missing(bounded, StepsWithout(self._kept, positions), properties)


def list_mistakes(
    bounded: BoundedModel, happening: set[int], *, by_argument: bool
) -> dict[str, frozenset[int]]:
    """List which instances never happen in each mistake: those of a rule, then those with one argument."""
    of_rules: dict[str, set[int]] = {}
    of_arguments: dict[str, set[int]] = {}
    for at in sorted(happening):
        instance = bounded.traced[at].instance
        of_rules.setdefault(f"{instance.rule.name} that never happens", set()).add(at)
        for name, value in bounded.label_arguments(instance).items() if by_argument else ():
            mistake = f"{instance.rule.name} that never happens with {name} {value}"
            of_arguments.setdefault(mistake, set()).add(at)
    return {mistake: frozenset(found) for mistake, found in (of_rules | of_arguments).items()}
