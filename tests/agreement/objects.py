"""The store of the kernel and its plans as the recorded components take them, and back.

A node has as much memory as it holds instances, an allocation as much as the units that it takes there.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec.structs import replace as with_fields

from nomadspec.model.cluster.entities import (
    AllocatedMemory,
    AllocatedResources,
    AllocatedTask,
    Allocation,
    Deployment,
    DeploymentStatusUpdate,
    Job,
    Namespace,
    Node,
    NodeMemoryResources,
    NodeResources,
    Plan,
)
from nomadspec.model.cluster.entities.allocation import is_terminal
from nomadspec.model.cluster.store.state import State
from nomadspec.model.kernel.ids import JobId, WorkerId
from nomadspec.model.kernel.records import PlannedDeployment
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import (
    AllocPhase,
    DeploymentPart,
    DeploymentPhase,
    EvalRecord,
    JobPhase,
    Kind,
)
from nomadspec.model.kernel.verdict import calls_unknown
from nomadspec.model.language.domain import NONE
from tests.agreement.evaluations import RECORDS, list_evals, name, name_job, write_eval

STATUSES = {
    AllocPhase.RUNNING: ("run", "running"),
    AllocPhase.STOPPED: ("stop", "running"),
    AllocPhase.FAILED: ("run", "failed"),
    AllocPhase.LOST: ("stop", "lost"),
    AllocPhase.COMPLETE: ("run", "complete"),
    AllocPhase.UNKNOWN: ("run", "unknown"),
}
"""What is wanted of an allocation, and what its client says."""

Place = tuple[str, int] | None
"""The node whose capacity an allocation takes, and how much of it."""


def name_alloc(job: Any, number: Any) -> str:
    return f"alloc {job} {number}"


def name_node(node: Any) -> str:
    return f"node {node}"


def write_job(world: Kernel, job: JobId, version: int) -> Job:
    return Job(
        namespace="default",
        id=name_job(job),
        type=Kind(world.kind[job]).name.lower(),
        node_pool="all",
        priority=50 + int(world.priority[job]),
        status="running",
        stop=world.job_phase[job] == JobPhase.STOPPED,
        version=version,
    )


def _size(units: int) -> AllocatedResources:
    return AllocatedResources(tasks={"t": AllocatedTask(memory=AllocatedMemory(memory_mb=units))})


def write_alloc(world: Kernel, job: JobId, number: Any, node: str, eval_id: str) -> Allocation:
    """Write an allocation of the store; its client has told that one which was stopped is over."""
    desired, client = STATUSES[AllocPhase(world.alloc_phase[job, number])]
    is_over = client == "running" and desired == "stop" and world.is_reported[job, number]
    units = 1 + sum(world.extra_at[job, number, x] != NONE for x in world.extras)
    return Allocation(
        id=name_alloc(job, number),
        namespace="default",
        job_id=name_job(job),
        job=write_job(world, job, int(world.alloc_version[job, number])),
        eval_id=eval_id,
        node_id=node,
        desired_status=desired,
        client_status="complete" if is_over else client,
        allocated_resources=_size(units),
    )


def write_node(world: Kernel, node: Any) -> Node:
    absent = "disconnected" if world.disconnected[node] else "down"
    return Node(
        id=name_node(node),
        status="ready" if world.node_up[node] else absent,
        scheduling_eligibility="eligible" if world.eligible[node] else "ineligible",
        node_resources=NodeResources(memory=NodeMemoryResources(memory_mb=int(world.cap))),
    )


def write_state(world: Kernel, index: int, nodes: Mapping[tuple[Any, Any], Any]) -> State:
    """Write what is replicated, as of an index; ``nodes`` says where each allocation is, or was."""
    stored = [
        (job, i)
        for job in world.jobs
        for i in world.allocs
        if AllocPhase(world.alloc_phase[job, i]) in STATUSES
    ]
    return State.of(
        nodes=[write_node(world, node) for node in world.nodes],
        namespaces=[Namespace(name="default")],
        jobs=[
            write_job(world, job, int(world.job_version[job]))
            for job in world.jobs
            if world.job_phase[job] != JobPhase.ABSENT
        ],
        evals=[
            with_fields(write_eval(world, *at), status=RECORDS[EvalRecord(world.eval_record[at])])
            for at in list_evals(world)
            if world.eval_record[at] != EvalRecord.ABSENT
        ],
        allocs=[write_alloc(world, *at, name_node(nodes[at]), name(at[0], 0)) for at in stored],
        index=index,
    )


def write_plan(
    world: Kernel, worker: WorkerId, snapshot_index: int, nodes: Mapping[tuple[Any, Any], Any]
) -> Plan:
    """Write a worker's plan; ``nodes`` says where its scheduler saw what it preempts."""
    job, plan = world.job[worker], world.plan[worker]
    version = write_job(world, job, int(plan.version))

    def place(alloc_id: str, node: Any, client_status: str = "pending") -> Allocation:
        return Allocation(
            id=alloc_id,
            namespace="default",
            job_id=version.id,
            job=version,
            eval_id=name(job, world.number[worker]),
            node_id=name_node(node),
            desired_status="run",
            client_status=client_status,
            allocated_resources=_size(1 + int(plan.ask)),
        )

    placed = [place(name_placement(k), plan.to[k]) for k in world.placements if plan.to[k] != NONE]
    kept = [
        place(name_alloc(job, i), plan.keeps[i], "unknown" if calls_unknown(plan, i) else "pending")
        for i in world.allocs
        if plan.keeps[i] != NONE
    ]
    stops = [i for i in world.allocs if plan.stops[i] != NONE]
    preempts = [(j, i) for j in world.jobs for i in world.allocs if plan.preempted[j, i]]
    return Plan(
        eval_id=name(job, world.number[worker]),
        all_at_once=bool(world.all_at_once),
        job=version,
        node_allocation=sort_by_node((alloc.node_id, alloc) for alloc in (*placed, *kept)),
        node_update=sort_by_node(
            (name_node(plan.stops[i]), Allocation(id=name_alloc(job, i), desired_description="not needed"))
            for i in stops
        ),
        node_preemptions=sort_by_node(
            (name_node(nodes[at]), Allocation(id=name_alloc(*at), preempted_by_allocation="another"))
            for at in preempts
        ),
        **write_planned_deployment(job, plan.deployment),
        snapshot_index=snapshot_index,
    )


