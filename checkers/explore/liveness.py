"""Whether each ``eventually`` comes true on every fair path of the complete graph.

It does not where a path on which the goal is owed can go on for ever without it: by staying in a world that
owes nothing (``lingering``), or round a fair part of a strongly connected component. The graph must be
complete and unreduced: a bound could hide a loop, and a renaming could invent one (``unfolding.py``).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from nomadspec.checkers.explore.components import Components
from nomadspec.checkers.explore.graph import Graph
from nomadspec.checkers.explore.lasso import Hop, find_loop_through, list_fair_parts
from nomadspec.checkers.explore.region import Region
from nomadspec.checkers.explore.stories import Storyteller, Walk
from nomadspec.checkers.stepper.question import ask_premise, ask_property
from nomadspec.checkers.verdict import Finding
from nomadspec.model.property import Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from nomadspec.checkers.explore.explored import Explored
    from nomadspec.checkers.explore.task import Task
    from nomadspec.model.property import Property
    from nomadspec.model.rule import Argument
    from nomadspec.model.story import Story


@dataclass(slots=True)
class Endless:
    """What was found about endless paths."""

    findings: list[Finding] = field(default_factory=list)
    not_checked: dict[str, str] = field(default_factory=dict)
    stopped_by: str | None = None
    notes: tuple[str, ...] = ()
    """What it cost, where that is more than the search itself."""


def check_endless(task: Task, explored: Explored, find_reason: Callable[[], str | None]) -> Endless:
    """Check each ``eventually`` that was asked about, or say why not."""
    result = Endless()
    asked = task.list_properties(Kind.EVENTUALLY)
    obstacle = _find_obstacle(task, explored)
    if obstacle is not None or not asked:
        result.not_checked = {prop.name: obstacle for prop in asked if obstacle is not None}
        return result
    judge = _Judge(task, explored)
    for prop in asked:
        result.stopped_by = result.stopped_by or find_reason()
        if result.stopped_by is not None:
            result.not_checked[prop.name] = f"the search was stopped ({result.stopped_by}) before it"
            continue
        story = judge.find_story(prop)
        if story is not None:
            result.findings.append(Finding(prop.name, prop.kind, story))
    return result


def _find_obstacle(task: Task, explored: Explored) -> str | None:
    if task.is_reduced or task.partial_order is not None:
        return (
            f"endless paths need the whole graph, and this one is reduced by {task.reduction_name}: "
            "it is searched for what is asked for by name"
        )
    if not explored.is_complete:
        return "endless paths need the complete graph, and the search ended before"
    if task.stops_at_first and any(task.is_decisive(found.property) for found in explored.found):
        return "the search ended at another violation"
    return None


class _Judge:
    """Looks for lassos in one complete graph."""

    def __init__(self, task: Task, explored: Explored) -> None:
        self._task = task
        self._explored = explored
        self._graph = Graph(task, explored)
        self._components = Components(self._graph.edges)

    def find_story(self, prop: Property) -> Story | None:
        """Find a lasso on which the property never comes true, for the first case that has one."""
        for case in self._task.bounded.list_cases(prop):
            story = self._find_story(prop, case)
            if story is not None:
                return story
        return None

    def _find_story(self, prop: Property, case: tuple[Argument, ...]) -> Story | None:
        explored = self._explored
        goal = ask_property(self._task.bounded, self._task.layout, prop, case)
        lingering = explored.list_missing(self._graph.lingering, goal)
        cyclic = explored.list_missing(self._graph.cyclic, goal)
        if not lingering and not cyclic:
            return None
        worlds = explored.worlds
        region = Region(self._graph, self._find_premise(prop, case), lambda world: goal.ask(worlds[world]))
        found = self._find_lasso(region, lingering, cyclic)
        return None if found is None else self._tell(prop, case, *found)

    def _find_premise(self, prop: Property, case: tuple[Argument, ...]) -> Callable[[int], bool]:
        worlds, parents = self._explored.worlds, self._explored.parents
        premise = ask_premise(self._task.bounded, self._task.layout, prop, case)
        if premise is None:
            return lambda world: parents[world] == world
        holds = bytearray(b"\1") * len(worlds)
        for world in self._explored.list_missing(range(len(worlds)), premise):
            holds[world] = 0
        return lambda world: bool(holds[world])

    def _find_lasso(
        self, region: Region, lingering: Sequence[int], cyclic: Sequence[int]
    ) -> tuple[list[int], list[Hop]] | None:
        """Find the shortest stem to a fair loop: its worlds, and the steps of the loop."""
        graph = self._graph
        staying = {world for world in lingering if world in region}
        owing = [world for world in cyclic if world in region]
        parts = list_fair_parts(graph, self._components, owing)
        part_of = {world: part for part in parts for world in part}
        start = next((world for world in region.worlds if world in staying or world in part_of), None)
        if start is None:
            return None
        if start in staying:
            return region.path_to(start), []
        return region.path_to(start), find_loop_through(graph, part_of[start], start)

    def _tell(self, prop: Property, case: tuple[Argument, ...], stem: list[int], loop: list[Hop]) -> Story:
        teller = Storyteller(self._task, self._explored)
        walk = teller.walk(stem)
        positions = (*walk.positions, *(hop.position for hop in loop))
        lasso = Walk(walk.first, positions, walk.last)
        label = self._task.bounded.label_case(prop, case)
        return teller.tell(lasso, prop.name, case=label, loop=len(walk.positions))
