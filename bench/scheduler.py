"""How fast the schedulers decide, beside the real one: one call each from a prepared snapshot to the outcome.

    .venv/bin/python bench/scheduler.py POINTS.json [PART OF AN ID ...] [--rounds N] [--cpu]

The points say how long the real scheduler takes on the same clusters and jobs, and what it decided; what does
not depend on the visiting order is compared.
"""

import argparse
import gc
import json
import math
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from msgspec.structs import replace

from nomadspec.model.cluster.components.plan_commit import Commit, Keyring, build_entry
from nomadspec.model.cluster.constraints.computed_class import compute_class
from nomadspec.model.cluster.entities import (
    Affinity,
    AllocatedCpu,
    AllocatedMemory,
    AllocatedResources,
    AllocatedShared,
    AllocatedTask,
    Allocation,
    Constraint,
    Core,
    CpuTopology,
    DriverInfo,
    EphemeralDisk,
    Evaluation,
    Job,
    Namespace,
    NetworkResource,
    Node,
    NodeDiskResources,
    NodeMemoryResources,
    NodeNetworkAddress,
    NodeNetworkResource,
    NodePool,
    NodeProcessorResources,
    NodeReservedResources,
    NodeResources,
    Plan,
    PlanResult,
    Port,
    ReservedCpu,
    ReservedDisk,
    ReservedMemory,
    ReservedNetworks,
    Resources,
    Spread,
    Task,
    TaskGroup,
)
from nomadspec.model.cluster.scheduler.choices import FreeChoices
from nomadspec.model.cluster.scheduler.outcome import Answer, Outcome, SubmitOnly
from nomadspec.model.cluster.scheduler.schedule import schedule
from nomadspec.model.cluster.scheduler.snapshot import Snapshot
from nomadspec.model.cluster.store import Entry, State, apply
from nomadspec.model.specification.profiles import NOMAD_2_0

NOW_NS: Final = 1_790_000_000_000_000_000
ROUNDS: Final = 10
LONG_S: Final = 5.0
"""A point that takes longer than this is not measured again."""
RATIO_OF_ALL: Final = 3.0
RATIO_OF_EACH: Final = 10.0
SLACK_S: Final = 0.002
MANY: Final = 1000
RATIO_OF_MANY_WISHES: Final = 0.1
"""Where the real one takes time by the square of the count."""
RACKS: Final = 25
KEYRING: Final = Keyring(key_id="k", sign=lambda _, task: task)
WISHES: Final = frozenset({"spread", "affinity"})
FEATURES: Final[Mapping[str, Mapping[str, Any]]] = {
    "constraint": {
        "constraints": (
            Constraint(
                ltarget="${meta.rack}",
                operand="set_contains_any",
                rtarget=",".join(f"r{rack}" for rack in range(12)),
            ),
        )
    },
    "distinct": {"constraints": (Constraint(operand="distinct_hosts"),)},
    "spread": {"spreads": (Spread(attribute="${meta.rack}", weight=100),)},
    "affinity": {
        "affinities": (Affinity(ltarget="${node.datacenter}", rtarget="dc-1", operand="=", weight=50),)
    },
    "batch": {"type": "batch"},
    "system": {"type": "system"},
}
"""How the kinds of jobs differ from a plain service."""
PORTS: Final = NetworkResource(
    mode="host",
    dynamic_ports=(
        Port(label="http", host_network="default"),
        Port(label="admin", host_network="default"),
    ),
)


def make_node(number: int) -> Node:
    """Make one node of the cluster that all points share."""
    host = f"10.{number >> 16}.{(number >> 8) & 255}.{number & 255}"
    exec_driver = DriverInfo(detected=True, healthy=True)
    address = NodeNetworkAddress(alias="default", address="192.168.0.100", family="ipv4")
    node = Node(
        id=f"{number * 2654435761 % 2**32:08x}-0000-4000-8000-{number:012x}",
        name=f"n{number}",
        datacenter=f"dc-{number % 2 + 1}",
        meta={"rack": f"r{number % RACKS}"},
        attributes={
            "kernel.name": "linux",
            "arch": "x86",
            "nomad.version": "0.5.0",
            "driver.exec": "1",
            "driver.mock_driver": "1",
            "consul.version": "1.11.4",
            "unique.advertise.address": host,
        },
        drivers={"exec": exec_driver, "mock_driver": exec_driver},
        node_class="linux-medium-pci",
        node_pool="default",
        status="ready",
        scheduling_eligibility="eligible",
        links={"consul": "foobar.dc1"},
        node_resources=NodeResources(
            processors=NodeProcessorResources(
                topology=CpuTopology(cores=tuple(Core(id=core, base_speed=3500) for core in range(4)))
            ),
            memory=NodeMemoryResources(memory_mb=32_000),
            disk=NodeDiskResources(disk_mb=102_400),
            networks=(
                NetworkResource(
                    mode="host", device="eth0", ip="192.168.0.100", cidr="192.168.0.100/32", mbits=1000
                ),
            ),
            node_networks=(NodeNetworkResource(mode="host", device="eth0", addresses=(address,)),),
        ),
        reserved_resources=NodeReservedResources(
            cpu=ReservedCpu(cpu_shares=100),
            memory=ReservedMemory(memory_mb=256),
            disk=ReservedDisk(disk_mb=4096),
            networks=ReservedNetworks(reserved_host_ports="22"),
        ),
    )
    return replace(node, computed_class=compute_class(node))


