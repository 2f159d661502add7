"""The same search twice: by the interpreter's steps, and by machine code."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from functools import lru_cache

import pytest

from nomadspec.checkers.explore.compiled import CompiledSearch, compile_search
from nomadspec.checkers.explore.reduction import PARTIAL_ORDER, REDUCTIONS
from nomadspec.checkers.explore.search import Search
from nomadspec.checkers.explore.search_state import Explored
from nomadspec.checkers.explore.sharded.making import Sharing, share_search
from nomadspec.checkers.explore.sharded.search import SharedSearch
from nomadspec.checkers.explore.task import Task, make_task
from nomadspec.model.errors import ModelError
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.fingerprint import format_digest

TRIED_REDUCTIONS = [
    pytest.param(name, marks=pytest.mark.deep) if name == PARTIAL_ORDER else name for name in REDUCTIONS
]
"""Steps are left out every day together with symmetry, and alone where the deep tests run."""


@dataclass(frozen=True)
class Asked:
    """A search that is to be made."""

    bounded: BoundedModel
    reduction: str = "none"
    stops: bool = True
    most: int = sys.maxsize
    by_hand: int = 0
    """How many worlds the interpreter expands before machine code takes over."""
    properties: tuple[str, ...] | None = None

    def task(self) -> Task:
        return _make_task(self.bounded, self.reduction, self.properties, stops=self.stops)


@lru_cache(maxsize=8)
def _make_task(
    bounded: BoundedModel, reduction: str, properties: tuple[str, ...] | None, *, stops: bool
) -> Task:
    """Make it once for all searches that are compared: what disturbs what takes long to find."""
    return make_task(bounded, properties, reduction, stops_at_first=stops)


def compile_for(task: Task, begun: Explored) -> CompiledSearch:
    search = compile_search(task, begun)
    assert isinstance(search, CompiledSearch), search
    return search


def run_interpreted(asked: Asked) -> dict[str, object]:
    """Search, or tell what the same search found before: it is compared with several others."""
    return _run_interpreted(replace(asked, by_hand=0))


@lru_cache(maxsize=8)
def _run_interpreted(asked: Asked) -> dict[str, object]:
    task = asked.task()
    search = Search(task)
    problem = _finish(search, asked)
    return describe(task, search.explored, problem)


def run_compiled(asked: Asked) -> dict[str, object]:
    task = asked.task()
    begun = Search(task)
    begun.expand(asked.by_hand, asked.most)
    if begun.is_over:
        return describe(task, begun.explored, None)
    search = compile_for(task, begun.explored)
    problem = _finish(search, asked)
    return describe(task, search.explored, problem)


def run_shared(asked: Asked, sharing: Sharing, *, is_compiled: bool) -> dict[str, object]:
    task = asked.task()
    begun = Search(task)
    begun.expand(asked.by_hand, asked.most)
    if begun.is_over:
        return describe(task, begun.explored, None)
    search = share_search(task, begun.explored, sharing, is_compiled=is_compiled)
    assert isinstance(search, SharedSearch), search
    try:
        problem = _finish(search, asked)
        return describe(task, search.explored, problem)
    finally:
        search.close()


def _finish(search: Search | CompiledSearch | SharedSearch, asked: Asked) -> str | None:
    try:
        while not search.is_over and len(search.explored.worlds) < asked.most:
            search.expand(128, asked.most)
    except ModelError as problem:
        return str(problem)
    return None


def describe(task: Task, explored: Explored, problem: str | None) -> dict[str, object]:
    """Give everything that was found, for comparison; after an error only the error counts."""
    if problem is not None:
        return {"problem": problem}
    edges = explored.edges
    budgets = [place for place in task.bounded.frame.placed.values() if place.field.is_budget]
    counted = [cell for place in budgets for cell in range(place.base, place.base + place.span)]
    return {
        "worlds": list(explored.worlds),
        "parents": list(explored.parents),
        "fired": list(explored.fired),
        "found": [(found.property, found.world) for found in explored.found],
        "reached": dict(sorted(explored.reached.items())),
        "counts": (explored.expanded, explored.level_end, explored.depth, explored.generated),
        "digest": format_digest(explored.compute_digest(task.layout.byte_count)),
        "budgets": explored.find_highest(task.layout, counted),
        "edges": edges and (list(edges.ends), list(edges.targets), list(edges.positions)),
    }


def find_difference(asked: Asked) -> str:
    """Say in what the two searches differ; nothing where they do not."""
    return compare(run_interpreted(asked), run_compiled(asked))


def compare(expected: dict[str, object], actual: dict[str, object]) -> str:
    """Say in what two searches differ; nothing where they do not."""
    differing = [name for name in {**expected, **actual} if expected.get(name) != actual.get(name)]
    return ", ".join(f"{name}: {expected.get(name)!r:.200} / {actual.get(name)!r:.200}" for name in differing)
