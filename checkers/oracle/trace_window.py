"""Which states of a recorded cluster a decision may have been made on: so many entries back, or so long."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import msgspec

from nomadspec.model.cluster.entities import Job
from nomadspec.model.cluster.entities.scalar import NS_PER_S
from nomadspec.model.cluster.store import State
from nomadspec.model.cluster.store.initial import make_initial_state
from nomadspec.model.cluster.store.requests import (
    AllocClientUpdate,
    AllocUpdateDesiredTransition,
    ApplyPlanResults,
    DeploymentPromote,
    DeploymentUpdateStatus,
    EvalUpdate,
    JobDeregister,
    JobRegister,
)


class Reach(NamedTuple):
    """How old a state may be on which a decision was made."""

    entries: int
    """So many entries may have been written since, however long that took."""
    span_ns: int
    """As long as this ago it may have been the newest, however many entries came since."""


LONG: Final = Reach(32, 4 * NS_PER_S)
"""Where something is waited for in between: the drainer gathers for a second what it marks."""
SHORT: Final = Reach(8, 2 * NS_PER_S)
"""Where nothing is."""


@dataclass(slots=True)
class History:
    """The states after each entry so far, with when each of them came to be as far as the log tells."""

    states: list[State] = field(default_factory=lambda: [make_initial_state()])
    registered: dict[tuple[str, str], list[Job]] = field(default_factory=dict)
    """All versions of jobs that were registered, by namespace and ID."""
    _times_ns: list[int] = field(default_factory=lambda: [0])

    def add(self, request: msgspec.Struct, state: State) -> None:
        """Add the state that an entry leads to."""
        self._times_ns.append(max(self._times_ns[-1], read_time(request)))
        self.states.append(state)
        if isinstance(request, JobRegister | DeploymentUpdateStatus) and request.job is not None:
            key = request.job.namespace, request.job.id
            if (job := state.find_job(*key)) is not None:
                self.registered.setdefault(key, []).append(job)

    def find_time(self, reach: Reach) -> int:
        """Find what time it was so many entries ago as a decision may be old."""
        return self._times_ns[max(len(self._times_ns) - reach.entries, 0)]

    def list_recent(self, request: msgspec.Struct, reach: Reach) -> Sequence[State]:
        """List the states that the decision behind a request may have been made on, the newest first."""
        return list(self._walk(max(self._times_ns[-1], read_time(request)), reach))

    def _walk(self, now_ns: int, reach: Reach) -> Iterator[State]:
        replaced_ns = now_ns
        for back, (state, since_ns) in enumerate(
            zip(reversed(self.states), reversed(self._times_ns), strict=True)
        ):
            if back >= reach.entries and not 0 < now_ns - reach.span_ns <= replaced_ns:
                return
            yield state
            replaced_ns = since_ns


def read_time(request: msgspec.Struct) -> int:
    """Read when a request was made by the clock of a server; 0 where it does not tell."""
    match request:
        case EvalUpdate() | AllocUpdateDesiredTransition():
            return max((max(each.create_time_ns, each.modify_time_ns) for each in request.evals), default=0)
        case AllocClientUpdate():
            return max((update.modify_time_ns for update in request.alloc), default=0)
        case ApplyPlanResults():
            return request.updated_at_ns
        case JobRegister() | JobDeregister() | DeploymentPromote():
            return request.eval.create_time_ns if request.eval is not None else 0
    return 0
