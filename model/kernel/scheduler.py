"""The scheduler as its contract: any plan that the snapshot allows."""

from collections.abc import Callable

from nomadspec.model.domain import NONE, Id
from nomadspec.model.kernel.state import JobPhase, Kernel
from nomadspec.model.logic import Value, all_of, count, for_all, implies, ite, not_


def contract(s: Kernel, t: Kernel, worker: Id, job: Id, to: Value) -> tuple[Callable[[Id], Value], Value]:
    """Require that the placements fit the snapshot; say what stops, and whether some are unplaced.

    An allocation stays while its job is wanted, its node is up and its version is current. What is missing
    goes to nodes that are up, eligible, feasible and have room, and stays unplaced only when there is none.
    """
    taken, up = s.seen_occupies[worker], s.seen_up[worker]
    is_wanted = s.seen_phase[worker] == JobPhase.WANTED

    def is_live(i: Id) -> Value:
        return taken[job, i] != NONE

    def stays(i: Id) -> Value:
        is_current = s.seen_versions[worker, i] == s.seen_version[worker]
        return all_of(is_live(i), is_wanted, up[taken[job, i]], is_current)

    def stops(i: Id) -> Value:
        return all_of(is_live(i), not_(stays(i)))

    def keeps(k: Id, i: Id) -> Value:
        return ite(k == job, stays(i), taken[k, i] != NONE)

    def held(n: Id) -> Value:
        return count(all_of(taken[k, i] == n, keeps(k, i)) for k in s.jobs for i in s.allocs)

    def room(n: Id) -> Value:
        is_usable = all_of(up[n], s.seen_open[worker, n], s.barred[job, n] == 0)
        return ite(is_usable, s.cap - held(n), 0)

    def coming(n: Id) -> Value:
        return count(to[k] == n for k in s.slots)

    missing = ite(is_wanted, s.count - count(stays(i) for i in s.allocs), 0)
    placed = count(to[k] != NONE for k in s.slots)
    t.require(placed <= missing)
    t.require(
        for_all(
            implies(to[k] == NONE, for_all(implies(after > k, to[after] == NONE) for after in s.slots))
            for k in s.slots
        )
    )
    t.require(for_all(coming(n) <= maximum_of(room(n)) for n in s.nodes))
    is_short = placed < missing
    t.require(implies(is_short, for_all(coming(n) >= room(n) for n in s.nodes)))
    return stops, is_short


def maximum_of(room: Value) -> Value:
    """Read a negative room as none: an overfull node takes nothing."""
    return ite(room < 0, 0, room)
