"""Stops what is lost, and what a group has too much of."""

from __future__ import annotations

from collections.abc import Callable

from nomadspec.model.cluster.entities import Allocation, AllocClient, DesiredDescription
from nomadspec.model.cluster.entities.allocation import is_server_terminal
from nomadspec.model.cluster.policy.names import index_names
from nomadspec.model.cluster.scheduler.reasons import Stage
from nomadspec.model.cluster.scheduler.reconcile.group_run import GroupRun
from nomadspec.model.specification.quirks import UNRELATED_STOP


def stop_lost(run: GroupRun) -> None:
    """Stop all that is lost.

    Spec: REC-73, REC-77.
    """
    for alloc in run.call.visit(run.lost):
        followup_id = run.lost_later.get(alloc.id, "")
        run.done.stop(alloc, DesiredDescription.LOST, AllocClient.LOST, followup_id)
    run.done.counts["stop"] += len(run.lost)


def stop_excess(run: GroupRun) -> None:
    """Stop so many that the group has no more than it should.

    Spec: REC-74, REC-75, REC-76, REC-77, BATCH-13, 04/S-11, X-69.
    """
    held_back = frozenset(run.canaries) if run.is_canarying() else frozenset[str]()
    working = {alloc_id: alloc for alloc_id, alloc in run.untainted.items() if alloc_id not in held_back}
    known = sum(alloc.client_status != AllocClient.UNKNOWN for alloc in working.values())
    excess = _Excess(run, known + len(run.migrate) - run.group.count)
    if excess.missing <= 0:
        return
    excess.working = {key: alloc for key, alloc in working.items() if _may_stop(run, alloc)}
    excess.stop_replaced()
    excess.stop_moving()
    if run.call.profile.has(UNRELATED_STOP):
        excess.stop_highest()
        excess.stop_any()
    else:
        excess.stop_allocs_beyond_count()


def _may_stop(run: GroupRun, alloc: Allocation) -> bool:
    """True if stopping an allocation leaves the group with less.

    Spec: REC-74, REC-76, X-69.
    """
    return not run.is_unknown(alloc) and not is_server_terminal(alloc)


class _Excess:
    """How many have to go still, and from which they are taken."""

    def __init__(self, run: GroupRun, missing: int) -> None:
        self.run = run
        self.missing = missing
        self.working: dict[str, Allocation] = {}

    def stop_replaced(self) -> None:
        """Stop those whose places promoted canaries have taken.

        Spec: REC-74, REC-64.
        """
        canaries = self.run.canaries
        if self.run.is_canarying() or not canaries:
            return
        names = {canary.name for canary in canaries.values()}
        self._stop(
            self.working,
            lambda alloc: alloc.id not in canaries and alloc.name in names,
            "a promoted canary has its name",
        )

    def stop_moving(self) -> None:
        """Stop those with the highest names of what would have to be placed elsewhere.

        Spec: REC-74, REC-61.
        """
        if not self.missing:
            return
        run = self.run
        moving = index_names(
            run.job.id,
            run.group.name,
            run.group.count,
            (alloc.name for alloc in run.migrate.values()),
            profile=run.call.profile,
        )
        names, _ = moving.without_highest(self.missing)
        highest = self._stop(
            run.migrate, lambda alloc: alloc.name in names, "its name is the highest of those that move"
        )
        for alloc in highest:
            run.names = run.names.without(run.find_index(alloc))

    def stop_highest(self) -> None:
        """Stop those with the highest names of the group; some of these may belong to others.

        Spec: REC-74, REC-75, REC-62.
        """
        names, self.run.names = self.run.names.without_highest(self.missing)
        self._stop(
            self.working, lambda alloc: alloc.name in names, "its name is among the highest of the group"
        )

    def stop_any(self) -> None:
        """Stop any others.

        Spec: REC-74.
        """
        self._stop(self.working, lambda _: True, "any will do")

    def stop_allocs_beyond_count(self) -> None:
        """Stop those whose names others have as well, then those with the highest names.

        Spec: 04/S-11.
        """
        run = self.run
        by_index = run.sort_by_index(self.working)
        first = {alloc.name: alloc.id for alloc in reversed(by_index)}
        twins = {alloc.id for alloc in by_index if first[alloc.name] != alloc.id}
        stopped = self._stop(self.working, lambda alloc: alloc.id in twins, "another has its name")
        highest = {alloc.id for alloc in run.sort_by_index(self.working)[::-1][: self.missing]}
        stopped += self._stop(self.working, lambda alloc: alloc.id in highest, "its name is the highest")
        for alloc in stopped:
            run.names = run.names.without(run.find_index(alloc))

    def _stop(
        self, source: dict[str, Allocation], is_chosen: Callable[[Allocation], bool], why: str
    ) -> list[Allocation]:
        """Stop the first of the chosen ones, as long as some have to go; give those that were."""
        chosen = [alloc for alloc in self.run.call.visit(source) if is_chosen(alloc)][: self.missing]
        for alloc in chosen:
            self.run.call.reasons.note_judgement(
                alloc, Stage.EXCESS, "stop", "REC-74", why, count=self.run.group.count
            )
            self.run.done.stop(alloc, DesiredDescription.NOT_NEEDED)
            del source[alloc.id]
            self.run.untainted.pop(alloc.id, None)
        self.missing -= len(chosen)
        self.run.done.counts["stop"] += len(chosen)
        return chosen
