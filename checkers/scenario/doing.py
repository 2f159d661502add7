"""Doing what a line says: an act that must be possible, and what comes of it."""

from __future__ import annotations

from itertools import islice

from nomadspec.checkers.scenario.run import Run
from nomadspec.model.cluster.acts import Act
from nomadspec.model.cluster.acts.registry import list_choices, show
from nomadspec.model.errors import UsageError


def do(run: Run, one: Act) -> None:
    """Take an act, and let happen what follows without waiting."""
    run.take(one)
    run.settle()


def do_possible(run: Run, one: Act, *, settles: bool = True) -> None:
    """Take an act that is among what could be done now."""
    if not one.is_possible(run.world):
        possible = [show(each) for each in islice(list_choices(run.world, [type(one)]), 8)]
        raise UsageError(f"this is not possible here; possible: {', '.join(possible) or 'nothing'}")
    run.take(one)
    if settles:
        run.settle()
