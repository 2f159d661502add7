"""Finds what is placed again now or later, and puts what is out of reach with the rest."""

from __future__ import annotations

from typing import NamedTuple

from nomadspec.model.cluster.entities import Allocation
from nomadspec.model.cluster.entities.scalar import NS_PER_S
from nomadspec.model.cluster.policy.reschedule import find_own_policy, list_events
from nomadspec.model.cluster.policy.reschedule_filter import Filtered, Placing, RescheduleCase, filter_alloc
from nomadspec.model.cluster.scheduler.reasons import Stage
from nomadspec.model.cluster.scheduler.reconcile.buckets import is_undisturbed
from nomadspec.model.cluster.scheduler.reconcile.followups import await_timeouts
from nomadspec.model.cluster.scheduler.reconcile.group_run import GroupRun
from nomadspec.model.cluster.scheduler.reconcile.inputs import AllocSet


class Rescheduled(NamedTuple):
    """What is kept, what is placed again now, and when the others are due."""

    kept: dict[str, Allocation]
    now: dict[str, Allocation]
    later: dict[str, int]


def filter_set(run: GroupRun, allocs: AllocSet, *, is_disconnecting: bool = False) -> Rescheduled:
    """Put the allocations of a set where they belong; those that do not matter are dropped.

    Spec: REC-41, REC-42, REC-43, REC-44, REC-45, REC-46, REC-47, REC-48.
    """
    case = RescheduleCase(
        now_ns=run.call.now_ns,
        eval_id=run.call.evaluation.id,
        is_batch=run.call.is_batch,
        is_disconnecting=is_disconnecting,
        deployment=run.deployments.current,
        profile=run.call.profile,
    )
    rescheduled = Rescheduled({}, {}, {})
    for alloc_id, alloc in allocs.items():
        if not is_disconnecting and is_undisturbed(alloc):
            rescheduled.kept[alloc_id] = alloc
            continue
        found = filter_alloc(alloc, case)
        _note(run, alloc, found)
        if found.placing is Placing.NOW:
            rescheduled.now[alloc_id] = alloc
        elif found.placing is Placing.KEPT:
            rescheduled.kept[alloc_id] = alloc
        if found.later_ns is not None:
            rescheduled.later[alloc_id] = found.later_ns
    return rescheduled


def _note(run: GroupRun, alloc: Allocation, found: Filtered) -> None:
    if not run.call.reasons.is_on:
        return
    policy, events = find_own_policy(alloc), list_events(alloc.reschedule_tracker)
    known: dict[str, object] = {"earlier": len(events), "attempts": policy.attempts if policy else 0}
    if found.later_ns is not None:
        known["due_in_s"] = (found.later_ns - run.call.now_ns) / NS_PER_S
    verdict = found.placing if found.later_ns is None else "later"
    run.call.reasons.note_judgement(alloc, Stage.RESCHEDULE, verdict, found.rule, "", **known)


def find_reschedules(run: GroupRun) -> None:
    """Find what is placed again among those that stay and those that go elsewhere.

    Spec: REC-45, REC-46, BATCH-11.
    """
    staying, moving = filter_set(run, run.untainted), filter_set(run, run.migrate)
    run.untainted = staying.kept
    run.now = staying.now | moving.now
    run.later = staying.later | moving.later


def disconnect(run: GroupRun) -> None:
    """Let what is out of reach be unknown for a while, and place it again where its policy says so.

    Spec: DISC-02, DISC-04, DISC-05, DISC-06, DISC-17, 04/S-17.
    """
    if not run.disconnecting:
        return
    found = filter_set(run, run.disconnecting, is_disconnecting=True)
    run.untainted |= found.kept
    run.now |= found.now
    run.later |= found.later
    run.done.counts["disconnect"] += len(run.disconnecting)
    run.done.counts["reschedule_now"] += len(run.now)
    await_timeouts(run)
