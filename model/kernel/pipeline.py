"""The pipelined applier: plans are judged against a snapshot that already shows what is still in flight."""

from nomadspec.model.kernel.applier import (
    REJECTS_ALL_AT_ONCE,
    WRITES_PLAN,
    answer,
    answer_error,
    answer_plan,
    count_placed,
    count_rejection,
    count_rejections,
    find_committed_part,
    is_no_op,
    names_missing,
    number_placed,
    take_checked_plan,
    write_plan,
)
from nomadspec.model.kernel.capacity import free_capacity, take_capacity, take_extras
from nomadspec.model.kernel.ids import AllocNumber, EntryId, JobId, NodeId, WorkerId
from nomadspec.model.kernel.log import note_eval
from nomadspec.model.kernel.plan_queue import enqueue_plan, is_next
from nomadspec.model.kernel.records import AppliedState, Entry, Plan
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import EntryStatus, JobPhase, PlannedStatus, SnapshotIndex, Stage
from nomadspec.model.kernel.verdict import calls_unknown, judge, updates, view_store
from nomadspec.model.language.domain import NONE
from nomadspec.model.language.logic import Flag, all_of, any_of, exists, for_all, implies, ite, not_, one_of
from nomadspec.model.language.rule import rule, weak
from nomadspec.model.specification.quirks import (
    ERROR_AFTER_DISPATCH,
    OVERWRITTEN_REPORT,
    PHANTOM_EFFECTS,
    REVIVED_ALLOCATION,
    STALE_JUDGEMENT,
    UNREPORTED_FAILURE,
    VOID_EFFECTS,
)


def is_awaited_entry(s: Kernel, entry_id: EntryId) -> Flag:
    """True while the applier counts an entry as in flight: it has not yet seen its end."""
    return one_of(s.entry_status[entry_id], EntryStatus.IN_FLIGHT, EntryStatus.COMMITTED, EntryStatus.FAILED)


def is_in_flight(s: Kernel, entry_id: EntryId) -> Flag:
    """True while an entry was handed to the log and has not come out of it."""
    return one_of(s.entry_status[entry_id], EntryStatus.IN_FLIGHT, EntryStatus.ORPHANED)


def is_idle(s: Kernel) -> Flag:
    """True while the applier has no plan in hand."""
    return for_all(s.stage[w] != Stage.JUDGED for w in s.workers)


def knows_none_in_flight(s: Kernel) -> Flag:
    """True while the applier knows of no entry in flight."""
    return for_all(not_(is_awaited_entry(s, entry_id)) for entry_id in s.entries)


def heeds_failures(s: Kernel) -> bool:
    """True while the applier takes back what its snapshot shows of an entry that failed."""
    return not s.has(PHANTOM_EFFECTS)


def is_heeded_failure(s: Kernel, entry_id: EntryId) -> Flag:
    """True while an entry has failed, and the applier goes on only once it has seen that."""
    return all_of(heeds_failures(s), s.entry_status[entry_id] == EntryStatus.FAILED)


def has_settled(s: Kernel, entry_id: EntryId) -> Flag:
    """True while nothing is in flight that would fail with an entry that has failed."""
    is_quiet = for_all(not_(is_in_flight(s, other)) for other in s.entries)
    return any_of(not_(is_heeded_failure(s, entry_id)), is_quiet)


def has_heeded_failure(s: Kernel) -> Flag:
    """True while the applier has to see that an entry has failed."""
    return exists(is_heeded_failure(s, entry_id) for entry_id in s.entries)


def shows_all(s: Kernel) -> bool:
    """True while the applier hands nothing to the log that its snapshot does not show."""
    return not s.has(ERROR_AFTER_DISPATCH)


def drop_snapshot(t: Kernel) -> None:
    """Forget the applier's snapshot."""
    t.has_snap = False
    t.is_snapshot_outdated = False
    t.snapshot.clear()


