"""Fleets of nodes that all run a system job, and what its scheduler makes of them."""

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from nomadspec.model.cluster.entities import (
    AllocatedCpu,
    AllocatedResources,
    AllocatedTask,
    Allocation,
    AllocClient,
    AllocDeploymentStatus,
    Constraint,
    CpuTopology,
    Deployment,
    DeploymentState,
    Evaluation,
    Job,
    NetworkResource,
    Node,
    NodeDiskResources,
    NodeMemoryResources,
    NodeProcessorResources,
    NodeResources,
    Resources,
    Task,
    TaskGroup,
    UpdateStrategy,
)
from nomadspec.model.cluster.scheduler.choices import ReplayedChoices
from nomadspec.model.cluster.scheduler.outcome import Answer, Outcome, SubmitOnly
from nomadspec.model.cluster.scheduler.schedule import schedule
from nomadspec.model.cluster.scheduler.snapshot import Snapshot
from nomadspec.model.specification.profiles import NOMAD_2_0, Profile
from tests.model.cluster.resources.making import make_cores
from tests.model.cluster.scheduler.made import (
    NOW_NS,
    make_alloc,
    make_eval,
    make_group,
    make_job,
    make_node,
    make_snapshot,
    take_all,
)

ROOMY_MHZ = 4000
ON_GOOD_NODES = Constraint(ltarget="${meta.good}", operand="=", rtarget="yes")


def make_host(node_id: str, *, good: bool = True, cpu_mhz: int = ROOMY_MHZ, **fields: Any) -> Node:
    """Make a node with room for the tasks of the group; whether it is a good one is in its meta."""
    usual: dict[str, Any] = {
        "attributes": {"driver.exec": "1", "nomad.version": "2.0.0"},
        "meta": {"good": "yes" if good else "no"},
        "computed_class": "v1:good" if good else "v1:bad",
        "node_resources": NodeResources(
            processors=NodeProcessorResources(topology=CpuTopology(cores=make_cores(4, cpu_mhz // 4))),
            memory=NodeMemoryResources(memory_mb=4000),
            disk=NodeDiskResources(disk_mb=4000),
            networks=(NetworkResource(mode="host", device="eth0", ip="10.0.0.1", cidr="10.0.0.1/32"),),
        ),
    }
    return make_node(node_id, **usual | fields)


def make_hosts(count: int, bad: Iterable[int] = ()) -> tuple[Node, ...]:
    """Make so many nodes, of which some are not good."""
    return tuple(make_host(f"n{number}", good=number not in set(bad)) for number in range(count))


def make_fleet_group(name: str = "web", **fields: Any) -> TaskGroup:
    """Make a group whose task asks for some processor time."""
    task = Task(name="main", driver="exec", resources=Resources(cpu_mhz=500, memory_mb=100))
    return make_group(name, **{"tasks": (task,)} | fields)


def make_fleet_job(*groups: TaskGroup, version: int = 1, **fields: Any) -> Job:
    """Make a system job; each version has its own specification."""
    usual = {
        "type": "system",
        "version": version,
        "job_modify_index": 10 + version,
        "modify_index": 10 + version,
    }
    return make_job(*(groups or (make_fleet_group(),)), **usual | fields)


def make_old(job: Job) -> Job:
    """Give the version before, whose tasks run in another environment."""
    groups = tuple(
        replace(group, tasks=tuple(replace(task, env={"OLD": "1"}) for task in group.tasks))
        for group in job.task_groups
    )
    version = job.version - 1
    return replace(job, version=version, job_modify_index=10 + version, task_groups=groups)


def make_resident(node_id: str, job: Job, group: str = "web", **fields: Any) -> Allocation:
    """Make an allocation of the job that runs on a node."""
    usual: dict[str, Any] = {
        "job": job,
        "name": f"j.{group}[0]",
        "task_group": group,
        "node_id": node_id,
        "allocated_resources": AllocatedResources(
            tasks={"main": AllocatedTask(cpu=AllocatedCpu(cpu_shares=500))}
        ),
    }
    return make_alloc(fields.pop("alloc_id", f"{group}-{node_id}"), **usual | fields)


def make_member(node_id: str, job: Job, *, healthy: bool | None = True, **fields: Any) -> Allocation:
    """Make an allocation that belongs to the deployment of the job."""
    status = AllocDeploymentStatus(healthy=healthy, canary=fields.pop("canary", False))
    return make_resident(node_id, job, deployment_id="d1", deployment_status=status, **fields)


def make_failed(node_id: str, job: Job, **fields: Any) -> Allocation:
    """Make an allocation of the deployment that failed."""
    return make_member(node_id, job, healthy=False, client_status=AllocClient.FAILED, **fields)


def make_deployment(job: Job, status: str = "running", **groups: DeploymentState | None) -> Deployment:
    """Make the deployment of a version of the job."""
    return Deployment(
        id="d1",
        namespace=job.namespace,
        job_id=job.id,
        job_version=job.version,
        job_create_index=job.create_index,
        status=status,
        status_description="Deployment is running",
        task_groups=groups,
        create_index=20,
    )


def roll(max_parallel: int, canary: int = 0, **fields: Any) -> UpdateStrategy:
    """Say how many nodes get a new version at once, and which share of them tries it first."""
    return UpdateStrategy(max_parallel=max_parallel, canary=canary, **fields)


def run_system(
    snapshot: Snapshot,
    *answers: Answer,
    evaluation: Evaluation | None = None,
    scheduler: str = "system",
    profile: Profile = NOMAD_2_0,
    **fields: Any,
) -> Outcome:
    """Run the scheduler; plans get the answers, and any plan beyond is taken whole."""
    waiting = list(answers)
    return schedule(
        snapshot,
        evaluation or make_eval(type=scheduler, **fields),
        NOW_NS,
        ReplayedChoices(),
        SubmitOnly(lambda plan: waiting.pop(0) if waiting else take_all(plan)),
        scheduler=scheduler,
        profile=profile,
    )


def see(*rows: Node | Job | Allocation | Deployment, **tables: Any) -> Snapshot:
    """Make a snapshot; deployments may stand among the rows."""
    deployments = [row for row in rows if isinstance(row, Deployment)]
    others = [row for row in rows if not isinstance(row, Deployment)]
    return make_snapshot(*others, deployments=deployments, **tables)
