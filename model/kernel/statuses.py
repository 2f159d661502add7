"""The statuses of the kernel: what a cell says of a job, an evaluation, an allocation, a worker, an entry."""

from typing import Final

from nomadspec.model.language.typed import StatusEnum
from nomadspec.model.lifecycle.allocation import (
    ALLOCATION_CLIENT,
    ALLOCATION_DESIRED,
    AllocClient,
    AllocDesired,
)
from nomadspec.model.lifecycle.deployment import DEPLOYMENT
from nomadspec.model.lifecycle.evaluation import EVALUATION
from nomadspec.model.lifecycle.table import ABSENT, Status, has_ended, list_open, numbers


class JobPhase(StatusEnum):
    """What the store knows of a job."""

    ABSENT = 0
    WANTED = 1
    STOPPED = 2


@numbers(EVALUATION)
class EvalRecord(StatusEnum):
    """What the store knows of an evaluation: no record, or one of the five statuses."""


TERMINAL_EVAL: Final = tuple(EvalRecord[status.name] for status in EVALUATION.terminal)
"""The records of evaluations for which nothing is left to do."""

RECORD_OF: Final = {str(status.value): EvalRecord[status.name] for status in EVALUATION.list_statuses()}
"""What the kernel has of an evaluation with a status as Nomad spells it."""

OPEN_EVAL: Final = tuple(EvalRecord[status.name] for status in list_open(EVALUATION))
"""The records of evaluations that have still to be scheduled: pending or blocked."""


class Kind(StatusEnum):
    """The type of a job, which says by which scheduler it is planned."""

    SERVICE = 0
    BATCH = 1
    SYSTEM = 2
    SYSBATCH = 3
    CORE = 4


class TriggeredBy(StatusEnum):
    """Why an evaluation was made, as far as that decides anything later.

    Triggers that are kept stand with hyphens, as the API spells them. Two are ours: ``other_trigger`` stands
    for all the others (``job-register``, ``node-update``, ``preemption`` and so on), ``unhandled_trigger``
    for any that the scheduler of the job does not handle.
    """

    EVENT = 0
    QUEUED_ALLOCS = 1
    MAX_PLAN_ATTEMPTS = 2
    FAILED_FOLLOW_UP = 3
    MAX_DISCONNECT_TIMEOUT = 4
    UNHANDLED_TRIGGER = 5

    @property
    def label(self) -> str:
        """How Nomad writes a trigger; underscores tell those that are ours."""
        if self is TriggeredBy.EVENT:
            return "other_trigger"
        name = self.name.lower()
        return name if self is TriggeredBy.UNHANDLED_TRIGGER else name.replace("_", "-")


class InBroker(StatusEnum):
    """Where the broker has an evaluation."""

    OUT = 0
    READY = 1
    UNACKED = 2
    NACKED = 3
    PENDING_BEHIND_JOB = 4
    WAITING = 5
    FAILED = 6


class PlannedStatus(StatusEnum):
    """The client status with which a plan writes an allocation that it keeps.

    The schedulers of the kernel write the first two; recorded ones do more than that with one allocation.
    """

    AS_IT_IS = 0
    UNKNOWN = 1
    UNKNOWN_AND_UPDATED = 2
    ENDED = 3


class BlockedIn(StatusEnum):
    """Where blocked evals have an evaluation."""

    OUT = 0
    CAPTURED = 1
    ESCAPED = 2


class DisconnectPhase(StatusEnum):
    """How a snapshot shows an allocation to a scheduler that looks for what is disconnected.

    Its node is disconnected, and it is not unknown yet; it is unknown, and has time left; it is complete, and
    needs no other in its place; or it is neither of these.
    """

    NEITHER = 0
    NEWLY_DISCONNECTED = 1
    STILL_DISCONNECTED = 2
    COMPLETE = 3


class AllocPhase(StatusEnum):
    """What the store knows of an allocation: none yet, running, unknown, how it ended, or deleted."""

    ABSENT = 0
    RUNNING = 1
    STOPPED = 2
    FAILED = 3
    LOST = 4
    COMPLETE = 5
    UNKNOWN = 6
    GONE = 7


