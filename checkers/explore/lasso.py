"""Fair loops: where a path can go on for ever without owing a step to any fairness group."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nomadspec.model.errors import ImpossibleError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from nomadspec.checkers.explore.components import Components
    from nomadspec.checkers.explore.graph import Graph


@dataclass(frozen=True, slots=True)
class Hop:
    """A step of a loop: the position of the instance, and the world after it."""

    position: int
    target: int


def list_fair_parts(graph: Graph, components: Components, members: list[int]) -> Iterator[list[int]]:
    """List the parts of some worlds of which each world can be visited again and again on a fair path.

    A weak group is owed nothing where it happens inside or is impossible somewhere. A strong group that is
    possible somewhere but never happens inside rules out the worlds in which it is possible; the rest is
    looked at again.
    """
    waiting = [members]
    while waiting:
        for part in components.find(waiting.pop()):
            inside = set(part)
            always, somewhere, happens = -1, 0, 0
            for world in part:
                possible = graph.possible(world)
                always &= possible
                somewhere |= possible
                happens |= graph.happening(world, inside)
            owed = graph.strong & somewhere & ~happens
            if graph.weak & always & ~happens:
                continue
            if not owed:
                yield part
            else:
                waiting.append([world for world in part if not graph.possible(world) & owed])


def find_loop_through(graph: Graph, part: list[int], start: int) -> list[Hop]:
    """Find a fair loop in a fair part: from a world past all that fairness asks for, and back."""
    inside = set(part)
    somewhere, happens = 0, 0
    for world in part:
        somewhere |= graph.possible(world)
        happens |= graph.happening(world, inside)
    router = _Router(graph, inside, start)
    for bit in _list_bits(graph.strong & somewhere):
        router.take_step(bit)
    for bit in _list_bits(graph.weak):
        router.satisfy(bit, can_happen=bool(happens & bit))
    router.go(lambda world: world == start)
    return router.loop


class _Router:
    """A walk inside a part that grows until fairness is owed nothing."""

    def __init__(self, graph: Graph, inside: set[int], start: int) -> None:
        self._graph = graph
        self._inside = inside
        self._here = start
        self.loop: list[Hop] = []
        self._taken = 0
        self._always = graph.possible(start)

    def take_step(self, bit: int) -> None:
        """Go where the group can happen, and let it."""
        if not self._taken & bit:
            self.go(lambda world: self._find_hop(world, bit) is not None)
            hop = self._find_hop(self._here, bit)
            if hop is None:
                raise ImpossibleError("A group that happens inside a part was not found there.")
            self._add(hop)

    def satisfy(self, bit: int, *, can_happen: bool) -> None:
        """Go where the group is impossible or can happen, whichever is nearer."""
        if self._taken & bit or not self._always & bit:
            return
        self.go(
            lambda world: (
                not self._graph.possible(world) & bit
                or (can_happen and self._find_hop(world, bit) is not None)
            )
        )
        if self._always & bit:
            self.take_step(bit)

    def go(self, is_wanted: Callable[[int], bool]) -> None:
        """Take a shortest way to a world that is wanted."""
        came: dict[int, tuple[int, Hop]] = {}
        queue = deque([self._here])
        known = {self._here}
        while queue and not is_wanted(queue[0]):
            world = queue.popleft()
            for hop in self._list_hops(world):
                if hop.target not in known:
                    known.add(hop.target)
                    came[hop.target] = (world, hop)
                    queue.append(hop.target)
        if not queue:
            raise ImpossibleError("A part that is strongly connected has a world without a way to another.")
        way = []
        world = queue[0]
        while world != self._here:
            world, hop = came[world]
            way.append(hop)
        for hop in reversed(way):
            self._add(hop)

    def _add(self, hop: Hop) -> None:
        self.loop.append(hop)
        self._here = hop.target
        self._taken |= self._graph.group_bits[hop.position]
        self._always &= self._graph.possible(hop.target)

    def _find_hop(self, world: int, bit: int) -> Hop | None:
        hops = self._list_hops(world)
        return next((hop for hop in hops if self._graph.group_bits[hop.position] & bit), None)

    def _list_hops(self, world: int) -> Iterator[Hop]:
        edges = self._graph.edges
        for place in edges.span(world):
            if edges.targets[place] in self._inside:
                yield Hop(edges.positions[place], edges.targets[place])


def _list_bits(mask: int) -> Iterator[int]:
    while mask:
        bit = mask & -mask
        yield bit
        mask ^= bit
