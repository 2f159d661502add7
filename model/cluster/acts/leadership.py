"""Leadership: what a new leader sets up, and what is lost with it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from msgspec.structs import replace
from rpds import HashTrieMap

from nomadspec.model.cluster.acts.commit import LOST_ENTRY, answer_worker, commit, commit_plan, fail_plan
from nomadspec.model.cluster.acts.launches import register_child
from nomadspec.model.cluster.acts.registry import Act, act
from nomadspec.model.cluster.components import (
    deployment_watcher,
    drainer,
    leader_memory,
    periodic,
    plan_queue,
)
from nomadspec.model.cluster.components.heartbeats import compute_first_expiries_ns
from nomadspec.model.cluster.entities.configuration import NEW_CLUSTERS
from nomadspec.model.cluster.scheduler.outcome import Answer
from nomadspec.model.cluster.store.requests import SchedulerConfig
from nomadspec.model.cluster.world import World, make_leader, with_worker
from nomadspec.model.specification.quirks import FORGOTTEN_REAPER


@act(
    "LEADER-01",
    "LEADER-02",
    "LEADER-05",
    "RANK-76",
    "NODEST-07",
    "WORKER-02",
    "JOB-28",
    actor="leader",
    refines="gain_leader make_pending",
)
class GainLeadership(Act, frozen=True, kw_only=True):
    """A server becomes the leader and fills its memory from the state."""

    @classmethod
    def choices(cls, world: World) -> Iterator[Self]:
        """Possible while nobody leads."""
        if not world.is_led:
            yield cls()

    def take(self, world: World) -> World:
        """Switch everything on, in the order of the servers."""
        world = _configure(replace(world, is_led=True))
        now_ns, state = world.now_ns, world.state
        leader = make_leader(world.settings)
        is_paused, profile = leader_memory.is_broker_paused(state), world.settings.profile
        memory = leader_memory.set_enabled(leader.memory, state, now_ns, is_enabled=not is_paused)
        dispatcher = periodic.set_enabled(leader.dispatcher, is_enabled=True)
        for job in state.list_jobs():
            dispatcher = periodic.add_job(dispatcher, job, now_ns)
        leader = replace(
            leader,
            elected_at_ns=now_ns,
            plans=plan_queue.enable(leader.plans),
            memory=memory,
            has_reaper=not (is_paused and profile.has(FORGOTTEN_REAPER)),
            watchers=deployment_watcher.enable(leader.watchers),
            drainer=drainer.enable(leader.drainer),
            dispatcher=dispatcher,
            heartbeats=HashTrieMap(compute_first_expiries_ns(state.list_nodes(), now_ns)),
        )
        return _catch_up(_pause_workers(replace(world, leader=leader)))


def _configure(world: World) -> World:
    """Write the configuration of new clusters where there is none yet.

    Spec: LEADER-01, RANK-76.
    """
    if world.state.configuration is not None:
        return world
    return commit(world, SchedulerConfig(config=NEW_CLUSTERS)).world


def _pause_workers(world: World) -> World:
    """Pause three quarters of the leader's workers, which has other work.

    Spec: WORKER-02.
    """
    own = [name for name in sorted(world.workers) if not world.workers[name].server]
    paused = 3 * len(own) // 4 if world.settings.pauses_workers and len(own) > 1 else 0
    for name in own[:paused]:
        world = with_worker(world, replace(world.workers[name], is_paused=True))
    return world


def _resume_workers(world: World) -> World:
    """Let the paused workers of a server that does not lead any more work again.

    Spec: WORKER-02.
    """
    for worker in world.workers.values():
        if worker.is_paused:
            world = with_worker(world, replace(worker, is_paused=False))
    return world


def _catch_up(world: World) -> World:
    """Launch each periodic job once whose launches nobody led through, however many these were.

    Spec: LEADER-05, JOB-28.
    """
    before = world.state
    for job in before.list_jobs():
        last = before.find_periodic_launch(job.namespace, job.id)
        if last is None:
            continue
        launch = periodic.find_catch_up(
            job,
            last.launch_ns,
            world.now_ns,
            lambda each: periodic.has_running_child(before, each),
            world.settings.profile,
        )
        if launch is not None:
            world = register_child(world, launch.child)
    return world


@act(
    "LEADER-08",
    "PLAN-22",
    "PLAN-34",
    "BROKER-52",
    "BLOCKED-46",
    actor="leader",
    external=True,
    refines="lose_leader commit fail_first_entry",
)
class LoseLeadership(Act, frozen=True, kw_only=True):
    """The leader stops to lead: queued plans fail, and entries in flight are committed later or never."""

    committed: int
    """How many of the entries in flight are committed all the same, though their plans were called failed."""

    @classmethod
    def choices(cls, world: World) -> Iterator[Self]:
        """Possible while somebody leads, with any number of the first entries in flight."""
        if world.is_led:
            yield from (cls(committed=number) for number in range(len(world.leader.in_flight) + 1))

    def take(self, world: World) -> World:
        """Answer every plan with an error, and forget everything."""
        for flying in world.leader.in_flight:
            if not flying.is_lost:
                world = answer_worker(world, flying.plan, Answer(error=LOST_ENTRY))
        lost = tuple(replace(flying, is_lost=True) for flying in world.leader.in_flight)
        world = replace(world, is_led=False, leader=replace(world.leader, in_flight=lost))
        for position in range(len(lost)):
            if world.leader.in_flight:  # one that the store refuses may have made the others fail
                world = commit_plan(world) if position < self.committed else fail_plan(world, LOST_ENTRY)
        if world.leader.judged is not None:
            world = answer_worker(world, world.leader.judged.plan, Answer(error=LOST_ENTRY))
        _, flushed = plan_queue.disable(world.leader.plans)
        for plan, reason in flushed:
            world = answer_worker(world, plan, Answer(error=reason))
        return _resume_workers(replace(world, leader=make_leader(world.settings)))
