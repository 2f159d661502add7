"""Evaluations that look at allocations of a group again later."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from nomadspec.model.cluster.entities import AllocClient, EvalStatus, Evaluation
from nomadspec.model.cluster.entities.allocation import find_last_unknown_ns
from nomadspec.model.cluster.entities.group import find_lost_after_ns
from nomadspec.model.cluster.policy.disconnect import (
    compute_client_stop_ns,
    compute_disconnect_timeout_ns,
    should_client_stop,
)
from nomadspec.model.cluster.policy.followups import Due, Purpose, batch_due
from nomadspec.model.cluster.policy.reschedule import find_own_group
from nomadspec.model.cluster.scheduler.choices import IdKind
from nomadspec.model.cluster.scheduler.reconcile.group_run import GroupRun
from nomadspec.model.specification.quirks import OLD_APPOINTMENT


def await_timeouts(run: GroupRun) -> None:
    """Mark what is out of reach as unknown, and see to it that somebody looks when its grace is over.

    Spec: DISC-05, DISC-06.
    """
    dues = {
        alloc.id: compute_disconnect_timeout_ns(alloc, run.call.now_ns)
        for alloc in run.disconnecting.values()
    }
    for alloc_id, eval_id in _follow(run, Purpose.TIMEOUT, dues).items():
        alloc = run.disconnecting[alloc_id]
        run.done.disconnect_updates[alloc_id] = replace(alloc, followup_eval_id=eval_id)


def await_changed_timeouts(run: GroupRun) -> None:
    """Look again at what is unknown and gets another lost_after in place, when that is over.

    Spec: DISC-11, DISC-12, X-70.
    """
    if run.call.profile.has(OLD_APPOINTMENT):
        return
    grace_ns = find_lost_after_ns(run.group)
    unknown = (each for each in run.done.in_place_updates if each.client_status == AllocClient.UNKNOWN)
    dues = {
        alloc.id: find_last_unknown_ns(alloc) + grace_ns
        for alloc in unknown
        if (own := find_own_group(run.allocs[alloc.id])) is None or find_lost_after_ns(own) != grace_ns
    }
    _follow(run, Purpose.TIMEOUT, dues)


def await_client_stops(run: GroupRun) -> None:
    """Find lost allocations that their clients may still be stopping, and look again when they are done.

    Spec: DISC-09, REC-80.
    """
    now_ns = run.call.now_ns
    dues = {
        alloc.id: compute_client_stop_ns(alloc, now_ns)
        for alloc in run.lost.values()
        if should_client_stop(alloc)
    }
    due_later = {alloc_id: time_ns for alloc_id, time_ns in dues.items() if time_ns > now_ns}
    run.lost_later = _follow(run, Purpose.CLIENT_STOP, due_later)


def await_reschedules(run: GroupRun) -> None:
    """Look again at what is due later, and write on each allocation who will.

    Spec: RESCHED-20, RESCHED-21, RESCHED-22, RESCHED-23, DISC-07.
    """
    run.done.counts["reschedule_later"] += len(run.later)
    for alloc_id, eval_id in _follow(run, Purpose.RESCHEDULE, run.later).items():
        if alloc_id in run.done.disconnect_updates:
            unknown = run.done.disconnect_updates[alloc_id]
            run.done.disconnect_updates[alloc_id] = replace(unknown, followup_eval_id=eval_id)
        elif alloc_id in run.migrate:
            run.migrate[alloc_id] = replace(run.migrate[alloc_id], followup_eval_id=eval_id)
        else:
            run.done.attribute_updates[alloc_id] = replace(run.allocs[alloc_id], followup_eval_id=eval_id)


def _follow(run: GroupRun, purpose: Purpose, due_ns: Mapping[str, int]) -> dict[str, str]:
    """Make an evaluation for each batch of what is due; tell which one each allocation waits for.

    Spec: GENERIC-46, RESCHED-20, RESCHED-21.
    """
    awaited: dict[str, str] = {}
    dues = [Due(due_ns[alloc_id], alloc_id) for alloc_id in run.call.choices.ordered(due_ns)]
    for position, batch in enumerate(batch_due(dues)):
        reason = purpose.find_reason(position)
        evaluation = Evaluation(
            id=run.call.choices.next_id(IdKind.EVALUATION),
            namespace=run.job.namespace,
            priority=run.call.evaluation.priority,
            type=run.job.type,
            triggered_by=reason.trigger,
            job_id=run.job.id,
            job_modify_index=run.job.modify_index,
            status=EvalStatus.PENDING,
            status_description=reason.description,
            wait_until_ns=batch.time_ns,
        )
        run.done.followup_evals.append(evaluation)
        awaited |= dict.fromkeys(batch.alloc_ids, evaluation.id)
    return awaited
