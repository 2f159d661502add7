"""The verdict on a plan, node by node, against some view of what is taken and which nodes are usable."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from nomadspec.model.domain import NONE, Id
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.logic import Value, all_of, any_of, count, exists, for_all, ite, not_


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
    evicts: Value
    """Whether the allocation of another job is driven out: not where it is dead already."""
    refuses: Callable[[Id], Value]
    """Whether a node is refused, with everything that the plan has for it."""
    is_whole: Value
    has_progress: Value
    """Whether a placement or a stop is committed."""


def view_store(s: Kernel) -> View:
    """View the replicated state as it is."""
    return View(
        taken=lambda job, i: s.occupies[job, i],
        used=lambda n: s.used[n],
        is_up=lambda n: s.node_up[n],
        is_eligible=lambda n: s.eligible[n],
    )


def find_victim_node(s: Kernel, worker: Id, view: View) -> Value:
    """Give the node of the allocation that a plan drives out, NONE where there is none alive."""
    return ite(s.preempting > 0, view.taken(s.plan_foe[worker], s.plan_victim[worker]), NONE)


def fits(s: Kernel, worker: Id, job: Id, node: Id, view: View) -> Value:
    """Say that a node can take what the plan has for it; one that only loses something always can."""
    coming = count(s.plan_to[worker, k] == node for k in s.slots)
    leaving = count(all_of(s.plan_stops[worker, i], view.taken(job, i) == node) for i in s.allocs)
    driven = ite(find_victim_node(s, worker, view) == node, 1, 0)
    has_room = view.used(node) - leaving - driven + coming <= s.cap
    return any_of(coming == 0, all_of(view.is_up(node), view.is_eligible(node), has_room))


def judge(s: Kernel, worker: Id, job: Id, view: View) -> Verdict:
    """Judge each node of a worker's plan: what the plan has for a node stands or falls together."""
    to = s.plan_to[worker]

    def is_fit(n: Id) -> Value:
        return fits(s, worker, job, n, view)

    is_whole = for_all(is_fit(n) for n in s.nodes)

    def stands(node: Value) -> Value:
        return all_of(any_of(s.gangs == 0, is_whole), exists(all_of(node == n, is_fit(n)) for n in s.nodes))

    def commits(k: Id) -> Value:
        return all_of(to[k] != NONE, stands(to[k]))

    def stops(i: Id) -> Value:
        node = view.taken(job, i)
        is_dead = all_of(any_of(s.gangs == 0, is_whole), node == NONE)
        return all_of(s.plan_stops[worker, i], any_of(is_dead, stands(node)))

    return Verdict(
        commits=commits,
        stops=stops,
        evicts=all_of(s.preempting > 0, stands(find_victim_node(s, worker, view))),
        refuses=lambda n: not_(is_fit(n)),
        is_whole=is_whole,
        has_progress=any_of(exists(commits(k) for k in s.slots), exists(stops(i) for i in s.allocs)),
    )
