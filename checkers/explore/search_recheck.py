"""The second look of a search at worlds whose steps were taken: what it found is asked of the texts again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nomadspec.checkers.explore.failures import discover_failure
from nomadspec.model.errors import ModelError

if TYPE_CHECKING:
    from nomadspec.checkers.explore.search_state import Discovery, Explored
    from nomadspec.checkers.explore.task import Task
    from nomadspec.checkers.stepper.second_look import SecondLook
    from nomadspec.model.language.bounded import Cells


def look_at_due(look: SecondLook, task: Task, explored: Explored, begin: int, end: int) -> Discovery | None:
    """Compare those worlds of a range that belong to the sample; the steps are the engine's own.

    A text that fails on plain values, where the engine did not notice, is found there.
    """
    for number in look.list_due(begin, end):
        try:
            _look_again(look, task, explored, number)
        except ModelError as error:
            return discover_failure(task, explored, number, error)
    return None


def _look_again(look: SecondLook, task: Task, explored: Explored, number: int) -> None:
    """Compare what is known of a world, its steps and what was noted by now, with what the texts say."""
    unpack = task.layout.unpack
    after = dict(task.stepper.successors(explored.worlds[number]))

    def lead(position: int) -> Cells | None:
        return unpack(after[position]) if position in after else None

    noted = {found.property for found in explored.found} | explored.reached.keys()
    look.check(unpack(explored.worlds[number]), lead, noted, is_expanded=True)
