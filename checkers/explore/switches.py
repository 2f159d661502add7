"""Of all shortest stories of a violation, one in which the actor changes least often.

Two steps in a row by different actors are a switch: who follows a story has to look elsewhere. All shortest
stories are walked at once, level by level through the worlds on them, with the fewest switches to each world
and the actors who may have come last. An actor who needs one switch more than another to get to a world is
forgotten: to go on as him is then as dear as to change to him.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from nomadspec.checkers.explore.backward import find_ways
from nomadspec.checkers.explore.endings import Ending
from nomadspec.checkers.explore.stories import Storyteller, Walk
from nomadspec.model.errors import ImpossibleError
from nomadspec.model.language.actor import find_actor
from nomadspec.model.language.model_promises import PROMISES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from nomadspec.checkers.explore.backward import Sources
    from nomadspec.checkers.explore.search_state import Explored
    from nomadspec.checkers.explore.task import Task


@dataclass(slots=True)
class _Arrival:
    """The fewest switches to a world, and for each actor who may have come last the step before."""

    switches: int
    steps: dict[str, _Step] = field(default_factory=dict)

    def note(self, switches: int, actor: str, step: _Step) -> None:
        if switches < self.switches:
            self.switches, self.steps = switches, {}
        if switches == self.switches:
            self.steps.setdefault(actor, step)


@dataclass(frozen=True, slots=True)
class _Step:
    """A step of a story: the world before it, and the instance."""

    before: int
    position: int


def find_walks(
    task: Task, explored: Explored, sources: Sources, is_over: Callable[[], bool]
) -> Mapping[str, Walk]:
    """Find the walk with the fewest switches for each violation; none if time is over before.

    What fails is not looked for in other worlds than the one where it was found: its story is a shortest one.
    """
    failing = [discovery for discovery in explored.found if discovery.property in PROMISES]
    told = {one.property: Storyteller(task, explored).walk_to(one) for one in failing}
    endings = [Ending(task, explored, one) for one in explored.found if one not in failing]
    if not endings:
        return told
    ways = find_ways(explored, endings, sources, is_over)
    if ways is None:
        return {}
    actors = [find_actor(task.bounded, instance) for instance in task.bounded.instances]
    return told | {
        ending.name: _Walker(task, ending, actors).walk(ways, 1 << at) for at, ending in enumerate(endings)
    }


class _Walker:
    """Walks all shortest stories of one ending."""

    def __init__(self, task: Task, ending: Ending, actors: Sequence[str]) -> None:
        self._task = task
        self._ending = ending
        self._actors = actors

    def walk(self, ways: Sequence[Mapping[int, int]], bit: int) -> Walk:
        """Walk from the initial worlds to the end, and back along the best story."""
        canonical = self._task.reduction.canonical
        starts = [packed for packed in self._task.stepper.initial if ways[0].get(canonical(packed), 0) & bit]
        layers = [{packed: _Arrival(0) for packed in starts}]
        for distance in range(1, self._ending.level + 1):
            layers.append(self._go_on(layers[-1], ways[distance], bit))
        if self._ending.has_last_step:
            layers.append(self._end(layers[-1]))
        return self._go_back(layers)

    def _go_on(self, layer: Mapping[int, _Arrival], way: Mapping[int, int], bit: int) -> dict[int, _Arrival]:
        found: dict[int, _Arrival] = {}
        canonical = self._task.reduction.canonical
        for packed, arrival in layer.items():
            for position, after in self._task.stepper.successors(packed):
                if way.get(canonical(after), 0) & bit:
                    self._note(found, packed, arrival, position, after)
        return found

    def _end(self, layer: Mapping[int, _Arrival]) -> dict[int, _Arrival]:
        found: dict[int, _Arrival] = {}
        for packed, arrival in layer.items():
            for position, after in self._ending.list_last(packed):
                self._note(found, packed, arrival, position, after)
        return found

    def _note(
        self, found: dict[int, _Arrival], packed: int, arrival: _Arrival, position: int, after: int
    ) -> None:
        actor = self._actors[position]
        is_same = not arrival.steps or actor in arrival.steps
        switches = arrival.switches + (not is_same)
        found.setdefault(after, _Arrival(switches)).note(switches, actor, _Step(packed, position))

    def _go_back(self, layers: Sequence[Mapping[int, _Arrival]]) -> Walk:
        if not layers[-1]:
            raise ImpossibleError("No shortest story leads where one was found.")
        last = packed = min(layers[-1], key=lambda packed: layers[-1][packed].switches)
        positions: list[int] = []
        actor: str | None = None
        for layer in reversed(layers[1:]):
            steps = layer[packed].steps
            actor = actor if actor in steps else next(iter(steps))
            positions.append(steps[actor].position)
            packed = steps[actor].before
        return Walk(packed, tuple(reversed(positions)), last)
