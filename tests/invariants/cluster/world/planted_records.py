"""Steps that break the properties of links and of what is kept."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace
from rpds import HashTrieMap

from nomadspec.invariants.cluster.world import Step
from nomadspec.model.cluster.acts import CollectGarbage, WatchDeployments
from nomadspec.model.cluster.components.broker_state import EvalQueue
from nomadspec.model.cluster.entities import Evaluation, PeriodicConfig
from nomadspec.model.cluster.entities.allocation import RescheduleEvent, RescheduleTracker
from nomadspec.model.cluster.entities.node import DrainMetadata
from nomadspec.model.cluster.store.state import State
from nomadspec.model.cluster.world import World, with_broker
from tests.invariants.cluster.world.planted import (
    RUNNING,
    add_alloc,
    change,
    changed,
    plant,
    play,
    put,
    still,
)


def _entry(name: str, job: str = "web", **values: Any) -> Evaluation:
    known: dict[str, Any] = {"namespace": "default", "type": "service", "status": "pending"}
    return Evaluation(id=name, job_id=job, **(known | values))


def _with_eval(entry: Evaluation, world: World | None = None) -> World:
    base = world or play(RUNNING)
    key = (entry.namespace, entry.job_id)
    state = put(base, "evals", entry.id, entry).state
    known = state.evals_by_job.get(key)
    ids = known.insert(entry.id) if known is not None else None
    by_job = state.evals_by_job.insert(key, ids) if ids is not None else state.evals_by_job
    return replace(base, state=replace(state, evals_by_job=by_job))


def _without(table: str) -> State:
    state = play(RUNNING).state
    rows = getattr(state, table)
    return replace(state, **{table: rows.remove(min(rows))})


def _collected(table: str) -> Step:
    before = play(RUNNING)
    return Step(before, CollectGarbage(worker="worker-1"), replace(before, state=_without(table)))


@plant
def new_alloc_names_eval_of_its_job() -> Step:
    before = _with_eval(_entry("other", job="db"))
    return Step(before, None, add_alloc(before, eval_id="other"))


@plant
def completed_eval_leaves_no_blocked_sibling() -> Step:
    before = change(_with_eval(_entry("sibling", status="blocked")), "evals", status="pending")
    return Step(before, None, change(before, "evals", status="complete"))


@plant
def follow_up_of_failure_is_written_with_it() -> Step:
    entry = _entry("follow-up", triggered_by="failed-follow-up", previous_eval="none")
    return Step(play(RUNNING), None, _with_eval(entry))


@plant
def snapshot_of_eval_is_older_than_its_entry() -> Step:
    return changed("evals", snapshot_index=10_000)


@plant
def core_eval_is_never_stored() -> Step:
    return still(_with_eval(_entry("core", type="_core")))


@plant
def parent_job_gets_no_eval() -> Step:
    before = change(play(RUNNING), "jobs", periodic=PeriodicConfig(enabled=True))
    return Step(before, None, _with_eval(_entry("new", triggered_by="job-register"), before))


@plant
def node_event_gets_one_eval_of_job() -> Step:
    world = play(RUNNING)
    for name in ("a", "b"):
        world = _with_eval(_entry(name, triggered_by="node-update", node_id="node-1"), world)
    return Step(play(RUNNING), None, world)


@plant
def blocked_eval_of_system_job_names_node() -> Step:
    entry = _entry("blocked", type="system", status="blocked", triggered_by="queued-allocs")
    return still(_with_eval(entry))


@plant
def collector_deletes_only_ended_work() -> Step:
    return _collected("allocs")


@plant
def collector_keeps_records_in_use() -> Step:
    return _collected("nodes")


@plant
def only_clients_write_task_states() -> Step:
    return changed("allocs", act=WatchDeployments(), task_states={})


@plant
def servers_call_allocs_only_lost_or_unknown() -> Step:
    return changed("allocs", act=WatchDeployments(), client_status="complete")


@plant
def reschedules_are_told_in_order() -> Step:
    events = tuple(RescheduleEvent(reschedule_time_ns=time_ns) for time_ns in (2, 1))
    return still(change(play(RUNNING), "allocs", reschedule_tracker=RescheduleTracker(events=events)))


@plant
def last_drain_tells_whether_node_drains() -> Step:
    return still(change(play(RUNNING), "nodes", last_drain=DrainMetadata(status="draining")))


@plant
def indexes_of_kinds_of_changes_are_in_order() -> Step:
    return still(change(play(RUNNING), "jobs", job_modify_index=10_000))


@plant
def deliveries_stay_within_limit() -> Step:
    broker = play(RUNNING).leader.memory.broker
    queues = HashTrieMap({"service": EvalQueue(ready=(_entry("again"),))})
    return still(with_broker(play(RUNNING), replace(broker, queues=queues, known=HashTrieMap({"again": 3}))))


@plant
def canaries_of_deployment_are_listed_once() -> Step:
    world = play(RUNNING)
    deployment = world.state.list_deployments()[0]
    groups = {
        name: replace(group, placed_canaries=("one", "one"))
        for name, group in deployment.task_groups.items()
        if group
    }
    return still(put(world, "deployments", deployment.id, replace(deployment, task_groups=groups)))


@plant
def node_runs_one_alloc_of_system_job() -> Step:
    first = play(RUNNING).state.list_allocs()[0]
    assert first.job is not None
    system = replace(first.job, type="system")
    world = change(play(RUNNING), "allocs", job=system)
    return still(add_alloc(world, job=system))


@plant
def names_of_live_allocs_are_distinct() -> Step:
    return still(add_alloc(play(RUNNING)))
