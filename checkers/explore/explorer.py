"""Exploring: every world of a bounded model is visited once, and what was found is reported."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from nomadspec.checkers.explore.engines import AUTO, check_engine
from nomadspec.checkers.explore.keeper import Keeper, Kept
from nomadspec.checkers.explore.limits import Limits, check_limits
from nomadspec.checkers.explore.partial_order.audit import audit_reduction
from nomadspec.checkers.explore.reduction import NONE
from nomadspec.checkers.explore.report import make_report
from nomadspec.checkers.explore.running import AnySearch, Plan, Run, check_plan, find_reason
from nomadspec.checkers.explore.search import Search
from nomadspec.checkers.explore.sharded.ray_crew import find_cluster
from nomadspec.checkers.explore.sharded.search import SharedSearch
from nomadspec.checkers.explore.task import make_task
from nomadspec.checkers.explore.telling import Told, find_told
from nomadspec.checkers.explore.unfolding import check_promises
from nomadspec.checkers.progress import Progress, Silence
from nomadspec.model.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from nomadspec.checkers.explore.explored import Explored
    from nomadspec.checkers.explore.task import Task
    from nomadspec.checkers.verdict import ExploreReport
    from nomadspec.model.bounded import BoundedModel
    from nomadspec.model.property import Property


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
) -> ExploreReport:
    """Visit every world that can be reached, and check the properties (by default all, and deadlock).

    A search that is stopped leaves its checkpoint in the file given; with ``resume`` it goes on from there.
    The engine is ``auto`` (machine code for what is not small, where its package is installed),
    ``interpreted`` or ``compiled``; several workers share it, on Ray if wanted. Worlds that find no room in
    the memory that was allowed go to files. With ``audit`` a reduced search is repeated without reduction,
    and both are compared. Stories of violations are shortest ones; of these one in which actors change least
    often is told, unless that is not worth the time.
    """
    check_limits(max_seconds, max_memory_mib, max_states, workers)
    if audit and reduction == NONE:
        raise UsageError("An audit compares a reduced search with the full one: choose a reduction as well.")
    plan = _make_plan(engine, workers, max_memory_mib, checkpoint, ray=ray)
    task = make_task(bounded, properties, reduction, stops_at_first=stop_at_first)
    if not task.asked:
        raise UsageError("No property is asked for, so nothing can hold: name one, or leave properties out.")
    limits = Limits(max_seconds, max_memory_mib, max_states)
    with Keeper(checkpoint, task) as keeper, limits.catching_interrupt():
        search: AnySearch = Search(task, keeper.load(plan.choose_folder()) if resume else None)
        keeper.begin(search.explored)
        search, stopped_by = Run(task, plan, limits, keeper, progress or Silence()).finish(search)
        begun = time.monotonic()
        hastened = search.explored.hasten(task)
        search_whole = partial(_search_whole, plan, limits) if properties is not None else None
        endless = check_promises(
            hastened, search.explored, lambda: find_reason(search.explored, limits), search_whole
        )
        search.explored.seconds += time.monotonic() - begun
        audited = audit_reduction(task, limits) if audit else None
        limits.allow_memory()  # a story is told however little was allowed
        is_over = partial(_is_out_of_time, limits)
        told = find_told(hastened, search.explored, is_over) if tells_fewest_switches else Told()
        stopped_by = stopped_by or endless.stopped_by
        if audited is not None and search.explored.is_complete:
            stopped_by = stopped_by or audited.stopped_by
        kept = Kept() if stopped_by is None else keeper.keep_last(search.explored)
        report = make_report(hastened, search.explored, endless, stopped_by, kept, told.walks)
        if stopped_by is None:
            keeper.forget()  # not before there is something in its place
    if isinstance(search, SharedSearch):
        search.close()
    notes = (*search.notes, *endless.notes)
    return replace(report, engine=search.engine, engine_notes=notes, audited=audited, story_notes=told.notes)


def _make_plan(
    engine: str, workers: int, memory_mib: float | None, checkpoint: Path | str | None, *, ray: bool
) -> Plan:
    check_engine(engine)
    folder = None if checkpoint is None else Path(checkpoint).absolute().parent
    plan = Plan(engine, workers, memory_mib, folder)
    check_plan(plan)
    return replace(plan, cluster=find_cluster()) if ray else plan


def _search_whole(plan: Plan, limits: Limits, whole: Task) -> tuple[Explored, str | None]:
    """Search without reduction, within the same limits; nothing is kept of it."""
    alone = replace(plan, workers=1)
    search, stopped_by = Run(whole, alone, limits, Keeper(None, whole), Silence()).finish(Search(whole))
    return search.explored, stopped_by


def _is_out_of_time(limits: Limits) -> bool:
    """Tell whether to stop though all worlds that may be stored are."""
    return limits.find_reason(0, 0) is not None
