"""What must be true of the pipelined applier: its snapshot, its plan in hand, its entries in flight."""

from nomadspec.invariants.kernel.bounds import may_have_deleted_open_evals
from nomadspec.model.kernel.applier import names_missing
from nomadspec.model.kernel.ids import AllocNumber, EntryId, JobId, NodeId, WorkerId
from nomadspec.model.kernel.pipeline import is_in_flight
from nomadspec.model.kernel.plan_queue import is_queued, is_with_applier
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import AllocPhase, EntryStatus, JobPhase, Stage
from nomadspec.model.kernel.verdict import view_store
from nomadspec.model.language.domain import NONE
from nomadspec.model.language.logic import (
    Flag,
    all_of,
    any_of,
    count,
    exists,
    for_all,
    implies,
    ite,
    not_,
    one_of,
)
from nomadspec.model.language.property import always, eventually, sometimes, step


@always("PLAN-31", "PLAN-37", why="a plan judged without an earlier entry may use the same room")
def applier_snapshot_shows_every_dispatched_entry(s: Kernel) -> Flag:
    """What was dispatched since the snapshot was taken, and takes capacity, is in the snapshot.

    An operator who deletes an evaluation during a pause keeps the snapshot from taking in what it plans.
    """
    is_there = for_all(
        not_(all_of(s.snapshot.lacks[j, i], s.occupies[j, i] != NONE)) for j in s.jobs for i in s.allocs
    )
    return any_of(may_have_deleted_open_evals(s), is_there)


@always("PLAN-31", "PLAN-34", why="a failed placement would hold room, and a failed stop would free it")
def applier_snapshot_shows_no_failed_entry(s: Kernel) -> Flag:
    """What the applier's snapshot shows of a wanted job was made, is in flight, or is about to be taken back.

    Nothing is asked while an entry has failed and the applier has not seen it, nor once a job has been
    registered again after its end: the snapshot may still show what the purged job had.
    """

    def is_coming(j: JobId, i: AllocNumber) -> Flag:
        return exists(
            all_of(is_in_flight(s, f), s.entry[f].job == j, s.entry[f].alloc[k] == i)
            for f in s.entries
            for k in s.placements
        )

    has_returned = s.returned > 0
    has_unseen_failure = exists(s.entry_status[f] == EntryStatus.FAILED for f in s.entries)
    return any_of(
        has_unseen_failure,
        has_returned,
        for_all(
            implies(
                all_of(s.snapshot.occupies[j, i] != NONE, s.job_phase[j] == JobPhase.WANTED),
                any_of(s.alloc_phase[j, i] != AllocPhase.ABSENT, is_coming(j, i)),
            )
            for j in s.jobs
            for i in s.allocs
        ),
    )


@eventually(
    "PLAN-31",
    "PLAN-34",
    why="an entry that never comes out of the log holds up every later plan",
    given=is_in_flight,
    entry_id=Kernel.entries,
)
def entries_come_out_of_the_log(s: Kernel, entry_id: EntryId) -> Flag:
    """An entry in flight is committed or fails, unless the scope has no number left for it."""
    is_full = exists(s.made[j] >= s.evals for j in s.jobs)
    return any_of(is_full, not_(is_in_flight(s, entry_id)))


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
    """The applier holds a plan of which some node was refused."""
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


@step("PLAN-35", "PLAN-36", why="the applier's snapshot shows entries in this order", f=Kernel.entries)
def entries_commit_in_order(s: Kernel, n: Kernel, f: EntryId) -> Flag:
    """Only the oldest entry in flight is committed or fails."""
    return implies(all_of(is_in_flight(s, f), not_(is_in_flight(n, f))), s.in_flight.head(f))


@always(
    "PLAN-31",
    "PLAN-32",
    "PLAN-37",
    why="an older snapshot refuses what fits, and accepts what does not",
    w=Kernel.workers,
)
def judged_plan_is_not_newer_than_the_applier(s: Kernel, w: WorkerId) -> Flag:
    """No plan that was judged was made from a newer state than the applier's."""
    is_judged = (Stage.JUDGED, Stage.IN_FLIGHT, Stage.EXHAUSTED)
    return implies(one_of(s.stage[w], *is_judged), not_(s.is_newer[w]))


