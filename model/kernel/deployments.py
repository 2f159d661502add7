"""Deployments: counters and status of the current one of each job.

The share that a plan has in a deployment is a step of its own here: a scheduler reads the deployment, and
later, when its plan is committed, writes it. What happens between the two, the plan does not know.
"""

from nomadspec.model.domain import FLAG, Id
from nomadspec.model.kernel.broker import has_room, make_pending
from nomadspec.model.kernel.log import note_entry
from nomadspec.model.kernel.state import AllocPhase, Cause, Health, JobPhase, Kernel, Rollout
from nomadspec.model.logic import Value, all_of, any_of, implies, ite, not_, one_of
from nomadspec.model.quirks import COUNTED_ONCE, ORPHANED_DEPLOYMENT, STALE_DEPLOYMENT
from nomadspec.model.rule import rule, weak


def is_active(status: Value) -> Value:
    """Say that a deployment has not ended."""
    return one_of(status, Rollout.RUNNING, Rollout.PAUSED)


def is_current(s: Kernel, job: Id) -> Value:
    """Say that the job has a deployment, and that it rolls out the version of now."""
    return all_of(s.rollout[job] != Rollout.ABSENT, s.rollout_version[job] == s.job_version[job])


@rule("DEP-01", "DEP-08", "DEP-22", job=Kernel.jobs)
def draft_rollout(s: Kernel, t: Kernel, job: Id) -> None:
    """A scheduler reads the deployment of a job: it will carry on with it, or begin one for a new version."""
    is_open = any_of(not_(is_current(s, job)), is_active(s.rollout[job]))
    t.require(s.rolled < s.rollouts, s.job_phase[job] == JobPhase.WANTED, not_(s.is_drafted[job]), is_open)
    t.is_drafted[job] = True
    t.draft[job] = ite(is_current(s, job), s.rollout[job], Rollout.ABSENT)
    t.draft_version[job] = s.job_version[job]


def forget_draft(t: Kernel, job: Id) -> None:
    """Forget what a scheduler has read of a deployment."""
    t.is_drafted[job] = False
    t.draft[job] = Rollout.ABSENT
    t.draft_version[job] = 0


@rule("DEP-04", "DEP-08", "DEP-10", "DEP-22", fair=weak("job"), job=Kernel.jobs)
def write_rollout(s: Kernel, t: Kernel, job: Id) -> None:
    """The plan is committed: it begins a deployment, or brings back the status that its scheduler saw."""
    t.require(s.leading, s.is_drafted[job], s.rolled < s.rollouts)
    is_same = all_of(s.rollout[job] != Rollout.ABSENT, s.rollout_version[job] == s.draft_version[job])
    is_begun = s.draft[job] == Rollout.ABSENT
    if not s.has(ORPHANED_DEPLOYMENT):
        is_begun = all_of(is_begun, s.job_phase[job] != JobPhase.ABSENT)
    begun = t.when(is_begun)
    begun.rolled = s.rolled + 1
    begun.rollout[job] = Rollout.RUNNING
    begun.rollout_version[job] = s.draft_version[job]
    begun.placed[job] = 0
    begun.healthy[job] = 0
    begun.unhealthy[job] = 0
    for i in s.allocs:
        begun.in_rollout[job, i] = False
        begun.health[job, i] = Health.UNSET
    carried = t.when(all_of(s.draft[job] != Rollout.ABSENT, is_same))
    if s.has(STALE_DEPLOYMENT):
        carried.rollout[job] = s.draft[job]
    forget_draft(t, job)
    note_entry(s, t)


@rule("DEP-15", "DEP-24", job=Kernel.jobs, alloc=Kernel.allocs)
def join_rollout(s: Kernel, t: Kernel, job: Id, alloc: Id) -> None:
    """A plan places an allocation for the deployment of its version, which is counted."""
    t.require(s.leading, is_active(s.rollout[job]), s.alloc_phase[job, alloc] == AllocPhase.LIVE)
    t.require(not_(s.in_rollout[job, alloc]), s.alloc_version[job, alloc] == s.rollout_version[job])
    t.in_rollout[job, alloc] = True
    t.placed[job] = s.placed[job] + 1
    note_entry(s, t)


