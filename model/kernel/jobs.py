"""Operators: they register, stop and purge jobs."""

from nomadspec.model.domain import Id
from nomadspec.model.kernel.broker import has_room, make_pending
from nomadspec.model.kernel.state import Cause, JobPhase, Kernel
from nomadspec.model.rule import rule


@rule("JOB-09", "EVAL-10", job=Kernel.jobs)
def update_job(s: Kernel, t: Kernel, job: Id) -> None:
    """An operator registers a new version of a job."""
    t.require(s.updated < s.updates, has_room(s, job), s.job_phase[job] == JobPhase.WANTED)
    t.updated = s.updated + 1
    t.job_version[job] = s.job_version[job] + 1
    make_pending(s, t, job, Cause.EVENT)


@rule("JOB-12", "EVAL-10", job=Kernel.jobs)
def stop_job(s: Kernel, t: Kernel, job: Id) -> None:
    """An operator stops a job."""
    t.require(s.stopped < s.stops, has_room(s, job), s.job_phase[job] == JobPhase.WANTED)
    t.stopped = s.stopped + 1
    t.job_phase[job] = JobPhase.STOPPED
    make_pending(s, t, job, Cause.EVENT)
