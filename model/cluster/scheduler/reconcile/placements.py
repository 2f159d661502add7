"""What is placed, replaced and moved, as far as the deployment lets it."""

from __future__ import annotations

from nomadspec.model.cluster.entities import Allocation, AllocClient, DesiredDescription, JobType
from nomadspec.model.cluster.entities.allocation import (
    is_canary,
    should_migrate_without_replacement,
    should_reschedule_by_request,
)
from nomadspec.model.cluster.policy.update import compute_budget
from nomadspec.model.cluster.scheduler.reasons import Stage
from nomadspec.model.cluster.scheduler.reconcile.group_run import GroupRun
from nomadspec.model.cluster.scheduler.reconcile.updates import want
from nomadspec.model.cluster.scheduler.requests import DestructiveRequest, PlacementRequest
from nomadspec.model.specification.quirks import (
    CROWDED_CANARIES,
    LOST_BEHIND_DUE,
    STOPPED_UNKNOWN,
    SURPLUS_RESCHEDULE,
)


def find_budget(run: GroupRun) -> int:
    """Find how many allocations may be replaced.

    Spec: REC-81.
    """
    return compute_budget(
        run.group,
        run.deployments.current,
        run.untainted.values(),
        is_held=not run.is_place_ready(),
        moving=len(run.destructive) + len(run.migrate),
    )


def request_placements(run: GroupRun) -> None:
    """Gather what should be placed: what failed, what was lost, and new names for the rest.

    Spec: REC-78, REC-79, REC-80, REC-93, 04/S-12, X-69.
    """
    if run.lost_later:
        return
    missing = run.group.count - len(run.untainted) - len(run.migrate)
    missing += sum(map(run.is_replaced, run.untainted.values()))
    due = run.call.visit(run.now)
    if not run.call.profile.has(SURPLUS_RESCHEDULE):
        due = due[: max(missing, 0)]
    run.requests = [_replace(run, alloc, is_reschedule=True) for alloc in due]
    missing -= len(due)
    lost = _list_lost(run)[: max(missing, 0)]
    run.requests += [_replace(run, alloc) for alloc in lost]
    names, run.names = run.names.with_next(max(missing - len(lost), 0))
    run.requests += [
        PlacementRequest(name=name, group=run.group, is_downgrade=run.is_canarying()) for name in names
    ]
    want(run, len(run.requests))


def _list_lost(run: GroupRun) -> list[Allocation]:
    """List what was lost and has no replacement yet; in the release also what was replaced while unknown.

    Spec: REC-78, DISC-11, X-69.
    """
    return [each for each in run.call.visit(run.lost) if not run.is_replaced(each)]


def _replace(run: GroupRun, alloc: Allocation, *, is_reschedule: bool = False) -> PlacementRequest:
    """Ask for an allocation in place of another one; while canaries are out, of a version that is stable.

    Spec: REC-78.
    """
    return PlacementRequest(
        name=alloc.name,
        group=run.group,
        previous=alloc,
        is_reschedule=is_reschedule,
        is_canary=is_canary(alloc),
        is_downgrade=run.is_canarying() and not is_canary(alloc),
        min_version=alloc.job.version if alloc.job else 0,
    )


def place(run: GroupRun, budget: int) -> int:
    """Place what was asked for, or what may not wait; give what is left of the budget.

    Spec: REC-82, REC-83, REC-84.
    """
    if not run.is_place_ready():
        _place_lost(run)
        _place_rescheduled(run)
        return budget
    _add_placements(run, run.requests)
    for alloc in run.call.visit(run.now):
        if _is_real_failure(run, alloc):
            _stop_rescheduled(run, alloc)
    return max(budget - len(run.requests), 0)


def _add_placements(run: GroupRun, requests: list[PlacementRequest]) -> None:
    run.done.placements += requests
    run.done.counts["place"] += len(requests)


