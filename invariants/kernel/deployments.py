"""What must be true of the status and the counters of deployments."""

from nomadspec.model.kernel.deployments import is_active
from nomadspec.model.kernel.state import Health, Kernel, Rollout
from nomadspec.model.logic import Value, all_of, any_of, count, exists, for_all, implies, not_
from nomadspec.model.property import always, sometimes, step


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
