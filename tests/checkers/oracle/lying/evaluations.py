"""Lies about evaluations: how they end, what follows them, whom a node wakes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from nomadspec.model.cluster.entities import Evaluation
from nomadspec.model.cluster.entities.scalar import NS_PER_S
from nomadspec.model.cluster.store.requests import EvalUpdate
from tests.checkers.oracle.lying.plans import ODD
from tests.checkers.oracle.lying.telling import SILENCE, Twist, given, on, with_first, without_first

HOUR_NS = 3600 * NS_PER_S
Pick = Callable[[Evaluation], bool]


def is_outcome(entry: Evaluation) -> bool:
    return bool(
        entry.create_index and entry.snapshot_index and entry.type != "_core" and not is_called_off(entry)
    )


def follows(entry: Evaluation) -> bool:
    return not entry.create_index and bool(entry.previous_eval)


def is_rescheduled(entry: Evaluation) -> bool:
    return entry.triggered_by == "alloc-reschedule"


def is_of_node(entry: Evaluation) -> bool:
    return not entry.create_index and entry.triggered_by == "node-update"


def is_called_off(entry: Evaluation) -> bool:
    return bool(entry.create_index) and entry.status == "canceled"


def _both(*picks: Pick) -> Pick:
    return lambda entry: all(pick(entry) for pick in picks)


def on_eval(pick: Pick, **changes: Any) -> Twist:
    """Change the first evaluation of an entry that is picked."""
    return on(EvalUpdate, lambda request, _: given(request, evals=with_first(request.evals, pick, **changes)))


def _less(pick: Pick) -> Twist:
    return on(EvalUpdate, lambda request, _: given(request, evals=without_first(request.evals, pick)))


def _silence(pick: Pick) -> Twist:
    return on(EvalUpdate, lambda request, _: SILENCE if any(map(pick, request.evals)) else None)


def _more(pick: Pick) -> Twist:
    def change(request: EvalUpdate, _: object) -> EvalUpdate | None:
        found = next(filter(pick, request.evals), None)
        return replace(request, evals=(*request.evals, replace(found, id=ODD))) if found else None

    return on(EvalUpdate, change)


def _count_more(entry: Evaluation) -> dict[str, int]:
    return {name: queued + 1 for name, queued in entry.queued_allocations.items()}


def _fail_less(entry: Evaluation) -> dict[str, Any]:
    return dict(list(entry.failed_tg_allocs.items())[1:])


def _recount(**changes: Any) -> Callable[[Evaluation], dict[str, Any]]:
    def change(entry: Evaluation) -> dict[str, Any]:
        return {name: replace(metric, **changes) for name, metric in entry.failed_tg_allocs.items()}

    return change


def _has_failed(entry: Evaluation) -> bool:
    return is_outcome(entry) and bool(entry.failed_tg_allocs) and entry.status == "complete"


def _is_complete(entry: Evaluation) -> bool:
    return is_outcome(entry) and entry.status == "complete"


def _has(name: str) -> Pick:
    return lambda entry: bool(getattr(entry, name))


EVALUATIONS: Mapping[str, Twist] = {
    "outcome: failed though it is complete": on_eval(_is_complete, status="failed"),
    "outcome: blocked though it is complete": on_eval(_is_complete, status="blocked"),
    "outcome: in other words": on_eval(_is_complete, status_description="done"),
    "outcome: one more is queued": on_eval(
        _both(_is_complete, _has("queued_allocations")), queued_allocations=_count_more
    ),
    "outcome: nothing is queued": on_eval(_has_failed, queued_allocations={}),
    "outcome: a group did not fail": on_eval(_has_failed, failed_tg_allocs=_fail_less),
    "outcome: other nodes were looked at": on_eval(
        _has_failed, failed_tg_allocs=_recount(nodes_evaluated=77)
    ),
    "outcome: other nodes were filtered": on_eval(_has_failed, failed_tg_allocs=_recount(nodes_filtered=77)),
    "outcome: other nodes were full": on_eval(_has_failed, failed_tg_allocs=_recount(nodes_exhausted=77)),
    "outcome: others failed alike": on_eval(_has_failed, failed_tg_allocs=_recount(coalesced_failures=77)),
    "outcome: another priority": on_eval(is_outcome, priority=lambda each: each.priority % 100 + 1),
    "outcome: another trigger": on_eval(is_outcome, triggered_by="scheduled"),
    "outcome: another job": on_eval(is_outcome, job_id="odd"),
    "outcome: another type": on_eval(
        is_outcome, type=lambda each: "batch" if each.type == "service" else "service"
    ),
    "outcome: never ends": _silence(is_outcome),
    "outcome: of no state": on_eval(_is_complete, snapshot_index=0),
    "link: to another that is blocked": on_eval(_both(is_outcome, _has("blocked_eval")), blocked_eval=ODD),
    "link: to none that is blocked": on_eval(_both(_is_complete, _has("blocked_eval")), blocked_eval=""),
    "link: to another that follows": on_eval(_both(is_outcome, _has("next_eval")), next_eval=ODD),
    "link: to another deployment": on_eval(_both(is_outcome, _has("deployment_id")), deployment_id=ODD),
    "link: to another that was before": on_eval(follows, previous_eval=ODD),
    "follow-up: an hour later": on_eval(
        _both(follows, _has("wait_until_ns")), wait_until_ns=lambda each: each.wait_until_ns + HOUR_NS
    ),
    "follow-up: a second later": on_eval(
        _both(follows, is_rescheduled, _has("wait_until_ns")),
        wait_until_ns=lambda each: each.wait_until_ns + NS_PER_S,
    ),
    "follow-up: at once": on_eval(_both(follows, _has("wait_until_ns")), wait_until_ns=0),
    "follow-up: for another reason": on_eval(follows, triggered_by="rolling-update"),
    "follow-up: of another priority": on_eval(follows, priority=lambda each: each.priority % 100 + 1),
    "follow-up: in another status": on_eval(
        follows, status=lambda each: "pending" if each.status == "blocked" else "blocked"
    ),
    "follow-up: of another job": on_eval(follows, job_id="odd"),
    "follow-up: in other words": on_eval(follows, status_description="made for fun"),
    "follow-up: missing": _silence(follows),
    "follow-up: twice": _more(follows),
    "end: called off in other words": on_eval(is_called_off, status_description="done"),
    "end: complete though nobody worked on it": on_eval(is_called_off, status="complete"),
    "end: of another job": on_eval(is_called_off, job_id="odd"),
    "node: wakes one less": _less(is_of_node),
    "node: wakes one twice": _more(is_of_node),
    "node: wakes with another priority": on_eval(is_of_node, priority=lambda each: each.priority % 100 + 1),
    "node: wakes another job": on_eval(is_of_node, job_id="odd"),
    "node: wakes nobody": _silence(is_of_node),
}