def make_job(kind: str, count: int) -> Job:
    """Make the job of a point."""
    task = Task(name="web", driver="exec", resources=Resources(cpu_mhz=500, memory_mb=256))
    group = TaskGroup(
        name="web",
        count=1 if kind == "system" else count,
        tasks=(task,),
        ephemeral_disk=EphemeralDisk(size_mb=150),
        networks=(PORTS,) if kind == "ports" else (),
    )
    usual: dict[str, Any] = {"type": "service", **FEATURES.get(kind, {})}
    return Job(
        id="peer",
        name="peer",
        namespace="default",
        node_pool="default",
        priority=50,
        datacenters=("dc-1", "dc-2"),
        task_groups=(group,),
        create_index=10,
        modify_index=10,
        job_modify_index=10,
        **usual,
    )


def make_eval(job: Job) -> Evaluation:
    """Make the evaluation that is timed."""
    return Evaluation(
        id="e7a1e7a1-0000-4000-8000-000000000000",
        namespace=job.namespace,
        job_id=job.id,
        priority=job.priority,
        type=job.type,
        triggered_by="job-register",
        status="pending",
        job_modify_index=10,
    )


def list_fillers(nodes: Iterable[Node]) -> list[Allocation]:
    """List what loaded nodes hold: none to four allocations of another job."""
    job = replace(make_job("service", 1), id="filler", name="filler")
    task = AllocatedTask(cpu=AllocatedCpu(cpu_shares=3000), memory=AllocatedMemory(memory_mb=3000))
    given = AllocatedResources(
        tasks={"web": task}, task_lifecycles={"web": None}, shared=AllocatedShared(disk_mb=150)
    )
    return [
        Allocation(
            id=f"{number:08x}-0000-4000-9000-{each:012x}",
            namespace="default",
            name=f"filler.web[{each}]",
            node_id=node.id,
            node_name=node.name,
            job_id=job.id,
            job=job,
            task_group="web",
            allocated_resources=given,
            desired_status="run",
            client_status="pending",
            create_index=5,
            modify_index=5,
        )
        for number, node in enumerate(nodes)
        for each in range(number % 5)
    ]


def take_all(plan: Plan) -> Answer:
    """Acknowledge a plan without writing anything."""
    taken = {
        node_id: tuple(replace(alloc, create_index=100, modify_index=100) for alloc in allocs)
        for node_id, allocs in plan.node_allocation.items()
    }
    return Answer(result=PlanResult(node_allocation=taken, alloc_index=100))


@dataclass(frozen=True)
class World:
    """What one point is timed on."""

    snapshot: Snapshot
    evaluation: Evaluation
    is_committed: bool = False
    """Whether the plan is written to the store while the clock runs."""

    def run(self) -> Outcome:
        """Process the evaluation once."""
        submit = self.commit if self.is_committed else take_all
        return schedule(
            self.snapshot,
            self.evaluation,
            NOW_NS,
            FreeChoices(0),
            SubmitOnly(submit),
            scheduler=self.evaluation.type,
            profile=NOMAD_2_0,
        )

    def commit(self, plan: Plan) -> Answer:
        """Write a plan to the store as it is."""
        state = self.snapshot.state
        answer = take_all(plan)
        result = replace(
            answer.result or PlanResult(),
            node_allocation=plan.node_allocation,
            node_update=plan.node_update,
            deployment=plan.deployment,
        )
        entry = build_entry(state, state, plan, result, Commit(now_ns=NOW_NS, keyring=KEYRING))
        applied = apply(state, Entry(index=state.latest_index + 1, request=entry), profile=NOMAD_2_0)
        if applied.error:
            raise SystemExit(applied.error)
        return answer


