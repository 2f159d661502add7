"""Which recorded allocation stands for which request of an attempt."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from nomadspec.checkers.oracle.relation.expected import is_of_same_kind, list_new, may_be_of, pair_requests
from nomadspec.model.cluster.entities import Allocation, Plan
from nomadspec.model.cluster.entities.allocation import is_canary
from nomadspec.model.cluster.scheduler.reasons import Requested

Order = Callable[[list[str]], Sequence[str]]
"""Puts IDs into an order."""


@dataclass(slots=True)
class Pairing:
    """The requests of one attempt with what was recorded for them, as far as that is known.

    What was given the same name for the same reason cannot be told apart: which of it came first is a choice.
    """

    guessed: list[Allocation | None]
    """By request; what was not asked for yet is paired by the names that are asked for."""
    waiting: list[Allocation]
    """What no request has taken so far."""

    @staticmethod
    def of(requests: Sequence[Requested], plan: Plan, order: Order) -> Pairing:
        """Guess all pairs; the IDs of those that cannot be told apart are put in an order."""
        alike: defaultdict[object, list[Allocation]] = defaultdict(list)
        for alloc in list_new(plan):
            kind = alloc.task_group, alloc.name, alloc.previous_allocation, is_canary(alloc)
            alike[kind].append(alloc)
        waiting: list[Allocation] = []
        for allocs in alike.values():
            waiting += _put_in_order(allocs, order([alloc.id for alloc in allocs]))
        return Pairing(pair_requests(requests, waiting), waiting)

    def take(self, at: int, request: Requested, name: str) -> Allocation | None:
        """Take what was recorded for the next request, which is given a name.

        Where nothing has that name, something else was recorded in its place.

        Spec: GENERIC-36.
        """
        of_kind = [alloc for alloc in self.waiting if may_be_of(alloc, request)]
        of_kind.sort(key=lambda alloc: not is_of_same_kind(alloc, request))
        named = [alloc for alloc in of_kind if alloc.name == name]
        guess = [alloc for alloc in of_kind if alloc is self.guessed[at]]
        found = next(iter([*named, *guess, *of_kind]), None)
        if found is not None:
            self.waiting = [alloc for alloc in self.waiting if alloc is not found]
        self.guessed[at] = found
        return found


def _put_in_order(allocs: Sequence[Allocation], ids: Sequence[str]) -> list[Allocation]:
    return sorted(allocs, key=lambda alloc: ids.index(alloc.id))
