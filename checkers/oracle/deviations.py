"""Where recordings of the real server contradict a rule of the specification, and the model follows them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Deviation:
    """One rule that recordings contradict."""

    rule: str
    """The ID of the rule."""
    recordings: str
    """Which recordings show it: a kind of recordings, or a name among them."""
    said: str
    """What the rule says."""
    recorded: str
    """What the server did."""
    place: str
    """The module that does as the server did."""


DEVIATIONS: Final[tuple[Deviation, ...]] = (
    Deviation(
        "BROKER-16",
        "broker/sequences",
        "Which of two evaluations behind a job that tie in every key comes first is left open.",
        "It is not open: each of the two counts as before the other, so the one that moves in the heap wins.",
        "model/rules/broker_state.py",
    ),
    Deviation(
        "NODEST-02",
        "state-store/sequences",
        "Registering never changes the status of a node that is known.",
        "The store takes the status of the request; it is the handler that keeps the old one.",
        "model/store/nodes.py",
    ),
    Deviation(
        "NODEST-21",
        "state-store/sequences",
        "A pool with nodes or with jobs that have not ended cannot be deleted.",
        "The store deletes it; it is the handler that looks for nodes and jobs.",
        "model/store/settings.py",
    ),
    Deviation(
        "OBJ-414",
        "trace",
        "An update of a deployment's status dates the deployment by its own time.",
        "In a plan the updates bear no time, and the deployment is dated by that of the plan.",
        "model/store/plans.py",
    ),
    Deviation(
        "SYSTEM-22",
        "scheduler",
        "Which allocations are replaced first, within the limit, is left open.",
        "It is not open once the order of nodes is given: each allocation that is updated in place hands its "
        "turn to the last one that waits, and those to be replaced come in the order that this leaves.",
        "model/scheduler/system_updates.py",
    ),
)
"""All that are known, in the order of the rules."""
