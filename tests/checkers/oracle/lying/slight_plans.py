"""Slight lies about plans: a score, a description, one allocation instead of another."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from nomadspec.model.cluster.entities import Allocation
from nomadspec.model.cluster.entities.allocation import DesiredDescription
from nomadspec.model.cluster.entities.scalar import NS_PER_S
from nomadspec.model.cluster.store import State
from nomadspec.model.cluster.store.requests import ApplyPlanResults
from tests.checkers.oracle.lying.plans import ODD, is_new
from tests.checkers.oracle.lying.telling import Twist, given, on, with_first


def _plan(change: Callable[[Any, State], Any]) -> Twist:
    return on(ApplyPlanResults, change)


def _new_where(pick: Callable[[Allocation], bool], **changes: Any) -> Twist:
    return _plan(
        lambda request, _: given(
            request,
            allocs_updated=with_first(
                request.allocs_updated, lambda each: is_new(each) and pick(each), **changes
            ),
        )
    )


def _own_score(alloc: Allocation) -> Mapping[str, float]:
    shown = alloc.metrics.score_meta_data if alloc.metrics is not None else ()
    return next((each.scores for each in shown if each.node_id == alloc.node_id), {})


def _rescored(change: Callable[[Mapping[str, float]], Mapping[str, float]]) -> Callable[[Allocation], Any]:
    """Change how the node of an allocation was scored."""

    def rescore(alloc: Allocation) -> Any:
        metrics: Any = alloc.metrics
        shown = tuple(
            replace(each, scores=change(each.scores)) if each.node_id == alloc.node_id else each
            for each in metrics.score_meta_data
        )
        return replace(metrics, score_meta_data=shown)

    return rescore


def _scored(name: str) -> Callable[[Allocation], bool]:
    return lambda alloc: name in _own_score(alloc)


def _leave_where_it_failed(request: Any, state: State) -> Any:
    def is_moved(alloc: Allocation) -> bool:
        before = state.find_alloc(alloc.previous_allocation)
        return is_new(alloc) and before is not None and before.node_id != alloc.node_id

    def find_node(alloc: Allocation) -> str:
        before: Any = state.find_alloc(alloc.previous_allocation)
        return str(before.node_id)

    return given(request, allocs_updated=with_first(request.allocs_updated, is_moved, node_id=find_node))


def _keep_the_other(request: Any, state: State) -> Any:
    """Stop the other one of two, one of which is left once a client is back."""
    for stop in request.allocs_stopped:
        stored = state.find_alloc(stop.id)
        if stored is None or stop.desired_description != DesiredDescription.RECONNECTED:
            continue
        other = state.find_alloc(stored.next_allocation or stored.previous_allocation)
        known = {each.id for each in request.allocs_stopped}
        if other is not None and other.desired_status == "run" and other.id not in known:
            stops = tuple(
                replace(each, id=other.id) if each.id == stop.id else each for each in request.allocs_stopped
            )
            return replace(request, allocs_stopped=stops)
    return None


def _update_in_place(request: Any, state: State) -> Any:
    """Keep what an update replaces, as if it could be updated where it is."""
    updated = {
        stop.id: state.find_alloc(stop.id)
        for stop in request.allocs_stopped
        if stop.desired_description == DesiredDescription.UPDATING
    }
    for alloc in request.allocs_updated:
        kept = updated.get(alloc.previous_allocation)
        if kept is not None and is_new(alloc):
            return replace(
                request,
                allocs_stopped=tuple(each for each in request.allocs_stopped if each.id != kept.id),
                allocs_updated=tuple(
                    replace(kept, eval_id=alloc.eval_id, deployment_id=alloc.deployment_id, job=None)
                    if each is alloc
                    else each
                    for each in request.allocs_updated
                ),
            )
    return None


def _older_job(request: Any, state: State) -> Any:
    job = request.job
    kept = job and state.find_job_version(job.namespace, job.id, job.version - 1)
    return kept and replace(request, job=kept)


def _close_node(request: Any, _: State) -> Any:
    placed = next(filter(is_new, request.allocs_updated), None)
    return placed and replace(request, ineligible_nodes=(placed.node_id,))


def _evict_instead(request: Any, state: State) -> Any:
    """Evict somebody else of the same node."""
    gone = {each.id for each in (*request.allocs_preempted, *request.allocs_stopped)}
    for evicted in request.allocs_preempted:
        stored = state.find_alloc(evicted.id)
        others = state.list_allocs_of_node(stored.node_id) if stored else ()
        job = request.job
        other = next(
            (
                each
                for each in others
                if each.id not in gone and each.desired_status == "run" and each.job_id != job.id
            ),
            None,
        )
        if other is not None:
            changed = tuple(
                replace(each, id=other.id) if each is evicted else each for each in request.allocs_preempted
            )
            return replace(request, allocs_preempted=changed)
    return None


def _of_evicted(**changes: Any) -> Twist:
    return _plan(
        lambda request, _: given(
            request, preemption_evals=with_first(request.preemption_evals, lambda _: True, **changes)
        )
    )


def _has_delay(alloc: Allocation) -> bool:
    return alloc.reschedule_tracker is not None and bool(alloc.reschedule_tracker.events)


def _delay_more(alloc: Allocation) -> Any:
    tracker: Any = alloc.reschedule_tracker
    *earlier, last = tracker.events
    return replace(tracker, events=(*earlier, replace(last, delay_ns=last.delay_ns + NS_PER_S)))


SLIGHT_PLANS: Mapping[str, Twist] = {
    "slight: placed with a word": _new_where(lambda _: True, desired_description="placed"),
    "slight: scored a thousandth more": _new_where(
        _scored("binpack"), metrics=_rescored(lambda told: {**told, "binpack": told["binpack"] + 0.001})
    ),
    "slight: no penalty for its fellows": _new_where(
        _scored("job-anti-affinity"),
        metrics=_rescored(lambda told: {**told, "job-anti-affinity": told["job-anti-affinity"] or -0.5}),
    ),
    "slight: no penalty where it failed": _new_where(
        _scored("node-reschedule-penalty"),
        metrics=_rescored(
            lambda told: {**told, "node-reschedule-penalty": -1.0 - told["node-reschedule-penalty"]}
        ),
    ),
    "slight: an affinity of another weight": _new_where(
        lambda alloc: bool(_own_score(alloc).get("node-affinity")),
        metrics=_rescored(lambda told: {**told, "node-affinity": told["node-affinity"] / 2}),
    ),
    "slight: a spread of another share": _new_where(
        lambda alloc: bool(_own_score(alloc).get("allocation-spread")),
        metrics=_rescored(lambda told: {**told, "allocation-spread": told["allocation-spread"] / 2}),
    ),
    "slight: placed where it failed": _plan(_leave_where_it_failed),
    "slight: the other one is kept": _plan(_keep_the_other),
    "slight: updated in place": _plan(_update_in_place),
    "slight: planned for an older version": _plan(_older_job),
    "slight: a node is closed": _plan(_close_node),
    "slight: somebody else is evicted": _plan(_evict_instead),
    "slight: an eviction wakes with another priority": _of_evicted(priority=1),
    "slight: an eviction wakes another type": _of_evicted(type="sysbatch"),
    "slight: an eviction names its cause": _of_evicted(previous_eval=ODD),
    "slight: a second more before it was replaced": _new_where(_has_delay, reschedule_tracker=_delay_more),
}
