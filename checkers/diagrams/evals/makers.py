"""Which component of Nomad made what a graph of evaluations shows.

In a scenario the component is known: it took the step. In a recording, and in what the API shows, it follows
from the trigger of an evaluation and from the kind of an event. What several components could have made has
the component ``""``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from nomadspec.checkers.diagrams.evals.records import Fact, What
from nomadspec.model.cluster.entities import Evaluation, Trigger

APPLIER: Final = "applier"
"""It commits plans, and with them allocations, deployments and the evaluations of preempted jobs."""

DRAINER: Final = "drainer"
"""It asks the allocations of draining nodes to move."""

COMPONENTS: Final = (
    "operator",
    "client",
    "leader",
    "periodic dispatcher",
    DRAINER,
    "deployment watcher",
    "worker",
    APPLIER,
)
"""Every component that makes something, in the order of their frames."""

_OF_TRIGGERS: Final[Mapping[str, str]] = MappingProxyType(
    {
        Trigger.JOB_REGISTER: "operator",
        Trigger.JOB_DEREGISTER: "operator",
        Trigger.JOB_SCALING: "operator",
        Trigger.ALLOC_STOP: "operator",
        Trigger.PERIODIC_JOB: "periodic dispatcher",
        Trigger.NODE_DRAIN: DRAINER,
        Trigger.DEPLOYMENT_WATCHER: "deployment watcher",
        Trigger.RECONNECT: "client",
        Trigger.ALLOC_RESCHEDULE: "worker",
        Trigger.MAX_DISCONNECT_TIMEOUT: "worker",
        Trigger.QUEUED_ALLOCS: "worker",
        Trigger.MAX_PLAN_ATTEMPTS: "worker",
        Trigger.PREEMPTION: APPLIER,
        Trigger.FAILED_FOLLOW_UP: "leader",
        Trigger.SCHEDULED: "leader",
    }
)
"""The triggers of which one component makes all evaluations.

Spec: TRIG-03, TRIG-06, TRIG-08, TRIG-11, TRIG-12, TRIG-14, TRIG-16a, TRIG-17, TRIG-18, TRIG-19, TRIG-20,
TRIG-21, TRIG-22, TRIG-23, TRIG-25.
"""

_OF_EVENTS: Final[Mapping[What, str]] = MappingProxyType(
    {
        What.REGISTERED: "operator",
        What.STOPPED: "operator",
        What.JOINED: "client",
        What.READY: "client",
        What.DOWN: "leader",
        What.DISCONNECTED: "leader",
        What.DRAINING: "operator",
        What.HEALTHY: "client",
        What.UNHEALTHY: "client",
        What.FAILED: "client",
        What.ENDED: "client",
    }
)
"""The kinds of events that one component makes; the others can be made by several."""


def find_actor(fact: Fact) -> str:
    """Find the component that made an event."""
    return fact.actor or _OF_EVENTS.get(fact.what, "")


def find_maker(entry: Evaluation, made_for: Iterable[Fact]) -> str:
    """Find the component that made an evaluation, from its trigger and the events that it was made for.

    An `alloc-failure` evaluation with a previous one comes from a scheduler, without one from a client.
    A `node-update` evaluation comes from the component that reported or changed the node.

    Spec: TRIG-09, TRIG-10, TRIG-13, TRIG-16b, TRIG-16c.
    """
    if entry.triggered_by == Trigger.ALLOC_FAILURE:
        return "worker" if entry.previous_eval else "client"
    if entry.triggered_by == Trigger.NODE_UPDATE:
        actors = {find_actor(fact) for fact in made_for}
        return actors.pop() if len(actors) == 1 else ""
    return _OF_TRIGGERS.get(entry.triggered_by, "")
