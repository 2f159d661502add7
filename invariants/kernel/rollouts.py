"""What is done with deployments must be what plans, clients, watchers and operators have decided."""

from nomadspec.model.kernel.deployments import (
    cancel_rollout,
    draft_rollout,
    fail_rollout,
    finish_rollout,
    is_active,
    is_current,
    join_rollout,
    report_health,
    steer_rollout,
    watch_health,
    write_rollout,
)
from nomadspec.model.kernel.state import AllocPhase, Health, JobPhase, Kernel, Rollout
from nomadspec.model.logic import Value, all_of, any_of, for_all, iff, implies, ite, not_
from nomadspec.model.property import By, step
from nomadspec.model.quirks import STALE_DEPLOYMENT


@step("DEP-08", "DEP-22", "DEP-01", why="a plan goes on with the deployment that its scheduler has read")
def schedulers_read_the_deployment_of_the_version(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that a scheduler reads the status of the job's own version, or that there is none."""
    if not by.is_(draft_rollout):
        return True
    job = by["job"]
    status = ite(is_current(s, job), s.rollout[job], Rollout.ABSENT)
    is_read = all_of(n.is_drafted[job], n.draft[job] == status, n.draft_version[job] == s.job_version[job])
    has_work = any_of(not_(is_current(s, job)), is_active(s.rollout[job]))
    return all_of(is_read, has_work, s.job_phase[job] == JobPhase.WANTED, not_(s.is_drafted[job]))


@step("DEP-04", "DEP-10", "DEP-22", why="a deployment that begins must not count what another one did")
def deployments_begin_with_nothing(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that a plan begins a deployment of the version that was read, and empty, or leaves the old one."""
    if not by.is_(write_rollout):
        return True
    job = by["job"]
    begins = n.rolled > s.rolled
    is_blank = all_of(
        n.rollout[job] == Rollout.RUNNING,
        n.rollout_version[job] == s.draft_version[job],
        all_of(n.placed[job] == 0, n.healthy[job] == 0, n.unhealthy[job] == 0),
        for_all(all_of(not_(n.in_rollout[job, i]), n.health[job, i] == Health.UNSET) for i in s.allocs),
    )
    is_kept = all_of(n.rollout_version[job] == s.rollout_version[job], n.placed[job] == s.placed[job])
    is_forgotten = all_of(n.draft[job] == Rollout.ABSENT, n.draft_version[job] == 0)
    is_over = all_of(s.is_drafted[job], not_(n.is_drafted[job]), is_forgotten)
    may_begin = s.draft[job] == Rollout.ABSENT
    must_begin = all_of(may_begin, s.job_phase[job] != JobPhase.ABSENT)
    return all_of(
        is_over,
        implies(begins, all_of(may_begin, is_blank)),
        implies(must_begin, begins),
        any_of(begins, is_kept),
    )


@step("DEP-08", "DEP-20", "DEP-22", why="whoever steers a deployment must not be overruled by an older plan")
def plans_that_go_on_leave_the_status(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that a plan that begins no deployment leaves the status of what is there.

    With the quirk it writes the status that it has read, in the deployment in which it has read it.
    """
    if not by.is_(write_rollout):
        return True
    job = by["job"]
    status = s.rollout[job]
    if s.has(STALE_DEPLOYMENT):
        is_same = all_of(status != Rollout.ABSENT, s.rollout_version[job] == s.draft_version[job])
        status = ite(all_of(is_same, s.draft[job] != Rollout.ABSENT), s.draft[job], status)
    return any_of(n.rolled > s.rolled, n.rollout[job] == status)


@step("DEP-15", "DEP-24", "PLAN-75", why="a deployment counts what is its own")
def deployments_count_their_own(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that what joins a deployment lives, is of its version and not yet counted, and is counted once."""
    if not by.is_(join_rollout):
        return for_all(implies(n.in_rollout[j, i], s.in_rollout[j, i]) for j in s.jobs for i in s.allocs)
    job, alloc = by["job"], by["alloc"]
    is_its = all_of(
        s.alloc_phase[job, alloc] == AllocPhase.LIVE,
        s.alloc_version[job, alloc] == s.rollout_version[job],
        is_active(s.rollout[job]),
    )
    is_counted = all_of(n.in_rollout[job, alloc], n.placed[job] == s.placed[job] + 1)
    return all_of(is_its, not_(s.in_rollout[job, alloc]), is_counted)


@step("DEP-24", "DEP-33", "ALLOC-09", why="what a client says of health decides how a deployment ends")
def health_is_written_as_reported(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that health is written of allocations of the deployment that live, and is news where it is good."""
    if not by.is_(report_health):
        return for_all(
            any_of(n.health[j, i] == s.health[j, i], n.health[j, i] == Health.UNSET)
            for j in s.jobs
            for i in s.allocs
        )
    job, alloc, is_good = by["job"], by["alloc"], by["is_good"]
    said = ite(is_good, Health.HEALTHY, Health.UNHEALTHY)
    is_its = all_of(s.in_rollout[job, alloc], s.alloc_phase[job, alloc] == AllocPhase.LIVE)
    is_other = s.health[job, alloc] != said
    is_news = iff(n.is_news[job], any_of(s.is_news[job], is_good))
    return all_of(is_its, is_other, n.health[job, alloc] == said, is_news)


@step("DEP-24", "DEP-29", "DEP-33", why="a counter that misses a report lets a deployment wait for ever")
def health_is_counted_once(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that a report of health moves one counter up, and the other down if it was counted there."""
    if not by.is_(report_health):
        return True
    job, alloc, is_good = by["job"], by["alloc"], by["is_good"]
    before = s.health[job, alloc]
    was_good, was_bad = before == Health.HEALTHY, before == Health.UNHEALTHY
    is_worse = all_of(not_(is_good), n.unhealthy[job] == s.unhealthy[job] + 1)
    is_less_good = n.healthy[job] == s.healthy[job] - ite(was_good, 1, 0)
    is_first_good = all_of(
        is_good, n.healthy[job] == s.healthy[job] + 1, n.unhealthy[job] == s.unhealthy[job]
    )
    return any_of(
        all_of(is_good, was_bad), all_of(is_worse, is_less_good), all_of(is_first_good, not_(was_bad))
    )


@step("DEP-09", "DEP-10", "DEP-12", "DEP-43", why="whoever waits for a deployment relies on how it ended")
def deployments_end_for_a_reason(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that a deployment succeeds with all healthy, fails with one unhealthy, is cancelled if outdated."""
    if not by.is_(finish_rollout, fail_rollout, cancel_rollout):
        return True
    job = by["job"]
    was_active = is_active(s.rollout[job])
    if by.is_(finish_rollout):
        is_done = all_of(s.healthy[job] >= s.count, s.unhealthy[job] == 0, is_current(s, job))
        return all_of(
            was_active, is_done, s.job_phase[job] == JobPhase.WANTED, n.rollout[job] == Rollout.SUCCESSFUL
        )
    if by.is_(fail_rollout):
        return all_of(was_active, s.unhealthy[job] > 0, n.rollout[job] == Rollout.FAILED)
    is_outdated = any_of(s.job_phase[job] == JobPhase.STOPPED, not_(is_current(s, job)))
    return all_of(was_active, is_outdated, n.rollout[job] == Rollout.CANCELLED)


@step("DEP-16", "DEP-31", "DEP-33", why="what is done for a job that is gone is done for nobody")
def only_deployments_of_jobs_are_seen_to(s: Kernel, n: Kernel, by: By) -> Value:  # noqa: ARG001 -- a guard alone
    """Say that only a leader watches deployments, and that nobody watches or cancels one without its job."""
    if not by.is_(watch_health, fail_rollout, cancel_rollout):
        return True
    return all_of(s.leading, s.job_phase[by["job"]] != JobPhase.ABSENT)


@step("DEP-31", "DEP-36", "DEP-40", "DEP-43", why="news that is told twice makes work twice")
def news_of_health_is_told_once(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that a watcher tells good news of an active deployment once, and none of one that is to fail."""
    if by.is_(watch_health):
        job = by["job"]
        return all_of(s.is_news[job], not_(n.is_news[job]), is_active(s.rollout[job]), s.unhealthy[job] == 0)
    if by.is_(fail_rollout, finish_rollout, cancel_rollout):
        return not_(n.is_news[by["job"]])
    if by.is_(report_health):
        return True
    return for_all(implies(n.is_news[j], s.is_news[j]) for j in s.jobs)


@step(
    "DEP-13", "DEP-48", "DEP-49", "DEP-51", why="an operator who steers a deployment relies on where it goes"
)
def deployments_go_where_they_are_steered(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that an operator pauses, resumes or fails what is active; all but a pause are evaluated."""
    if not by.is_(steer_rollout):
        return True
    job, to = by["job"], by["to"]
    is_asked = any_of(to == Rollout.RUNNING, to == Rollout.PAUSED, to == Rollout.FAILED)
    is_evaluated = n.made[job] == ite(to != Rollout.PAUSED, s.made[job] + 1, s.made[job])
    is_there = all_of(n.rollout[job] == to, is_active(s.rollout[job]), to != s.rollout[job])
    return all_of(is_asked, is_evaluated, is_there, s.job_phase[job] != JobPhase.ABSENT)
