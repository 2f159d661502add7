"""Finds which allocations have to follow their job, and where they can."""

from __future__ import annotations

from msgspec.structs import replace

from nomadspec.model.cluster.policy.update import UpdateVerdict
from nomadspec.model.cluster.scheduler.reconcile.group_run import GroupRun
from nomadspec.model.specification.quirks import UPDATED_WHILE_DISCONNECTED


def judge_updates(run: GroupRun) -> None:
    """Judge all that stays: up to date, changed where it is, or to be replaced.

    What becomes unknown is updated in place by the same plan, which is then rejected for its node (X-61).

    Spec: GENERIC-47, GENERIC-48, GENERIC-54, REC-93, DISC-12, DISC-17, X-61, X-69.
    """
    is_left_alone = not run.call.profile.has(UPDATED_WHILE_DISCONNECTED)
    spare = find_spare(run)
    for alloc in run.call.visit(run.untainted):
        if alloc.id in spare:
            run.done.counts["ignore"] += 1
            continue
        verdict, updated = run.call.updater.judge(alloc, run.group)
        if verdict is UpdateVerdict.DESTRUCTIVE:
            run.destructive[alloc.id] = alloc
        elif updated is not None and not (is_left_alone and alloc.id in run.disconnecting):
            run.done.in_place_updates.append(updated)
        else:
            run.done.counts["ignore"] += 1
    run.done.counts["in_place_update"] += len(run.done.in_place_updates)
    want(run, len(run.done.in_place_updates) + len(run.destructive))


def find_spare(run: GroupRun) -> frozenset[str]:
    """Find the unknown allocations that were replaced, or that the group has enough without.

    Those go first whose names others have.

    Spec: DISC-08, DISC-12, X-69.
    """
    held_back = run.canaries if run.is_canarying() else {}
    working = {alloc_id: alloc for alloc_id, alloc in run.untainted.items() if alloc_id not in held_back}
    unknown = {key: alloc for key, alloc in working.items() if run.is_unknown(alloc)}
    if not unknown:
        return frozenset()
    present = (working.keys() - unknown.keys()) | run.migrate.keys() | run.now.keys()
    taken = {alloc.name for key, alloc in (working | run.migrate | run.now).items() if key in present}
    replaced = {key for key, alloc in unknown.items() if run.is_replaced(alloc)}
    others = {key: alloc for key, alloc in unknown.items() if key not in replaced}
    by_need = sorted(run.sort_by_index(others), key=lambda alloc: alloc.name in taken)
    return frozenset({*replaced, *(each.id for each in by_need[max(run.group.count - len(present), 0) :])})


def want(run: GroupRun, count: int) -> None:
    """Let the deployment of the group wait for so many more; one that was found waits for what it did.

    Spec: REC-93, VERS-04.
    """
    if not run.is_existing:
        run.state = replace(run.state, desired_total=run.state.desired_total + count)
