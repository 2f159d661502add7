"""The scheduler as its contract: any plan that the snapshot allows."""

from collections.abc import Callable

from nomadspec.model.kernel.broker import is_system
from nomadspec.model.kernel.ids import AllocNumber, JobId, NodeId, PlacedAt, Unit, WorkerId
from nomadspec.model.kernel.records import ClusterView, Snapshot
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import DisconnectPhase, JobPhase, PlannedStatus
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
    maximum,
    not_,
    one_of,
    remember,
)


class Reading:
    """What a scheduler makes of its snapshot, and of the placements with which it answers.

    An allocation stays while its job is wanted, its node is in reach, nobody wants it to move and its version
    is current, or can be made so in place; but no more stay than are wanted. One on a disconnected node is
    left alone, and replaced. What leaves to make room for the plan is not counted.
    """

    def __init__(
        self,
        s: Kernel,
        worker: WorkerId,
        job: JobId,
        to: PlacedAt,
        leaves: Callable[[JobId, AllocNumber], Flag] = lambda *_: False,
    ) -> None:
        """Read the snapshot of a worker."""
        self._s = s
        self._worker = worker
        self._job = job
        self._to = to
        self._leaves = leaves
        self._seen = s.seen[worker]
        self._is_wanted = self._seen.job_phase == JobPhase.WANTED
        self._is_system = is_system(s, job)
        self._needs = 1 + self._seen.job_ask
        self.stays = remember(self._stays, is_named=True)
        self.held = remember(self._held)
        self.lacks = remember(self._lacks)
        self.is_good = remember(self._is_good)
        self.is_updated_in_place = remember(self._is_updated_in_place)

    def stops(self, i: AllocNumber) -> Flag:
        """True while the plan stops an allocation of the job."""
        is_there = self._node(i) != NONE
        return all_of(is_there, not_(self.stays(i)), not_(is_seen_disconnected(self._s, self._worker, i)))

    def find_stop(self, i: AllocNumber) -> NodeId:
        """Give the node of an allocation that the plan stops, NONE where it does not."""
        node: NodeId = ite(self.stops(i), self._node(i), NONE)
        return node

    def updates(self, i: AllocNumber) -> Flag:
        """True while the plan takes an allocation of the job over to the current version, in its place."""
        return all_of(self.stays(i), self.is_updated_in_place(i))

    def find_kept(self, i: AllocNumber) -> NodeId:
        """Give the node of an allocation that the plan writes in its place, NONE where it does not."""
        is_kept = any_of(self.updates(i), self.find_status(i) != PlannedStatus.AS_IT_IS)
        node: NodeId = ite(is_kept, self._node(i), NONE)
        return node

    def find_status(self, i: AllocNumber) -> PlannedStatus:
        """Give the client status that the plan writes: unknown where something is newly out of reach."""
        is_new = self._seen.disconnect_phase[i] == DisconnectPhase.NEWLY_DISCONNECTED
        is_marked = all_of(self._s.plan_statuses, self._is_wanted, is_new)
        return ite(is_marked, PlannedStatus.UNKNOWN, PlannedStatus.AS_IT_IS)

    def missing(self) -> int:
        """Count the allocations that the job lacks: none where more of its work is done than it asks for."""
        s, worker = self._s, self._worker
        there = count(any_of(self.stays(i), is_done(s, worker, i)) for i in s.allocs)
        unfilled = maximum(s.count - there, 0)
        lacking = ite(self._is_system, count(self.lacks(n) for n in s.nodes), unfilled)
        return ite(self._is_wanted, lacking, 0)

    def placed(self) -> int:
        """Count the allocations that the plan places."""
        return count(self._to[k] != NONE for k in self._s.placements)

    def fits(self, n: NodeId) -> Flag:
        """True while a node can take what the plan places on it."""
        is_one = all_of(self.lacks(n), self._coming(n) <= 1)
        is_right = implies(self._is_system, is_one)
        return any_of(self._coming(n) == 0, all_of(is_right, self._units(n) <= self._free(n)))

    def takes_more(self, n: NodeId) -> Flag:
        """True while a node could take one more allocation than the plan places on it."""
        is_open = implies(self._is_system, all_of(self.lacks(n), self._coming(n) == 0))
        return all_of(is_open, self._units(n) + self._needs <= self._free(n))

    def is_filled(self, n: NodeId) -> Flag:
        """True while the plan places something on a node, and as much as the node can take."""
        return all_of(self._coming(n) > 0, not_(self.takes_more(n)))

    def _stays(self, i: AllocNumber) -> Flag:
        rivals = count(all_of(before < i, self._is_rival(before, i)) for before in self._s.allocs)
        return all_of(self.is_good(i), rivals < ite(self._is_system, 1, self._s.count))

    def _is_rival(self, before: AllocNumber, i: AllocNumber) -> Flag:
        """True while an older allocation fills the place of this one: of a system job, on the same node."""
        is_same = self._node(before) == self._node(i)
        return all_of(any_of(not_(self._is_system), is_same), self.is_good(before))

    def _is_good(self, i: AllocNumber) -> Flag:
        """True while an allocation is in reach, is to stay, and has the current version or will have."""
        s, worker = self._s, self._worker
        is_there = all_of(self._is_wanted, is_seen_heartbeating(s, worker, self._node(i)))
        is_moved = any_of(is_seen_disconnected(s, worker, i), self._seen.migrate[i])
        is_current = self._seen.alloc_version[i] == self._seen.job_version
        return all_of(is_there, not_(is_moved), any_of(is_current, self.is_updated_in_place(i)))

    def _is_updated_in_place(self, i: AllocNumber) -> Flag:
        """True while an allocation can be updated in place, and its node has room for what it asks more."""
        s = self._s
        return all_of(
            self._is_older_version(i),
            self._extra_ask_until(i) + count_units(s, self._seen, self._node(i)) <= s.cap,
        )

    def _is_older_version(self, i: AllocNumber) -> Flag:
        """True while an allocation has an older version, from which the current one is reached in place."""
        version = self._seen.alloc_version[i]
        is_near = all_of(self._s.in_place_updates, self._seen.job_base <= version)
        return all_of(self._node(i) != NONE, is_near, version < self._seen.job_version)

    def _extra_ask_until(self, i: AllocNumber) -> int:
        """Count the units that allocations on the same node need more, those after this one left out."""
        s = self._s

        def grows(o: AllocNumber) -> Flag:
            return all_of(o <= i, self._is_older_version(o), self._node(o) == self._node(i))

        more = count(all_of(grows(o), x < self._seen.job_ask) for o in s.allocs for x in s.extras)
        given = count(
            all_of(grows(o), self._seen.extra_at[self._job, o, x] != NONE) for o in s.allocs for x in s.extras
        )
        return more - given

    def _node(self, i: AllocNumber) -> NodeId:
        return self._seen.occupies[self._job, i]

    def _keeps(self, k: JobId, i: AllocNumber) -> Flag:
        own = any_of(self.stays(i), is_seen_disconnected(self._s, self._worker, i))
        return ite(k == self._job, own, all_of(self._seen.occupies[k, i] != NONE, not_(self._leaves(k, i))))

    def _held(self, n: NodeId) -> int:
        """Count the units of a node that the plan leaves taken."""
        s, seen = self._s, self._seen

        def is_extra(k: JobId, i: AllocNumber, x: Unit) -> Flag:
            grown = all_of(seen.occupies[k, i] == n, x < seen.job_ask)
            is_updated = all_of(k == self._job, self.updates(i))
            return ite(is_updated, grown, seen.extra_at[k, i, x] == n)

        units = count(all_of(seen.occupies[k, i] == n, self._keeps(k, i)) for k in s.jobs for i in s.allocs)
        more = count(
            all_of(is_extra(k, i, x), self._keeps(k, i)) for k in s.jobs for i in s.allocs for x in s.extras
        )
        return units + more

    def _is_usable(self, n: NodeId) -> Flag:
        is_open = all_of(self._seen.node_up[n], self._seen.eligible[n])
        return all_of(is_open, not_(self._s.infeasible[self._job, n]))

    def _lacks(self, n: NodeId) -> Flag:
        stayed = exists(all_of(self._node(i) == n, self.stays(i)) for i in self._s.allocs)
        return all_of(self._is_usable(n), not_(stayed))

    def _coming(self, n: NodeId) -> int:
        return count(self._to[k] == n for k in self._s.placements)

    def _units(self, n: NodeId) -> int:
        """Count the units that the plan's placements on a node take."""
        s = self._s
        more = count(all_of(self._to[k] == n, x < self._seen.job_ask) for k in s.placements for x in s.extras)
        return self._coming(n) + more

    def _free(self, n: NodeId) -> int:
        return ite(self._is_usable(n), self._s.cap - self.held(n), 0)


