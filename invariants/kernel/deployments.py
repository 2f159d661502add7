"""What must be true of the status and the counters of deployments."""

from collections.abc import Callable

from nomadspec.invariants.kernel.applier import list_plans
from nomadspec.invariants.kernel.bounds import may_go_unevaluated
from nomadspec.invariants.kernel.scheduler import has_planned
from nomadspec.model.kernel.applier import places_any
from nomadspec.model.kernel.broker import is_system
from nomadspec.model.kernel.deployments import is_active
from nomadspec.model.kernel.ids import AllocNumber, EntryId, JobId, WorkerId
from nomadspec.model.kernel.plan_queue import is_with_applier
from nomadspec.model.kernel.records import Plan, PlannedDeployment
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import (
    TERMINAL_DEPLOYMENT,
    AllocPhase,
    DeploymentPart,
    DeploymentPhase,
    Health,
    JobPhase,
    Kind,
    Stage,
    TriggeredBy,
)
from nomadspec.model.kernel.verdict import is_stored
from nomadspec.model.language.logic import (
    Flag,
    all_of,
    any_of,
    count,
    exists,
    for_all,
    implies,
    ite,
    not_,
    one_of,
)
from nomadspec.model.language.property import always, eventually, lemma, sometimes, step


def is_current(s: Kernel, job: JobId) -> Flag:
    """True while the job has a deployment, and it is of the current version."""
    return all_of(
        s.deployment[job] != DeploymentPhase.ABSENT, s.deployment_version[job] == s.job_version[job]
    )


def commits(s: Kernel, n: Kernel, job: JobId, is_meant: Callable[[PlannedDeployment], Flag]) -> Flag:
    """True where a plan of a job is committed, if only in part, that has some deployment."""

    def is_answered(w: WorkerId) -> Flag:
        is_sent_back = one_of(n.stage[w], Stage.REJECTED, Stage.EXHAUSTED)
        is_kept = any_of(n.stage[w] == Stage.DECIDED, all_of(is_sent_back, not_(s.all_at_once)))
        is_over = all_of(is_with_applier(s, w), is_kept)
        return all_of(is_over, s.job[w] == job, is_meant(s.plan[w].deployment))

    def is_committed(f: EntryId) -> Flag:
        is_over = all_of(s.in_flight.has(f), not_(n.in_flight.has(f)))
        return all_of(is_over, s.entry[f].job == job, is_meant(s.entry[f].deployment))

    return any_of(exists(is_answered(w) for w in s.workers), exists(is_committed(f) for f in s.entries))


def begins(s: Kernel, n: Kernel, job: JobId) -> Flag:
    """True where a deployment of a job begins: the job had none, or another one."""
    is_other = any_of(has_none(s, job), n.deployment_parity[job] != s.deployment_parity[job])
    return all_of(not_(has_none(n, job)), is_other)


def has_none(s: Kernel, job: JobId) -> Flag:
    """True while a job has no deployment."""
    return s.deployment[job] == DeploymentPhase.ABSENT


@step("DEP-02", "DEP-20", "DEP-22", why="a failed or cancelled deployment must not go on")
def ended_deployments_stay_ended(s: Kernel, n: Kernel, job: JobId) -> Flag:
    """A deployment that has ended, or was deleted, keeps its status until a plan begins another one."""
    return any_of(
        is_active(s.deployment[job]),
        n.deployment[job] == s.deployment[job],
        has_none(n, job),
        begins(s, n, job),
    )


@always("DEP-15", "DEP-24", why="a deployment goes on, succeeds or fails by its counters")
def counters_agree_with_allocations(s: Kernel, job: JobId) -> Flag:
    """A deployment counts as healthy and unhealthy what its allocations are."""
    return all_of(
        s.healthy[job] == count(s.health[job, i] == Health.HEALTHY for i in s.allocs),
        s.unhealthy[job] == count(s.health[job, i] == Health.UNHEALTHY for i in s.allocs),
    )


