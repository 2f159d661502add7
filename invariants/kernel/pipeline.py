"""What must be true of the pipelined applier: its snapshot, its plan in hand, its entries in flight."""

from collections.abc import Callable

from nomadspec.invariants.kernel import leader, plan_queue
from nomadspec.model.kernel.ids import (
    AllocNumber,
    EntryId,
    EvalNumber,
    JobId,
    NodeId,
    Placement,
    Unit,
    WorkerId,
)
from nomadspec.model.kernel.pipeline import is_awaited_entry, is_in_flight
from nomadspec.model.kernel.plan_queue import is_queued, is_with_applier
from nomadspec.model.kernel.records import ClusterView
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import AllocPhase, EntryStatus, JobPhase, SnapshotIndex, Stage
from nomadspec.model.kernel.verdict import count_after, count_taken
from nomadspec.model.language.domain import NONE
from nomadspec.model.language.logic import (
    Flag,
    Value,
    all_of,
    any_of,
    count,
    exists,
    for_all,
    iff,
    implies,
    ite,
    not_,
    one_of,
)
from nomadspec.model.language.property import always, lemma, sometimes, step


@always("PLAN-31", "PLAN-37", why="a plan judged without an earlier entry may use the same room")
def applier_snapshot_shows_every_dispatched_entry(s: Kernel) -> Flag:
    """What was dispatched since the snapshot was taken, and takes capacity, is in the snapshot."""
    return for_all(
        not_(all_of(s.snapshot.lacks[j, i], s.occupies[j, i] != NONE)) for j in s.jobs for i in s.allocs
    )


@always("PLAN-31", "PLAN-34", why="a failed placement would hold room, and a failed stop would free it")
def applier_snapshot_shows_no_failed_entry(s: Kernel) -> Flag:
    """What the applier's snapshot shows of a wanted job was made, is in flight, or is about to be taken back.

    Nothing is asked while an entry has failed and the applier has not seen it. Of a job that came back, the
    snapshot may show what was not made for it before, until it knows the job's newest evaluation.
    """

    def is_coming(j: JobId, i: AllocNumber) -> Flag:
        return exists(
            all_of(is_in_flight(s, f), s.entry[f].job == j, s.entry[f].alloc[k] == i)
            for f in s.entries
            for k in s.placements
        )

    def is_of_before(j: JobId) -> Flag:
        newest: Value = s.made[j] - 1
        is_known = exists(all_of(e == newest, s.snapshot.knows[j, e]) for e in s.eval_numbers)
        return all_of(s.returned > 0, not_(is_known))

    return any_of(
        has_unseen_failure(s),
        for_all(
            implies(
                all_of(s.snapshot.occupies[j, i] != NONE, s.job_phase[j] == JobPhase.WANTED),
                any_of(s.alloc_phase[j, i] != AllocPhase.ABSENT, is_coming(j, i), is_of_before(j)),
            )
            for j in s.jobs
            for i in s.allocs
        ),
    )


@sometimes(
    "PLAN-31",
    "PLAN-36",
    why="overlap matters only where a plan is judged while an entry is in flight",
    scopes=("plan-rejections", "failed-entry", "two-entries"),
)
def a_plan_is_judged_while_an_entry_is_in_flight(s: Kernel) -> Flag:
    """The applier has a judged plan in hand and an entry in flight."""
    return all_of(
        exists(s.stage[w] == Stage.JUDGED for w in s.workers), exists(is_in_flight(s, f) for f in s.entries)
    )


@sometimes(
    "PLAN-35", "PLAN-36", why="an order matters only where two entries are in flight", scopes=("two-entries",)
)
def two_entries_are_in_flight(s: Kernel) -> Flag:
    """An entry was handed to the log while another one was in flight."""
    return count(is_in_flight(s, f) for f in s.entries) > 1


@sometimes(
    "PLAN-46", why="nodes are judged apart only where one fails", scopes=("plan-rejections", "failed-entry")
)
def a_plan_is_kept_in_part(s: Kernel) -> Flag:
    """The applier holds a plan of which some node was rejected."""
    return exists(s.is_partial[w] for w in s.workers)


