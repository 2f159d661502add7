"""Judges the recordings of blocked evals, and of what they hand to the broker behind them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from nomadspec.checkers.oracle.compare import Rules, compare
from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.families.blocked_broker import Event, explain
from nomadspec.checkers.oracle.families.broker import list_ids, list_told
from nomadspec.checkers.oracle.judgement import Difference, Judge
from nomadspec.checkers.oracle.shape import Whole, read_shape
from nomadspec.model.cluster.codec import read
from nomadspec.model.cluster.components import blocked as actions
from nomadspec.model.cluster.components.blocked_state import BlockedEvals, Held
from nomadspec.model.cluster.components.blocked_stats import BlockedStats, Shortage
from nomadspec.model.cluster.entities import Evaluation
from nomadspec.model.specification.profiles import Profile

RULES: Final[Rules] = (
    ("enqueued", "BLOCKED-41"),
    ("broker_requeue", "WORKER-32"),
    ("state.captured", "BLOCKED-10"),
    ("state.escaped", "BLOCKED-10"),
    ("state.system_by_node", "BLOCKED-12"),
    ("state.jobs", "BLOCKED-21"),
    ("state.duplicates", "BLOCKED-20"),
    ("state.unblock_indexes", "BLOCKED-43"),
    ("state.stats", "BLOCKED-47"),
    ("answer", "BLOCKED-23"),
)

Handover = tuple[BlockedEvals, tuple[Held, ...]]


class SetEnabled(msgspec.Struct, frozen=True, tag_field="op", tag="set-enabled"):
    """Blocked evals are switched on or off."""

    enabled: bool


class Block(msgspec.Struct, frozen=True, tag_field="op", tag="block"):
    """An eval is to be tracked."""

    eval: dict[str, Any]
    token: str = ""
    note: str = ""


class Reblock(Block, frozen=True, tag="reblock"):
    """A worker blocks again what was delivered to it under the token."""


class Unblock(msgspec.Struct, frozen=True, tag_field="op", tag="unblock", rename={"node_class": "class"}):
    """Nodes of a class may take more."""

    node_class: str
    index: Whole


class UnblockQuota(msgspec.Struct, frozen=True, tag_field="op", tag="unblock-quota"):
    """A quota may allow more."""

    quota: str
    index: Whole


class UnblockBoth(Unblock, frozen=True, tag="unblock-class-and-quota"):
    """Nodes of a class, and perhaps a quota, may take more."""

    quota: str


class UnblockNode(msgspec.Struct, frozen=True, tag_field="op", tag="unblock-node"):
    """A node may take more."""

    node: str


class UnblockResources(msgspec.Struct, frozen=True, tag_field="op", tag="unblock-resources"):
    """Resources that belong to no node came to be."""

    resources: list[str]
    index: Whole


class UnblockFailed(msgspec.Struct, frozen=True, tag_field="op", tag="unblock-failed"):
    """Evals whose plans were rejected are tried again."""


class Untrack(msgspec.Struct, frozen=True, tag_field="op", tag="untrack"):
    """A job needs its blocked evals no more."""

    job: str
    namespace: str


class GetDuplicates(msgspec.Struct, frozen=True, tag_field="op", tag="get-duplicates"):
    """The evals that gave way are taken."""


class Elapse(msgspec.Struct, frozen=True, tag_field="op", tag="elapse"):
    """Time passes."""

    ns: Whole


class DrainBroker(msgspec.Struct, frozen=True, tag_field="op", tag="drain-broker"):
    """Everything that is ready in the broker is delivered and acked."""


Operation = (
    SetEnabled
    | Block
    | Reblock
    | Unblock
    | UnblockQuota
    | UnblockBoth
    | UnblockNode
    | UnblockResources
    | UnblockFailed
    | Untrack
    | GetDuplicates
    | Elapse
    | DrainBroker
)


class Vector(msgspec.Struct, frozen=True):
    """One recording: what is done with blocked evals, and what they told the broker."""

    ops: list[Operation]


def judge(vector: Mapping[str, Any], context: Context) -> Iterator[Difference]:
    """Follow blocked evals through all that is done with them, then the broker through what it was handed."""
    operations = read_shape(Vector, vector).ops
    recorded = vector["ops"]
    answers, events = _follow(operations, context.profile)
    explanation = explain(events, recorded, context.profile)
    if explanation.offers:
        context.forgive("unrecorded-offer")
    for position, operation in enumerate(operations):
        told = list_told(operation, recorded[position])
        answer = answers[position] | explanation.answers[position]
        yield from compare(told, answer, f"ops[{position}]", RULES)


def _follow(operations: list[Operation], profile: Profile) -> tuple[list[dict[str, Any]], list[Event]]:
    """Do all operations on blocked evals, and list their answers and what the broker meets."""
    blocked_evals, now_ns = BlockedEvals(), 0
    answers: list[dict[str, Any]] = []
    events: list[Event] = []
    for operation in operations:
        if isinstance(operation, Elapse):
            now_ns += operation.ns
        answer = {}
        if isinstance(operation, GetDuplicates):
            answer["answer"] = list_ids(blocked_evals.duplicates)
        entry = read(Evaluation, operation.eval) if isinstance(operation, Block) else None
        blocked_evals, handed = do(blocked_evals, operation, entry, now_ns, profile)
        answers.append(answer | {"state": show(blocked_evals)})
        events.append(_make_event(operation, entry, handed))
    return answers, events


def do(
    blocked_evals: BlockedEvals, operation: Operation, entry: Evaluation | None, now_ns: int, profile: Profile
) -> Handover:
    """Ask blocked evals for one thing, and let them do all that then waits."""
    blocked_evals, handed = _apply(actions.elapse(blocked_evals, now_ns), operation, entry, now_ns, profile)
    while blocked_evals.changes:
        blocked_evals, more = actions.process_next(blocked_evals, now_ns, profile=profile)
        handed = (*handed, *more)
    return blocked_evals, handed


def _make_event(operation: Operation, entry: Evaluation | None, handed: tuple[Held, ...]) -> Event:
    token = operation.token if isinstance(operation, Block) else ""
    return Event(seen=entry, token=token, handed=handed, is_drain=isinstance(operation, DrainBroker))


def _apply(
    blocked_evals: BlockedEvals, operation: Operation, entry: Evaluation | None, now_ns: int, profile: Profile
) -> Handover:
    """Ask blocked evals for one thing; what they do at once is done."""
    match operation:
        case SetEnabled(enabled=enabled):
            return (actions.enable(blocked_evals, now_ns) if enabled else actions.disable()), ()
        case Block(token=token) if entry:
            return actions.block(blocked_evals, entry, token), ()
        case Untrack(namespace=namespace, job=job):
            return actions.untrack(blocked_evals, (namespace, job)), ()
        case UnblockFailed():
            return actions.unblock_failed(blocked_evals, now_ns, profile=profile)
        case GetDuplicates():
            return actions.take_duplicates(blocked_evals)[0], ()
    return _free(blocked_evals, operation, now_ns), ()


def _free(blocked_evals: BlockedEvals, operation: Operation, now_ns: int) -> BlockedEvals:
    """Tell blocked evals what became free."""
    match operation:
        case UnblockBoth(node_class=node_class, quota=quota, index=index):
            return actions.unblock_class_and_quota(blocked_evals, node_class, quota, index, now_ns)
        case Unblock(node_class=node_class, index=index):
            return actions.unblock(blocked_evals, node_class, index, now_ns)
        case UnblockQuota(quota=quota, index=index):
            return actions.unblock_quota(blocked_evals, quota, index, now_ns)
        case UnblockNode(node=node_id):
            return actions.unblock_node(blocked_evals, node_id)
        case UnblockResources(resources=resources, index=index):
            return actions.unblock_resources(blocked_evals, resources, index, now_ns)
    return blocked_evals


def show(blocked_evals: BlockedEvals) -> dict[str, Any]:
    """Show blocked evals the way the recordings do."""
    by_node: dict[str, list[str]] = {}
    for eval_id, held in sorted(blocked_evals.system.items()):
        by_node.setdefault(held.eval.node_id, []).append(eval_id)
    return {
        "captured": sorted(blocked_evals.captured.keys()),
        "escaped": sorted(blocked_evals.escaped.keys()),
        "system_by_node": by_node,
        "jobs": {"/".join(job): eval_id for job, eval_id in blocked_evals.jobs.items()},
        "duplicates": list_ids(blocked_evals.duplicates),
        "unblock_indexes": {key: freed.index for key, freed in blocked_evals.freed.items()},
        "stats": _show_stats(blocked_evals.stats),
    }


def _show_stats(stats: BlockedStats) -> dict[str, Any]:
    return {
        "TotalBlocked": stats.blocked,
        "TotalEscaped": stats.escaped,
        "TotalQuotaLimit": stats.quota_limit,
        "ByJob": {"/".join(job): _show_shortage(short) for job, short in stats.by_job.items()},
        "ByClassInDC": {"|".join(pool): _show_shortage(short) for pool, short in stats.by_pool.items()},
    }


def _show_shortage(shortage: Shortage) -> dict[str, int]:
    return {"CPU": shortage.cpu_mhz, "MemoryMB": shortage.memory_mb}


JUDGES: Final[Mapping[str, Judge]] = {"sequences": judge}
