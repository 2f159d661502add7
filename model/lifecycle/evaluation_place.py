"""Evaluation: where it is in the leader's memory.

A place says who would hand the evaluation on next. ``NOWHERE`` is an evaluation that neither broker nor
blocked evals know: one that has ended, or any at all while the broker is paused or there is no leader.
``CANCELABLE`` waits to be written as canceled, in the broker's list of cancelable evaluations or in the
blocked evals' list of duplicates.
"""

from enum import IntEnum
from typing import Final

from nomadspec.model.lifecycle.table import ABSENT, Lifecycle, change, creation, remark
from nomadspec.model.specification.quirks import (
    DISPLACED_IS_DELIVERED,
    DROPPED_DELAYED_FIRES,
    LEAKED_NACK_DELAY,
)


class EvalPlace(IntEnum):
    """Where an evaluation is."""

    NOWHERE = 0
    READY = 1
    UNACKED = 2
    PENDING_BEHIND_JOB = 3
    DELAYED = 4
    BLOCKED_CAPTURED = 5
    BLOCKED_ESCAPED = 6
    FAILED_QUEUE = 7
    CANCELABLE = 8


S = EvalPlace  # the table reads better with a short name

# fmt: off
_ARROWS: Final = (
    creation(ABSENT, S.NOWHERE, "made", "EVAL-10 FSM-02 GC-01"),

    change(S.NOWHERE, S.READY, "enqueued, job is free", "BROKER-04 BROKER-06 FSM-02 LEADER-02"),
    change(S.NOWHERE, S.PENDING_BEHIND_JOB, "enqueued, job is busy", "BROKER-06 FSM-02 LEADER-02"),
    change(S.NOWHERE, S.DELAYED, "enqueued with a wait", "BROKER-04 FSM-02 LEADER-02"),
    change(S.NOWHERE, S.BLOCKED_CAPTURED, "blocked", "BLOCKED-10 FSM-02 LEADER-02"),
    change(S.NOWHERE, S.BLOCKED_ESCAPED, "blocked", "BLOCKED-10 EVAL-20 LEADER-02"),
    change(S.NOWHERE, S.CANCELABLE, "blocked, but a newer one is", "BLOCKED-20"),
    change(S.NOWHERE, S.READY, "blocked, but missed a wake-up", "BLOCKED-10 BLOCKED-30"),
    change(S.NOWHERE, S.PENDING_BEHIND_JOB, "blocked, but missed a wake-up", "BLOCKED-10 BLOCKED-30"),
    change(S.NOWHERE, S.READY, "called off, yet fires", "BROKER-10 BROKER-50", DROPPED_DELAYED_FIRES),
    change(S.NOWHERE, S.PENDING_BEHIND_JOB, "called off, yet fires", "BROKER-10 BROKER-50",
           DROPPED_DELAYED_FIRES),

    change(S.READY, S.UNACKED, "dequeued", "BROKER-20 BROKER-21 BROKER-22"),
    change(S.UNACKED, S.NOWHERE, "ack", "BROKER-35 BROKER-36"),
    change(S.UNACKED, S.DELAYED, "nack", "BROKER-32 BROKER-40 BROKER-41"),
    change(S.UNACKED, S.READY, "nack without delay", "BROKER-40"),
    change(S.UNACKED, S.FAILED_QUEUE, "nack, deliveries used up", "BROKER-40 BROKER-42"),
    change(S.UNACKED, S.READY, "ack, woken meanwhile", "BROKER-03 BROKER-36 WORKER-32"),
    change(S.UNACKED, S.PENDING_BEHIND_JOB, "ack, woken meanwhile",
           "BROKER-03 BROKER-36 BROKER-37 WORKER-32"),
    change(S.UNACKED, S.BLOCKED_CAPTURED, "reblocked", "EVAL-36 WORKER-30 BLOCKED-10"),
    change(S.UNACKED, S.BLOCKED_ESCAPED, "reblocked", "EVAL-36 WORKER-30 BLOCKED-10"),
    change(S.UNACKED, S.CANCELABLE, "reblocked, but a newer one is", "WORKER-30 BLOCKED-20"),
    change(S.FAILED_QUEUE, S.UNACKED, "taken by the reaper", "BROKER-23 LEADER-20"),

    change(S.PENDING_BEHIND_JOB, S.READY, "next in line", "BROKER-16 BROKER-36"),
    change(S.PENDING_BEHIND_JOB, S.CANCELABLE, "another goes first", "BROKER-36"),
    change(S.DELAYED, S.READY, "time is up", "BROKER-04 BROKER-06"),
    change(S.DELAYED, S.PENDING_BEHIND_JOB, "time is up, job is busy", "BROKER-05 BROKER-06"),
    change(S.DELAYED, S.NOWHERE, "called off", "BROKER-50 FSM-24"),

    change(S.BLOCKED_CAPTURED, S.READY, "woken", "BLOCKED-40 BLOCKED-41 BLOCKED-44 LEADER-50"),
    change(S.BLOCKED_CAPTURED, S.PENDING_BEHIND_JOB, "woken, job is busy", "BLOCKED-41 BROKER-06"),
    change(S.BLOCKED_CAPTURED, S.CANCELABLE, "displaced", "BLOCKED-20"),
    change(S.BLOCKED_CAPTURED, S.NOWHERE, "untracked", "BLOCKED-45 FSM-02"),
    change(S.BLOCKED_CAPTURED, S.DELAYED, "woken with an old nack delay", "BROKER-04 BLOCKED-41",
           LEAKED_NACK_DELAY),
    change(S.BLOCKED_ESCAPED, S.READY, "woken", "BLOCKED-40 BLOCKED-41 BLOCKED-44 LEADER-50"),
    change(S.BLOCKED_ESCAPED, S.PENDING_BEHIND_JOB, "woken, job is busy", "BLOCKED-41 BROKER-06"),
    change(S.BLOCKED_ESCAPED, S.CANCELABLE, "displaced", "BLOCKED-20"),
    change(S.BLOCKED_ESCAPED, S.NOWHERE, "untracked", "BLOCKED-45 FSM-02"),
    change(S.BLOCKED_ESCAPED, S.DELAYED, "woken with an old nack delay", "BROKER-04 BLOCKED-41",
           LEAKED_NACK_DELAY),
    change(S.CANCELABLE, S.NOWHERE, "taken by a reaper", "BROKER-51 BLOCKED-23 LEADER-30 LEADER-40"),
    change(S.CANCELABLE, S.READY, "displaced, yet woken", "BLOCKED-21 BLOCKED-41", DISPLACED_IS_DELIVERED),
    change(S.CANCELABLE, S.PENDING_BEHIND_JOB, "displaced, yet woken", "BLOCKED-21 BLOCKED-41",
           DISPLACED_IS_DELIVERED),

    change(S.READY, S.NOWHERE, "flush", "BROKER-52"),
    change(S.UNACKED, S.NOWHERE, "flush", "BROKER-52"),
    change(S.PENDING_BEHIND_JOB, S.NOWHERE, "flush", "BROKER-52"),
    change(S.DELAYED, S.NOWHERE, "flush", "BROKER-52"),
    change(S.FAILED_QUEUE, S.NOWHERE, "flush", "BROKER-52"),
    change(S.BLOCKED_CAPTURED, S.NOWHERE, "flush", "BLOCKED-46"),
    change(S.BLOCKED_ESCAPED, S.NOWHERE, "flush", "BLOCKED-46"),
    change(S.CANCELABLE, S.NOWHERE, "flush", "BROKER-52 BLOCKED-46"),
)
# fmt: on

