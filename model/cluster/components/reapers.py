"""What the leader's reapers write: ends of evals that nobody will work on."""

from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace

from nomadspec.model.cluster.components.broker import take_cancelable
from nomadspec.model.cluster.components.broker_state import Broker
from nomadspec.model.cluster.entities import EvalStatus, Evaluation, Trigger
from nomadspec.model.cluster.entities.scalar import NS_PER_S
from nomadspec.model.cluster.store.state import State

CANCEL_BATCH: Final = 728
"""So many cancelable evals are canceled in one entry."""

CORE: Final = "_core"
FAILED: Final = "evaluation reached delivery limit ({})"
DUPLICATE: Final = 'existing blocked evaluation exists for job "{}"'
MORE_RECENT: Final = "canceled after more recent eval was processed"

FOLLOW_UP_WAIT_NS: Final = range(60 * NS_PER_S, 360 * NS_PER_S)
"""How long a follow-up may have to wait: any of these, at random."""


def compute_modify_time_ns(entry: Evaluation, now_ns: int) -> int:
    """Compute the time of a write, which is after the creation whatever the clock says.

    Spec: EVAL-32.
    """
    return now_ns if now_ns > entry.create_time_ns else entry.create_time_ns + 1


def fail_undeliverable(
    state: State, entry: Evaluation, limit: int, now_ns: int, follow_up_id: str, wait_ns: int
) -> tuple[Evaluation, ...]:
    """Fail an eval that was delivered too often, and try its job again later if there still is one.

    A core eval is only acked: nothing is written.

    Spec: LEADER-21, LEADER-22, LEADER-23, LEADER-24, EVAL-19.
    """
    if entry.type == CORE:
        return ()
    failed = _end(entry, EvalStatus.FAILED, FAILED.format(limit), now_ns)
    if state.find_job(entry.namespace, entry.job_id) is None:
        return (failed,)
    follow_up = Evaluation(
        id=follow_up_id,
        namespace=entry.namespace,
        priority=entry.priority,
        type=entry.type,
        triggered_by=Trigger.FAILED_FOLLOW_UP.value,
        job_id=entry.job_id,
        job_modify_index=entry.job_modify_index,
        status=EvalStatus.PENDING.value,
        wait_ns=wait_ns,
        previous_eval=entry.id,
        create_time_ns=now_ns,
        modify_time_ns=now_ns,
    )
    return replace(failed, next_eval=follow_up_id), follow_up


def cancel_duplicates(entries: Iterable[Evaluation], now_ns: int) -> tuple[Evaluation, ...]:
    """Cancel blocked evals that gave way to others of their jobs.

    Spec: LEADER-30, EVAL-45.
    """
    return tuple(
        _end(entry, EvalStatus.CANCELED, DUPLICATE.format(entry.job_id), now_ns) for entry in entries
    )


def cancel_cancelable(broker: Broker, now_ns: int) -> tuple[Broker, tuple[Evaluation, ...]]:
    """Cancel some evals that were pending when another one of the job was done; core evals are written too.

    Spec: LEADER-40, EVAL-45, TRIG-27, 02/S13.
    """
    left, entries = take_cancelable(broker, CANCEL_BATCH)
    return left, tuple(_end(entry, EvalStatus.CANCELED, MORE_RECENT, now_ns) for entry in entries)


def _end(entry: Evaluation, status: EvalStatus, description: str, now_ns: int) -> Evaluation:
    return replace(
        entry,
        status=status.value,
        status_description=description,
        modify_time_ns=compute_modify_time_ns(entry, now_ns),
    )
