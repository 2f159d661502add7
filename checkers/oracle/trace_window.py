"""Which states of a recorded cluster a decision may have been made on: so many entries back, or so long."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
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
    JobStability,
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
CLOCKS_NS: Final = NS_PER_S // 2
"""So far may two clocks of a cluster be apart.

Spec: OBJ-006, WIRE-019.
"""


@dataclass(slots=True)
class History:
    """The states after each entry so far, with when each of them came to be as far as the log tells."""

    states: list[State] = field(default_factory=lambda: [make_initial_state()])
    registered: dict[tuple[str, str], list[Job]] = field(default_factory=dict)
    """All records of jobs that were written, by namespace and ID: a version, or its copy that is stable."""
    elections: Sequence[int] = ()
    """The indexes at which a server came to lead."""
    _times_ns: list[int] = field(default_factory=lambda: [0])
    _own_ns: list[int] = field(default_factory=lambda: [0])
    """What time each entry tells itself; 0 where it tells none."""

    def add(self, request: msgspec.Struct, state: State) -> None:
        """Add the state that an entry leads to."""
        self._own_ns.append(read_time(request))
        self._times_ns.append(max(self._times_ns[-1], self._own_ns[-1]))
        self.states.append(state)
        key = _find_rewritten(request, state)
        if key is not None and (job := state.find_job(*key)) is not None:
            known = self.registered.setdefault(key, [])
            known.extend(() if known and known[-1] is job else (job,))

    def find_time(self, reach: Reach) -> int:
        """Find what time it was so many entries ago as a decision may be old."""
        return self._times_ns[max(len(self._times_ns) - reach.entries, 0)]

    def count_since(self, time_ns: int) -> int:
        """Count the states that may have been the newest at some moment since a time."""
        until_ns, count = time_ns, 0
        for own_ns in reversed(self._own_ns):
            if until_ns < time_ns:
                break
            count += 1
            until_ns = own_ns or until_ns
        return count

    def is_led_since(self, time_ns: int, index: int) -> bool:
        """True if no other server came to lead since a time and an index."""
        first = max(self.states[-self.count_since(time_ns)].latest_index, index)
        return bisect_right(self.elections, first) == bisect_right(
            self.elections, self.states[-1].latest_index
        )

    def list_since(self, index: int) -> Sequence[State]:
        """List the states from an index on, and the one before where an entry wrote what no state shows."""
        first = bisect_left(self.states, index, key=lambda state: state.latest_index)
        is_shown = first < len(self.states) and self.states[first].latest_index == index
        return self.states[first if is_shown else max(first - 1, 0) :]

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


def _find_rewritten(request: msgspec.Struct, state: State) -> tuple[str, str] | None:
    """Find the job whose record a request may write anew: so does whatever calls a version stable.

    Spec: DEP-62, DEP-63.
    """
    match request:
        case JobRegister(job=job) | DeploymentUpdateStatus(job=job) if job is not None:
            return job.namespace, job.id
        case JobStability(namespace=namespace, job_id=job_id):
            return namespace, job_id
        case ApplyPlanResults(job=job) if job is not None and request.deployment_updates:
            return job.namespace, job.id
        case DeploymentUpdateStatus(deployment_update=update) if update is not None:
            deployment = state.find_deployment(update.deployment_id)
            return (deployment.namespace, deployment.job_id) if deployment is not None else None
    return None


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