@sometimes(
    "PLAN-32",
    "PLAN-37",
    why="staleness matters only where a plan is newer than the snapshot",
    scopes=("stale-snapshot", "failed-entry"),
)
def a_plan_is_newer_than_the_snapshot(s: Kernel) -> Flag:
    """A plan was made from a newer state than the applier's."""
    return exists(all_of(s.has_snap, s.is_newer[w]) for w in s.workers)


@sometimes(
    "PLAN-34",
    why="failed entries matter only where one fails",
    scopes=("stale-snapshot", "failed-entry", "two-entries"),
)
def an_entry_fails(s: Kernel) -> Flag:
    """An entry has failed, and that the applier does not know."""
    return exists(s.entry_status[f] == EntryStatus.FAILED for f in s.entries)


@step("PLAN-35", "PLAN-36", why="it was judged on top of the older one")
def entries_commit_in_order(s: Kernel, n: Kernel, f: EntryId, g: EntryId, j: JobId, i: AllocNumber) -> Flag:
    """An entry that comes out of the log before an older one has placed, stopped and updated nothing."""
    overtakes = all_of(is_in_flight(s, f), not_(is_in_flight(n, f)), s.in_flight.is_before(g, f))
    is_same = all_of(
        n.alloc_phase[j, i] == s.alloc_phase[j, i], n.alloc_version[j, i] == s.alloc_version[j, i]
    )
    return implies(all_of(overtakes, is_in_flight(n, g)), is_same)


@always("PLAN-31", "PLAN-32", "PLAN-37", why="an older snapshot rejects what fits, and accepts what does not")
def judged_plan_is_not_newer_than_the_applier(s: Kernel, w: WorkerId) -> Flag:
    """No plan that was judged was made from a newer state than the applier's."""
    is_judged = (Stage.JUDGED, Stage.IN_FLIGHT, Stage.EXHAUSTED)
    return implies(one_of(s.stage[w], *is_judged), not_(s.is_newer[w]))


@step("PLAN-32", "PLAN-37", why="a plan that has seen a change would be judged by a state from before it")
def store_change_makes_the_applier_snapshot_old(s: Kernel, n: Kernel) -> Flag:
    """An applier's snapshot that is as new as the store is behind it once something is written."""

    def is_same(j: JobId) -> Flag:
        are_evals = for_all(n.eval_record[j, e] == s.eval_record[j, e] for e in s.eval_numbers)
        are_allocs = for_all(n.alloc_phase[j, i] == s.alloc_phase[j, i] for i in s.allocs)
        is_job = all_of(n.job_phase[j] == s.job_phase[j], n.job_version[j] == s.job_version[j])
        return all_of(are_evals, are_allocs, is_job, n.deployment[j] == s.deployment[j])

    is_kept = all_of(ClusterView.of(n) == ClusterView.of(s), for_all(is_same(j) for j in s.jobs))
    is_even = all_of(s.has_snap, n.has_snap, s.snapshot.index == SnapshotIndex.EVEN)
    return implies(all_of(is_even, not_(is_kept)), n.snapshot.index == SnapshotIndex.BEHIND)