def contract(s: Kernel, t: Kernel, reading: Reading, worker: WorkerId, to: PlacedAt) -> Flag:
    """Require that the placements are what a scheduler may answer; say whether some are unplaced.

    What is missing goes to nodes that are up, eligible, feasible and have room, and stays unplaced only when
    there is none. What is newly disconnected has to be marked unknown first, where the plan does not do that.
    """
    is_marked = for_all(
        s.seen[worker].disconnect_phase[i] != DisconnectPhase.NEWLY_DISCONNECTED for i in s.allocs
    )
    t.require(any_of(s.plan_statuses, is_marked))
    t.require(reading.placed() <= reading.missing())
    t.require(
        for_all(
            implies(to[k] == NONE, for_all(implies(after > k, to[after] == NONE) for after in s.placements))
            for k in s.placements
        )
    )
    t.require(for_all(reading.fits(n) for n in s.nodes))
    is_short = reading.placed() < reading.missing()
    t.require(implies(is_short, for_all(not_(reading.takes_more(n)) for n in s.nodes)))
    return is_short


def count_units(s: Kernel, view: ClusterView, n: NodeId) -> int:
    """Count the units of a node that are taken in a worker's snapshot."""
    units = count(view.occupies[k, i] == n for k in s.jobs for i in s.allocs)
    return units + count(view.extra_at[k, i, x] == n for k in s.jobs for i in s.allocs for x in s.extras)


