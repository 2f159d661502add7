"""Evaluation: the five statuses that its record can show."""

from enum import StrEnum
from typing import Final

from nomadspec.model.lifecycle.table import ABSENT, Lifecycle, change, creation, remark
from nomadspec.model.specification.quirks import (
    CANCELLED_IS_DELIVERED,
    DISPLACED_IS_DELIVERED,
    DROPPED_DELAYED_FIRES,
    HASTY_CANCEL,
    LOST_ACK,
    SILENT_PURGE,
    STORED_CORE_EVAL,
)


class EvalStatus(StrEnum):
    """The status in the record of an evaluation."""

    PENDING = "pending"
    BLOCKED = "blocked"
    COMPLETE = "complete"
    FAILED = "failed"
    CANCELED = "canceled"


S = EvalStatus  # the table reads better with a short name

# fmt: off
_ARROWS: Final = (
    # Made by an event that no other evaluation stands behind.
    creation(ABSENT, S.PENDING, "a job is registered, reverted, dispatched or evaluated",
             "EVAL-10 TRIG-03 TRIG-04 TRIG-05a TRIG-05b TRIG-05c", "job-register"),
    creation(ABSENT, S.PENDING, "a job is stopped or purged, or a client reports on one that is gone",
             "EVAL-10 TRIG-06 TRIG-07", "job-deregister"),
    creation(ABSENT, S.PENDING, "a periodic job is launched", "EVAL-10 TRIG-08", "periodic-job"),
    creation(ABSENT, S.PENDING, "a job is scaled", "EVAL-10 TRIG-22", "job-scaling"),
    creation(ABSENT, S.PENDING, "a node changes, comes or goes", "EVAL-10 TRIG-09 TRIG-10", "node-update"),
    creation(ABSENT, S.PENDING, "the drainer marks allocs that have to move", "EVAL-10 TRIG-11",
             "node-drain"),
    creation(ABSENT, S.PENDING, "an operator stops an alloc", "EVAL-10 TRIG-12", "alloc-stop"),
    creation(ABSENT, S.PENDING, "a client reports that an alloc failed", "EVAL-10 TRIG-13", "alloc-failure"),
    creation(ABSENT, S.PENDING, "a client reports on an alloc that was unknown", "EVAL-10 TRIG-14",
             "reconnect"),
    creation(ABSENT, S.PENDING, "a deployment takes a step", "EVAL-10 TRIG-21 DEP-40", "deployment-watcher"),
    creation(ABSENT, S.PENDING, "re-encrypting variables ran out of time", "EVAL-10 TRIG-25 GC-75",
             "scheduled"),
    creation(ABSENT, S.CANCELED, "a core eval was cancelable in the broker", "EVAL-01 LEADER-51", "scheduled",
             STORED_CORE_EVAL),

    # Made while another evaluation is scheduled or reaches the delivery limit.
    creation(S.PENDING, S.PENDING, "an alloc may be rescheduled later", "EVAL-17 EVAL-18 TRIG-16a TRIG-16c",
             "alloc-reschedule alloc-failure"),
    creation(S.PENDING, S.PENDING, "a disconnected alloc gets a deadline", "EVAL-17 EVAL-18 TRIG-16b TRIG-17",
             "alloc-failure max-disconnect-timeout"),
    creation(S.PENDING, S.PENDING, "its plan evicts allocs of another job", "EVAL-10 PLAN-62 TRIG-20",
             "preemption"),
    creation(S.PENDING, S.BLOCKED, "some allocs found no place", "EVAL-13 EVAL-15 TRIG-18", "queued-allocs"),
    creation(S.PENDING, S.BLOCKED, "service, batch: plan attempts used up", "EVAL-14 TRIG-19",
             "max-plan-attempts"),
    creation(S.BLOCKED, S.PENDING, "a retry reschedules, disconnects or evicts like a first try",
             "EVAL-04 EVAL-17 EVAL-18 PLAN-62",
             "alloc-reschedule alloc-failure max-disconnect-timeout preemption"),
    creation(S.BLOCKED, S.BLOCKED, "system, sysbatch: still no place", "EVAL-15", "queued-allocs"),
    creation(S.BLOCKED, S.BLOCKED, "service, batch: plan attempts used up", "EVAL-14 TRIG-19",
             "max-plan-attempts"),
    creation(S.FAILED, S.PENDING, "by the entry that gives it up, if its job still exists",
             "LEADER-22 LEADER-23 TRIG-23", "failed-follow-up"),

    change(S.PENDING, S.COMPLETE, "scheduled, even to no effect", "EVAL-37 EVAL-38"),
    change(S.PENDING, S.COMPLETE, "scheduled, its plan committed", "EVAL-32 EVAL-37 PLAN-92"),
    change(S.PENDING, S.COMPLETE, "job purged", "EVAL-46 OBJ-048 JOB-13"),
    change(S.PENDING, S.FAILED, "trigger not handled", "EVAL-37 EVAL-39"),
    change(S.PENDING, S.FAILED, "plan attempts used up", "EVAL-37 EVAL-40 PLAN-97"),
    change(S.PENDING, S.FAILED, "deliveries used up", "LEADER-21 BROKER-40"),
    change(S.PENDING, S.CANCELED, "cancelable in the broker", "EVAL-45 BROKER-36 LEADER-40"),
    change(S.PENDING, S.CANCELED, "alloc reconnected", "EVAL-45 FSM-23 ALLOC-13"),
    change(S.BLOCKED, S.BLOCKED, "retried, still no place", "EVAL-36 WORKER-30"),
    change(S.BLOCKED, S.COMPLETE, "retried, placed", "EVAL-37"),
    change(S.BLOCKED, S.COMPLETE, "retried, its plan committed", "EVAL-32 EVAL-37 PLAN-92"),
    change(S.BLOCKED, S.COMPLETE, "system, sysbatch: retried", "EVAL-15 EVAL-37"),
    change(S.BLOCKED, S.FAILED, "plan attempts used up", "EVAL-14 EVAL-37 PLAN-97"),
    change(S.BLOCKED, S.FAILED, "deliveries used up", "LEADER-21 BROKER-40 EVAL-04"),
    change(S.BLOCKED, S.CANCELED, "another is blocked", "EVAL-45 BLOCKED-20 LEADER-30"),
    change(S.BLOCKED, S.CANCELED, "a sibling placed all", "EVAL-45 EVAL-35 TRIG-28"),
    change(S.BLOCKED, S.CANCELED, "cancelable in the broker", "EVAL-45 BROKER-36 LEADER-40"),

    change(S.COMPLETE, ABSENT, "garbage collection", "GC-20 GC-21 GC-31 GC-91"),
    change(S.FAILED, ABSENT, "garbage collection", "GC-20 GC-21 GC-31 GC-91"),
    change(S.CANCELED, ABSENT, "garbage collection", "GC-20 GC-21 GC-31 GC-91"),
    change(S.PENDING, ABSENT, "operator, broker paused", "EVAL-47"),
    change(S.BLOCKED, ABSENT, "operator, broker paused", "EVAL-47"),

    # What the release does to evaluations that have ended.
    change(S.COMPLETE, S.CANCELED, "alloc reconnected", "FSM-23 ALLOC-13", HASTY_CANCEL),
    change(S.FAILED, S.CANCELED, "alloc reconnected", "FSM-23 ALLOC-13", HASTY_CANCEL),
    change(S.COMPLETE, S.CANCELED, "cancelable after a purge", "EVAL-46 BROKER-36 LEADER-40", SILENT_PURGE),
    change(S.COMPLETE, S.CANCELED, "displaced, yet woken", "BLOCKED-21 BLOCKED-41 LEADER-30",
           DISPLACED_IS_DELIVERED),
    change(S.COMPLETE, S.FAILED, "run after a purge", "EVAL-46 PLAN-13 LEADER-21", SILENT_PURGE),
    change(S.COMPLETE, S.FAILED, "run once more", "WORKER-03 BROKER-32", LOST_ACK),
    change(S.FAILED, S.COMPLETE, "run once more", "WORKER-03 BROKER-32", LOST_ACK),
    change(S.CANCELED, S.COMPLETE, "called off, yet run", "BROKER-50 EVAL-32", DROPPED_DELAYED_FIRES),
    change(S.CANCELED, S.COMPLETE, "called off while it ran", "FSM-23 FSM-24 EVAL-32", HASTY_CANCEL),
    change(S.CANCELED, S.COMPLETE, "canceled in a queue, yet run", "EVAL-04 EVAL-32 EVAL-35",
           CANCELLED_IS_DELIVERED),
    change(S.CANCELED, S.COMPLETE, "displaced, yet woken", "BLOCKED-21 BLOCKED-41 EVAL-32",
           DISPLACED_IS_DELIVERED),
    change(S.CANCELED, S.FAILED, "called off, yet run", "BROKER-50 EVAL-32", DROPPED_DELAYED_FIRES),
    change(S.CANCELED, S.FAILED, "called off while it ran", "FSM-23 FSM-24 EVAL-32", HASTY_CANCEL),
    change(S.CANCELED, S.FAILED, "canceled in a queue, yet run", "EVAL-04 EVAL-32 EVAL-35",
           CANCELLED_IS_DELIVERED),
    change(S.CANCELED, S.FAILED, "displaced, yet woken", "BLOCKED-21 BLOCKED-41 EVAL-32",
           DISPLACED_IS_DELIVERED),
)
# fmt: on

