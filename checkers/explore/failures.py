"""Failures: what the interpreter cannot do in a world that was reached, as a discovery like any other.

Whoever takes the steps only notices that something is wrong in a world. Here the interpreter is asked what it
is, so that all engines find the same. Such a discovery ends every search: what lies behind it has no meaning.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Never

from nomadspec.checkers.explore.search_state import Discovery
from nomadspec.model.language.broken_promises import Failure, find_failing_world, find_failure
from nomadspec.model.language.property import PATH_KINDS

if TYPE_CHECKING:
    from collections.abc import Callable

    from nomadspec.checkers.explore.search_state import Explored
    from nomadspec.checkers.explore.task import Task
    from nomadspec.model.errors import NomadSpecError


def find_failure_in(task: Task, packed: int) -> Failure | None:
    """Find the first thing that fails in a packed world or in a step from it."""
    return find_failure(task.bounded, task.layout.unpack(packed), task.properties)


def discover_failure(task: Task, explored: Explored, number: int, error: NomadSpecError) -> Discovery:
    """Find out what failed while the steps of a world were taken: there, or in a world that was just found.

    Where the interpreter finds nothing wrong with either, the error is about something else and goes on.
    """
    for at in dict.fromkeys((number, len(explored.worlds) - 1)):
        failure = find_failure_in(task, explored.worlds[at])
        if failure is not None:
            return Discovery(failure.promise, at)
    return _raise(error)


def discover_failure_behind(task: Task, explored: Explored, error: NomadSpecError) -> Discovery:
    """Find the first world whose steps were not taken yet that fails, or a step from which leads to one."""
    for number in range(explored.expanded, len(explored.worlds)):
        failure = find_failure_ahead(task, explored.worlds[number])
        if failure is not None:
            return Discovery(failure.promise, number)
    return _raise(error)


def find_failure_ahead(task: Task, packed: int) -> Failure | None:
    """Find what fails in a world, in a step from it, or in a world after such a step, which is then named."""
    bounded, cells = task.bounded, task.layout.unpack(packed)
    failure = find_failure_in(task, packed)
    for instance, after in () if failure is not None else bounded.successors(cells):
        behind = find_failing_world(bounded, after, task.properties)
        if behind is not None:
            return replace(behind, instance=instance)
    return failure


def check_failing_promises(
    task: Task, explored: Explored, error: NomadSpecError, *, is_over: Callable[[], bool]
) -> Discovery:
    """Find the first world in which an ``eventually`` cannot be asked, after one of them raised something."""
    asked = task.list_properties(*PATH_KINDS)
    for number, packed in enumerate(explored.worlds):
        failure = find_failing_world(task.bounded, task.layout.unpack(packed), asked)
        if failure is not None:
            return Discovery(failure.promise, number)
        if is_over():
            break
    return _raise(error)


def _raise(error: NomadSpecError) -> Never:
    raise error