def write_planned_deployment(job: JobId, planned: PlannedDeployment) -> dict[str, Any]:
    """Write what a plan has of the deployment of its job, and the status update."""
    found = Deployment(
        id=f"deployment of {job}",
        namespace="default",
        job_id=name_job(job),
        job_version=int(planned.version),
        status=DeploymentPhase(planned.status).name.lower(),
    )
    return {
        "deployment": found if planned.part != DeploymentPart.NOTHING else None,
        "deployment_updates": write_status_updates(found.id, planned),
    }


def write_status_updates(
    deployment_id: str, planned: PlannedDeployment
) -> tuple[DeploymentStatusUpdate, ...]:
    """Write the status update that a plan has of a deployment, if it has one."""
    if planned.status_update == DeploymentPhase.ABSENT:
        return ()
    status = DeploymentPhase(planned.status_update).name.lower()
    return (DeploymentStatusUpdate(deployment_id=deployment_id, status=status, status_description="asked"),)


def name_placement(k: Any) -> str:
    return f"placement {k}"


def sort_by_node(found: Iterable[tuple[str, Allocation]]) -> dict[str, tuple[Allocation, ...]]:
    """Sort allocations by node."""
    sorted_: dict[str, tuple[Allocation, ...]] = {}
    for node, alloc in found:
        sorted_[node] = (*sorted_.get(node, ()), alloc)
    return sorted_


def show_state(state: State, world: Kernel) -> dict[str, Place]:
    """Show where each allocation of a state takes capacity, and how much; None where it takes none."""

    def show(alloc: Allocation | None) -> Place:
        if alloc is None or is_terminal(alloc) or alloc.allocated_resources is None:
            return None
        tasks = alloc.allocated_resources.tasks.values()
        return alloc.node_id, sum(task.memory.memory_mb for task in tasks)

    every = [name_alloc(job, i) for job in world.jobs for i in world.allocs]
    return {each: show(state.find_alloc(each)) for each in every}


def show_view(view: Any, world: Kernel) -> dict[str, Place]:
    """Show the same of a view in the kernel: the world itself, or the applier's snapshot."""

    def show(job: JobId, i: Any) -> Place:
        node = view.occupies[job, i]
        if node == NONE:
            return None
        return name_node(node), 1 + sum(view.extra_at[job, i, x] == node for x in world.extras)

    return {name_alloc(job, i): show(job, i) for job in world.jobs for i in world.allocs}


def show_eligible(state: State) -> dict[str, bool]:
    """Show which nodes of a state may be given more."""
    return {node.id: node.scheduling_eligibility == "eligible" for node in state.list_nodes()}


def rename(
    by_node: Mapping[str, tuple[Allocation, ...]], change: Callable[[Allocation], Allocation]
) -> dict[str, tuple[Allocation, ...]]:
    """Change allocations that are sorted by node."""
    return {node: tuple(map(change, allocs)) for node, allocs in by_node.items()}
