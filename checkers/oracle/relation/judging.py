"""Says of a recorded call whether any choice leads to what came out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from nomadspec.checkers.oracle.compare import compare
from nomadspec.checkers.oracle.judgement import Difference, Undecided
from nomadspec.checkers.oracle.relation.fixed import list_counters, list_fixed
from nomadspec.checkers.oracle.relation.search import Search


def judge_relation(search: Search) -> Iterator[Difference]:
    """Accept what some choice leads to; reject what none does, as far as that can be told.

    What no choice touches is compared first. The rest is searched; when the search has to be given up, nobody
    knows.
    """
    yield from _compare_fixed(search)
    found = search.run()
    if found.is_found:
        return
    if not found.is_exhausted:
        raise Undecided("the search over visiting orders was given up")
    differences = [*search.explain(), *_list_nearest(search.recorded, found.outcomes)]
    if not differences:
        differences = [Difference("outcome", "all that was recorded", "no choice leads to it", "RANK-06")]
    yield from differences


def _compare_fixed(search: Search) -> Iterator[Difference]:
    """Compare what the reconciler of services and batches decides before any node is looked for.

    Where several allocations could as well be stopped, even that may differ: one run that agrees is enough.
    """
    if not search.has_cluster_reconciler:
        return
    differences: list[Difference] = []
    for free in search.run_freely():
        found = list(_compare_with(search.recorded, free))
        if not found:
            return
        differences = differences or found
    yield from differences


def _compare_with(recorded: Mapping[str, Any], free: Mapping[str, Any]) -> Iterator[Difference]:
    if len(free["plans"]) != len(recorded["plans"]):
        return
    yield from compare(list_fixed(recorded), list_fixed(free), "outcome")
    if len(recorded["plans"]) <= 1 and len(free["updated_evals"]) == len(recorded["updated_evals"]):
        place = "outcome.updated_evals.PlanAnnotations.DesiredTGUpdates"
        yield from compare(list_counters(recorded), list_counters(free), place)


def _list_nearest(recorded: Mapping[str, Any], outcomes: list[Mapping[str, Any]]) -> list[Difference]:
    """List the differences to the nearest of the outcomes that were reached."""
    listed = [list(compare(recorded, outcome, "outcome")) for outcome in outcomes]
    return min(listed, key=len, default=[])
