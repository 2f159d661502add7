"""Two servers in the hands of the machine: the model itself, and a toy that forgets lost nodes."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from nomadspec.checkers.scenario.run import Run
from nomadspec.checkers.stateful.world.serving import Seen
from nomadspec.model.cluster.acts import DeregisterJob, FindServers, LoseServers, RegisterJob, RegisterNode
from nomadspec.model.cluster.entities import Allocation, Job, Node
from nomadspec.model.cluster.entities.scalar import NS_PER_S
from nomadspec.model.cluster.store.state import State
from nomadspec.model.cluster.world import START_NS
from nomadspec.model.specification.profiles import INTENDED

MS = 1_000_000


class ModelServer:
    """The cluster of this project as a server of one's own."""

    def __init__(self) -> None:
        self.run = Run(INTENDED)

    def begin(self, nodes: Sequence[Node]) -> None:
        for node in nodes:
            self.run.take(RegisterNode(node=node))

    def register(self, job: Job) -> None:
        self.run.take(RegisterJob(job=job))

    def stop(self, job_id: str) -> None:
        if self.run.world.state.find_job("default", job_id) is not None:
            self.run.take(DeregisterJob(job_id=job_id))

    def lose(self, node_id: str) -> None:
        self.run.take(LoseServers(node=node_id))

    def find(self, node_id: str) -> None:
        self.run.take(FindServers(node=node_id))

    def wait(self, ms: int) -> None:
        self.run.wait(ms * MS)

    def see(self) -> Seen:
        self.run.settle()
        return Seen(self.run.world.state, self.run.world.now_ns)


class ToyServer:
    """Places what is registered on one node after the other, and does nothing about a node that is lost."""

    def __init__(self) -> None:
        self.nodes: dict[str, Node] = {}
        self.jobs: dict[str, Job] = {}
        self.allocs: dict[str, Allocation] = {}
        self.now_ns, self.index = START_NS, 10

    def begin(self, nodes: Sequence[Node]) -> None:
        marked = {
            "status": "ready",
            "scheduling_eligibility": "eligible",
            "create_index": 1,
            "modify_index": 1,
        }
        self.nodes = {node.id: replace(node, **marked) for node in nodes}

    def register(self, job: Job) -> None:
        self.index += 1
        self.stop(job.id)
        made = {"create_index": self.index, "modify_index": self.index, "job_modify_index": self.index}
        self.jobs[job.id] = replace(job, **made, status="running")
        names = sorted(self.nodes)
        for group in job.task_groups:
            for number in range(group.count):
                self._place(self.jobs[job.id], group.name, number, names[number % len(names)])

    def _place(self, job: Job, group: str, number: int, node_id: str) -> None:
        alloc_id = f"alloc-{self.index}-{group}-{number}"
        self.allocs[alloc_id] = Allocation(
            id=alloc_id,
            namespace="default",
            job_id=job.id,
            job=job,
            task_group=group,
            name=f"{job.id}.{group}[{number}]",
            node_id=node_id,
            desired_status="run",
            client_status="running",
            create_index=self.index,
            modify_index=self.index,
            alloc_modify_index=self.index,
        )

    def stop(self, job_id: str) -> None:
        self.index += 1
        if job_id in self.jobs:
            self.jobs[job_id] = replace(self.jobs[job_id], stop=True, status="dead", modify_index=self.index)
        for alloc in self.allocs.values():
            if alloc.job_id == job_id:
                ended = {"desired_status": "stop", "client_status": "complete"}
                self.allocs[alloc.id] = replace(alloc, **ended, modify_index=self.index)

    def lose(self, node_id: str) -> None:
        self.index += 1
        self.nodes[node_id] = replace(self.nodes[node_id], status="down", modify_index=self.index)

    def find(self, node_id: str) -> None:
        self.index += 1
        self.nodes[node_id] = replace(self.nodes[node_id], status="ready", modify_index=self.index)

    def wait(self, ms: int) -> None:
        self.now_ns += ms * NS_PER_S // 1000

    def see(self) -> Seen:
        state = State.of(
            nodes=self.nodes.values(),
            jobs=self.jobs.values(),
            allocs=self.allocs.values(),
            index=self.index,
        )
        return Seen(state, self.now_ns)
