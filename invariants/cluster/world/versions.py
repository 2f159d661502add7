"""What must be true of the versions of a job: an allocation runs the one for which it was placed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from nomadspec.invariants.cluster.world.registry import Step, list_changed, list_new, on_step
from nomadspec.model.cluster.entities import Allocation, Resources
from nomadspec.model.cluster.entities.allocation import is_terminal
from nomadspec.model.cluster.policy.reschedule import find_own_group


@on_step(
    "PLAN-15", "PLAN-71", "VERS-03", reads="allocs", because="A version would run in the room of another one."
)
def alloc_has_the_room_its_version_asks_for(step: Step) -> Iterator[str]:
    """What is placed or updated in place reserves the processor and memory that its own job asks for."""
    for alloc in _list_placed(step):
        group = find_own_group(alloc)
        for task in group.tasks if group is not None else ():
            wanted = task.resources or Resources()
            asked, given = _describe_asked(wanted), _describe_given(alloc, task.name, wanted)
            if asked != given:
                yield f"alloc {alloc.id} of version {_read_version(alloc)} has {given}, and asks for {asked}"


@on_step(
    "DEP-01",
    "PLAN-15",
    "PLAN-71",
    reads="allocs",
    because="One version would be judged by the health of another one, and be marked stable.",
)
def alloc_joins_deployment_of_its_version(step: Step) -> Iterator[str]:
    """An allocation that joins a deployment is of the job and version that the deployment is for."""
    for alloc in _list_placed(step):
        deployment = step.after.state.find_deployment(alloc.deployment_id) if alloc.deployment_id else None
        if deployment is None or alloc.job is None:
            continue
        if (alloc.job.create_index, alloc.job.version) != (
            deployment.job_create_index,
            deployment.job_version,
        ):
            yield (
                f"alloc {alloc.id} of version {alloc.job.version} joined deployment {deployment.id} of "
                f"version {deployment.job_version}"
            )


def _list_placed(step: Step) -> Iterator[Allocation]:
    """List what a plan has placed, or updated in place: its job or its deployment is another one.

    What has ended is left out: the scheduler writes its current job into one that it cannot replace.
    """
    before, after = step.before.state.allocs, step.after.state.allocs
    for alloc in list_new(before, after):
        if not is_terminal(alloc):
            yield alloc
    for was, now in list_changed(before, after):
        if not is_terminal(now) and (now.job is not was.job or now.deployment_id != was.deployment_id):
            yield now


def _describe_asked(asked: Resources) -> str:
    return _describe(0 if asked.cores else asked.cpu_mhz, asked.memory_mb)


def _describe_given(alloc: Allocation, task: str, asked: Resources) -> str:
    resources = alloc.allocated_resources
    given = resources.tasks.get(task) if resources is not None else None
    if given is None:
        return "nothing"
    return _describe(0 if asked.cores else given.cpu.cpu_shares, given.memory.memory_mb)


def _describe(cpu_mhz: int, memory_mb: int) -> str:
    """Say what a task has of a node; the speed of cores of its own depends on the node."""
    return f"{cpu_mhz} MHz and {memory_mb} MB"


def _read_version(alloc: Allocation) -> int:
    return alloc.job.version if alloc.job is not None else 0


VERSION_PROPERTIES: Final = (alloc_has_the_room_its_version_asks_for, alloc_joins_deployment_of_its_version)
