"""Shorter stories with the same end: what a story does not need is dropped, on the interpreter.

A random walk does much that has nothing to do with how it ends. Whole stretches are left out, then smaller
ones, then single steps, and pairs of them; what cannot happen any more after that is left out as well. Where
a world comes back, the way round is cut, and where one step leads straight to a later world, it replaces the
way there. Then the neighbourhood of the story is searched, level by level from its first world and from those
after it, for a shorter way to a later world or to the end, as far as a number of steps allows. In the end no
step can be dropped. There may be a shorter story still: only the explorer finds the shortest.

Where all worlds around a story can be looked at, it is a shortest one. How far that goes is a number of steps
and not of seconds, so the same story comes out everywhere.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Final

from nomadspec.model.errors import ModelError
from nomadspec.model.language.broken_promises import find_failing_step, find_failing_world
from nomadspec.model.language.claim import tell
from nomadspec.model.language.model_promises import PROMISES
from nomadspec.model.language.property import Kind
from nomadspec.model.language.story import DEADLOCK, replay

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from nomadspec.model.language.bounded import BoundedModel, Cells
    from nomadspec.model.language.property import Property
    from nomadspec.model.language.story import Replay, Story
    from nomadspec.model.language.trace import Instance

_LONGEST_FOR_PAIRS: Final = 60
"""Beyond so many steps there are too many pairs."""

_STEPS_AROUND: Final = 20_000
"""So many instances are tried in worlds around a story; what was tried before costs nothing."""


def minimise(bounded: BoundedModel, story: Story) -> Story:
    """Give a story with the same end and no needless step; a lasso, or what claims nothing, stays."""
    if story.property is None or story.loop is not None:
        return story
    told = replay(story, bounded)
    shortener = _Shortener(bounded, told.first, _find_end(bounded, story.property))
    steps = shortener.shorten([moment.instance for moment in told.moments] + list_failing(told))
    return tell(bounded, told.first, steps, about=story.property, seed=story.seed)


def list_failing(told: Replay) -> list[Instance]:
    """List the step of a replay that fails, if there is one."""
    failure = told.failure
    return [failure.instance] if failure is not None and failure.instance is not None else []


class _Shortener:
    """Plays parts of a story again and again; worlds and steps that it met are remembered."""

    def __init__(self, bounded: BoundedModel, first: Cells, end: _End) -> None:
        self._bounded = bounded
        self._first = first
        self._end = end
        self._after: dict[tuple[Cells, int], Cells | None] = {}
        self._left = _STEPS_AROUND

    def shorten(self, steps: list[Instance]) -> list[Instance]:
        """Drop and replace steps until neither makes the story shorter."""
        best: list[Instance] | None = self._play(steps)
        shorter = best
        while shorter is not None:
            best = self._drop_stretches(shorter)
            shorter = self._drop_pair(best) or self._find_shortcut(best) or self._find_detour(best)
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

    def _find_detour(self, best: list[Instance]) -> list[Instance] | None:
        """Find a shorter way from a world of the story to a later one, or to the end, through others."""
        worlds = self._visit(best)
        for at in range(len(best) - 1):
            if self._left <= 0:
                return None
            way = self._search_around(worlds, at)
            if way is not None:
                instances, place = way
                return [*best[:at], *instances, *best[place:]]
        return None

    def _search_around(self, worlds: Sequence[Cells], at: int) -> tuple[list[Instance], int] | None:
        """Search level by level; gives a way that is shorter, and the place on the story it leads to."""
        last = len(worlds) - 1  # only the right step makes it an end
        places = {world: place for place, world in enumerate(worlds[:last]) if place > at}
        came: dict[Cells, tuple[Cells, Instance] | None] = {worlds[at]: None}
        level = [worlds[at]]
        for length in range(1, last - at):
            following: list[Cells] = []
            for cells in level:
                for instance, after in self._list_after(cells):
                    is_end = self._end.is_step(cells, instance, after) or self._end.is_world(after)
                    place = last if is_end else places.get(after, 0)
                    if place - at > length:
                        return [*_trace(came, cells), instance], place
                    if after not in came:
                        came[after] = cells, instance
                        following.append(after)
                if self._left <= 0:
                    return None
            level = following
        return None

    def _list_after(self, cells: Cells) -> list[tuple[Instance, Cells]]:
        """List what can happen in a world; what was not known yet is paid for."""
        known = len(self._after)
        after = [(instance, self._step(cells, instance)) for instance in self._bounded.instances]
        self._left -= len(self._after) - known
        return [(instance, world) for instance, world in after if world is not None]

    def _play(self, steps: Sequence[Instance]) -> list[Instance] | None:
        """Take those steps that can happen, up to the end that is wanted; None where it does not come."""
        cells = self._first
        path: list[Instance] = []
        places = {cells: 0}
        if self._end.is_world(cells):
            return []
        for instance in steps:
            if self._end.is_failing(cells, instance):
                return [*path, instance]
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
        """Take a step; one that fails is left out like one that is not possible."""
        key = (cells, instance.number)
        if key not in self._after:
            try:
                self._after[key] = self._bounded.step(cells, instance)
            except ModelError:
                self._after[key] = None
        return self._after[key]


def _trace(came: Mapping[Cells, tuple[Cells, Instance] | None], cells: Cells) -> list[Instance]:
    """Go back to where a search began, and list the steps from there."""
    steps: list[Instance] = []
    here = came[cells]
    while here is not None:
        before, instance = here
        steps.append(instance)
        here = came[before]
    return steps[::-1]


class _End:
    """How a story is to end: with a world or with a step."""

    def __init__(
        self,
        is_world: Callable[[Cells], bool] | None = None,
        is_step: Callable[[Cells, Instance, Cells], bool] | None = None,
        is_failing: Callable[[Cells, Instance], bool] | None = None,
    ) -> None:
        self._is_world = is_world
        self._is_step = is_step
        self._is_failing = is_failing
        self._failing: dict[tuple[Cells, int], bool] = {}
        self._worlds: dict[Cells, bool] = {}

    def is_world(self, cells: Cells) -> bool:
        """True if the story may end in this world."""
        if self._is_world is None:
            return False
        if cells not in self._worlds:
            self._worlds[cells] = _is_true(self._is_world, cells)
        return self._worlds[cells]

    def is_step(self, before: Cells, instance: Instance, after: Cells) -> bool:
        """True if the story may end with this step."""
        return self._is_step is not None and _is_true(self._is_step, before, instance, after)

    def is_failing(self, before: Cells, instance: Instance) -> bool:
        """True if the story may end with this step, which fails."""
        if self._is_failing is None:
            return False
        key = (before, instance.number)
        if key not in self._failing:
            self._failing[key] = self._is_failing(before, instance)
        return self._failing[key]


def _is_true(question: Callable[..., bool], *asked: object) -> bool:
    """True if the answer about another way than the one that was told is yes; none that fails is."""
    try:
        return question(*asked)
    except ModelError:
        return False


def _find_end(bounded: BoundedModel, about: str) -> _End:
    if about == DEADLOCK:
        return _End(lambda cells: not (any(bounded.successors(cells)) or bounded.is_at_rest(cells)))
    if about in PROMISES:
        return _find_failing_end(bounded, about)
    prop: Property = bounded.model.find_property(about)
    if prop.kind is Kind.STEP:
        return _End(is_step=lambda *step: not bounded.holds_step(prop, *step))
    return _End(lambda cells: bounded.holds(prop, cells) is (prop.kind is Kind.SOMETIMES))


def _find_failing_end(bounded: BoundedModel, about: str) -> _End:
    properties = bounded.model.properties

    def is_world(cells: Cells) -> bool:
        failure = find_failing_world(bounded, cells, properties)
        return failure is not None and failure.promise == about

    def is_failing(before: Cells, instance: Instance) -> bool:
        failure = find_failing_step(bounded, before, instance, properties)
        return failure is not None and failure.promise == about

    return _End(is_world, is_failing=is_failing)