@step(
    "PLAN-42",
    "PLAN-44",
    "PLAN-45",
    "PLAN-46",
    why="a stop without its replacement leaves a job one allocation short",
)
def judged_plan_is_the_submitted_one_node_by_node(
    s: Kernel, n: Kernel, w: WorkerId, j: JobId, m: NodeId
) -> Flag:
    """A plan keeps in judgement, of what it has for a node, all or nothing, and gains nothing.

    What it preempts there is stopped only where all of it stays, too.
    """
    before, after = s.plan[w], n.plan[w]
    places = for_all(one_of(after.to[k], NONE, before.to[k]) for k in s.placements)
    stops = for_all(implies(after.stops[i] != NONE, before.stops[i] != NONE) for i in s.allocs)
    keeps = for_all(one_of(after.keeps[i], NONE, before.keeps[i]) for i in s.allocs)
    preempted = for_all(
        implies(after.preempted[k, i], before.preempted[k, i]) for k in s.jobs for i in s.allocs
    )
    same = all_of(after.version == before.version, after.ask == before.ask)
    is_part = all_of(places, stops, keeps, preempted, same)
    planned = count(before.to[k] == m for k in s.placements)
    left = count(after.to[k] == m for k in s.placements)
    named = count(all_of(before.stops[i] != NONE, n.snapshot.occupies[j, i] == m) for i in s.allocs)
    stopped = count(all_of(after.stops[i] != NONE, n.snapshot.occupies[j, i] == m) for i in s.allocs)
    preempting = exists(
        all_of(after.preempted[k, i], n.snapshot.occupies[k, i] == m) for k in s.jobs for i in s.allocs
    )
    is_lost = any_of(left < planned, stopped < named)
    is_nothing = all_of(left == 0, stopped == 0, not_(preempting), n.is_partial[w])
    is_whole = all_of(any_of(left == 0, left == planned), implies(is_lost, is_nothing))
    is_judged = all_of(s.stage[w] == Stage.SUBMITTED, n.stage[w] == Stage.JUDGED)
    return implies(all_of(is_judged, s.job[w] == j), all_of(is_part, is_whole))


def is_written(s: Kernel, n: Kernel, entry_id: EntryId, job: JobId) -> Flag:
    """True where the store has all that an entry stops, updates and, for a wanted job, places."""
    entry = s.entry[entry_id]
    is_stopped = for_all(implies(entry.stops[i] != NONE, n.occupies[job, i] == NONE) for i in s.allocs)
    made = for_all(
        implies(entry.alloc[k] == i, n.occupies[job, i] == entry.to[k])
        for k in s.placements
        for i in s.allocs
    )
    is_current = for_all(
        implies(
            all_of(entry.keeps[i] != NONE, s.occupies[job, i] != NONE),
            n.alloc_version[job, i] == entry.version,
        )
        for i in s.allocs
    )
    return all_of(is_stopped, is_current, any_of(s.job_phase[job] != JobPhase.WANTED, made))


@step("PLAN-34", "PLAN-98", "EVAL-34", why="half an entry must not be written")
def entry_is_written_whole_or_not_at_all(s: Kernel, n: Kernel, f: EntryId, j: JobId) -> Flag:
    """An entry that leaves the log has stopped, placed and updated all that it says, or changed nothing.

    Placements for a job that is not wanted any more are left out.
    """
    ends = all_of(is_in_flight(s, f), not_(is_in_flight(n, f)), s.entry[f].job == j)
    is_nothing = for_all(
        all_of(n.alloc_phase[j, i] == s.alloc_phase[j, i], n.alloc_version[j, i] == s.alloc_version[j, i])
        for i in s.allocs
    )
    return implies(ends, any_of(is_written(s, n, f, j), is_nothing))


@step("PLAN-34", "PLAN-35", "PLAN-98", why="a worker without an error takes a rejected plan for committed")
def failed_entry_is_answered_with_an_error(s: Kernel, n: Kernel, w: WorkerId, f: EntryId, j: JobId) -> Flag:
    """A worker gets an error exactly if its entry ends without having been written.

    Where an entry changes nothing, as all that it stops has ended, either may be told.
    """
    is_changed = exists(
        any_of(n.alloc_phase[j, i] != s.alloc_phase[j, i], n.alloc_version[j, i] != s.alloc_version[j, i])
        for i in s.allocs
    )
    preempts_all = for_all(
        implies(s.entry[f].preempted[k, i], n.occupies[k, i] == NONE) for k in s.jobs for i in s.allocs
    )
    ends = all_of(is_in_flight(s, f), not_(is_in_flight(n, f)), s.entry[f].job == j)
    is_error = n.stage[w] == Stage.FAILING
    is_right = ite(is_error, not_(is_changed), all_of(is_written(s, n, f, j), preempts_all))
    return implies(all_of(ends, s.entry[f].worker == w), is_right)


