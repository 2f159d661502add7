"""Holds recorded sequences of operations on blocked evals against the kernel's rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from rpds import HashTrieMap

from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.families import blocked as recorded
from nomadspec.checkers.oracle.refinement.blocked_sight import (
    Sighting,
    Staged,
    assign,
    list_entries,
    look,
    put_on_stage,
)
from nomadspec.checkers.oracle.refinement.report import Step
from nomadspec.checkers.oracle.refinement.scene import Outside
from nomadspec.checkers.oracle.shape import read_shape
from nomadspec.model.cluster.codec import read
from nomadspec.model.cluster.components.blocked_state import BlockedEvals, Held, find_held
from nomadspec.model.cluster.components.broker_state import get_job_key
from nomadspec.model.cluster.entities import Evaluation
from nomadspec.model.cluster.entities.job import JobType
from nomadspec.model.kernel import blocked as kernel
from nomadspec.model.kernel.leader import pause_broker, resume_broker
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.language.domain import Id

Act = Callable[[Staged], bool]
"""Takes the kernel's steps on a stage; False where the kernel does not allow them."""


def refine(vector: Mapping[str, Any], context: Context) -> Iterator[Step]:
    """Follow blocked evals, and hold each of their steps against the kernel."""
    blocked_evals, now_ns = BlockedEvals(), 0
    operations = read_shape(recorded.Vector, vector).ops
    for position, operation in enumerate(operations):
        if isinstance(operation, recorded.Elapse):
            now_ns += operation.ns
        entry = read(Evaluation, operation.eval) if isinstance(operation, recorded.Block) else None
        after, handed = recorded.do(blocked_evals, operation, entry, now_ns, context.profile)
        name = vector["ops"][position]["op"]
        try:
            act = _find_act(blocked_evals, operation, entry, handed)
            cast = assign([*list_entries(blocked_evals), *list_entries(after), *([entry] if entry else [])])
            staged = put_on_stage(blocked_evals, cast, context.profile)
            seen = staged.see() if act(staged) else None
            expected = {one: Sighting() for one in cast.entries} | dict(look(after, handed))
            yield Step(position, name, seen, expected, gap=staged.gap)
        except Outside as answer:
            yield Step(position, name, outside=answer.name)
        blocked_evals = after


def _find_act(
    blocked_evals: BlockedEvals,
    operation: recorded.Operation,
    entry: Evaluation | None,
    handed: tuple[Held, ...],
) -> Act:
    act: Act = _stutter
    match operation:
        case recorded.SetEnabled(enabled=is_on) if blocked_evals.is_enabled != is_on:
            act = _switch(is_on=is_on)
        case recorded.Block() if entry is not None:
            act = _block(blocked_evals, entry, is_missed=any(held.eval.id == entry.id for held in handed))
        case recorded.Untrack(namespace=namespace, job=job):
            act = _untrack((namespace, job))
        case recorded.UnblockFailed():
            act = _retry
        case recorded.GetDuplicates():
            act = _cancel(blocked_evals)
        case recorded.UnblockNode(node=node_id):
            act = _wake_node(node_id)
        case recorded.UnblockBoth() | recorded.UnblockQuota() | recorded.UnblockResources():
            raise Outside("what becomes free is no node")
        case recorded.Unblock(node_class=node_class):
            act = _wake_class(blocked_evals, node_class)
    return act


def _switch(*, is_on: bool) -> Act:
    return lambda staged: staged.scene.run(resume_broker if is_on else pause_broker)


def _stutter(_staged: Staged) -> bool:
    return True


def _block(blocked_evals: BlockedEvals, entry: Evaluation, *, is_missed: bool) -> Act:
    """An evaluation is given to blocked evals, which look at it; what it missed is a flag of the kernel."""

    def act(staged: Staged) -> bool:
        if not blocked_evals.is_enabled:
            return True
        other = find_held(blocked_evals, blocked_evals.jobs.get(get_job_key(entry), ""))
        if other is not None and _get_age(other.eval) > _get_age(entry):
            raise Outside("an evaluation that is older than the one that is tracked")
        if entry.type == JobType.SYSTEM:
            staged.gap = _find_gap(blocked_evals, entry)
        job, number = staged.cast.at(entry.id)
        staged.scene.put("escaped", entry.escaped_computed_class, job)
        staged.scene.run(_hand_over, job, number, is_missed)
        return staged.scene.run(kernel.track_blocked, job, number)

    return act


def _find_gap(blocked_evals: BlockedEvals, entry: Evaluation) -> str:
    is_known = blocked_evals.system_jobs.get(get_job_key(entry), HashTrieMap()).get(entry.node_id) == entry.id
    return "the same evaluation once more takes itself out from under its node" if is_known else ""


def _get_age(entry: Evaluation) -> int:
    return max(entry.create_index, entry.snapshot_index)


def _hand_over(s: Kernel, t: Kernel, job: Id, number: Id, is_missed: Id) -> None:
    kernel.hand_over(s, t, job, number, is_missed)


def _untrack(job: tuple[str, str]) -> Act:
    def act(staged: Staged) -> bool:
        return job not in staged.cast.jobs or staged.scene.run(kernel.untrack, staged.cast.jobs.index(job))

    return act


def _retry(staged: Staged) -> bool:
    """The leader's ticker wakes all that the kernel lets it wake."""
    for name in staged.cast.entries:
        staged.scene.run(kernel.retry_failed_plans, *staged.cast.at(name))
    return True


def _cancel(blocked_evals: BlockedEvals) -> Act:
    names = {entry.id for entry in blocked_evals.duplicates}
    return lambda staged: all(
        staged.scene.run(kernel.cancel_duplicate, *staged.cast.at(name)) for name in names
    )


def _wake_node(node_id: str) -> Act:
    """A node wakes what is kept under it; its class is an operation of its own."""

    def act(staged: Staged) -> bool:
        staged.let_concern(staged.cast.node(node_id), ())
        return staged.scene.run(kernel.wake, staged.cast.node(node_id))

    return act


def _wake_class(blocked_evals: BlockedEvals, node_class: str) -> Act:
    """A class wakes what it matters to: what escapes, and what does not know that it is of no use."""
    if not node_class:
        raise Outside("an unblock without a class")

    def act(staged: Staged) -> bool:
        captured = [
            name
            for name, held in blocked_evals.captured.items()
            if held.eval.class_eligibility.get(node_class, True) and not held.eval.quota_limit_reached
        ]
        if any(held.eval.quota_limit_reached for held in blocked_evals.captured.values()):
            raise Outside("a quota")
        staged.let_concern(len(staged.cast.nodes), [*captured, *blocked_evals.escaped.keys()])
        return staged.scene.run(kernel.wake, len(staged.cast.nodes))

    return act
