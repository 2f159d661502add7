"""Exploring: every world of a bounded model is visited once, and what was found is reported."""

from __future__ import annotations

import sys
import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from nomadspec.checkers.explore.bounds import (
    CUT,
    bound_report,
    check_depth,
    has_cut,
    join_constraint,
    make_bounded_task,
)
from nomadspec.checkers.explore.checkpoint_schedule import Keeper, Kept
from nomadspec.checkers.explore.engines import AUTO, check_engine
from nomadspec.checkers.explore.failures import check_failing_promises
from nomadspec.checkers.explore.limits import STATES, Limits, check_limits
from nomadspec.checkers.explore.liveness import Endless
from nomadspec.checkers.explore.partial_order.audit import audit_reduction
from nomadspec.checkers.explore.reduction import NONE
from nomadspec.checkers.explore.report import make_report
from nomadspec.checkers.explore.running import AnySearch, Plan, Run, check_plan, close, find_reason
from nomadspec.checkers.explore.search import Search
from nomadspec.checkers.explore.story_choice import Told, find_told
from nomadspec.checkers.explore.unfolding import MOST_UNFOLDED, TOO_LARGE, check_promises
from nomadspec.checkers.progress import Progress, Silence
from nomadspec.checkers.stepper.second_look import SecondLook
from nomadspec.model.errors import ModelError, UsageError
from nomadspec.model.language.property import PATH_KINDS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from nomadspec.checkers.explore.bounds import Constraint
    from nomadspec.checkers.explore.search_state import Explored
    from nomadspec.checkers.explore.task import Task
    from nomadspec.checkers.explore.unfolding import SearchWhole
    from nomadspec.checkers.verdict import ExploreReport
    from nomadspec.model.language.bounded import BoundedModel
    from nomadspec.model.language.property import Property


def explore(  # noqa: PLR0913 - each is a choice that callers make by name
    bounded: BoundedModel,
    *,
    properties: Iterable[Property | str] | None = None,
    reduction: str = NONE,
    max_seconds: float | None = None,
    max_memory_mib: float | None = None,
    max_states: int | None = None,
    progress: Progress | None = None,
    checkpoint: Path | str | None = None,
    resume: bool = False,
    stop_at_first: bool = True,
    engine: str = AUTO,
    workers: int = 1,
    ray: bool = False,
    audit: bool = False,
    tells_fewest_switches: bool = True,
    max_depth: int | None = None,
    constraint: Constraint | None = None,
    most_unfolded: int = MOST_UNFOLDED,
    expected: int | None = None,
) -> ExploreReport:
    """Visit every world that can be reached, and check the properties (by default all, and deadlock).

    A search that is stopped leaves its checkpoint in the file given; with ``resume`` it goes on from there.
    The engine is ``auto`` (machine code for what is not small or ``expected`` to be large, where its package
    is installed), ``interpreted`` or ``compiled``; several workers share it, on Ray if wanted. Worlds that
    find no room in the memory that was allowed go to files. With ``audit`` a reduced search is repeated
    without reduction. Stories of violations are shortest ones; of these one in which actors change least
    often is told, unless that is not worth the time. A ``max_depth`` bounds how many steps lead to a world;
    from worlds outside of the ``constraint``, and of the scope's own, no steps are taken. In a reduced search
    properties of paths are asked of all worlds: of any number for who names properties, else of so many.
    """
    check_limits(max_seconds, max_memory_mib, max_states, workers)
    _check_audit(reduction, audit=audit)
    plan = _make_plan(engine, workers, max_memory_mib, checkpoint, ray=ray, expected=expected or 0)
    check_depth(max_depth, reduction, audit=audit)
    constraint = join_constraint(bounded, constraint)
    task = _make_checked_task(bounded, properties, reduction, stop_at_first, max_depth, constraint)
    limits = Limits(max_seconds, max_memory_mib, max_states)
    with Keeper(checkpoint, task) as keeper, limits.catching_interrupt():
        search: AnySearch = Search(task, keeper.load(plan.choose_folder()) if resume else None)
        keeper.begin(search.explored)
        search, stopped_by = Run(task, plan, limits, keeper, progress or Silence()).finish(search)
        kept = Kept() if stopped_by is None else keeper.keep_last(search.explored)
        begun = time.monotonic()
        hastened = search.explored.hasten(task)
        search_whole = partial(_search_whole, plan, limits, sys.maxsize if properties else most_unfolded)
        endless = _check_promises(hastened, search.explored, limits, search_whole)
        search.explored.seconds += time.monotonic() - begun
        audited = audit_reduction(task, limits) if audit else None
        limits.allow_memory()  # a story is told however little was allowed
        is_over = partial(_is_out_of_time, limits)
        told = find_told(hastened, search.explored, is_over) if tells_fewest_switches else Told()
        compared = audited if search.explored.is_complete else None
        later = endless.stopped_by or (None if compared is None else compared.stopped_by)
        if stopped_by is None and later is not None:
            stopped_by, kept = later, keeper.keep_last(search.explored)
        found = make_report(hastened, search.explored, endless, stopped_by, kept, told.walks)
        if stopped_by is None:
            keeper.forget()  # not before there is something in its place
    close(search)
    return replace(
        bound_report(bounded, found, constraint, max_depth),
        engine=search.engine,
        engine_notes=(*search.notes, *endless.notes),
        audited=audited,
        story_notes=told.notes,
    )


