"""Operators: they register, update, stop and purge jobs, and do much else that only makes an evaluation."""

from enum import IntEnum

from nomadspec.model.domain import NONE, Id, upto
from nomadspec.model.kernel.broker import has_room, holds_slot, is_core, is_on, make_pending
from nomadspec.model.kernel.state import AllocPhase, Cause, Health, JobPhase, Kernel, Place, Record, Rollout
from nomadspec.model.logic import Value, all_of, any_of, exists, ite, not_
from nomadspec.model.quirks import SILENT_PURGE
from nomadspec.model.rule import rule


class Occasion(IntEnum):
    """What else makes an evaluation of a job: these differ in nothing but its trigger."""

    REGISTERED_UNCHANGED = 0
    EVALUATED = 1
    SCALED = 2
    LAUNCHED = 3
    DISPATCHED = 4


@rule("JOB-09", "EVAL-10", actor="operator", job=Kernel.jobs)
def update_job(s: Kernel, t: Kernel, job: Id) -> None:
    """An operator registers a new version of a job, for which its allocations have to be replaced."""
    t.require(s.leading, s.updated < s.updates, has_room(s, job), s.job_phase[job] == JobPhase.WANTED)
    t.updated = s.updated + 1
    t.job_version[job] = s.job_version[job] + 1
    for a in s.takeovers:
        t.job_base[job, a] = s.job_version[job] + 1
    make_pending(s, t, job, Cause.EVENT)


@rule(
    "JOB-09",
    "EVAL-10",
    "GENERIC-54",
    "GENERIC-57",
    actor="operator",
    job=Kernel.jobs,
    bulk=upto(Kernel.growth),
)
def amend_job(s: Kernel, t: Kernel, job: Id, bulk: Id) -> None:
    """An operator registers a new version of a job that its allocations can take over in place."""
    t.require(s.amends > 0, s.leading, s.updated < s.updates, has_room(s, job))
    t.require(s.job_phase[job] == JobPhase.WANTED)
    t.updated = s.updated + 1
    t.job_version[job] = s.job_version[job] + 1
    t.job_bulk[job] = bulk
    make_pending(s, t, job, Cause.EVENT)


@rule("JOB-12", "EVAL-10", actor="operator", job=Kernel.jobs)
def stop_job(s: Kernel, t: Kernel, job: Id) -> None:
    """An operator stops a job."""
    t.require(s.leading, s.stopped < s.stops, has_room(s, job), s.job_phase[job] == JobPhase.WANTED)
    t.stopped = s.stopped + 1
    t.job_phase[job] = JobPhase.STOPPED
    make_pending(s, t, job, Cause.EVENT)


@rule("JOB-07", "JOB-09", "EVAL-10", actor="operator", job=Kernel.jobs)
def register_again(s: Kernel, t: Kernel, job: Id) -> None:
    """An operator registers a job that was stopped or purged, with what it said before."""
    t.require(s.leading, s.returned < s.returns, has_room(s, job), s.job_phase[job] != JobPhase.WANTED)
    t.require(not_(is_core(s, job)))
    t.returned = s.returned + 1
    t.job_phase[job] = JobPhase.WANTED
    make_pending(s, t, job, Cause.EVENT)


@rule(
    "EVAL-10",
    "EVAL-11",
    "TRIG-04",
    "TRIG-05a",
    "TRIG-05b",
    "TRIG-08",
    "TRIG-22",
    actor="operator",
    job=Kernel.jobs,
    occasion=Occasion,
)
def evaluate_job(s: Kernel, t: Kernel, job: Id, occasion: Occasion) -> None:  # noqa: ARG001 -- told in stories
    """Something outside makes an evaluation of a job, and nothing else."""
    t.require(s.leading, s.happened < s.occasions, has_room(s, job), s.job_phase[job] == JobPhase.WANTED)
    t.happened = s.happened + 1
    make_pending(s, t, job, Cause.EVENT)


