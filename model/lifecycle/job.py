"""Job: the status that the store derives for it."""

from enum import StrEnum
from typing import Final

from nomadspec.model.lifecycle.table import ABSENT, Lifecycle, change, creation, remark
from nomadspec.model.specification.quirks import FORCED_RUNNING


class JobStatus(StrEnum):
    """The status of a job."""

    PENDING = "pending"
    RUNNING = "running"
    DEAD = "dead"


S = JobStatus  # the table reads better with a short name

# fmt: off
_ARROWS: Final = (
    creation(ABSENT, S.PENDING, "registered", "JOB-07 OBJ-051"),
    creation(ABSENT, S.RUNNING, "registered: system, or a parent", "JOB-07 OBJ-051"),
    creation(ABSENT, S.RUNNING, "registered, a deployment is still active", "JOB-30 OBJ-051"),
    creation(ABSENT, S.DEAD, "registered, stopped", "JOB-10 OBJ-051"),
    creation(ABSENT, S.DEAD, "registered, old evals are still stored", "JOB-30 OBJ-051"),
    creation(S.RUNNING, S.PENDING, "a parent launches or is dispatched", "JOB-21 JOB-25"),

    change(S.PENDING, S.RUNNING, "an alloc is placed", "OBJ-051 OBJ-053 JOB-31"),
    change(S.PENDING, S.RUNNING, "a deployment is active", "OBJ-051 JOB-30"),
    change(S.PENDING, S.DEAD, "its evals ended, nothing runs", "OBJ-051 JOB-30"),
    change(S.RUNNING, S.PENDING, "allocs ended, an eval is open", "OBJ-051 JOB-30"),
    change(S.RUNNING, S.DEAD, "allocs and evals ended", "OBJ-051 JOB-30"),
    change(S.RUNNING, S.DEAD, "stopped: system, or a parent", "OBJ-051 JOB-30"),
    change(S.DEAD, S.PENDING, "a new eval", "OBJ-051 JOB-30"),
    change(S.DEAD, S.RUNNING, "registered again: system, or a parent", "JOB-09 OBJ-051"),
    change(S.DEAD, S.RUNNING, "an alloc is placed", "OBJ-053 JOB-31 JOB-32"),
    change(S.DEAD, S.RUNNING, "updated in place after its stop", "OBJ-053 PLAN-70", FORCED_RUNNING),

    change(S.PENDING, ABSENT, "purge", "JOB-13"),
    change(S.RUNNING, ABSENT, "purge", "JOB-13"),
    change(S.DEAD, ABSENT, "purge; garbage collection", "JOB-13 JOB-17 GC-30 GC-96"),
)
# fmt: on

JOB: Final = Lifecycle(
    name="job",
    title="Job",
    statuses=JobStatus,
    origin="operator",
    initial=(S.PENDING, S.RUNNING, S.DEAD),
    resting=(S.DEAD,),
    happy_path=(S.PENDING, S.RUNNING, S.DEAD),
    arrows=_ARROWS,
    remarks=(
        remark(
            "Nobody sets the status: it is computed from allocs, evals and deployments, at some writes "
            "only, and lags behind them in between.",
            "OBJ-051 OBJ-052 JOB-32",
        ),
        remark(
            "A parent is a periodic or parameterized job: it runs nothing itself and makes child jobs.",
            "JOB-24 JOB-25",
        ),
        remark(
            "A plan that ends with a live alloc of the job writes running without computing anything.",
            "OBJ-053 JOB-31",
        ),
        remark(
            "Deployments, allocs and evals count by the ID of the job, also those of an earlier job of "
            "that name.",
            "JOB-30",
        ),
        remark("Dead is not final: it says that nothing is left to do.", "OBJ-051 JOB-09"),
        remark(
            "A service job with nothing to run is dead as soon as its first eval is complete.", "JOB-30 GC-30"
        ),
        remark(
            "A child whose parent was purged at the wrong moment is stored without an eval and stays "
            "pending.",
            "FSM-11",
        ),
    ),
)
