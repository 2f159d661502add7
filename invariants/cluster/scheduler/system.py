"""Jobs that run on every node do so once, and their deployments wait only for nodes that can run them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from nomadspec.invariants.cluster.scheduler.decision import Decision
from nomadspec.model.cluster.entities import Allocation, DesiredDescription, EvalStatus, Job, JobType
from nomadspec.model.cluster.entities.allocation import is_terminal
from nomadspec.model.cluster.entities.group import has_update_strategy
from nomadspec.model.cluster.entities.job import SYSTEM_TYPES
from nomadspec.model.cluster.scheduler.reconcile.node import is_outdated, list_required
from nomadspec.model.cluster.scheduler.snapshot import Snapshot


def find_system_job(decision: Decision) -> Job | None:
    """Find the job of a decision if it runs on every node and the scheduler of its type looked at it."""
    job = decision.job
    if job is None or job.type not in SYSTEM_TYPES or decision.evaluation.type != job.type:
        return None
    return job


def nodes_run_a_name_once(decision: Decision) -> Iterator[str]:
    """Say which nodes run more of one name after a call than before, and more than one.

    Spec: NODE-24, NODE-25.
    """
    job = find_system_job(decision)
    if job is None:
        return
    before = Counter(map(_find_place, _list_living(decision.before, job)))
    after = Counter(map(_find_place, _list_living(decision.after, job)))
    for place, count in after.items():
        if count > max(1, before[place]):
            yield f"{place[0]} runs {count} of {place[1]}, and ran {before[place]}"


def runs_once_are_not_repeated(decision: Decision) -> Iterator[str]:
    """Say which nodes get another allocation of a job that runs once and has not changed.

    Spec: NODE-20, NODE-26.
    """
    job = find_system_job(decision)
    if job is None or job.type != JobType.SYSBATCH:
        return
    known = decision.before.list_allocs_of_job(job.namespace, job.id)
    done = {_find_place(alloc) for alloc in known if not is_outdated(alloc, job)}
    for alloc in decision.list_placed():
        if _find_place(alloc) in done:
            yield f"{alloc.name} runs on {alloc.node_id} again"


def replacements_keep_to_max_parallel(decision: Decision) -> Iterator[str]:
    """Say which groups are replaced on more nodes at once than they allow.

    What has to go without a successor, for its node cannot run it any more, does not count.

    Spec: SYSTEM-19, SYSTEM-21, SYSDEP-13, SYSDEP-14.
    """
    job = find_system_job(decision)
    if job is None:
        return
    stopped = {alloc.id for alloc in decision.list_stopped(DesiredDescription.UPDATING)}
    placed = [alloc for alloc in decision.list_placed() if alloc.previous_allocation in stopped]
    replaced = Counter(alloc.task_group for alloc in placed)
    for group in job.task_groups:
        if group.update and has_update_strategy(group) and replaced[group.name] > group.update.max_parallel:
            yield f"{replaced[group.name]} of {group.name} are replaced, {group.update.max_parallel} may be"


def totals_can_be_reached(decision: Decision) -> Iterator[str]:
    """Say which groups have to become healthy on more nodes than they run on, or may still run on.

    Spec: SYSDEP-10, SYSDEP-11.
    """
    job = find_system_job(decision)
    if job is None or not decision.outcome.plans:
        return
    deployment = decision.outcome.plans[-1].deployment
    groups = deployment.task_groups if deployment else {}
    required = list_required(job)
    living = [alloc for alloc in _list_living(decision.after, job) if alloc.name in required]
    running = Counter(alloc.task_group for alloc in living)
    for group in _list_counted(decision):
        state = groups.get(group)
        if state is not None and state.desired_total > running[group]:
            yield f"{group} has to run on {state.desired_total} nodes, and {running[group]} can run it"


def _list_counted(decision: Decision) -> list[str]:
    """List the groups that some node runs, or is to run."""
    annotations = [written.plan_annotations for written in decision.outcome.updated_evals]
    return [
        group
        for each in annotations
        if each is not None
        for group, counts in each.desired_tg_updates.items()
        if counts.place > 0
    ]


def full_nodes_are_waited_for_once(decision: Decision) -> Iterator[str]:
    """Say where a pass leaves a blocked evaluation without a node, or two for one group.

    Spec: SYSTEM-31, SYSTEM-32.
    """
    job = find_system_job(decision)
    blocked = [each for each in decision.outcome.created_evals if each.status == EvalStatus.BLOCKED]
    if job is None:
        return
    for each in blocked:
        if not each.node_id:
            yield f"{each.id} waits for no node"
    passes = max(len(decision.outcome.plans), 1)
    if len(blocked) > passes * len(job.task_groups):
        yield f"{len(blocked)} evaluations wait for {len(job.task_groups)} groups"


def queues_are_never_negative(decision: Decision) -> Iterator[str]:
    """Say for which groups fewer than no allocations wait.

    Spec: SYSTEM-24, SYSTEM-28, SYSTEM-35.
    """
    for written in decision.outcome.updated_evals:
        for group, count in written.queued_allocations.items():
            if count < 0:
                yield f"{count} allocations of {group} wait"


def _list_living(snapshot: Snapshot, job: Job) -> Iterator[Allocation]:
    for alloc in snapshot.list_allocs_of_job(job.namespace, job.id):
        if not is_terminal(alloc):
            yield alloc


def _find_place(alloc: Allocation) -> tuple[str, str]:
    return alloc.node_id, alloc.name