@always("PLAN-51", "NODEST-01", why="a node that is down or ineligible starts nothing")
def judged_plan_uses_ready_eligible_nodes(s: Kernel, w: WorkerId, k: Placement, m: NodeId) -> Flag:
    """A judged plan places on nodes that the applier's snapshot shows ready and eligible."""
    is_usable = all_of(s.snapshot.node_up[m], s.snapshot.eligible[m])
    return implies(all_of(s.stage[w] == Stage.JUDGED, s.plan[w].to[k] == m), is_usable)


@step("PLAN-22", "PLAN-34", "LEADER-08", why="parts of an answered plan must not come again")
def answered_plan_is_forgotten(s: Kernel, n: Kernel, w: WorkerId) -> Flag:
    """Nothing is left of a plan that is no longer with the applier."""
    return implies(
        all_of(is_with_applier(s, w), not_(is_with_applier(n, w))),
        all_of(n.plan[w].is_clear(), not_(n.is_partial[w]), not_(is_queued(n, w))),
    )


# lemmas


@lemma("PLAN-30", "PLAN-31", "PLAN-36", why="an end in no line is never seen")
def entries_in_flight_are_queued_once(s: Kernel, f: EntryId) -> Flag:
    """What is in flight is in the line to commit, and what has ended in the line to be seen."""
    return all_of(
        iff(is_in_flight(s, f), s.in_flight.has(f)),
        iff(s.ended.has(f), all_of(is_awaited_entry(s, f), not_(is_in_flight(s, f)))),
    )


@lemma("PLAN-30", "PLAN-31", why="one consumer takes plans from the queue, one at a time")
def applier_holds_one_judged_plan(s: Kernel, w: WorkerId, o: WorkerId) -> Flag:
    """The applier has at most one judged plan that is not yet with the log."""
    return implies(all_of(s.stage[w] == Stage.JUDGED, s.stage[o] == Stage.JUDGED), w == o)


@lemma("PLAN-31", "PLAN-33", "PLAN-34", why="an answer must not reach a worker that waits for none")
def plan_answers_reach_a_waiting_worker(s: Kernel) -> Flag:
    """An entry answers one worker of its job, which waits for it alone; only a lost leader leaves it none."""

    def is_right(f: EntryId) -> Flag:
        worker = s.entry[f].worker
        waits = all_of(s.stage[worker] == Stage.IN_FLIGHT, s.job[worker] == s.entry[f].job)
        return all_of(
            implies(worker != NONE, all_of(waits, is_in_flight(s, f))),
            implies(all_of(s.leading, is_in_flight(s, f)), worker != NONE),
        )

    is_alone = for_all(
        implies(all_of(s.entry[f].worker != NONE, s.entry[f].worker == s.entry[o].worker), f == o)
        for f in s.entries
        for o in s.entries
    )
    return all_of(for_all(is_right(f) for f in s.entries), is_alone)


@lemma("PLAN-31", "PLAN-40", "PLAN-43", why="what is judged is judged by a snapshot that knows it")
def judged_plan_has_an_applier_snapshot(s: Kernel) -> Flag:
    """A plan in hand was judged by a snapshot that knows its evaluation; only a pipeline keeps a snapshot."""
    is_judged = for_all(
        implies(s.stage[w] == Stage.JUDGED, all_of(s.has_snap, s.snapshot.knows[s.job[w], s.number[w]]))
        for w in s.workers
    )
    lacks_nothing = for_all(not_(s.snapshot.lacks[j, i]) for j in s.jobs for i in s.allocs)
    return all_of(is_judged, lacks_nothing, any_of(s.depth > 0, not_(s.has_snap)))