@always("DEP-24", why="the placed count says how far a deployment is")
def placed_allocations_are_counted(s: Kernel, job: JobId) -> Flag:
    """A deployment counts the allocations that were placed for it, and no health of others."""
    return all_of(
        s.placed[job] == count(s.in_deployment[job, i] for i in s.allocs),
        for_all(implies(s.health[job, i] != Health.UNSET, s.in_deployment[job, i]) for i in s.allocs),
    )


@always("DEP-15", "DEP-24", "PLAN-75", why="its counters are of its version")
def deployment_counts_no_alloc_of_an_older_version(s: Kernel, job: JobId, i: AllocNumber) -> Flag:
    """What a deployment counts was placed, and is of its version, or was updated or deleted since."""
    is_new = s.alloc_version[job, i] >= s.deployment_version[job]
    is_known = s.alloc_phase[job, i] != AllocPhase.ABSENT
    is_its = any_of(all_of(is_new, is_known), s.alloc_phase[job, i] == AllocPhase.GONE)
    return implies(s.in_deployment[job, i], is_its)


@step("DEP-15", "DEP-20", "DEP-24", why="who sees how far a deployment came relies on it")
def placed_only_grows(s: Kernel, n: Kernel, job: JobId) -> Flag:
    """The count of what was placed for a deployment never shrinks; what it counts stays counted."""
    is_kept = for_all(implies(s.in_deployment[job, i], n.in_deployment[job, i]) for i in s.allocs)
    return any_of(all_of(s.placed[job] <= n.placed[job], is_kept), begins(s, n, job), has_none(n, job))


def is_to_fail(s: Kernel, job: JobId) -> Flag:
    """True while a deployment has not ended, though one of its allocations is unhealthy."""
    is_unhealthy = exists(
        all_of(s.health[job, i] == Health.UNHEALTHY, s.alloc_phase[job, i] == AllocPhase.RUNNING)
        for i in s.allocs
    )
    return all_of(is_active(s.deployment[job]), is_unhealthy)


def has_outdated_deployment(s: Kernel, job: JobId) -> Flag:
    """True while a deployment has not ended, though its job is stopped or has a newer version."""
    is_over = any_of(s.job_phase[job] == JobPhase.STOPPED, s.deployment_version[job] != s.job_version[job])
    return all_of(is_active(s.deployment[job]), is_over)


def is_healthy(s: Kernel, job: JobId) -> Flag:
    """True while an active deployment has as many healthy, running allocations as its job asks for."""
    is_right = all_of(s.job_phase[job] == JobPhase.WANTED, is_current(s, job), is_active(s.deployment[job]))
    healthy = count(
        all_of(s.alloc_phase[job, i] == AllocPhase.RUNNING, s.health[job, i] == Health.HEALTHY)
        for i in s.allocs
    )
    return all_of(is_right, healthy >= s.count)


def is_to_end(s: Kernel, job: JobId) -> Flag:
    """True while a deployment has to end: as failed, cancelled or successful."""
    return any_of(is_to_fail(s, job), has_outdated_deployment(s, job), is_healthy(s, job))


@eventually(
    "DEP-09",
    "DEP-10",
    "DEP-11",
    "DEP-12",
    "DEP-31",
    "DEP-32",
    "DEP-33",
    "DEP-34",
    "DEP-36",
    "DEP-40",
    why="a bad version would go on replacing a good one, or nobody would learn that all is well",
    given=is_to_end,
)
def deployments_end(s: Kernel, job: JobId) -> Flag:
    """A deployment does not stay active when something is unhealthy, all is healthy, or its job changed."""
    return any_of(may_go_unevaluated(s, job), not_(is_to_end(s, job)))


