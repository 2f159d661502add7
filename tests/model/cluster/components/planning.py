"""Makes plans and states for tests of the plan applier; sizes are memory, of which a node has 10 MB."""

from collections.abc import Mapping, Sequence

from nomadspec.model.cluster.entities import (
    AllocatedMemory,
    AllocatedResources,
    AllocatedTask,
    Allocation,
    Evaluation,
    Job,
    Node,
    NodeMemoryResources,
    NodeResources,
    Plan,
)
from nomadspec.model.cluster.store.state import State

EVALUATION = Evaluation(id="e1", namespace="default", job_id="web", type="service", status="pending")
JOB = Job(namespace="default", id="web", type="service", priority=50, status="running")


def make_node(node_id: str, *, status: str = "ready", eligibility: str = "eligible") -> Node:
    """Make a node with room for 10 MB."""
    return Node(
        id=node_id,
        status=status,
        scheduling_eligibility=eligibility,
        node_resources=NodeResources(memory=NodeMemoryResources(memory_mb=10)),
    )


def make_alloc(
    alloc_id: str,
    node_id: str,
    memory_mb: int = 1,
    *,
    job_id: str = "web",
    client_status: str = "pending",
    desired_status: str = "run",
) -> Allocation:
    """Make an allocation of some size."""
    task = AllocatedTask(memory=AllocatedMemory(memory_mb=memory_mb))
    return Allocation(
        id=alloc_id,
        namespace="default",
        job_id=job_id,
        eval_id="e1",
        node_id=node_id,
        client_status=client_status,
        desired_status=desired_status,
        allocated_resources=AllocatedResources(tasks={"t": task}),
    )


def make_state(*allocs: Allocation, nodes: Sequence[Node] = (), index: int = 100) -> State:
    """Make a state with two nodes that are ready, n1 and n2, unless others are given."""
    jobs = (JOB, Job(namespace="default", id="low", type="batch", priority=20, status="running"))
    nodes = nodes or (make_node("n1"), make_node("n2"))
    return State.of(nodes=nodes, jobs=jobs, evals=(EVALUATION,), allocs=allocs, index=index)


def by_node(allocs: Sequence[Allocation]) -> Mapping[str, tuple[Allocation, ...]]:
    """Sort allocations by their node."""
    nodes = dict.fromkeys(alloc.node_id for alloc in allocs)
    return {node: tuple(alloc for alloc in allocs if alloc.node_id == node) for node in nodes}


def make_plan(
    *placed: Allocation,
    stops: Sequence[Allocation] = (),
    preempts: Sequence[Allocation] = (),
    all_at_once: bool = False,
) -> Plan:
    """Make a plan; what it stops and preempts is reduced as workers do."""
    return Plan(
        eval_id="e1",
        job=JOB,
        all_at_once=all_at_once,
        node_allocation=by_node(placed),
        node_update={
            node: tuple(Allocation(id=alloc.id, desired_description="no more") for alloc in allocs)
            for node, allocs in by_node(stops).items()
        },
        node_preemptions={
            node: tuple(Allocation(id=alloc.id, preempted_by_allocation="p") for alloc in allocs)
            for node, allocs in by_node(preempts).items()
        },
    )
