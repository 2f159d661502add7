"""What operators set up: configuration, node pools and namespaces; and evaluations that they delete."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Self

from msgspec.structs import replace

from nomadspec.model.cluster.acts.operator_answers import ask, refuse
from nomadspec.model.cluster.acts.registry import Act, act
from nomadspec.model.cluster.components.gc_checks import may_be_deleted
from nomadspec.model.cluster.components.leader_memory import is_broker_paused, set_enabled
from nomadspec.model.cluster.entities import (
    JobStatus,
    Namespace,
    NodePool,
    PreemptionConfig,
    SchedulerAlgorithm,
    SchedulerConfiguration,
)
from nomadspec.model.cluster.entities.configuration import NEW_CLUSTERS
from nomadspec.model.cluster.entities.evaluation import is_terminal
from nomadspec.model.cluster.store.evals import BROKER_RUNS
from nomadspec.model.cluster.store.requests import (
    EvalDelete,
    NamespaceDelete,
    NamespaceUpsert,
    NodePoolDelete,
    NodePoolUpsert,
    SchedulerConfig,
)
from nomadspec.model.cluster.world import World, with_memory
from nomadspec.model.specification.quirks import FORGOTTEN_REAPER, SURVIVING_PLAN

EVAL_IS_NEEDED: Final = "eval {} is not known or still needed"
PLANS_LEFT: Final = "plans from before the pause of the eval broker are still queued or in flight"
POOL_HAS_NODES: Final = 'node pool "{}" has nodes'
POOL_HAS_JOBS: Final = 'node pool "{}" has non-terminal jobs'


@act("OBJ-290", "OBJ-291", "LEADER-04", actor="operator", external=True, refines="pause_broker resume_broker")
class Configure(Act, frozen=True, kw_only=True):
    """An operator replaces the configuration of the schedulers."""

    configuration: SchedulerConfiguration

    @classmethod
    def choices(cls, world: World) -> Iterator[Self]:
        """One thing changed: the broker switched off, or on again; what may preempt; how nodes are filled."""
        if not world.is_led:
            return
        known = world.state.configuration or NEW_CLUSTERS
        yield cls(configuration=replace(known, pause_eval_broker=not known.pause_eval_broker))
        preempting = known.preemption_config
        for name in PreemptionConfig.__struct_fields__:
            changed = replace(preempting, **{name: not getattr(preempting, name)})
            yield cls(configuration=replace(known, preemption_config=changed))
        spreads = known.scheduler_algorithm == SchedulerAlgorithm.SPREAD
        algorithm = SchedulerAlgorithm.BINPACK if spreads else SchedulerAlgorithm.SPREAD
        yield cls(configuration=replace(known, scheduler_algorithm=algorithm))

    def take(self, world: World) -> World:
        """Write it, and switch broker and blocked evaluations as it says."""
        was_paused, pauses = is_broker_paused(world.state), self.configuration.pause_eval_broker
        if was_paused and not pauses and _has_plan_of_before(world):
            return refuse(world, PLANS_LEFT)
        done = ask(world, SchedulerConfig(config=self.configuration))
        if done.error:
            return done.world
        memory = set_enabled(
            done.world.leader.memory,
            done.world.state,
            done.world.now_ns,
            is_enabled=not pauses,
        )
        world = with_memory(done.world, memory)
        ends_reaper = pauses and not was_paused and world.settings.profile.has(FORGOTTEN_REAPER)
        return replace(world, leader=replace(world.leader, has_reaper=False)) if ends_reaper else world


def _has_plan_of_before(world: World) -> bool:
    """True while a plan from before a pause is left, which nobody minds in the release.

    Spec: LEADER-04, X-13.
    """
    return not world.settings.profile.has(SURVIVING_PLAN) and any(
        worker.awaits_plan for worker in world.workers.values()
    )


@act("OBJ-167", "NODEST-21", actor="operator", external=True)
class WritePool(Act, frozen=True, kw_only=True):
    """An operator makes a node pool."""

    name: str

    def take(self, world: World) -> World:
        """Write it."""
        return ask(world, NodePoolUpsert(node_pools=(NodePool(name=self.name),))).world


@act("OBJ-167", "NODEST-21", actor="operator", external=True)
class DeletePool(Act, frozen=True, kw_only=True):
    """An operator deletes a node pool in which nothing is left."""

    name: str

    def take(self, world: World) -> World:
        """Delete it, unless it has nodes, or jobs that are not over."""
        if any(node.node_pool == self.name for node in world.state.list_nodes()):
            return refuse(world, POOL_HAS_NODES.format(self.name))
        jobs = (job for job in world.state.list_jobs() if job.node_pool == self.name)
        if any(job.status != JobStatus.DEAD for job in jobs):
            return refuse(world, POOL_HAS_JOBS.format(self.name))
        return ask(world, NodePoolDelete(names=(self.name,))).world


@act("FSM-03", actor="operator", external=True)
class WriteNamespace(Act, frozen=True, kw_only=True):
    """An operator makes a namespace."""

    name: str

    def take(self, world: World) -> World:
        """Write it."""
        return ask(world, NamespaceUpsert(namespaces=(Namespace(name=self.name),))).world


@act("OBJ-011", actor="operator", external=True)
class DeleteNamespace(Act, frozen=True, kw_only=True):
    """An operator deletes a namespace in which nothing is left."""

    name: str

    def take(self, world: World) -> World:
        """Delete it; the state refuses it while jobs are not over."""
        return ask(world, NamespaceDelete(namespaces=(self.name,))).world


@act("EVAL-47", actor="operator", external=True)
class DeleteEvals(Act, frozen=True, kw_only=True):
    """An operator deletes evaluations, which needs a broker that is switched off."""

    evals: tuple[str, ...]

    @classmethod
    def choices(cls, world: World) -> Iterator[Self]:
        """Any one that has ended: who deletes another asks for its job not to be looked at."""
        if world.is_led and not world.leader.memory.broker.is_enabled:
            ended = (entry for entry in world.state.list_evals() if is_terminal(entry))
            yield from (cls(evals=(entry.id,)) for entry in ended if may_be_deleted(world.state, entry))

    def take(self, world: World) -> World:
        """Delete all of them, or none where one may not be deleted."""
        if world.leader.memory.broker.is_enabled:
            return refuse(world, BROKER_RUNS)
        for eval_id in self.evals:
            found = world.state.evals.get(eval_id)
            if found is None or not may_be_deleted(world.state, found):
                return refuse(world, EVAL_IS_NEEDED.format(eval_id))
        return ask(world, EvalDelete(evals=self.evals, user_initiated=True)).world


@act("PLAN-98", "LEADER-23", actor="log", external=True)
class LoseEntry(Act, frozen=True, kw_only=True):
    """The next entry of the log is not committed, whatever it is; who wrote it is told so."""

    @classmethod
    def choices(cls, world: World) -> Iterator[Self]:
        """Possible while somebody leads, for one entry at a time."""
        if world.is_led and not world.losses:
            yield cls()

    def take(self, world: World) -> World:
        """Note it."""
        return replace(world, losses=1)
