"""What must be true of what is kept: collectors delete only what is over, reports take nothing back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from nomadspec.invariants.cluster.world.registry import Step, always, at_rest, list_changed, on_step
from nomadspec.model.cluster.acts import CollectGarbage
from nomadspec.model.cluster.components.broker_state import FAILED_QUEUE
from nomadspec.model.cluster.entities import Allocation, AllocClient, JobStatus, JobType, NodeStatus
from nomadspec.model.cluster.entities.allocation import is_canary, is_terminal
from nomadspec.model.cluster.entities.deployment import is_active
from nomadspec.model.cluster.entities.evaluation import is_terminal as has_ended
from nomadspec.model.cluster.entities.job import GENERIC_TYPES
from nomadspec.model.cluster.store.state import State
from nomadspec.model.lifecycle.allocation import SAID_BY_SERVERS

_CLIENTS: Final = frozenset({"client"})


@on_step("GC-20", "GC-92", reads="evals allocs", because="Work would be forgotten while it is still done.")
def collector_deletes_only_ended_work(step: Step) -> Iterator[str]:
    """The collector deletes no evaluation that has not ended, and no allocation that is still to run."""
    if not isinstance(step.act, CollectGarbage):
        return
    before, after = step.before.state, step.after.state
    for key, entry in before.evals.items():
        if key not in after.evals and not has_ended(entry):
            yield f"eval {entry.id} was {entry.status}, and is collected"
    for key, alloc in before.allocs.items():
        if key not in after.allocs and not is_terminal(alloc):
            yield f"alloc {alloc.id} was {alloc.client_status}, and is collected"


@on_step("GC-30", "GC-40", reads="nodes jobs deployments", because="Records in use would be deleted.")
def collector_keeps_records_in_use(step: Step) -> Iterator[str]:
    """The collector deletes no node that is up, no deployment that goes on, and no job that is not dead."""
    if not isinstance(step.act, CollectGarbage):
        return
    before, after = step.before.state, step.after.state
    for key, node in before.nodes.items():
        if key not in after.nodes and node.status != NodeStatus.DOWN:
            yield f"node {node.id} was {node.status}, and is collected"
    for key, each in before.deployments.items():
        if key not in after.deployments and is_active(each):
            yield f"deployment {each.id} was {each.status}, and is collected"
    for job_key, job in before.jobs.items():
        if job_key not in after.jobs and job.status != JobStatus.DEAD:
            yield f"job {job.id} was {job.status}, and is collected"


@on_step("PLAN-71", "CLIENT-05", reads="allocs", because="The history of a task would be lost.")
def only_clients_write_task_states(step: Step) -> Iterator[str]:
    """Only a client's report changes the task states of an allocation."""
    if step.actor in _CLIENTS:
        return
    for was, now in list_changed(step.before.state.allocs, step.after.state.allocs):
        if was.task_states != now.task_states:
            yield f"alloc {now.id}: {step.actor or 'time'} changed the states of its tasks"


@on_step(
    "PLAN-71",
    "ALLOC-11",
    reads="allocs",
    because="A plan would claim a client status that only a client can know.",
)
def servers_call_allocs_only_lost_or_unknown(step: Step) -> Iterator[str]:
    """Without a report of its client an allocation becomes nothing but lost or unknown."""
    if step.actor in _CLIENTS:
        return
    for was, now in list_changed(step.before.state.allocs, step.after.state.allocs):
        if was.client_status != now.client_status and now.client_status not in SAID_BY_SERVERS:
            yield f"alloc {now.id} was {was.client_status}, and is {now.client_status} without a report"


@always("RESCHED-10", "OBJ-236", reads="allocs", because="A reader of an allocation's past would be misled.")
def reschedules_are_told_in_order(step: Step) -> Iterator[str]:
    """An allocation lists earlier reschedules in the order in which they happened."""
    for alloc in step.after.state.allocs.values():
        tracker = alloc.reschedule_tracker
        times = [event.reschedule_time_ns for event in (tracker.events or ())] if tracker else []
        if times != sorted(times):
            yield f"alloc {alloc.id}: its replacements are told out of order"


@always("NODEST-16", "DRAIN-01", reads="nodes", because="An operator could not tell whether a drain goes on.")
def last_drain_tells_whether_node_drains(step: Step) -> Iterator[str]:
    """A node's last drain is called draining exactly while the node drains."""
    for node in step.after.state.nodes.values():
        is_told = node.last_drain is not None and node.last_drain.status == "draining"
        if is_told != (node.drain_strategy is not None):
            yield f"node {node.id}: its last drain is {node.last_drain and node.last_drain.status}"