def runs_undeployed(s: Kernel, job: JobId) -> Flag:
    """True while the current version of a service or system job runs, and has no deployment."""
    deploys = all_of(s.deployments, one_of(s.kind[job], Kind.SERVICE, Kind.SYSTEM))
    runs = exists(
        all_of(s.alloc_phase[job, i] == AllocPhase.RUNNING, s.alloc_version[job, i] == s.job_version[job])
        for i in s.allocs
    )
    return all_of(deploys, s.job_phase[job] == JobPhase.WANTED, runs, not_(is_current(s, job)))


@eventually("DEP-08", "REC-87", "SYSDEP-06", why="nobody could revert a bad version", given=runs_undeployed)
def versions_get_a_deployment(s: Kernel, job: JobId) -> Flag:
    """Each version of a service or system job that runs gets a deployment."""
    return any_of(may_go_unevaluated(s, job), not_(runs_undeployed(s, job)))


@sometimes("DEP-01", "DEP-08", why="versions matter only once there are two", scopes=("deployment",))
def a_deployment_has_a_later_version(s: Kernel) -> Flag:
    """An active deployment is of a later version than the first."""
    return exists(all_of(is_active(s.deployment[job]), s.deployment_version[job] > 0) for job in s.jobs)


@sometimes("DEP-22", why="a deployment in a plan may have ended since", scopes=("deployment",))
def a_deployment_ends_under_a_plan(s: Kernel, job: JobId, w: WorkerId) -> Flag:
    """A deployment has ended for which a plan that is with the applier was made."""
    planned = s.plan[w].deployment
    is_made = all_of(s.job[w] == job, is_with_applier(s, w), is_active(planned.status))
    return all_of(
        is_made, planned.version == s.deployment_version[job], one_of(s.deployment[job], *TERMINAL_DEPLOYMENT)
    )


@sometimes("DEP-24", why="counters only matter where health is reported", scopes=("deployment", "purge"))
def an_allocation_is_unhealthy(s: Kernel) -> Flag:
    """An allocation of a deployment is unhealthy."""
    return exists(s.health[job, i] == Health.UNHEALTHY for job in s.jobs for i in s.allocs)


@sometimes("DEP-12", why="an end stays only where there is one", scopes=("deployment", "purge"))
def a_deployment_fails(s: Kernel) -> Flag:
    """A deployment has failed."""
    return exists(s.deployment[job] == DeploymentPhase.FAILED for job in s.jobs)


@sometimes("DEP-09", why="a deployment that cannot succeed shows nothing", scopes=("deployment", "purge"))
def a_deployment_succeeds(s: Kernel) -> Flag:
    """A deployment was successful."""
    return exists(s.deployment[job] == DeploymentPhase.SUCCESSFUL for job in s.jobs)


@sometimes("DEP-13", "DEP-49", why="a paused deployment must be able to go on", scopes=("deployment-paused",))
def a_deployment_goes_on_after_a_pause(s: Kernel) -> Flag:
    """A deployment runs of which nothing was placed, and for which its job was evaluated once more.

    An operator who resumes it makes that evaluation.
    """

    def count_events(job: JobId) -> int:
        return count(
            all_of(e < s.made[job], s.triggered_by[job, e] == TriggeredBy.EVENT) for e in s.eval_numbers
        )

    return exists(
        all_of(s.deployment[job] == DeploymentPhase.RUNNING, s.placed[job] == 0, count_events(job) > 1)
        for job in s.jobs
    )


