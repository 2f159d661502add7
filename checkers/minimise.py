"""Shorter stories with the same end: what a story does not need is dropped, on the interpreter.

A random walk does much that has nothing to do with how it ends. Whole stretches are left out, then smaller
ones, then single steps, and pairs of them; what cannot happen any more after that is left out as well. Where
a world comes back, the way round is cut, and where one step leads straight to a later world, it replaces the
way there. In the end no step can be dropped. There may be a shorter story still: only the explorer finds the
shortest.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Final

from nomadspec.model.claim import tell
from nomadspec.model.property import Kind
from nomadspec.model.story import DEADLOCK, replay

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from nomadspec.model.bounded import BoundedModel, Cells
    from nomadspec.model.property import Property
    from nomadspec.model.story import Story
    from nomadspec.model.trace import Instance

_LONGEST_FOR_PAIRS: Final = 60
"""Beyond so many steps there are too many pairs."""


def minimise(bounded: BoundedModel, story: Story) -> Story:
    """Give a story with the same end and no needless step; a lasso, or what claims nothing, stays."""
    if story.property is None or story.loop is not None:
        return story
    told = replay(story, bounded)
    shortener = _Shortener(bounded, told.first, _find_end(bounded, story.property))
    steps = shortener.shorten([moment.instance for moment in told.moments])
    return tell(bounded, told.first, steps, about=story.property, seed=story.seed)


class _Shortener:
    """Plays parts of a story again and again; worlds and steps that it met are remembered."""

    def __init__(self, bounded: BoundedModel, first: Cells, end: _End) -> None:
        self._bounded = bounded
        self._first = first
        self._end = end
        self._after: dict[tuple[Cells, int], Cells | None] = {}

    def shorten(self, steps: list[Instance]) -> list[Instance]:
        """Drop and replace steps until neither makes the story shorter."""
        best: list[Instance] | None = self._play(steps)
        shorter = best
        while shorter is not None:
            best = self._drop_stretches(shorter)
            shorter = self._drop_pair(best) or self._find_shortcut(best)
        return best or []

    def _drop_stretches(self, best: list[Instance]) -> list[Instance]:
        """Leave out stretches, long ones first, until not even a single step can be left out."""
        size = max(1, len(best) // 2)
        while True:
            shorter = self._drop_once(best, size)
            if size == 1 and len(shorter) == len(best):
                return best
            best, size = shorter, max(1, size // 2)

    def _drop_once(self, best: list[Instance], size: int) -> list[Instance]:
        """Try to leave out each stretch of a size, from the end: later steps seldom need what is there."""
        end = len(best)
        while end > 0:
            begin = max(0, end - size)
            shorter = self._play(best[:begin] + best[end:])
            if shorter is not None and len(shorter) < len(best):
                best = shorter
            end = min(begin, len(best))
        return best

    def _drop_pair(self, best: list[Instance]) -> list[Instance] | None:
        """Find two steps that can only be left out together, such as there and back."""
        pairs = combinations(range(len(best)), 2) if len(best) <= _LONGEST_FOR_PAIRS else ()
        for one, other in pairs:
            shorter = self._play([*best[:one], *best[one + 1 : other], *best[other + 1 :]])
            if shorter is not None:
                return shorter
        return None

    def _find_shortcut(self, best: list[Instance]) -> list[Instance] | None:
        """Find one step that leads straight to a later world."""
        worlds = self._visit(best)
        for at, cells in enumerate(worlds):
            later = {world: place for place, world in enumerate(worlds) if place > at + 1}
            for instance in self._bounded.instances if later else ():
                place = later.get(self._step(cells, instance) or ())
                if place is not None:
                    shorter = self._play([*best[:at], instance, *best[place:]])
                    if shorter is not None and len(shorter) < len(best):
                        return shorter
        return None

    def _play(self, steps: Sequence[Instance]) -> list[Instance] | None:
        """Take those steps that can happen, up to the end that is wanted; None where it does not come."""
        cells = self._first
        path: list[Instance] = []
        places = {cells: 0}
        if self._end.is_world(cells):
            return []
        for instance in steps:
            after = self._step(cells, instance)
            if after is None:
                continue
            if self._end.is_step(cells, instance, after) or self._end.is_world(after):
                return [*path, instance]
            path.append(instance)
            if after in places:
                self._cut(path, places, places[after])
            places[after] = len(path)
            cells = after
        return None

    @staticmethod
    def _cut(path: list[Instance], places: dict[Cells, int], length: int) -> None:
        del path[length:]
        for world in [world for world, place in places.items() if place > length]:
            del places[world]

    def _visit(self, steps: Sequence[Instance]) -> list[Cells]:
        worlds = [self._first]
        for instance in steps:
            after = self._step(worlds[-1], instance)
            worlds += [after] if after is not None else []
        return worlds

    def _step(self, cells: Cells, instance: Instance) -> Cells | None:
        key = (cells, instance.number)
        if key not in self._after:
            self._after[key] = self._bounded.step(cells, instance)
        return self._after[key]


class _End:
    """How a story is to end: with a world or with a step."""

    def __init__(
        self,
        is_world: Callable[[Cells], bool] | None = None,
        is_step: Callable[[Cells, Instance, Cells], bool] | None = None,
    ) -> None:
        self._is_world = is_world
        self._is_step = is_step
        self._worlds: dict[Cells, bool] = {}

    def is_world(self, cells: Cells) -> bool:
        """Tell whether the story may end in this world."""
        if self._is_world is None:
            return False
        if cells not in self._worlds:
            self._worlds[cells] = self._is_world(cells)
        return self._worlds[cells]

    def is_step(self, before: Cells, instance: Instance, after: Cells) -> bool:
        """Tell whether the story may end with this step."""
        return self._is_step is not None and self._is_step(before, instance, after)


def _find_end(bounded: BoundedModel, about: str) -> _End:
    if about == DEADLOCK:
        return _End(lambda cells: not (any(bounded.successors(cells)) or bounded.is_at_rest(cells)))
    prop: Property = bounded.model.find_property(about)
    if prop.kind is Kind.STEP:
        return _End(is_step=lambda *step: not bounded.holds_step(prop, *step))
    return _End(lambda cells: bounded.holds(prop, cells) is (prop.kind is Kind.SOMETIMES))
