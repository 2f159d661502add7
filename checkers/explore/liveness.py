"""Whether each property of paths holds on every fair path of the complete graph.

An ``eventually``, ``leads_to`` or ``until`` does not where a path on which the goal is owed can go on for
ever without it: by staying in a world that owes nothing (``lingering``), or round a fair part of a strongly
connected component. Nor does an ``until`` or ``unless`` where a path on which the goal is owed comes to one
without what has to hold until then: any such path can go on fairly. Nor does an ``eventually_always`` where a
fair path can come again and again to a world without it. The graph must be complete and unreduced: a bound
could hide a loop, and a renaming could invent one (``unfolding.py``).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from nomadspec.checkers.explore.components import Components
from nomadspec.checkers.explore.graph import Graph
from nomadspec.checkers.explore.lasso import Hop, find_loop_through, list_fair_parts
from nomadspec.checkers.explore.region import Region
from nomadspec.checkers.explore.stories import Storyteller, Walk
from nomadspec.checkers.stepper.question import ask_kept, ask_premise, ask_property
from nomadspec.checkers.verdict import Finding
from nomadspec.model.language.property import PATH_KINDS, Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Sequence

    from nomadspec.checkers.explore.search_state import Explored
    from nomadspec.checkers.explore.task import Task
    from nomadspec.model.language.arguments import Argument
    from nomadspec.model.language.property import Property
    from nomadspec.model.language.story import Story


@dataclass(slots=True)
class Endless:
    """What was found about endless paths."""

    findings: list[Finding] = field(default_factory=list)
    not_checked: dict[str, str] = field(default_factory=dict)
    stopped_by: str | None = None
    notes: tuple[str, ...] = ()
    """What it cost, where that is more than the search itself."""


def check_endless(task: Task, explored: Explored, find_reason: Callable[[], str | None]) -> Endless:
    """Check each property of paths that was asked about, or say why not."""
    result = Endless()
    asked = task.list_properties(*PATH_KINDS)
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
        return f"liveness not checked under {task.reduction_name}: ask for it with --property"
    if not explored.is_complete:
        return "liveness not checked: the search ended before the graph was complete"
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
        """Find a path on which the property is broken, for the first case that has one."""
        for case in self._task.bounded.list_cases(prop):
            story = self._find_story(prop, case)
            if story is not None:
                return story
        return None

    def _find_story(self, prop: Property, case: tuple[Argument, ...]) -> Story | None:
        if prop.kind is Kind.EVENTUALLY_ALWAYS:
            return self._find_relapse(prop, case)
        broken = None if prop.keeps is None else self._find_broken(prop, case)
        if broken is not None or prop.kind is Kind.UNLESS:
            return broken
        return self._find_missed(prop, case)

    def _find_broken(self, prop: Property, case: tuple[Argument, ...]) -> Story | None:
        """Find the shortest way from a premise to a world where neither goal nor what is kept holds."""
        explored = self._explored
        kept = ask_kept(self._task.bounded, self._task.layout, prop, case)
        broken = set(explored.list_missing(range(len(explored.worlds)), kept))
        if not broken:
            return None
        region = Region(self._graph, self._find_premise(prop, case), self._ask_goal(prop, case))
        end = next((world for world in region.worlds if world in broken), None)
        return None if end is None else self._tell(prop, case, region.path_to(end), None)

    def _find_missed(self, prop: Property, case: tuple[Argument, ...]) -> Story | None:
        """Find a lasso on which the goal is owed and never comes."""
        explored = self._explored
        goal = ask_property(self._task.bounded, self._task.layout, prop, case)
        lingering = explored.list_missing(self._graph.lingering, goal)
        cyclic = explored.list_missing(self._graph.cyclic, goal)
        if not lingering and not cyclic:
            return None
        region = Region(self._graph, self._find_premise(prop, case), self._ask_goal(prop, case))
        found = self._find_lasso(region, lingering, cyclic)
        return None if found is None else self._tell(prop, case, *found)

    def _find_relapse(self, prop: Property, case: tuple[Argument, ...]) -> Story | None:
        """Find a lasso whose loop comes again and again to a world where the property does not hold."""
        explored, graph = self._explored, self._graph
        goal = ask_property(self._task.bounded, self._task.layout, prop, case)
        lingering = explored.list_missing(graph.lingering, goal)
        missing = {*lingering, *explored.list_missing(graph.cyclic, goal)}
        if not missing:
            return None
        region = Region(graph, self._find_premise(prop, case), lambda _: False)
        found = self._find_lasso(region, lingering, graph.cyclic, missing)
        return None if found is None else self._tell(prop, case, *found)

    def _ask_goal(self, prop: Property, case: tuple[Argument, ...]) -> Callable[[int], bool]:
        worlds = self._explored.worlds
        goal = ask_property(self._task.bounded, self._task.layout, prop, case)
        return lambda world: goal.ask(worlds[world])

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
        self,
        region: Region,
        lingering: Sequence[int],
        cyclic: Sequence[int],
        wanted: Container[int] | None = None,
    ) -> tuple[list[int], list[Hop]] | None:
        """Find the shortest stem to a fair loop (from a wanted world): its worlds, and the loop's steps."""
        graph = self._graph
        staying = {world for world in lingering if world in region}
        owing = [world for world in cyclic if world in region]
        parts = list_fair_parts(graph, self._components, owing)
        part_of = {world: part for part in parts for world in part if wanted is None or world in wanted}
        start = next((world for world in region.worlds if world in staying or world in part_of), None)
        if start is None:
            return None
        if start in staying:
            return region.path_to(start), []
        return region.path_to(start), find_loop_through(graph, part_of[start], start)

    def _tell(
        self, prop: Property, case: tuple[Argument, ...], stem: list[int], loop: list[Hop] | None
    ) -> Story:
        """Tell a way, and the loop at its end if it has one."""
        teller = Storyteller(self._task, self._explored)
        walk = teller.walk(stem)
        positions = (*walk.positions, *(hop.position for hop in loop or ()))
        lasso = Walk(walk.first, positions, walk.last)
        label = self._task.bounded.label_case(prop, case)
        return teller.tell(lasso, prop.name, case=label, loop=None if loop is None else len(walk.positions))
