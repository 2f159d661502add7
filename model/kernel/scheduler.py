"""The scheduler as its contract: any plan that the snapshot allows."""

from collections.abc import Callable

from nomadspec.model.domain import NONE, Id
from nomadspec.model.kernel.disconnects import NEWLY_AWAY
from nomadspec.model.kernel.state import JobPhase, Kernel
from nomadspec.model.logic import Value, all_of, any_of, count, exists, for_all, implies, ite, not_


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

    def stays(i: Id) -> Value:
        older = count(all_of(before < i, is_good(s, worker, job, before)) for before in s.allocs)
        return all_of(is_good(s, worker, job, i), older < s.count)

    def stops(i: Id) -> Value:
        return all_of(taken[job, i] != NONE, not_(stays(i)), not_(is_away(s, worker, i)))

    def keeps(k: Id, i: Id) -> Value:
        return ite(
            k == job, any_of(stays(i), is_away(s, worker, i)), all_of(taken[k, i] != NONE, not_(leaves(k, i)))
        )

    def held(n: Id) -> Value:
        return count(all_of(taken[k, i] == n, keeps(k, i)) for k in s.jobs for i in s.allocs)

    def room(n: Id) -> Value:
        is_usable = all_of(up[n], s.seen_open[worker, n], s.barred[job, n] == 0)
        return ite(is_usable, s.cap - held(n), 0)

    def coming(n: Id) -> Value:
        return count(to[k] == n for k in s.slots)

    missing = ite(is_wanted, s.count - count(stays(i) for i in s.allocs), 0)
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
    for k in s.jobs:
        for i in s.allocs:
            node = taken[k, i]
            is_filled = exists(all_of(node == n, coming(n) > 0, coming(n) >= room(n)) for n in s.nodes)
            t.require(implies(leaves(k, i), is_filled))
    return stops, is_short


def is_away(s: Kernel, worker: Id, i: Id) -> Value:
    """Say that an allocation of a wanted job is out of reach in the snapshot, and has time left."""
    return all_of(s.seen_phase[worker] == JobPhase.WANTED, s.seen_away[worker, i] > 0)


def is_good(s: Kernel, worker: Id, job: Id, i: Id) -> Value:
    """Say that an allocation of a wanted job is in reach in the snapshot, and has the current version."""
    node = s.seen_occupies[worker, job, i]
    is_current = s.seen_versions[worker, i] == s.seen_version[worker]
    is_wanted = s.seen_phase[worker] == JobPhase.WANTED
    return all_of(node != NONE, is_wanted, s.seen_up[worker, node], is_current, not_(is_away(s, worker, i)))


def maximum_of(room: Value) -> Value:
    """Read a negative room as none: an overfull node takes nothing."""
    return ite(room < 0, 0, room)