@lemma("PLAN-31", "GENERIC-35", why="two entries that make one allocation would overwrite each other")
def entries_make_allocations_of_their_own(s: Kernel) -> Flag:
    """An entry makes allocations that were numbered for it, and that are not made yet."""

    def is_new(f: EntryId, k: Placement) -> Flag:
        job, number = s.entry[f].job, s.entry[f].alloc[k]
        is_numbered = number < s.alloc_made[job]
        return implies(
            number != NONE, all_of(job != NONE, is_numbered, s.alloc_phase[job, number] == AllocPhase.ABSENT)
        )

    def is_alone(f: EntryId, k: Placement, g: EntryId, o: Placement) -> Flag:
        is_same = all_of(s.entry[f].job == s.entry[g].job, s.entry[f].alloc[k] == s.entry[g].alloc[o])
        return implies(all_of(s.entry[f].alloc[k] != NONE, is_same), all_of(f == g, k == o))

    return all_of(
        for_all(is_new(f, k) for f in s.entries for k in s.placements),
        for_all(
            is_alone(f, k, g, o)
            for f in s.entries
            for k in s.placements
            for g in s.entries
            for o in s.placements
        ),
    )


@lemma("PLAN-34", "PLAN-62", why="what is left of one log entry must not be written with the next")
def ended_entries_are_forgotten(s: Kernel) -> Flag:
    """A place for an entry which is not in flight says nothing."""
    return for_all(any_of(s.in_flight.has(f), s.entry[f].is_clear()) for f in s.entries)


@lemma("PLAN-31", "PLAN-60", why="a worker is told of its own plan")
def entries_match_the_plan_of_their_worker(s: Kernel, f: EntryId) -> Flag:
    """An entry that a worker waits for places, stops, updates and deploys what its plan does."""
    entry, plan = s.entry[f], s.plan[s.entry[f].worker]
    is_same = all_of(
        entry.version == plan.version,
        entry.deployment == plan.deployment,
        for_all(entry.to[k] == plan.to[k] for k in s.placements),
        for_all(all_of(entry.stops[i] == plan.stops[i], entry.keeps[i] == plan.keeps[i]) for i in s.allocs),
    )
    return implies(entry.worker != NONE, is_same)


@lemma("PLAN-60", "PLAN-72", "GENERIC-35", why="what is placed under no number is nothing")
def entries_number_their_placements(s: Kernel) -> Flag:
    """An entry has a number for each placement, and for nothing else."""
    return for_all(
        iff(s.entry[f].to[k] == NONE, s.entry[f].alloc[k] == NONE) for f in s.entries for k in s.placements
    )


@lemma("PLAN-31", "EVAL-10", why="what it is said to know before it is made would not be looked for")
def applier_snapshot_knows_only_evals_that_were_made(s: Kernel, j: JobId, e: EvalNumber) -> Flag:
    """The applier's snapshot knows no evaluation that is yet to be made."""
    return implies(s.snapshot.knows[j, e], e < s.made[j])


@lemma("PLAN-30", "PLAN-31", why="what is left of a snapshot that was dropped would be judged by")
def dropped_snapshots_are_forgotten(s: Kernel) -> Flag:
    """An applier without a snapshot knows nothing of nodes, jobs and allocations."""
    return any_of(s.has_snap, all_of(s.snapshot.is_clear(), not_(s.is_snapshot_outdated)))


def is_taken_away(s: Kernel, entry_id: EntryId, job: JobId, i: AllocNumber) -> Flag:
    """True while an entry stops or preempts an allocation."""
    is_stopped = all_of(s.entry[entry_id].job == job, s.entry[entry_id].stops[i] != NONE)
    return any_of(is_stopped, s.entry[entry_id].preempted[job, i])


def is_placed(s: Kernel, entry_id: EntryId, job: JobId, i: AllocNumber, node: NodeId) -> Flag:
    """True while an entry makes an allocation on a node."""
    placements = (
        all_of(s.entry[entry_id].alloc[k] == i, s.entry[entry_id].to[k] == node) for k in s.placements
    )
    return all_of(s.entry[entry_id].job == job, exists(placements))


def is_updated(s: Kernel, entry_id: EntryId, job: JobId, i: AllocNumber) -> Flag:
    """True while an entry updates an allocation in its place."""
    is_meant = all_of(s.entry[entry_id].job == job, s.entry[entry_id].keeps[i] != NONE)
    return all_of(is_meant, s.occupies[job, i] != NONE)


Some = Callable[[EntryId], Flag]
"""Which entries are looked at as if they were committed."""


