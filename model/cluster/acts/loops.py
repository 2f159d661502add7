"""What the leader does by itself: deployment watcher, drainer, garbage collection."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Self

import msgspec
from msgspec.structs import replace

from nomadspec.model.cluster.acts.commit import Committed, commit
from nomadspec.model.cluster.acts.nodes import NO_NODE, forget_nodes
from nomadspec.model.cluster.acts.registry import Act, Timer, act
from nomadspec.model.cluster.acts.workers import Stage, get_held, give_back, list_workers
from nomadspec.model.cluster.components import broker, core_gc, deployment_watcher, drainer
from nomadspec.model.cluster.components.core_gc import (
    INTERVALS_NS,
    DeleteNodes,
    PurgeJobs,
    ReapDeployments,
    ReapEvals,
    Work,
)
from nomadspec.model.cluster.components.deployment_watch import Watchers
from nomadspec.model.cluster.components.drainer import Drainer
from nomadspec.model.cluster.memo import remember_last
from nomadspec.model.cluster.store.entries import Applied
from nomadspec.model.cluster.store.requests import (
    DeploymentDelete,
    EvalDelete,
    JobBatchDeregister,
    JobToDeregister,
    NodeBatchDeregister,
)
from nomadspec.model.cluster.store.state import State
from nomadspec.model.cluster.world import World, make_id, with_broker, with_worker
from nomadspec.model.specification.profiles import Profile
from nomadspec.model.specification.quirks import (
    HASTY_COLLECTION,
    HASTY_REAP,
    UNATTENDED_DEPLOYMENT,
    UNMARKED_END,
)

LEADER_ACL: Final = "leader"
"""Stands for the token that a leader makes for work of its own, on which nothing else depends.

