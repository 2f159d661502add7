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


def _on(pick: Pick, **changes: Any) -> Twist:
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
    "outcome: failed though it is complete": _on(_is_complete, status="failed"),
    "outcome: blocked though it is complete": _on(_is_complete, status="blocked"),
    "outcome: in other words": _on(_is_complete, status_description="done"),
    "outcome: one more is queued": _on(
        _both(_is_complete, _has("queued_allocations")), queued_allocations=_count_more
    ),
    "outcome: nothing is queued": _on(_has_failed, queued_allocations={}),
    "outcome: a group did not fail": _on(_has_failed, failed_tg_allocs=_fail_less),
    "outcome: other nodes were looked at": _on(_has_failed, failed_tg_allocs=_recount(nodes_evaluated=77)),
    "outcome: other nodes were filtered": _on(_has_failed, failed_tg_allocs=_recount(nodes_filtered=77)),
    "outcome: other nodes were full": _on(_has_failed, failed_tg_allocs=_recount(nodes_exhausted=77)),
    "outcome: others failed alike": _on(_has_failed, failed_tg_allocs=_recount(coalesced_failures=77)),
    "outcome: another priority": _on(is_outcome, priority=lambda each: each.priority % 100 + 1),
    "outcome: another trigger": _on(is_outcome, triggered_by="scheduled"),
    "outcome: another job": _on(is_outcome, job_id="odd"),
    "outcome: another type": _on(
        is_outcome, type=lambda each: "batch" if each.type == "service" else "service"
    ),
    "outcome: never ends": _silence(is_outcome),
    "outcome: of no state": _on(_is_complete, snapshot_index=0),
    "link: to another that is blocked": _on(_both(is_outcome, _has("blocked_eval")), blocked_eval=ODD),
    "link: to none that is blocked": _on(_both(_is_complete, _has("blocked_eval")), blocked_eval=""),
    "link: to another that follows": _on(_both(is_outcome, _has("next_eval")), next_eval=ODD),
    "link: to another deployment": _on(_both(is_outcome, _has("deployment_id")), deployment_id=ODD),
    "link: to another that was before": _on(follows, previous_eval=ODD),
    "follow-up: an hour later": _on(
        _both(follows, _has("wait_until_ns")), wait_until_ns=lambda each: each.wait_until_ns + HOUR_NS
    ),
    "follow-up: a second later": _on(
        _both(follows, is_rescheduled, _has("wait_until_ns")),
        wait_until_ns=lambda each: each.wait_until_ns + NS_PER_S,
    ),
    "follow-up: at once": _on(_both(follows, _has("wait_until_ns")), wait_until_ns=0),
    "follow-up: for another reason": _on(follows, triggered_by="rolling-update"),
    "follow-up: of another priority": _on(follows, priority=lambda each: each.priority % 100 + 1),
    "follow-up: in another status": _on(
        follows, status=lambda each: "pending" if each.status == "blocked" else "blocked"
    ),
    "follow-up: of another job": _on(follows, job_id="odd"),
    "follow-up: in other words": _on(follows, status_description="made for fun"),
    "follow-up: missing": _silence(follows),
    "follow-up: twice": _more(follows),
    "end: called off in other words": _on(is_called_off, status_description="done"),
    "end: complete though nobody worked on it": _on(is_called_off, status="complete"),
    "end: of another job": _on(is_called_off, job_id="odd"),
    "node: wakes one less": _less(is_of_node),
    "node: wakes one twice": _more(is_of_node),
    "node: wakes with another priority": _on(is_of_node, priority=lambda each: each.priority % 100 + 1),
    "node: wakes another job": _on(is_of_node, job_id="odd"),
    "node: wakes nobody": _silence(is_of_node),
}
