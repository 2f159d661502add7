"""What a worker may do with a delivery: write its outcome, make further evals, block it again."""

from typing import Final

import msgspec
from msgspec.structs import replace

from nomadspec.model.cluster.components import blocked
from nomadspec.model.cluster.components.broker import Reply, reset_nack_timer
from nomadspec.model.cluster.components.leader_memory import Memory
from nomadspec.model.cluster.components.reapers import compute_modify_time_ns
from nomadspec.model.cluster.entities import EvalStatus, Evaluation
from nomadspec.model.cluster.store.state import State

UNKNOWN: Final = "evaluation does not exist"
OTHER_STATUS: Final = "evaluation not blocked"
KNOWN: Final = "evaluation already exists"


class Answer(msgspec.Struct, frozen=True):
    """The leader's memory after a request of a worker, what is to be written, and why not, if it is not."""

    memory: Memory
    written: Evaluation | None = None
    error: str = ""


def compute_wait_index(state: State, delivered: Evaluation) -> int:
    """Compute how far a worker's state must have come before it works on an eval.

    Spec: WORKER-05.
    """
    siblings = state.list_evals_of_job(delivered.namespace, delivered.job_id)
    return max([delivered.modify_index, *(sibling.modify_index for sibling in siblings)])


def sign(entry: Evaluation, snapshot_index: int, now_ns: int) -> Evaluation:
    """Note in an eval which state the worker saw, and when it was written: one that is new is made then.

    Spec: EVAL-12, EVAL-32, WORKER-20, WORKER-30.
    """
    if not entry.create_index:
        return replace(entry, snapshot_index=snapshot_index, create_time_ns=now_ns, modify_time_ns=now_ns)
    modify_time_ns = compute_modify_time_ns(entry, now_ns)
    return replace(entry, snapshot_index=snapshot_index, modify_time_ns=modify_time_ns)


def update_eval(memory: Memory, entry: Evaluation, token: str, now_ns: int) -> Answer:
    """Let a worker write the outcome of its delivery, whose time begins anew.

    Spec: EVAL-32, WORKER-20.
    """
    memory, error = _hold(memory, entry.id, token, now_ns)
    return Answer(memory, error=error) if error else Answer(memory, entry)


def create_eval(memory: Memory, state: State, entry: Evaluation, token: str, now_ns: int) -> Answer:
    """Let a worker make another eval while it holds the one before.

    Spec: EVAL-12, WORKER-20.
    """
    memory, error = _hold(memory, entry.previous_eval, token, now_ns)
    if not error and state.find_eval(entry.id) is not None:
        error = KNOWN
    return Answer(memory, error=error) if error else Answer(memory, entry)


def reblock_eval(memory: Memory, state: State, entry: Evaluation, token: str, now_ns: int) -> Answer:
    """Let a worker hand back to blocked evals what it could not place; nothing is written.

    Spec: EVAL-36, WORKER-30, WORKER-32.
    """
    memory, error = _hold(memory, entry.id, token, now_ns)
    record = state.find_eval(entry.id)
    if not error and record is None:
        error = UNKNOWN
    if not error and record is not None and record.status != EvalStatus.BLOCKED:
        error = OTHER_STATUS
    if error:
        return Answer(memory, error=error)
    return Answer(replace(memory, blocked_evals=blocked.block(memory.blocked_evals, entry, token)))


def has_stale_summary(state: State, entry: Evaluation) -> bool:
    """True while the summary of the job counts otherwise what is unplaced: then the eval is written first.

    Spec: WORKER-30, WORKER-31.
    """
    summary = state.find_job_summary(entry.namespace, entry.job_id)
    groups = summary.summary if summary else {}
    return any(
        name in groups and groups[name].queued != queued for name, queued in entry.queued_allocations.items()
    )


def _hold(memory: Memory, eval_id: str, token: str, now_ns: int) -> tuple[Memory, str]:
    """Check the token of a delivery, whose time begins anew even if it is found to be over (02/S9)."""
    reply: Reply = reset_nack_timer(memory.broker, eval_id, token, now_ns)
    return replace(memory, broker=reply.broker), reply.error