@always("OBJ-041", "OBJ-259", reads="jobs allocs", because="Blocking queries would miss a change.")
def indexes_of_kinds_of_changes_are_in_order(step: Step) -> Iterator[str]:
    """JobModifyIndex and AllocModifyIndex lie between CreateIndex and ModifyIndex."""
    for job in step.after.state.jobs.values():
        if not job.create_index <= job.job_modify_index <= job.modify_index:
            yield f"job {job.id}: {job.create_index}, {job.job_modify_index}, {job.modify_index}"
    for alloc in step.after.state.allocs.values():
        if not alloc.create_index <= alloc.alloc_modify_index <= alloc.modify_index:
            yield f"alloc {alloc.id}: {alloc.create_index}, {alloc.alloc_modify_index}, {alloc.modify_index}"


@always("BROKER-22", "BROKER-40", reads="broker", because="An evaluation that always fails would loop.")
def deliveries_stay_within_limit(step: Step) -> Iterator[str]:
    """An evaluation that has reached its delivery limit is no longer ready for a scheduler."""
    broker = step.after.leader.memory.broker
    limit = broker.settings.delivery_limit
    for name, queue in broker.queues.items():
        for entry in queue.ready if name != FAILED_QUEUE else ():
            if broker.known.get(entry.id, 0) >= limit:
                yield f"eval {entry.id} was delivered {broker.known[entry.id]} times, and is ready again"


@always("DEP-27", "OBJ-270", reads="deployments", because="A promotion would wait for no canary.")
def canaries_of_deployment_are_listed_once(step: Step) -> Iterator[str]:
    """A deployment lists each of its canaries once."""
    for each in step.after.state.deployments.values():
        for name, group in each.task_groups.items():
            if group is not None and len(set(group.placed_canaries)) != len(group.placed_canaries):
                yield f"deployment {each.id}: group {name} lists {', '.join(group.placed_canaries)}"


@at_rest("NODE-23", "NODE-24", because="A daemon would run twice on one machine.")
def node_runs_one_alloc_of_system_job(step: Step) -> Iterator[str]:
    """A node runs at most one allocation of a system job's name."""
    living = Counter(
        (alloc.node_id, alloc.namespace, alloc.job_id, alloc.name)
        for alloc in step.after.state.allocs.values()
        if alloc.job is not None and alloc.job.type == JobType.SYSTEM and not is_terminal(alloc)
    )
    for (node_id, _, _, name), count in living.items():
        if count > 1:
            yield f"node {node_id} runs {count} of {name}"


@at_rest("REC-60", "REC-61", because="Two allocations would take the same part.")
def names_of_live_allocs_are_distinct(step: Step) -> Iterator[str]:
    """No two living allocations of a version share a name, canaries and unknown ones aside.

    A canary has the name of the one that it is to replace (REC-64), which may follow in place instead.
    """
    state = step.after.state
    for job in state.jobs.values():
        if job.type not in GENERIC_TYPES:
            continue
        named: dict[tuple[str, int], list[Allocation]] = {}
        for alloc in state.list_allocs_of_job(job.namespace, job.id):
            is_known = alloc.client_status != AllocClient.UNKNOWN
            if alloc.job is not None and is_known and not (is_terminal(alloc) or is_canary(alloc)):
                named.setdefault((alloc.name, alloc.job.version), []).append(alloc)
        for (name, _), allocs in named.items():
            count = len(allocs) - _count_followed(state, allocs) if len(allocs) > 1 else 1
            if count > 1:
                yield f"{count} allocations are called {name}"


def _count_followed(state: State, allocs: list[Allocation]) -> int:
    """Count the allocations that are older than a canary of their name, which was to replace them."""
    canaries = [alloc for alloc in allocs if _was_canary(state, alloc)]
    newest = max((canary.create_index for canary in canaries), default=0)
    return sum(alloc.create_index < newest for alloc in allocs)


def _was_canary(state: State, alloc: Allocation) -> bool:
    """True while the deployment of an allocation lists it as one of its canaries."""
    deployment = state.find_deployment(alloc.deployment_id)
    groups = deployment.task_groups if deployment is not None else {}
    group = groups.get(alloc.task_group)
    return group is not None and alloc.id in group.placed_canaries


KEEPING_PROPERTIES: Final = (
    collector_deletes_only_ended_work,
    collector_keeps_records_in_use,
    only_clients_write_task_states,
    servers_call_allocs_only_lost_or_unknown,
    reschedules_are_told_in_order,
    last_drain_tells_whether_node_drains,
    indexes_of_kinds_of_changes_are_in_order,
    deliveries_stay_within_limit,
    canaries_of_deployment_are_listed_once,
    node_runs_one_alloc_of_system_job,
    names_of_live_allocs_are_distinct,
)
