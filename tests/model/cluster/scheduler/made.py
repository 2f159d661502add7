"""Small clusters, jobs and attempts for the tests of the scheduler."""

from collections.abc import Sequence
from typing import Any

from nomadspec.model.cluster.constraints.eligibility import learn_nothing
from nomadspec.model.cluster.entities import (
    AllocatedResources,
    Allocation,
    AllocClient,
    AllocDesired,
    EphemeralDisk,
    Evaluation,
    Job,
    Node,
    PlanResult,
    SchedulerConfiguration,
    Task,
    TaskGroup,
)
from nomadspec.model.cluster.scheduler.attempts import Call
from nomadspec.model.cluster.scheduler.choices import Choices, ReplayedChoices
from nomadspec.model.cluster.scheduler.context import Context
from nomadspec.model.cluster.scheduler.outcome import Answer, SubmitOnly
from nomadspec.model.cluster.scheduler.plan_builder import PlanBuilder
from nomadspec.model.cluster.scheduler.reasons import ReasonLog
from nomadspec.model.cluster.scheduler.requests import Selected, SelectOptions
from nomadspec.model.cluster.scheduler.snapshot import Snapshot
from nomadspec.model.cluster.store.state import State
from nomadspec.model.specification.profiles import NOMAD_2_0, Profile

NOW_NS = 1_000_000_000_000


def make_node(node_id: str = "n1", **fields: Any) -> Node:
    """Make a node that is ready."""
    usual: dict[str, Any] = {
        "status": "ready",
        "scheduling_eligibility": "eligible",
        "datacenter": "dc1",
        "node_pool": "default",
        "name": f"name of {node_id}",
    }
    return Node(id=node_id, **usual | fields)


def make_group(name: str = "web", **fields: Any) -> TaskGroup:
    """Make a group of one task."""
    usual: dict[str, Any] = {"count": 1, "tasks": (Task(name="main"),), "ephemeral_disk": EphemeralDisk()}
    return TaskGroup(name=name, **usual | fields)


def make_job(*groups: TaskGroup, **fields: Any) -> Job:
    """Make a job of the groups."""
    usual: dict[str, Any] = {
        "id": "j",
        "name": "j",
        "namespace": "default",
        "type": "service",
        "priority": 50,
        "datacenters": ("dc1",),
        "node_pool": "default",
        "create_index": 5,
        "modify_index": 5,
        "job_modify_index": 5,
    }
    return Job(task_groups=groups or (make_group(),), **usual | fields)


def make_alloc(alloc_id: str = "a1", **fields: Any) -> Allocation:
    """Make an allocation that runs."""
    usual: dict[str, Any] = {
        "namespace": "default",
        "job_id": "j",
        "task_group": "web",
        "name": "j.web[0]",
        "node_id": "n1",
        "desired_status": AllocDesired.RUN,
        "client_status": AllocClient.RUNNING,
        "create_index": 7,
        "modify_index": 8,
    }
    return Allocation(id=alloc_id, **usual | fields)


def make_eval(**fields: Any) -> Evaluation:
    """Make an evaluation of the job."""
    usual: dict[str, Any] = {
        "id": "e1",
        "namespace": "default",
        "job_id": "j",
        "type": "service",
        "priority": 50,
        "status": "pending",
        "triggered_by": "job-register",
        "job_modify_index": 5,
    }
    return Evaluation(**usual | fields)


def make_snapshot(
    *rows: Node | Job | Allocation, configuration: SchedulerConfiguration | None = None, **tables: Any
) -> Snapshot:
    """Make a snapshot of nodes, jobs and allocations; other tables by their names."""
    state = State.of(
        nodes=[row for row in rows if isinstance(row, Node)],
        jobs=[row for row in rows if isinstance(row, Job)],
        allocs=[row for row in rows if isinstance(row, Allocation)],
        configuration=configuration,
        index=100,
        **tables,
    )
    return Snapshot.of(state)


def make_context(
    snapshot: Snapshot,
    job: Job | None = None,
    *,
    evaluation: Evaluation | None = None,
    choices: Choices | None = None,
    scheduler: str = "service",
    with_reasons: bool = False,
    profile: Profile = NOMAD_2_0,
) -> Context:
    """Make what the stages of an attempt share."""
    asked = evaluation or make_eval()
    chosen = choices or ReplayedChoices()
    return Context(
        snapshot=snapshot,
        evaluation=asked,
        scheduler=scheduler,
        job=job,
        plan=PlanBuilder(snapshot, chosen, asked.id, asked.priority, job, NOW_NS),
        choices=chosen,
        now_ns=NOW_NS,
        profile=profile,
        reasons=ReasonLog(is_on=with_reasons),
        eligibility=learn_nothing(job or Job()),
    )


def make_call(
    snapshot: Snapshot, *answers: Answer, evaluation: Evaluation | None = None, **fields: Any
) -> Call:
    """Make a call whose plans get the answers, in order; any plan beyond is taken whole."""
    waiting = list(answers)

    def submit(plan: Any) -> Answer:
        return waiting.pop(0) if waiting else take_all(plan)

    usual: dict[str, Any] = {
        "scheduler": "service",
        "now_ns": NOW_NS,
        "choices": ReplayedChoices(),
        "profile": NOMAD_2_0,
        "reasons": ReasonLog(is_on=False),
    }
    return Call(
        snapshot=snapshot, evaluation=evaluation or make_eval(), planner=SubmitOnly(submit), **usual | fields
    )


def take_all(plan: Any) -> Answer:
    """Take all of a plan."""
    return Answer(
        result=PlanResult(
            node_update=plan.node_update,
            node_allocation=plan.node_allocation,
            node_preemptions=plan.node_preemptions,
            deployment=plan.deployment,
            deployment_updates=plan.deployment_updates,
        )
    )


class FakeSearch:
    """Looks for nodes by finding, of those that it was given, the first that is named as free."""

    def __init__(self, *free: str, evicts: tuple[Allocation, ...] = ()) -> None:
        """Take the nodes that can be found; an eviction makes all others free."""
        self.free = set(free)
        self.evicts = evicts
        self.nodes: Sequence[Node] = ()
        self.asked: list[SelectOptions] = []
        self.jobs: list[Job] = []

    def set_job(self, job: Job) -> None:
        """Note the version of the job."""
        self.jobs.append(job)

    def set_nodes(self, nodes: Sequence[Node]) -> None:
        """Take the nodes."""
        self.nodes = nodes

    def select(self, group: TaskGroup, options: SelectOptions) -> Selected | None:  # noqa: ARG002 -- it finds for all alike
        """Find the first free node."""
        self.asked.append(options)
        for node in self.nodes:
            if node.id in self.free:
                return Selected(node=node, resources=AllocatedResources())
        if options.preempt and self.evicts and self.nodes:
            return Selected(node=self.nodes[0], resources=AllocatedResources(), preempted=self.evicts)
        return None
