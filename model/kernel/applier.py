"""The plan applier without a pipeline: judge the first plan against the store, commit and answer in one step."""

from nomadspec.model.domain import NONE, Id
from nomadspec.model.kernel.state import AllocPhase, JobPhase, Kernel, Stage
from nomadspec.model.kernel.verdict import judge, view_store
from nomadspec.model.kernel.worker import forget_plan
from nomadspec.model.logic import Value, all_of, count, ite, not_
from nomadspec.model.rule import rule, weak


def stop_alloc(t: Kernel, job: Id, i: Id) -> None:
    """Stop an allocation, which gives its capacity back."""
    t.alloc_phase[job, i] = AllocPhase.STOPPED
    t.occupies[job, i] = NONE


def make_alloc(t: Kernel, job: Id, i: Value, node: Value, version: Value) -> None:
    """Make an allocation on a node."""
    t.alloc_phase[job, i] = AllocPhase.LIVE
    t.occupies[job, i] = node
    t.alloc_version[job, i] = version


def answer(s: Kernel, t: Kernel, worker: Id, *, is_whole: Value, has_progress: Value) -> None:
    """Answer a plan: all was committed, or plan again, or the attempts are used up."""
    tries = ite(has_progress, 0, s.tries[worker] + 1)
    t.tries[worker] = ite(is_whole, s.tries[worker], tries)
    again = ite(tries >= s.attempts, Stage.EXHAUSTED, Stage.REFUSED)
    t.stage[worker] = ite(is_whole, Stage.DECIDED, again)
    forget_plan(t, worker)


@rule(
    "PLAN-44",
    "PLAN-45",
    "PLAN-51",
    "PLAN-53",
    "PLAN-70",
    "PLAN-73",
    fair=weak(),
    worker=Kernel.workers,
    job=Kernel.jobs,
)
def apply_plan(s: Kernel, t: Kernel, worker: Id, job: Id) -> None:
    """The applier takes the first plan, commits the nodes that fit, and answers."""
    t.require(s.depth == 0)
    t.require(s.plans.head(worker), s.job[worker] == job)
    verdict = judge(s, worker, job, view_store(s))
    is_wanted = s.job_phase[job] == JobPhase.WANTED
    placed = count(verdict.commits(k) for k in s.slots)
    t.require(s.alloc_made[job] + placed <= s.spares)
    for i in s.allocs:
        stop_alloc(t.when(verdict.stops(i)), job, i)
    for k in s.slots:
        number = s.alloc_made[job] + count(all_of(before < k, verdict.commits(before)) for before in s.slots)
        filled = t.when(all_of(is_wanted, verdict.commits(k)))
        make_alloc(filled, job, number, s.plan_to[worker, k], s.plan_version[worker])
    t.alloc_made[job] = s.alloc_made[job] + ite(is_wanted, placed, 0)
    t.plans.pop(worker)
    answer(s, t, worker, is_whole=verdict.is_whole, has_progress=not_(verdict.is_empty))
