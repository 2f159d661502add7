"""What a committed entry hands to the leader's memory: the broker, blocked evals, the dispatcher.

Followers apply the same entries and hand out nothing. The order is that of the server.
"""

import msgspec

from nomadspec.model.cluster.entities import EvalStatus, Evaluation, Job


class Handed(msgspec.Struct, frozen=True):
    """Something for the leader's memory."""


class Enqueue(Handed, frozen=True):
    """The broker gets an evaluation that is pending."""

    evaluation: Evaluation


class Block(Handed, frozen=True):
    """Blocked evals get an evaluation."""

    evaluation: Evaluation


class Untrack(Handed, frozen=True):
    """Blocked evals forget a job, all of which is placed."""

    namespace: str
    job_id: str


class Unblock(Handed, frozen=True):
    """Capacity of a class of nodes appeared."""

    computed_class: str
    index: int


class UnblockClassAndQuota(Handed, frozen=True):
    """Capacity of a class of nodes, and of a quota if it is named, appeared."""

    computed_class: str
    quota: str
    index: int


class UnblockNode(Handed, frozen=True):
    """Capacity of one node appeared, for jobs that look at single nodes."""

    node_id: str
    index: int


class UnblockQuota(Handed, frozen=True):
    """A quota got room."""

    quota: str
    index: int


class DropWaiting(Handed, frozen=True):
    """The broker drops a delayed evaluation that was called off."""

    evaluation: Evaluation


class TrackPeriodic(Handed, frozen=True):
    """The periodic dispatcher adds a job, or forgets it if it no longer is active."""

    job: Job


class UntrackPeriodic(Handed, frozen=True):
    """The periodic dispatcher forgets a job."""

    namespace: str
    job_id: str


def hand_over(evaluation: Evaluation) -> tuple[Handed, ...]:
    """Say who in the leader's memory gets an evaluation that was written.

    Spec: FSM-02.
    """
    match evaluation.status:
        case EvalStatus.PENDING:
            return (Enqueue(evaluation),)
        case EvalStatus.BLOCKED:
            return (Block(evaluation),)
        case EvalStatus.COMPLETE if not evaluation.failed_tg_allocs:
            return (Untrack(evaluation.namespace, evaluation.job_id),)
    return ()
