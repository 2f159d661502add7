"""Small clusters that run: everything that can happen by itself happens, unless a test holds it back."""

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from nomadspec.checkers.stateful.clusters.nodes import DRIVER, make_node
from nomadspec.model.cluster.acts import (
    Act,
    GainLeadership,
    RegisterJob,
    RegisterNode,
    find_next_due,
)
from nomadspec.model.cluster.acts.registry import list_internal
from nomadspec.model.cluster.admission.api_conversion import convert_api_job
from nomadspec.model.cluster.admission.api_defaults import fill_api_defaults
from nomadspec.model.cluster.codec import read
from nomadspec.model.cluster.entities import Job, JobType
from nomadspec.model.cluster.entities.scalar import NS_PER_S
from nomadspec.model.cluster.world import Settings, World, make_world
from nomadspec.model.specification.profiles import NOMAD_2_0, Profile

MOST_ACTS = 3000


def make_cluster(
    nodes: int = 3, *, profile: Profile = NOMAD_2_0, cpu_mhz: int = 1000, depth: int = 1
) -> World:
    world = GainLeadership().take(make_world(Settings(profile=profile, pipeline_depth=depth)))
    for number in range(1, nodes + 1):
        name = f"node-{number}"
        node = replace(make_node(number=str(number), cpu_mhz=cpu_mhz), id=name, name=name)
        world = RegisterNode(node=node).take(world)
    return world


def register(
    world: World, count: int = 1, *, kind: JobType = JobType.SERVICE, cpu_mhz: int = 100, **group: Any
) -> World:
    return RegisterJob(job=make_job(count, kind=kind, cpu_mhz=cpu_mhz, **group)).take(world)


def make_job(
    count: int = 1,
    *,
    name: str = "web",
    kind: JobType = JobType.SERVICE,
    cpu_mhz: int = 100,
    **group: Any,
) -> Job:
    """Make a job as its API document says it, with what clients fill in; ``group`` is as in that document."""
    task = {
        "Name": "main",
        "Driver": DRIVER,
        "Config": {"command": "run"},
        "Resources": {"CPU": cpu_mhz, "MemoryMB": 64},
    }
    groups = [{"Name": "web", "Count": count, "Tasks": [task], **group}]
    document = {"ID": name, "Name": name, "Type": kind.value, "Datacenters": ["*"], "TaskGroups": groups}
    return read(Job, convert_api_job(fill_api_defaults(document)), source=name)


def settle(world: World, *, wait_s: float = 0, held: Iterable[type[Act]] = ()) -> World:
    """Let happen what can, up to some seconds from now, but for what is held back."""
    until_ns = world.now_ns + int(wait_s * NS_PER_S)
    barred = tuple(held)
    for _ in range(MOST_ACTS):
        chosen = next((one for one in list_internal(world) if not isinstance(one, barred)), None)
        if chosen is not None:
            world = chosen.take(world)
            continue
        due_ns = find_next_due(world)
        if due_ns is None or not world.now_ns < due_ns <= until_ns:
            return replace(world, now_ns=until_ns)
        world = replace(world, now_ns=due_ns)
    raise AssertionError("the cluster does not come to rest")


def list_evals(world: World) -> list[tuple[str, str]]:
    return [(entry.triggered_by, entry.status) for entry in world.state.list_evals()]


def count_running(world: World) -> int:
    return sum(alloc.client_status == "running" for alloc in world.state.list_allocs())
