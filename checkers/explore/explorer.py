"""Exploring: every world of a bounded model is visited once, and what was found is reported."""

from __future__ import annotations

import sys
import time
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final, TypeAlias

from nomadspec.checkers.explore.compiled import compile_search
from nomadspec.checkers.explore.engines import AUTO, check_engine, check_steps, find_size_to_compile
from nomadspec.checkers.explore.keeper import Keeper
from nomadspec.checkers.explore.limits import Limits
from nomadspec.checkers.explore.liveness import check_endless
from nomadspec.checkers.explore.partial_order.audit import audit_reduction
from nomadspec.checkers.explore.reduction import NONE
from nomadspec.checkers.explore.report import make_report
from nomadspec.checkers.explore.search import Search
from nomadspec.checkers.explore.task import make_task
from nomadspec.checkers.explore.telling import find_told
from nomadspec.checkers.progress import Progress, Silence
from nomadspec.checkers.verdict import Verdict
from nomadspec.model.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from nomadspec.checkers.explore.compiled import CompiledSearch
    from nomadspec.checkers.explore.explored import Explored
    from nomadspec.checkers.explore.task import Task
    from nomadspec.checkers.verdict import ExploreReport
    from nomadspec.model.bounded import BoundedModel
    from nomadspec.model.property import Property

AnySearch: TypeAlias = "Search | CompiledSearch"

_WORLDS_AT_ONCE: Final = 128
"""How many worlds are expanded between two looks at the limits."""


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
    audit: bool = False,
    tells_fewest_switches: bool = True,
) -> ExploreReport:
    """Visit every world that can be reached, and check the properties (by default all, and deadlock).

    A search that is stopped leaves its checkpoint in the file given; with ``resume`` it goes on from there.
    The engine is ``auto`` (machine code for what is not small, where its package is installed),
    ``interpreted`` or ``compiled``. With ``audit`` a reduced search is repeated without reduction, and both
    are compared. Stories of violations are shortest ones; of these one in which actors change least often is
    told, unless that is not worth the time.
    """
    check_engine(engine)
    if audit and reduction == NONE:
        raise UsageError("An audit compares a reduced search with the full one: choose a reduction as well.")
    task = make_task(bounded, properties, reduction, stops_at_first=stop_at_first)
    check_steps(engine, task)
    limits = Limits(max_seconds, max_memory_mib, max_states)
    keeper = Keeper(checkpoint, task)
    search: AnySearch = Search(task, keeper.load() if resume else None)
    keeper.begin(search.explored)
    with limits.catching_interrupt():
        search, stopped_by = _run(task, search, limits, keeper, progress or Silence(), engine)
        begun = time.monotonic()
        endless = check_endless(task, search.explored, lambda: _find_reason(search.explored, limits))
        search.explored.seconds += time.monotonic() - begun
        audited = audit_reduction(task, limits) if audit else None
        is_over = partial(_is_out_of_time, limits)
        walks = find_told(task, search.explored, is_over) if tells_fewest_switches else {}
    stopped_by = stopped_by or endless.stopped_by
    kept = keeper.end(search.explored, is_over=stopped_by is None)
    report = make_report(task, search.explored, endless, stopped_by, kept, walks)
    if audited is not None and audited.stopped_by is not None and report.verdict is Verdict.HOLDS:
        report = replace(report, verdict=Verdict.INCONCLUSIVE, stopped_by=audited.stopped_by)
    return replace(report, engine=search.engine, engine_notes=search.notes, audited=audited)


def _run(
    task: Task, search: AnySearch, limits: Limits, keeper: Keeper, progress: Progress, engine: str
) -> tuple[AnySearch, str | None]:
    """Search until nothing is left or a limit is reached; give the search that ended, and the limit."""
    compiles_from = find_size_to_compile(engine)
    while not search.is_over:
        explored = search.explored
        stopped_by = _find_reason(explored, limits)
        if stopped_by is not None:
            return search, stopped_by
        begun = time.monotonic()
        if len(explored.worlds) >= compiles_from:
            compiles_from = sys.maxsize
            compiled = compile_search(task, explored)
            if isinstance(compiled, str):
                search.notes = (compiled,)
            else:
                search, explored = compiled, compiled.explored
        search.expand(_WORLDS_AT_ONCE, limits.most_states)
        explored.seconds += time.monotonic() - begun
        keeper.keep_now_and_then(explored)
        try:
            progress.update(f"level {explored.depth}", len(explored.worlds))
        except KeyboardInterrupt:
            limits.interrupt()
    return search, None


def _is_out_of_time(limits: Limits) -> bool:
    """Tell whether to stop though all worlds that may be stored are."""
    return limits.find_reason(0, 0) is not None


def _find_reason(explored: Explored, limits: Limits) -> str | None:
    return limits.find_reason(len(explored.worlds), explored.measure_table())
