"""The two evaluation diagrams of Nomad's contributor documentation, and what the rules say of each arrow.

The documentation draws them by hand (``contributing/architecture-eval-states.md`` in Nomad's repository,
14 and 23 arrows). Here they are data: where an arrow leads, whether it is drawn as a change of status or
as the making of a new eval, what it is labelled with in our words, and our restriction with the rules
that it follows from. An arrow without a restriction is taken to be right as drawn.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import Final

from nomadspec.model.lifecycle.evaluation import EVALUATION, EvalStatus
from nomadspec.model.lifecycle.evaluation_full import EVALUATION_FULL, EvalPhase
from nomadspec.model.lifecycle.table import ABSENT, ArrowKind, Lifecycle, Status


@dataclass(frozen=True, slots=True)
class DrawnArrow:
    """One arrow of a hand-drawn diagram, and what there is to say of it."""

    number: int
    source: Status
    target: Enum
    kind: ArrowKind
    label: str
    triggers: tuple[str, ...]
    restriction: str
    spec: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DrawnDiagram:
    """One hand-drawn diagram, and the lifecycle of ours that it is compared with."""

    name: str
    title: str
    lifecycle: Lifecycle
    arrows: tuple[DrawnArrow, ...]


def _change(
    number: int,
    source: Status,
    target: Enum,
    label: str,
    spec: str,
    restriction: str = "",
    triggers: str = "",
) -> DrawnArrow:
    return DrawnArrow(
        number,
        source,
        target,
        ArrowKind.CHANGE,
        label,
        tuple(triggers.split()),
        restriction,
        tuple(spec.split()),
    )


def _creation(
    number: int,
    source: Status,
    target: Enum,
    label: str,
    spec: str,
    restriction: str = "",
    triggers: str = "",
) -> DrawnArrow:
    return DrawnArrow(
        number,
        source,
        target,
        ArrowKind.CREATION,
        label,
        tuple(triggers.split()),
        restriction,
        tuple(spec.split()),
    )


_EVENTS: Final = (
    "job-register job-deregister periodic-job node-update node-drain alloc-stop scheduled alloc-failure"
    " job-scaling"
)

S = EvalStatus  # the tables read better with short names
P = EvalPhase

# fmt: off
STATUSES: Final = DrawnDiagram("upstream-statuses", "Upstream's diagram of the statuses", EVALUATION, (
    _creation(1, ABSENT, S.PENDING, "events", "EVAL-10 TRIG-14 TRIG-21 TRIG-25",
              "Evals triggered by scheduled have no record, but for the continuation of a rekey; reconnect "
              "is missing, and deployment-watcher belongs here.", _EVENTS),
    _creation(2, S.PENDING, S.PENDING, "a new eval", "EVAL-11 TRIG-24",
              "Nothing makes an eval with this trigger, although schedulers accept it.", "rolling-update"),
    _creation(3, S.PENDING, S.PENDING, "a new eval", "EVAL-10 PLAN-62",
              "It is an eval of the job that lost the alloc, and it is made as well while the planning eval "
              "is blocked.", "preemption"),
    _creation(4, S.PENDING, S.BLOCKED, "a new eval", "EVAL-14 EVAL-16",
              "Service and batch only.", "max-plan-attempts"),
    _change(5, S.PENDING, S.COMPLETE, "plan submitted", "EVAL-37 EVAL-38 EVAL-46",
            "Also with nothing to plan, with allocs that found no place, and by purging the job."),
    _change(6, S.PENDING, S.FAILED, "invalid", "EVAL-37 LEADER-21",
            "Three causes: a trigger that is not handled, plan attempts used up, deliveries used up."),
    _change(7, S.PENDING, S.CANCELED, "nothing to do", "EVAL-38 EVAL-45",
            "Because it was cancelable, or its alloc reconnected; an eval with nothing to do is complete."),
    _change(8, S.FAILED, S.BLOCKED, "retried", "EVAL-14 LEADER-22 WORKER-30",
            "A failed eval is not retried: another one is made, blocked or pending."),
    _change(9, S.FAILED, S.COMPLETE, "retried", "WORKER-03 BROKER-32",
            "Not by design: only if the ack of a written outcome was lost."),
    _change(10, S.BLOCKED, S.CANCELED, "nothing to do", "EVAL-45",
            "Because another is blocked, a sibling placed everything, or it became cancelable once woken."),
    _change(11, S.BLOCKED, S.COMPLETE, "plan submitted", "EVAL-36 EVAL-37",
            "Service and batch only if all found a place; system and sysbatch always."),
    _creation(12, S.COMPLETE, S.PENDING, "a new eval", "EVAL-10 TRIG-21",
              "The watcher acts on a deployment, with no link to any eval.", "deployment-watcher"),
    _creation(13, S.COMPLETE, S.BLOCKED, "a new eval", "EVAL-12 EVAL-13 EVAL-15",
              "It is made while the eval is scheduled, and stays if that never ends well.", "queued-allocs"),
    _creation(14, S.FAILED, S.PENDING, "a new eval", "LEADER-22 LEADER-23 LEADER-24 LEADER-25",
              "Only after the last delivery, only if the job exists, never for core evals, and in the entry "
              "that writes the failure.", "failed-follow-up"),
))

PHASES: Final = DrawnDiagram("upstream-phases", "Upstream's diagram with quasi-statuses", EVALUATION_FULL, (
    _change(1, ABSENT, P.PENDING, "events", "EVAL-10 TRIG-14 TRIG-21 TRIG-25",
            "As in the first diagram; and it makes an eval.", _EVENTS),
    _change(2, P.PENDING, P.SCHEDULING, "dequeued", "BROKER-06 BROKER-20 BROKER-22"),
    _change(3, P.PENDING, P.DELAYED, "has to wait", "BROKER-04 BROKER-40"),
    _change(4, P.DELAYED, P.SCHEDULING, "dequeued", "BROKER-04 BROKER-05 BROKER-06",
            "It is queued first, and waits there while another eval of its job is out."),
    _creation(5, P.SCHEDULING, P.BLOCKED, "not all placed", "EVAL-13 EVAL-15 EVAL-25",
              "The old eval learns the ID of the new one only for service and batch, one in each delivery.",
              "queued-allocs"),
    _creation(6, P.SCHEDULING, P.BLOCKED, "planning failed", "EVAL-14 EVAL-16 EVAL-37",
              "Service and batch only; the old eval becomes failed.", "max-plan-attempts"),
    _change(7, P.SCHEDULING, P.BLOCKED, "the same eval blocked again", "EVAL-36 WORKER-30"),
    _change(8, P.BLOCKED, P.SCHEDULING, "woken by a change", "BLOCKED-30 BLOCKED-40 LEADER-50 BROKER-36",
            "By way of the queue, where it may become cancelable; also by the ticker or a missed wake-up."),
    _change(9, P.SCHEDULING, P.COMPLETE, "placed", "EVAL-37 EVAL-38",
            "Also if there was nothing to place or some found no place."),
    _change(10, P.SCHEDULING, P.FAILED, "wrong type, or too many retries", "EVAL-37 EVAL-39 WORKER-07",
            "It is the trigger that may be wrong, as a wrong type is never dequeued; an error on "
            "submitting is a nack."),
    _change(11, P.SCHEDULING, P.CANCELED, "the job was changed or stopped", "BROKER-36 EVAL-35 FSM-23",
            "Only pending evals of its job are canceled; a reconnect may cancel it, against the intention."),
    _change(12, P.FAILED, P.SCHEDULING, "retried", "WORKER-03 BROKER-32 BROKER-40",
            "Not by design: deliveries are retried while the record is still pending or blocked."),
    _creation(13, P.SCHEDULING, P.PENDING, "a system job rolls on", "EVAL-11 TRIG-24",
              "Nothing makes an eval with this trigger, although schedulers accept it.", "rolling-update"),
    _change(14, P.SCHEDULING, P.APPLYING, "plan submitted", "WORKER-10 PLAN-92"),
    _change(15, P.APPLYING, P.SCHEDULING, "failed", "PLAN-90 PLAN-92 PLAN-98",
            "Also when the plan was committed: the scheduler goes on and writes the outcome."),
    _creation(16, P.APPLYING, P.PENDING, "an alloc was evicted", "PLAN-62 EVAL-24", "", "preemption"),
    _creation(17, P.COMPLETE, P.PENDING, "a deployment goes on", "EVAL-10 TRIG-21",
              "The watcher acts on a deployment, with no link to any eval.", "deployment-watcher"),
    _change(18, P.FAILED, P.PENDING, "a new eval", "LEADER-22 LEADER-25 EVAL-26",
            "It makes another eval, under the conditions of the first diagram.", "failed-follow-up"),
    _change(19, P.PENDING, P.FAILED, "deliveries used up", "LEADER-20 LEADER-21 LEADER-23"),
    _change(20, P.BLOCKED, P.CANCELED, "duplicate of another", "LEADER-30 EVAL-45",
            "Also because a sibling placed everything, or because it became cancelable once woken."),
    _change(21, P.CANCELED, P.DELETED, "garbage collection", "GC-20 GC-21 GC-31"),
    _change(22, P.FAILED, P.DELETED, "garbage collection", "GC-20 GC-21 GC-31"),
    _change(23, P.COMPLETE, P.DELETED, "garbage collection", "GC-20 GC-21 GC-26 GC-31"),
))
# fmt: on

DIAGRAMS: Final = (STATUSES, PHASES)

CAUSES: Final[Mapping[str, Mapping[int, tuple[str, ...]]]] = MappingProxyType(
    {
        STATUSES.name: {
            5: ("scheduled, its plan committed",),
            6: ("trigger not handled",),
            9: ("run once more",),
            11: ("retried, its plan committed",),
        },
        PHASES.name: {
            2: ("dequeued",),
            3: ("has a wait or a due time",),
            7: ("retried, still no place",),
            8: ("woken and dequeued",),
            9: ("outcome of a committed plan written",),
            10: ("trigger not handled", "plan attempts used up"),
            12: ("run once more",),
            14: ("submits a plan",),
            15: ("answered: only partly committed, or error",),
            19: ("deliveries used up",),
            20: ("another is blocked",),
            21: ("garbage collection",),
            22: ("garbage collection",),
            23: ("garbage collection",),
        },
    }
)
"""The causes of our arrows that a drawn one without triggers means, by its number.

A drawn arrow that is not here has a cause that no rule knows, whatever else leads from its one end to the
other: an evaluation with nothing to do is not canceled, nor is one that is scheduled when its job changes.
"""