def is_taken_away_by(s: Kernel, some: Some, job: JobId, i: AllocNumber) -> Flag:
    """True while some entries stop or preempt an allocation."""
    return exists(all_of(some(f), is_taken_away(s, f, job, i)) for f in s.entries)


def takes_room_after_commit(s: Kernel, some: Some, job: JobId, i: AllocNumber, node: NodeId) -> Flag:
    """True while an allocation takes capacity of a node once some entries are committed."""
    comes = exists(all_of(some(f), is_placed(s, f, job, i, node)) for f in s.entries)
    return all_of(any_of(s.occupies[job, i] == node, comes), not_(is_taken_away_by(s, some, job, i)))


def takes_more_after_commit(s: Kernel, some: Some, job: JobId, i: AllocNumber, x: Unit, node: NodeId) -> Flag:
    """True while an allocation takes one more unit of a node once some entries are committed."""

    def comes(f: EntryId) -> Flag:
        updated = all_of(is_updated(s, f, job, i), s.entry[f].keeps[i] == node)
        is_new = any_of(updated, is_placed(s, f, job, i, node))
        return all_of(some(f), x < s.entry[f].ask, is_new)

    is_changed = exists(all_of(some(f), is_updated(s, f, job, i)) for f in s.entries)
    stays = all_of(s.extra_at[job, i, x] == node, not_(is_changed))
    is_there = any_of(stays, exists(comes(f) for f in s.entries))
    return all_of(is_there, not_(is_taken_away_by(s, some, job, i)))


def count_used_after_commit(s: Kernel, some: Some, node: NodeId) -> int:
    """Count the units of a node that are taken once some entries are committed."""
    units = count(takes_room_after_commit(s, some, j, i, node) for j in s.jobs for i in s.allocs)
    return units + count(
        takes_more_after_commit(s, some, j, i, x, node) for j in s.jobs for i in s.allocs for x in s.extras
    )


def list_committed_by(s: Kernel, last: EntryId) -> Some:
    """Look at an entry in flight and at those that are committed before it."""
    return lambda f: any_of(f == last, s.in_flight.is_before(f, last))


def has_unseen_failure(s: Kernel) -> Flag:
    """True while an entry has failed, and the applier has not seen it."""
    return exists(s.entry_status[f] == EntryStatus.FAILED for f in s.entries)


@lemma("PLAN-31", "PLAN-43", why="the next plan is judged on top of the entry")
def entries_in_flight_have_an_applier_snapshot(s: Kernel, f: EntryId) -> Flag:
    """A leader has a snapshot while an entry of its own is in flight, and hands on no other."""
    return all_of(
        s.entry_status[f] != EntryStatus.ORPHANED, implies(all_of(s.leading, is_in_flight(s, f)), s.has_snap)
    )


@lemma("PLAN-31", "PLAN-43", why="room that the snapshot does not see is given away twice")
def applier_snapshot_shows_entries_in_flight(s: Kernel) -> Flag:
    """The applier's snapshot shows what an entry in flight places, but for what a later one takes away."""

    def is_shown(f: EntryId, k: Placement) -> Flag:
        job, number, node = s.entry[f].job, s.entry[f].alloc[k], s.entry[f].to[k]
        more = for_all(
            implies(x < s.entry[f].ask, s.snapshot.extra_at[job, number, x] == node) for x in s.extras
        )
        leaves = exists(
            all_of(s.in_flight.is_before(f, g), is_taken_away(s, g, job, number)) for g in s.entries
        )
        return any_of(node == NONE, all_of(s.snapshot.occupies[job, number] == node, more), leaves)

    return for_all(
        implies(all_of(is_in_flight(s, f), s.has_snap), is_shown(f, k))
        for f in s.entries
        for k in s.placements
    )