def renew_snapshot(s: Kernel, t: Kernel) -> None:
    """Copy the store as it is."""
    t.has_snap = True
    t.is_snapshot_outdated = False
    t.snapshot = AppliedState.of(view_store(s), lacks=False)
    t.is_newer = False


def needs_newer_snapshot(s: Kernel, worker: WorkerId, job: JobId) -> Flag:
    """True while the applier would have a plan wait until it can renew its snapshot."""
    needs = all_of(not s.has(STALE_JUDGEMENT), not_(knows_none_in_flight(s)), s.is_newer[worker])
    is_shown = s.snapshot.knows[job, s.number[worker]]
    return any_of(needs, all_of(shows_all(s), s.has_snap, not_(is_shown)))


@rule("PLAN-31", "PLAN-37", actor="applier", fair=weak("entry_id"))
def notice_completion(s: Kernel, t: Kernel, entry_id: EntryId) -> None:
    """The applier, between two plans, sees how an entry ended; after the last one it drops its snapshot."""
    t.require(s.ended.head(entry_id), is_idle(s), has_settled(s, entry_id))
    t.ended.pop(entry_id)
    t.entry_status[entry_id] = EntryStatus.FREE
    is_last = for_all(implies(other != entry_id, not_(is_awaited_entry(s, other))) for other in s.entries)
    is_commit = s.entry_status[entry_id] == EntryStatus.COMMITTED
    may_drop = any_of(heeds_failures(s), s.has_seen_commit, is_commit)
    t.has_seen_commit = all_of(may_drop, not_(is_last))
    drop_snapshot(t.when(all_of(is_last, may_drop)))


@rule(
    "PLAN-31",
    "PLAN-32",
    "PLAN-40",
    "PLAN-43",
    "PLAN-45",
    "PLAN-86",
    part_of=Kernel.depth,
    actor="applier",
    fair=weak(),
)
def evaluate(s: Kernel, t: Kernel, worker: WorkerId, job: JobId) -> None:
    """The applier judges the next plan by its snapshot, which it renews only when nothing is in flight."""
    renews = require_turn(s, t, worker, job)
    view = ite(renews, view_store(s), s.snapshot)
    verdict = judge(s, worker, job, view)
    t.require(verdict.may_commit)
    valid = take_plan_by_snapshot(s, t, worker, job, view, renews)
    count_rejections(s, valid, verdict)
    rest = find_committed_part(s, worker, verdict, view, verdict.rejects)
    keep_judged_plan(s, valid, worker, rest, is_whole=verdict.is_whole, renews=renews)


def require_turn(s: Kernel, t: Kernel, worker: WorkerId, job: JobId) -> Flag:
    """Require that the applier may judge this plan now; say whether it renews its snapshot for that."""
    t.require(is_idle(s), is_next(s, worker), s.job[worker] == job)
    must_wait = all_of(not_(knows_none_in_flight(s)), needs_newer_snapshot(s, worker, job))
    t.require(not_(must_wait), not_(has_heeded_failure(s)))
    is_old = any_of(s.is_newer[worker], s.is_snapshot_outdated, needs_newer_snapshot(s, worker, job))
    return any_of(not_(s.has_snap), all_of(knows_none_in_flight(s), is_old))


def take_plan_by_snapshot(
    s: Kernel, t: Kernel, worker: WorkerId, job: JobId, view: AppliedState, renews: Flag
) -> Kernel:
    """Take a plan up; as intended, one whose evaluation the view does not have fails at once."""
    renew_snapshot(s, t.when(renews))
    t.has_seen_commit = False
    valid = take_checked_plan(s, t, worker, job, view)
    is_wrong = all_of(shows_all(s), renews, not_(view.knows[job, s.number[worker]]))
    answer_error(valid.when(is_wrong), worker)
    return valid.when(not_(is_wrong))


