"""Simulating: many random walks from one seed, and a report of what they met."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from nomadspec.checkers.minimise import minimise
from nomadspec.checkers.progress import Progress, Silence
from nomadspec.checkers.requested_properties import (
    explain_paths,
    find_asked_of_runs,
    list_checked,
    name_idle_lemmas,
)
from nomadspec.checkers.simulate.splitmix import check_seed
from nomadspec.checkers.simulate.walker import Walker
from nomadspec.checkers.simulate.weights import Weights
from nomadspec.checkers.stepper.budgets import find_highest, list_budget_cells, make_budgets
from nomadspec.checkers.stopping import interruptible
from nomadspec.checkers.verdict import Finding, Scoped, SimulateReport, Verdict, find_kind
from nomadspec.model.errors import UsageError
from nomadspec.model.language.claim import tell
from nomadspec.model.language.fingerprint import format_digest
from nomadspec.model.language.property import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from nomadspec.checkers.requested_properties import Asked
    from nomadspec.checkers.simulate.walker import Discovery
    from nomadspec.model.language.bounded import BoundedModel
    from nomadspec.model.language.property import Property
    from nomadspec.model.language.story import Story

DEFAULT_WALKS: Final = 200
DEFAULT_STEPS: Final = 200
_LEAST_WALKS: Final = 1000
"""So many walks are made before it is said that there is nothing new to meet."""


def simulate(  # noqa: PLR0913 - each is a choice that callers make by name
    bounded: BoundedModel,
    *,
    seed: int,
    walks: int | None = None,
    max_steps: int = DEFAULT_STEPS,
    max_seconds: float | None = None,
    properties: Iterable[Property | str] | None = None,
    stop_at_first: bool = True,
    swarm: bool = False,
    faults: float | None = None,
    weights: Mapping[str, int] | None = None,
    until_coverage: float | None = None,
    progress: Progress | None = None,
) -> SimulateReport:
    """Walk so often and so far (or for so long) and check each step; by default everything but idle lemmas.

    Without a number of walks there are 200, or as many as begin in the time, or as many as it takes to meet
    so large a share of what there is. Rules are chosen evenly, or by weights: those given, those that each
    walk draws anew (``swarm``), and a rate of outside events (``faults``).
    """
    check_seed(seed)
    _check_limits(walks, max_steps, max_seconds, until_coverage)
    asked = find_asked_of_runs(bounded, properties)
    chosen = Weights(bounded.model.rules, is_swarm=swarm, faults=faults, fixed=weights)
    walker = Walker(bounded, asked, seed, max_steps, chosen)
    has_limit = any(limit is not None for limit in (walks, max_seconds, until_coverage))
    begun = time.monotonic()
    end = None if max_seconds is None else begun + max_seconds
    limits = _Limits(walks if has_limit else DEFAULT_WALKS, end, until_coverage, stop_at_first)
    try:
        with interruptible():
            stopped_by = _walk(walker, limits, progress or Silence())
    except KeyboardInterrupt:
        stopped_by = "interrupt"
    report = _report(bounded, asked, walker, seed, time.monotonic() - begun, stopped_by, until_coverage)
    if properties is None:
        return replace(report, idle=name_idle_lemmas(bounded))
    return replace(report, ways=_list_ways(bounded, walker, seed))


@dataclass(frozen=True, slots=True)
class _Limits:
    """What ends the walking."""

    walks: int | None
    end: float | None
    coverage: float | None
    stops_at_first: bool

    def find_reason(self, walker: Walker, last_news: int) -> str | None:
        """Say what ends the walking now; nothing but the time depends on the machine."""
        if self.end is not None and time.monotonic() >= self.end:
            return "time"
        if self.stops_at_first and walker.is_decided:
            return "violation"
        if self.coverage is None:
            return None
        if walker.coverage.share >= self.coverage:
            return "coverage"
        is_open = self.walks is None and self.end is None
        return "saturation" if is_open and walker.walks >= max(_LEAST_WALKS, 2 * last_news) else None


def _walk(walker: Walker, limits: _Limits, progress: Progress) -> str | None:
    news, last_news = 0, 0
    while limits.walks is None or walker.walks < limits.walks:
        reason = limits.find_reason(walker, last_news)
        if reason is not None:
            return reason
        walker.walk(stops_at_first=limits.stops_at_first)
        if walker.coverage.news > news:
            news, last_news = walker.coverage.news, walker.walks
        progress.update(f"{walker.steps:,} steps", walker.walks, limits.walks)
    reason = limits.find_reason(walker, last_news)
    return reason if reason in {"violation", "coverage"} else None


def _check_limits(
    walks: int | None, max_steps: int, max_seconds: float | None, until_coverage: float | None
) -> None:
    if until_coverage is not None and not 0 < until_coverage <= 1:
        raise UsageError(f"until_coverage must be more than 0 and at most 1, not {until_coverage}.")
    for name, number in (("walks", walks), ("max_steps", max_steps), ("max_seconds", max_seconds)):
        if number is not None and number <= 0:
            raise UsageError(f"{name} must be more than 0, not {number}.")


def _report(
    bounded: BoundedModel,
    asked: Asked,
    walker: Walker,
    seed: int,
    seconds: float,
    stopped_by: str | None,
    until_coverage: float | None,
) -> SimulateReport:
    lemmas = {prop.name for prop in asked.properties if prop.is_lemma}
    found = sorted(walker.found, key=lambda discovery: discovery.property in lemmas)
    findings = tuple(_find(bounded, walker, discovery, seed) for discovery in found)
    highest = find_highest(walker.layout, walker.budgets, list_budget_cells(bounded))
    return SimulateReport(
        about=Scoped(bounded.model.name, bounded.scope, bounded.sizes, bounded.profile.name),
        verdict=Verdict.VIOLATED if findings else _judge_walks(walker, until_coverage, stopped_by),
        seed=seed,
        walks=walker.walks,
        steps=walker.steps,
        seconds=seconds,
        digest=format_digest(walker.digest),
        findings=findings,
        reached={prop.name: prop.name in walker.reached for prop in asked.list_properties(Kind.SOMETIMES)},
        fired=walker.fired,
        budgets=make_budgets(bounded, highest),
        stopped_by=stopped_by,
        checked=list_checked(asked, findings),
        not_checked=explain_paths(asked, "a walk"),
        coverage=walker.coverage.report(),
    )


def _judge_walks(walker: Walker, until_coverage: float | None, stopped_by: str | None) -> Verdict:
    """Judge walks without a finding; who wants more of them, or more coverage, cannot rely on these."""
    is_short = until_coverage is not None and walker.coverage.share < until_coverage
    return Verdict.INCONCLUSIVE if is_short or stopped_by == "interrupt" else Verdict.NOT_REFUTED


def _list_ways(bounded: BoundedModel, walker: Walker, seed: int) -> dict[str, Story]:
    """Tell how each ``sometimes`` that was asked for by its name came true."""
    return {name: _tell(bounded, walker, discovery, seed) for name, discovery in walker.reached.items()}


def _find(bounded: BoundedModel, walker: Walker, discovery: Discovery, seed: int) -> Finding:
    story = _tell(bounded, walker, discovery, seed)
    shown = story.property or discovery.property
    return Finding(shown, find_kind(bounded, shown), story)


def _tell(bounded: BoundedModel, walker: Walker, discovery: Discovery, seed: int) -> Story:
    """Tell a story without the steps that it does not need."""
    first = walker.layout.unpack(discovery.first)
    instances = [bounded.instances[position] for position in discovery.positions]
    return minimise(bounded, tell(bounded, first, instances, about=discovery.property, seed=seed))
