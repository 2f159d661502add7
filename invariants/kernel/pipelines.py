"""How the store, the applier's snapshot and what is under way fit together: why no node is overfull."""

from nomadspec.model.domain import NONE, Id
from nomadspec.model.kernel.pipeline import count_shown, find_kept_in, is_under_way, view_shown
from nomadspec.model.kernel.state import Flight, Kernel, Stage
from nomadspec.model.kernel.verdict import count_after
from nomadspec.model.kernel.worker import is_with_applier
from nomadspec.model.logic import Value, all_of, any_of, count, exists, for_all, implies, not_
from nomadspec.model.property import always


def is_taken_away(s: Kernel, flight: Id, job: Id, i: Id) -> Value:
    """Say that an entry stops an allocation, or drives it out."""
    is_stopped = all_of(s.flight_job[flight] == job, s.flight_stops[flight, i])
    is_driven_out = all_of(s.flight_foe[flight] == job, s.flight_victim[flight] == i)
    return any_of(is_stopped, all_of(s.preempting > 0, is_driven_out))


def is_placed(s: Kernel, flight: Id, job: Id, i: Id, node: Id) -> Value:
    """Say that an entry makes an allocation on a node."""
    slots = (all_of(s.flight_alloc[flight, k] == i, s.flight_to[flight, k] == node) for k in s.slots)
    return all_of(s.flight_job[flight] == job, exists(slots))


def is_updated(s: Kernel, flight: Id, job: Id, i: Id) -> Value:
    """Say that an entry updates an allocation in its place."""
    is_meant = all_of(s.flight_job[flight] == job, find_kept_in(s, flight, i) != NONE)
    return all_of(is_meant, s.occupies[job, i] != NONE)


def lands(s: Kernel, flight: Id, job: Id, i: Id, node: Id) -> Value:
    """Say that an allocation takes capacity of a node once an entry is committed."""
    stays = all_of(s.occupies[job, i] == node, not_(is_taken_away(s, flight, job, i)))
    return any_of(stays, is_placed(s, flight, job, i, node))


def lands_more(s: Kernel, flight: Id, job: Id, i: Id, x: Id, node: Id) -> Value:
    """Say that an allocation takes one more unit of a node once an entry is committed."""
    is_left = not_(any_of(is_taken_away(s, flight, job, i), is_updated(s, flight, job, i)))
    stays = all_of(s.extra_at[job, i, x] == node, is_left)
    moves = all_of(is_updated(s, flight, job, i), find_kept_in(s, flight, i) == node)
    comes = any_of(moves, is_placed(s, flight, job, i, node))
    return any_of(stays, all_of(x < s.flight_bulk[flight], comes))


def count_landed(s: Kernel, flight: Id, node: Id) -> Value:
    """Count the units of a node that are taken once an entry is committed."""
    units = count(lands(s, flight, j, i, node) for j in s.jobs for i in s.allocs)
    return units + count(
        lands_more(s, flight, j, i, x, node) for j in s.jobs for i in s.allocs for x in s.extras
    )


@always("PLAN-22", "PLAN-98", why="who is no leader must judge nothing", lemma=True)
def no_snapshot_outlives_its_leader(s: Kernel) -> Value:
    """Say that without a leader there is no snapshot and nobody waits, and no snapshot without a pipeline."""
    is_quiet = for_all(not_(is_with_applier(s, w)) for w in s.workers)
    return all_of(
        any_of(s.leading, all_of(not_(s.has_snap), is_quiet)), any_of(s.depth > 0, not_(s.has_snap))
    )


@always("PLAN-31", "PLAN-43", why="the next plan is judged on top of what is under way", lemma=True)
def what_is_under_way_has_a_snapshot(s: Kernel) -> Value:
    """Say that a leader has a snapshot while an entry of its own is under way, and hands on no other."""
    return for_all(
        all_of(
            s.flight[f] != Flight.STRAY,
            implies(all_of(s.leading, is_under_way(s, f)), s.has_snap),
        )
        for f in s.flights
    )


