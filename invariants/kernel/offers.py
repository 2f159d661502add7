"""What the broker must do with what it is given: how an evaluation is made, offered, delivered and freed."""

from typing import Final

from nomadspec.invariants.kernel.movers import MAKERS
from nomadspec.model.domain import NONE, Id
from nomadspec.model.kernel.blocked import cancel_duplicate, lose_duplicate
from nomadspec.model.kernel.broker import (
    cancel_superseded,
    dequeue,
    end_wait,
    enqueue_core,
    expire_delivery,
    has_ended,
    holds_slot,
    is_core,
    is_delayed,
    is_made_blocked,
    is_on,
    lose_superseded,
    make_misfit,
    reap_failed,
    request_evaluation,
)
from nomadspec.model.kernel.disconnects import mark_unknown
from nomadspec.model.kernel.nodes import write_node_eval
from nomadspec.model.kernel.state import Cause, JobPhase, Kernel, Place, Record, Stage, Tracking
from nomadspec.model.kernel.worker import ack, block, block_at, give_up, nack
from nomadspec.model.logic import Value, all_of, any_of, exists, for_all, iff, implies, not_, one_of
from nomadspec.model.property import By, step
from nomadspec.model.rule import Rule

CAUSES: Final[dict[Cause, tuple[Rule, ...]]] = {
    Cause.EVENT: (*(rule for rule in MAKERS if rule.name != make_misfit.name), enqueue_core),
    Cause.UNPLACED: (block, block_at),
    Cause.ATTEMPTS: (give_up,),
    Cause.FOLLOW_UP: (reap_failed,),
    Cause.DEADLINE: (mark_unknown,),
    Cause.MISFIT: (make_misfit,),
}
"""Why each rule that makes an evaluation makes it."""


def list_causes(by: By) -> tuple[Cause, ...]:
    """List why a step may make an evaluation."""
    return tuple(cause for cause, rules in CAUSES.items() if by.is_(*rules))


def rank_of_new(s: Kernel, by: By, job: Id) -> Value:
    """Give the priority of what a step makes: that of the evaluation it follows, or of the job."""
    if by.is_(request_evaluation):
        return by["rank"]
    if by.is_(block, block_at, give_up, reap_failed, mark_unknown):
        return s.rank[by["job"], by["number"]]
    return s.urgent[job]


def is_new(s: Kernel, n: Kernel, job: Id, number: Id) -> Value:
    """Say that a step makes an evaluation."""
    return all_of(number == s.made[job], n.made[job] != s.made[job])


def is_one_more(s: Kernel, n: Kernel, job: Id) -> Value:
    """Say that a step makes at most one evaluation of a job."""
    return any_of(n.made[job] == s.made[job], n.made[job] == s.made[job] + 1)


