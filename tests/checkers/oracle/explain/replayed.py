"""Recorded clusters, replayed and judged by what was decided alone."""

from functools import cache
from pathlib import Path

from msgspec.structs import replace

from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.judgement import Difference
from nomadspec.checkers.oracle.trace_log import TypedEntry, read_log
from nomadspec.checkers.oracle.trace_replay import Replay, read_run_clock, replay_log
from nomadspec.model.cluster.store import Entry
from nomadspec.model.cluster.store.requests import Outside
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.recorded import FOLDER


@cache
def replay_soak(name: str) -> Replay:
    """Replay the log of a long random run."""
    folder: Path = FOLDER / "soak" / name
    return replay_log(tuple(read_log(folder, Context(NOMAD_2_0))), NOMAD_2_0, read_run_clock)


def replay_without(replay: Replay, *indexes: int) -> Replay:
    """Replay a log in which some entries were never written."""
    left = [
        TypedEntry("LogBarrier", Entry(step.typed.entry.index, Outside()))
        if step.typed.entry.index in indexes
        else replace(step.typed)
        for step in replay.steps
    ]
    return replay_log(left, NOMAD_2_0, read_run_clock)


def list_rules(differences: list[Difference]) -> list[tuple[str, str]]:
    """List where differences are, and by which rules."""
    return [(each.path, each.rule) for each in differences]
