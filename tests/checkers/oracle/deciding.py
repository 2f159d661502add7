"""Recorded logs in which one decision was changed, while all states stay as they were."""

from collections.abc import Callable
from functools import cache
from typing import Any

from msgspec.structs import replace

from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.judgement import Difference
from nomadspec.checkers.oracle.trace_decisions import compare_decisions
from nomadspec.checkers.oracle.trace_log import read_log
from nomadspec.checkers.oracle.trace_replay import Replay, read_run_clock, replay_log
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.recorded import find_trace

Pick = Callable[[Any], bool]
Change = Callable[[Any], Any]


@cache
def replay_recorded(name: str) -> Replay:
    """Replay a recorded log."""
    return replay_log(tuple(read_log(find_trace(name), Context(NOMAD_2_0))), NOMAD_2_0, read_run_clock)


def list_places_of_difference(name: str, pick: Pick, change: Change) -> list[str]:
    """Change the first request that is picked in a recorded log, and list where decisions differ then."""
    return [each.path.partition("].")[2] for each in list_differences(name, pick, change)]


def list_differences(name: str, pick: Pick, change: Change) -> list[Difference]:
    """Change the first request that is picked in a recorded log, and list the differences then."""
    replay = replay_recorded(name)
    at, request = next(
        (at, step.typed.entry.request)
        for at, step in enumerate(replay.steps)
        if pick(step.typed.entry.request)
    )
    step = replay.steps[at]
    entry = replace(step.typed.entry, request=change(request))
    changed = replace(step, typed=replace(step.typed, entry=entry))
    steps = (*replay.steps[:at], changed, *replay.steps[at + 1 :])
    return list(compare_decisions(replace(replay, steps=steps), NOMAD_2_0))