def _check_audit(reduction: str, *, audit: bool) -> None:
    if audit and reduction == NONE:
        raise UsageError("An audit compares a reduced search with the full one: choose a reduction as well.")


def _make_checked_task(
    bounded: BoundedModel,
    properties: Iterable[Property | str] | None,
    reduction: str,
    stop_at_first: bool,  # noqa: FBT001 -- as the caller chose
    max_depth: int | None,
    constraint: Constraint | None,
) -> Task:
    """Make the task of a search that asks something, of texts that say the same traced and run."""
    task = make_bounded_task(bounded, properties, reduction, stop_at_first, max_depth, constraint)
    if not task.asked:
        raise UsageError("No property is asked for, so nothing can hold: name one, or leave properties out.")
    SecondLook(bounded).check_some()
    return task


def _make_plan(
    engine: str,
    workers: int,
    memory_mib: float | None,
    checkpoint: Path | str | None,
    *,
    ray: bool,
    expected: int,
) -> Plan:
    check_engine(engine)
    folder = None if checkpoint is None else Path(checkpoint).absolute().parent
    plan = Plan(engine, workers, memory_mib, folder, expected=expected)
    check_plan(plan)
    if not ray:
        return plan
    from nomadspec.checkers.explore.sharded.ray_crew import find_cluster  # noqa: PLC0415 -- few searches are shared

    return replace(plan, cluster=find_cluster())


def _search_whole(plan: Plan, limits: Limits, most: int, whole: Task) -> tuple[Explored, str | None]:
    """Search so many worlds without reduction, within the same limits; nothing is kept of it."""
    alone = replace(plan, workers=1)
    with limits.at_most(most):
        search, stopped_by = Run(whole, alone, limits, Keeper(None, whole), Silence()).finish(Search(whole))
    is_too_large = stopped_by == STATES and len(search.explored.worlds) < limits.most_states
    return search.explored, TOO_LARGE if is_too_large else stopped_by


def _check_promises(
    task: Task, explored: Explored, limits: Limits, search_whole: SearchWhole | None
) -> Endless:
    """Check each ``eventually``; where one cannot be asked of a world, that is what is found."""
    if has_cut(explored):
        return Endless(not_checked={prop.name: CUT for prop in task.list_properties(*PATH_KINDS)})
    try:
        return check_promises(task, explored, lambda: find_reason(explored, limits), search_whole)
    except ModelError as error:
        is_over = partial(_is_out_of_time, limits)
        explored.found.append(check_failing_promises(task, explored, error, is_over=is_over))
        reason = "asking for it fails in a world that can be reached"
        return Endless(not_checked={prop.name: reason for prop in task.list_properties(*PATH_KINDS)})


def _is_out_of_time(limits: Limits) -> bool:
    """True if the time is over, although all worlds that may be stored are."""
    return limits.find_reason(0, 0) is not None
