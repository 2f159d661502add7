"""Lies about what clients report, and about nodes and their drains, field by field."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from nomadspec.model.cluster.entities import (
    Allocation,
    DesiredTransition,
    DrainStrategy,
    TaskState,
)
from nomadspec.model.cluster.entities.scalar import NS_PER_S
from nomadspec.model.cluster.store import State, requests
from nomadspec.model.cluster.store.requests import DrainUpdate
from tests.checkers.oracle.lying.plans import ODD
from tests.checkers.oracle.lying.telling import Twist, on

R = requests
HOUR_NS = 3600 * NS_PER_S
Change = Callable[[Allocation, Allocation], Allocation | None]


def _report(change: Change) -> Twist:
    """Change the first report that can be changed so, by what is stored of it."""

    def twist(request: Any, state: State) -> Any:
        for at, report in enumerate(request.alloc):
            stored = state.find_alloc(report.id)
            changed = change(report, stored) if stored is not None else None
            if changed is not None and changed != report:
                return replace(request, alloc=(*request.alloc[:at], changed, *request.alloc[at + 1 :]))
        return None

    return on(R.AllocClientUpdate, twist)


def _says(**changes: Any) -> Twist:
    return _report(
        lambda report, _: replace(
            report, **{name: item(report) if callable(item) else item for name, item in changes.items()}
        )
    )


def _task(change: Callable[[TaskState, TaskState | None], TaskState | None]) -> Twist:
    """Change the first task that can be changed so, by what is stored of it."""

    def told(report: Allocation, stored: Allocation) -> Allocation | None:
        for name, state in report.task_states.items():
            changed = change(state, stored.task_states.get(name))
            if changed is not None and changed != state:
                return replace(report, task_states={**report.task_states, name: changed})
        return None

    return _report(told)


def _is_over(state: TaskState) -> bool:
    return state.state == "dead"


CLIENTS: Mapping[str, Twist] = {
    "reporting: an hour later": _says(modify_time_ns=lambda each: each.modify_time_ns + HOUR_NS),
    "reporting: an hour before": _says(modify_time_ns=lambda each: each.modify_time_ns - HOUR_NS),
    "reporting: in other words": _says(client_description="fine"),
    "reporting: wants to stop": _says(desired_status="stop"),
    "reporting: wants to migrate": _says(desired_transition=DesiredTransition(migrate=True)),
    "reporting: under another name": _says(name="odd.g[0]"),
    "reporting: for another evaluation": _says(eval_id=ODD),
    "reporting: for another deployment": _says(deployment_id=ODD),
    "reporting: after another one": _says(previous_allocation=ODD),
    "reporting: a task that is not there": _report(
        lambda report, _: (
            replace(
                report, task_states={**report.task_states, "odd": next(iter(report.task_states.values()))}
            )
            if report.task_states
            else None
        )
    ),
    "reporting: a task is missing": _report(
        lambda report, _: (
            replace(report, task_states=dict(list(report.task_states.items())[1:]))
            if len(report.task_states) > 1
            else None
        )
    ),
    "reporting: a task ended at no time": _task(
        lambda state, _: replace(state, finished_at_ns=0) if _is_over(state) else None
    ),
    "reporting: a task that runs has ended": _task(
        lambda state, _: (
            replace(state, finished_at_ns=state.started_at_ns + 1) if state.state == "running" else None
        )
    ),
}

# --- nodes ---


def _event(kind: type, **changes: Any) -> Twist:
    def change(request: Any, _: State) -> Any:
        event = request.node_event
        if event is None:
            return None
        told = {name: item(event) if callable(item) else item for name, item in changes.items()}
        return replace(request, node_event=replace(event, **told))

    return on(kind, change)


def _later(kind: type, hours: int) -> Twist:
    """Date a change that is told of by an event, or the ends of drains."""

    def change(request: Any, _: State) -> Any:
        is_told = isinstance(request, R.BatchNodeUpdateDrain) or request.node_event is not None
        return replace(request, updated_at_s=request.updated_at_s + hours * 3600) if is_told else None

    return on(kind, change)


def _drained(**changes: Any) -> Twist:
    """Change how drains end."""
    return on(
        R.BatchNodeUpdateDrain,
        lambda request, _: replace(
            request,
            updates={
                name: replace(told or DrainUpdate(), **changes) for name, told in request.updates.items()
            },
        ),
    )


def _flip_deadline(request: Any, _: State) -> Any:
    events = {
        name: event and replace(event, details={} if event.details else {"deadline_reached": "true"})
        for name, event in request.node_events.items()
    }
    return replace(request, node_events=events)


_KINDS: Mapping[str, type] = {
    "a status": R.NodeUpdateStatus,
    "a drain": R.NodeUpdateDrain,
    "eligibility": R.NodeUpdateEligibility,
}
NODES: Mapping[str, Twist] = {
    **{f"reporting: {name} of an hour later": _later(kind, 1) for name, kind in _KINDS.items()},
    **{f"reporting: {name} of an hour before": _later(kind, -1) for name, kind in _KINDS.items()},
    **{f"reporting: {name} in other words": _event(kind, message="odd") for name, kind in _KINDS.items()},
    **{f"reporting: {name} of another part": _event(kind, subsystem="Odd") for name, kind in _KINDS.items()},
    **{
        f"reporting: {name} with a detail": _event(kind, details={"odd": "1"})
        for name, kind in _KINDS.items()
    },
    **{
        f"reporting: {name} without an event": on(
            kind, lambda request, _: replace(request, node_event=None) if request.node_event else None
        )
        for name, kind in _KINDS.items()
    },
    "reporting: an event of an hour before": _event(
        R.NodeUpdateStatus, timestamp_ns=lambda each: each.timestamp_ns - HOUR_NS
    ),
    "reporting: an event of an hour later": _event(
        R.NodeUpdateStatus, timestamp_ns=lambda each: each.timestamp_ns + HOUR_NS
    ),
    "reporting: an end of a drain makes eligible": _drained(mark_eligible=True),
    "reporting: an end of a drain goes on": _drained(drain_strategy=DrainStrategy(deadline_ns=HOUR_NS)),
    "reporting: an end of a drain of an hour later": _later(R.BatchNodeUpdateDrain, 1),
    "reporting: an end of a drain of an hour before": _later(R.BatchNodeUpdateDrain, -1),
    "reporting: an end of a drain without an event": on(
        R.BatchNodeUpdateDrain, lambda request, _: replace(request, node_events={})
    ),
    "reporting: an end of a drain for another reason": on(R.BatchNodeUpdateDrain, _flip_deadline),
}

REPORTING: Mapping[str, Twist] = {**CLIENTS, **NODES}
"""Lies about clients, nodes and drains."""
