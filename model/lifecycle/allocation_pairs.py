"""Allocation: what the servers want of it and what its client says of it, together."""

from enum import IntEnum
from typing import Final

from nomadspec.model.lifecycle.table import ABSENT, Lifecycle, change, creation, remark
from nomadspec.model.specification.quirks import OVERWRITTEN_REPORT, REPLACED_AGAIN, REVIVED_ALLOCATION


class AllocPair(IntEnum):
    """The desired status of an allocation, and behind it its client status."""

    RUN_PENDING = 0
    RUN_RUNNING = 1
    RUN_COMPLETE = 2
    RUN_FAILED = 3
    RUN_UNKNOWN = 4
    STOP_PENDING = 5
    STOP_RUNNING = 6
    STOP_COMPLETE = 7
    STOP_FAILED = 8
    STOP_LOST = 9
    STOP_UNKNOWN = 10
    EVICT_PENDING = 11
    EVICT_RUNNING = 12
    EVICT_COMPLETE = 13
    EVICT_FAILED = 14


P = AllocPair  # the table reads better with a short name

# fmt: off
_ARROWS: Final = (
    creation(ABSENT, P.RUN_PENDING, "a plan places it", "OBJ-211 PLAN-72 ALLOC-04"),

    # It is wanted, and its client reports.
    change(P.RUN_PENDING, P.RUN_RUNNING, "a task runs", "OBJ-213 OBJ-218 CLIENT-05"),
    change(P.RUN_PENDING, P.RUN_COMPLETE, "done, seen late", "OBJ-213 OBJ-218 CLIENT-05"),
    change(P.RUN_PENDING, P.RUN_FAILED, "cannot be set up, or failed", "OBJ-213 OBJ-218 CLIENT-05 HEALTH-18"),
    change(P.RUN_RUNNING, P.RUN_PENDING, "its tasks restart", "OBJ-218 CLIENT-05 ALLOC-18"),
    change(P.RUN_RUNNING, P.RUN_COMPLETE, "done", "OBJ-213 OBJ-218 CLIENT-05"),
    change(P.RUN_RUNNING, P.RUN_FAILED, "a task failed for good", "OBJ-213 OBJ-218 CLIENT-05 ALLOC-18"),

    # A plan stops it, and its client follows.
    change(P.RUN_PENDING, P.STOP_PENDING, "a plan stops it", "OBJ-212 PLAN-03 PLAN-70 ALLOC-07"),
    change(P.RUN_RUNNING, P.STOP_RUNNING, "a plan stops it", "OBJ-212 PLAN-03 PLAN-70 ALLOC-07"),
    change(P.RUN_FAILED, P.STOP_FAILED, "a plan replaces it", "OBJ-212 PLAN-03 PLAN-70 ALLOC-07"),
    change(P.STOP_PENDING, P.STOP_RUNNING, "a task runs", "OBJ-213 OBJ-218 CLIENT-05"),
    change(P.STOP_PENDING, P.STOP_COMPLETE, "its client stops it", "OBJ-213 OBJ-218 CLIENT-05"),
    change(P.STOP_RUNNING, P.STOP_COMPLETE, "its client stops it", "OBJ-213 OBJ-218 CLIENT-05"),
    change(P.STOP_RUNNING, P.STOP_FAILED, "a task failed for good", "OBJ-213 OBJ-218 CLIENT-05 ALLOC-18"),

    # A plan of another job preempts it.
    change(P.RUN_PENDING, P.EVICT_PENDING, "preempted", "OBJ-212 PLAN-03 PLAN-44 PLAN-70"),
    change(P.RUN_RUNNING, P.EVICT_RUNNING, "preempted", "OBJ-212 PLAN-03 PLAN-44 PLAN-70"),
    change(P.EVICT_PENDING, P.EVICT_RUNNING, "a task runs", "OBJ-213 OBJ-218 CLIENT-05"),
    change(P.EVICT_PENDING, P.EVICT_COMPLETE, "its client stops it", "OBJ-213 OBJ-218 CLIENT-05"),
    change(P.EVICT_RUNNING, P.EVICT_COMPLETE, "its client stops it", "OBJ-213 OBJ-218 CLIENT-05"),
    change(P.EVICT_RUNNING, P.EVICT_FAILED, "a task failed for good", "OBJ-213 OBJ-218 CLIENT-05 ALLOC-18"),
    change(P.EVICT_RUNNING, P.STOP_RUNNING, "its own job stops it, too", "PLAN-44 PLAN-70"),

    # Its node is lost, or disconnected, and comes back.
    change(P.RUN_PENDING, P.STOP_LOST, "node down, gone or disconnected",
           "ALLOC-10 GENERIC-14 REC-28 REC-34 REC-37 NODE-12"),
    change(P.RUN_RUNNING, P.STOP_LOST, "node down or gone",
           "ALLOC-10 GENERIC-14 REC-29 REC-34 REC-37 NODE-12"),
    change(P.STOP_RUNNING, P.STOP_LOST, "node down or gone",
           "ALLOC-10 GENERIC-14 REC-29 REC-34 REC-37 NODE-12"),
    change(P.STOP_LOST, P.STOP_COMPLETE, "node is back", "OBJ-213 ALLOC-10"),
    change(P.STOP_LOST, P.STOP_FAILED, "node is back", "OBJ-213 ALLOC-10"),
    change(P.RUN_RUNNING, P.RUN_UNKNOWN, "node disconnected", "ALLOC-10 DISC-05 REC-30 REC-36 NODE-11"),
    change(P.RUN_UNKNOWN, P.RUN_RUNNING, "node is back", "OBJ-213 CLIENT-04 ALLOC-12"),
    change(P.RUN_UNKNOWN, P.RUN_COMPLETE, "node is back", "OBJ-213 CLIENT-04 ALLOC-12"),
    change(P.RUN_UNKNOWN, P.RUN_FAILED, "node is back", "OBJ-213 CLIENT-04 ALLOC-12"),
    change(P.RUN_UNKNOWN, P.STOP_LOST, "node gone, or time is up", "ALLOC-10 REC-25 REC-34 REC-37 NODE-07"),
    change(P.RUN_UNKNOWN, P.STOP_UNKNOWN, "replaced or stopped once more", "DISC-12 REC-76 REC-93",
           REPLACED_AGAIN),
    change(P.STOP_UNKNOWN, P.STOP_COMPLETE, "node is back", "OBJ-213 CLIENT-04 ALLOC-12"),
    change(P.STOP_UNKNOWN, P.STOP_FAILED, "node is back", "OBJ-213 CLIENT-04 ALLOC-12"),

    # What a plan of an older state writes over.
    change(P.STOP_RUNNING, P.RUN_RUNNING, "updated on an older state", "OBJ-212 PLAN-74 OBJ-408",
           REVIVED_ALLOCATION),
    change(P.EVICT_RUNNING, P.RUN_RUNNING, "updated on an older state", "OBJ-212 PLAN-74 OBJ-408",
           REVIVED_ALLOCATION),
    change(P.RUN_COMPLETE, P.STOP_LOST, "stopped on an older state", "PLAN-40 PLAN-74 OBJ-408",
           OVERWRITTEN_REPORT),
    change(P.RUN_FAILED, P.STOP_LOST, "stopped on an older state", "PLAN-40 PLAN-74 OBJ-408",
           OVERWRITTEN_REPORT),
    change(P.RUN_COMPLETE, P.RUN_UNKNOWN, "planned on an older state", "ALLOC-07 PLAN-74 OBJ-408",
           OVERWRITTEN_REPORT),
    change(P.RUN_FAILED, P.RUN_UNKNOWN, "planned on an older state", "ALLOC-07 PLAN-74 OBJ-408",
           OVERWRITTEN_REPORT),

    *(change(pair, ABSENT, "purge, or garbage collection", "JOB-13 OBJ-048 GC-25") for pair in P),
)
# fmt: on

ALLOCATION: Final = Lifecycle(
    name="allocation",
    title="Allocation: desired and client status together",
    statuses=AllocPair,
    origin="plan",
    initial=(P.RUN_PENDING,),
    terminal=(P.STOP_COMPLETE, P.STOP_FAILED, P.EVICT_COMPLETE, P.EVICT_FAILED),
    trouble=(P.RUN_FAILED, P.RUN_UNKNOWN, P.STOP_FAILED, P.STOP_LOST, P.STOP_UNKNOWN, P.EVICT_FAILED),
    resting=(P.RUN_COMPLETE,),
    happy_path=(P.RUN_PENDING, P.RUN_RUNNING, P.STOP_RUNNING, P.STOP_COMPLETE),
    arrows=_ARROWS,
    remarks=(
        remark(
            "The first word is what the servers want, the second what the client has said last. The table "
            "lists the pairs of the usual courses; allocation-desired and allocation-client list every "
            "change of either status by itself.",
            "ALLOC-02 ALLOC-03",
        ),
        remark(
            "A live alloc is one that is wanted and has not ended: run with pending, running or unknown.",
            "ALLOC-02 PLAN-53",
        ),
    ),
)
