"""Rules that never happen, as judges of what must be reached: without one of them some worlds are missed.

All steps of a kept search are known, so the worlds that are left without a rule are known without a search.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nomadspec.checkers.mutants.swapping import swapped
from nomadspec.checkers.stepper.question import ask_property

if TYPE_CHECKING:
    from nomadspec.checkers.mutants.mutant import Mutant
    from nomadspec.checkers.mutants.scene import Scene
    from nomadspec.model.property import Property


class LeftOut:
    """The steps of a complete search, by rule, and which worlds are reached without each of them."""

    def __init__(self, scene: Scene) -> None:
        """Number the worlds, and sort the steps out."""
        self._scene = scene
        numbers = {packed: number for number, packed in enumerate(scene.worlds)}
        canonical, traced = scene.task.reduction.canonical, scene.task.bounded.traced
        self._initial = [numbers[canonical(packed)] for packed in scene.steps.initial]
        self._steps = [
            [
                (traced[at].instance.rule.name, numbers[canonical(after)])
                for at, after in scene.steps.rows[packed]
            ]
            for packed in scene.worlds
        ]
        self._reached: dict[str, int] = {}

    def find_overlooked(self, mutant: Mutant, prop: Property) -> str | None:
        """Name a rule without which a property is not reached, while its mutant still is."""
        wanted = self._ask(prop)
        with swapped(mutant.part.function, mutant.edit.definition):
            accepted = self._ask(prop)
        for rule in sorted(self._scene.list_happening()):
            reached = self._find_reached(rule)
            if not wanted & reached and accepted & reached:
                return f"{rule} that never happens"
        return None

    def _ask(self, prop: Property) -> int:
        """Give the worlds in which a property holds, as the bits of a number."""
        task = self._scene.task
        question = ask_property(task.bounded, task.layout, prop)
        flags = (b"1" if question.ask(packed) else b"0" for packed in reversed(self._scene.worlds))
        return int(b"".join(flags), 2)

    def _find_reached(self, rule: str) -> int:
        """Give the worlds that are reached without a rule, as the bits of a number."""
        if rule not in self._reached:
            reached = bytearray(b"0") * len(self._steps)
            waiting = list(self._initial)
            while waiting:
                number = waiting.pop()
                if reached[-1 - number] == ord("0"):
                    reached[-1 - number] = ord("1")
                    waiting += [target for name, target in self._steps[number] if name != rule]
            self._reached[rule] = int(bytes(reached), 2)
        return self._reached[rule]