def make_world(nodes: list[Node], kind: str, count: int, *, is_committed: bool = False) -> World:
    """Make the state of a point; allocations that the real one placed before are placed here."""
    job = make_job(kind, count)
    allocs = list_fillers(nodes) if kind == "loaded" else []
    world = World(take_snapshot(nodes, job, allocs), make_eval(job), is_committed)
    if kind != "noop":
        return world
    (plan,) = world.run().plans
    placed = [
        replace(alloc, job=job, create_index=100, modify_index=100)
        for each in plan.node_allocation.values()
        for alloc in each
    ]
    return World(take_snapshot(nodes, job, placed), make_eval(job))


def take_snapshot(nodes: list[Node], job: Job, allocs: list[Allocation]) -> Snapshot:
    """Take a snapshot, whose indexes are built before anything is timed."""
    state = State.of(
        nodes=nodes,
        jobs=[job],
        allocs=allocs,
        node_pools=[NodePool(name="default")],
        namespaces=[Namespace(name="default")],
        evals=[make_eval(job)],
        index=100,
    )
    return Snapshot.of(state)


def measure(world: World, rounds: int, clock: Callable[[], float]) -> tuple[float, Outcome]:
    """Take the least time of some runs."""
    least = math.inf
    for _ in range(rounds):
        gc.collect()
        begin = clock()
        outcome = world.run()
        least = min(least, clock() - begin)
        if least > LONG_S:
            break
    return least, outcome


def summarise(outcome: Outcome) -> dict[str, Any]:
    """Sum up what was decided."""
    plans = outcome.plans
    placed = [alloc for plan in plans for each in plan.node_allocation.values() for alloc in each]
    by_node = Counter(alloc.node_id for alloc in placed)
    return {
        "placed": len(placed),
        "nodes_evaluated_total": sum(alloc.metrics.nodes_evaluated for alloc in placed if alloc.metrics),
        "nodes_used": len(by_node),
        "eval_status": outcome.updated_evals[-1].status,
    }


def list_differences(point: Mapping[str, Any], outcome: Outcome) -> list[str]:
    """List what was decided otherwise, where it cannot depend on the visiting order."""
    model = summarise(outcome)
    exact = ["placed", "eval_status"]
    if point["kind"] in {"service", "batch", "affinity", "system"}:
        exact.append("nodes_evaluated_total")
    return [name for name in exact if name in point["result"] and point["result"][name] != model[name]]


def is_quick_enough(point: Mapping[str, Any], taken_s: float) -> bool:
    """Tell whether a point is within what is wanted of it."""
    real_s: float = point["measured"]["eval_s_best"]
    if point["kind"] in WISHES and point["count"] >= MANY:
        return taken_s <= RATIO_OF_MANY_WISHES * real_s
    if point["kind"] == "noop" or (point["count"] == 1 and point["kind"] != "system"):
        return taken_s <= SLACK_S + RATIO_OF_ALL * real_s
    return taken_s <= RATIO_OF_EACH * real_s


def main() -> None:
    """Measure the points and print a line for each, then the mean."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("points", type=Path)
    parser.add_argument("parts", nargs="*")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--cpu", action="store_true", help="measure processor time: the machine is busy")
    asked = parser.parse_args()
    points = json.loads(asked.points.read_text())["points"]
    chosen = [
        point for point in points if not asked.parts or any(part in point["id"] for part in asked.parts)
    ]
    clusters: dict[int, list[Node]] = {}
    ratios = []
    for point in chosen:
        nodes = clusters.setdefault(point["nodes"], [make_node(number) for number in range(point["nodes"])])
        world = make_world(nodes, point["kind"], point["count"], is_committed=point["commit"])
        taken_s, outcome = measure(world, asked.rounds, time.process_time if asked.cpu else time.perf_counter)
        real_s = point["measured"]["eval_s_best"]
        if not point["commit"]:
            ratios.append(taken_s / real_s)
        verdict = "ok" if is_quick_enough(point, taken_s) else "SLOW"
        other = ", ".join(list_differences(point, outcome))
        print(
            f"{point['id']:28}{1000 * taken_s:10.2f} ms{1000 * real_s:10.2f} ms"
            f"{taken_s / real_s:8.2f}  {verdict}{'  differs: ' + other if other else ''}",
            flush=True,
        )
    if ratios:
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        print(f"geometric mean of {len(ratios)} points: {mean:.2f} (wanted: {RATIO_OF_ALL})")


if __name__ == "__main__":
    main()
