"""Logs of clusters that nobody recorded: walks of the model, as they write them.

Everything that happens in a walk may happen in a cluster: plans are judged by old states, evaluations are
delivered twice, leaders are lost, jobs change while a scheduler works on them. No entry may be refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, Final

import pytest
from msgspec.structs import replace

from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.explain.acts import compare_acts
from nomadspec.checkers.oracle.explain.causes import compare_promises
from nomadspec.checkers.oracle.explain.obligations import Rest, compare_obligations
from nomadspec.checkers.oracle.explain.outcomes import compare_outcomes
from nomadspec.checkers.oracle.judgement import Difference
from nomadspec.checkers.oracle.trace_asks import compare_asks
from nomadspec.checkers.oracle.trace_decisions import compare_decisions
from nomadspec.checkers.oracle.trace_log import TypedEntry
from nomadspec.checkers.oracle.trace_plans import compare_plans
from nomadspec.checkers.oracle.trace_replay import Replay, read_run_clock, replay_log
from nomadspec.checkers.stateful.world import drawing, themes
from nomadspec.checkers.stateful.world.drawing import Drawer
from nomadspec.checkers.stateful.world.moves import MS, Move, Pass, find_move, pass_time
from nomadspec.model.cluster.acts import Act, GainLeadership, commit, find_next_due
from nomadspec.model.cluster.acts.applier import FailPlan, JudgePlan
from nomadspec.model.cluster.acts.settings import LoseEntry
from nomadspec.model.cluster.store import Entry
from nomadspec.model.cluster.store.entries import REQUEST_TYPES
from nomadspec.model.cluster.store.requests import ApplyPlanResults, Outside
from nomadspec.model.cluster.world import World
from nomadspec.model.specification.profiles import NOMAD_2_0, Profile

_NAMES: Final = {kind: name for name, kind in REQUEST_TYPES.items()}
_UNTOLD: Final = (FailPlan, LoseEntry)
"""An entry fails with its leader; that it fails and the leader goes on is no matter of a recording."""
_PROMPT: Final = 0.9
"""How often an applier has learnt of all ends ..."""
_MOMENT_MS: Final = 1000
"""... and after so much time it always has: then no copy of it is older than an entry that is under way."""
MOST_LEFT: Final = 4000
MOST_MOVES: Final = 4
"""A walk in which little happens goes on until enough has, up to so many times its moves."""


class _Recorder:
    """A cluster under way, and the log that it writes."""

    def __init__(self, seed: str) -> None:
        self.random = Random(seed)
        self.drawer = Drawer(self.random)
        self.log: list[TypedEntry] = []
        self.world: World
        self.planned_ns = 0

    def begin(self) -> None:
        self.world = self.drawer.draw_setup().build(NOMAD_2_0)

    def write(self, world: World, request: Any) -> None:
        if isinstance(request, ApplyPlanResults):
            self.planned_ns = world.now_ns
        entry = Entry(world.state.latest_index + 1, request)
        self.log.append(TypedEntry(_NAMES[type(request)], entry))

    def take(self, chosen: Act) -> None:
        if isinstance(chosen, _UNTOLD):
            return
        is_prompt = self.random.random() < _PROMPT or self.world.now_ns > self.planned_ns + _MOMENT_MS * MS
        if isinstance(chosen, JudgePlan) and is_prompt:
            chosen = max(JudgePlan.choices(self.world), key=lambda judge: judge.collected)
        if isinstance(chosen, GainLeadership):
            self.log.append(TypedEntry("LogNoop", Entry(self.world.state.latest_index, Outside())))
        later = self.world.now_ns + self.random.randrange(1, 8) * MS
        self.world = chosen.take(replace(self.world, now_ns=later, written=()))

    def go_on(self) -> bool:
        """Let the cluster do something by itself; False where nothing is left to do."""
        move = self.drawer._draw_inside(self.world)
        self.move(move)
        return move is not None

    def draw(self) -> Move:
        if self.random.random() < self.drawer.outside:
            return self._draw_outside()
        found = self.drawer._draw_inside(self.world)
        if found is not None:
            return found
        due_ns = find_next_due(self.world)
        if due_ns is None or due_ns <= self.world.now_ns or self._is_busy():
            return self._draw_outside()
        late = self.random.choice((0, 0, 1, 300))
        return Pass(-(-(due_ns - self.world.now_ns) // MS) + late)

    def move(self, move: Move | None) -> None:
        if isinstance(move, Pass):
            self.world = pass_time(self.world, move.ms)
        elif move is not None and (chosen := find_move(self.world, move)) is not None:
            self.take(chosen)

    def _draw_outside(self) -> Move:
        move = self.drawer._draw_outside(self.world)
        if isinstance(move, Pass):
            return Pass(1 if self._is_busy() else self.random.choice((1, 50, 1000)))
        return move

    def _is_busy(self) -> bool:
        """Tell whether somebody works: then hardly any time passes."""
        leader = self.world.leader
        held = any(worker.held for worker in self.world.workers.values())
        return bool(leader.in_flight or leader.judged or held)


_UPDATED_BEFORE: Final = {
    "canary": ("0", "1"),
    "max_parallel": ("1", "2"),
    "auto_promote": ("yes", "no"),
    "auto_revert": ("yes", "no"),
}
_THEMES_BEFORE: Final = 4


def draw_as_before(patch: pytest.MonkeyPatch) -> None:
    """Draw from what there was when some walks were refused, so that their seeds still tell of the same."""
    service = {**drawing._ANY, **drawing._COUNTED, **_UPDATED_BEFORE}
    offered = {**drawing.OFFERED, "service": service, "system": {**drawing._ANY, **_UPDATED_BEFORE}}
    patch.setattr(drawing, "OFFERED", offered)
    patch.setattr(themes, "THEMES", themes.THEMES[:_THEMES_BEFORE])


def walk_log(seed: str, moves: int, patch: pytest.MonkeyPatch) -> Replay:
    """Let a cluster walk, and replay the log that it has written."""
    recorder, append = _Recorder(seed), commit._append

    def note(world: World, request: Any) -> commit.Committed:
        recorder.write(world, request)
        return append(world, request)

    with patch.context() as patched:
        patched.setattr(commit, "_append", note)
        recorder.begin()
        for at in range(MOST_MOVES * moves):
            if at >= moves and len(recorder.log) > moves // 10:
                break
            recorder.move(recorder.draw())
        for _ in range(MOST_LEFT):
            if not recorder.go_on():
                break
    return replay_log(recorder.log, NOMAD_2_0, read_run_clock)


def judge_walk(replay: Replay, profile: Profile = NOMAD_2_0) -> Iterator[Difference]:
    """List everything that is said against a log of which nobody told how it ended."""
    context = Context(profile)
    yield from compare_decisions(replay, profile)
    yield from compare_plans(replay, context)
    yield from compare_asks(replay)
    yield from compare_outcomes(replay, context)
    yield from compare_acts(replay, context)
    yield from compare_promises(replay, context)
    yield from compare_obligations(replay, Rest(0, 0, is_quiet=False), profile)
