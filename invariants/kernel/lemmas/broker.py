"""Lemmas about places, tokens and blocked evals."""

from nomadspec.invariants.kernel.blocked import is_awaited
from nomadspec.model.kernel.blocked import is_arriving, is_tracked
from nomadspec.model.kernel.broker import (
    has_ended,
    is_canceled_in_store,
    is_core,
    is_enqueued,
    is_made_blocked,
)
from nomadspec.model.kernel.ids import EvalNumber, JobId, WorkerId
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import BlockedIn, EvalRecord, InBroker, JobPhase, Stage, TriggeredBy
from nomadspec.model.language.domain import NONE
from nomadspec.model.language.logic import Flag, all_of, any_of, for_all, implies, none_of, not_, one_of
from nomadspec.model.language.property import always


@always("EVAL-10", "BROKER-01", why="a number that was not given out names nothing", lemma=True)
def evals_not_made_are_nowhere(s: Kernel) -> Flag:
    """An evaluation that was not made has no record, and is in no queue, list or hand."""

    def is_nowhere(j: JobId, e: EvalNumber) -> Flag:
        return all_of(
            s.eval_record[j, e] == EvalRecord.ABSENT,
            s.in_broker[j, e] == InBroker.OUT,
            s.blocked_in[j, e] == BlockedIn.OUT,
            s.arriving[j, e] == 0,
            none_of(s.cancelable[j, e], s.duplicate[j, e], s.by_node[j, e]),
            all_of(s.triggered_by[j, e] == TriggeredBy.EVENT, s.at[j, e] == NONE),
        )

    is_known = for_all(s.number[w] < s.made[s.job[w]] for w in s.workers)
    return all_of(
        is_known, for_all(any_of(e < s.made[j], is_nowhere(j, e)) for j in s.jobs for e in s.eval_numbers)
    )


@always(
    "BROKER-22", "BROKER-36", "BROKER-40", why="a delivery that is not counted is one too many", lemma=True
)
def deliveries_are_counted_while_they_last(s: Kernel) -> Flag:
    """What was delivered in this stay has been counted, and what has left the broker counts none."""

    def is_counted(j: JobId, e: EvalNumber) -> Flag:
        is_fresh = one_of(s.in_broker[j, e], InBroker.OUT, InBroker.PENDING_BEHIND_JOB, InBroker.WAITING)
        was_delivered = one_of(s.in_broker[j, e], InBroker.UNACKED, InBroker.NACKED, InBroker.FAILED)
        return all_of(
            implies(is_fresh, s.delivered[j, e] == 0), implies(was_delivered, s.delivered[j, e] > 0)
        )

    return for_all(is_counted(j, e) for j in s.jobs for e in s.eval_numbers)


@always(
    "BLOCKED-10",
    "BLOCKED-22",
    "BLOCKED-41",
    "BROKER-36",
    "LEADER-30",
    "WORKER-32",
    why="what is to be canceled, or waits for blocked evals, must not go on elsewhere",
    lemma=True,
    j=Kernel.jobs,
    e=Kernel.eval_numbers,
)
def blocked_evals_are_in_one_place(s: Kernel, j: JobId, e: EvalNumber) -> Flag:
    """What arrives at blocked evals, is a duplicate or cancelable is nowhere else, but for its last ack."""
    is_leaving = one_of(s.in_broker[j, e], InBroker.OUT, InBroker.UNACKED)
    is_coming = all_of(is_leaving, not_(is_tracked(s, j, e)))
    is_off = all_of(is_leaving, none_of(is_arriving(s, j, e), s.cancelable[j, e]))
    return all_of(
        implies(is_arriving(s, j, e), is_coming),
        implies(s.duplicate[j, e], is_off),
        implies(s.cancelable[j, e], not_(is_awaited(s, j, e))),
        implies(s.by_node[j, e], is_tracked(s, j, e)),
    )


@always(
    "WORKER-32", "BROKER-03", why="only its worker still holds what was blocked", lemma=True, w=Kernel.workers
)
def worker_of_a_blocked_eval_acks(s: Kernel, w: WorkerId) -> Flag:
    """A worker whose evaluation blocked evals have, or have given back, has only to ack it."""
    job, number = (s.job[w], s.number[w])
    acks = all_of(s.stage[w] == Stage.ACKING, not_(has_ended(s, job, number)))
    is_back = all_of(s.holds[w], acks, not_(is_awaited(s, job, number)))
    is_again = all_of(s.holds[w], is_awaited(s, job, number))
    return all_of(implies(is_again, acks), implies(s.requeued[w], is_back))


@always(
    "WORKER-03", "BROKER-35", why="an ack must not be the end of what goes on", lemma=True, w=Kernel.workers
)
def acking_worker_has_written_its_eval(s: Kernel, w: WorkerId) -> Flag:
    """Who acks under a valid token has written an outcome, or the evaluation goes on elsewhere."""
    job, number = (s.job[w], s.number[w])
    goes_on = any_of(s.requeued[w], is_awaited(s, job, number))
    is_seen_to = any_of(has_ended(s, job, number), goes_on, s.eval_record[job, number] == EvalRecord.ABSENT)
    return implies(all_of(s.holds[w], s.stage[w] == Stage.ACKING), is_seen_to)


