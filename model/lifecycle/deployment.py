"""Deployment: the update of a job to one version."""

from enum import StrEnum
from typing import Final

from nomadspec.model.lifecycle.table import ABSENT, Lifecycle, change, creation, remark
from nomadspec.model.specification.quirks import STALE_DEPLOYMENT


class DeploymentStatus(StrEnum):
    """How a deployment stands; the last four are of deployments over several regions.

    Spec: OBJ-272, 01/S23.
    """

    RUNNING = "running"
    PAUSED = "paused"
    SUCCESSFUL = "successful"
    FAILED = "failed"
    CANCELLED = "cancelled"
    INITIALIZING = "initializing"
    PENDING = "pending"
    BLOCKED = "blocked"
    UNBLOCKING = "unblocking"


S = DeploymentStatus  # the table reads better with a short name

PAUSED: Final = frozenset({S.PAUSED, S.PENDING, S.INITIALIZING})
"""What schedulers take for paused: a deployment of such a status places nothing until it goes on.

Spec: REC-11.
"""
HELD: Final = PAUSED | {S.FAILED}
"""A deployment of such a status holds its groups up: it waits, or has failed.

Spec: REC-82, SYSDEP-03.
"""

# fmt: off
_ARROWS: Final = (
    creation(ABSENT, S.RUNNING, "a plan creates it for a version", "DEP-04 DEP-08 REC-88 SYSDEP-07"),

    change(S.RUNNING, S.PAUSED, "operator", "DEP-13 DEP-48"),
    change(S.PAUSED, S.RUNNING, "operator", "DEP-13 DEP-49"),
    change(S.RUNNING, S.RUNNING, "resumed, though not paused", "DEP-49 DEP-21"),
    change(S.RUNNING, S.SUCCESSFUL, "a plan finds every group healthy", "DEP-09 REC-90 SYSDEP-20 SYSDEP-21"),
    change(S.PAUSED, S.SUCCESSFUL, "a plan finds every group healthy", "DEP-09 DEP-20 REC-90 SYSDEP-21"),
    change(S.RUNNING, S.FAILED, "unhealthy alloc", "DEP-12 DEP-32 DEP-43 DEP-52"),
    change(S.RUNNING, S.FAILED, "progress deadline", "DEP-12 DEP-42 DEP-43"),
    change(S.RUNNING, S.FAILED, "operator", "DEP-12 DEP-51"),
    change(S.PAUSED, S.FAILED, "unhealthy alloc", "DEP-12 DEP-32 DEP-46 DEP-52"),
    change(S.PAUSED, S.FAILED, "operator", "DEP-12 DEP-51"),
    change(S.RUNNING, S.CANCELLED, "newer version", "DEP-10 REC-07 SYSDEP-05"),
    change(S.RUNNING, S.CANCELLED, "job stopped", "DEP-11 REC-04 SYSDEP-05"),
    change(S.RUNNING, S.CANCELLED, "restored without its job", "DEP-16"),
    change(S.PAUSED, S.CANCELLED, "newer version", "DEP-10 REC-07 SYSDEP-05"),
    change(S.PAUSED, S.CANCELLED, "job stopped", "DEP-11 REC-04 SYSDEP-05"),
    change(S.PAUSED, S.CANCELLED, "restored without its job", "DEP-16"),

    change(S.RUNNING, ABSENT, "purge", "DEP-18 JOB-13"),
    change(S.PAUSED, ABSENT, "purge", "DEP-18 JOB-13"),
    change(S.SUCCESSFUL, ABSENT, "purge; garbage collection", "DEP-18 GC-40"),
    change(S.FAILED, ABSENT, "purge; garbage collection", "DEP-18 GC-40"),
    change(S.CANCELLED, ABSENT, "purge; garbage collection", "DEP-18 GC-40"),

    change(S.FAILED, S.RUNNING, "planned before it ended", "DEP-22 SYSDEP-23 SYSDEP-24", STALE_DEPLOYMENT),
    change(S.FAILED, S.PAUSED, "planned while it was paused", "DEP-22 SYSDEP-23 SYSDEP-24", STALE_DEPLOYMENT),
    change(S.FAILED, S.SUCCESSFUL, "planned before it ended", "DEP-22 SYSDEP-21 SYSDEP-24", STALE_DEPLOYMENT),
    change(S.FAILED, S.CANCELLED, "planned before it ended", "DEP-22 SYSDEP-05 SYSDEP-24", STALE_DEPLOYMENT),
    change(S.CANCELLED, S.RUNNING, "planned before it ended", "DEP-22 SYSDEP-23 SYSDEP-24", STALE_DEPLOYMENT),
    change(S.CANCELLED, S.PAUSED, "planned while it was paused", "DEP-22 SYSDEP-23 SYSDEP-24",
           STALE_DEPLOYMENT),
)
# fmt: on

DEPLOYMENT: Final = Lifecycle(
    name="deployment",
    title="Deployment",
    statuses=DeploymentStatus,
    left_out=(S.INITIALIZING, S.PENDING, S.BLOCKED, S.UNBLOCKING),
    origin="plan",
    initial=(S.RUNNING,),
    terminal=(S.SUCCESSFUL, S.FAILED, S.CANCELLED),
    trouble=(S.FAILED,),
    happy_path=(S.RUNNING, S.SUCCESSFUL),
    arrows=_ARROWS,
    remarks=(
        remark(
            "A status update is refused once a deployment has ended; between active statuses anything goes.",
            "DEP-20",
        ),
        remark(
            "A plan that carries the whole deployment passes by that check. Every plan of a system job "
            "with a deployment does.",
            "DEP-22 SYSDEP-23 SYSDEP-24",
        ),
        remark(
            "Registering a new version does not touch the old deployment: it ends with the next eval that "
            "is planned.",
            "DEP-10",
        ),
        remark(
            "A paused deployment still fails on an unhealthy alloc; only the deadline and auto-promotion "
            "rest.",
            "DEP-42 DEP-46",
        ),
        remark(
            "A failed deployment may register the last stable version again; that version gets a new "
            "deployment.",
            "DEP-60 DEP-61 DEP-64",
        ),
        remark("Nothing in the store forbids two active deployments of one job.", "DEP-01"),
        remark(
            "Initializing, pending, blocked and unblocking belong to multiregion deployments, which the "
            "community edition does not have.",
            "DEP-02 DEP-59",
        ),
    ),
)