EVALUATION: Final = Lifecycle(
    name="evaluation",
    title="Evaluation: the five statuses",
    statuses=EvalStatus,
    origin="cluster event",
    initial=(S.PENDING, S.BLOCKED),
    terminal=(S.COMPLETE, S.FAILED, S.CANCELED),
    trouble=(S.FAILED,),
    happy_path=(S.PENDING, S.COMPLETE),
    arrows=_ARROWS,
    remarks=(
        remark(
            "The store does not enforce that complete, failed and canceled are final: it accepts a write "
            "that moves an eval out of them. The changes with a quirk show how this happens.",
            "EVAL-02",
        ),
        remark(
            "Only a reblock checks the stored status, and it writes no record.",
            "EVAL-02 WORKER-30",
        ),
        remark(
            "A blocked eval that was woken stays blocked in its record while it is queued and scheduled: "
            "the status does not say where the eval is. The lifecycle evaluation-place does.",
            "EVAL-04",
        ),
        remark(
            "Core evals live in the broker only and have no record, but for two exceptions in the table.",
            "EVAL-10 GC-01",
        ),
        remark(
            "A purge completes the pending evals of the job without a new index and leaves blocked ones "
            "blocked; the eval of the purge itself, once complete, cancels them.",
            "EVAL-46 OBJ-185 TRIG-28",
        ),
        remark(
            "An eval that a worker failed gets no follow-up; only one that used up its deliveries does.",
            "LEADER-22 LEADER-25",
        ),
        remark(
            "No eval is made with the trigger rolling-update, although schedulers accept it.",
            "EVAL-11 TRIG-24",
        ),
    ),
)
