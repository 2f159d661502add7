"""Simulating: many random walks from one seed, and a report of what they met."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from nomadspec.checkers.asked import find_asked
from nomadspec.checkers.minimise import minimise
from nomadspec.checkers.progress import Progress, Silence
from nomadspec.checkers.simulate.splitmix import check_seed
from nomadspec.checkers.simulate.walker import Walker
from nomadspec.checkers.stepper.budgets import find_highest, list_budget_cells, make_budgets
from nomadspec.checkers.verdict import Finding, Scoped, SimulateReport, Verdict
from nomadspec.model.claim import tell
from nomadspec.model.errors import UsageError
from nomadspec.model.fingerprint import format_digest
from nomadspec.model.property import Kind
from nomadspec.model.story import DEADLOCK

if TYPE_CHECKING:
    from collections.abc import Iterable

    from nomadspec.checkers.asked import Asked
    from nomadspec.checkers.simulate.walker import Discovery
    from nomadspec.model.bounded import BoundedModel
    from nomadspec.model.property import Property

DEFAULT_WALKS: Final = 200
DEFAULT_STEPS: Final = 200

NOT_ON_A_WALK: Final = "a walk ends, so it cannot show that something never comes true"
"""Why an ``eventually`` is not checked."""


def simulate(  # noqa: PLR0913 - each is a choice that callers make by name
    bounded: BoundedModel,
    *,
    seed: int,
    walks: int | None = None,
    max_steps: int = DEFAULT_STEPS,
    max_seconds: float | None = None,
    properties: Iterable[Property | str] | None = None,
    stop_at_first: bool = True,
    progress: Progress | None = None,
) -> SimulateReport:
    """Walk so often and so far (or for so long) and check each step; by default everything, and deadlock.

    Without a number of walks there are 200, or as many as begin in the time.
    """
    check_seed(seed)
    _check_limits(walks, max_steps, max_seconds)
    asked = find_asked(bounded, properties)
    walker = Walker(bounded, asked, seed, max_steps)
    most_walks = DEFAULT_WALKS if walks is None and max_seconds is None else walks
    begun = time.monotonic()
    end = None if max_seconds is None else begun + max_seconds
    try:
        stopped_by = _walk(walker, most_walks, end, progress or Silence(), stops_at_first=stop_at_first)
    except KeyboardInterrupt:
        stopped_by = "interrupt"
    return _report(bounded, asked, walker, seed, time.monotonic() - begun, stopped_by)


def _walk(
    walker: Walker, most_walks: int | None, end: float | None, progress: Progress, *, stops_at_first: bool
) -> str | None:
    while most_walks is None or walker.walks < most_walks:
        if end is not None and time.monotonic() >= end:
            return "time"
        walker.walk(stops_at_first=stops_at_first)
        progress.update(f"{walker.steps:,} steps", walker.walks, most_walks)
        if stops_at_first and walker.is_decided:
            return "violation"
    return None


def _check_limits(walks: int | None, max_steps: int, max_seconds: float | None) -> None:
    for name, number in (("walks", walks), ("max_steps", max_steps), ("max_seconds", max_seconds)):
        if number is not None and number <= 0:
            raise UsageError(f"{name} must be more than 0, not {number}.")


def _report(
    bounded: BoundedModel, asked: Asked, walker: Walker, seed: int, seconds: float, stopped_by: str | None
) -> SimulateReport:
    lemmas = {prop.name for prop in asked.properties if prop.is_lemma}
    found = sorted(walker.found, key=lambda discovery: discovery.property in lemmas)
    findings = tuple(_find(bounded, walker, discovery, seed) for discovery in found)
    highest = find_highest(walker.layout, walker.budgets, list_budget_cells(bounded))
    return SimulateReport(
        about=Scoped(bounded.model.name, bounded.scope, bounded.sizes, bounded.profile.name),
        verdict=Verdict.VIOLATED if findings else Verdict.NOT_REFUTED,
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
        checked=asked.names(Kind.ALWAYS, Kind.STEP, Kind.SOMETIMES),
        not_checked={prop.name: NOT_ON_A_WALK for prop in asked.list_properties(Kind.EVENTUALLY)},
    )


def _find(bounded: BoundedModel, walker: Walker, discovery: Discovery, seed: int) -> Finding:
    """Tell the story of a violation without the steps that it does not need."""
    name = discovery.property
    first = walker.layout.unpack(discovery.first)
    instances = [bounded.instances[position] for position in discovery.positions]
    story = minimise(bounded, tell(bounded, first, instances, about=name, seed=seed))
    return Finding(name, None if name == DEADLOCK else bounded.model.find_property(name).kind, story)
