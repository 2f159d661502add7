"""A dry run: what a registration would change, found out by the real scheduler and written nowhere."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from nomadspec.model.cluster.acts.jobs import find_registration_refusal, find_surroundings
from nomadspec.model.cluster.acts.operator_answers import accept, refuse
from nomadspec.model.cluster.acts.registry import Act, act
from nomadspec.model.cluster.admission.admission import admit
from nomadspec.model.cluster.admission.spec_change import is_spec_changed
from nomadspec.model.cluster.components.new_eval import make_eval
from nomadspec.model.cluster.components.registration import never_runs
from nomadspec.model.cluster.entities import Job, Plan, PlanResult, Trigger
from nomadspec.model.cluster.scheduler.annotations import describe_updates
from nomadspec.model.cluster.scheduler.choices import FreeChoices
from nomadspec.model.cluster.scheduler.outcome import Answer, Outcome, SubmitOnly
from nomadspec.model.cluster.scheduler.schedule import schedule
from nomadspec.model.cluster.scheduler.snapshot import Snapshot
from nomadspec.model.cluster.store.entries import Entry, apply
from nomadspec.model.cluster.store.requests import JobRegister
from nomadspec.model.cluster.world import World

NEW_JOB_INDEX: Final = 100
NOTHING: Final = "nothing would change"


@act("JOB-23", "TRIG-05d", "GENERIC-58", actor="operator", external=True)
class PlanJob(Act, frozen=True, kw_only=True):
    """An operator wants to know what a registration would change."""

    job: Job

    def take(self, world: World) -> World:
        """Answer with the counters of each group; nothing is written."""
        error = find_registration_refusal(world.state, self.job)
        if error:
            return refuse(world, error)
        job = admit(self.job, find_surroundings(world.state)).job
        if never_runs(job):
            return accept(world, NOTHING)
        outcome = try_out(world, job)
        return refuse(world, outcome.error) if outcome.error else accept(world, describe(outcome))


def try_out(world: World, job: Job) -> Outcome:
    """Run the scheduler of a job's type on a private copy of the state.

    Spec: JOB-23, TRIG-05d.
    """
    state, index = world.state, 0
    stored = state.find_job(job.namespace, job.id)
    if is_spec_changed(stored, job):
        index = stored.job_modify_index + 1 if stored is not None else NEW_JOB_INDEX
        entry = Entry(index, JobRegister(job=job))
        state = apply(state, entry, now_ns=world.now_ns, profile=world.settings.profile).state
    made = make_eval(job, Trigger.JOB_REGISTER, "dry-run", world.now_ns)
    changed_index = index if stored is not None else 0
    return schedule(
        Snapshot.of(state),
        replace(made, annotate_plan=True, job_modify_index=changed_index),
        world.now_ns,
        FreeChoices(world.settings.seed),
        SubmitOnly(_take_whole),
        scheduler=job.type,
        profile=world.settings.profile,
    )


def _take_whole(plan: Plan) -> Answer:
    return Answer(
        result=PlanResult(
            node_update=plan.node_update,
            node_allocation=plan.node_allocation,
            node_preemptions=plan.node_preemptions,
            deployment=plan.deployment,
            deployment_updates=plan.deployment_updates,
        )
    )


def describe(outcome: Outcome) -> str:
    """Say what would happen to each group, and what could not be placed.

    Spec: GENERIC-58.
    """
    annotations = outcome.plans[0].annotations if outcome.plans else None
    groups = annotations.desired_tg_updates if annotations else {}
    parts = [
        f"{name}: {', '.join(f'{count} {what}' for what, count in describe_updates(desired).items())}"
        for name, desired in sorted(groups.items())
        if describe_updates(desired)
    ]
    failed = sorted({name for each in outcome.updated_evals for name in each.failed_tg_allocs})
    parts += [f"{name}: not everything fits" for name in failed]
    return "; ".join(parts) or NOTHING
