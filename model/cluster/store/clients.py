"""Clients: the entry in which they tell how their allocations are."""

from collections.abc import Iterable
from contextlib import suppress
from typing import Final

from msgspec.structs import replace

from nomadspec.model.cluster.entities import (
    Allocation,
    AllocDeploymentStatus,
    EvalStatus,
)
from nomadspec.model.cluster.entities.allocation import is_reported_end, is_terminal, needs_to_reconnect
from nomadspec.model.cluster.store.counters import count_in_deployment
from nomadspec.model.cluster.store.draft import Draft
from nomadspec.model.cluster.store.evals import write_evals
from nomadspec.model.cluster.store.handed_to_leader import DropWaiting, UnblockClassAndQuota, UnblockNode
from nomadspec.model.cluster.store.job_status import refresh_job_status
from nomadspec.model.cluster.store.requests import AllocClientUpdate
from nomadspec.model.cluster.store.run import RefusedError, Run
from nomadspec.model.cluster.store.state import NOBODY
from nomadspec.model.cluster.store.summaries import count_alloc
from nomadspec.model.cluster.store.tables import ALLOCS, EVALS, NODES, JobKey
from nomadspec.model.lifecycle.allocation import SAID_BY_CLIENTS, AllocClient
from nomadspec.model.specification.quirks import HASTY_CANCEL, SHARED_FOLLOW_UP

RECONNECTED: Final = "allocs reconnected"

_ANSWERS: Final = frozenset(SAID_BY_CLIENTS) - {AllocClient.PENDING}
"""What a client says of an allocation that it runs or ran."""


def update_allocs(run: Run, request: AllocClientUpdate) -> None:
    """Take over what clients say, then write evaluations, job statuses and the nodes' marks.

    Spec: ALLOC-09, OBJ-406, OBJ-416, OBJ-417, FSM-20, FSM-21, FSM-22, FSM-23, FSM-24,
    11/S6.
    """
    if not request.alloc:
        return
    follow_ups = list(_find_follow_ups(run, request.alloc))
    draft = run.begin()
    for update in request.alloc:
        with suppress(RefusedError):  # the rest of the entry goes on
            _take_over(draft, update)
    draft.touch(ALLOCS)
    write_evals(draft, request.evals)
    for key in dict.fromkeys(_list_jobs(draft, request)):
        refresh_job_status(draft, key)
    _mark_nodes(draft, request.alloc)
    run.commit(draft)
    for evaluation in request.evals:
        run.hand_eval(evaluation)
    if _hand_capacity(run, request.alloc):
        for name in follow_ups:
            _hand_dropped(run, name)


def _take_over(draft: Draft, update: Allocation) -> None:
    before = draft.allocs.get(update.id)
    if before is None:
        return
    reconnects = _reconnects(before, update)
    taken = replace(
        before,
        client_status=update.client_status,
        client_description=update.client_description,
        task_states=update.task_states,
        network_status=update.network_status,
        deployment_status=_merge_health(draft, before.deployment_status, update.deployment_status),
        followup_eval_id="" if reconnects else before.followup_eval_id,
        modify_index=draft.index,
        modify_time_ns=update.modify_time_ns,
    )
    taken = count_in_deployment(draft, taken, before)
    count_alloc(draft, taken, before)
    if reconnects:
        _cancel_follow_up(draft, before, update)
    draft.put(taken)


def _merge_health(
    draft: Draft, stored: AllocDeploymentStatus | None, told: AllocDeploymentStatus | None
) -> AllocDeploymentStatus | None:
    """Take the first report as it is; of later ones only a health that is another.

    Spec: OBJ-255, OBJ-256.
    """
    if told is None:
        return stored
    if stored is None:
        return replace(told, modify_index=draft.index)
    if told.healthy is None or told.healthy == stored.healthy:
        return stored
    return replace(stored, healthy=told.healthy, timestamp_ns=told.timestamp_ns, modify_index=draft.index)


def _find_follow_ups(run: Run, updates: Iterable[Allocation]) -> Iterable[str]:
    for update in updates:
        stored = run.state.allocs.get(update.id)
        if stored is not None and _reconnects(stored, update):
            yield stored.followup_eval_id


def _reconnects(stored: Allocation, update: Allocation) -> bool:
    """True if a report calls off the evaluation that was to look at an unknown allocation again.

    Spec: OBJ-226, OBJ-248.
    """
    return bool(stored.followup_eval_id) and update.client_status in _ANSWERS and needs_to_reconnect(stored)


def _cancel_follow_up(draft: Draft, alloc: Allocation, update: Allocation) -> None:
    follow_up = draft.evals.get(alloc.followup_eval_id)
    if follow_up is None or _is_shared(draft, alloc, update):
        return
    if follow_up.status != EvalStatus.PENDING and not draft.profile.has(HASTY_CANCEL):
        return
    draft.put(
        replace(
            follow_up,
            status=EvalStatus.CANCELED.value,
            status_description=RECONNECTED,
            modify_index=draft.index,
        )
    )
    draft.touch(EVALS)


def _is_shared(draft: Draft, alloc: Allocation, update: Allocation) -> bool:
    # The server looks in the namespace of the update, which clients leave empty: it finds nothing.
    namespace = update.namespace if draft.profile.has(SHARED_FOLLOW_UP) else alloc.namespace
    siblings = draft.allocs_by_job.get((namespace, alloc.job_id), NOBODY)
    return any(
        other.id != alloc.id and other.followup_eval_id == alloc.followup_eval_id and not is_terminal(other)
        for other in map(draft.allocs.__getitem__, siblings)
    )


def _list_jobs(draft: Draft, request: AllocClientUpdate) -> Iterable[JobKey]:
    for evaluation in request.evals:
        yield evaluation.namespace, evaluation.job_id
    for update in request.alloc:
        alloc = draft.allocs.get(update.id)
        if alloc is not None:
            yield alloc.namespace, alloc.job_id


def _mark_nodes(draft: Draft, updates: Iterable[Allocation]) -> None:
    """Mark the nodes that reports came from, without counting it as a change of them.

    Spec: OBJ-160.
    """
    for node_id in dict.fromkeys(update.node_id for update in updates):
        node = draft.nodes.get(node_id)
        if node is not None:
            draft.put(replace(node, last_alloc_update_index=draft.index))
            draft.touch(NODES)


def _hand_capacity(run: Run, updates: Iterable[Allocation]) -> bool:
    for update in updates:
        if not is_reported_end(update.client_status):
            continue
        node = run.state.nodes.get(update.node_id)
        if node is None:
            return False
        run.hand(UnblockClassAndQuota(node.computed_class, "", run.index), UnblockNode(node.id, run.index))
    return True


def _hand_dropped(run: Run, eval_id: str) -> None:
    follow_up = run.state.evals.get(eval_id)
    if follow_up is not None and follow_up.status != EvalStatus.PENDING:
        run.hand(DropWaiting(follow_up))