def keep_judged_plan(
    s: Kernel, t: Kernel, worker: WorkerId, rest: Plan, *, is_whole: Flag, renews: Flag
) -> None:
    """Keep in hand what is to be committed of a plan; one that changes nothing is answered at once.

    What an earlier verdict on the same plan has made ineligible stays so, though that node is asked no more.
    """
    found = rest
    rest = Plan.of(found, marks=lambda n: any_of(s.plan[worker].marks[n], found.marks[n]))
    t.stage[worker] = Stage.JUDGED
    t.plan[worker] = rest
    t.is_partial[worker] = any_of(s.is_partial[worker], not_(is_whole))
    is_whole = all_of(is_whole, not_(s.is_partial[worker]))
    answered = t.when(is_no_op(s, rest))
    answer(s, answered, worker, is_whole=is_whole, has_progress=False)
    is_ahead = all_of(not_(renews), s.snapshot.index == SnapshotIndex.AHEAD)
    answered.when(not_(is_whole)).awaits[worker] = is_ahead


@rule(*REJECTS_ALL_AT_ONCE, part_of=(Kernel.depth, Kernel.all_at_once), actor="applier", fair=weak("worker"))
def reject_all_at_once_pipelined(s: Kernel, t: Kernel, worker: WorkerId, job: JobId, node: NodeId) -> None:
    """By its snapshot the applier rejects all of a plan that is all or nothing, for the node it met first."""
    renews = require_turn(s, t, worker, job)
    view = ite(renews, view_store(s), s.snapshot)
    verdict = judge(s, worker, job, view)
    t.require(verdict.rejects(node))
    valid = take_plan_by_snapshot(s, t, worker, job, view, renews)
    count_rejection(s, valid, node)
    rest = find_committed_part(s, worker, verdict, view, lambda n: n == node)
    keep_judged_plan(s, valid, worker, rest, is_whole=False, renews=renews)


@rule("PLAN-33", "WORKER-10", fair=weak("worker"))
def miss_refresh(s: Kernel, t: Kernel, worker: WorkerId) -> None:
    """The state that a worker is to plan on does not come, for the entry that it waits for has failed."""
    t.require(s.stage[worker] == Stage.REJECTED, s.awaits[worker])
    t.require(for_all(not_(is_in_flight(s, entry_id)) for entry_id in s.entries))
    answer_error(t, worker)


@rule("PLAN-31", "PLAN-36", actor="applier", fair=weak("entry_id"))
def await_completion(s: Kernel, t: Kernel, entry_id: EntryId) -> None:
    """The applier, with a judged plan in hand and no place for another entry, waits for an end."""
    t.require(s.ended.head(entry_id), not_(is_idle(s)))
    is_full = for_all(is_awaited_entry(s, other) for other in s.entries)
    t.require(any_of(is_full, has_heeded_failure(s)))
    t.require(not_(is_heeded_failure(s, entry_id)))
    t.ended.pop(entry_id)
    t.entry_status[entry_id] = EntryStatus.FREE


@rule("PLAN-31", "PLAN-34", actor="applier", fair=weak("entry_id"))
def judge_again(s: Kernel, t: Kernel, entry_id: EntryId, worker: WorkerId) -> None:
    """As intended, a plan that was judged on top of a failed entry goes back to the queue."""
    t.require(s.ended.head(entry_id), s.stage[worker] == Stage.JUDGED)
    t.require(is_heeded_failure(s, entry_id), has_settled(s, entry_id))
    t.ended.pop(entry_id)
    t.entry_status[entry_id] = EntryStatus.FREE
    drop_snapshot(t)
    t.stage[worker] = Stage.SUBMITTED
    enqueue_plan(s, t, worker)


def show_entry(s: Kernel, t: Kernel, worker: WorkerId, job: JobId) -> None:
    """Show in the applier's snapshot what an entry will do, as far as the snapshot takes it in."""
    plan = s.plan[worker]
    for other in s.jobs:
        for i in s.allocs:
            free_capacity(t.when(plan.preempted[other, i]).snapshot, other, i)
    for i in s.allocs:
        free_capacity(t.when(plan.stops[i] != NONE).snapshot, job, i)
        show_update(s, t, plan, job, i)
    takes_in = any_of(shows_all(s), s.snapshot.job_phase[job] == JobPhase.WANTED)
    for k in s.placements:
        placed = t.when(plan.to[k] != NONE)
        number = number_placed(s, plan, job, k)
        take_capacity(s, placed.when(takes_in).snapshot, job, number, plan.to[k], plan)
        placed.when(not_(takes_in)).snapshot.lacks[job, number] = True
    for n in s.nodes:
        t.when(plan.marks[n]).snapshot.eligible[n] = False
    t.snapshot.index = SnapshotIndex.AHEAD
    t.is_snapshot_outdated = False
    t.is_newer = False