@lemma("PLAN-31", "PLAN-43", why="room that the snapshot does not see is given away twice")
def applier_snapshot_shows_remaining_allocs(s: Kernel) -> Flag:
    """The applier's snapshot shows what takes capacity, but for what an entry in flight changes.

    Nothing is asked until an entry that failed has been seen.
    """

    def is_shown(j: JobId, i: AllocNumber) -> Flag:
        node = s.occupies[j, i]
        leaves = exists(all_of(is_in_flight(s, f), is_taken_away(s, f, j, i)) for f in s.entries)
        return any_of(node == NONE, s.snapshot.occupies[j, i] == node, leaves)

    def is_shown_whole(j: JobId, i: AllocNumber, x: Unit) -> Flag:
        node = s.extra_at[j, i, x]
        changes = exists(
            all_of(is_in_flight(s, f), any_of(is_taken_away(s, f, j, i), is_updated(s, f, j, i)))
            for f in s.entries
        )
        return any_of(node == NONE, s.snapshot.extra_at[j, i, x] == node, changes)

    is_whole = all_of(
        for_all(is_shown(j, i) for j in s.jobs for i in s.allocs),
        for_all(is_shown_whole(j, i, x) for j in s.jobs for i in s.allocs for x in s.extras),
    )
    return any_of(not_(s.has_snap), has_unseen_failure(s), is_whole)


@lemma("PLAN-43", "PLAN-53", "PLAN-54", why="what is judged by must itself be possible")
def applier_snapshot_is_not_oversubscribed(s: Kernel) -> Flag:
    """The applier's snapshot shows no node with more than it has room for."""
    return any_of(not_(s.has_snap), for_all(count_taken(s.snapshot, m) <= s.cap for m in s.nodes))


@lemma("PLAN-43", "PLAN-45", "PLAN-46", why="what is left of a plan must fit as the whole did")
def plans_in_hand_fit_the_snapshot(s: Kernel) -> Flag:
    """With the judged plan the applier's snapshot shows no node with more than it has room for."""
    return for_all(
        implies(s.stage[w] == Stage.JUDGED, count_after(s, w, s.job[w], m, s.snapshot) <= s.cap)
        for w in s.workers
        for m in s.nodes
    )


@lemma("GENERIC-35", "PLAN-53", why="what is placed next must not be there already")
def coming_placements_take_no_room_yet(s: Kernel) -> Flag:
    """An allocation whose number was not given out takes no capacity."""
    return for_all(any_of(i < s.alloc_made[j], s.occupies[j, i] == NONE) for j in s.jobs for i in s.allocs)


@lemma("PLAN-32", "PLAN-43", why="an applier that judges by the store itself is never behind a plan")
def no_plan_is_newer_without_a_pipeline(s: Kernel) -> Flag:
    """Where plans are judged and committed in one step, no plan is newer than what it is judged by."""
    return any_of(s.depth > 0, for_all(not_(s.is_newer[w]) for w in s.workers))


@lemma("PLAN-13", "PLAN-30", why="two entries of a job would place it twice")
def one_entry_of_a_job_is_in_flight(s: Kernel, f: EntryId, g: EntryId) -> Flag:
    """No two entries in flight are of the same job."""
    return not_(all_of(f != g, is_in_flight(s, f), is_in_flight(s, g), s.entry[f].job == s.entry[g].job))


@lemma("PLAN-34", "PLAN-35", why="it rests on what failed")
def no_entry_commits_after_a_failed_one(s: Kernel, f: EntryId, g: EntryId) -> Flag:
    """In the line of ended entries only failed ones stand behind one that failed."""
    return implies(
        all_of(s.ended.is_before(f, g), s.entry_status[f] == EntryStatus.FAILED),
        s.entry_status[g] == EntryStatus.FAILED,
    )


@lemma(
    "PLAN-31",
    "PLAN-53",
    "PLAN-54",
    why="room is given by what is shown, not by what comes",
    rests_on=(
        leader.nothing_is_judged_without_a_leader,
        plan_queue.queued_plans_are_submitted,
        entries_in_flight_are_queued_once,
        entries_make_allocations_of_their_own,
        entries_number_their_placements,
        ended_entries_are_forgotten,
        judged_plan_has_an_applier_snapshot,
        applier_snapshot_shows_entries_in_flight,
        applier_snapshot_shows_remaining_allocs,
        coming_placements_take_no_room_yet,
        entries_in_flight_have_an_applier_snapshot,
        no_entry_commits_after_a_failed_one,
    ),
)
def committed_entries_were_in_the_applier_snapshot(s: Kernel) -> Flag:
    """Once all that is in flight is committed, no node has more than the applier's snapshot shows."""
    is_shown = for_all(
        count_used_after_commit(s, lambda f: is_in_flight(s, f), m) <= count_taken(s.snapshot, m)
        for m in s.nodes
    )
    return any_of(not_(s.has_snap), has_unseen_failure(s), is_shown)