def is_seen_heartbeating(s: Kernel, worker: WorkerId, node: NodeId) -> Flag:
    """True while a snapshot shows a node ready, or about to be."""
    return all_of(node != NONE, any_of(s.seen[worker].node_up[node], s.seen[worker].initializing[node]))


def is_seen_disconnected(s: Kernel, worker: WorkerId, i: AllocNumber) -> Flag:
    """True while an allocation of a wanted job is out of reach in the snapshot, and has time left."""
    return all_of(s.seen[worker].job_phase == JobPhase.WANTED, is_seen_out_of_reach(s.seen[worker], i))


def is_seen_out_of_reach(view: Snapshot, i: AllocNumber) -> Flag:
    """True while a view shows an allocation on a disconnected node, newly or still."""
    return one_of(
        view.disconnect_phase[i], DisconnectPhase.NEWLY_DISCONNECTED, DisconnectPhase.STILL_DISCONNECTED
    )


def is_done(s: Kernel, worker: WorkerId, i: AllocNumber) -> Flag:
    """True while an allocation of the current version is complete in the snapshot, and so counts as there."""
    is_current = s.seen[worker].alloc_version[i] == s.seen[worker].job_version
    return all_of(s.seen[worker].disconnect_phase[i] == DisconnectPhase.COMPLETE, is_current)
