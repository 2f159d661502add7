"""Allocations whose clients are back: they stay, or their replacements do."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from nomadspec.model.cluster.entities import Allocation, AllocClient, AllocState, DesiredDescription
from nomadspec.model.cluster.entities.allocation import is_server_terminal
from nomadspec.model.cluster.entities.group import find_reconcile
from nomadspec.model.cluster.policy.reconnect import Return, is_replacement_kept, judge_return
from nomadspec.model.cluster.scheduler.reasons import Stage
from nomadspec.model.cluster.scheduler.reconcile.group_run import GroupRun
from nomadspec.model.cluster.scheduler.reconcile.inputs import AllocSet


def reconnect(run: GroupRun) -> None:
    """Decide for each allocation that comes back whether it stays.

    Spec: REC-49, REC-51, REC-54, REC-55, DISC-15.
    """
    stopped: dict[str, Allocation] = {}
    for alloc in run.call.visit(run.reconnecting):
        for loser, description, client_status in _list_losers(run, alloc):
            if loser.id not in stopped:
                stopped[loser.id] = loser
                _note(run, loser, alloc)
                run.done.stop(loser, description, client_status)
    run.done.counts["stop"] += len(stopped)
    _forget(run, stopped)
    kept = {alloc_id: alloc for alloc_id, alloc in run.reconnecting.items() if alloc_id not in stopped}
    for alloc in kept.values():
        run.call.reasons.note_judgement(alloc, Stage.RETURN, "kept", "REC-54")
    _keep(run, kept)


def _note(run: GroupRun, loser: Allocation, back: Allocation) -> None:
    if not run.call.reasons.is_on:
        return
    verdict = judge_return(back, run.job)
    if verdict is Return.COMPETE:
        strategy = find_reconcile(run.group)
        run.call.reasons.note_judgement(
            loser, Stage.RETURN, "stop", "REC-51", back=back.id, strategy=strategy
        )
    else:
        run.call.reasons.note_judgement(loser, Stage.RETURN, "stop", "REC-49", verdict)


def _list_losers(run: GroupRun, alloc: Allocation) -> Iterator[tuple[Allocation, DesiredDescription, str]]:
    """List who has to go because an allocation is back: itself, or replacements of it.

    Spec: REC-49, REC-51, REC-52.
    """
    verdict = judge_return(alloc, run.job)
    if verdict is Return.STOP_FAILED:
        yield alloc, DesiredDescription.RESCHEDULED, AllocClient.FAILED
    elif verdict is Return.STOP:
        yield alloc, DesiredDescription.NOT_NEEDED, ""
    else:
        strategy = find_reconcile(run.group)
        for replacement in _list_replacements(alloc, run.allocs):
            if is_replacement_kept(alloc, replacement, strategy, run.call.now_ns):
                yield alloc, DesiredDescription.NOT_NEEDED, ""
            else:
                yield replacement, DesiredDescription.RECONNECTED, ""


def _list_replacements(alloc: Allocation, allocs: AllocSet) -> Iterator[Allocation]:
    """List those that came after an allocation and are still wanted, as far as the chain is known.

    Spec: REC-50, 04/S-11.
    """
    seen = {alloc.id}
    current = allocs.get(alloc.next_allocation)
    while current is not None and current.id not in seen:
        seen.add(current.id)
        if not is_server_terminal(current):
            yield current
        current = allocs.get(current.next_allocation)


def _forget(run: GroupRun, stopped: AllocSet) -> None:
    """Take what is stopped out of the sets; what is due now or later stays due.

    Spec: REC-55.
    """
    for allocs in (run.untainted, run.migrate, run.lost, run.disconnecting):
        for alloc_id in stopped:
            allocs.pop(alloc_id, None)


def _keep(run: GroupRun, kept: AllocSet) -> None:
    """Count those that stay with the rest, and write down that the ones which run are back.

    Spec: REC-54.
    """
    run.untainted |= kept
    state = AllocState(value=AllocClient.RUNNING, time_ns=run.call.now_ns)
    for alloc_id, alloc in kept.items():
        if alloc.client_status == AllocClient.RUNNING:
            run.done.reconnect_updates[alloc_id] = replace(alloc, alloc_states=(*alloc.alloc_states, state))
    run.done.counts["reconnect"] += len(run.done.reconnect_updates)
