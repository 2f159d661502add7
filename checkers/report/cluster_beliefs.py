"""What every component of a whole cluster believes at one moment, side by side.

The store says what is so, a worker plans by the snapshot that it took, the applier judges by one of its own,
the watcher remembers the job that it began with, and a client runs what it was shown when it last asked.
What is as the store has it is said to be the same: what differs is what a finding is about.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Final, TypeVar

from nomadspec.checkers.report.beliefs import APPLIER, BLOCKED, BROKER, CLIENT, STORE, Beliefs
from nomadspec.checkers.report.plans import describe_plan, describe_version
from nomadspec.model.cluster.components.blocked_state import BlockedEvals
from nomadspec.model.cluster.components.broker_state import Broker
from nomadspec.model.cluster.entities import (
    Allocation,
    Deployment,
    DeploymentStatus,
    Evaluation,
    Job,
    Node,
    Plan,
)
from nomadspec.model.cluster.entities.allocation import (
    is_client_terminal,
    is_healthy,
    is_server_terminal,
    is_terminal,
    is_unhealthy,
    should_force_reschedule,
    should_migrate,
    should_reschedule_by_request,
)
from nomadspec.model.cluster.entities.deployment import is_active
from nomadspec.model.cluster.entities.evaluation import is_terminal as has_ended
from nomadspec.model.cluster.entities.node import is_draining
from nomadspec.model.cluster.scheduler.planner import Submit
from nomadspec.model.cluster.store.state import State
from nomadspec.model.cluster.world import Worker, World

SAME: Final = "the same"
WATCHER: Final = "deployment watcher"
DRAINER: Final = "drainer"
LOG: Final = "log"
ABSENT: Final = "not there"
_ASKED: Final = {
    "to migrate": should_migrate,
    "may be rescheduled": should_reschedule_by_request,
    "to be rescheduled at once": should_force_reschedule,
}
"""What is asked of an allocation, each with how one sees it."""
_UUID: Final = 36

Row = TypeVar("Row")
Told = Iterable[tuple[str, str, str]]
"""Of a thing, what a component believes."""


def compute_world_beliefs(world: World, step: int, label: str) -> Beliefs:
    """Compute what is believed in a world before a step."""
    return _gather(_list_told(world), step, label)


def compute_shown(state: State, step: int, label: str) -> Beliefs:
    """Compute what a scheduler is shown of a state."""
    views = {STORE: state}
    shown = (_tell_jobs(views), _tell_deployments(views), _tell_allocs(views), _tell_nodes(views))
    return _gather(chain(*shown), step, label)


def _gather(listed: Told, step: int, label: str) -> Beliefs:
    told: dict[str, dict[str, str]] = {}
    for thing, component, text in listed:
        told.setdefault(thing, {})[component] = text
    for by in told.values():
        _shorten(by)
    known = {name for by in told.values() for name in by}
    return Beliefs(step, label, tuple(sorted(known, key=_rank)), tuple(told.items()))


def _rank(component: str) -> tuple[int, str]:
    order = (STORE, BROKER, BLOCKED, "worker", APPLIER, LOG, WATCHER, DRAINER, CLIENT)
    return next(at for at, name in enumerate(order) if component.startswith(name)), component


def _name_snapshot(worker: str) -> str:
    return f"{worker}'s snapshot"


def _shorten(by: dict[str, str]) -> None:
    """Say of what is shown as the store has it that it is the same."""
    for component, text in by.items():
        if component != STORE and text == by.get(STORE):
            by[component] = SAME


def _list_told(world: World) -> Told:
    """List what is believed of jobs, of their deployments, evaluations and allocations, then of nodes."""
    views = dict(_list_views(world))
    yield from _tell_jobs(views)
    yield from _tell_deployments(views)
    yield from _tell_watchers(world)
    yield from _tell_evals(world)
    yield from _tell_plans(world)
    yield from _tell_allocs(views)
    yield from _tell_runners(world)
    yield from _tell_nodes(views)
    yield from _tell_drains_and_clients(world)


def _list_views(world: World) -> Iterator[tuple[str, State]]:
    """List the states that somebody goes by: that of the servers, and the snapshots that were taken of it."""
    yield STORE, world.state
    for worker in _list_busy(world):
        if worker.call is not None:
            yield _name_snapshot(worker.id), worker.call.snapshot.state
    leader = world.leader
    is_at_work = leader.plans.waiting or leader.judged is not None or leader.in_flight
    if is_at_work and leader.applier.snapshot is not None:
        yield APPLIER, leader.applier.snapshot


def _list_busy(world: World) -> list[Worker]:
    return [worker for _, worker in sorted(world.workers.items()) if worker.held is not None]


def _tell_jobs(views: Mapping[str, State]) -> Told:
    for key in sorted({key for state in views.values() for key in state.jobs}):
        for component, state in views.items():
            job = state.jobs.get(key)
            yield key[1], component, ABSENT if job is None else _describe_job(job)


def _describe_job(job: Job) -> str:
    return f"version {job.version}{', stopped' if job.stop else ''}"


def _tell_deployments(views: Mapping[str, State]) -> Told:
    for by in _find_rows({name: state.deployments for name, state in views.items()}).values():
        latest = next(iter(by.values()))
        newer = (state.find_latest_deployment(latest.namespace, latest.job_id) for state in views.values())
        is_told = any(map(is_active, by.values())) or (latest in newer and not _is_successful(latest))
        for component in views if is_told else ():
            found = by.get(component)
            told = ABSENT if found is None else _describe_deployment(found)
            yield _name_deployment(latest), component, told


def _is_successful(deployment: Deployment) -> bool:
    return deployment.status == DeploymentStatus.SUCCESSFUL


def _name_deployment(deployment: Deployment) -> str:
    return f"{_shorten_id(deployment.id)} of {deployment.job_id}"


def _tell_watchers(world: World) -> Told:
    for _, watcher in sorted(world.leader.watchers.watchers.items()):
        deployment = world.state.find_deployment(watcher.deployment_id)
        if deployment is not None and not watcher.has_ended:
            yield watcher.job.id, WATCHER, _describe_job(watcher.job)
            yield _name_deployment(deployment), WATCHER, "watches it"


def _describe_deployment(deployment: Deployment) -> str:
    groups = [group for group in deployment.task_groups.values() if group is not None]
    wanted, healthy = sum(each.desired_total for each in groups), sum(each.healthy_allocs for each in groups)
    return f"{deployment.status}, of version {deployment.job_version}, {healthy} of {wanted} healthy"


def _tell_evals(world: World) -> Told:
    memory = world.leader.memory
    places = {BROKER: _place_in_broker(memory.broker), BLOCKED: _place_in_blocked_evals(memory.blocked_evals)}
    held = {worker.held.eval.id: worker for worker in _list_busy(world) if worker.held is not None}
    for eval_id in sorted({*world.state.evals, *places[BROKER], *places[BLOCKED], *held}):
        stored = world.state.find_eval(eval_id)
        somewhere = {name: place[eval_id] for name, place in places.items() if eval_id in place}
        if stored is not None and has_ended(stored) and not somewhere and eval_id not in held:
            continue
        thing = eval_id if stored is None else f"{eval_id} of {stored.job_id}, {stored.triggered_by}"
        yield thing, STORE, ABSENT if stored is None else stored.status
        yield from ((thing, name, text) for name, text in somewhere.items())
        if eval_id in held:
            yield thing, held[eval_id].id, _describe_stage(held[eval_id])


def _place_in_broker(broker: Broker) -> dict[str, str]:
    def named(evals: Iterable[Evaluation], place: str) -> dict[str, str]:
        return {each.id: place for each in evals}

    return {
        **named((one for heap in broker.pending.values() for one in heap), "pending behind its job"),
        **named((one.eval for one in broker.waits.values()), "waits"),
        **named(broker.delayed, "waits for its time"),
        **named((one for queue in broker.queues.values() for one in queue.ready), "ready"),
        **named((one.eval for one in broker.unack.values()), "unacked"),
        **named(broker.cancelable, "to be canceled"),
    }


def _place_in_blocked_evals(blocked_evals: BlockedEvals) -> dict[str, str]:
    kept = (*blocked_evals.captured.values(), *blocked_evals.escaped.values(), *blocked_evals.system.values())
    return {each.eval.id: "blocked" for each in kept} | {
        each.id: "duplicate" for each in blocked_evals.duplicates
    }


def _describe_stage(worker: Worker) -> str:
    if worker.call is None:
        return "waits for its snapshot"
    if worker.answer is not None:
        return "has an answer to its plan"
    return "waits for an answer to its plan" if worker.awaits_plan else "has called the scheduler"


def _tell_plans(world: World) -> Told:
    leader, state = world.leader, world.state
    for worker in _list_busy(world):
        asked = worker.call.todo[0] if worker.call is not None and worker.call.todo else None
        if isinstance(asked, Submit) and not worker.awaits_plan and worker.answer is None:
            yield _name_plan(world, asked.plan), worker.id, describe_plan(state, asked.plan)
    for queued in leader.plans.waiting:
        yield _name_plan(world, queued.plan), APPLIER, f"is to judge: {describe_plan(state, queued.plan)}"
    if (judged := leader.judged) is not None:
        yield _name_plan(world, judged.plan), APPLIER, f"takes: {describe_plan(state, judged.result)}"
    if world.losses:
        yield "next entry", LOG, "is not committed"
    for entry in leader.in_flight:
        yield _name_plan(world, entry.plan), LOG, f"in flight: {describe_plan(state, entry.result)}"


def _name_plan(world: World, plan: Plan) -> str:
    entry = world.state.find_eval(plan.eval_id)
    job = plan.job.id if plan.job is not None else entry.job_id if entry is not None else ""
    return f"plan for {job}, {plan.eval_id}"


def _tell_allocs(views: Mapping[str, State]) -> Told:
    for by in _find_rows({name: state.allocs for name, state in views.items()}).values():
        for component in () if all(map(_is_past, by.values())) else views:
            found = by.get(component)
            told = ABSENT if found is None else _describe_alloc(found)
            yield _name_alloc(next(iter(by.values()))), component, told


def _is_past(alloc: Allocation) -> bool:
    """True if nothing is left to do for an allocation: what has failed may still be replaced."""
    return is_terminal(alloc) and (is_server_terminal(alloc) or bool(alloc.next_allocation))


def _name_alloc(alloc: Allocation) -> str:
    return f"{_shorten_id(alloc.id)}, {alloc.name}"


def _shorten_id(name: str) -> str:
    """Shorten a UUID as Nomad's command line does; other IDs are short."""
    return name[:8] if len(name) == _UUID else name