@always("PLAN-31", "PLAN-43", why="room that the snapshot does not see is given away twice", lemma=True)
def the_snapshot_shows_all_that_is_under_way(s: Kernel) -> Value:
    """Say that the applier's snapshot shows what an entry places, if one is under way at a time."""

    def is_shown(f: Id, k: Id) -> Value:
        job, number, node = s.flight_job[f], s.flight_alloc[f, k], s.flight_to[f, k]
        more = for_all(implies(x < s.flight_bulk[f], s.snap_extra[job, number, x] == node) for x in s.extras)
        return implies(node != NONE, all_of(s.snap_occupies[job, number] == node, more))

    is_seen = (
        implies(all_of(is_under_way(s, f), s.has_snap), is_shown(f, k)) for f in s.flights for k in s.slots
    )
    return any_of(s.depth > 1, for_all(is_seen))


@always("PLAN-31", "PLAN-43", why="room that the snapshot does not see is given away twice", lemma=True)
def the_snapshot_shows_what_stays(s: Kernel) -> Value:
    """Say that the applier's snapshot shows what takes capacity, but for what an entry takes away."""

    def is_shown(j: Id, i: Id) -> Value:
        node = s.occupies[j, i]
        leaves = exists(all_of(is_under_way(s, f), is_taken_away(s, f, j, i)) for f in s.flights)
        return any_of(node == NONE, s.snap_occupies[j, i] == node, leaves)

    def is_shown_whole(j: Id, i: Id, x: Id) -> Value:
        node = s.extra_at[j, i, x]
        changes = exists(
            all_of(is_under_way(s, f), any_of(is_taken_away(s, f, j, i), is_updated(s, f, j, i)))
            for f in s.flights
        )
        return any_of(node == NONE, s.snap_extra[j, i, x] == node, changes)

    is_whole = all_of(
        for_all(is_shown(j, i) for j in s.jobs for i in s.allocs),
        for_all(is_shown_whole(j, i, x) for j in s.jobs for i in s.allocs for x in s.extras),
    )
    has_failed = exists(s.flight[f] == Flight.CRASHED for f in s.flights)
    return any_of(s.depth > 1, not_(s.has_snap), has_failed, is_whole)


@always("PLAN-43", "PLAN-53", "PLAN-54", why="what is judged by must itself be possible", lemma=True)
def the_snapshot_is_not_overfull(s: Kernel) -> Value:
    """Say that the applier's snapshot shows no node with more than it has room for."""
    return any_of(s.depth > 1, not_(s.has_snap), for_all(count_shown(s, m) <= s.cap for m in s.nodes))


@always("PLAN-43", "PLAN-45", "PLAN-46", why="what is left of a plan must fit as the whole did", lemma=True)
def plans_in_hand_fit_the_snapshot(s: Kernel) -> Value:
    """Say that with the judged plan the applier's snapshot shows no node with more than it has room for."""
    view = view_shown(s)
    has_room = for_all(
        implies(s.stage[w] == Stage.JUDGED, count_after(s, w, s.job[w], m, view) <= s.cap)
        for w in s.workers
        for m in s.nodes
    )
    return any_of(s.depth > 1, has_room)


@always("ALLOC-04", "PLAN-53", why="what is placed next must not be there already", lemma=True)
def what_is_to_come_takes_no_room(s: Kernel) -> Value:
    """Say that an allocation whose number was not given out takes no capacity."""
    return for_all(any_of(i < s.alloc_made[j], s.occupies[j, i] == NONE) for j in s.jobs for i in s.allocs)


@always("PLAN-31", "PLAN-53", "PLAN-54", why="room is given by what is shown, not by what comes", lemma=True)
def what_lands_was_shown(s: Kernel) -> Value:
    """Say that the entry under way, once committed, fills no node more than the applier's snapshot shows."""
    is_shown = for_all(
        implies(is_under_way(s, f), count_landed(s, f, m) <= count_shown(s, m))
        for f in s.flights
        for m in s.nodes
    )
    return any_of(s.depth > 1, not_(s.has_snap), is_shown)


@always("PLAN-31", "PLAN-53", "PLAN-98", why="what a lost leader handed to the log may yet come", lemma=True)
def what_lands_late_has_room(s: Kernel) -> Value:
    """Say that the entry under way fits when it comes to be committed after its leader and the snapshot."""
    has_room = for_all(
        implies(is_under_way(s, f), count_landed(s, f, m) <= s.cap) for f in s.flights for m in s.nodes
    )
    return any_of(s.depth > 1, s.has_snap, has_room)