def show_update(s: Kernel, t: Kernel, plan: Plan, job: JobId, i: AllocNumber) -> None:
    """Show in the applier's snapshot an allocation that a judged plan updates in its place.

    One that was stopped is shown to run again; one that has ended on its client stays ended, unless the plan
    writes another status over that.
    """
    kept = plan.keeps[i]
    is_over = all_of(s.has(OVERWRITTEN_REPORT), calls_unknown(plan, i))
    is_revived = all_of(s.has(REVIVED_ALLOCATION), any_of(is_over, not_(s.snapshot.has_ended[job, i])))
    is_shown = any_of(s.snapshot.occupies[job, i] != NONE, is_revived)
    shown = t.when(all_of(kept != NONE, is_shown, plan.client_status[i] != PlannedStatus.ENDED))
    shown.snapshot.occupies[job, i] = kept
    take_extras(s, shown.when(updates(plan, i)).snapshot, job, i, kept, plan)


@rule("PLAN-31", "PLAN-33", "PLAN-60", "EVAL-34", makes=Kernel.alloc_made, actor="applier", fair=weak())
def dispatch(s: Kernel, t: Kernel, worker: WorkerId, job: JobId, entry_id: EntryId) -> None:
    """The applier hands the entry to the log; where its snapshot cannot take it in, it forgets about it."""
    t.require(
        s.stage[worker] == Stage.JUDGED, s.job[worker] == job, s.entry_status[entry_id] == EntryStatus.FREE
    )
    t.require(not_(has_heeded_failure(s)))
    plan = s.plan[worker]
    t.alloc_made[job] = s.alloc_made[job] + count_placed(s, plan)
    is_shown = s.snapshot.knows[job, s.number[worker]]
    t.entry_status[entry_id] = ite(is_shown, EntryStatus.IN_FLIGHT, EntryStatus.ORPHANED)
    t.entry[entry_id] = Entry.of(
        plan, job=job, worker=ite(is_shown, worker, NONE), alloc=lambda k: number_placed(s, plan, job, k)
    )
    for k in s.placements:
        number = number_placed(s, plan, job, k)
        t.when(all_of(not_(is_shown), number != NONE)).snapshot.lacks[job, number] = True
    t.in_flight.push(entry_id)
    t.stage[worker] = Stage.IN_FLIGHT
    show_entry(s, t.when(is_shown), worker, job)
    answer_error(t.when(not_(is_shown)), worker)


def forget_entry(s: Kernel, t: Kernel, entry_id: EntryId, end: EntryStatus) -> None:
    """Forget what an entry says; the applier has still to see its end, if it counts it."""
    t.in_flight.remove(entry_id)
    t.entry[entry_id].clear()
    is_counted = all_of(s.entry_status[entry_id] == EntryStatus.IN_FLIGHT, s.leading)
    t.entry_status[entry_id] = ite(is_counted, end, EntryStatus.FREE)
    t.when(is_counted).ended.push(entry_id)


