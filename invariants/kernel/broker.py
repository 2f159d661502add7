"""What must be true of the eval broker and its deliveries."""

from nomadspec.invariants.kernel.evaluations import is_cut_short
from nomadspec.model.domain import Id
from nomadspec.model.kernel.broker import (
    dequeue,
    has_ended,
    holds_delivery,
    holds_slot,
    is_busy,
    is_on,
)
from nomadspec.model.kernel.state import Kernel, Place, Record, Stage, Tracking
from nomadspec.model.kernel.worker import ack, block, give_up, nack, submit, write_outcome
from nomadspec.model.logic import Value, all_of, any_of, exists, for_all, implies, none_of, not_
from nomadspec.model.property import By, always, eventually, sometimes, step


def is_at(place: Place, s: Kernel, job: Id, number: Id) -> Value:
    """Say that the broker has the evaluation at this place."""
    return s.place[job, number] == place


@always("BROKER-07", why="two evaluations of a job at once would make two plans for the same instances")
def one_evaluation_of_a_job_is_out(s: Kernel) -> Value:
    """Say that at most one evaluation of a job is ready, delivered, waiting after a nack, or given up."""
    return for_all(
        not_(all_of(o < e, holds_slot(s, j, o), holds_slot(s, j, e)))
        for j in s.jobs
        for e in s.eval_numbers
        for o in s.eval_numbers
    )


@always("BROKER-06", "BROKER-36", why="an evaluation that waits behind nothing is never delivered")
def nothing_waits_behind_a_free_job(s: Kernel) -> Value:
    """Say that an evaluation waits behind its job only while another one of the job occupies it."""
    return for_all(
        implies(is_at(Place.BEHIND, s, j, e), is_busy(s, j)) for j in s.jobs for e in s.eval_numbers
    )


@always("BROKER-22", "BROKER-35", why="an evaluation with two valid tokens could be written twice")
def deliveries_have_one_holder(s: Kernel) -> Value:
    """Say that a delivered evaluation has exactly one worker with a valid token, and any other has none."""
    is_out = for_all(implies(s.holds[w], s.place[s.job[w], s.number[w]] == Place.UNACKED) for w in s.workers)
    is_held = for_all(
        implies(is_at(Place.UNACKED, s, j, e), exists(holds_delivery(s, w, j, e) for w in s.workers))
        for j in s.jobs
        for e in s.eval_numbers
    )
    is_alone = for_all(
        implies(all_of(w != o, s.holds[w], s.holds[o], s.job[w] == s.job[o]), s.number[w] != s.number[o])
        for w in s.workers
        for o in s.workers
    )
    return all_of(is_out, is_held, is_alone)


@always("BROKER-36", "BROKER-51", why="what is to be canceled must not be delivered any more")
def superseded_evaluations_are_out(s: Kernel) -> Value:
    """Say that an evaluation on the list to cancel is nowhere else in the broker."""
    return for_all(
        implies(s.superseded[j, e], is_at(Place.OUT, s, j, e)) for j in s.jobs for e in s.eval_numbers
    )


