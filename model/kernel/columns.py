"""Columns that belong together: they go back to their first values, or are shown to schedulers, as one.

``t.clear(Delivery, worker)`` puts back whatever ``Delivery`` declares, and what a scheduler reads of a job is
``JobColumns`` of it, in the store and in each view (records.py). A column that is added needs no other edit.
"""

from nomadspec.model.kernel.statuses import BlockedIn, DeploymentPhase, Health, InBroker, JobPhase, Stage
from nomadspec.model.kernel.tables import ALLOCS, EVALS, JOBS, NODES, WORKERS, Tables
from nomadspec.model.language.typed import FLAG, NONE, counter, field, opt, upto


class JobStatus:
    """Whether a job is there."""

    job_phase = field(JOBS, JobPhase, init=JobPhase.WANTED, about="whether the job is wanted")


class JobVersion:
    """What a new version of a job changes."""

    job_version = field(JOBS, counter(Tables.updates), init=0, about="version of the job")
    job_base = field(
        JOBS,
        counter(Tables.updates),
        init=0,
        about="oldest version that is updated in place to the current one",
        on=Tables.in_place_updates,
    )
    job_ask = field(
        JOBS, upto(Tables.extras), init=0, about="units that an allocation needs beside the first"
    )


class AllocColumns:
    """What a scheduler reads of an allocation, beside the room that it takes and its node's status."""

    alloc_version = field(
        JOBS, ALLOCS, counter(Tables.updates), init=0, about="job version of the allocation"
    )
    migrate = field(
        JOBS, ALLOCS, FLAG, init=False, about="the allocation is to migrate", on=Tables.migrations
    )


class CurrentDeployment:
    """What a scheduler reads of the current deployment of a job."""

    deployment = field(
        JOBS,
        DeploymentPhase,
        init=DeploymentPhase.ABSENT,
        about="status of the current deployment",
        on=Tables.deployments,
    )
    deployment_version = field(
        JOBS, counter(Tables.updates), init=0, about="job version that it deploys", on=Tables.deployments
    )
    healthy = field(
        JOBS,
        counter(Tables.allocations, Tables.deployment_changes),
        init=0,
        about="allocations counted as healthy",
        on=Tables.deployments,
    )


class JobColumns(CurrentDeployment, AllocColumns, JobVersion, JobStatus):
    """What a scheduler reads of a job, its allocations and its deployment, as the store has it."""


class AllocRecord(AllocColumns):
    """What is gone with an allocation that is deleted, beside the room that it takes."""

    stopping_on = field(
        JOBS,
        ALLOCS,
        opt(NODES),
        init=NONE,
        about="node on which the allocation is stopped, and whose client has yet to report that it ended",
        on=Tables.migrations,
    )
    follow_up = field(JOBS, ALLOCS, opt(EVALS), init=NONE, about="follow-up of the unknown allocation")
    is_late = field(
        JOBS,
        ALLOCS,
        FLAG,
        init=False,
        about="the time of the unknown allocation is up",
        on=Tables.disconnects,
    )


class DeploymentColumns(CurrentDeployment):
    """The current deployment of a job, and the share that its allocations have in it."""

    deployment_parity = field(
        JOBS,
        FLAG,
        init=False,
        about="it changes with each deployment that the job gets, so that one is told from the next",
        on=Tables.deployments,
    )
    placed = field(
        JOBS,
        counter(Tables.allocations),
        init=0,
        about="allocations that were placed for it",
        on=Tables.deployments,
    )
    unhealthy = field(
        JOBS,
        counter(Tables.allocations + Tables.deployment_changes),
        init=0,
        about="allocations counted as unhealthy",
        on=Tables.deployments,
    )
    has_new_health = field(
        JOBS,
        FLAG,
        init=False,
        about="the watcher has seen health that no evaluation covers",
        on=Tables.deployments,
    )
    in_deployment = field(
        JOBS, ALLOCS, FLAG, init=False, about="it belongs to the current deployment", on=Tables.deployments
    )
    health = field(
        JOBS, ALLOCS, Health, init=Health.UNSET, about="health of the allocation", on=Tables.deployments
    )


class EvalsInMemory:
    """What the leader's memory, of broker and blocked evals, has of evaluations."""

    in_broker = field(JOBS, EVALS, InBroker, init=InBroker.OUT, about="where the broker has the evaluation")
    delivered = field(JOBS, EVALS, upto(Tables.deliveries), init=0, about="deliveries in this stay")
    cancelable = field(JOBS, EVALS, FLAG, init=False, about="in the broker's list to cancel")
    arriving = field(
        JOBS, EVALS, upto(Tables.evals), init=0, about="its turn among those that blocked evals get"
    )
    missed_unblock = field(
        JOBS, EVALS, FLAG, init=False, about="an unblock came after what it was planned on"
    )
    blocked_in = field(JOBS, EVALS, BlockedIn, init=BlockedIn.OUT, about="where blocked evals have it")
    by_node = field(JOBS, EVALS, FLAG, init=False, about="blocked evals have it by its node as well")
    duplicate = field(JOBS, EVALS, FLAG, init=False, about="in blocked evals' list to cancel")


class DeliveryInBroker:
    """What the broker has of a worker's delivery; where that is forgotten, the worker goes on without."""

    holds = field(WORKERS, FLAG, init=False, about="its token is the valid one")
    requeued = field(
        WORKERS, FLAG, init=False, about="the broker will take the evaluation again after the ack"
    )


class Delivery(DeliveryInBroker):
    """What there is of a worker's delivery, in its own memory and the broker's."""

    stage = field(WORKERS, Stage, init=Stage.IDLE, about="what the worker is doing")
    job = field(WORKERS, opt(JOBS), init=NONE, about="job of its delivery")
    number = field(WORKERS, opt(EVALS), init=NONE, about="which evaluation of the job")
    was_blocked = field(WORKERS, FLAG, init=False, about="the evaluation was blocked when it was delivered")
    tries = field(
        WORKERS,
        upto(Tables.attempts + Tables.batch_attempts + -1),  # at least the larger of the two
        init=0,
        about="plans without progress in this delivery",
    )
    made_blocked = field(WORKERS, FLAG, init=False, about="it has made a blocked evaluation")
    is_short = field(WORKERS, FLAG, init=False, about="the last attempt could not place everything")
    unseen_unblock = field(WORKERS, FLAG, init=False, about="an unblock came after its first snapshot")
    made_follow_up = field(
        WORKERS, opt(EVALS), init=NONE, about="the follow-up that its attempt has made", on=Tables.disconnects
    )
    is_partial = field(WORKERS, FLAG, init=False, about="some node of its plan was rejected")
    is_newer = field(WORKERS, FLAG, init=False, about="its snapshot is newer than the applier's")
    awaits = field(WORKERS, FLAG, init=False, about="the state that it is to plan on again is yet to come")
