"""The complete graph of a search, as questions about endless paths see it.

A path is fair when no fairness group is owed a step. A group is one bit: which groups can happen in a world,
and which happen between two worlds, are masks. Only steps that change the world are kept: to a fair path a
step that changes nothing is no step.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from nomadspec.model.claim import group_of
from nomadspec.model.errors import ImpossibleError

if TYPE_CHECKING:
    from nomadspec.checkers.explore.explored import Explored
    from nomadspec.checkers.explore.task import Task


class Graph:
    """Worlds by number, the steps between them, and fairness."""

    def __init__(self, task: Task, explored: Explored) -> None:
        """Number the fairness groups, and find the worlds that endless paths can end in."""
        if explored.edges is None:
            raise ImpossibleError("A question about endless paths was asked, but no steps were kept.")
        self.explored = explored
        self.edges = explored.edges
        self.weak, self.strong = 0, 0
        self.group_bits = self._number_groups(task)
        self.lingering = self._find_lingering()
        self.cyclic = self._find_cyclic()

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

    def _find_lingering(self) -> list[int]:
        """List the worlds where a path can stay for ever: those where nothing fair changes anything."""
        return [world for world in range(len(self.edges.ends)) if not self.possible(world)]

    def _find_cyclic(self) -> list[int]:
        """List the worlds on or behind a cycle of two or more: those that no order exhausts."""
        edges = self.edges
        count = len(edges.ends)
        awaited = array("I", bytes(4 * count))
        begin = 0
        for end in edges.ends:
            for target in edges.targets[begin:end]:
                awaited[target] += 1
            begin = end
        free = [world for world in range(count) if not awaited[world]]
        while free:
            world = free.pop()
            for target in edges.targets[edges.span(world).start : edges.span(world).stop]:
                awaited[target] -= 1
                if not awaited[target]:
                    free.append(target)
        return [world for world in range(count) if awaited[world]]
