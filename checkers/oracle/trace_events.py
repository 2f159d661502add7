"""The events that a transaction publishes, as the event stream shows them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from nomadspec.checkers.oracle.store_rows import find_row
from nomadspec.model.cluster.codec import write
from nomadspec.model.cluster.entities import (
    Allocation,
    AllocClient,
    Deployment,
    Evaluation,
    Job,
    Node,
    NodePool,
)
from nomadspec.model.cluster.store.run import Transaction
from nomadspec.model.cluster.store.tables import ALLOCS, DEPLOYMENTS, EVALS, JOBS, NODE_POOLS, NODES

TIMED_OUT: Final = "allocation exceeded max_run_duration"

EVENT_TYPES: Final[Mapping[str, str]] = {
    "JobRegister": "JobRegistered",
    "JobDeregister": "JobDeregistered",
    "JobBatchDeregister": "JobBatchDeregistered",
    "EvalUpdate": "EvaluationUpdated",
    "AllocClientUpdate": "AllocationUpdated",
    "ApplyPlanResults": "PlanResult",
    "DeploymentStatusUpdate": "DeploymentStatusUpdate",
    "DeploymentPromote": "DeploymentPromotion",
    "DeploymentAllocHealth": "DeploymentAllocHealth",
    "AllocUpdateDesiredTransition": "AllocationUpdateDesiredStatus",
    "NodeRegister": "NodeRegistration",
    "NodeUpdateStatus": "NodeStreamEvent",
    "UpsertNodeEvents": "NodeStreamEvent",
    "NodeUpdateDrain": "NodeDrain",
    "BatchNodeUpdateDrain": "NodeDrain",
    "NodeUpdateEligibility": "NodeEligibility",
    "NodePoolUpsert": "NodePoolUpserted",
    "NodePoolDelete": "NodePoolDeleted",
}
"""The type that events of an entry bear; other entries publish nothing.

Spec: WIRE-087, 11/S5.
"""


class Event(msgspec.Struct, frozen=True):
    """One event: what it is about, and the object after the transaction."""

    topic: str
    key: str
    namespace: str
    filter_keys: tuple[str, ...]
    row: msgspec.Struct
    extra: Mapping[str, Any] = {}
    """What the payload holds beside the object."""

    @property
    def payload(self) -> dict[str, Any]:
        """Write the payload without its zero members."""
        return {self.topic: write(self.row), **self.extra}


def list_events(transaction: Transaction) -> Iterator[Event]:
    """List what a transaction publishes: the rows that it wrote, and deleted jobs and node pools.

    Spec: WIRE-085, WIRE-086, WIRE-087, WIRE-089, 11/S3.
    """
    for (table, key), before in transaction.before.items():
        publish = _PUBLISHERS.get(table)
        if publish is None:
            continue
        row = find_row(transaction.after, table, key)
        if row is not None:
            yield publish(row)
        elif before is not None and table == JOBS:
            yield replace(publish(before), extra={"Deleted": True})
        elif before is not None and table == NODE_POOLS:
            yield publish(before)


def _publish_eval(row: Evaluation) -> Event:
    return Event("Evaluation", row.id, row.namespace, (row.job_id, row.deployment_id), row)


def _publish_alloc(row: Allocation) -> Event:
    timed_out = row.client_status == AllocClient.COMPLETE and row.client_description == TIMED_OUT
    extra = {"Timeout": True, "TimeoutReason": TIMED_OUT} if timed_out else {}
    shown = replace(row, job=None, signed_identities={})
    return Event("Allocation", row.id, row.namespace, (row.job_id, row.deployment_id), shown, extra)


def _publish_deployment(row: Deployment) -> Event:
    return Event("Deployment", row.id, row.namespace, (row.job_id,), row)


def _publish_job(row: Job) -> Event:
    return Event("Job", row.id, row.namespace, (), row)


def _publish_node(row: Node) -> Event:
    return Event("Node", row.id, "", (), replace(row, secret_id=""))


def _publish_node_pool(row: NodePool) -> Event:
    return Event("NodePool", row.name, "", (), row)


_PUBLISHERS: Final[Mapping[str, Callable[[Any], Event]]] = {
    EVALS: _publish_eval,
    ALLOCS: _publish_alloc,
    DEPLOYMENTS: _publish_deployment,
    JOBS: _publish_job,
    NODES: _publish_node,
    NODE_POOLS: _publish_node_pool,
}