@always("EVAL-10", "GC-01", why="what is the leader's own is not for operators", lemma=True)
def core_jobs_are_not_in_the_store(s: Kernel) -> Flag:
    """A core job has no record, nobody owes it an evaluation, and its evaluations are all alike."""
    return all_of(
        for_all(
            implies(is_core(s, j), all_of(s.job_phase[j] == JobPhase.ABSENT, not_(s.owed[j]))) for j in s.jobs
        ),
        for_all(
            implies(is_core(s, j), s.triggered_by[j, e] == TriggeredBy.EVENT)
            for j in s.jobs
            for e in s.eval_numbers
        ),
        for_all(
            implies(
                all_of(is_core(s, j), s.job[w] == j),
                one_of(s.stage[w], Stage.TAKEN, Stage.ACKING, Stage.FAILING),
            )
            for w in s.workers
            for j in s.jobs
        ),
    )


@always(
    "BROKER-06",
    "EVAL-46",
    why="an evaluation that waits for its time is pending until its time comes",
    lemma=True,
    j=Kernel.jobs,
    e=Kernel.eval_numbers,
)
def waiting_evals_are_pending(s: Kernel, j: JobId, e: EvalNumber) -> Flag:
    """An evaluation that waits for its time is pending."""
    return implies(s.in_broker[j, e] == InBroker.WAITING, s.eval_record[j, e] == EvalRecord.PENDING)


@always("EVAL-37", "EVAL-45", why="what ended must not run", lemma=True, j=Kernel.jobs, e=Kernel.eval_numbers)
def queued_evals_are_not_terminal(s: Kernel, j: JobId, e: EvalNumber) -> Flag:
    """The broker keeps nothing that has ended, but for what was canceled after it was woken."""
    is_again = one_of(s.in_broker[j, e], InBroker.NACKED, InBroker.FAILED)
    is_next = is_enqueued(s, j, e)
    return all_of(
        implies(is_again, not_(has_ended(s, j, e))),
        implies(is_next, any_of(not_(has_ended(s, j, e)), is_canceled_in_store(s, j, e))),
    )


@always("EVAL-37", "EVAL-46", why="an outcome is written once", lemma=True, w=Kernel.workers)
def outstanding_eval_is_ended_by_its_worker(s: Kernel, w: WorkerId) -> Flag:
    """An evaluation which a worker has still to see to has not ended, unless by a purge."""
    return implies(
        all_of(s.holds[w], s.stage[w] != Stage.ACKING),
        not_(one_of(s.eval_record[s.job[w], s.number[w]], EvalRecord.FAILED, EvalRecord.CANCELED)),
    )


@always("BLOCKED-10", "EVAL-12", why="only what was made blocked is blocked again", lemma=True)
def blocked_evals_were_made_blocked(s: Kernel) -> Flag:
    """What is blocked, awaited, or held as such was made blocked, and so was never pending."""

    def is_kept(j: JobId, e: EvalNumber) -> Flag:
        is_waiting = any_of(s.eval_record[j, e] == EvalRecord.BLOCKED, is_awaited(s, j, e))
        is_blocked = is_made_blocked(s, j, e)
        return all_of(
            implies(is_waiting, is_blocked), implies(is_blocked, s.eval_record[j, e] != EvalRecord.PENDING)
        )

    return all_of(
        for_all(is_kept(j, e) for j in s.jobs for e in s.eval_numbers),
        for_all(
            implies(any_of(s.was_blocked[w], s.requeued[w]), is_made_blocked(s, s.job[w], s.number[w]))
            for w in s.workers
        ),
    )


@always("BLOCKED-30", "BLOCKED-45", why="what is canceled on its way is not to be blocked", lemma=True)
def arriving_blocked_evals_are_not_terminal(s: Kernel) -> Flag:
    """What is on its way to blocked evals has not ended, unless an unblock will send it back."""
    return for_all(
        implies(
            all_of(is_arriving(s, j, e), has_ended(s, j, e)),
            all_of(s.missed_unblock[j, e], s.eval_record[j, e] == EvalRecord.CANCELED),
        )
        for j in s.jobs
        for e in s.eval_numbers
    )


@always(
    "EVAL-15", "BLOCKED-41", why="what is woken by its node is woken by the class of the node", lemma=True
)
def evaluations_are_for_feasible_nodes(s: Kernel) -> Flag:
    """An evaluation for a node is of a job that is feasible there."""
    return for_all(
        implies(s.at[j, e] != NONE, not_(s.infeasible[j, s.at[j, e]])) for j in s.jobs for e in s.eval_numbers
    )


@always(
    "LEADER-30", "LEADER-40", "EVAL-37", why="what is canceled late must not have ended otherwise", lemma=True
)
def cancelable_evals_are_not_complete(s: Kernel) -> Flag:
    """Nothing on a list to cancel is complete or failed."""
    return for_all(
        implies(
            any_of(s.cancelable[j, e], s.duplicate[j, e]),
            not_(one_of(s.eval_record[j, e], EvalRecord.COMPLETE, EvalRecord.FAILED)),
        )
        for j in s.jobs
        for e in s.eval_numbers
    )


@always("EVAL-39", why="where nobody makes an unhandled trigger there is none", lemma=True)
def unhandled_triggers_come_from_outside(s: Kernel) -> Flag:
    """Only events of the scope make evaluations whose trigger their scheduler does not handle."""
    is_none = for_all(
        s.triggered_by[j, e] != TriggeredBy.UNHANDLED_TRIGGER for j in s.jobs for e in s.eval_numbers
    )
    return any_of(s.unhandled_triggers > 0, is_none)


@always("BROKER-01", "EVAL-10", why="a number that is given out next must not be queued already", lemma=True)
def queued_evals_were_made(s: Kernel) -> Flag:
    """The broker has only evaluations that were made."""
    return for_all(
        implies(s.in_broker[j, e] != InBroker.OUT, e < s.made[j]) for j in s.jobs for e in s.eval_numbers
    )
