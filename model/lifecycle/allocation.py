"""Allocation: what the servers want of it, and what the client says of it."""

from enum import StrEnum
from typing import Final

from nomadspec.model.lifecycle.table import ABSENT, Lifecycle, change, creation, remark
from nomadspec.model.specification.quirks import OVERWRITTEN_REPORT, REVIVED_ALLOCATION


class AllocDesired(StrEnum):
    """What the servers want of an allocation.

    Spec: ALLOC-01.
    """

    RUN = "run"
    STOP = "stop"
    EVICT = "evict"


class AllocClient(StrEnum):
    """What is known of an allocation on its node.

    Spec: ALLOC-01.
    """

    PENDING = "pending"
    RUNNING = "running"
    COMPLETE = "complete"
    FAILED = "failed"
    LOST = "lost"
    UNKNOWN = "unknown"


SAID_BY_SERVERS: Final = (AllocClient.LOST, AllocClient.UNKNOWN)
"""The client statuses that a plan writes of a client that is out of reach; no client says them."""

SAID_BY_CLIENTS: Final = tuple(status for status in AllocClient if status not in SAID_BY_SERVERS)

D = AllocDesired  # the tables read better with short names
C = AllocClient

# fmt: off
_DESIRED_ARROWS: Final = (
    creation(ABSENT, D.RUN, "a plan places it", "OBJ-211 PLAN-72 ALLOC-04"),

    change(D.RUN, D.STOP, "a plan stops it", "OBJ-212 PLAN-03 PLAN-70 ALLOC-07"),
    change(D.RUN, D.EVICT, "a plan of another job preempts it", "OBJ-212 PLAN-03 PLAN-44 PLAN-70"),
    change(D.EVICT, D.STOP, "its own job stops it, too", "PLAN-44 PLAN-70"),
    change(D.STOP, D.EVICT, "the stop was not yet seen", "PLAN-31 PLAN-44 PLAN-70"),

    change(D.RUN, ABSENT, "purge; collection once ended", "JOB-13 OBJ-048 GC-25"),
    change(D.STOP, ABSENT, "purge; garbage collection", "JOB-13 OBJ-048 GC-25"),
    change(D.EVICT, ABSENT, "purge; garbage collection", "JOB-13 OBJ-048 GC-25"),

    change(D.STOP, D.RUN, "updated on an older state", "OBJ-212 PLAN-74 OBJ-408", REVIVED_ALLOCATION),
    change(D.EVICT, D.RUN, "updated on an older state", "OBJ-212 PLAN-74 OBJ-408", REVIVED_ALLOCATION),
)

_CLIENT_ARROWS: Final = (
    creation(ABSENT, C.PENDING, "a plan places it", "OBJ-211 PLAN-72"),

    # Reports of the client.
    change(C.PENDING, C.RUNNING, "a task runs", "OBJ-213 OBJ-218 CLIENT-05"),
    change(C.PENDING, C.COMPLETE, "stopped early, or seen late", "OBJ-213 OBJ-218 CLIENT-05"),
    change(C.PENDING, C.FAILED, "cannot be set up, or failed", "OBJ-213 OBJ-218 CLIENT-05 HEALTH-18"),
    change(C.RUNNING, C.PENDING, "its tasks restart", "OBJ-218 CLIENT-05 ALLOC-18"),
    change(C.RUNNING, C.COMPLETE, "done or stopped", "OBJ-213 OBJ-218 CLIENT-05"),
    change(C.RUNNING, C.FAILED, "a task failed for good", "OBJ-213 OBJ-218 CLIENT-05 ALLOC-18"),
    change(C.UNKNOWN, C.PENDING, "node is back", "OBJ-213 OBJ-218 CLIENT-04"),
    change(C.UNKNOWN, C.RUNNING, "node is back", "OBJ-213 CLIENT-04 ALLOC-12"),
    change(C.UNKNOWN, C.COMPLETE, "node is back", "OBJ-213 CLIENT-04 ALLOC-12"),
    change(C.UNKNOWN, C.FAILED, "node is back", "OBJ-213 CLIENT-04 ALLOC-12"),
    change(C.LOST, C.PENDING, "node is back", "OBJ-213 OBJ-218"),
    change(C.LOST, C.RUNNING, "node is back", "OBJ-213 ALLOC-10"),
    change(C.LOST, C.COMPLETE, "node is back", "OBJ-213 ALLOC-10"),
    change(C.LOST, C.FAILED, "node is back", "OBJ-213 ALLOC-10"),

    # What a plan writes for a client that is disconnected.
    change(C.PENDING, C.LOST, "node down, gone or disconnected",
           "ALLOC-10 GENERIC-14 REC-28 REC-34 REC-37 NODE-12"),
    change(C.RUNNING, C.LOST, "node down or gone", "ALLOC-10 GENERIC-14 REC-29 REC-34 REC-37 NODE-12"),
    change(C.UNKNOWN, C.LOST, "node gone, or time is up", "ALLOC-10 REC-25 REC-34 REC-37 NODE-07"),
    change(C.RUNNING, C.UNKNOWN, "node disconnected", "ALLOC-10 DISC-05 REC-30 REC-36 NODE-11"),

    change(C.PENDING, ABSENT, "purge; collection once stopped", "JOB-13 OBJ-048 GC-25"),
    change(C.RUNNING, ABSENT, "purge", "JOB-13 OBJ-048"),
    change(C.COMPLETE, ABSENT, "purge; garbage collection", "JOB-13 OBJ-048 GC-25"),
    change(C.FAILED, ABSENT, "purge; garbage collection", "JOB-13 OBJ-048 GC-25"),
    change(C.LOST, ABSENT, "purge; garbage collection", "JOB-13 OBJ-048 GC-25"),
    change(C.UNKNOWN, ABSENT, "purge; collection once stopped", "JOB-13 OBJ-048 GC-25"),

    change(C.COMPLETE, C.LOST, "stopped on an older state", "PLAN-40 PLAN-74 OBJ-408", OVERWRITTEN_REPORT),
    change(C.FAILED, C.LOST, "stopped on an older state", "PLAN-40 PLAN-74 OBJ-408", OVERWRITTEN_REPORT),
    change(C.PENDING, C.UNKNOWN, "planned on an older state", "ALLOC-07 PLAN-74 OBJ-408", OVERWRITTEN_REPORT),
    change(C.COMPLETE, C.UNKNOWN, "planned on an older state", "ALLOC-07 PLAN-74 OBJ-408",
           OVERWRITTEN_REPORT),
    change(C.FAILED, C.UNKNOWN, "planned on an older state", "ALLOC-07 PLAN-74 OBJ-408", OVERWRITTEN_REPORT),
    change(C.LOST, C.UNKNOWN, "stopped on an older state", "ALLOC-07 PLAN-74 OBJ-408", OVERWRITTEN_REPORT),
)
# fmt: on