Spec: TRIG-25, LEADER-01.
"""


@remember_last
def _find_watch_due(watchers: Watchers, state: State, now_ns: int, profile: Profile) -> int:
    """Find when the deployment watcher has something to do; 0 is never."""
    reaction = deployment_watcher.react(watchers, state, now_ns, "eval", profile=profile)
    if not reaction.is_settled or reaction.watchers != watchers:
        return now_ns
    return deployment_watcher.find_next_due(reaction.watchers)


@remember_last
def _find_drain_due(drains: Drainer, state: State, now_ns: int, profile: Profile) -> int | None:
    """Find when the drainer has something to do; None is never."""
    reaction = drainer.react(drains, state, now_ns, lambda: "eval", profile=profile)
    if not reaction.is_settled or reaction.drainer != drains:
        return now_ns
    return drainer.find_next_due(reaction.drainer)


@act(
    "DEP-31",
    "DEP-36",
    "DEP-37",
    "DEP-40",
    actor="deployment watcher",
    refines="make_pending fail_deployment",
)
class WatchDeployments(Timer, frozen=True, kw_only=True):
    """The deployment watcher does one thing that is due: fail, promote, or ask for an evaluation."""

    @classmethod
    def list_due(cls, world: World) -> Iterator[tuple[int, Self]]:
        """Now, if something is due; else when something will be."""
        watchers = world.leader.watchers
        if watchers.is_enabled:
            due_ns = _find_watch_due(watchers, world.state, world.now_ns, world.settings.profile)
            if due_ns:
                yield due_ns, cls()

    def take(self, world: World) -> World:
        """Do it, and write what it asks for."""
        named, eval_id = make_id(world, "eval")
        before = world.leader.watchers
        reaction = deployment_watcher.react(
            before, named.state, named.now_ns, eval_id, profile=named.settings.profile
        )
        has_made = reaction.request is not None or reaction.watchers.batch != before.batch
        world = named if has_made else world
        world = replace(world, leader=replace(world.leader, watchers=reaction.watchers))
        if reaction.request is None:
            return world
        done = commit(world, reaction.request)
        if done.is_lost and not world.settings.profile.has(UNATTENDED_DEPLOYMENT):
            return replace(done.world, leader=replace(done.world.leader, watchers=before))
        return done.world


@act("DRAIN-03", "DRAIN-06", "DRAIN-12", "DRAIN-13", actor="drainer", refines="make_pending end_drain")
class DrainNodes(Timer, frozen=True, kw_only=True):
    """The drainer does one thing that is due: mark allocations, end a drain, meet a deadline."""

    @classmethod
    def list_due(cls, world: World) -> Iterator[tuple[int, Self]]:
        """Now, if something is due; else when something will be."""
        drains = world.leader.drainer
        if drains.is_enabled:
            due_ns = _find_drain_due(drains, world.state, world.now_ns, world.settings.profile)
            if due_ns is not None:
                yield due_ns, cls()

    def take(self, world: World) -> World:
        """Do it, and write what it asks for."""

        def next_id() -> str:
            nonlocal world
            world, made_id = make_id(world, "eval")
            return made_id

        profile, before = world.settings.profile, world.leader.drainer
        reaction = drainer.react(before, world.state, world.now_ns, next_id, profile=profile)
        world = replace(world, leader=replace(world.leader, drainer=reaction.drainer))
        for request in reaction.requests:
            done = commit(world, request)
            world = done.world
            if done.is_lost and not profile.has(UNMARKED_END):
                return replace(world, leader=replace(world.leader, drainer=before))
        return world


@act("LEADER-51", "GC-01", "GC-04", "BROKER-18", "TRIG-26", actor="leader", external=True)
class EnqueueCoreEval(Act, frozen=True, kw_only=True):
    """The leader has garbage collected: an evaluation for it goes to the broker and into no table."""

    work: str

    @classmethod
    def choices(cls, world: World) -> Iterator[Self]:
        """Any work, at any time: intervals are settings, and operators can force it."""
        if world.is_led and world.leader.memory.broker.is_enabled:
            yield from (cls(work=work.value) for work in (*INTERVALS_NS, Work.FORCED))

    def take(self, world: World) -> World:
        """Enqueue it."""
        world, eval_id = make_id(world, "eval")
        made = core_gc.make_core_eval(Work(self.work), eval_id, world.state.latest_index)
        signed = replace(made, leader_acl=LEADER_ACL)
        return with_broker(world, broker.enqueue(world.leader.memory.broker, signed, world.now_ns))


@act("GC-02", "GC-05", "WORKER-07", actor="worker", stage=Stage.CHOSEN)
class CollectGarbage(Act, frozen=True, kw_only=True):
    """A worker that holds a core evaluation deletes what a snapshot shows to be garbage."""

    worker: str

    @classmethod
    def choices(cls, world: World) -> Iterator[Self]:
        """Any worker that holds a core evaluation and has seen what it must have seen."""
        for worker in list_workers(world, Stage.CHOSEN) if world.is_led else ():
            held = get_held(worker)
            if held.eval.type == "_core" and world.find_state(worker).latest_index >= held.wait_index:
                yield cls(worker=worker.id)

    def take(self, world: World) -> World:
        """Write all deletions, one entry each; the first that is refused or lost ends the run."""
        worker = world.workers[self.worker]
        held = get_held(worker)
        work = core_gc.read_work(held.eval.job_id)
        for asked in core_gc.collect(work, world.find_state(worker), world.now_ns):
            for request in make_deletions(_spare(world, asked, world.find_state(worker))):
                done = _delete(world, request)
                world = done.world
                if done.error:
                    return give_back(world, worker)
        left = broker.ack(world.leader.memory.broker, held.eval.id, held.token, world.now_ns).broker
        return with_worker(with_broker(world, left), replace(worker, held=None))


def _spare(world: World, asked: core_gc.Request, seen: State) -> core_gc.Request:
    """Keep what is still needed, as intended: what the release deletes is not looked at again.

    Spec: GC-92, X-21, X-22.
    """
    if isinstance(asked, PurgeJobs) and not world.settings.profile.has(HASTY_REAP):
        jobs, was = world.state.jobs, seen.jobs
        return replace(asked, jobs=tuple(key for key in asked.jobs if jobs.get(key) == was.get(key)))
    if world.settings.profile.has(HASTY_COLLECTION) or not isinstance(asked, ReapEvals):
        return asked
    held = {worker.held.eval.id for worker in world.workers.values() if worker.held is not None}
    at_broker = world.leader.memory.broker
    held.update(entry.id for entry in at_broker.cancelable)
    return replace(
        asked, evals=tuple(each for each in asked.evals if each not in at_broker.known and each not in held)
    )


def _delete(world: World, request: msgspec.Struct) -> Committed:
    """Write a deletion; deleted nodes wake the jobs that may care, and all of them have to be there.

    Spec: GC-06, GC-62, GC-63, GC-95.
    """
    if not isinstance(request, NodeBatchDeregister):
        return commit(world, request)
    nodes = [node for name in request.node_ids if (node := world.state.find_node(name)) is not None]
    if len(nodes) < len(request.node_ids):
        return Committed(world, Applied(world.state, NO_NODE))
    done = commit(world, request)
    return done if done.error else Committed(forget_nodes(done.world, nodes), done.applied)


def make_deletions(asked: core_gc.Request) -> tuple[msgspec.Struct, ...]:
    """Write what garbage collection asks for as requests to the log.

    Spec: GC-80, GC-81, GC-82, GC-83.
    """
    match asked:
        case ReapEvals(evals=evals, allocs=allocs):
            return (EvalDelete(evals=evals, allocs=allocs),)
        case ReapDeployments(deployments=deployments):
            return (DeploymentDelete(deployments=deployments),)
        case DeleteNodes(nodes=nodes):
            return (NodeBatchDeregister(node_ids=nodes),)
        case PurgeJobs(jobs=jobs):
            listed = tuple(
                JobToDeregister(namespace=namespace, id=job_id, purge=True) for namespace, job_id in jobs
            )
            return (JobBatchDeregister(jobs=listed),)