def _tell_runners(world: World) -> Told:
    for _, client in sorted(world.clients.items()):
        for runner in client.runners.values():
            if not runner.is_over:
                yield _name_alloc(runner.alloc), CLIENT, f"{runner.status}, {describe_version(runner.alloc)}"
    for alloc_id in world.leader.drainer.marks:
        alloc = world.state.find_alloc(alloc_id)
        if alloc is not None:
            yield _name_alloc(alloc), DRAINER, "is about to tell it to leave"


def _describe_alloc(alloc: Allocation) -> str:
    health = ", healthy" if is_healthy(alloc) else ", unhealthy" if is_unhealthy(alloc) else ""
    wanted = "" if is_client_terminal(alloc) else f"{alloc.desired_status}, "
    asked = "".join(f", {what}" for what, is_asked in _ASKED.items() if is_asked(alloc))
    return f"{wanted}{alloc.client_status}, {describe_version(alloc)}, on {alloc.node_id}{health}{asked}"


def _tell_nodes(views: Mapping[str, State]) -> Told:
    for node_id, by in _find_rows({name: state.nodes for name, state in views.items()}).items():
        for component in views:
            found = by.get(component)
            yield node_id, component, ABSENT if found is None else _describe_node(found)


def _tell_drains_and_clients(world: World) -> Told:
    yield from ((node_id, DRAINER, "drains it") for node_id in sorted(world.leader.drainer.nodes))
    for node_id, client in sorted(world.clients.items()):
        if node_id not in world.state.nodes:
            yield node_id, STORE, ABSENT
        if not client.is_connected:
            yield node_id, CLIENT, "does not reach the servers"


def _describe_node(node: Node) -> str:
    state = "draining" if is_draining(node) else node.scheduling_eligibility
    return f"{node.status}, {state}"


def _find_rows(tables: Mapping[str, Mapping[str, Row]]) -> dict[str, dict[str, Row]]:
    """Find each row of some versions of a table, with who has which version of it."""
    keys = sorted({key for table in tables.values() for key in table})
    return {key: {name: table[key] for name, table in tables.items() if key in table} for key in keys}
