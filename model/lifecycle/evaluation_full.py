"""Evaluation: the statuses of its record, refined by what is being done with it.

``PENDING`` and ``BLOCKED`` are evaluations that nobody works on: queued, or waiting to be woken. An
evaluation that a worker holds is ``SCHEDULING`` or, while its plan is with the plan applier, ``APPLYING``,
whatever its record says. ``DELAYED`` waits for a time, ``DELETED`` has no record any more. The first five
have the values of ``EvalStatus``.
"""

from enum import IntEnum
from typing import Final

from nomadspec.model.lifecycle.table import ABSENT, Lifecycle, change, creation, remark
from nomadspec.model.specification.quirks import (
    CANCELLED_IS_DELIVERED,
    DISPLACED_IS_DELIVERED,
    DROPPED_DELAYED_FIRES,
    HASTY_CANCEL,
    LEAKED_NACK_DELAY,
    LOST_ACK,
    SILENT_PURGE,
    STORED_CORE_EVAL,
)


class EvalPhase(IntEnum):
    """The status of an evaluation, or the quasi-status that hides it."""

    PENDING = 0
    BLOCKED = 1
    COMPLETE = 2
    FAILED = 3
    CANCELED = 4
    SCHEDULING = 5
    APPLYING = 6
    DELAYED = 7
    DELETED = 8


S = EvalPhase  # the table reads better with a short name

# fmt: off
_ARROWS: Final = (
    creation(ABSENT, S.PENDING, "an event of the cluster", "EVAL-10 TRIG-02",
             "job-register job-deregister periodic-job job-scaling node-update node-drain alloc-stop "
             "alloc-failure "
             "reconnect deployment-watcher"),
    creation(ABSENT, S.CANCELED, "a core eval was cancelable in the broker", "EVAL-01 LEADER-51", "scheduled",
             STORED_CORE_EVAL),
    creation(S.SCHEDULING, S.PENDING, "re-encrypting variables ran out of time", "EVAL-10 GC-75",
             "scheduled"),
    creation(S.SCHEDULING, S.BLOCKED, "some allocs found no place", "EVAL-13 EVAL-15 EVAL-25",
             "queued-allocs"),
    creation(S.SCHEDULING, S.BLOCKED, "service, batch: plan attempts used up", "EVAL-14 EVAL-25",
             "max-plan-attempts"),
    creation(S.SCHEDULING, S.DELAYED, "an alloc has to wait or gets a deadline", "EVAL-17 EVAL-18 EVAL-26",
             "alloc-reschedule alloc-failure max-disconnect-timeout"),
    creation(S.APPLYING, S.PENDING, "the plan evicts allocs of another job", "PLAN-62 EVAL-24", "preemption"),
    creation(S.FAILED, S.PENDING, "by the entry that gives it up, if its job still exists",
             "LEADER-22 LEADER-23 EVAL-26", "failed-follow-up"),

    change(S.PENDING, S.DELAYED, "has a wait or a due time", "BROKER-04"),
    change(S.PENDING, S.SCHEDULING, "dequeued", "BROKER-20 BROKER-21 BROKER-22"),
    change(S.PENDING, S.COMPLETE, "job purged", "EVAL-46"),
    change(S.PENDING, S.FAILED, "deliveries used up", "LEADER-20 LEADER-21 LEADER-23"),
    change(S.PENDING, S.CANCELED, "cancelable in the broker", "EVAL-45 BROKER-36 LEADER-40"),
    change(S.PENDING, S.CANCELED, "alloc reconnected", "EVAL-45 FSM-23"),
    change(S.PENDING, S.DELETED, "operator, broker paused", "EVAL-47"),
    change(S.DELAYED, S.PENDING, "time is up", "BROKER-04 BROKER-06"),
    change(S.DELAYED, S.PENDING, "new leader, pause", "BROKER-52 LEADER-02 LEADER-04"),
    change(S.DELAYED, S.BLOCKED, "time is up after a nack", "BROKER-40 EVAL-04"),
    change(S.DELAYED, S.COMPLETE, "job purged", "EVAL-46"),
    change(S.DELAYED, S.CANCELED, "alloc reconnected", "FSM-23 FSM-24 BROKER-50"),
    change(S.BLOCKED, S.SCHEDULING, "woken and dequeued",
           "BLOCKED-30 BLOCKED-40 BLOCKED-44 LEADER-50 BROKER-20"),
    change(S.BLOCKED, S.DELAYED, "woken with an old nack delay", "BROKER-04 BROKER-40", LEAKED_NACK_DELAY),
    change(S.BLOCKED, S.FAILED, "deliveries used up", "LEADER-20 LEADER-21 EVAL-04"),
    change(S.BLOCKED, S.CANCELED, "another is blocked", "EVAL-45 BLOCKED-20 LEADER-30"),
    change(S.BLOCKED, S.CANCELED, "a sibling placed all", "EVAL-45 EVAL-35"),
    change(S.BLOCKED, S.CANCELED, "cancelable in the broker", "EVAL-45 BROKER-36 LEADER-40"),
    change(S.BLOCKED, S.DELETED, "operator, broker paused", "EVAL-47"),
    change(S.SCHEDULING, S.APPLYING, "submits a plan", "WORKER-10 PLAN-13"),
    change(S.SCHEDULING, S.COMPLETE, "outcome written", "EVAL-32 EVAL-37 EVAL-38"),
    change(S.SCHEDULING, S.COMPLETE, "outcome of a committed plan written", "EVAL-32 EVAL-37 PLAN-92"),
    change(S.SCHEDULING, S.COMPLETE, "job purged", "EVAL-46"),
    change(S.SCHEDULING, S.FAILED, "trigger not handled", "EVAL-37 EVAL-39"),
    change(S.SCHEDULING, S.FAILED, "plan attempts used up", "EVAL-37 EVAL-40 PLAN-97"),
    change(S.SCHEDULING, S.BLOCKED, "retried, still no place", "EVAL-36 WORKER-30"),
    change(S.SCHEDULING, S.BLOCKED, "last nack, or new leader", "BROKER-40 LEADER-02 EVAL-04"),
    change(S.SCHEDULING, S.PENDING, "last nack, or new leader", "BROKER-40 LEADER-02 LEADER-04"),
    change(S.SCHEDULING, S.DELAYED, "nack", "BROKER-32 BROKER-40 BROKER-41 EVAL-37"),
    change(S.APPLYING, S.SCHEDULING, "answered: all committed", "PLAN-45 PLAN-92"),
    change(S.APPLYING, S.SCHEDULING, "answered: only partly committed, or error",
           "PLAN-34 PLAN-45 PLAN-90 PLAN-98"),
    change(S.APPLYING, S.COMPLETE, "job purged", "EVAL-46"),
    change(S.APPLYING, S.PENDING, "new leader", "PLAN-14 LEADER-02"),
    change(S.APPLYING, S.BLOCKED, "new leader", "PLAN-14 LEADER-02 EVAL-04"),
    change(S.COMPLETE, S.DELETED, "garbage collection", "GC-20 GC-21 GC-26 GC-31 GC-91"),
    change(S.FAILED, S.DELETED, "garbage collection", "GC-20 GC-21 GC-31 GC-91"),
    change(S.CANCELED, S.DELETED, "garbage collection", "GC-20 GC-21 GC-31 GC-91"),

    # What the release does to evaluations that have ended, or that are being worked on.
    change(S.SCHEDULING, S.CANCELED, "alloc reconnected", "FSM-23", HASTY_CANCEL),
    change(S.APPLYING, S.CANCELED, "alloc reconnected", "FSM-23", HASTY_CANCEL),
    change(S.COMPLETE, S.CANCELED, "alloc reconnected", "FSM-23", HASTY_CANCEL),
    change(S.FAILED, S.CANCELED, "alloc reconnected", "FSM-23", HASTY_CANCEL),
    change(S.CANCELED, S.COMPLETE, "outcome of the run", "FSM-23 EVAL-32", HASTY_CANCEL),
    change(S.CANCELED, S.FAILED, "outcome of the run", "FSM-23 EVAL-32", HASTY_CANCEL),
    change(S.CANCELED, S.SCHEDULING, "called off, yet run", "BROKER-50", DROPPED_DELAYED_FIRES),
    change(S.CANCELED, S.SCHEDULING, "canceled in a queue, yet run", "EVAL-04 EVAL-35",
           CANCELLED_IS_DELIVERED),
    change(S.CANCELED, S.SCHEDULING, "displaced, yet woken", "BLOCKED-21 BLOCKED-41", DISPLACED_IS_DELIVERED),
    change(S.COMPLETE, S.CANCELED, "displaced, yet woken", "BLOCKED-21 LEADER-30", DISPLACED_IS_DELIVERED),
    change(S.COMPLETE, S.CANCELED, "cancelable after a purge", "EVAL-46 BROKER-36 LEADER-40", SILENT_PURGE),
    change(S.COMPLETE, S.SCHEDULING, "run after a purge", "EVAL-46 BROKER-20", SILENT_PURGE),
    change(S.COMPLETE, S.FAILED, "deliveries used up after a purge", "EVAL-46 LEADER-21", SILENT_PURGE),
    change(S.COMPLETE, S.SCHEDULING, "run once more", "WORKER-03 BROKER-32", LOST_ACK),
    change(S.FAILED, S.SCHEDULING, "run once more", "WORKER-03 BROKER-32", LOST_ACK),
)
# fmt: on

