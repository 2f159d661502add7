"""Operators: they register, update, stop and purge jobs, and do much else that only makes an evaluation."""

from enum import IntEnum

from nomadspec.model.kernel.broker import (
    holds_job,
    is_core,
    is_next_pending,
    is_on,
    make_pending,
    next_number,
)
from nomadspec.model.kernel.capacity import free_capacity
from nomadspec.model.kernel.columns import AllocRecord, DeploymentColumns, JobVersion
from nomadspec.model.kernel.ids import AllocNumber, EvalNumber, JobId
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import AllocPhase, EvalRecord, InBroker, JobPhase
from nomadspec.model.language.domain import upto
from nomadspec.model.language.logic import Flag, all_of, any_of, exists, ite, not_
from nomadspec.model.language.rule import rule
from nomadspec.model.specification.quirks import SILENT_PURGE


class ExternalTrigger(IntEnum):
    """What else makes an evaluation of a job: these differ in nothing but its trigger."""

    REGISTERED_UNCHANGED = 0
    EVALUATED = 1
    SCALED = 2
    LAUNCHED = 3
    DISPATCHED = 4


@rule("JOB-07", "EVAL-10", "TRIG-03", spends=Kernel.updated, makes=Kernel.made, actor="operator")
def update_job(s: Kernel, t: Kernel, job: JobId) -> None:
    """An operator registers a new version of a job, for which its allocations have to be replaced."""
    t.require(s.leading, s.job_phase[job] == JobPhase.WANTED)
    t.job_version[job] = s.job_version[job] + 1
    t.job_base[job] = s.job_version[job] + 1
    make_pending(s, t, job)


@rule(
    "JOB-07",
    "EVAL-10",
    "GENERIC-54",
    "GENERIC-57",
    part_of=Kernel.in_place_updates,
    spends=Kernel.updated,
    makes=Kernel.made,
    actor="operator",
    ask=upto(Kernel.extra_ask),
)
def update_job_in_place(s: Kernel, t: Kernel, job: JobId, ask: int) -> None:
    """An operator registers a new version of a job for which its allocations can be updated in place."""
    t.require(s.leading, s.job_phase[job] == JobPhase.WANTED)
    t.job_version[job] = s.job_version[job] + 1
    t.job_ask[job] = ask
    make_pending(s, t, job)


@rule("JOB-12", "EVAL-10", "TRIG-06", spends=Kernel.stopped, makes=Kernel.made, actor="operator")
def stop_job(s: Kernel, t: Kernel, job: JobId) -> None:
    """An operator stops a job."""
    t.require(s.leading, s.job_phase[job] == JobPhase.WANTED)
    t.job_phase[job] = JobPhase.STOPPED
    make_pending(s, t, job)


@rule("JOB-07", "JOB-09", "EVAL-10", spends=Kernel.returned, makes=Kernel.made, actor="operator")
def register_again(s: Kernel, t: Kernel, job: JobId) -> None:
    """An operator registers a stopped or purged job again, with the same specification."""
    t.require(s.leading, s.job_phase[job] != JobPhase.WANTED)
    t.require(not_(is_core(s, job)))
    t.job_phase[job] = JobPhase.WANTED
    make_pending(s, t, job)


@rule(
    "EVAL-10",
    "EVAL-11",
    "TRIG-04",
    "TRIG-05a",
    "TRIG-05b",
    "TRIG-08",
    "TRIG-22",
    spends=Kernel.external_triggers_made,
    makes=Kernel.made,
    actor="operator",
    trigger=ExternalTrigger,
)
def evaluate_job(s: Kernel, t: Kernel, job: JobId, trigger: ExternalTrigger) -> None:  # noqa: ARG001 -- told in stories
    """An external trigger makes an evaluation of a job, and nothing else."""
    t.require(s.leading, s.job_phase[job] == JobPhase.WANTED)
    make_pending(s, t, job)


@rule("JOB-13", "OBJ-048", "EVAL-46", "GC-96", spends=Kernel.purged, makes=Kernel.made, actor="operator")
def purge_job(s: Kernel, t: Kernel, job: JobId) -> None:
    """An operator purges a job: all its records but the evaluations go, and one more evaluation is made."""
    t.require(s.leading, s.job_phase[job] != JobPhase.ABSENT)
    delete_job(s, t, job)
    make_pending(s, t, job)
    place = ite(is_busy_after(s, job), InBroker.PENDING_BEHIND_JOB, InBroker.READY)
    t.when(is_on(s)).in_broker[job, next_number(s, job)] = place


def delete_job(s: Kernel, t: Kernel, job: JobId) -> None:
    """Delete a job with its allocations and its deployment, and complete its pending evaluations."""
    tell_broker(s, t, job)
    t.job_phase[job] = JobPhase.ABSENT
    t.clear(JobVersion, job)
    t.clear(DeploymentColumns, job)
    for i in s.allocs:
        delete_alloc(t.when(s.alloc_phase[job, i] != AllocPhase.ABSENT), job, i)
    for number in s.eval_numbers:
        pending = t.when(s.eval_record[job, number] == EvalRecord.PENDING)
        pending.eval_record[job, number] = EvalRecord.COMPLETE


def delete_alloc(t: Kernel, job: JobId, i: AllocNumber) -> None:
    """Delete an allocation; that its client has yet to report its end is not forgotten."""
    t.clear(AllocRecord, job, i)
    free_capacity(t, job, i)
    t.alloc_phase[job, i] = AllocPhase.GONE


def keeps_place(s: Kernel, job: JobId, number: EvalNumber) -> Flag:
    """True while a purge leaves the evaluation where the broker has it, if only until its worker is done."""
    is_kept = any_of(
        s.eval_record[job, number] != EvalRecord.PENDING, s.in_broker[job, number] == InBroker.UNACKED
    )
    return any_of(s.has(SILENT_PURGE), is_kept)


def is_held_after(s: Kernel, job: JobId) -> Flag:
    """True while an evaluation which a purge leaves alone occupies the job."""
    return exists(all_of(keeps_place(s, job, n), holds_job(s, job, n)) for n in s.eval_numbers)


def is_busy_after(s: Kernel, job: JobId) -> Flag:
    """True while the job is occupied once a purge has taken its evaluations out of the broker."""
    return exists(
        all_of(
            keeps_place(s, job, n),
            s.in_broker[job, n] != InBroker.OUT,
            s.in_broker[job, n] != InBroker.WAITING,
        )
        for n in s.eval_numbers
    )


def tell_broker(s: Kernel, t: Kernel, job: JobId) -> None:
    """Take what a purge completes out of the broker, and let what it leaves move up."""
    for number in s.eval_numbers:
        gone = t.when(not_(keeps_place(s, job, number)))
        gone.in_broker[job, number] = InBroker.OUT
        gone.delivered[job, number] = 0
        gone.cancelable[job, number] = False
        is_next = is_next_pending(s, job, number, is_left=lambda n: keeps_place(s, job, n))
        t.when(all_of(is_next, not_(is_held_after(s, job)))).in_broker[job, number] = InBroker.READY