@step(
    "EVAL-10",
    "EVAL-12",
    "EVAL-14",
    "LEADER-22",
    "TRIG-17",
    why="what an evaluation is for decides what it does",
)
def evaluations_say_what_they_are_for(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that a new evaluation has the reason and the priority of what made it."""
    causes = list_causes(by)

    def is_right(j: Id, e: Id) -> Value:
        is_reason = one_of(n.cause[j, e], *causes)
        at = by["node"] if by.is_(block_at) else NONE
        is_rank = True if by.is_(enqueue_core) else n.rank[j, e] == rank_of_new(s, by, j)
        return implies(is_new(s, n, j, e), all_of(is_reason, is_rank, n.at[j, e] == at))

    return all_of(
        for_all(is_one_more(s, n, j) for j in s.jobs),
        for_all(is_right(j, e) for j in s.jobs for e in s.eval_numbers),
    )


@step(
    "EVAL-10", "EVAL-13", "EVAL-14", why="what was said of an evaluation when it was made is not taken back"
)
def what_an_evaluation_is_for_stays(s: Kernel, n: Kernel) -> Value:
    """Say that an evaluation keeps its reason, its priority and its node."""
    return for_all(
        any_of(
            e >= s.made[j],
            all_of(n.cause[j, e] == s.cause[j, e], n.rank[j, e] == s.rank[j, e], n.at[j, e] == s.at[j, e]),
        )
        for j in s.jobs
        for e in s.eval_numbers
    )


@step(
    "EVAL-10", "EVAL-12", "FSM-02", "BROKER-04", why="an evaluation that is made is to be run, now or later"
)
def new_evaluations_are_offered(s: Kernel, n: Kernel) -> Value:
    """Say that a new evaluation is ready or behind its job, waits for its time, or is with the tracker."""

    def is_right(j: Id, e: Id) -> Value:
        is_blocked = is_made_blocked(n, j, e)
        waits = all_of(not_(is_blocked), is_delayed(n, j, e))
        is_offered = one_of(n.place[j, e], Place.READY, Place.BEHIND)
        is_stored = n.record[j, e] == Record.PENDING
        return all_of(
            iff(n.record[j, e] == Record.BLOCKED, is_blocked),
            any_of(is_blocked, is_stored, is_core(s, j)),
            implies(
                is_on(n),
                all_of(
                    iff(n.arriving[j, e] > 0, is_blocked),
                    iff(n.place[j, e] == Place.WAITING, waits),
                    any_of(is_blocked, waits, is_offered),
                ),
            ),
        )

    return for_all(implies(is_new(s, n, j, e), is_right(j, e)) for j in s.jobs for e in s.eval_numbers)


@step(
    "BROKER-20",
    "BROKER-22",
    "WORKER-03",
    why="who takes an evaluation must know which one, and be known by it",
)
def deliveries_begin_with_a_token(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that a worker that takes an evaluation holds it, and that this counts as one more delivery."""
    if not by.is_(dequeue):
        return for_all(
            any_of(n.delivered[j, e] == s.delivered[j, e], n.delivered[j, e] == 0)
            for j in s.jobs
            for e in s.eval_numbers
        )
    worker, job, number = by["worker"], by["job"], by["number"]
    is_taken = all_of(s.place[job, number] == Place.READY, n.place[job, number] == Place.UNACKED)
    is_held = all_of(n.job[worker] == job, n.number[worker] == number, n.holds[worker])
    return all_of(
        is_taken,
        is_held,
        n.delivered[job, number] == s.delivered[job, number] + 1,
        iff(n.was_blocked[worker], is_made_blocked(s, job, number)),
    )


@step(
    "BROKER-32", "BROKER-40", "BROKER-43", why="an evaluation whose worker gave up is to be delivered again"
)
def what_is_given_back_is_delivered_again(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that a delivery that ends without an outcome waits for the next one, or is the last."""
    if not by.is_(expire_delivery, nack):
        return True
    worker, job, number = by["worker"], by["job"], by["number"]
    is_awaited = any_of(
        s.tracking[job, number] != Tracking.OUT, s.arriving[job, number] > 0, s.duplicate[job, number]
    )
    is_done = any_of(has_ended(s, job, number), is_awaited)
    is_spent = s.delivered[job, number] >= s.deliveries
    is_again = n.place[job, number] == Place.NACKED
    is_last = n.place[job, number] == Place.FAILED
    is_over = n.place[job, number] == Place.OUT
    return implies(
        s.holds[worker],
        all_of(
            not_(n.holds[worker]),
            any_of(is_again, is_last, is_over),
            implies(is_again, not_(is_spent)),
            implies(is_last, is_spent),
            implies(is_over, is_done),
        ),
    )


@step("BROKER-35", "BROKER-36", "BROKER-03", why="an answer ends a delivery, whatever else is to come")
def acked_evaluations_leave_the_broker(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that an acked evaluation is in the broker only if it was woken meanwhile, and behind the others."""
    if not by.is_(ack):
        return True
    worker, job, number = by["worker"], by["job"], by["number"]
    is_again = one_of(n.place[job, number], Place.READY, Place.BEHIND)
    is_over = n.place[job, number] == Place.OUT
    is_followed = exists(
        all_of(e != number, n.place[job, e] == Place.READY, s.place[job, e] == Place.BEHIND)
        for e in s.eval_numbers
    )
    return implies(
        s.holds[worker],
        all_of(
            any_of(all_of(s.requeued[worker], is_again), all_of(not_(s.requeued[worker]), is_over)),
            implies(n.place[job, number] == Place.BEHIND, is_followed),
        ),
    )


@step("BROKER-05", "BROKER-06", "TRIG-17", why="what waits for a time must be told when it has come")
def what_falls_due_is_late(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that when a follow-up falls due, the time of the allocations that wait for it is up."""
    if not by.is_(end_wait):
        return True
    job, number = by["job"], by["number"]
    is_due = all_of(
        s.place[job, number] == Place.WAITING, one_of(n.place[job, number], Place.READY, Place.BEHIND)
    )
    is_told = for_all(
        implies(all_of(s.silences > 0, s.deadline[job, i] == number), n.is_late[job, i] > 0) for i in s.allocs
    )
    is_spared = for_all(
        any_of(s.deadline[job, i] == number, n.is_late[job, i] == s.is_late[job, i]) for i in s.allocs
    )
    return all_of(is_due, is_told, is_spared)


@step("LEADER-20", "LEADER-21", "LEADER-24", why="what is tried no more must not look as if it were to come")
def what_is_given_up_is_failed(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that the leader fails what used up its deliveries, takes it off the broker, and frees its job."""
    if not by.is_(reap_failed):
        return True
    job, number = by["job"], by["number"]
    is_failed = n.record[job, number] == Record.FAILED
    is_spent = all_of(s.reaping, s.place[job, number] == Place.FAILED)
    is_missing = all_of(is_core(s, job), n.record[job, number] == Record.ABSENT)
    waits = exists(s.place[job, e] == Place.BEHIND for e in s.eval_numbers)
    is_freed = implies(waits, exists(holds_slot(n, job, e) for e in s.eval_numbers))
    return all_of(is_spent, any_of(is_failed, is_missing), n.place[job, number] == Place.OUT, is_freed)


@step("LEADER-30", "LEADER-40", "EVAL-45", why="what is taken off a list without a word is forgotten")
def what_is_to_be_canceled_is_canceled(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that what is taken off a list to cancel is canceled in its record, if it has one.

    Where the entry that should do so fails, the evaluation is off its list, and its record as it was.
    """
    if not by.is_(cancel_superseded, cancel_duplicate, lose_superseded, lose_duplicate):
        return True
    job, number = by["job"], by["number"]
    if by.is_(cancel_superseded, lose_superseded):
        was_on, is_on_still = s.superseded[job, number], n.superseded[job, number]
    else:
        was_on, is_on_still = s.duplicate[job, number], n.duplicate[job, number]
    before, after = s.record[job, number], n.record[job, number]
    is_same = after == before
    is_canceled = all_of(after == Record.CANCELED, any_of(before != Record.ABSENT, is_core(s, job)))
    may_stay = True if by.is_(lose_superseded, lose_duplicate) else before == Record.ABSENT
    return all_of(was_on, not_(is_on_still), any_of(is_canceled, all_of(is_same, may_stay)))


@step("EVAL-10", "EVAL-39", "EVAL-46", why="nobody plans for a job that is not there")
def evaluations_are_made_for_jobs(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that an evaluation is made of a job that is there, unless the handler of a node event owed it."""
    if by.is_(write_node_eval):
        return True
    if not by.is_(*MAKERS, reap_failed):
        return True
    return for_all(
        any_of(n.made[j] == s.made[j], s.job_phase[j] != JobPhase.ABSENT, n.job_phase[j] != JobPhase.ABSENT)
        for j in s.jobs
    )


@step("WORKER-03", "BROKER-20", why="a worker does one thing at a time")
def only_idle_workers_take(s: Kernel, n: Kernel) -> Value:
    """Say that a worker that takes an evaluation had none, and that it keeps one until it is idle again."""
    return for_all(
        any_of(
            all_of(n.job[w] == s.job[w], n.number[w] == s.number[w]),
            all_of(s.stage[w] == Stage.IDLE, n.stage[w] == Stage.TAKEN),
            n.stage[w] == Stage.IDLE,
        )
        for w in s.workers
    )
