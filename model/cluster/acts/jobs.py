"""What operators ask of jobs: to register, stop, revert and look at them again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Self

from msgspec.structs import replace

from nomadspec.model.cluster.acts.operator_answers import accept, ask, refuse
from nomadspec.model.cluster.acts.registry import Act, act
from nomadspec.model.cluster.admission.admission import admit
from nomadspec.model.cluster.admission.job_update import find_update_refusal
from nomadspec.model.cluster.admission.surroundings import Surroundings
from nomadspec.model.cluster.components import job_calls, registration
from nomadspec.model.cluster.entities import Job
from nomadspec.model.cluster.store.requests import JobDeregister, JobRegister
from nomadspec.model.cluster.store.state import State
from nomadspec.model.cluster.world import World, make_id

REJECTED: Final = "job registration, dispatch, and scale are disabled by the scheduler configuration"


def find_surroundings(state: State) -> Surroundings:
    """Find what admission has to know of the cluster."""
    return Surroundings(
        namespaces=frozenset(each.name for each in state.list_namespaces()),
        node_pools=frozenset(each.name for each in state.list_node_pools()),
    )


def find_registration_refusal(state: State, job: Job, enforced_index: int | None = None) -> str:
    """Find why a job that was filled in is not registered; empty if it is.

    Spec: JOB-01, JOB-02, JOB-03, JOB-04.
    """
    if state.configuration is not None and state.configuration.reject_job_registration:
        return REJECTED
    admission = admit(job, find_surroundings(state))
    if not admission.is_accepted:
        return "; ".join(each.render() for each in admission.errors)
    stored = state.find_job(admission.job.namespace, admission.job.id)
    return find_update_refusal(stored, admission.job, enforced_index) or ""


@act(
    "JOB-01",
    "JOB-02",
    "JOB-08",
    "TRIG-03",
    "TRIG-04",
    actor="operator",
    external=True,
    refines="make_pending",
)
class RegisterJob(Act, frozen=True, kw_only=True):
    """An operator registers a job: as new, as a further version, or as it is."""

    job: Job
    eval_priority: int = 0
    enforced_index: int | None = None
    """The index that the stored job must have, where the operator insists on one."""
    preserve_counts: bool = False

    def take(self, world: World) -> World:
        """Admit the job and write it with its evaluation; one that is refused changes nothing."""
        error = find_registration_refusal(world.state, self.job, self.enforced_index)
        if error:
            return refuse(world, error)
        admitted = admit(self.job, find_surroundings(world.state)).job
        world, eval_id = make_id(world, "eval")
        job = replace(admitted, submit_time_ns=world.now_ns)
        request = registration.register_job(
            world.state, job, eval_id, world.now_ns, eval_priority=self.eval_priority
        )
        if request is None:
            return accept(world)
        if isinstance(request, JobRegister):
            request = replace(
                request,
                preserve_counts=self.preserve_counts,
                enforce_index=self.enforced_index is not None,
                job_modify_index=self.enforced_index or 0,
            )
        return ask(world, request).world


@act(
    "JOB-12",
    "JOB-13",
    "JOB-14",
    "JOB-16",
    "TRIG-06",
    actor="operator",
    external=True,
    refines="purge_job make_pending",
)
class DeregisterJob(Act, frozen=True, kw_only=True):
    """An operator stops a job, or has it purged."""

    job_id: str
    namespace: str = "default"
    purge: bool = False

    @classmethod
    def choices(cls, world: World) -> Iterator[Self]:
        """Any job that is not stopped yet, to stop it; any job, to purge it."""
        for job in world.state.list_jobs() if world.is_led else ():
            yield cls(job_id=job.id, namespace=job.namespace, purge=True)
            if not job.stop:
                yield cls(job_id=job.id, namespace=job.namespace)

    def take(self, world: World) -> World:
        """Write it with its evaluation."""
        world, eval_id = make_id(world, "eval")
        asked = JobDeregister(job_id=self.job_id, namespace=self.namespace, purge=self.purge)
        request = registration.deregister_job(world.state, asked, eval_id, world.now_ns)
        return accept(world) if request is None else ask(world, request).world


@act("JOB-18", "TRIG-05c", actor="operator", external=True, refines="make_pending")
class RevertJob(Act, frozen=True, kw_only=True):
    """An operator has a kept version of a job registered again, as a new version."""

    job_id: str
    version: int
    namespace: str = "default"
    enforced_version: int | None = None

    @classmethod
    def choices(cls, world: World) -> Iterator[Self]:
        """Any kept version of any job but the current one."""
        for job in world.state.list_jobs() if world.is_led else ():
            for kept in world.state.list_job_versions(job.namespace, job.id):
                if kept.version != job.version:
                    yield cls(job_id=job.id, namespace=job.namespace, version=kept.version)

    def take(self, world: World) -> World:
        """Register a copy of it."""
        derived = job_calls.derive_reverted_job(
            world.state, self.namespace, self.job_id, self.version, self.enforced_version
        )
        if derived.job is None:
            return refuse(world, derived.error)
        current = world.state.find_job(self.namespace, self.job_id)
        is_enforced = self.enforced_version is not None and current is not None
        index = current.job_modify_index if is_enforced and current is not None else None
        return RegisterJob(job=derived.job, enforced_index=index).take(world)


@act("JOB-20", "TRIG-05b", "RESCHED-25", actor="operator", external=True, refines="make_pending")
class EvaluateJob(Act, frozen=True, kw_only=True):
    """An operator has a job looked at again, and if they insist, what failed for good placed again."""

    job_id: str
    namespace: str = "default"
    is_forced: bool = False

    @classmethod
    def choices(cls, world: World) -> Iterator[Self]:
        """Any job that has evaluations, with and without force."""
        for job in world.state.list_jobs() if world.is_led else ():
            if not registration.never_runs(job):
                yield cls(job_id=job.id, namespace=job.namespace)
                yield cls(job_id=job.id, namespace=job.namespace, is_forced=True)

    def take(self, world: World) -> World:
        """Write the evaluation with the marks."""
        world, eval_id = make_id(world, "eval")
        call = job_calls.evaluate_job(
            world.state, self.namespace, self.job_id, eval_id, world.now_ns, is_forced=self.is_forced
        )
        return refuse(world, call.error) if call.request is None else ask(world, call.request).world
