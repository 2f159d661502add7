"""What the state machine fills in by itself before it stores an object."""

from typing import Final

from msgspec.structs import replace

from nomadspec.model.cluster.entities import (
    POOL_DEFAULT,
    Eligibility,
    Job,
    Node,
    NodePool,
    Task,
    WorkloadIdentity,
)
from nomadspec.model.cluster.entities.scalar import NS_PER_S

NODE_IDENTITY_TTL_NS: Final = 24 * 3_600 * NS_PER_S
DEFAULT_IDENTITY: Final = WorkloadIdentity(name="default", audience=("nomadproject.io",))


def canonicalize_job(job: Job) -> Job:
    """Give every task its default identity."""
    if all(task.identity is not None for group in job.task_groups for task in group.tasks):
        return job
    groups = tuple(
        replace(group, tasks=tuple(_with_identity(task) for task in group.tasks)) for group in job.task_groups
    )
    return replace(job, task_groups=groups)


def canonicalize_node(node: Node) -> Node:
    """Fill in the pool and the eligibility of a node.

    Spec: OBJ-163.
    """
    eligibility = node.scheduling_eligibility
    if node.drain_strategy is not None:
        eligibility = Eligibility.INELIGIBLE.value
    return replace(
        node,
        node_pool=node.node_pool or POOL_DEFAULT,
        scheduling_eligibility=eligibility or Eligibility.ELIGIBLE.value,
    )


def canonicalize_node_pool(pool: NodePool) -> NodePool:
    """Fill in how long identities of the pool's nodes live.

    Spec: OBJ-167.
    """
    return pool if pool.node_identity_ttl_ns else replace(pool, node_identity_ttl_ns=NODE_IDENTITY_TTL_NS)


def _with_identity(task: Task) -> Task:
    return task if task.identity is not None else replace(task, identity=DEFAULT_IDENTITY)
