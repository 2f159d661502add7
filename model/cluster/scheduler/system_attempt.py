"""One pass of the scheduler of jobs that run on every node: visit, update, place, deploy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from nomadspec.model.cluster.entities import (
    Allocation,
    AllocClient,
    AllocMetric,
    Deployment,
    DeploymentStatus,
    DeploymentStatusUpdate,
    DesiredDescription,
    DesiredUpdates,
    Job,
    PlanAnnotations,
)
from nomadspec.model.cluster.entities.allocation import is_canary
from nomadspec.model.cluster.entities.deployment import is_active
from nomadspec.model.cluster.entities.job import is_stopped
from nomadspec.model.cluster.scheduler.annotations import annotate
from nomadspec.model.cluster.scheduler.attempts import Call
from nomadspec.model.cluster.scheduler.feasibility.candidates import Candidates, find_candidates
from nomadspec.model.cluster.scheduler.generic_attempt import begin_context
from nomadspec.model.cluster.scheduler.in_place import Updater
from nomadspec.model.cluster.scheduler.ranking.system_stack import SystemStack
from nomadspec.model.cluster.scheduler.reasons import Stage
from nomadspec.model.cluster.scheduler.reconcile.deployments import is_of
from nomadspec.model.cluster.scheduler.reconcile.node import (
    Buckets,
    NodeEntry,
    NodeInput,
    is_outdated,
    reconcile_nodes,
)
from nomadspec.model.cluster.scheduler.reconcile.node_buckets import NodeBucket
from nomadspec.model.cluster.scheduler.reconcile.system_deployments import is_trying
from nomadspec.model.cluster.scheduler.system_deployment import (
    SystemDeployment,
    compute_canaries,
    list_known_canaries,
)
from nomadspec.model.cluster.scheduler.system_placement import SystemPlacer, count_queued
from nomadspec.model.cluster.scheduler.system_tally import Tally, count_desired, tally_groups, wrap_count
from nomadspec.model.cluster.scheduler.system_updates import (
    Updates,
    compute_limits,
    evict_within,
    find_stranded,
    put_hostless_last,
    update_where_possible,
)
from nomadspec.model.cluster.scheduler.tainted import find_tainted, stop_lost
from nomadspec.model.specification.quirks import CANARIES_AT_ONCE, CANCELLED_MEMBERS, SURPLUS_EVICTION


class SystemAttempt:
    """One pass: what it found, and what it leaves to be written."""

    def __init__(self, call: Call) -> None:
        """Begin on the state that the call has reached.

        Spec: SYSTEM-08, SYSTEM-09, SYSTEM-10, SYSTEM-11.
        """
        self._call = call
        self.context = begin_context(call)
        self.is_run_once = call.scheduler == "sysbatch"
        job = self.context.job
        self.job: Job | None = None if is_stopped(job) else job
        """The job as far as it shall run: none if it is stopped."""
        self.candidates = find_candidates(call.snapshot, self.job) if self.job else Candidates()
        self._search = SystemStack(self.context)
        if self.job is not None:
            self._search.set_job(self.job)
        self.queued: dict[str, int] = {}
        self.failed: Mapping[str, AllocMetric] = {}
        self.annotations: PlanAnnotations | None = None
        self.deployment: Deployment | None = None
        self.allocs: tuple[Allocation, ...] = ()
        """What the job had before."""

    def run(self) -> None:
        """Make the plan.

        Spec: SYSTEM-12.
        """
        buckets, deployment_updates = self._reconcile()
        self._stage(buckets)
        updates = self._update(buckets)
        desired = count_desired(buckets, updates)
        tallies = tally_groups(self.context.job, buckets, updates, profile=self.context.profile)
        stranded = self._find_stranded(buckets, updates)
        requested = (*buckets[NodeBucket.PLACE], *self._evict(buckets, updates))
        placer = self._place(requested, tallies, self._find_membership(deployment_updates), stranded)
        canaries = self._advance_deployment(buckets, requested, placer, deployment_updates)
        self._annotate(desired, placer, canaries)

    def _reconcile(self) -> tuple[Buckets, tuple[DeploymentStatusUpdate, ...]]:
        """Compare what is with what shall be.

        Spec: SYSTEM-08, SYSTEM-13, SYSDEP-01, SYSDEP-09.
        """
        context, evaluation = self.context, self.context.evaluation
        self.allocs = context.snapshot.list_allocs_of_job(evaluation.namespace, evaluation.job_id)
        latest = context.snapshot.find_latest_deployment(evaluation.namespace, evaluation.job_id)
        tainted = find_tainted(context.snapshot, self.allocs)
        stop_lost(context.plan, self.allocs, tainted)
        reconciled = reconcile_nodes(
            NodeInput(
                job=context.job,
                candidates=self.candidates,
                tainted=tainted,
                allocs=self.allocs,
                deployment=None if self.is_run_once else latest,
                now_ns=context.now_ns,
                choices=context.choices,
                reasons=context.reasons,
                profile=context.profile,
            )
        )
        if self.is_run_once:
            return reconciled.buckets, ()
        self.deployment = reconciled.deployment
        return reconciled.buckets, reconciled.deployment_updates

    def _stage(self, buckets: Buckets) -> None:
        """Stop what shall not go on, and mark what is out of reach.

        Spec: SYSTEM-14.
        """
        plan = self.context.plan
        for entry in buckets[NodeBucket.STOP]:
            plan.append_stop(entry.alloc, DesiredDescription.NOT_NEEDED)
        for entry in buckets[NodeBucket.MIGRATE]:
            plan.append_stop(entry.alloc, DesiredDescription.TAINTED)
        for entry in buckets[NodeBucket.LOST]:
            plan.append_stop(entry.alloc, DesiredDescription.LOST, AllocClient.LOST)
        for entry in buckets[NodeBucket.DISCONNECTING]:
            plan.append_unknown(entry.alloc)

    def _update(self, buckets: Buckets) -> Updates:
        """Update in place what can be.

        Spec: SYSTEM-12, SYSTEM-18.
        """
        entries = (*buckets[NodeBucket.UPDATE], *buckets[NodeBucket.RECONNECTING])
        updater = Updater(self.context, self._search)
        return update_where_possible(updater, entries, self._find_updated_membership())

    def _find_updated_membership(self) -> str:
        """Find the deployment that updates in place join: in the release the one at hand, whatever version.

        Spec: SYSTEM-18, SYSDEP-09, 05/S14.
        """
        deployment, job = self.deployment, self.job
        if deployment is None:
            return ""
        is_own = job is not None and is_of(deployment, job)
        return deployment.id if is_own or self.context.profile.has(CANCELLED_MEMBERS) else ""

    def _find_stranded(self, buckets: Buckets, updates: Updates) -> frozenset[str]:
        kept = [entry for entry in buckets[NodeBucket.IGNORE] if not is_outdated(entry.alloc, self.job)]
        updater = Updater(self.context, self._search)
        return find_stranded(updater, updates, kept, buckets[NodeBucket.PLACE])

    def _evict(self, buckets: Buckets, updates: Updates) -> list[NodeEntry]:
        """Stop what may be replaced now.

        Spec: SYSTEM-21, 05/S16, X-60, X-78.
        """
        profile, deployment = self.context.profile, self.deployment
        limits = compute_limits(
            self.job, updates.destructive, buckets[NodeBucket.IGNORE], deployment, profile=profile
        )
        trying = {
            group.name
            for group in (self.job.task_groups if self.job else ())
            if profile.has(CANARIES_AT_ONCE) or (self.job and is_trying(self.job, group, deployment))
        }
        destructive = put_hostless_last(Updater(self.context, self._search), updates.destructive)
        needs = self._count_needed_canaries(buckets, updates)
        evicted = evict_within(dict(limits), destructive, self.context.plan, trying, needs, profile=profile)
        if self.context.reasons.is_on:
            self._note_held(updates.destructive, evicted, limits)
        return evicted

    def _count_needed_canaries(self, buckets: Buckets, updates: Updates) -> Mapping[str, int]:
        """Count how many canaries each group lacks that tries the new version; the release does not ask.

        Spec: SYSDEP-12, SYSDEP-13, SYSDEP-14, X-78.
        """
        job, deployment = self.job, self.deployment
        if job is None or deployment is None or self.context.profile.has(SURPLUS_EVICTION):
            return {}
        ahead = sum(is_canary(entry.alloc) for entry in buckets[NodeBucket.PLACE])
        needs: dict[str, int] = {}
        for group in job.task_groups:
            if is_trying(job, group, deployment):
                old = sum(entry.group.name == group.name for entry in updates.destructive)
                known = len(list_known_canaries(buckets[NodeBucket.IGNORE], group.name))
                needs[group.name] = compute_canaries(group, old + known) - known - ahead
        return needs

    def _note_held(
        self, destructive: Iterable[NodeEntry], evicted: Iterable[NodeEntry], limits: Mapping[str, int]
    ) -> None:
        gone = {entry.alloc.id for entry in evicted}
        for entry in destructive:
            if entry.alloc.id not in gone:
                limit = limits[entry.group.name]
                self.context.reasons.note_judgement(
                    entry.alloc, Stage.MAX_PARALLEL, "held back", "SYSTEM-21", limit=limit
                )

    def _find_membership(self, updates: tuple[DeploymentStatusUpdate, ...]) -> str:
        """Find the deployment that new allocations join: the active one.

        Spec: SYSTEM-33, 05/S14.
        """
        deployment = self.deployment
        if deployment is None or not is_active(deployment):
            return ""
        is_cancelled = any(
            update.deployment_id == deployment.id and update.status == DeploymentStatus.CANCELLED
            for update in updates
        )
        return "" if is_cancelled and not self.context.profile.has(CANCELLED_MEMBERS) else deployment.id

    def _place(
        self,
        requested: tuple[NodeEntry, ...],
        tallies: Mapping[str, Tally],
        deployment_id: str,
        stranded: frozenset[str],
    ) -> SystemPlacer:
        placer = SystemPlacer(
            context=self.context,
            search=self._search,
            candidates=self.candidates,
            deployment=self.deployment,
            deployment_id=deployment_id,
            queued=count_queued(self.job, requested, is_run_once=self.is_run_once),
            tallies=tallies,
            stranded=stranded,
            block=self._call.try_to_create_eval,
        )
        placer.place_all(requested)
        self.queued, self.failed = placer.queued, placer.failed
        return placer

    def _advance_deployment(
        self,
        buckets: Buckets,
        requested: tuple[NodeEntry, ...],
        placer: SystemPlacer,
        deployment_updates: tuple[DeploymentStatusUpdate, ...],
    ) -> Mapping[str, int]:
        """Bring the deployment up to date; tell how many canaries each group has.

        Spec: SYSDEP-09, SYSDEP-22, SYSDEP-23.
        """
        if self.deployment is None:
            return {}
        advancing = SystemDeployment(
            job=self.context.job,
            deployment=self.deployment,
            plan=self.context.plan,
            choices=self.context.choices,
            tallies=placer.tallies,
            ignored=buckets[NodeBucket.IGNORE],
            requested=requested,
            placed=tuple(placer.placed),
            updates=list(deployment_updates),
            profile=self.context.profile,
            allocs=self.allocs,
        )
        self.deployment = self.context.plan.deployment = advancing.advance()
        self.context.plan.deployment_updates = tuple(advancing.updates)
        return advancing.canaries

    def _annotate(
        self, desired: Mapping[str, DesiredUpdates], placer: SystemPlacer, canaries: Mapping[str, int]
    ) -> None:
        """Sum up the pass; whom it evicts is only told where the plan is asked for.

        Spec: SYSTEM-28, SYSTEM-36, SYSDEP-15.
        """
        is_asked = self.context.evaluation.annotate_plan
        groups: dict[str, DesiredUpdates] = {}
        for group, counts in desired.items():
            tally = placer.tallies.get(group, Tally(place=counts.place))
            place = wrap_count(tally.place) if self.is_run_once else tally.candidates
            groups[group] = replace(
                counts,
                place=place,
                canary=canaries.get(group, 0),
                preemptions=placer.preemptions[group] if is_asked else 0,
            )
        self.annotations = annotate(groups, self.context.plan.evicted if is_asked else ())
        if is_asked:
            self.context.plan.annotations = self.annotations
