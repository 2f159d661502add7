"""Which evaluations an event of a node creates: one for each job that may care about the node.

A call of a node becomes two entries: the node's own, and one with the evaluations, which are found in a
snapshot that is at least as new as the first.
"""

from collections.abc import Callable, Iterator

from msgspec.structs import replace

from nomadspec.model.cluster.components.new_eval import make_eval
from nomadspec.model.cluster.entities import (
    Allocation,
    Evaluation,
    Job,
    JobType,
    Node,
    NodeStatus,
    Trigger,
)
from nomadspec.model.cluster.entities.allocation import is_client_terminal, is_server_terminal
from nomadspec.model.cluster.entities.job import BATCH_TYPES
from nomadspec.model.cluster.entities.node import is_in_datacenters, is_in_pool, is_unresponsive
from nomadspec.model.cluster.store.state import State
from nomadspec.model.specification.profiles import Profile
from nomadspec.model.specification.quirks import UNTOLD_SYSBATCH

MakeId = Callable[[], str]
"""Gives the ID of a new object; IDs are random, and hence the caller's."""


def is_woken_by_registration(stored: Node | None, registered: Node) -> bool:
    """True if a registration creates evaluations: the node is down, or new, or other than before.

    The status counts that goes into the entry: that of a known node, as it was when the call was looked at.

    Spec: NODEST-06, TRIG-10.
    """
    if registered.status == NodeStatus.DOWN:
        return True
    if stored is None:
        return registered.status in {NodeStatus.READY, NodeStatus.DISCONNECTED}
    return _list_compared(stored) != _list_compared(registered)


def _list_compared(node: Node) -> tuple[object, ...]:
    devices = node.node_resources.devices if node.node_resources else ()
    return (
        node.id,
        node.datacenter,
        node.name,
        node.node_class,
        dict(node.attributes),
        dict(node.meta),
        dict(node.drivers),
        dict(node.host_volumes),
        devices,
    )


def is_woken_by_status(before: str, after: str) -> bool:
    """True if a node that was asked to take a status creates evaluations.

    Spec: NODEST-12, NODEST-13, TRIG-10.
    """
    if after == NodeStatus.DOWN:
        return True
    if NodeStatus.DISCONNECTED in {after, before}:
        return before != after
    return after == NodeStatus.READY and before in {NodeStatus.INITIALIZING, NodeStatus.DOWN}


def make_node_evals(
    state: State, node: Node, node_index: int, make_id: MakeId, now_ns: int, *, profile: Profile
) -> tuple[Evaluation, ...] | None:
    """Make the evaluations of an event of a node, or nothing at all where no job could care.

    An empty list is written as well: it takes an index, and changes nothing.

    Spec: TRIG-09, TRIG-29, EVAL-10, GC-63, X-66.
    """
    allocs = state.list_allocs_of_node(node.id)
    systems = [job for job in state.list_jobs() if job.type == JobType.SYSTEM]
    if not allocs and not systems:
        return None
    jobs: dict[tuple[str, str], Job] = {}
    is_told = is_sysbatch_told(state, node.id, profile)
    for job in (
        *_list_placed(allocs, is_told=is_told),
        *(job for job in systems if _is_meant_for(job, node)),
    ):
        jobs.setdefault((job.namespace, job.id), job)
    made = (make_eval(job, Trigger.NODE_UPDATE, make_id(), now_ns) for job in jobs.values())
    return tuple(replace(each, node_id=node.id, node_modify_index=node_index) for each in made)


def is_sysbatch_told(state: State, node_id: str, profile: Profile) -> bool:
    """True if sysbatch jobs are told of a node: as intended, once it is gone or its client out of reach.

    Spec: X-66.
    """
    stored = state.find_node(node_id)
    is_lost = stored is None or is_unresponsive(stored)
    return is_lost and not profile.has(UNTOLD_SYSBATCH)


def _list_placed(allocs: tuple[Allocation, ...], *, is_told: bool) -> Iterator[Job]:
    """List the jobs that allocations embed, where these still matter to their schedulers.

    Those that run once on every node are among them only if their scheduler is told of the node.
    """
    kinds = BATCH_TYPES if is_told else {JobType.BATCH}
    for alloc in allocs:
        job = alloc.job
        if job is not None and (
            (job.type == JobType.SERVICE and not is_terminal_everywhere(alloc))
            or (job.type in kinds and not is_client_terminal(alloc))
        ):
            yield job


def is_terminal_everywhere(alloc: Allocation) -> bool:
    """True while both the servers and the client are done with an allocation.

    Spec: TRIG-29.
    """
    return is_server_terminal(alloc) and is_client_terminal(alloc)


def _is_meant_for(job: Job, node: Node) -> bool:
    return not job.stop and is_in_pool(node, job.node_pool) and is_in_datacenters(node, job.datacenters)
