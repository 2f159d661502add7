"""The writes that change allocations, whatever entry asks for them."""

from typing import Final

from msgspec.structs import replace

from nomadspec.model.cluster.entities import Allocation, AllocClient, DesiredTransition
from nomadspec.model.cluster.entities.allocation import is_client_terminal, is_server_terminal
from nomadspec.model.cluster.store.counters import count_in_deployment
from nomadspec.model.cluster.store.draft import Draft
from nomadspec.model.cluster.store.old_resources import add_up_resources
from nomadspec.model.cluster.store.run import RefusedError
from nomadspec.model.cluster.store.summaries import count_alloc
from nomadspec.model.cluster.store.tables import ALLOCS
from nomadspec.model.specification.quirks import ERASED_REQUEST, OVERWRITTEN_REPORT, REVIVED_ALLOCATION

SET_BY_SERVERS: Final = frozenset({AllocClient.LOST.value, AllocClient.UNKNOWN.value})
"""The client statuses that a plan may write over what the client said."""


def write_planned_alloc(draft: Draft, alloc: Allocation) -> Allocation | None:
    """Write an allocation of a plan, new or known; none where its job is gone and it is left out.

    Spec: OBJ-407, OBJ-408, PLAN-72, PLAN-73, PLAN-74, VERS-07, ALLOC-05, ALLOC-06, ALLOC-22, OBJ-023,
    OBJ-226.
    """
    before = draft.allocs.get(alloc.id)
    if before is None:
        written = _make_new(draft, alloc)
        if written is None:
            return None
    else:
        written = _overlay(draft, alloc, before)
    if not written.eval_id:
        raise RefusedError("alloc insert failed: missing value for index 'eval'")
    written = count_in_deployment(draft, written, before)
    count_alloc(draft, written, before)
    draft.put(written)
    _link_previous(draft, written)
    return written


def write_transition(draft: Draft, alloc: Allocation, asked: DesiredTransition) -> None:
    """Overlay what is asked of an allocation over what was asked before.

    Spec: OBJ-215, OBJ-411, ALLOC-15.
    """
    draft.put(
        replace(
            alloc,
            desired_transition=_merge(alloc.desired_transition, asked),
            modify_index=draft.index,
            alloc_modify_index=draft.index,
        )
    )
    draft.touch(ALLOCS)


def _merge(before: DesiredTransition, asked: DesiredTransition) -> DesiredTransition:
    flags = {name: flag for name in asked.__struct_fields__ if (flag := getattr(asked, name)) is not None}
    return replace(before, **flags)


def _make_new(draft: Draft, alloc: Allocation) -> Allocation | None:
    job = draft.jobs.get((alloc.namespace, alloc.job_id))
    if job is None or job.stop:
        return None
    if alloc.job is None:
        raise RefusedError(f"attempting to upsert allocation {alloc.id!r} without a job")
    status = alloc.deployment_status
    return replace(
        alloc,
        resources=alloc.resources or add_up_resources(alloc),
        deployment_status=None if status is None else replace(status, modify_index=draft.index),
        create_index=draft.index,
        modify_index=draft.index,
        alloc_modify_index=draft.index,
    )


def _overlay(draft: Draft, alloc: Allocation, before: Allocation) -> Allocation:
    set_by_server = alloc.client_status in SET_BY_SERVERS
    if is_client_terminal(before) and not draft.profile.has(OVERWRITTEN_REPORT):
        set_by_server = False
    revives = is_server_terminal(before) and not is_server_terminal(alloc)
    if revives and not draft.profile.has(REVIVED_ALLOCATION):
        alloc = replace(
            alloc, desired_status=before.desired_status, desired_description=before.desired_description
        )
    if not draft.profile.has(ERASED_REQUEST):
        alloc = replace(alloc, desired_transition=_merge(alloc.desired_transition, before.desired_transition))
    return replace(
        alloc,
        resources=alloc.resources or add_up_resources(alloc),
        job=alloc.job or before.job,
        client_status=alloc.client_status if set_by_server else before.client_status,
        client_description=alloc.client_description if set_by_server else before.client_description,
        task_states=before.task_states,
        next_allocation=before.next_allocation or alloc.next_allocation,
        create_index=before.create_index,
        modify_index=draft.index,
        alloc_modify_index=draft.index,
    )


def _link_previous(draft: Draft, alloc: Allocation) -> None:
    previous = draft.allocs.get(alloc.previous_allocation) if alloc.previous_allocation else None
    if previous is not None:
        draft.put(replace(previous, next_allocation=alloc.id, modify_index=draft.index))