@step(
    "DEP-09",
    "DEP-10",
    "DEP-11",
    "DEP-12",
    "DEP-20",
    "DEP-43",
    "DEP-51",
    "TRIG-21",
    why="operators rely on how a deployment ended, and only a scheduler knows what a job still wants",
)
def deployment_ends_for_a_reason(s: Kernel, n: Kernel, j: JobId) -> Flag:
    """A deployment fails by its allocations' health or an operator, and ends otherwise as a plan says.

    One that fails leaves an evaluation. The plan is of the same job, and speaks of this version.
    """

    def is_told(planned: PlannedDeployment) -> Flag:
        is_whole = all_of(planned.part == DeploymentPart.WHOLE, planned.status == n.deployment[j])
        is_said = any_of(planned.status_update == n.deployment[j], is_whole)
        return all_of(is_said, planned.version == n.deployment_version[j])

    is_unhealthy = exists(s.health[j, i] == Health.UNHEALTHY for i in s.allocs)
    is_asked = n.deployment_changes_made > s.deployment_changes_made
    has_failed = all_of(is_active(s.deployment[j]), n.deployment[j] == DeploymentPhase.FAILED)
    is_due = all_of(any_of(is_unhealthy, is_asked), n.made[j] == s.made[j] + 1)
    is_end = one_of(n.deployment[j], DeploymentPhase.SUCCESSFUL, DeploymentPhase.CANCELLED)
    return all_of(
        implies(all_of(has_failed, not_(begins(s, n, j))), is_due),
        implies(all_of(n.deployment[j] != s.deployment[j], is_end), is_coming(s, j, is_told)),
    )


@step(
    "DEP-09", "DEP-10", "DEP-11", "REC-04", "REC-07", "REC-90", why="a version that is wanted would be lost"
)
def scheduler_ends_deployment_for_a_reason(s: Kernel, n: Kernel, w: WorkerId, j: JobId) -> Flag:
    """A scheduler calls a deployment successful only for a wanted version, and cancels it for any other.

    With success a service job's plan places nothing. What has ended is ended no more.
    """
    view, plan = s.seen[w], n.plan[w]
    is_wanted = all_of(view.job_phase == JobPhase.WANTED, view.deployment_version == view.job_version)
    is_quiet = any_of(is_system(s, j), not_(places_any(n, plan)))
    succeeds = plan.deployment.status_update == DeploymentPhase.SUCCESSFUL
    is_right = ite(succeeds, all_of(is_wanted, is_quiet), not_(is_wanted))
    ends = plan.deployment.status_update != DeploymentPhase.ABSENT
    is_made = all_of(has_planned(s, n, w), s.job[w] == j)
    return implies(all_of(is_made, ends), all_of(is_active(view.deployment), is_right))


@step(
    "DEP-15", "DEP-24", "GENERIC-18", "GENERIC-26", why="nobody would watch the health of what a version runs"
)
def placed_allocs_belong_to_their_deployment(s: Kernel, n: Kernel, j: JobId, i: AllocNumber) -> Flag:
    """What a plan places or updates belongs to the deployment for which it does; nothing else joins one."""

    def is_its(planned: PlannedDeployment) -> Flag:
        is_there = all_of(not_(has_none(n, j)), planned.version == n.deployment_version[j])
        is_on = all_of(is_active(planned.status), planned.status_update != DeploymentPhase.CANCELLED)
        return all_of(is_there, is_on)

    is_placed = all_of(s.alloc_phase[j, i] == AllocPhase.ABSENT, n.alloc_phase[j, i] == AllocPhase.RUNNING)
    is_updated = all_of(is_stored(s, j, i), n.alloc_version[j, i] > s.alloc_version[j, i])
    is_meant = all_of(any_of(is_placed, is_updated), commits(s, n, j, is_its))
    joins = all_of(n.in_deployment[j, i], not_(s.in_deployment[j, i]))
    return all_of(implies(is_meant, n.in_deployment[j, i]), implies(joins, is_meant))


