"""One attempt of the scheduler of services and batches: reconcile, move into the plan, place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from nomadspec.model.cluster.constraints.eligibility import ClassEligibility, learn_nothing
from nomadspec.model.cluster.entities import (
    Allocation,
    AllocMetric,
    Deployment,
    DeploymentStatus,
    DesiredDescription,
    DesiredUpdates,
    Job,
    PlanAnnotations,
)
from nomadspec.model.cluster.scheduler.annotations import annotate
from nomadspec.model.cluster.scheduler.attempts import Call
from nomadspec.model.cluster.scheduler.context import Context
from nomadspec.model.cluster.scheduler.in_place import Updater
from nomadspec.model.cluster.scheduler.placement import Placer, count_requests
from nomadspec.model.cluster.scheduler.plan_builder import PlanBuilder
from nomadspec.model.cluster.scheduler.ranking.select import GenericStack
from nomadspec.model.cluster.scheduler.reconcile.cluster import reconcile
from nomadspec.model.cluster.scheduler.reconcile.deployments import is_of
from nomadspec.model.cluster.scheduler.reconcile.inputs import Reconciled, ReconcileInput
from nomadspec.model.cluster.scheduler.tainted import find_tainted, stop_lost
from nomadspec.model.errors import InputError
from nomadspec.model.specification.quirks import CANCELLED_IS_JOINED, LEAKED_FOLLOW_UP

MOST_ALLOCS: Final = 1_000_000
"""So many of one group still end in a time that somebody waits for."""


def begin_context(call: Call) -> Context:
    """Look the job up, and start an empty plan with nothing learnt.

    Spec: GENERIC-09, GENERIC-10, GENERIC-11, SYSTEM-08.
    """
    job = call.snapshot.find_job(call.evaluation.namespace, call.evaluation.job_id)
    if job is not None:
        refuse_endless(job)
    plan = PlanBuilder(
        snapshot=call.snapshot,
        choices=call.choices,
        eval_id=call.evaluation.id,
        priority=call.evaluation.priority,
        job=job,
        now_ns=call.now_ns,
    )
    return Context(
        snapshot=call.snapshot,
        evaluation=call.evaluation,
        scheduler=call.scheduler,
        job=job,
        plan=plan,
        choices=call.choices,
        now_ns=call.now_ns,
        profile=call.profile,
        reasons=call.reasons,
        eligibility=learn_nothing(job) if job else ClassEligibility(),
    )


def refuse_endless(job: Job) -> None:
    """Refuse a job that nobody could ever place: a server takes 50,000 allocations if it is not told more.

    Spec: OBJ-034.
    """
    for group in job.task_groups:
        wanted = max(group.count, group.update.canary if group.update else 0)
        if wanted > MOST_ALLOCS:
            problem = f"group {group.name!r} wants {wanted} allocations, which are too many to place"
            raise InputError(f"job {job.id}", problem, hint=f"write at most {MOST_ALLOCS}")


class Attempt:
    """One attempt: what it found, and what it leaves to be written."""

    def __init__(self, call: Call) -> None:
        """Begin on the state that the call has reached; for a stopped job no node is ever searched.

        Spec: GENERIC-10, GENERIC-11, GENERIC-09, RANK-79.
        """
        self._call = call
        self.context = begin_context(call)
        self._search = GenericStack(self.context)
        job = self.context.job
        if job is not None and not job.stop:
            self._search.set_job(job)
        self.queued: dict[str, int] = {}
        self.failed: Mapping[str, AllocMetric] = {}
        self.annotations: PlanAnnotations | None = None
        self.deployment: Deployment | None = None
        """The current deployment; forgotten when a newer state has to be looked at."""

    def run(self) -> Reconciled:
        """Make the plan.

        Spec: GENERIC-05.
        """
        reconciled = self._reconcile()
        self.deployment = reconciled.deployment or self._keep_deployment(reconciled)
        self._transfer(reconciled)
        desired = self._place(reconciled)
        plan = self.context.plan
        self.annotations = annotate(desired, plan.evicted)
        if self.context.evaluation.annotate_plan:
            plan.annotations = self.annotations
        return reconciled

    def _keep_deployment(self, reconciled: Reconciled) -> Deployment | None:
        """Keep the deployment that was found as the current one, whatever its version and its status.

        Spec: GENERIC-19, 04/S-08.
        """
        if self.deployment is None or self.context.profile.has(CANCELLED_IS_JOINED):
            return self.deployment
        cancelled = {
            update.deployment_id
            for update in reconciled.deployment_updates
            if update.status == DeploymentStatus.CANCELLED
        }
        job, found = self.context.job, self.deployment
        is_current = job is not None and is_of(found, job)
        return found if is_current and found.id not in cancelled else None

    def _reconcile(self) -> Reconciled:
        """Compare what is with what shall be.

        Spec: GENERIC-11, GENERIC-12, GENERIC-13, GENERIC-14, GENERIC-15, GENERIC-19, BATCH-01.
        """
        context, evaluation = self.context, self.context.evaluation
        known = context.snapshot.list_allocs_of_job(evaluation.namespace, evaluation.job_id)
        allocs = tuple(map(self._call.remember, known)) if self._call.moved else known
        tainted = find_tainted(context.snapshot, allocs)
        stop_lost(context.plan, allocs, tainted)
        if not context.is_batch:
            self.deployment = context.snapshot.find_latest_deployment(evaluation.namespace, evaluation.job_id)
        return reconcile(
            ReconcileInput(
                job=context.job,
                job_id=evaluation.job_id,
                is_batch=context.is_batch,
                deployment=self.deployment,
                allocs=allocs,
                tainted=tainted,
                evaluation=evaluation,
                now_ns=context.now_ns,
                choices=context.choices,
                updater=Updater(context, self._search),
                reasons=context.reasons,
                profile=context.profile,
            )
        )

    def _transfer(self, reconciled: Reconciled) -> None:
        """Move what the reconciler decided into the plan.

        Spec: GENERIC-16.
        """
        plan = self.context.plan
        plan.deployment = reconciled.deployment
        plan.deployment_updates = reconciled.deployment_updates
        self._leave_followups(reconciled)
        for stop in reconciled.stops:
            plan.append_stop(stop.alloc, stop.description, stop.client_status, stop.followup_eval_id)
        for alloc in reconciled.disconnect_updates:
            plan.append_unknown(alloc)
        for alloc in reconciled.reconnect_updates:
            plan.append_alloc(alloc)
        for alloc in reconciled.in_place_updates:
            plan.append_alloc(self._join_deployment(alloc))
        for alloc in reconciled.attribute_updates:
            plan.append_alloc(alloc)

    def _leave_followups(self, reconciled: Reconciled) -> None:
        """Leave in memory who looks later at what moves, whatever becomes of the plan.

        Spec: RESCHED-22, 04/S-21.
        """
        if not self.context.profile.has(LEAKED_FOLLOW_UP):
            return
        for stop in reconciled.stops:
            alloc = self.context.snapshot.find_alloc(stop.alloc.id)
            if (
                alloc is not None
                and stop.description == DesiredDescription.MIGRATING
                and stop.followup_eval_id
            ):
                self._call.moved[alloc.id] = (alloc, stop.followup_eval_id)

    def _join_deployment(self, alloc: Allocation) -> Allocation:
        """Mark an updated allocation with the current deployment; what was known of its health is void.

        Spec: GENERIC-18.
        """
        deployment_id = self.deployment.id if self.deployment else ""
        if alloc.deployment_id == deployment_id:
            return alloc
        return replace(alloc, deployment_id=deployment_id, deployment_status=None)

    def _place(self, reconciled: Reconciled) -> Mapping[str, DesiredUpdates]:
        """Place what is missing, and count it; give the counters of the groups with the evictions added.

        Spec: GENERIC-20, GENERIC-21, EVAL-41.
        """
        job, requests = self.context.job, (reconciled.destructive, reconciled.placements)
        if job is None:
            return reconciled.desired_updates
        if not any(requests):
            self.queued = {group.name: 0 for group in job.task_groups}
            return reconciled.desired_updates
        self.queued = count_requests(*requests)
        placer = Placer(
            context=self.context,
            search=self._search,
            job=job,
            deployment=self.deployment,
            names=dict(reconciled.name_indexes),
            desired=reconciled.desired_updates,
        )
        placer.place_all(*requests)
        self.failed = placer.failed
        return placer.desired