@lemma(
    "PLAN-31",
    "PLAN-35",
    "PLAN-53",
    "PLAN-54",
    why="the applier's snapshot shows later entries, too",
    rests_on=(
        entries_in_flight_are_queued_once,
        ended_entries_are_forgotten,
        judged_plan_has_an_applier_snapshot,
        applier_snapshot_is_not_oversubscribed,
        committed_entries_were_in_the_applier_snapshot,
    ),
)
def followed_entries_have_room(s: Kernel) -> Flag:
    """An entry in flight that another one follows fits once those before it are committed."""
    has_room = for_all(
        implies(s.in_flight.is_before(f, g), count_used_after_commit(s, list_committed_by(s, f), m) <= s.cap)
        for f in s.entries
        for g in s.entries
        for m in s.nodes
    )
    return any_of(has_unseen_failure(s), has_room)


@lemma("PLAN-31", "PLAN-53", "PLAN-98", why="what a lost leader handed to the log may yet come")
def late_committed_entries_have_room(s: Kernel) -> Flag:
    """An entry that comes after its leader is lost fits, once those before it have come."""
    has_room = for_all(
        implies(is_in_flight(s, f), count_used_after_commit(s, list_committed_by(s, f), m) <= s.cap)
        for f in s.entries
        for m in s.nodes
    )
    return any_of(s.has_snap, has_unseen_failure(s), has_room)


def is_nowhere_else(one: NodeId, other: NodeId) -> Flag:
    """True while two views do not have an allocation on different nodes."""
    return any_of(one == NONE, other == NONE, one == other)


@lemma("PLAN-31", "PLAN-74", why="an allocation does not move from node to node")
def applier_snapshot_shows_allocs_on_their_node(s: Kernel) -> Flag:
    """Nobody sees an allocation on another node than the applier's snapshot shows."""

    def is_sent_there(f: EntryId, k: Placement) -> Flag:
        job, number = s.entry[f].job, s.entry[f].alloc[k]
        return any_of(number == NONE, is_nowhere_else(s.snapshot.occupies[job, number], s.entry[f].to[k]))

    def is_known_there(j: JobId, i: AllocNumber) -> Flag:
        shown = s.snapshot.occupies[j, i]
        return all_of(
            is_nowhere_else(shown, s.occupies[j, i]),
            for_all(is_nowhere_else(shown, s.seen[w].occupies[j, i]) for w in s.workers),
            for_all(is_nowhere_else(shown, s.stale[o].occupies[j, i]) for o in s.stale_servers),
        )

    return all_of(
        for_all(is_sent_there(f, k) for f in s.entries for k in s.placements),
        for_all(is_known_there(j, i) for j in s.jobs for i in s.allocs),
    )


@lemma("PLAN-31", "PLAN-44", "PLAN-74", why="a stop belongs to the node that it is judged with")
def plans_stop_allocs_where_the_applier_sees_them(s: Kernel, w: WorkerId, j: JobId, i: AllocNumber) -> Flag:
    """A plan stops an allocation on the node where the applier's snapshot shows it."""
    return implies(s.job[w] == j, is_nowhere_else(s.snapshot.occupies[j, i], s.plan[w].stops[i]))


@lemma("PLAN-31", "GENERIC-35", why="what is made twice would be counted once")
def allocs_in_flight_are_not_made_yet(s: Kernel, f: EntryId, k: Placement) -> Flag:
    """An allocation that an entry makes has no record yet."""
    job, number = s.entry[f].job, s.entry[f].alloc[k]
    return any_of(number == NONE, s.alloc_phase[job, number] == AllocPhase.ABSENT)
