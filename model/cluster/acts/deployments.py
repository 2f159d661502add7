"""What operators ask of deployments: to pause, go on, promote, fail, unblock, or to believe them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Self

from msgspec.structs import replace

from nomadspec.model.cluster.acts.operator_answers import ask, refuse
from nomadspec.model.cluster.acts.registry import Act, act
from nomadspec.model.cluster.components import deployment_calls
from nomadspec.model.cluster.components.deployment_calls import Call, check_call
from nomadspec.model.cluster.entities.deployment import is_active
from nomadspec.model.cluster.world import World, make_id

NOTHING_TO_DO: Final = ("run", "unblock", "cancel")
"""Calls for federated regions: to a deployment of one region they do nothing.

Spec: DEP-53, DEP-54, DEP-55.
"""
VERBS: Final = ("pause", "resume", "promote", "fail", *NOTHING_TO_DO)


def _list_active(world: World) -> Iterator[str]:
    for each in world.state.list_deployments() if world.is_led else ():
        if is_active(each):
            yield each.id


def _answer(world: World, call: Call) -> World:
    world = replace(world, leader=replace(world.leader, watchers=call.watchers))
    if call.request is None:
        return refuse(world, call.error)
    says = f"reverted to version {call.reverted_to}" if call.reverted_to is not None else ""
    return ask(world, call.request, says=says).world


@act(
    "DEP-48",
    "DEP-49",
    "DEP-50",
    "DEP-51",
    "DEP-53",
    "DEP-56",
    "TRIG-21",
    actor="operator",
    external=True,
    refines="make_pending set_deployment_status",
)
class CallDeployment(Act, frozen=True, kw_only=True):
    """An operator pauses, resumes, promotes or fails a deployment."""

    deployment: str
    verb: str
    groups: tuple[str, ...] = ()
    """The groups that are promoted; all where none are named."""

    @classmethod
    def choices(cls, world: World) -> Iterator[Self]:
        """Any call to any active deployment."""
        for deployment_id in _list_active(world):
            yield from (cls(deployment=deployment_id, verb=verb) for verb in VERBS)

    def take(self, world: World) -> World:
        """Let the leader check it, its watcher work it out, and the log have it."""
        error = check_call(world.state, self.verb, self.deployment)
        if error or self.verb in NOTHING_TO_DO:
            return refuse(world, error)
        world, eval_id = make_id(world, "eval")
        return _answer(world, self._call(world, eval_id))

    def _call(self, world: World, eval_id: str) -> Call:
        watchers, state, now_ns = world.leader.watchers, world.state, world.now_ns
        if self.verb == "promote":
            return deployment_calls.promote(
                watchers,
                state,
                self.deployment,
                eval_id,
                now_ns,
                is_all=not self.groups,
                groups=self.groups,
            )
        if self.verb == "fail":
            return deployment_calls.fail(watchers, state, self.deployment, eval_id, now_ns)
        is_pause = self.verb == "pause"
        return deployment_calls.pause(watchers, state, self.deployment, eval_id, now_ns, is_pause=is_pause)


@act(
    "DEP-52",
    "DEP-56",
    "TRIG-21",
    actor="operator",
    external=True,
    refines="make_pending report_health fail_deployment",
)
class SetHealth(Act, frozen=True, kw_only=True):
    """An operator says which allocations of a deployment are healthy, and which are not."""

    deployment: str
    healthy: tuple[str, ...] = ()
    unhealthy: tuple[str, ...] = ()

    @classmethod
    def choices(cls, world: World) -> Iterator[Self]:
        """Any allocation of an active deployment, both ways."""
        for deployment_id in _list_active(world):
            for alloc in world.state.list_allocs_of_deployment(deployment_id):
                yield cls(deployment=deployment_id, healthy=(alloc.id,))
                yield cls(deployment=deployment_id, unhealthy=(alloc.id,))

    def take(self, world: World) -> World:
        """Write it; something unhealthy fails the deployment."""
        error = check_call(world.state, "set-health", self.deployment, (*self.healthy, *self.unhealthy))
        if error:
            return refuse(world, error)
        world, eval_id = make_id(world, "eval")
        call = deployment_calls.set_health(
            world.leader.watchers,
            world.state,
            self.deployment,
            eval_id,
            world.now_ns,
            healthy=self.healthy,
            unhealthy=self.unhealthy,
        )
        return _answer(world, call)
