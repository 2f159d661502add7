"""The search: breadth first, so that the first way to a world is a shortest one.

Worlds are numbered as they are found, in the order of the instances, so that the same model gives the same
numbers, stories and counts each time. A search can be left between any two worlds and taken up again.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from nomadspec.checkers.explore.engines import INTERPRETED
from nomadspec.checkers.explore.failures import discover_failure
from nomadspec.checkers.explore.search_recheck import look_at_due
from nomadspec.checkers.explore.search_state import Discovery, Explored
from nomadspec.checkers.explore.symmetry.audit import Audit
from nomadspec.checkers.native.edges import Edges
from nomadspec.checkers.stepper.checks import Checks
from nomadspec.checkers.stepper.question import ask_rest
from nomadspec.checkers.stepper.second_look import SecondLook
from nomadspec.model.errors import ModelError
from nomadspec.model.language.story import DEADLOCK

if TYPE_CHECKING:
    from nomadspec.checkers.explore.task import Task

_WORLDS_AT_ONCE: Final = 32
_SECONDS_AT_ONCE: Final = 0.2
"""How far a search goes between two looks at its limits, whichever comes first."""


class Search:
    """A search under way."""

    engine = INTERPRETED

    def __init__(self, task: Task, explored: Explored | None = None) -> None:
        """Begin with the initial worlds, or go on with what was stored before."""
        self._task = task
        self.notes: tuple[str, ...] = ()
        """Why no machine code went on with it, where that was wanted."""
        self._canonical = task.reduction.canonical if task.is_reduced else None
        self._audit = Audit(task) if task.is_reduced else None
        self._second_look = SecondLook(task.bounded, task.properties)
        self._is_at_rest = ask_rest(task.bounded, task.layout)
        self.explored = explored or _start(task)
        self._checks = self._make_checks()
        self._is_decided = any(task.decides(found.property) for found in self.explored.found)
        if explored is None:
            self._begin()

    @property
    def is_over(self) -> bool:
        """True if there is nothing left to find."""
        explored = self.explored
        return explored.is_complete or self._is_decided

    def expand(self, worlds: int, most_states: int) -> None:
        """Take the steps of so many worlds, unless the search is over or holds so many states before."""
        explored = self.explored
        explored.read()
        for _ in range(worlds):
            if self.is_over or len(explored.worlds) >= most_states:
                return
            if explored.is_deep_enough(self._task):
                return
            if explored.expanded == explored.level_end:
                explored.level_end = len(explored.worlds)
                explored.depth += 1
            try:
                self._expand(explored.expanded)
            except ModelError as error:
                self._keep(discover_failure(self._task, explored, explored.expanded, error))
                return
            explored.expanded += 1
            failure = look_at_due(
                self._second_look, self._task, explored, explored.expanded - 1, explored.expanded
            )
            if failure is not None:
                self._keep(failure)
                return

    def expand_for_a_while(self, most_states: int) -> None:
        """Take the steps of some worlds, of fewer where each takes long, so that limits are looked at."""
        enough = time.monotonic() + _SECONDS_AT_ONCE
        for _ in range(_WORLDS_AT_ONCE):
            self.expand(1, most_states)
            if self.is_over or time.monotonic() >= enough:
                return

    def _expand(self, number: int) -> None:
        explored, canonical = self.explored, self._canonical
        numbers, fired, edges = explored.numbers, explored.fired, explored.edges
        packed = explored.worlds[number]
        if self._audit is not None and self._audit.is_due(number):
            self._audit.check(packed)
        successors = self._task.stepper.successors(packed)
        if not successors and self._task.asks_deadlock and not self._is_at_rest.ask(packed):
            self._note_deadlock(number)
        order, chosen = self._task.partial_order, successors
        if order is not None:
            chosen = order.choose(packed, successors)
        for step in successors:
            position, after = step
            if self._checks.watches(position):
                self._check_step(number, position, after)
            if order is not None and step not in chosen:
                continue
            fired[position] += 1
            stored = after if canonical is None else canonical(after)
            target = numbers.get(stored)
            if target is None:
                target = self._add(stored, number)
            if edges is not None and target != number:
                edges.add(target, position)
        if edges is not None:
            edges.close()
        explored.generated += len(chosen)

    def _add(self, packed: int, parent: int | None) -> int:
        number = self.explored.add(packed, parent)
        while (prop := self._checks.broken(packed)) is not None:
            self._note(Discovery(prop.name, number))
        for prop in self._checks.reached(packed):
            self.explored.reached[prop.name] = number
        return number

    def _begin(self) -> None:
        try:
            self._add_initial()
        except ModelError as error:
            self._keep(discover_failure(self._task, self.explored, 0, error))

    def _add_initial(self) -> None:
        explored = self.explored
        for packed in self._task.stepper.initial:
            stored = self._task.reduction.canonical(packed)
            if stored not in explored.numbers:
                self._add(stored, None)
        explored.generated = len(self._task.stepper.initial)
        explored.level_end = len(explored.worlds)
        explored.depth = 1 if explored.worlds else 0

    def _check_step(self, number: int, position: int, after: int) -> None:
        before = self.explored.worlds[number]
        while (prop := self._checks.broken_step(before, position, after)) is not None:
            self._note(Discovery(prop.name, number))

    def _note_deadlock(self, number: int) -> None:
        if all(found.property != DEADLOCK for found in self.explored.found):
            self._keep(Discovery(DEADLOCK, number))

    def _note(self, discovery: Discovery) -> None:
        """Keep a violation, and ask no longer about its property: the first is the shortest."""
        self._keep(discovery)
        self._checks.drop(discovery.property)

    def _keep(self, discovery: Discovery) -> None:
        self.explored.found.append(discovery)
        self._is_decided = self._is_decided or self._task.decides(discovery.property)

    def _make_checks(self) -> Checks:
        done = {found.property for found in self.explored.found} | self.explored.reached.keys()
        open_properties = [prop for prop in self._task.properties if prop.name not in done]
        return Checks(self._task.bounded, self._task.layout, open_properties)


def _start(task: Task) -> Explored:
    count = len(task.bounded.instances)
    return Explored(Edges(count) if task.keeps_edges else None, [0] * count)