@rule(
    "DEP-15",
    "DEP-24",
    "DEP-33",
    "ALLOC-09",
    actor="client",
    job=Kernel.jobs,
    alloc=Kernel.allocs,
    is_good=FLAG,
)
def report_health(s: Kernel, t: Kernel, job: Id, alloc: Id, is_good: Value) -> None:
    """A client, or an operator, calls an allocation healthy or unhealthy, which is counted."""
    before = s.health[job, alloc]
    t.require(s.leading, s.in_rollout[job, alloc], s.alloc_phase[job, alloc] == AllocPhase.LIVE)
    t.require(implies(is_good, before != Health.HEALTHY), implies(not_(is_good), before != Health.UNHEALTHY))
    t.require(any_of(before == Health.UNSET, s.steered < s.steers))
    t.health[job, alloc] = ite(is_good, Health.HEALTHY, Health.UNHEALTHY)
    t.is_news[job] = any_of(s.is_news[job], is_good)
    is_first = before == Health.UNSET
    t.when(not_(is_first)).steered = s.steered + 1
    is_repaired = all_of(is_good, before == Health.UNHEALTHY)
    if s.has(COUNTED_ONCE):
        is_repaired = False
    t.when(all_of(is_good, is_first)).healthy[job] = s.healthy[job] + 1
    t.when(not_(is_good)).unhealthy[job] = s.unhealthy[job] + 1
    t.when(all_of(not_(is_good), before == Health.HEALTHY)).healthy[job] = s.healthy[job] - 1
    t.when(is_repaired).healthy[job] = s.healthy[job] + 1
    t.when(is_repaired).unhealthy[job] = s.unhealthy[job] - 1
    note_entry(s, t)


@rule("DEP-31", "DEP-33", "DEP-36", "DEP-40", "TRIG-21", actor="watcher", fair=weak("job"), job=Kernel.jobs)
def watch_health(s: Kernel, t: Kernel, job: Id) -> None:
    """The watcher of a deployment makes an evaluation for health that is news."""
    t.require(s.leading, is_active(s.rollout[job]), s.is_news[job], has_room(s, job))
    t.require(s.job_phase[job] != JobPhase.ABSENT, s.unhealthy[job] == 0)
    t.is_news[job] = False
    make_pending(s, t, job, Cause.EVENT)


@rule("DEP-12", "DEP-32", "DEP-34", "DEP-43", "TRIG-21", actor="watcher", fair=weak("job"), job=Kernel.jobs)
def fail_rollout(s: Kernel, t: Kernel, job: Id) -> None:
    """The watcher fails a deployment with an unhealthy allocation, and makes an evaluation."""
    t.require(s.leading, is_active(s.rollout[job]), s.unhealthy[job] > 0, has_room(s, job))
    t.require(s.job_phase[job] != JobPhase.ABSENT)
    t.rollout[job] = Rollout.FAILED
    t.is_news[job] = False
    make_pending(s, t, job, Cause.EVENT)


@rule("DEP-09", "DEP-20", actor="watcher", fair=weak("job"), job=Kernel.jobs)
def finish_rollout(s: Kernel, t: Kernel, job: Id) -> None:
    """A plan finds every instance healthy: the deployment is successful."""
    t.require(s.leading, is_active(s.rollout[job]), is_current(s, job), s.job_phase[job] == JobPhase.WANTED)
    t.require(s.healthy[job] >= s.count, s.unhealthy[job] == 0, not_(s.is_drafted[job]))
    t.rollout[job] = Rollout.SUCCESSFUL
    t.is_news[job] = False
    note_entry(s, t)


@rule("DEP-10", "DEP-11", "DEP-20", actor="watcher", fair=weak("job"), job=Kernel.jobs)
def cancel_rollout(s: Kernel, t: Kernel, job: Id) -> None:
    """A plan cancels the deployment of a job that was stopped, or of a version that is not the newest."""
    t.require(s.leading, is_active(s.rollout[job]), s.job_phase[job] != JobPhase.ABSENT)
    t.require(any_of(s.job_phase[job] == JobPhase.STOPPED, not_(is_current(s, job))))
    t.rollout[job] = Rollout.CANCELLED
    t.is_news[job] = False
    note_entry(s, t)


@rule("DEP-13", "DEP-20", "DEP-48", "DEP-49", "DEP-51", actor="operator", job=Kernel.jobs, to=Rollout)
def steer_rollout(s: Kernel, t: Kernel, job: Id, to: Value) -> None:
    """An operator pauses, resumes or fails a deployment; all but a pause make an evaluation."""
    t.require(s.leading, s.steered < s.steers, has_room(s, job), s.job_phase[job] != JobPhase.ABSENT)
    t.require(is_active(s.rollout[job]), one_of(to, Rollout.RUNNING, Rollout.PAUSED, Rollout.FAILED))
    t.require(to != s.rollout[job])
    t.steered = s.steered + 1
    t.rollout[job] = to
    note_entry(s, t)
    make_pending(s, t.when(to != Rollout.PAUSED), job, Cause.EVENT)
