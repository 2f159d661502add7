"""What must be true of the records of evaluations."""

from nomadspec.model.domain import NONE, Id
from nomadspec.model.kernel.blocked import is_covered
from nomadspec.model.kernel.broker import has_ended, is_core, is_on, is_system, reap_failed
from nomadspec.model.kernel.kernel import is_out_of_records
from nomadspec.model.kernel.state import AllocPhase, Cause, JobPhase, Kernel, Kind, Record, Stage
from nomadspec.model.kernel.verdict import count_needed, count_taken
from nomadspec.model.kernel.worker import give_up, write_outcome
from nomadspec.model.logic import (
    Value,
    all_of,
    any_of,
    count,
    exists,
    for_all,
    implies,
    ite,
    none_of,
    not_,
    one_of,
)
from nomadspec.model.property import By, always, eventually, sometimes, step

_NOT_BEGUN = (Stage.IDLE, Stage.TAKEN, Stage.ACKING, Stage.FAILING)


def is_pending(s: Kernel, job: Id, number: Id) -> Value:
    """Say that the record of an evaluation is pending."""
    return s.record[job, number] == Record.PENDING


def is_blocked(s: Kernel, job: Id, number: Id) -> Value:
    """Say that the record of an evaluation is blocked."""
    return s.record[job, number] == Record.BLOCKED


def is_short_of_room(s: Kernel, job: Id) -> Value:
    """Say that no node could take another instance of the job."""

    def is_usable(n: Id) -> Value:
        is_taken = all_of(is_system(s, job), exists(s.occupies[job, i] == n for i in s.allocs))
        has_room = all_of(count_taken(s, n) + count_needed(s, job) <= s.cap, not_(is_taken))
        return all_of(s.node_up[n], s.eligible[n], s.barred[job, n] == 0, has_room)

    return for_all(not_(is_usable(n)) for n in s.nodes)


def is_cut_short(s: Kernel) -> Value:
    """Say that the scope ends here, or that an operator pauses the broker or may have deleted something."""
    return any_of(is_out_of_records(s), s.paused, all_of(s.pauses_made > 0, s.collected > 0))


def is_to_be_placed(s: Kernel, job: Id) -> Value:
    """Say that a job is wanted and comes back to a node that comes back, which a sysbatch job does not."""
    return all_of(s.job_phase[job] == JobPhase.WANTED, s.kind[job] != Kind.SYSBATCH)


@step("EVAL-02", "EVAL-37", why="whoever has read that an evaluation ended must be able to rely on it")
def terminal_records_stay(s: Kernel, n: Kernel) -> Value:
    """Say that the record of an evaluation that has ended changes no more, but for its deletion."""
    return for_all(
        implies(has_ended(s, j, e), one_of(n.record[j, e], s.record[j, e], Record.ABSENT))
        for j in s.jobs
        for e in s.eval_numbers
    )


@always("EVAL-03", "LEADER-02", "FSM-02", why="a pending evaluation that nobody has is never run")
def no_pending_evaluation_is_forgotten(s: Kernel) -> Value:
    """Say that a leader whose broker works has every pending evaluation somewhere."""
    return for_all(
        implies(all_of(is_on(s), is_pending(s, j, e)), is_covered(s, j, e))
        for j in s.jobs
        for e in s.eval_numbers
    )


@always("BLOCKED-10", "LEADER-02", "FSM-02", why="a blocked evaluation that nobody has is never woken")
def no_blocked_evaluation_is_forgotten(s: Kernel) -> Value:
    """Say that a leader whose tracker works has every blocked evaluation somewhere."""
    return for_all(
        implies(all_of(is_on(s), is_blocked(s, j, e)), is_covered(s, j, e))
        for j in s.jobs
        for e in s.eval_numbers
    )