def _stop_rescheduled(run: GroupRun, alloc: Allocation) -> None:
    run.done.stop(alloc, DesiredDescription.RESCHEDULED)
    run.done.counts["stop"] += 1


def _is_real_failure(run: GroupRun, alloc: Allocation) -> bool:
    """True while nothing else stops the allocation, and it is not merely out of reach.

    Spec: REC-82.
    """
    is_elsewhere = alloc.id in run.disconnecting or alloc.id in run.migrate
    return not is_elsewhere and alloc.client_status != AllocClient.UNKNOWN


def _place_lost(run: GroupRun) -> None:
    """Place so many as were lost, from the head of the requests, whatever these are for.

    Spec: REC-84, 04/S-04.
    """
    if run.call.profile.has(LOST_BEHIND_DUE):
        _add_placements(run, run.requests[: len(run.lost)])
    else:
        _add_placements(
            run, [each for each in run.requests if each.previous and each.previous.id in run.lost]
        )


def _place_rescheduled(run: GroupRun) -> None:
    """Place again what failed, but nothing of a deployment that failed itself.

    Spec: REC-84, 04/S-20.
    """
    for request in run.requests:
        previous = request.previous
        if not request.is_reschedule or previous is None:
            continue
        if run.deployments.is_failed and _is_of_current_deployment(run, previous):
            continue
        _add_placements(run, [request])
        if _is_stopped_while_held(run, previous):
            _stop_rescheduled(run, previous)


def _is_stopped_while_held(run: GroupRun, alloc: Allocation) -> bool:
    """True while an allocation that is placed again has to go although the deployment is held.

    Spec: REC-84, 04/S-20.
    """
    if run.call.profile.has(STOPPED_UNKNOWN):
        return alloc.id not in run.disconnecting
    return _is_real_failure(run, alloc)


def _is_of_current_deployment(run: GroupRun, alloc: Allocation) -> bool:
    return run.deployments.current is not None and alloc.deployment_id == run.deployments.current.id


def replace_destructively(run: GroupRun, budget: int) -> None:
    """Replace so many of those that cannot follow their job where they are.

    Spec: REC-85.
    """
    ordered = run.sort_by_index(run.destructive)
    chosen = ordered[: budget if run.is_place_ready() else 0]
    run.done.destructive += [
        DestructiveRequest(name=alloc.name, group=run.group, alloc=alloc) for alloc in chosen
    ]
    for alloc in ordered[len(chosen) :]:
        run.call.reasons.note_judgement(
            alloc,
            Stage.MAX_PARALLEL,
            "held back",
            "REC-85",
            budget=budget,
            is_place_ready=run.is_place_ready(),
        )
    run.done.counts["destructive_update"] += len(chosen)
    run.done.counts["ignore"] += len(run.destructive) - len(chosen)


def migrate(run: GroupRun) -> None:
    """Move all that has to go elsewhere, whatever the deployment says.

    Spec: REC-86, BATCH-09, BATCH-10, BATCH-11.
    """
    run.done.counts["migrate"] += len(run.migrate)
    for alloc in run.sort_by_index(run.migrate):
        run.done.stop(alloc, DesiredDescription.MIGRATING, followup_eval_id=alloc.followup_eval_id)
        if not _is_only_stopped(alloc):
            run.done.placements.append(_replace(run, alloc))


def _is_only_stopped(alloc: Allocation) -> bool:
    is_held = should_reschedule_by_request(alloc) or should_migrate_without_replacement(alloc)
    return is_held and alloc.job is not None and alloc.job.type == JobType.BATCH


def keep_within_count(run: GroupRun) -> None:
    """Place no more at once than the group should have.

    Spec: REC-17, 04/S-18.
    """
    count = most = run.group.count
    if not run.call.profile.has(CROWDED_CANARIES):
        most += run.done.counts["canary"]
    if len(run.done.placements) > most:
        del run.done.placements[most:]
        run.done.counts["place"] = count