@step(
    "BROKER-35",
    "BROKER-40",
    "EVAL-12",
    "EVAL-32",
    "WORKER-30",
    why="a slow worker must not undo another's work",
)
def stale_token_changes_nothing(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that whatever a worker does without a valid token leaves records, broker and tracker alone."""
    if not by.is_(block, submit, write_outcome, give_up, ack, nack):
        return True
    worker, job = by["worker"], by["job"]

    def is_unchanged(e: Id) -> Value:
        return all_of(
            n.record[job, e] == s.record[job, e],
            n.place[job, e] == s.place[job, e],
            n.tracking[job, e] == s.tracking[job, e],
            n.arriving[job, e] == s.arriving[job, e],
        )

    is_quiet = all_of(for_all(is_unchanged(e) for e in s.eval_numbers), not_(n.plans.has(worker)))
    return implies(not_(s.holds[worker]), is_quiet)


@always("BROKER-40", "BROKER-43", why="an evaluation that breaks its scheduler must not be tried for ever")
def deliveries_are_bounded(s: Kernel) -> Value:
    """Say that an evaluation is given up when its deliveries are used up, and not before."""

    def is_in_time(j: Id, e: Id) -> Value:
        is_spent = s.delivered[j, e] >= s.deliveries
        is_tried = any_of(is_at(Place.NACKED, s, j, e), is_at(Place.READY, s, j, e))
        return all_of(implies(is_at(Place.FAILED, s, j, e), is_spent), implies(is_tried, not_(is_spent)))

    return for_all(is_in_time(j, e) for j in s.jobs for e in s.eval_numbers)


@always("BROKER-52", "BLOCKED-46", "BROKER-01", why="what an old leader still had in memory would run twice")
def broker_that_is_off_is_empty(s: Kernel) -> Value:
    """Say that broker and tracker hold nothing while there is no leader, or while they are paused."""

    def is_empty(j: Id, e: Id) -> Value:
        return all_of(
            is_at(Place.OUT, s, j, e),
            s.tracking[j, e] == Tracking.OUT,
            s.arriving[j, e] == 0,
            none_of(s.missed[j, e], s.superseded[j, e], s.duplicate[j, e]),
        )

    return any_of(is_on(s), for_all(is_empty(j, e) for j in s.jobs for e in s.eval_numbers))


@step("BROKER-15", "BROKER-21", why="an urgent job must not wait for the others")
def urgent_evaluations_go_first(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that a worker takes an evaluation only when none of a higher priority is ready."""
    if not by.is_(dequeue):
        return True
    job, number = by["job"], by["number"]
    return for_all(
        implies(
            all_of(is_at(Place.READY, n, j, e), s.kind[j] == s.kind[job]), s.rank[j, e] <= s.rank[job, number]
        )
        for j in s.jobs
        for e in s.eval_numbers
    )


@step("BROKER-16", "BROKER-36", why="an evaluation knows what moved it, so the newest one knows most")
def newest_evaluation_goes_next(s: Kernel, n: Kernel) -> Value:
    """Say that what is put on the list to cancel is older than what goes on in its place."""
    return for_all(
        implies(
            all_of(n.superseded[j, e], not_(s.superseded[j, e])),
            exists(
                all_of(o > e, is_at(Place.BEHIND, s, j, o), is_at(Place.READY, n, j, o))
                for o in s.eval_numbers
            ),
        )
        for j in s.jobs
        for e in s.eval_numbers
    )


@step(
    "WORKER-03", "BROKER-36", "WORKER-32", why="an evaluation must not vanish with the answer that it is done"
)
def no_acked_evaluation_is_lost(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that an evaluation that a worker has acked has ended, or is in the tracker or broker again."""
    if not by.is_(ack):
        return True
    worker, job, number = by["worker"], by["job"], by["number"]
    goes_on = any_of(
        n.place[job, number] != Place.OUT,
        n.arriving[job, number] > 0,
        n.tracking[job, number] != Tracking.OUT,
        n.duplicate[job, number],
        n.record[job, number] == Record.ABSENT,
    )
    return implies(s.holds[worker], any_of(has_ended(n, job, number), goes_on))


@eventually(
    "BROKER-32",
    "WORKER-03",
    why="a delivery that never ends keeps its job from being scheduled",
    given=lambda s, job, number: s.place[job, number] == Place.UNACKED,
    job=Kernel.jobs,
    number=Kernel.eval_numbers,
)
def deliveries_end(s: Kernel, job: Id, number: Id) -> Value:
    """Say that a delivery ends in an ack or a nack."""
    return any_of(is_cut_short(s), s.place[job, number] != Place.UNACKED)


@eventually(
    "LEADER-20",
    "BROKER-07",
    why="until it is reaped, an evaluation that was given up keeps its job from being scheduled",
    given=lambda s, job, number: s.place[job, number] == Place.FAILED,
    job=Kernel.jobs,
    number=Kernel.eval_numbers,
)
def given_up_evaluations_are_reaped(s: Kernel, job: Id, number: Id) -> Value:
    """Say that an evaluation whose deliveries are used up does not stay in the broker."""
    return any_of(is_cut_short(s), s.place[job, number] != Place.FAILED)


@eventually(
    "LEADER-40",
    "BROKER-51",
    why="an evaluation that is superseded but still called pending looks like work to everybody",
    given=lambda s, job, number: all_of(s.superseded[job, number], s.record[job, number] != Record.ABSENT),
    job=Kernel.jobs,
    number=Kernel.eval_numbers,
)
def superseded_evaluations_are_canceled(s: Kernel, job: Id, number: Id) -> Value:
    """Say that a superseded evaluation ends, or is in the broker of a new leader."""
    in_broker = any_of(s.place[job, number] != Place.OUT, s.arriving[job, number] > 0)
    gone = s.record[job, number] == Record.ABSENT
    return any_of(is_cut_short(s), has_ended(s, job, number), in_broker, gone)


@sometimes(
    "BROKER-06",
    why="that evaluations of a job wait for each other matters only where they meet",
    scopes=("occasions", "batch"),
)
def an_evaluation_waits_behind_its_job(s: Kernel) -> Value:
    """Say that an evaluation waits behind another one of its job."""
    return exists(is_at(Place.BEHIND, s, j, e) for j in s.jobs for e in s.eval_numbers)


@sometimes(
    "BROKER-36",
    why="superseding needs two evaluations behind a third",
    scopes=("occasions", "overtaken", "rollout"),
)
def an_evaluation_is_superseded(s: Kernel) -> Value:
    """Say that an evaluation is on the list to cancel."""
    return exists(s.superseded[j, e] for j in s.jobs for e in s.eval_numbers)


@sometimes(
    "BROKER-32",
    why="tokens matter only where a worker has one that is no longer valid",
    scopes=("two-tokens",),
)
def a_worker_has_a_stale_token(s: Kernel) -> Value:
    """Say that a worker goes on with an evaluation that another one has by now."""
    return exists(
        all_of(
            s.stage[x] != Stage.IDLE,
            not_(s.holds[x]),
            s.job[x] == j,
            s.number[x] == e,
            holds_delivery(s, y, j, e),
        )
        for x in s.workers
        for y in s.workers
        for j in s.jobs
        for e in s.eval_numbers
    )


@sometimes(
    "BROKER-40",
    why="the limit of deliveries matters only where it is reached",
    scopes=("delivery-limit", "pause"),
)
def an_evaluation_is_given_up(s: Kernel) -> Value:
    """Say that the deliveries of an evaluation are used up."""
    return exists(is_at(Place.FAILED, s, j, e) for j in s.jobs for e in s.eval_numbers)


@sometimes(
    "BROKER-03",
    "BROKER-36",
    why="an unblock during the last moments of a delivery must not be lost",
    scopes=("types", "redelivery"),
)
def an_evaluation_is_requeued(s: Kernel) -> Value:
    """Say that the broker will take an evaluation again after its ack."""
    return exists(s.requeued[w] for w in s.workers)
