"""What the operator sets up: node pools, namespaces and the configuration of the schedulers."""

from typing import Final

from msgspec.structs import replace

from nomadspec.model.cluster.entities import (
    NAMESPACE_DEFAULT,
    POOL_ALL,
    POOL_DEFAULT,
    JobStatus,
    SchedulerAlgorithm,
)
from nomadspec.model.cluster.store.canonical import canonicalize_node_pool
from nomadspec.model.cluster.store.draft import Draft
from nomadspec.model.cluster.store.handed_to_leader import UnblockQuota
from nomadspec.model.cluster.store.requests import (
    NamespaceDelete,
    NamespaceUpsert,
    NodePoolDelete,
    NodePoolUpsert,
    Outside,
    SchedulerConfig,
)
from nomadspec.model.cluster.store.run import RefusedError, Run
from nomadspec.model.cluster.store.tables import NAMESPACES, NODE_POOLS

BUILT_IN_POOLS: Final = frozenset({POOL_ALL, POOL_DEFAULT})


def write_node_pools(run: Run, request: NodePoolUpsert) -> None:
    """Create or change node pools, all or none; those that are built in stay as they are.

    Spec: OBJ-167, NODEST-21.
    """
    draft = run.begin()
    for asked in request.node_pools:
        if asked.name in BUILT_IN_POOLS:
            raise RefusedError(f'modifying node pool "{asked.name}" is not allowed')
        pool = canonicalize_node_pool(asked)
        before = draft.node_pools.get(pool.name)
        created = draft.index if before is None else before.create_index
        draft.put(replace(pool, create_index=created, modify_index=draft.index))
    draft.touch(NODE_POOLS)
    run.commit(draft)


def delete_node_pools(run: Run, request: NodePoolDelete) -> None:
    """Delete node pools, all or none.

    Spec: OBJ-167, NODEST-21.
    """
    draft = run.begin()
    for name in request.names:
        if name not in draft.node_pools:
            raise RefusedError(f"node pool {name} not found")
        if name in BUILT_IN_POOLS:
            raise RefusedError(f'deleting node pool "{name}" is not allowed')
        draft.delete(NODE_POOLS, name)
    draft.touch(NODE_POOLS)
    run.commit(draft)


def write_namespaces(run: Run, request: NamespaceUpsert) -> None:
    """Create or change namespaces.

    Spec: FSM-03.
    """
    draft = run.begin()
    freed = []
    for namespace in request.namespaces:
        before = draft.namespaces.get(namespace.name)
        created = draft.index if before is None else before.create_index
        draft.put(replace(namespace, create_index=created, modify_index=draft.index))
        if before is not None and before.quota and before.quota != namespace.quota:
            freed.append(before.quota)
    draft.touch(NAMESPACES)
    run.commit(draft)
    run.hand(*(UnblockQuota(quota, run.index) for quota in freed))


def delete_namespaces(run: Run, request: NamespaceDelete) -> None:
    """Delete namespaces in which nothing is left to do, all or none.

    Spec: OBJ-011.
    """
    draft = run.begin()
    for name in request.namespaces:
        if name not in draft.namespaces:
            raise RefusedError("namespace not found")
        if name == NAMESPACE_DEFAULT:
            raise RefusedError("default namespace can not be deleted")
        _demand_idle(draft, name)
        draft.delete(NAMESPACES, name)
    draft.touch(NAMESPACES)
    run.commit(draft)


def write_configuration(run: Run, request: SchedulerConfig) -> bool | None:
    """Replace the configuration; compare-and-set tells whether it did.

    Spec: OBJ-290, OBJ-291.
    """
    draft = run.begin()
    before, asked = draft.configuration, request.config
    if request.cas and (before is None or before.modify_index != asked.modify_index):
        return False
    created = draft.index if before is None else before.create_index
    algorithm = asked.scheduler_algorithm or SchedulerAlgorithm.BINPACK.value
    draft.put_configuration(
        replace(asked, scheduler_algorithm=algorithm, create_index=created, modify_index=draft.index)
    )
    run.commit(draft)
    return True if request.cas else None


def note_outside(run: Run, request: Outside) -> None:
    """Move the indexes of tables that the model leaves out.

    Spec: OBJ-026.
    """
    draft = run.begin()
    draft.touch(*request.tables)
    run.commit(draft)


def _demand_idle(draft: Draft, name: str) -> None:
    for (namespace, job_id), job in sorted(draft.jobs.items(), key=lambda item: item[0]):
        if namespace == name and job.status != JobStatus.DEAD:
            raise RefusedError(
                f'namespace "{name}" contains at least one non-terminal job "{job_id}". '
                "All jobs must be terminal in namespace before it can be deleted"
            )
