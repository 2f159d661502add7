"""Holds recorded log entries against the kernel's rules, as far as they write what the kernel keeps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.families import state_store as recorded
from nomadspec.checkers.oracle.refinement.report import Step
from nomadspec.checkers.oracle.refinement.scene import Outside
from nomadspec.checkers.oracle.refinement.store_sight import assign, look, put_on_stage
from nomadspec.checkers.oracle.refinement.store_steps import ACTS, Entry
from nomadspec.checkers.oracle.shape import read_shape
from nomadspec.checkers.oracle.store_rows import read_rows
from nomadspec.model.cluster.store import State
from nomadspec.model.specification.profiles import Profile


def refine(vector: Mapping[str, Any], context: Context) -> Iterator[Step]:
    """Apply every entry, and hold what it changed against the kernel."""
    sequence = read_shape(recorded.Sequence, vector)
    rows = {table: change.created for table, change in sequence.initial.tables.items()}
    state = State.of(**read_rows(rows, "initial.tables"), indexes=sequence.initial.index)
    for position, entry in enumerate(sequence.entries):
        request = recorded.read_request(entry, f"entries[{position}]", context)
        applied = recorded.apply_recorded(state, entry, f"entries[{position}]", context)
        yield hold(position, entry.type, Entry(request, state, applied.state), context.profile)
        state = applied.state


def hold(position: int, name: str, entry: Entry, profile: Profile) -> Step:
    """Hold one entry against the kernel; one that changes nothing which it sees is no step of it."""
    cast = assign(entry.before, entry.after)
    expected = look(entry.after, cast)
    if expected == look(entry.before, cast):
        return Step(position, f"{name} (nothing that the kernel sees)", expected, expected)
    act = ACTS.get(type(entry.request))
    if act is None:
        return Step(position, name, outside="an entry about a deployment that writes more")
    try:
        staged = put_on_stage(entry.before, cast, profile)
        return Step(position, name, staged.see() if act(entry, staged) else None, expected, gap=staged.gap)
    except Outside as answer:
        return Step(position, name, outside=answer.name)
