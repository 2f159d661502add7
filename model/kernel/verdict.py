"""The verdict on a plan, node by node, against some view of what is taken and which nodes are usable."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from nomadspec.model.domain import NONE, Id
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.logic import Value, all_of, any_of, count, exists, for_all, implies, not_


@dataclass(frozen=True, slots=True)
class View:
    """What the applier judges by: the store, or its own snapshot."""

    taken: Callable[[Id, Id], Value]
    """The node whose capacity an allocation of a job takes."""
    used: Callable[[Id], Value]
    is_up: Callable[[Id], Value]
    is_eligible: Callable[[Id], Value]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What of a plan may be committed."""

    commits: Callable[[Id], Value]
    """Whether the placement in a slot of the plan is committed."""
    stops: Callable[[Id], Value]
    """Whether the stop of an allocation is committed."""
    is_whole: Value
    is_empty: Value


def view_store(s: Kernel) -> View:
    """View the replicated state as it is."""
    return View(
        taken=lambda job, i: s.occupies[job, i],
        used=lambda n: s.used[n],
        is_up=lambda n: s.node_up[n],
        is_eligible=lambda n: s.eligible[n],
    )


def judge(s: Kernel, worker: Id, job: Id, view: View) -> Verdict:
    """Judge each node of a worker's plan: its stops and placements stand or fall together."""
    to, plan_stops = s.plan_to[worker], s.plan_stops[worker]

    def coming(n: Id) -> Value:
        return count(to[k] == n for k in s.slots)

    def leaving(n: Id) -> Value:
        return count(all_of(plan_stops[i], view.taken(job, i) == n) for i in s.allocs)

    def fits(n: Id) -> Value:
        has_room = view.used(n) - leaving(n) + coming(n) <= s.cap
        return any_of(coming(n) == 0, all_of(view.is_up(n), view.is_eligible(n), has_room))

    def fits_at(node: Value) -> Value:
        return exists(all_of(node == n, fits(n)) for n in s.nodes)

    def commits(k: Id) -> Value:
        return fits_at(to[k])

    def stops(i: Id) -> Value:
        return all_of(plan_stops[i], fits_at(view.taken(job, i)))

    return Verdict(
        commits=commits,
        stops=stops,
        is_whole=for_all(implies(to[k] != NONE, commits(k)) for k in s.slots),
        is_empty=all_of(
            for_all(not_(commits(k)) for k in s.slots),
            for_all(not_(stops(i)) for i in s.allocs),
        ),
    )