@step("EVAL-35", "EVAL-45", why="a blocked evaluation of a job that is placed would run for nothing")
def completion_cancels_blocked_siblings(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that no evaluation of a job is blocked right after one of them has placed everything."""
    if not by.is_(write_outcome):
        return True
    worker, job, number = by["worker"], by["job"], by["number"]
    is_whole = all_of(s.holds[worker], not_(s.is_short[worker]), n.record[job, number] == Record.COMPLETE)
    return implies(is_whole, for_all(not_(is_blocked(n, job, e)) for e in s.eval_numbers))


@step("LEADER-21", "LEADER-22", "LEADER-23", why="a job whose evaluation was given up must be tried again")
def giving_up_leaves_a_follow_up(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that the entry that gives up an evaluation makes its follow-up, exactly if the job exists."""
    if not by.is_(reap_failed):
        return True
    job = by["job"]
    is_follow_up = exists(
        all_of(e == s.made[job], is_pending(n, job, e), n.cause[job, e] == Cause.FOLLOW_UP)
        for e in s.eval_numbers
    )
    exists_still = s.job_phase[job] != JobPhase.ABSENT
    return ite(exists_still, is_follow_up, n.made[job] == s.made[job])


@step(
    "EVAL-14", "EVAL-16", "PLAN-97", why="plans that failed by bad luck must be made again without an event"
)
def failed_plans_leave_a_blocked_evaluation(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that an evaluation whose plan attempts are used up leaves a blocked one behind."""
    if not by.is_(give_up):
        return True
    worker, job = by["worker"], by["job"]
    is_left = exists(
        all_of(e == s.made[job], is_blocked(n, job, e), n.cause[job, e] == Cause.ATTEMPTS)
        for e in s.eval_numbers
    )
    return implies(s.holds[worker], is_left)


@always("EVAL-37", "EVAL-39", why="a scheduler must not guess at what it does not know")
def misfits_are_not_planned(s: Kernel) -> Value:
    """Say that no plan is made for an evaluation whose trigger its scheduler does not handle."""

    def is_begun(w: Id) -> Value:
        return none_of(*[s.stage[w] == stage for stage in _NOT_BEGUN])

    return for_all(
        not_(all_of(s.job[w] == j, s.number[w] == e, s.cause[j, e] == Cause.MISFIT, is_begun(w)))
        for w in s.workers
        for j in s.jobs
        for e in s.eval_numbers
    )


@always("EVAL-10", "GC-01", "BROKER-36", why="who lists evaluations asks for those of jobs, and finds others")
def core_evaluations_are_not_stored(s: Kernel) -> Value:
    """Say that an evaluation of a core job has no record."""
    return for_all(
        implies(is_core(s, j), s.record[j, e] == Record.ABSENT) for j in s.jobs for e in s.eval_numbers
    )


@eventually(
    "EVAL-03",
    "WORKER-03",
    "LEADER-20",
    why="an evaluation that stays pending for ever is work that is never done",
    given=is_pending,
    job=Kernel.jobs,
    number=Kernel.eval_numbers,
)
def pending_evaluations_end(s: Kernel, job: Id, number: Id) -> Value:
    """Say that the record of an evaluation does not stay pending."""
    return any_of(is_cut_short(s), not_(is_pending(s, job, number)))


@eventually(
    "EVAL-13",
    "BLOCKED-40",
    "EVAL-37",
    why="capacity that nobody uses while a job waits for it is what scheduling must not end in",
    given=is_to_be_placed,
    job=Kernel.jobs,
)
def wanted_jobs_are_placed(s: Kernel, job: Id) -> Value:
    """Say that a wanted job gets all its instances, or there is no room for another one."""
    is_done = (s.alloc_phase[job, i] == AllocPhase.COMPLETE for i in s.allocs)
    has_enough = count(s.occupies[job, i] != NONE for i in s.allocs) + count(is_done) >= s.count
    is_placed = all_of(not_(is_system(s, job)), has_enough)
    is_wanted = s.job_phase[job] == JobPhase.WANTED
    return any_of(is_cut_short(s), is_placed, is_short_of_room(s, job), not_(is_wanted))


@sometimes("EVAL-37", why="that records stay matters only once some have ended")
def an_evaluation_completes(s: Kernel) -> Value:
    """Say that the record of an evaluation is complete."""
    return exists(s.record[j, e] == Record.COMPLETE for j in s.jobs for e in s.eval_numbers)


@sometimes(
    "EVAL-13",
    "EVAL-45",
    why="siblings are canceled only where some are blocked",
    scopes=("duplicates", "pause"),
)
def a_blocked_sibling_is_canceled(s: Kernel) -> Value:
    """Say that an evaluation is complete, and one that was made blocked is canceled."""
    return exists(
        all_of(
            s.record[j, e] == Record.COMPLETE, s.record[j, o] == Record.CANCELED, s.cause[j, o] != Cause.EVENT
        )
        for j in s.jobs
        for e in s.eval_numbers
        for o in s.eval_numbers
    )


@sometimes("EVAL-39", why="triggers matter only where one is not handled", scopes=("misfits",))
def a_misfit_is_failed(s: Kernel) -> Value:
    """Say that an evaluation has failed whose trigger its scheduler does not handle."""
    return exists(
        all_of(s.record[j, e] == Record.FAILED, s.cause[j, e] == Cause.MISFIT)
        for j in s.jobs
        for e in s.eval_numbers
    )


@sometimes("LEADER-51", "TRIG-25", why="core evaluations matter only where one waits", scopes=("chores",))
def a_core_evaluation_is_superseded(s: Kernel) -> Value:
    """Say that a core evaluation is on the list to cancel."""
    return exists(all_of(is_core(s, j), s.superseded[j, e]) for j in s.jobs for e in s.eval_numbers)


@sometimes(
    "LEADER-22",
    why="follow-ups are made only where deliveries are used up",
    scopes=("delivery-limit", "pause"),
)
def a_follow_up_waits(s: Kernel) -> Value:
    """Say that a follow-up of an evaluation that was given up is pending."""
    return exists(
        all_of(is_pending(s, j, e), s.cause[j, e] == Cause.FOLLOW_UP) for j in s.jobs for e in s.eval_numbers
    )


@sometimes(
    "EVAL-14",
    why="plans that fail again and again leave a blocked evaluation behind",
    scopes=("types", "redelivery"),
)
def plan_attempts_are_used_up(s: Kernel) -> Value:
    """Say that an evaluation is blocked because the plans of another one failed."""
    return exists(
        all_of(is_blocked(s, j, e), s.cause[j, e] == Cause.ATTEMPTS) for j in s.jobs for e in s.eval_numbers
    )
