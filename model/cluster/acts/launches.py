"""What launches children of jobs: the periodic dispatcher, and operators who do not wait for it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from msgspec.structs import replace

from nomadspec.model.cluster.acts.commit import commit
from nomadspec.model.cluster.acts.operator_answers import accept, ask, refuse
from nomadspec.model.cluster.acts.registry import Act, Timer, act
from nomadspec.model.cluster.admission.dispatch import (
    Dispatch,
    check_dispatch,
    derive_dispatched_child,
    find_earlier_child,
)
from nomadspec.model.cluster.components import periodic
from nomadspec.model.cluster.components.new_eval import make_eval
from nomadspec.model.cluster.components.registration import make_registration_eval
from nomadspec.model.cluster.entities import Job, Trigger
from nomadspec.model.cluster.entities.job import is_parameterized
from nomadspec.model.cluster.store.requests import JobRegister
from nomadspec.model.cluster.world import World, make_id


@act("JOB-25", "JOB-26", "JOB-27", "TRIG-08", actor="periodic dispatcher", refines="make_pending")
class LaunchPeriodic(Timer, frozen=True, kw_only=True):
    """A launch of a periodic job is due: a child is registered, unless one runs that forbids it."""

    @classmethod
    def list_due(cls, world: World) -> Iterator[tuple[int, Self]]:
        """The next launch of any job."""
        launches = [one.next_ns for one in world.leader.dispatcher.tracked.values()]
        due_ns = min((each for each in launches if each is not None), default=None)
        if due_ns is not None:
            yield due_ns, cls()

    def take(self, world: World) -> World:
        """Register the children of all launches of that instant."""
        state = world.state
        due_ns = periodic.find_due(world.leader.dispatcher, world.now_ns)
        if due_ns is None:
            return world
        dispatcher, launches = periodic.launch_due(
            world.leader.dispatcher, due_ns, lambda job: periodic.has_running_child(state, job)
        )
        world = replace(world, leader=replace(world.leader, dispatcher=dispatcher))
        for launch in launches:
            world = register_child(world, launch.child)
        return world


def register_child(world: World, child: Job) -> World:
    """Register the child of a launch with its evaluation; one that is there already is registered again.

    Spec: JOB-25, TRIG-08.
    """
    world, eval_id = make_id(world, "eval")
    submitted = replace(child, submit_time_ns=world.now_ns)
    made = make_eval(submitted, Trigger.PERIODIC_JOB, eval_id, world.now_ns)
    return commit(world, JobRegister(job=submitted, eval=made)).world


@act("JOB-29", "TRIG-08", actor="operator", external=True, refines="make_pending")
class ForcePeriodic(Act, frozen=True, kw_only=True):
    """An operator has a periodic job launched now, whether a child of it runs or not."""

    job_id: str
    namespace: str = "default"

    @classmethod
    def choices(cls, world: World) -> Iterator[Self]:
        """Any job that the dispatcher knows."""
        for namespace, job_id in sorted(world.leader.dispatcher.tracked):
            yield cls(job_id=job_id, namespace=namespace)

    def take(self, world: World) -> World:
        """Register the child."""
        dispatcher = world.leader.dispatcher
        error = periodic.find_force_refusal(dispatcher, self.namespace, self.job_id)
        if error is not None:
            return refuse(world, error)
        launch = periodic.force_launch(dispatcher, self.namespace, self.job_id, world.now_ns)
        return accept(register_child(world, launch.child), launch.child.id)


@act("JOB-21", "TRIG-05a", actor="operator", external=True, refines="make_pending")
class DispatchJob(Act, frozen=True, kw_only=True):
    """An operator has a parameterized job run once, with what it is to work on."""

    job_id: str
    namespace: str = "default"
    dispatch: Dispatch = Dispatch()

    @classmethod
    def choices(cls, world: World) -> Iterator[Self]:
        """Any parameterized job that asks for nothing."""
        for job in world.state.list_jobs() if world.is_led else ():
            if is_parameterized(job) and not list(check_dispatch(job, Dispatch())):
                yield cls(job_id=job.id, namespace=job.namespace)

    def take(self, world: World) -> World:
        """Register the child with its evaluation, unless an earlier request with the same token did."""
        parent = world.state.find_job(self.namespace, self.job_id)
        complaints = tuple(check_dispatch(parent, self.dispatch))
        if parent is None or complaints:
            return refuse(world, "; ".join(each.render() for each in complaints))
        children = world.state.list_children(self.namespace, self.job_id)
        earlier = find_earlier_child(children, self.dispatch)
        if earlier is not None:
            return accept(world, earlier.id)
        world, eval_id = make_id(world, "eval")
        child = derive_dispatched_child(
            parent,
            self.dispatch,
            now_ns=world.now_ns,
            random_hex=f"{world.made:08x}",
            packed_payload=self.dispatch.payload,
        )
        made = make_registration_eval(child, eval_id, world.now_ns)
        token = self.dispatch.idempotency_token
        return ask(world, JobRegister(job=child, eval=made, idempotency_token=token), says=child.id).world
