"""The steps that lead somewhere: a step that fails, as where a domain is left, has no world after it.

A log says nothing of such a step unless it shows it. So it ends nothing here, and explains nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nomadspec.checkers.pycode.stepper import Stepper
from nomadspec.model.errors import ModelError
from nomadspec.model.language.broken_promises import list_failing_steps

if TYPE_CHECKING:
    from nomadspec.checkers.stepper.layout import Layout
    from nomadspec.model.language.bounded import BoundedModel
    from nomadspec.model.language.broken_promises import Failure


class WorkingSteps:
    """The initial worlds of a bounded model, and the steps from any world that do not fail."""

    def __init__(self, bounded: BoundedModel, layout: Layout) -> None:
        """Take steps as quickly as a search does, and one by one where some fail."""
        self._bounded = bounded
        self._layout = layout
        self._stepper = Stepper(bounded, layout)
        self._failing: dict[int, list[Failure]] = {}
        self._known: dict[int, list[tuple[int, int]]] = {}
        self.initial = self._stepper.initial

    def successors(self, packed: int) -> list[tuple[int, int]]:
        """List the instances that can happen by position, each with the packed world after it."""
        if packed in self._known:
            return self._known[packed]
        try:
            return self._stepper.successors(packed)
        except ModelError:
            found = self._known[packed] = self._take_one_by_one(packed)
            return found

    def list_failing(self, packed: int) -> list[Failure]:
        """List how steps from a world fail."""
        self.successors(packed)
        return self._failing.get(packed, [])

    def _take_one_by_one(self, packed: int) -> list[tuple[int, int]]:
        cells = self._layout.unpack(packed)
        failing = self._failing[packed] = list(list_failing_steps(self._bounded, cells))
        passed_over = {failure.instance for failure in failing}
        found = []
        for instance in self._bounded.instances:
            after = None if instance in passed_over else self._bounded.step(cells, instance)
            if after is not None:
                found.append((instance.number, self._layout.pack(after)))
        return found
