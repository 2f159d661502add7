"""A small deployment on a clock, for the tests of its watcher: writes are applied as they are asked for."""

from dataclasses import dataclass, field
from typing import Any

from msgspec.structs import replace

from nomadspec.model.cluster.components.deployment_calls import Call
from nomadspec.model.cluster.components.deployment_watch import Watchers
from nomadspec.model.cluster.components.deployment_watcher import enable, find_next_due, react
from nomadspec.model.cluster.entities import (
    Allocation,
    AllocDeploymentStatus,
    Deployment,
    DeploymentState,
    Evaluation,
    Job,
    Namespace,
    NodePool,
    ReschedulePolicy,
    TaskGroup,
    UpdateStrategy,
)
from nomadspec.model.cluster.store.entries import Entry, apply
from nomadspec.model.cluster.store.requests import AllocClientUpdate, Request
from nomadspec.model.cluster.store.state import State
from nomadspec.model.specification.profiles import NOMAD_2_0

S = 1_000_000_000
UNLIMITED = ReschedulePolicy(unlimited=True, delay_ns=S)


def make_job(version: int = 1, *, meta: str = "new", **fields: Any) -> Job:
    group = TaskGroup(name="g", count=1, reschedule_policy=UNLIMITED, update=UpdateStrategy(max_parallel=1))
    wanted = {"id": "j", "namespace": "default", "node_pool": "default", "type": "service", "priority": 50}
    indexes = {"create_index": 1, "modify_index": 2, "job_modify_index": 2}
    described = {"version": version, "meta": {"says": meta}, "task_groups": (group,)}
    return Job(**{**wanted, **indexes, **described, **fields})


def make_state(
    job: Job,
    *allocs: Allocation,
    versions: tuple[Job, ...] = (),
    evals: tuple[Evaluation, ...] = (),
    deployment: Deployment | None = None,
    **group: Any,
) -> State:
    state = DeploymentState(**{"desired_total": 1, "placed_allocs": len(allocs), **group})
    made = deployment or Deployment(
        id="d", namespace="default", job_id="j", status="running", task_groups={"g": state}, create_index=3
    )
    return State.of(
        jobs=[job],
        job_versions=[job, *versions],
        allocs=[replace(alloc, job=job) for alloc in allocs],
        evals=evals,
        deployments=[made],
        namespaces=[Namespace(name="default")],
        node_pools=[NodePool(name="default")],
        index=9,
    )


def make_alloc(
    name: str = "a", *, healthy: bool | None = None, canary: bool = False, **fields: Any
) -> Allocation:
    status = AllocDeploymentStatus(healthy=healthy, canary=canary, modify_index=4)
    placed = {
        "namespace": "default",
        "job_id": "j",
        "task_group": "g",
        "deployment_id": "d",
        "modify_index": 4,
    }
    return Allocation(
        **{"id": name, "deployment_status": status, "desired_status": "run", **placed, **fields}
    )


@dataclass
class Play:
    """A state with the watchers at work on it, and what they have asked for."""

    state: State
    watchers: Watchers = field(default_factory=lambda: enable(Watchers()))
    now_ns: int = 0
    written: list[tuple[int, Request]] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    made: int = 0

    @property
    def deployment(self) -> Deployment:
        return self.state.deployments["d"]

    @property
    def asked(self) -> list[str]:
        """When the watchers asked for what, in seconds."""
        return [f"{at_ns / S:g} {type(request).__name__}" for at_ns, request in self.written]

    def write(self, request: Request) -> None:
        entry = Entry(self.state.latest_index + 1, request)
        applied = apply(self.state, entry, now_ns=self.now_ns, profile=NOMAD_2_0)
        self.state = applied.state
        self.made += 1
        self.errors += [applied.error] if applied.error else []

    def settle(self) -> "Play":
        while not (
            reaction := react(self.watchers, self.state, self.now_ns, f"e{self.made}", profile=NOMAD_2_0)
        ).is_settled:
            self.watchers = reaction.watchers
            if reaction.request is not None:
                self.written.append((self.now_ns, reaction.request))
                self.write(reaction.request)
        self.watchers = reaction.watchers
        return self

    def wait(self, until_s: float) -> "Play":
        until_ns = int(until_s * S)
        self.settle()
        while 0 < (due_ns := find_next_due(self.watchers)) <= until_ns:
            self.now_ns = max(self.now_ns, due_ns)
            self.settle()
        self.now_ns = until_ns
        return self

    def report(self, name: str, *, healthy: bool, client_status: str = "running") -> "Play":
        status = AllocDeploymentStatus(healthy=healthy, timestamp_ns=self.now_ns)
        alloc = Allocation(
            id=name, client_status=client_status, deployment_status=status, modify_time_ns=self.now_ns
        )
        self.write(AllocClientUpdate(alloc=(alloc,)))
        return self.settle()

    def obey(self, call: Call) -> "Play":
        """Write what a call asks for, and let the watchers see it."""
        self.watchers = call.watchers
        assert call.request is not None, call.error
        self.write(call.request)
        return self.settle()
