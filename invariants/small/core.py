"""What must be true of the benchmark protocol."""

import sys

from nomadspec.model.domain import NONE, Id
from nomadspec.model.logic import Value, all_of, exists, for_all, iff, implies, not_
from nomadspec.model.property import By, always, eventually, properties_in, sometimes, step
from nomadspec.model.small.core import CORE as RULES
from nomadspec.model.small.core import Core, Place, Stage, Status, ack, apply_plan, holds_token, nack


def is_busy(s: Core, worker: Id) -> Value:
    """Say that a worker has an evaluation."""
    return s.stage[worker] != Stage.IDLE


def is_in_broker(s: Core, job: Id) -> Value:
    """Say that the broker holds the job's evaluation, ready or delivered."""
    return s.place[job] != Place.OUT


@always("Core!NoOver", "PLAN-50", why="instances that do not fit starve those that were there first")
def no_node_is_overfull(s: Core) -> Value:
    """Say that no node holds more instances than it has room for."""
    return for_all(s.used[n] <= s.cap for n in s.nodes)


@always("Core!OneOut", "BROKER-22", why="two workers with one token could both write an outcome")
def no_token_is_shared(s: Core) -> Value:
    """Say that no two workers have the same job under the same token."""
    return for_all(
        implies(
            all_of(x != y, is_busy(s, x), is_busy(s, y), s.job[x] == s.job[y]),
            s.held_token[x] != s.held_token[y],
        )
        for x in s.workers
        for y in s.workers
    )


@step("BROKER-35", "BROKER-40", why="a worker that was too slow must not touch what another does now")
def stale_token_changes_nothing(s: Core, n: Core, by: By) -> Value:
    """Say that plan, ack and nack under a token that is no longer valid leave the job alone."""
    if not by.is_(apply_plan, ack, nack):
        return True
    worker, job = by["worker"], by["job"]
    unchanged = all_of(
        n.status[job] == s.status[job],
        n.place[job] == s.place[job],
        for_all(n.allocs[job, i] == s.allocs[job, i] for i in s.slots),
    )
    return implies(not_(holds_token(s, worker, job)), unchanged)


@step("BROKER-22", why="a token that comes back would make an old delivery valid again")
def tokens_never_shrink(s: Core, n: Core) -> Value:
    """Say that the token of a job only grows."""
    return for_all(s.token[job] <= n.token[job] for job in s.jobs)


@sometimes("Core!Apply", why="a plan refused in part is what partial commit is about")
def a_plan_is_refused(s: Core) -> Value:
    """Say that a worker with a valid delivery had its plan refused."""
    return exists(
        all_of(s.stage[x] == Stage.REFUSED, s.job[x] == job, holds_token(s, x, job))
        for x in s.workers
        for job in s.jobs
    )


@sometimes("Core!NoOver", why="capacity only matters where a node is full")
def a_node_is_full(s: Core) -> Value:
    """Say that some node holds as many instances as it has room for."""
    return exists(s.used[n] == s.cap for n in s.nodes)


@sometimes("Core!OneOut", why="tokens only matter where two workers have the same job")
def a_job_is_delivered_twice(s: Core) -> Value:
    """Say that two workers have the same job, one of them without knowing that it is too late."""
    return exists(
        all_of(x != y, is_busy(s, x), is_busy(s, y), s.job[x] == s.job[y])
        for x in s.workers
        for y in s.workers
    )


@sometimes("Core!NackTimeout", why="the delivery limit only matters where it is reached")
def an_evaluation_fails(s: Core) -> Value:
    """Say that some evaluation has used up its deliveries."""
    return exists(s.status[job] == Status.FAILED for job in s.jobs)


@eventually(
    "Core!Ack",
    why="a job whose evaluation is never answered is never scheduled",
    given=is_in_broker,
    job=Core.jobs,
)
def evaluation_is_answered(s: Core, job: Id) -> Value:
    """Say that the broker is done with the job's evaluation."""
    return s.place[job] == Place.OUT


@always("BROKER-22", why="a worker can only have a token that was given out", lemma=True)
def held_tokens_were_given(s: Core) -> Value:
    """Say that no worker has a token newer than the job's latest."""
    return for_all(
        implies(all_of(is_busy(s, x), s.job[x] == job), s.held_token[x] <= s.token[job])
        for x in s.workers
        for job in s.jobs
    )


@always("Core!Schedule", why="the plan queue holds the workers that wait, and nobody else", lemma=True)
def queued_workers_wait(s: Core) -> Value:
    """Say that a worker is in the plan queue exactly while it waits."""
    return for_all(iff(s.plans.has(x), s.stage[x] == Stage.WAITING) for x in s.workers)


@always("Core!Dequeue", why="a worker that is busy is busy with a job", lemma=True)
def busy_workers_have_a_job(s: Core) -> Value:
    """Say that every busy worker has a job."""
    return for_all(implies(is_busy(s, x), s.job[x] != NONE) for x in s.workers)


CORE = RULES.with_properties(properties_in(sys.modules[__name__]))