@rule("JOB-13", "OBJ-048", "EVAL-46", "GC-96", actor="operator", job=Kernel.jobs)
def purge_job(s: Kernel, t: Kernel, job: Id) -> None:
    """An operator purges a job: all its records but the evaluations go, and one more evaluation is made."""
    t.require(s.leading, s.purged < s.purges, has_room(s, job), s.job_phase[job] != JobPhase.ABSENT)
    t.purged = s.purged + 1
    delete_job(s, t, job)
    make_pending(s, t, job, Cause.EVENT)
    place = ite(is_busy_after(s, job), Place.BEHIND, Place.READY)
    t.when(is_on(s)).place[job, s.made[job]] = place


def delete_job(s: Kernel, t: Kernel, job: Id) -> None:
    """Delete a job with its allocations and its deployment, and complete its pending evaluations."""
    tell_broker(s, t, job)
    t.job_phase[job] = JobPhase.ABSENT
    t.job_version[job] = 0
    t.job_base[job] = 0
    t.job_bulk[job] = 0
    for i in s.allocs:
        delete_alloc(t.when(s.alloc_phase[job, i] != AllocPhase.ABSENT), job, i)
        t.health[job, i] = Health.UNSET
        t.in_rollout[job, i] = False
    delete_rollout(t, job)
    for number in s.eval_numbers:
        t.when(s.record[job, number] == Record.PENDING).record[job, number] = Record.COMPLETE


def delete_alloc(t: Kernel, job: Id, i: Id) -> None:
    """Delete an allocation; that its client has yet to report its end is not forgotten."""
    t.alloc_phase[job, i] = AllocPhase.GONE
    t.occupies[job, i] = NONE
    t.extra_at[job, i] = NONE
    t.alloc_version[job, i] = 0
    t.leaving[job, i] = 0
    t.deadline[job, i] = NONE
    t.is_late[job, i] = 0


def delete_rollout(t: Kernel, job: Id) -> None:
    """Delete the deployment of a job."""
    t.rollout[job] = Rollout.ABSENT
    t.rollout_version[job] = 0
    t.placed[job] = 0
    t.healthy[job] = 0
    t.unhealthy[job] = 0
    t.is_news[job] = False


def keeps_place(s: Kernel, job: Id, number: Value) -> Value:
    """Say that a purge leaves the evaluation where the broker has it, if only until its worker is done."""
    is_kept = any_of(s.record[job, number] != Record.PENDING, s.place[job, number] == Place.UNACKED)
    return True if s.has(SILENT_PURGE) else is_kept


def is_held_after(s: Kernel, job: Id) -> Value:
    """Say that an evaluation which a purge leaves alone occupies the job."""
    return exists(all_of(keeps_place(s, job, n), holds_slot(s, job, n)) for n in s.eval_numbers)


def is_first_left(s: Kernel, job: Id, number: Id) -> Value:
    """Say that the evaluation is the newest of those behind the job that a purge leaves alone."""

    def waits(n: Id) -> Value:
        return all_of(keeps_place(s, job, n), s.place[job, n] == Place.BEHIND)

    return all_of(waits(number), not_(exists(all_of(n > number, waits(n)) for n in s.eval_numbers)))


def is_busy_after(s: Kernel, job: Id) -> Value:
    """Say that the job is occupied once a purge has taken its evaluations out of the broker."""
    return exists(
        all_of(keeps_place(s, job, n), s.place[job, n] != Place.OUT, s.place[job, n] != Place.WAITING)
        for n in s.eval_numbers
    )


def tell_broker(s: Kernel, t: Kernel, job: Id) -> None:
    """Take what a purge completes out of the broker, and let what it leaves move up."""
    for number in s.eval_numbers:
        gone = t.when(not_(keeps_place(s, job, number)))
        gone.place[job, number] = Place.OUT
        gone.delivered[job, number] = 0
        gone.superseded[job, number] = False
        moves_up = all_of(not_(is_held_after(s, job)), is_first_left(s, job, number))
        t.when(moves_up).place[job, number] = Place.READY
