"""Stories against what is not inductive: from the initial worlds on, and back from the steps that break it.

One search goes forward for all properties together, and one goes back for each step. They know nothing of
each other, so they may run side by side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from nomadspec.checkers.smt.bmc import BoundedSearch
from nomadspec.checkers.smt.parallel_questions import ask_in_parallel
from nomadspec.checkers.smt.reach import BackwardSearch
from nomadspec.model.language.claim import tell

if TYPE_CHECKING:
    from nomadspec.checkers.progress import Progress
    from nomadspec.checkers.smt.question import Patience
    from nomadspec.checkers.verdict import Reach
    from nomadspec.model.language.bounded import BoundedModel
    from nomadspec.model.language.story import Replay, Story

Told: TypeAlias = "Story | Reach"
"""A story against a property, or whether anything leads to a step that breaks it."""


class Refuter:
    """Searches for stories of at most so many steps."""

    def __init__(self, bounded: BoundedModel, patience: Patience, progress: Progress, steps: int) -> None:
        """Keep where to search, and how far."""
        self._bounded = bounded
        self._patience = patience
        self._progress = progress
        self._steps = steps

    def refute(self, goals: Sequence[str], gaps: Mapping[str, Replay]) -> Iterator[tuple[str, Told]]:
        """Tell of each goal a story against it, or else whether anything leads to the step of its gap.

        Where something is told twice, the last is the better one: the shortest story.
        """
        refuted: set[str] = set()

        def list_questions() -> Iterator[tuple[str, Callable[[], dict[str, Told]]]]:
            yield "", partial(self._search, goals)
            for name, gap in gaps.items():
                if name not in refuted:
                    yield name, partial(self._search_back, name, gap)

        with closing(ask_in_parallel(_run, list_questions(), self._patience.workers)) as answered:
            for (about, _), found in answered:
                told = found if found is not None else {}
                yield from ((name, one) for name, one in told.items() if name not in refuted)
                refuted |= set() if about else told.keys()

    def _search(self, goals: Sequence[str]) -> dict[str, Told]:
        search = BoundedSearch(self._bounded, self._patience)
        return {**search.find_stories(goals, self._steps, self._progress)}

    def _search_back(self, name: str, gap: Replay) -> dict[str, Told]:
        """Mark the world of a gap as reachable or not; a way to it makes a story."""
        search = BackwardSearch(self._bounded, self._patience, gap.first, name)
        reach, instances, first = search.find(self._steps)
        if first is None:
            return {name: reach}
        last = gap.failure.instance if gap.failure is not None else gap.moments[0].instance
        ends = [last] if last is not None else []
        return {name: tell(self._bounded, first, [*instances, *ends], about=name)}


def _run(question: tuple[str, Callable[[], dict[str, Told]]]) -> dict[str, Told]:
    return question[1]()