ALLOCATION_DESIRED: Final = Lifecycle(
    name="allocation-desired",
    title="Allocation: what the servers want",
    statuses=AllocDesired,
    origin="plan",
    initial=(D.RUN,),
    resting=(D.STOP, D.EVICT),
    happy_path=(D.RUN, D.STOP),
    arrows=_DESIRED_ARROWS,
    remarks=(
        remark(
            "Only plans write it; a client update, a transition and a health report never do.",
            "ALLOC-03 OBJ-220",
        ),
        remark(
            "Neither the plan applier nor the store looks at the stored value: a plan that carries a whole "
            "alloc replaces it.",
            "OBJ-212 PLAN-74",
        ),
        remark(
            "A replacement is a new alloc; the old one keeps its statuses and only learns the ID of the "
            "new one.",
            "OBJ-409 PLAN-76 ALLOC-08",
        ),
        remark(
            "A new alloc whose job is missing or stopped at commit is left out without an error.",
            "PLAN-73 ALLOC-05",
        ),
        remark(
            "A purge deletes live allocs at once: they never show stop, and clients stop them because they "
            "are gone.",
            "OBJ-048 JOB-13 CLIENT-04",
        ),
        remark(
            "An alloc that ends by itself keeps run for ever, unless it is replaced; whether it is live is "
            "a question to both statuses.",
            "ALLOC-02 PLAN-53",
        ),
    ),
)

ALLOCATION_CLIENT: Final = Lifecycle(
    name="allocation-client",
    title="Allocation: what the client says",
    statuses=AllocClient,
    origin="plan",
    initial=(C.PENDING,),
    terminal=(C.COMPLETE, C.FAILED),
    resting=(C.LOST,),
    trouble=(C.FAILED, C.LOST, C.UNKNOWN),
    happy_path=(C.PENDING, C.RUNNING, C.COMPLETE),
    arrows=_CLIENT_ARROWS,
    remarks=(
        remark(
            "The store takes any status from a client. The table lists what a correct client reports: it "
            "never leaves complete or failed, and never says lost or unknown.",
            "OBJ-213 ALLOC-03 ALLOC-09 CLIENT-10",
        ),
        remark(
            "Lost counts as terminal, so the capacity of the alloc is given away; but a client that comes "
            "back corrects the status. An alloc is meant to leave no other terminal status.",
            "OBJ-213 OBJ-231 ALLOC-10 PLAN-53",
        ),
        remark(
            "Unknown is not terminal: it keeps its capacity and keeps its job running.", "ALLOC-02 OBJ-231"
        ),
        remark(
            "A plan writes no other status than lost and unknown, and does not ask what the client has "
            "said since.",
            "ALLOC-06 ALLOC-07 OBJ-408",
        ),
        remark("A client whose alloc has no task states yet may report an empty status.", "OBJ-218"),
        remark(
            "Updates are refused from a node that is down or disconnected, judged by the first alloc of a "
            "batch.",
            "ALLOC-11",
        ),
    ),
)