EVALUATION_PLACE: Final = Lifecycle(
    name="evaluation-place",
    title="Evaluation: where it is",
    statuses=EvalPlace,
    origin="new eval",
    initial=(S.NOWHERE,),
    resting=(S.NOWHERE,),
    trouble=(S.FAILED_QUEUE,),
    happy_path=(S.NOWHERE, S.READY, S.UNACKED),
    arrows=_ARROWS,
    remarks=(
        remark(
            "A flush empties broker and blocked evals when leadership is lost or the broker is paused; a new "
            "leader, or the end of the pause, puts back what is pending or blocked in the store.",
            "BROKER-52 BLOCKED-46 LEADER-02 LEADER-04",
        ),
        remark(
            "Ready, unacked, and delayed after a nack occupy the job; delayed with a due time and pending "
            "do not.",
            "BROKER-05 BROKER-06 BROKER-07",
        ),
        remark(
            "Between a reblock and the ack that follows it an eval is in two places: still unacked, and "
            "already blocked or woken again.",
            "BROKER-03 WORKER-32",
        ),
        remark(
            "A pause of the broker ends the reaper of the failed queue for good: evals stay in that queue, "
            "and hold their jobs, until the leader changes.",
            "BROKER-20 LEADER-20",
        ),
        remark(
            "If the entry that cancels an eval fails, the eval is forgotten until the next leader.",
            "LEADER-30 LEADER-40",
        ),
        remark("What a garbage collection or an operator deletes keeps its place.", "FSM-03 GC-92"),
    ),
)