@rule("PLAN-34", "PLAN-35", *WRITES_PLAN, makes=Kernel.made, actor="log", fair=weak())
def commit(s: Kernel, t: Kernel, entry_id: EntryId, job: JobId) -> None:
    """The first entry in flight is committed, and the worker that waits for it is answered."""
    t.require(s.in_flight.head(entry_id), s.entry[entry_id].job == job, not_(has_heeded_failure(s)))
    entry = s.entry[entry_id]
    is_written = not_(names_missing(s, entry, job, view_store(s)))
    valid = t.when(is_written)
    write_plan(s, valid, job, entry, lambda k: entry.alloc[k])
    note_eval(s, valid, job)
    is_passed = all_of(
        s.has_snap, s.entry_status[entry_id] == EntryStatus.IN_FLIGHT, s.snapshot.index != SnapshotIndex.AHEAD
    )
    t.when(is_passed).is_snapshot_outdated = True
    answer_entry(s, t, entry_id, job, is_written=is_written)
    is_seen_as_done = any_of(s.has(VOID_EFFECTS), is_written)
    forget_entry(s, t, entry_id, ite(is_seen_as_done, EntryStatus.COMMITTED, EntryStatus.FAILED))
    # As intended, what was judged on top of an entry that the store refuses comes to nothing with it: as a
    # leader sees for itself, and nobody does without one.
    for other in s.entries:
        is_behind = all_of(other != entry_id, not_(s.leading), not_(is_seen_as_done))
        lose_with_leader(s, t.when(is_behind), other)


def answer_entry(s: Kernel, t: Kernel, entry_id: EntryId, job: JobId, *, is_written: Flag) -> None:
    """Answer the worker that waits for an entry that has been committed."""
    for worker in s.workers:
        waits = t.when(s.entry[entry_id].worker == worker)
        answer_plan(s, waits, worker, job, s.entry[entry_id], is_whole=not_(s.is_partial[worker]))
        if not s.has(UNREPORTED_FAILURE):
            answer_error(waits.when(not_(is_written)), worker)


def fail_entry(s: Kernel, t: Kernel, entry_id: EntryId) -> None:
    """Let an entry fail; the worker that waits for it gets an error."""
    for worker in s.workers:
        answer_error(t.when(s.entry[entry_id].worker == worker), worker)
    forget_entry(s, t, entry_id, EntryStatus.FAILED)


@rule("PLAN-34", spends=Kernel.entries_failed, actor="log")
def fail_first_entry(s: Kernel, t: Kernel, entry_id: EntryId) -> None:
    """The first entry in flight fails."""
    t.require(s.leading, s.in_flight.head(entry_id))
    fail_entry(s, t, entry_id)


@rule("PLAN-34", actor="log", fair=weak("entry_id"))
def fail_dependent_entry(s: Kernel, t: Kernel, entry_id: EntryId) -> None:
    """As intended, what was judged on top of a failed entry fails too."""
    t.require(s.leading, has_heeded_failure(s), s.in_flight.head(entry_id))
    fail_entry(s, t, entry_id)


@rule("PLAN-34", "PLAN-35", "PLAN-98", actor="log")
def lose_entry(s: Kernel, t: Kernel, entry_id: EntryId) -> None:
    """The last entry in flight is lost together with the leader that it was handed to."""
    is_followed = exists(s.in_flight.is_before(entry_id, other) for other in s.entries)
    t.require(not_(s.leading), s.in_flight.has(entry_id), not_(is_followed))
    fail_entry(s, t, entry_id)


def abandon_entries(s: Kernel, t: Kernel) -> None:
    """Let nobody wait any longer for what is in flight, as when leadership is lost.

    As intended, what was judged on top of a failed entry is lost, too.
    """
    drop_snapshot(t)
    t.has_seen_commit = False
    for entry_id in s.entries:
        t.entry[entry_id].worker = NONE
        t.when(not_(is_in_flight(s, entry_id))).entry_status[entry_id] = EntryStatus.FREE
        t.ended.remove(entry_id)
        lose_with_leader(s, t.when(has_heeded_failure(s)), entry_id)


def lose_with_leader(s: Kernel, t: Kernel, entry_id: EntryId) -> None:
    """Let an entry in flight come to nothing for which nobody waits any longer."""
    lost = t.when(is_in_flight(s, entry_id))
    lost.in_flight.remove(entry_id)
    lost.entry[entry_id].clear()
    lost.entry_status[entry_id] = EntryStatus.FREE
