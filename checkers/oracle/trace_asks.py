"""Judges what committed plans give to new allocations: what their job asks for, on the best node shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from nomadspec.checkers.oracle.compare import Rules, compare
from nomadspec.checkers.oracle.explain.redelivered_calls import list_snapshots
from nomadspec.checkers.oracle.judgement import ABSENT, Difference
from nomadspec.checkers.oracle.trace_replay import Replay
from nomadspec.checkers.oracle.trace_window import History
from nomadspec.model.cluster.entities import AllocatedTask, Allocation, Job, Resources, TaskGroup
from nomadspec.model.cluster.entities.job import find_group
from nomadspec.model.cluster.scheduler.ranking.asks import ask_for_task, find_disk_mb
from nomadspec.model.cluster.store import State
from nomadspec.model.cluster.store.requests import ApplyPlanResults

_RULES: Final[Rules] = (("DiskMB", "OBJ-258"), ("Name", "GENERIC-36"), ("", "RANK-75"))


def compare_asks(replay: Replay) -> Iterator[Difference]:
    """Compare what new allocations were given with what their groups ask for.

    Whether a task may use more memory than it reserves is configured, and may just have been changed: either
    is right then.

    Spec: RANK-75, OBJ-258, GENERIC-36, PLAN-15, DEP-23.
    """
    history, snapshots = History(), list_snapshots(replay)
    for step in replay.steps:
        index, request = step.typed.entry.index, step.typed.entry.request
        if isinstance(request, ApplyPlanResults):
            least = min((each for each in snapshots[request.eval_id] if each < index), default=0)
            jobs = _list_jobs(request, replay.find_state(least), history)
            yield from _compare_plan(request, history.states[-1], jobs, f"raft-log[{index}]")
            yield from _compare_canaries(request, history.states[-1], f"raft-log[{index}]")
            yield from _compare_job(request, history.list_since(least), f"raft-log[{index}]")
        history.add(request, step.applied.state)


def _list_jobs(request: ApplyPlanResults, seen: State, history: History) -> Sequence[Job]:
    """List for which versions of its job a plan may have been made, that of the entry first.

    The job is attached when the plan is submitted; its scheduler may have seen an older one.

    Spec: PLAN-13, PLAN-15.
    """
    job = request.job
    if job is None:
        return ()
    key = job.namespace, job.id
    known = seen.find_job(*key)
    since = known.job_modify_index if known is not None else 0
    return (job, *(each for each in history.registered.get(key, ()) if each.job_modify_index >= since))


def _compare_job(request: ApplyPlanResults, since: Sequence[State], path: str) -> Iterator[Difference]:
    """The job of a plan is the one that the leader knows when it gets it, after the plan was made.

    Spec: ALLOC-04, PLAN-15.
    """
    job = request.job
    if job is None:
        return
    known = [each for state in since if (each := state.find_job(job.namespace, job.id)) is not None]
    if known and job not in known:
        model = sorted({(each.version, each.modify_index) for each in known})
        yield Difference(f"{path}.Job.Version", (job.version, job.modify_index), model, "ALLOC-04")


def _compare_canaries(request: ApplyPlanResults, state: State, path: str) -> Iterator[Difference]:
    """The canaries of a deployment are those that the plan places, and those that it had.

    Spec: DEP-05, DEP-23.
    """
    if request.deployment is None:
        return
    stored = state.find_deployment(request.deployment.id)
    known = {alloc.id for alloc in request.allocs_updated}
    for group in stored.task_groups.values() if stored is not None else ():
        known.update(group.placed_canaries if group is not None else ())
    for name, group in request.deployment.task_groups.items():
        for canary in group.placed_canaries if group is not None else ():
            if canary not in known:
                place = f"{path}.Deployment.TaskGroups.{name}.PlacedCanaries"
                yield Difference(place, canary, sorted(known), "DEP-23")


def _compare_plan(
    request: ApplyPlanResults, state: State, jobs: Sequence[Job], path: str
) -> Iterator[Difference]:
    for at, alloc in enumerate(request.allocs_updated):
        possible = (alloc.job,) if alloc.job is not None else jobs
        if not possible or state.find_alloc(alloc.id) is not None:
            continue
        place = f"{path}.AllocsUpdated[{at}]"
        yield from _compare_choice(alloc, place)
        groups = [(job, group) for job in possible if (group := find_group(job, alloc.task_group))]
        found = [list(_compare_alloc(alloc, job, group, place)) for job, group in groups]
        if not found:
            yield Difference(f"{place}.TaskGroup", alloc.task_group, ABSENT, "RANK-75")
        elif all(found):
            yield from found[0]


def _compare_choice(alloc: Allocation, path: str) -> Iterator[Difference]:
    """No node that was visited and scored better than none is passed over for a worse one.

    Spec: RANK-18, RANK-20, RANK-74.
    """
    shown = alloc.metrics.score_meta_data if alloc.metrics is not None else ()
    own = next((each.norm_score for each in shown if each.node_id == alloc.node_id), None)
    best = max(shown, key=lambda each: each.norm_score, default=None)
    if own is not None and best is not None and best.norm_score > max(own, 0):
        yield Difference(f"{path}.NodeID", alloc.node_id, best.node_id, "RANK-20")


def _compare_alloc(alloc: Allocation, job: Job, group: TaskGroup, path: str) -> Iterator[Difference]:
    if not alloc.name.startswith(f"{job.id}.{group.name}["):
        yield Difference(f"{path}.Name", alloc.name, f"{job.id}.{group.name}[...]", "GENERIC-36")
    given = alloc.allocated_resources
    if given is None:
        yield Difference(f"{path}.AllocatedResources", ABSENT, "is there", "RANK-75")
        return
    yield from compare(given.shared.disk_mb, find_disk_mb(group), f"{path}.DiskMB", _RULES)
    told = {name: _show(task) for name, task in given.tasks.items()}
    models = [_list_asked(group, has_more=has_more) for has_more in (False, True)]
    models = [_with_cores(model, given.tasks) for model in models]
    if told not in models:
        yield from compare(told, models[0], f"{path}.AllocatedResources.Tasks", _RULES)


def _list_asked(group: TaskGroup, *, has_more: bool) -> dict[str, dict[str, Any]]:
    return {
        task.name: _show(ask_for_task(task.resources or Resources(), has_oversubscription=has_more))
        | {"Cores": (task.resources or Resources()).cores}
        for task in group.tasks
    }


def _show(task: AllocatedTask) -> dict[str, Any]:
    return {
        "CpuShares": task.cpu.cpu_shares,
        "Cores": len(task.cpu.reserved_cores),
        "MemoryMB": task.memory.memory_mb,
        "MemoryMaxMB": task.memory.memory_max_mb,
    }


def _with_cores(
    model: dict[str, dict[str, Any]], given: Mapping[str, AllocatedTask]
) -> dict[str, dict[str, Any]]:
    """Take over how quick the cores are that a task got: that is a matter of the node."""
    quick = {
        name: given[name].cpu.cpu_shares for name, asked in model.items() if asked["Cores"] and name in given
    }
    return {
        name: {**asked, "CpuShares": quick.get(name, asked["CpuShares"])} for name, asked in model.items()
    }