@step(
    "PLAN-42",
    "PLAN-44",
    "PLAN-45",
    "PLAN-46",
    why="a stop without its replacement leaves a job one allocation short",
    w=Kernel.workers,
    j=Kernel.jobs,
    m=Kernel.nodes,
)
def judged_plan_is_the_submitted_one_node_by_node(
    s: Kernel, n: Kernel, w: WorkerId, j: JobId, m: NodeId
) -> Flag:
    """A plan keeps in judgement, of what it has for a node, all or nothing, and gains nothing."""
    places = for_all(one_of(n.plan[w].to[k], NONE, s.plan[w].to[k]) for k in s.placements)
    stops = for_all(implies(n.plan[w].stops[i] != NONE, s.plan[w].stops[i] != NONE) for i in s.allocs)
    keeps = for_all(one_of(n.plan[w].keeps[i], NONE, s.plan[w].keeps[i]) for i in s.allocs)
    same = all_of(n.plan[w].version == s.plan[w].version, n.plan[w].ask == s.plan[w].ask)
    is_part = all_of(
        places, stops, keeps, same, one_of(n.plan[w].preempted_alloc, NONE, s.plan[w].preempted_alloc)
    )
    planned = count(s.plan[w].to[k] == m for k in s.placements)
    left = count(n.plan[w].to[k] == m for k in s.placements)
    named = count(all_of(s.plan[w].stops[i] != NONE, n.snapshot.occupies[j, i] == m) for i in s.allocs)
    stopped = count(all_of(n.plan[w].stops[i] != NONE, n.snapshot.occupies[j, i] == m) for i in s.allocs)
    is_lost = any_of(left < planned, stopped < named)
    is_whole = all_of(
        any_of(left == 0, left == planned), implies(is_lost, all_of(left == 0, stopped == 0, n.is_partial[w]))
    )
    is_judged = all_of(s.stage[w] == Stage.SUBMITTED, n.stage[w] == Stage.JUDGED)
    return implies(all_of(is_judged, s.job[w] == j), all_of(is_part, is_whole))


@step(
    "PLAN-34", "PLAN-98", "EVAL-34", why="half an entry must not be written", f=Kernel.entries, j=Kernel.jobs
)
def entry_is_written_whole_or_not_at_all(s: Kernel, n: Kernel, f: EntryId, j: JobId) -> Flag:
    """An entry that leaves the log has stopped, placed and updated all that it says, or changed nothing.

    Placements for a job that is not wanted any more are left out.
    """
    ends = all_of(is_in_flight(s, f), not_(is_in_flight(n, f)), s.entry[f].job == j)
    is_stopped = for_all(implies(s.entry[f].stops[i] != NONE, n.occupies[j, i] == NONE) for i in s.allocs)
    made = for_all(
        implies(s.entry[f].alloc[k] == i, n.occupies[j, i] == s.entry[f].to[k])
        for k in s.placements
        for i in s.allocs
    )
    is_placed = any_of(s.job_phase[j] != JobPhase.WANTED, made)
    is_updated = for_all(
        implies(
            all_of(s.entry[f].keeps[i] != NONE, s.occupies[j, i] != NONE),
            n.alloc_version[j, i] == s.entry[f].version,
        )
        for i in s.allocs
    )
    is_nothing = for_all(
        all_of(n.alloc_phase[j, i] == s.alloc_phase[j, i], n.alloc_version[j, i] == s.alloc_version[j, i])
        for i in s.allocs
    )
    return implies(ends, any_of(all_of(is_stopped, is_placed, is_updated), is_nothing))


@step(
    "PLAN-34",
    "PLAN-35",
    "PLAN-98",
    why="a worker without an error takes a refused plan for committed",
    w=Kernel.workers,
    f=Kernel.entries,
    j=Kernel.jobs,
)
def failed_entry_is_answered_with_an_error(s: Kernel, n: Kernel, w: WorkerId, f: EntryId, j: JobId) -> Flag:
    """A worker gets an error exactly if its entry ends without having been written.

    Where an entry has nothing to do, as all that it stops has ended, either may be told.
    """
    is_changed = exists(
        any_of(n.alloc_phase[j, i] != s.alloc_phase[j, i], n.alloc_version[j, i] != s.alloc_version[j, i])
        for i in s.allocs
    )
    is_stopped = for_all(any_of(s.entry[f].stops[i] == NONE, n.occupies[j, i] == NONE) for i in s.allocs)
    is_void = names_missing(s, s.entry[f], j, view_store(s))
    ends = all_of(is_in_flight(s, f), not_(is_in_flight(n, f)), s.entry[f].job == j)
    is_error = n.stage[w] == Stage.FAILING
    is_right = ite(is_error, not_(is_changed), all_of(not_(is_void), is_stopped))
    return implies(all_of(ends, s.entry[f].worker == w), is_right)


@step(
    "PLAN-22", "PLAN-57", "LEADER-08", why="parts of an answered plan must not come again", w=Kernel.workers
)
def answered_plan_is_forgotten(s: Kernel, n: Kernel, w: WorkerId) -> Flag:
    """Nothing is left of a plan that is no longer with the applier."""
    return implies(
        all_of(is_with_applier(s, w), not_(is_with_applier(n, w))),
        all_of(n.plan[w].is_clear(), not_(n.is_partial[w]), not_(is_queued(n, w))),
    )