@step("DEP-13", "DEP-22", "DEP-49", "DEP-51", why="who pauses a deployment relies on it to stay paused")
def paused_deployment_stays_paused(s: Kernel, n: Kernel, j: JobId) -> Flag:
    """No scheduler, plan or health report pauses a deployment or lets a paused one go on.

    One that goes on gets its job an evaluation, and one that is paused does not.
    """
    goes_on = all_of(s.deployment[j] == DeploymentPhase.PAUSED, n.deployment[j] == DeploymentPhase.RUNNING)
    is_paused = all_of(s.deployment[j] != DeploymentPhase.PAUSED, n.deployment[j] == DeploymentPhase.PAUSED)
    is_news = any_of(
        n.has_new_health[j] != s.has_new_health[j], exists(n.health[j, i] != s.health[j, i] for i in s.allocs)
    )
    is_asked = n.deployment_changes_made > s.deployment_changes_made
    is_right = all_of(is_asked, not_(is_news), n.made[j] == ite(goes_on, s.made[j] + 1, s.made[j]))
    return any_of(begins(s, n, j), implies(any_of(goes_on, is_paused), is_right))


def has_whole(planned: PlannedDeployment) -> Flag:
    """True while a plan carries all of the deployment of its job."""
    is_whole: Flag = planned.part == DeploymentPart.WHOLE
    return is_whole


def is_coming(s: Kernel, job: JobId, is_meant: Callable[[PlannedDeployment], Flag]) -> Flag:
    """True while some deployment of a job is on its way to the store, with the applier or in the log."""

    def is_planned(w: WorkerId) -> Flag:
        return all_of(is_with_applier(s, w), s.job[w] == job, is_meant(s.plan[w].deployment))

    def is_logged(f: EntryId) -> Flag:
        return all_of(s.in_flight.has(f), s.entry[f].job == job, is_meant(s.entry[f].deployment))

    return any_of(exists(is_planned(w) for w in s.workers), exists(is_logged(f) for f in s.entries))


@step("DEP-04", "DEP-10", "DEP-22", "OBJ-048", why="a new deployment counts nothing that another one did")
def new_deployment_begins_empty(s: Kernel, n: Kernel) -> Flag:
    """One deployment begins at a time: active, without health or news, with allocations of its version alone.

    That of a system job can be one that a plan brings back, as it was, after it was deleted with its job.
    """

    def is_empty(j: JobId) -> Flag:
        is_blank = all_of(n.healthy[j] == 0, n.unhealthy[j] == 0, not_(n.has_new_health[j]))
        is_own = for_all(
            implies(n.in_deployment[j, i], n.alloc_version[j, i] == n.deployment_version[j]) for i in s.allocs
        )
        return all_of(is_blank, is_own, any_of(is_active(n.deployment[j]), is_coming(s, j, has_whole)))

    is_one = count(begins(s, n, j) for j in s.jobs) <= 1
    return all_of(is_one, for_all(implies(begins(s, n, j), is_empty(j)) for j in s.jobs))


# lemmas


@lemma("DEP-04", "DEP-09", "DEP-10", why="no plan fails or pauses a deployment")
def plans_begin_or_end_deployments(s: Kernel) -> Flag:
    """Plans and entries begin deployments that run, and end them as successful or cancelled."""

    def is_right(plan: Plan) -> Flag:
        planned = plan.deployment
        is_new = all_of(
            planned.status == DeploymentPhase.RUNNING, planned.status_update == DeploymentPhase.ABSENT
        )
        return all_of(
            one_of(
                planned.status_update,
                DeploymentPhase.ABSENT,
                DeploymentPhase.SUCCESSFUL,
                DeploymentPhase.CANCELLED,
            ),
            implies(planned.part == DeploymentPart.NEW, is_new),
        )

    return for_all(is_right(plan) for plan, _ in list_plans(s))


@lemma("DEP-01", "GENERIC-26", why="the health of one version says nothing of another one")
def plans_place_for_their_version(s: Kernel) -> Flag:
    """The active deployment for which a plan or entry places is of its version, if it does not cancel it."""

    def is_right(plan: Plan) -> Flag:
        is_kept = plan.deployment.status_update != DeploymentPhase.CANCELLED
        is_meant = all_of(is_active(plan.deployment.status), is_kept)
        return implies(is_meant, plan.deployment.version == plan.version)

    return for_all(is_right(plan) for plan, _ in list_plans(s))
