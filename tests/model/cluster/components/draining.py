"""Clusters with draining nodes, and a drainer that works on them for tests."""

from collections.abc import Iterable
from itertools import count
from typing import Any, Self

from msgspec.structs import replace

from nomadspec.model.cluster.components.drainer import Drainer, Reaction, enable, find_next_due, react
from nomadspec.model.cluster.entities import (
    Allocation,
    AllocDeploymentStatus,
    DesiredTransition,
    DrainStrategy,
    Job,
    MigrateStrategy,
    Node,
    TaskGroup,
)
from nomadspec.model.cluster.store import Entry, State, apply
from nomadspec.model.cluster.store.requests import AllocClientUpdate, AllocUpdateDesiredTransition, Request
from nomadspec.model.specification.profiles import NOMAD_2_0, Profile

S = 1_000_000_000
NEVER = DrainStrategy()
SOON = DrainStrategy(deadline_ns=60 * S, force_deadline_ns=60 * S)
NOW = DrainStrategy(deadline_ns=-1)


def make_node(name: str = "n1", drain: DrainStrategy | None = NEVER, **fields: Any) -> Node:
    """Make a node, by default one that drains without a deadline."""
    return Node(
        id=name,
        status="ready",
        scheduling_eligibility="ineligible" if drain else "eligible",
        drain_strategy=drain,
        **fields,
    )


def make_job(
    name: str = "web", kind: str = "service", count: int = 2, parallel: int = 1, **fields: Any
) -> Job:
    """Make a job of one group; services move so many allocations at once."""
    migrate = MigrateStrategy(max_parallel=parallel) if kind == "service" else None
    group = TaskGroup(name="g", count=count, migrate=migrate)
    made = Job(id=name, namespace="default", type=kind, priority=50, task_groups=(group,), create_index=1)
    return replace(made, **fields)


def make_alloc(name: str, job: Job, node: str = "n1", client: str = "running", **fields: Any) -> Allocation:
    """Make an allocation that runs in good health."""
    made = Allocation(
        id=name,
        namespace=job.namespace,
        job_id=job.id,
        job=job,
        task_group="g",
        node_id=node,
        desired_status="run",
        client_status=client,
        deployment_status=AllocDeploymentStatus(healthy=True),
        modify_index=5,
    )
    return replace(made, **fields)


def make_state(nodes: Iterable[Node], allocs: Iterable[Allocation]) -> State:
    """Make a state with the jobs that its allocations embed."""
    placed = tuple(allocs)
    jobs = {alloc.job_id: alloc.job for alloc in placed if alloc.job is not None}
    return State.of(nodes=nodes, jobs=jobs.values(), allocs=placed, index=10)


class Play:
    """A drainer on a state: what it asks for is written at once."""

    def __init__(self, state: State, profile: Profile = NOMAD_2_0) -> None:
        """Begin at second 0."""
        self.state = state
        self.profile = profile
        self.drainer = enable(Drainer())
        self.now_ns = 0
        self.written: list[tuple[float, Request]] = []
        self._ids = count()
        self.settle()

    @property
    def told(self) -> list[tuple[float, str]]:
        """When the drainer told whom to move."""
        return [
            (at, name)
            for at, request in self.written
            if isinstance(request, AllocUpdateDesiredTransition)
            for name in request.allocs
        ]

    def settle(self) -> Self:
        """Let the drainer do all that is due."""
        while True:
            reaction: Reaction = react(
                self.drainer, self.state, self.now_ns, lambda: f"e{next(self._ids)}", profile=self.profile
            )
            self.drainer = reaction.drainer
            for request in reaction.requests:
                self.written.append((self.now_ns / S, request))
                self.write(request)
            if reaction.is_settled:
                return self

    def write(self, request: Request) -> None:
        """Apply a request."""
        entry = Entry(index=self.state.latest_index + 1, request=request)
        self.state = apply(self.state, entry, now_ns=self.now_ns, profile=NOMAD_2_0).state

    def wait(self, seconds: float) -> Self:
        """Let time pass, and the drainer act whenever something is due."""
        end_ns = self.now_ns + round(seconds * S)
        while (due_ns := find_next_due(self.drainer)) is not None and due_ns <= end_ns:
            self.now_ns = max(self.now_ns, due_ns)
            self.settle()
        self.now_ns = end_ns
        return self.settle()

    def report(self, name: str, client: str) -> Self:
        """Let the client of an allocation report its status."""
        alloc = replace(self.state.allocs[name], client_status=client)
        self.write(AllocClientUpdate(alloc=(alloc,)))
        return self.settle()

    def replace_with(self, alloc: Allocation) -> Self:
        """Let something be placed, or let an allocation become another."""
        placed = replace(alloc, modify_index=self.state.latest_index + 1)
        allocs = (*(each for each in self.state.list_allocs() if each.id != alloc.id), placed)
        state = self.state
        self.state = State.of(
            nodes=state.list_nodes(), jobs=state.list_jobs(), allocs=allocs, index=state.latest_index + 1
        )
        return self.settle()


def mark(alloc: Allocation) -> Allocation:
    """Tell an allocation to move."""
    return replace(alloc, desired_transition=DesiredTransition(migrate=True))
