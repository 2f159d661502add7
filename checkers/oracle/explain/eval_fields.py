"""Judges what evaluations say beside their status: each writer sets some fields, and no others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

from nomadspec.checkers.oracle.explain.decisions import is_outcome
from nomadspec.checkers.oracle.judgement import Difference
from nomadspec.checkers.oracle.trace_allowed import list_nack_delays_ns
from nomadspec.model.cluster.components.core_gc import CORE_PRIORITY
from nomadspec.model.cluster.components.reapers import MORE_RECENT
from nomadspec.model.cluster.constraints.escape import is_group_escaped, is_job_escaped
from nomadspec.model.cluster.entities import EvalStatus, Evaluation, Job, Trigger
from nomadspec.model.cluster.entities.job import GENERIC_TYPES
from nomadspec.model.cluster.store import State
from nomadspec.model.cluster.store.requests import EvalUpdate
from nomadspec.model.specification.profiles import Profile

_STAMPED: Final = frozenset({"modify_index", "modify_time_ns", "status", "status_description"})
"""What whoever ends an evaluation sets, or the store."""
_BLOCKING: Final = frozenset({"class_eligibility", "escaped_computed_class", "missing_non_node_resources"})
"""What an evaluation waits for: known of those that are blocked, and found anew when one is blocked again."""
_OUTCOME: Final = frozenset(
    {
        "blocked_eval",
        "deployment_id",
        "failed_tg_allocs",
        "next_eval",
        "plan_annotations",
        "queued_allocations",
        "snapshot_index",
    }
)
"""What a scheduler sets of the evaluation that it has worked on."""
_MADE: Final = frozenset(
    {
        "create_time_ns",
        "id",
        "job_id",
        "job_modify_index",
        "modify_time_ns",
        "namespace",
        "node_id",
        "previous_eval",
        "priority",
        "snapshot_index",
        "status",
        "status_description",
        "triggered_by",
        "type",
    }
)
"""What a scheduler sets of any evaluation that it makes ..."""
_MADE_BLOCKED: Final = _MADE | _BLOCKING | {"failed_tg_allocs"}
"""... of one that is blocked ..."""
_MADE_DELAYED: Final = _MADE | {"wait_until_ns"}
"""... and of one that is due later."""
_UNSET: Final = Evaluation()


@cache
def _list_others(names: frozenset[str]) -> Sequence[str]:
    return tuple(name for name in Evaluation.__struct_fields__ if name not in names)


def compare_made_fields(
    entry: Evaluation, previous: Evaluation, recent: Sequence[State], path: str
) -> Iterator[Difference]:
    """Compare what a scheduler made with what it sets of such an evaluation.

    Spec: EVAL-12, EVAL-13, EVAL-17, EVAL-20, WORKER-31.
    """
    if entry.triggered_by == Trigger.FAILED_FOLLOW_UP:
        return  # made by the leader, and compared as a whole
    is_blocked = entry.status == EvalStatus.BLOCKED
    yield from _compare_unset(entry, _MADE_BLOCKED if is_blocked else _MADE_DELAYED, path)
    latest = recent[0].latest_index
    if not previous.create_index <= entry.snapshot_index <= latest:
        model = f"from {previous.create_index} to {latest}"
        yield Difference(f"{path}.SnapshotIndex", entry.snapshot_index, model, "EVAL-12")
    if is_blocked:
        yield from _compare_escaped(entry, recent, path)
        yield from _compare_classes(entry, recent, path)


def _compare_unset(entry: Evaluation, names: frozenset[str], path: str) -> Iterator[Difference]:
    for name in _list_others(names):
        told, model = getattr(entry, name), getattr(_UNSET, name)
        if told != model:
            yield Difference(f"{path}.{name}", told, model, "EVAL-13")


def _compare_escaped(entry: Evaluation, recent: Sequence[State], path: str) -> Iterator[Difference]:
    """Compare whether classes tell enough of nodes with what the job asks for.

    Spec: EVAL-20, FEAS-19.
    """
    jobs = [job for state in recent for job in state.list_job_versions(entry.namespace, entry.job_id)]
    if jobs and entry.escaped_computed_class not in set(map(_is_escaped, jobs)):
        model = not entry.escaped_computed_class
        yield Difference(f"{path}.EscapedComputedClass", entry.escaped_computed_class, model, "EVAL-20")
    if entry.escaped_computed_class and entry.class_eligibility:
        yield Difference(f"{path}.ClassEligibility", dict(entry.class_eligibility), {}, "EVAL-20")


def _compare_classes(entry: Evaluation, recent: Sequence[State], path: str) -> Iterator[Difference]:
    """Compare the classes of which an evaluation tells with the nodes that are there.

    A group that could be placed nowhere has looked at all nodes: without any filtered, all are eligible.

    Spec: EVAL-13, EVAL-15, EVAL-20.
    """
    told, metrics = entry.class_eligibility, entry.failed_tg_allocs.values()
    known = {node.computed_class for state in recent for node in state.list_nodes()}
    if not known.issuperset(told):
        yield Difference(f"{path}.ClassEligibility", sorted(told), sorted(known), "EVAL-20")
    are_unnamed = entry.escaped_computed_class or "" in known
    if not told and not are_unnamed and any(each.nodes_evaluated for each in metrics):
        yield Difference(f"{path}.ClassEligibility", {}, sorted(known), "EVAL-20")
    is_of_all = entry.type in GENERIC_TYPES
    is_unfiltered = any(each.nodes_evaluated and not each.nodes_filtered for each in metrics)
    if is_of_all and is_unfiltered and not all(told.values()):
        yield Difference(f"{path}.ClassEligibility", dict(told), "all are eligible", "EVAL-20")


def _is_escaped(job: Job) -> bool:
    return is_job_escaped(job) or any(map(is_group_escaped, job.task_groups))


def compare_kept_fields(
    entry: Evaluation,
    stored: Evaluation,
    request: EvalUpdate,
    recent: Sequence[State],
    path: str,
    profile: Profile,
) -> Iterator[Difference]:
    """Compare an evaluation that was there with what it said: only some of that changes with its end.

    The copy that a leader holds may be older than the record, or may have been blocked again since.

    Spec: EVAL-21, EVAL-32, EVAL-36, EVAL-45, LEADER-21, 02/S7.
    """
    for name in _list_others(_find_written(entry, stored)):
        told, known = getattr(entry, name), getattr(stored, name)
        if told == known or (name == "wait_ns" and told in list_nack_delays_ns(profile)):
            continue
        if name == "next_eval" and _is_followed(entry, request, recent):
            continue
        yield Difference(f"{path}.{name}", told, known, "EVAL-32")
    if entry.modify_time_ns <= entry.create_time_ns:
        model = f"after {entry.create_time_ns}"
        yield Difference(f"{path}.ModifyTime", entry.modify_time_ns, model, "EVAL-32")


def _find_written(entry: Evaluation, stored: Evaluation) -> frozenset[str]:
    """Find which fields an end may write: those of a scheduler, or what a leader knows otherwise."""
    if is_outcome(entry):
        return _STAMPED | _OUTCOME | (_BLOCKING if stored.status != EvalStatus.PENDING else frozenset())
    if stored.status == EvalStatus.PENDING:
        return _STAMPED
    if stored.status == EvalStatus.BLOCKED:
        return _STAMPED | _BLOCKING | {"snapshot_index"}
    return _STAMPED | _BLOCKING | _OUTCOME - {"next_eval"}


def _is_followed(entry: Evaluation, request: EvalUpdate, recent: Sequence[State]) -> bool:
    """True if what follows an evaluation was made for it."""
    known = (each for state in recent if (each := state.find_eval(entry.next_eval)) is not None)
    made = (each for each in request.evals if each.id == entry.next_eval)
    return any(each.previous_eval == entry.id for each in (*made, *known))


def compare_core(entry: Evaluation, path: str) -> Iterator[Difference]:
    """Compare what is written of the leader's own work: only what was called off, or has to go on.

    Spec: EVAL-10, LEADER-24, LEADER-51, 02/S13.
    """
    if entry.priority != CORE_PRIORITY:
        yield Difference(f"{path}.Priority", entry.priority, CORE_PRIORITY, "EVAL-10")
    goes_on = entry.status == EvalStatus.PENDING and bool(entry.previous_eval)
    is_called_off = (entry.status, entry.status_description) == (EvalStatus.CANCELED, MORE_RECENT)
    if not goes_on and not is_called_off:
        yield Difference(f"{path}.Status", entry.status, "it is not written", "LEADER-24")
