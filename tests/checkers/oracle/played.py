"""Logs of scenarios, as a recorder of the cluster would hold them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from nomadspec.checkers.oracle.explain.redelivered_calls import ELECTED
from nomadspec.checkers.oracle.trace_log import TypedEntry
from nomadspec.checkers.oracle.trace_replay import Replay, read_run_clock, replay_log
from nomadspec.checkers.scenario.play import play
from nomadspec.model.cluster.acts import GainLeadership, commit
from nomadspec.model.cluster.store import Entry, State
from nomadspec.model.cluster.store.entries import REQUEST_TYPES
from nomadspec.model.cluster.store.requests import Outside
from nomadspec.model.cluster.world import World
from nomadspec.model.specification.profiles import NOMAD_2_0, Profile

_NAMES = {kind: name for name, kind in REQUEST_TYPES.items()}


class _Written:
    """Which entry led from which state to which; worlds that were only tried lead nowhere."""

    def __init__(self) -> None:
        self.before: dict[int, tuple[State, State, TypedEntry]] = {}
        """By the state after an entry: that state itself, which is kept so, the one before, and the entry."""
        self.elected: dict[int, State] = {}

    def note(self, before: State, after: State, request: Any) -> None:
        if after is not before:
            typed = TypedEntry(_NAMES[type(request)], Entry(before.latest_index + 1, request))
            self.before[id(after)] = after, before, typed

    def list_log(self, state: State) -> list[TypedEntry]:
        """List the entries that led to a state; a new leader writes one first."""
        log: list[TypedEntry] = []
        while id(state) in self.before:
            _, before, typed = self.before[id(state)]
            if id(state) in self.elected:
                log.append(TypedEntry(ELECTED, Entry(state.latest_index, Outside())))
            log.append(typed)
            state = before
        return log[::-1]


def log_scenario(path: Path, patch: pytest.MonkeyPatch, profile: Profile = NOMAD_2_0) -> Replay:
    """Play a scenario, and replay the log that its cluster has written."""
    written, append, gain = _Written(), commit._append, GainLeadership.take

    def note(world: World, request: Any) -> commit.Committed:
        done = append(world, request)
        written.note(world.state, done.world.state, request)
        return done

    def note_leader(act: GainLeadership, world: World) -> World:
        written.elected[id(world.state)] = world.state
        return gain(act, world)

    with patch.context() as patched:
        patched.setattr(commit, "_append", note)
        patched.setattr(GainLeadership, "take", note_leader)
        run = play(path, profile)
    return replay_log(written.list_log(run.world.state), profile, read_run_clock)