EVALUATION_FULL: Final = Lifecycle(
    name="evaluation-full",
    title="Evaluation: statuses and quasi-statuses",
    statuses=EvalPhase,
    origin="cluster event",
    initial=(S.PENDING, S.BLOCKED, S.DELAYED),
    terminal=(S.COMPLETE, S.FAILED, S.CANCELED, S.DELETED),
    trouble=(S.FAILED,),
    quasi=(S.SCHEDULING, S.APPLYING, S.DELAYED, S.DELETED),
    happy_path=(S.PENDING, S.SCHEDULING, S.COMPLETE, S.DELETED),
    arrows=_ARROWS,
    remarks=(
        remark(
            "The record of an eval that is scheduling or applying is pending, or blocked if the eval was "
            "woken; a plan that commits moves only its index.",
            "EVAL-04 EVAL-34 OBJ-186",
        ),
        remark(
            "A delayed eval that falls due is queued first: it is dequeued only when no other eval of its "
            "job is out.",
            "BROKER-05 BROKER-06 BROKER-07",
        ),
        remark(
            "An eval that is being scheduled is not cancelled when its job is changed or stopped.",
            "BROKER-36",
        ),
        remark(
            "Deleting a record is told neither broker nor blocked evals: a deleted eval may be delivered.",
            "FSM-03 GC-92",
        ),
        remark(
            "After the answer to its plan an eval is scheduling again, even if the plan was committed whole: "
            "only the write of its outcome ends it.",
            "PLAN-92 EVAL-32",
        ),
        remark(
            "Pausing the broker empties blocked evals as well; what is pending or blocked is then nowhere "
            "until the pause ends.",
            "BROKER-52 BLOCKED-46 LEADER-04",
        ),
    ),
)
