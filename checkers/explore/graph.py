"""The complete graph of a search, as questions about endless paths see it.

A path is fair when no fairness group is owed a step. A group is one bit: which groups can happen in a world,
and which happen between two worlds, are masks. Only steps that change the world are kept: to a fair path a
step that changes nothing is no step.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nomadspec.model.language.claim import group_of

if TYPE_CHECKING:
    from nomadspec.checkers.explore.search_state import Explored
    from nomadspec.checkers.explore.task import Task


class Graph:
    """Worlds by number, the steps between them, and fairness."""

    def __init__(self, task: Task, explored: Explored) -> None:
        """Number the fairness groups, and find the worlds that endless paths can end in."""
        self.explored = explored
        self.edges = explored.expect_edges()
        self.weak, self.strong = 0, 0
        self.group_bits = self._number_groups(task)
        paths = explored.find_paths()
        self.lingering = paths.list_lingering(bits != 0 for bits in self.group_bits)
        """The worlds where a path can stay for ever: those where nothing fair changes anything."""
        self.cyclic = paths.list_cyclic()
        """The worlds on or behind a cycle of two or more: those that no order exhausts."""

    def possible(self, world: int) -> int:
        """Give the groups that can happen in a world."""
        found = 0
        for place in self.edges.span(world):
            found |= self.group_bits[self.edges.positions[place]]
        return found

    def happening(self, world: int, inside: set[int]) -> int:
        """Give the groups that happen on steps from a world into a set of worlds."""
        found = 0
        for place in self.edges.span(world):
            if self.edges.targets[place] in inside:
                found |= self.group_bits[self.edges.positions[place]]
        return found

    def _number_groups(self, task: Task) -> list[int]:
        numbers: dict[object, int] = {}
        bits = []
        for instance in task.bounded.instances:
            group = group_of(instance)
            bit = 0 if group is None else 1 << numbers.setdefault(group, len(numbers))
            if instance.rule.fairness is not None and instance.rule.fairness.is_strong:
                self.strong |= bit
            else:
                self.weak |= bit
            bits.append(bit)
        return bits
