"""Holds the log entries of recorded clusters against the kernel's rules."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.refinement.report import Step
from nomadspec.checkers.oracle.refinement.state_store import hold
from nomadspec.checkers.oracle.refinement.store_steps import Entry
from nomadspec.checkers.oracle.trace_log import read_log
from nomadspec.checkers.oracle.trace_replay import read_run_clock, replay_log
from nomadspec.model.cluster.store.initial import make_initial_state


def refine_folder(folder: Path, context: Context) -> Iterator[Step]:
    """Apply the log of a cluster, and hold what each entry changed against the kernel."""
    before = make_initial_state()
    for step in replay_log(tuple(read_log(folder, context)), context.profile, read_run_clock).steps:
        typed, after = step.typed, step.applied.state
        entry = Entry(typed.entry.request, before, after)
        yield hold(typed.entry.index, typed.type, entry, context.profile)
        before = after
