"""The statuses of the kernel: what a cell says of a job, an evaluation, an allocation, a worker, an entry."""

from enum import IntEnum
from typing import Final

from nomadspec.model.lifecycle.deployment import DEPLOYMENT
from nomadspec.model.lifecycle.evaluation import EVALUATION
from nomadspec.model.lifecycle.table import numbers


class JobPhase(IntEnum):
    """What the store knows of a job."""

    ABSENT = 0
    WANTED = 1
    STOPPED = 2


@numbers(EVALUATION)
class Record(IntEnum):
    """What the store knows of an evaluation: no record, or one of the five statuses."""

    ABSENT = 0
    PENDING = 1
    BLOCKED = 2
    COMPLETE = 3
    FAILED = 4
    CANCELED = 5


ENDED: Final = tuple(Record[status.name] for status in EVALUATION.terminal)
"""The records of evaluations for which nothing is left to do."""


class Kind(IntEnum):
    """The type of a job, which says by which scheduler it is planned."""

    SERVICE = 0
    BATCH = 1
    SYSTEM = 2
    SYSBATCH = 3
    CORE = 4


class Cause(IntEnum):
    """Why an evaluation was made, as far as that decides anything later."""

    EVENT = 0
    UNPLACED = 1
    ATTEMPTS = 2
    FOLLOW_UP = 3
    DEADLINE = 4
    UNHANDLED_TRIGGER = 5


class Place(IntEnum):
    """Where the broker has an evaluation."""

    OUT = 0
    READY = 1
    UNACKED = 2
    NACKED = 3
    PENDING_BEHIND_JOB = 4
    WAITING = 5
    FAILED = 6


class PlannedStatus(IntEnum):
    """The client status with which a plan writes an allocation that it keeps."""

    AS_IT_IS = 0
    UNKNOWN = 1
    UNKNOWN_AND_UPDATED = 2
    ENDED = 3


class BlockedIn(IntEnum):
    """Where blocked evals have an evaluation."""

    OUT = 0
    CAPTURED = 1
    ESCAPED = 2


class AllocPhase(IntEnum):
    """What the store knows of an allocation: none yet, live, how it ended, or that it was deleted."""

    ABSENT = 0
    LIVE = 1
    STOPPED = 2
    FAILED = 3
    LOST = 4
    COMPLETE = 5
    UNKNOWN = 6
    GONE = 7


class Health(IntEnum):
    """What a client has said of the health of an allocation of a deployment."""

    UNSET = 0
    HEALTHY = 1
    UNHEALTHY = 2


@numbers(DEPLOYMENT)
class DeploymentPhase(IntEnum):
    """What the store knows of the current deployment of a job: none, or one of the five statuses."""

    ABSENT = 0
    RUNNING = 1
    PAUSED = 2
    SUCCESSFUL = 3
    FAILED = 4
    CANCELLED = 5


class Stage(IntEnum):
    """What a worker is doing with its delivery."""

    IDLE = 0
    TAKEN = 1
    PLANNING = 2
    PLANNED = 3
    SUBMITTED = 4
    REFUSED = 5
    DECIDED = 6
    EXHAUSTED = 7
    ACKING = 8
    FAILING = 9
    JUDGED = 10
    IN_FLIGHT = 11


class EntryStatus(IntEnum):
    """What became of a log entry that the applier dispatched."""

    FREE = 0
    IN_FLIGHT = 1
    COMMITTED = 2
    FAILED = 3
    ORPHANED = 4


class Lead(IntEnum):
    """How the index of the applier's snapshot compares with that of the store."""

    BEHIND = 0
    EVEN = 1
    AHEAD = 2
