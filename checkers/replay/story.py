"""The story of a recorded cluster: each entry of its log, how it was judged, what is impossible first."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from nomadspec.checkers.oracle.check import is_trace, judge_trace
from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.explain.derived_share import Share, find_share
from nomadspec.checkers.oracle.judgement import Difference, Judgement, Ruling
from nomadspec.checkers.oracle.trace_log import read_log
from nomadspec.checkers.oracle.trace_replay import Replay, read_run_clock, replay_log
from nomadspec.checkers.oracle.trace_window import read_time
from nomadspec.checkers.replay.candidates import Candidate, list_candidates
from nomadspec.checkers.replay.entry_sentences import find_actor, tell_step
from nomadspec.model.cluster.store.initial import make_initial_state
from nomadspec.model.cluster.store.requests import Outside

_PLACE: Final = re.compile(r"^raft-log\[(\d+)\]\.?(.*)$", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Event:
    """One entry of the log."""

    index: int
    at_ns: int
    """When it was asked for by the clock of a server; 0 where no entry so far has told a time."""
    actor: str
    what: str
    share: Share | None
    """How it was judged; none for entries that are about the log itself."""
    wrong: tuple[Difference, ...] = ()


@dataclass(frozen=True, slots=True)
class Impossible:
    """The first step that cannot be, and what could have been in its place."""

    index: int | None
    """Of its entry; none where what differs is not said of an entry, but of a table or a line."""
    field: str
    difference: Difference
    candidates: tuple[Candidate, ...] = ()
    """What was tried, and why none of it leads to what was recorded."""


@dataclass(frozen=True, slots=True)
class Story:
    """What a recording tells, and what is said of it."""

    folder: Path
    judgement: Judgement
    events: tuple[Event, ...]
    impossible: Impossible | None = None


def tell_story(folder: Path, context: Context) -> Story:
    """Judge the recording of a cluster as ``vectors check`` does, and tell it entry by entry."""
    judgement = judge_trace(folder, context)
    reading = Context(profile=context.profile, limits=context.limits)
    log = tuple(read_log(folder, reading)) if is_trace(folder) else ()
    replay = replay_log(log, context.profile, read_run_clock)
    differences = list_differences(judgement)
    events = _list_events(replay, differences, frozenset(context.derived))
    return Story(folder, judgement, events, _find_impossible(replay, judgement, context))


def list_differences(judgement: Judgement) -> tuple[Difference, ...]:
    """List all differences of a judgement."""
    first = () if judgement.difference is None else (judgement.difference,)
    return (*first, *judgement.others)


def find_place(difference: Difference) -> tuple[int | None, str]:
    """Find the index of the entry where a difference is, and the field in it."""
    found = _PLACE.match(difference.path)
    return (int(found[1]), found[2]) if found else (None, difference.path)


def _list_events(
    replay: Replay, differences: Sequence[Difference], derived: frozenset[int]
) -> tuple[Event, ...]:
    wrong: defaultdict[int | None, list[Difference]] = defaultdict(list)
    for difference in differences:
        wrong[find_place(difference)[0]].append(difference)
    events, before, now_ns = [], make_initial_state(), 0
    for step in replay.steps:
        entry = step.typed.entry
        now_ns = max(now_ns, read_time(entry.request))
        share = None if isinstance(entry.request, Outside) else find_share(step, derived)
        told = tell_step(step, before)
        events.append(
            Event(entry.index, now_ns, find_actor(step), told, share, tuple(wrong.get(entry.index, ())))
        )
        before = step.applied.state
    return tuple(events)


def _find_impossible(replay: Replay, judgement: Judgement, context: Context) -> Impossible | None:
    """Find the first step that is impossible: by its index, and only then what differs elsewhere."""
    if judgement.ruling is not Ruling.REJECTED or judgement.difference is None:
        return None
    placed: Mapping[int, Difference] = {
        index: each
        for each in reversed(list_differences(judgement))
        if (index := find_place(each)[0]) is not None
    }
    if not placed:
        return Impossible(None, judgement.difference.path, judgement.difference)
    index = min(placed)
    _, field = find_place(placed[index])
    return Impossible(index, field, placed[index], list_candidates(replay, index, context.profile))
