"""What must be true of the status and the counters of deployments."""

from nomadspec.model.domain import Id
from nomadspec.model.kernel.deployments import is_active
from nomadspec.model.kernel.kernel import is_out_of_records
from nomadspec.model.kernel.state import Health, JobPhase, Kernel, Rollout
from nomadspec.model.logic import Value, all_of, any_of, count, exists, for_all, implies, not_
from nomadspec.model.property import always, eventually, sometimes, step


def has_ended(status: Value) -> Value:
    """Say that there is a deployment, and that it has ended."""
    return all_of(status != Rollout.ABSENT, not_(is_active(status)))


@step("DEP-02", "DEP-20", "DEP-22", why="a rollout that was failed or cancelled must not go on")
def ended_deployments_stay_ended(s: Kernel, n: Kernel) -> Value:
    """Say that a deployment that has ended keeps its status until another replaces it, or it is deleted."""
    return for_all(
        implies(
            has_ended(s.rollout[job]),
            any_of(n.rollout[job] == s.rollout[job], n.rollout[job] == Rollout.ABSENT, n.rolled > s.rolled),
        )
        for job in s.jobs
    )


@always("DEP-15", "DEP-24", why="a rollout goes on, succeeds or fails by its counters")
def counters_agree_with_allocations(s: Kernel) -> Value:
    """Say that a deployment counts as healthy and unhealthy what its allocations are."""
    return for_all(
        all_of(
            s.healthy[job] == count(s.health[job, i] == Health.HEALTHY for i in s.allocs),
            s.unhealthy[job] == count(s.health[job, i] == Health.UNHEALTHY for i in s.allocs),
        )
        for job in s.jobs
    )


@always("DEP-24", why="the count of what was placed says how far a rollout is")
def placed_allocations_are_counted(s: Kernel) -> Value:
    """Say that a deployment counts the allocations that were placed for it, and no health of others."""
    return for_all(
        all_of(
            s.placed[job] == count(s.in_rollout[job, i] for i in s.allocs),
            for_all(implies(s.health[job, i] != Health.UNSET, s.in_rollout[job, i]) for i in s.allocs),
        )
        for job in s.jobs
    )


@step("DEP-24", why="nothing that was placed is ever not to have been placed")
def placed_only_grows(s: Kernel, n: Kernel) -> Value:
    """Say that the count of what was placed shrinks only with another deployment, or with none."""
    return for_all(
        any_of(s.placed[job] <= n.placed[job], n.rolled > s.rolled, n.rollout[job] == Rollout.ABSENT)
        for job in s.jobs
    )


@always("DEP-09", "DEP-22", "BROKER-06", why="plans of one job are made one after the other")
def what_a_plan_goes_on_with_has_not_succeeded(s: Kernel) -> Value:
    """Say that a deployment does not succeed by one plan while another one goes on with it."""
    return for_all(
        not_(all_of(s.is_drafted[job], is_active(s.draft[job]), s.rollout[job] == Rollout.SUCCESSFUL))
        for job in s.jobs
    )


def is_to_fail(s: Kernel, job: Id) -> Value:
    """Say that a deployment has not ended, though one of its allocations is unhealthy."""
    return all_of(is_active(s.rollout[job]), s.unhealthy[job] > 0)


def is_outdated(s: Kernel, job: Id) -> Value:
    """Say that a deployment has not ended, though its job is stopped or has a newer version."""
    is_over = any_of(s.job_phase[job] == JobPhase.STOPPED, s.rollout_version[job] != s.job_version[job])
    return all_of(is_active(s.rollout[job]), is_over)


def has_news(s: Kernel, job: Id) -> Value:
    """Say that good news of the health of an active deployment is still to be told."""
    return all_of(is_active(s.rollout[job]), s.is_news[job])


def is_left_alone(s: Kernel, job: Id) -> Value:
    """Say that the scope ends here, or that there is no job any more to watch the deployment for."""
    return any_of(is_out_of_records(s), s.job_phase[job] == JobPhase.ABSENT)


@eventually(
    "DEP-12",
    "DEP-32",
    "DEP-34",
    why="a deployment that goes on with what is unhealthy replaces what was healthy by it",
    given=is_to_fail,
    job=Kernel.jobs,
)
def unhealthy_deployments_end(s: Kernel, job: Id) -> Value:
    """Say that a deployment with an unhealthy allocation does not stay active."""
    return any_of(is_left_alone(s, job), not_(is_to_fail(s, job)))


@eventually(
    "DEP-10",
    "DEP-11",
    why="a deployment of what is no longer wanted is nobody's to watch",
    given=is_outdated,
    job=Kernel.jobs,
)
def outdated_deployments_are_cancelled(s: Kernel, job: Id) -> Value:
    """Say that a deployment of a stopped job, or of an older version, does not stay active."""
    return any_of(is_left_alone(s, job), not_(is_outdated(s, job)))


@eventually(
    "DEP-31",
    "DEP-33",
    "DEP-36",
    why="a rollout goes on only by the evaluations that its watcher makes",
    given=has_news,
    job=Kernel.jobs,
)
def news_of_health_is_told(s: Kernel, job: Id) -> Value:
    """Say that good news of the health of an active deployment leads to an evaluation, unless it ends."""
    return any_of(is_left_alone(s, job), not_(has_news(s, job)))


@sometimes(
    "DEP-22",
    why="a plan can only bring back what its scheduler saw if that has changed since",
    scopes=("rollout",),
)
def a_deployment_ends_under_a_plan(s: Kernel) -> Value:
    """Say that a deployment has ended which a scheduler saw active."""
    return exists(
        all_of(s.is_drafted[job], is_active(s.draft[job]), has_ended(s.rollout[job])) for job in s.jobs
    )


@sometimes("DEP-24", why="counters only matter where health is reported", scopes=("rollout", "purge"))
def an_allocation_is_unhealthy(s: Kernel) -> Value:
    """Say that an allocation of a deployment is unhealthy."""
    return exists(s.health[job, i] == Health.UNHEALTHY for job in s.jobs for i in s.allocs)


@sometimes("DEP-09", why="a rollout that cannot succeed shows nothing", scopes=("rollout", "purge"))
def a_deployment_succeeds(s: Kernel) -> Value:
    """Say that a deployment was successful."""
    return exists(s.rollout[job] == Rollout.SUCCESSFUL for job in s.jobs)


@sometimes("DEP-13", "DEP-49", why="a pause that nobody can end would be an end", scopes=("steered",))
def a_deployment_goes_on_after_a_pause(s: Kernel) -> Value:
    """Say that a deployment runs that was steered twice, before any health of it could be corrected."""
    is_first = all_of(s.rolled == 1, s.steered > 1)
    return exists(all_of(is_first, s.rollout[job] == Rollout.RUNNING, s.placed[job] == 0) for job in s.jobs)
