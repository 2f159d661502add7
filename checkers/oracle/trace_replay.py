"""Replays the log of a recorded cluster on the model, and keeps what the comparison needs."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from typing import Final

import msgspec

from nomadspec.checkers.oracle.trace_allowed import Clock
from nomadspec.checkers.oracle.trace_log import OF_RAFT, TypedEntry
from nomadspec.model.cluster.entities import Deployment
from nomadspec.model.cluster.store import Applied, State, apply
from nomadspec.model.cluster.store.entries import OUTSIDE_TABLES
from nomadspec.model.cluster.store.initial import make_initial_state
from nomadspec.model.cluster.store.requests import ApplyPlanResults, DeploymentPromote, JobRegister, Outside
from nomadspec.model.specification.profiles import Profile

LATE_NS: Final = 4_102_444_800_000_000_000
"""A time after that of any recording, for states that were computed from the log after the run."""

SERVICES: Final = "ServiceRegistration"
"""What the types of entries begin with that are about services."""

ReadClock = Callable[[msgspec.Struct], int]
"""Says what the server's own clock shows when it applies a request."""


class Step(msgspec.Struct, frozen=True):
    """An entry and what came of it."""

    typed: TypedEntry
    applied: Applied


class Replay(msgspec.Struct, frozen=True):
    """A replayed log."""

    steps: tuple[Step, ...]
    clock: Clock

    def find_state(self, index: int) -> State:
        """Find the state after the entry with an index, or after the last one before it."""
        position = self._find_position(index)
        return self.steps[position - 1].applied.state if position else make_initial_state()

    def _find_position(self, index: int) -> int:
        """Find where the steps begin that come after the entry with an index."""
        return bisect_right(self.steps, index, key=lambda step: step.typed.entry.index)

    def find_latest(self, index: int) -> State:
        """Find the newest state of an index: to configure schedulers leaves none behind.

        Spec: OBJ-026.
        """
        state = self.find_state(index)
        for step in self.steps[self._find_position(index) :]:
            if step.applied.state.latest_index != state.latest_index:
                break
            state = step.applied.state
        return state

    def list_gaps(self) -> frozenset[int]:
        """List the indexes of entries of which nobody knows what they do."""
        return frozenset(
            step.typed.entry.index
            for step in self.steps
            if isinstance(step.typed.entry.request, Outside)
            and step.typed.type not in OUTSIDE_TABLES
            and step.typed.type not in OF_RAFT
        )

    def list_services(self) -> frozenset[int]:
        """List the indexes of entries that register services or take them away.

        Spec: OBJ-397.
        """
        return frozenset(
            step.typed.entry.index for step in self.steps if step.typed.type.startswith(SERVICES)
        )


def replay_log(entries: Sequence[TypedEntry], profile: Profile, read_clock: ReadClock) -> Replay:
    """Apply all entries, one after the other."""
    state = make_initial_state()
    steps: list[Step] = []
    own: set[int] = set()
    for typed in entries:
        now_ns = read_clock(typed.entry.request)
        applied = apply(state, typed.entry, now_ns=now_ns, profile=profile)
        own.update(_list_own_times(typed.entry.request, applied, now_ns))
        steps.append(Step(typed, applied))
        state = applied.state
    return Replay(tuple(steps), Clock(frozenset(own - {0})))


def read_late_clock(_: msgspec.Struct) -> int:
    """Show a time after that of any recording."""
    return LATE_NS


def read_run_clock(request: msgspec.Struct) -> int:
    """Show the time at which the entry was made, which is shortly before it was applied."""
    match request:
        case DeploymentPromote():
            return request.eval.create_time_ns if request.eval else request.promoted_at_ns
        case JobRegister():
            return request.job.submit_time_ns if request.job else 0
        case ApplyPlanResults():
            return request.updated_at_ns
    return 0


def _list_own_times(request: msgspec.Struct, applied: Applied, now_ns: int) -> Iterator[int]:
    yield now_ns
    if not isinstance(request, DeploymentPromote):
        return
    after = applied.state.find_deployment(request.deployment_id)
    if applied.error is None and isinstance(after, Deployment):
        for state in after.task_groups.values():
            if state is not None and state.require_progress_by_ns == now_ns + state.progress_deadline_ns:
                yield state.require_progress_by_ns
