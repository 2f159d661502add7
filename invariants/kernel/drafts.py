"""What plans, snapshots and entries carry with them: lemmas about what workers and applier rely on."""

from nomadspec.model.domain import NONE, Id
from nomadspec.model.kernel.broker import is_core
from nomadspec.model.kernel.plan_queue import is_urgent
from nomadspec.model.kernel.state import AllocPhase, JobPhase, Kernel, Record, Stage
from nomadspec.model.kernel.worker import limit_of
from nomadspec.model.logic import Value, all_of, any_of, for_all, implies, not_, one_of
from nomadspec.model.property import always

_TRYING = (
    Stage.PLANNING,
    Stage.PLANNED,
    Stage.SUBMITTED,
    Stage.JUDGED,
    Stage.FLYING,
    Stage.REFUSED,
)


@always("PLAN-20", why="a priority says in which line a plan waits", lemma=True)
def plans_wait_in_the_line_of_their_priority(s: Kernel) -> Value:
    """Say that the line for plans of a higher priority holds those, and the other line the rest."""
    return for_all(
        all_of(
            implies(s.urgent_plans.has(w), is_urgent(s, w)),
            implies(s.plans.has(w), not_(is_urgent(s, w))),
        )
        for w in s.workers
    )


@always("PLAN-90", "PLAN-91", why="who has no attempt left must not be sent back for one", lemma=True)
def who_plans_has_an_attempt_left(s: Kernel) -> Value:
    """Say that a delivery begins without an attempt, and that its worker plans while it has one left."""
    return for_all(
        all_of(
            implies(one_of(s.stage[w], Stage.IDLE, Stage.TAKEN), s.tries[w] == 0),
            implies(one_of(s.stage[w], *_TRYING), s.tries[w] < limit_of(s, w)),
        )
        for w in s.workers
    )


@always("PLAN-44", why="who is driven out must make way for something more urgent", lemma=True)
def victims_are_less_urgent(s: Kernel) -> Value:
    """Say that what a plan or an entry drives out is of another job, which is less urgent."""
    return all_of(
        for_all(
            implies(s.plan_victim[w] != NONE, s.urgent[s.plan_foe[w]] < s.urgent[s.job[w]]) for w in s.workers
        ),
        for_all(
            implies(s.flight_victim[f] != NONE, s.urgent[s.flight_foe[f]] < s.urgent[s.flight_job[f]])
            for f in s.flights
        ),
    )


@always("PLAN-15", "PLAN-71", "JOB-07", why="a version that was not registered could not be run", lemma=True)
def only_registered_versions_are_planned(s: Kernel) -> Value:
    """Say that no snapshot, plan or entry has a version that is yet to come, unless jobs were deleted."""
    is_seen = for_all(
        all_of(
            s.seen_version[w] <= s.job_version[s.job[w]],
            s.plan_version[w] <= s.job_version[s.job[w]],
        )
        for w in s.workers
    )
    is_sent = for_all(s.flight_version[f] <= s.job_version[s.flight_job[f]] for f in s.flights)
    is_known = for_all(s.old_version[f, j] <= s.job_version[j] for f in s.followers for j in s.jobs)
    is_kept = for_all(not_(s.doomed[j]) for j in s.jobs)
    is_registered = any_of(s.purged > 0, s.collected > 0, all_of(is_seen, is_sent, is_known))
    return all_of(is_registered, any_of(s.collected > 0, is_kept))


@always(
    "WORKER-05", "WORKER-06", why="who plans by an older state must not plan what was planned", lemma=True
)
def servers_behind_show_the_job(s: Kernel) -> Value:
    """Say that where no evaluation of a job was written since, a server behind shows the job as it is.

    That the collector has deleted the job meanwhile, it may not show.
    """

    def is_shown(f: Id, j: Id) -> Value:
        is_reaped = all_of(s.collected > 0, s.job_phase[j] == JobPhase.ABSENT)
        is_same = all_of(s.old_phase[f, j] == s.job_phase[j], s.old_version[f, j] == s.job_version[j])
        shows_allocs = for_all(
            implies(s.occupies[j, i] != NONE, s.old_occupies[f, j, i] == s.occupies[j, i]) for i in s.allocs
        )
        return all_of(any_of(is_reaped, is_same), shows_allocs)

    return for_all(implies(s.old_usable[f, j], is_shown(f, j)) for f in s.followers for j in s.jobs)


@always(
    "PLAN-31",
    "PLAN-43",
    why="the applier cannot show an entry for an evaluation that it does not know",
    lemma=True,
)
def what_is_judged_is_known(s: Kernel) -> Value:
    """Say that the applier's snapshot knows the evaluation of the plan in hand, and lacks nothing."""
    is_known = for_all(
        implies(s.stage[w] == Stage.JUDGED, all_of(s.has_snap, s.snap_knows[s.job[w], s.number[w]]))
        for w in s.workers
    )
    return all_of(is_known, for_all(not_(s.snap_lacks[j, i]) for j in s.jobs for i in s.allocs))


@always("GC-91", "EVAL-47", why="who works for an evaluation without a record works for nobody", lemma=True)
def only_operators_delete_what_is_worked_on(s: Kernel) -> Value:
    """Say that a worker's evaluation has a record, unless an operator has deleted some during a pause."""
    is_kept = for_all(
        any_of(
            s.stage[w] == Stage.IDLE, is_core(s, s.job[w]), s.record[s.job[w], s.number[w]] != Record.ABSENT
        )
        for w in s.workers
    )
    return all_of(
        implies(s.paused, s.pauses_made > 0), any_of(all_of(s.pauses_made > 0, s.collected > 0), is_kept)
    )


@always(
    "PLAN-31", "ALLOC-04", why="two entries that make one allocation would overwrite each other", lemma=True
)
def entries_make_allocations_of_their_own(s: Kernel) -> Value:
    """Say that an entry makes allocations that were numbered for it, and that are not made yet."""

    def is_new(f: Id, k: Id) -> Value:
        job, number = s.flight_job[f], s.flight_alloc[f, k]
        is_numbered = number < s.alloc_made[job]
        return implies(
            number != NONE, all_of(job != NONE, is_numbered, s.alloc_phase[job, number] == AllocPhase.ABSENT)
        )

    def is_alone(f: Id, k: Id, g: Id, o: Id) -> Value:
        is_same = all_of(s.flight_job[f] == s.flight_job[g], s.flight_alloc[f, k] == s.flight_alloc[g, o])
        return implies(all_of(s.flight_alloc[f, k] != NONE, is_same), all_of(f == g, k == o))

    return all_of(
        for_all(is_new(f, k) for f in s.flights for k in s.slots),
        for_all(is_alone(f, k, g, o) for f in s.flights for k in s.slots for g in s.flights for o in s.slots),
    )
