"""The scheduler as its contract: any plan that the snapshot allows."""

from collections.abc import Callable

from nomadspec.model.domain import NONE, Id
from nomadspec.model.kernel.broker import is_system
from nomadspec.model.kernel.disconnects import COMPLETE, NEWLY_AWAY, STILL_AWAY
from nomadspec.model.kernel.state import JobPhase, Kernel
from nomadspec.model.logic import (
    Value,
    all_of,
    any_of,
    count,
    exists,
    for_all,
    implies,
    ite,
    minimum,
    not_,
    one_of,
    remember,
)


def contract(
    s: Kernel,
    t: Kernel,
    worker: Id,
    job: Id,
    to: Value,
    leaves: Callable[[Id, Id], Value] = lambda *_: False,
) -> tuple[Callable[[Id], Value], Value]:
    """Require that the placements fit the snapshot; say what stops, and whether some are unplaced.

    An allocation stays while its job is wanted, its node is up and its version is current, but no more than
    are wanted; one that is away is left alone, and replaced. What is missing goes to nodes that are up,
    eligible, feasible and have room, and stays unplaced only when there is none.
    What leaves to make room is not counted, and has to be on a node that the plan then fills.
    """
    taken, up = s.seen_occupies[worker], s.seen_up[worker]
    is_wanted = s.seen_phase[worker] == JobPhase.WANTED

    @remember
    def stays(i: Id) -> Value:
        is_rival = (is_older_rival(s, worker, job, before, i) for before in s.allocs)
        return all_of(is_good(s, worker, job, i), count(is_rival) < ite(is_system(s, job), 1, s.count))

    def stops(i: Id) -> Value:
        return all_of(taken[job, i] != NONE, not_(stays(i)), not_(is_away(s, worker, i)))

    def keeps(k: Id, i: Id) -> Value:
        return ite(
            k == job, any_of(stays(i), is_away(s, worker, i)), all_of(taken[k, i] != NONE, not_(leaves(k, i)))
        )

    @remember
    def held(n: Id) -> Value:
        return count(all_of(taken[k, i] == n, keeps(k, i)) for k in s.jobs for i in s.allocs)

    def is_usable(n: Id) -> Value:
        return all_of(up[n], s.seen_open[worker, n], s.barred[job, n] == 0)

    @remember
    def lacks(n: Id) -> Value:
        return all_of(is_usable(n), not_(exists(all_of(taken[job, i] == n, stays(i)) for i in s.allocs)))

    @remember
    def room(n: Id) -> Value:
        free = ite(is_usable(n), s.cap - held(n), 0)
        return ite(is_system(s, job), ite(lacks(n), minimum(free, 1), 0), free)

    def coming(n: Id) -> Value:
        return count(to[k] == n for k in s.slots)

    lacking = ite(
        is_system(s, job),
        count(lacks(n) for n in s.nodes),
        s.count - count(any_of(stays(i), is_done(s, worker, i)) for i in s.allocs),
    )
    missing = ite(is_wanted, lacking, 0)
    placed = count(to[k] != NONE for k in s.slots)
    t.require(for_all(s.seen_away[worker, i] != NEWLY_AWAY for i in s.allocs), placed <= missing)
    t.require(
        for_all(
            implies(to[k] == NONE, for_all(implies(after > k, to[after] == NONE) for after in s.slots))
            for k in s.slots
        )
    )
    t.require(for_all(coming(n) <= maximum_of(room(n)) for n in s.nodes))
    is_short = placed < missing
    t.require(implies(is_short, for_all(coming(n) >= room(n) for n in s.nodes)))
    require_filled(s, t, worker, leaves, lambda n: all_of(coming(n) > 0, coming(n) >= room(n)))
    return stops, is_short


def is_older_rival(s: Kernel, worker: Id, job: Id, before: Id, i: Id) -> Value:
    """Say that an older allocation fills the place of this one: of a system job, on the same node."""
    taken = s.seen_occupies[worker]
    is_same = any_of(not_(is_system(s, job)), taken[job, before] == taken[job, i])
    return all_of(before < i, is_same, is_good(s, worker, job, before))


def require_filled(
    s: Kernel, t: Kernel, worker: Id, leaves: Callable[[Id, Id], Value], is_filled: Callable[[Id], Value]
) -> None:
    """Require that what leaves to make room is on a node that the plan then fills."""
    for k in s.jobs:
        for i in s.allocs:
            node = s.seen_occupies[worker, k, i]
            t.require(implies(leaves(k, i), exists(all_of(node == n, is_filled(n)) for n in s.nodes)))


def is_away(s: Kernel, worker: Id, i: Id) -> Value:
    """Say that an allocation of a wanted job is out of reach in the snapshot, and has time left."""
    is_out = one_of(s.seen_away[worker, i], NEWLY_AWAY, STILL_AWAY)
    return all_of(s.seen_phase[worker] == JobPhase.WANTED, is_out)


def is_done(s: Kernel, worker: Id, i: Id) -> Value:
    """Say that an allocation of the current version is complete in the snapshot, and so counts as there."""
    is_current = s.seen_versions[worker, i] == s.seen_version[worker]
    return all_of(s.seen_away[worker, i] == COMPLETE, is_current)


def is_good(s: Kernel, worker: Id, job: Id, i: Id) -> Value:
    """Say that an allocation of a wanted job is in reach in the snapshot, and has the current version."""
    node = s.seen_occupies[worker, job, i]
    is_current = s.seen_versions[worker, i] == s.seen_version[worker]
    is_wanted = s.seen_phase[worker] == JobPhase.WANTED
    return all_of(node != NONE, is_wanted, s.seen_up[worker, node], is_current, not_(is_away(s, worker, i)))


def maximum_of(room: Value) -> Value:
    """Read a negative room as none: an overfull node takes nothing."""
    return ite(room < 0, 0, room)