ALLOC_STATUSES: Final[dict[AllocPhase, tuple[Status, Status]]] = {
    AllocPhase.ABSENT: (ABSENT, ABSENT),
    AllocPhase.RUNNING: (AllocDesired.RUN, AllocClient.RUNNING),
    AllocPhase.STOPPED: (AllocDesired.STOP, AllocClient.RUNNING),
    AllocPhase.FAILED: (AllocDesired.RUN, AllocClient.FAILED),
    AllocPhase.LOST: (AllocDesired.STOP, AllocClient.LOST),
    AllocPhase.COMPLETE: (AllocDesired.RUN, AllocClient.COMPLETE),
    AllocPhase.UNKNOWN: (AllocDesired.RUN, AllocClient.UNKNOWN),
    AllocPhase.GONE: (ABSENT, ABSENT),
}
"""What a phase says of desired and client status: a new allocation runs at once here."""

UNSTORED_ALLOC: Final = tuple(phase for phase, of in ALLOC_STATUSES.items() if of == (ABSENT, ABSENT))
"""The phases of allocations that have no record: not made yet, or deleted."""

SERVER_TERMINAL_ALLOC: Final = tuple(
    phase for phase, (desired, _) in ALLOC_STATUSES.items() if has_ended(ALLOCATION_DESIRED, desired)
)
"""The phases of allocations that the servers no longer want."""

CLIENT_TERMINAL_ALLOC: Final = tuple(
    phase for phase, (_, client) in ALLOC_STATUSES.items() if has_ended(ALLOCATION_CLIENT, client)
)
"""The phases of allocations that have ended on their client, or are lost with it."""

UNENDED_ON_CLIENT: Final = tuple(
    phase for phase in AllocPhase if phase not in {*UNSTORED_ALLOC, *CLIENT_TERMINAL_ALLOC}
)
"""The phases of stored allocations of which no end on their client is known, wanted or not."""

ENDED_BY_ITSELF: Final = tuple(phase for phase in CLIENT_TERMINAL_ALLOC if phase not in SERVER_TERMINAL_ALLOC)
"""The phases of allocations that ended on their client while they were wanted."""

TERMINAL_ALLOC: Final = tuple(
    phase for phase in AllocPhase if phase in {*SERVER_TERMINAL_ALLOC, *CLIENT_TERMINAL_ALLOC}
)
"""The phases of stored allocations that take no capacity: not wanted any more, or ended."""

LIVE_ALLOC: Final = tuple(phase for phase in AllocPhase if phase not in {*UNSTORED_ALLOC, *TERMINAL_ALLOC})
"""The phases of live allocations, which take capacity: they run, as far as is known."""


class Health(StatusEnum):
    """What a client or an operator has said of the health of an allocation of a deployment."""

    UNSET = 0
    HEALTHY = 1
    UNHEALTHY = 2


@numbers(DEPLOYMENT)
class DeploymentPhase(StatusEnum):
    """What the store knows of the current deployment of a job: none, or one of the five statuses."""


TERMINAL_DEPLOYMENT: Final = tuple(DeploymentPhase[status.name] for status in DEPLOYMENT.terminal)
"""The statuses of deployments that have come to their end."""

ACTIVE_DEPLOYMENT: Final = tuple(DeploymentPhase[status.name] for status in list_open(DEPLOYMENT))
"""The statuses of deployments that go on, or may: running or paused."""


class DeploymentPart(StatusEnum):
    """What a plan has of the deployment that it places for: nothing, a new one, or all of what there is."""

    NOTHING = 0
    NEW = 1
    WHOLE = 2


class Stage(StatusEnum):
    """What a worker is doing with its delivery."""

    IDLE = 0
    TAKEN = 1
    PLANNING = 2
    PLANNED = 3
    SUBMITTED = 4
    REJECTED = 5
    DECIDED = 6
    EXHAUSTED = 7
    ACKING = 8
    FAILING = 9
    JUDGED = 10
    IN_FLIGHT = 11


WITH_APPLIER: Final = (Stage.SUBMITTED, Stage.JUDGED, Stage.IN_FLIGHT)
"""The stages of a worker whose plan is queued, judged or in flight."""


class EntryStatus(StatusEnum):
    """What became of a log entry that the applier dispatched."""

    FREE = 0
    IN_FLIGHT = 1
    COMMITTED = 2
    FAILED = 3
    ORPHANED = 4


class SnapshotIndex(StatusEnum):
    """How the index of the applier's snapshot compares with that of the store."""

    BEHIND = 0
    EVEN = 1
    AHEAD = 2
