"""The verdict on a plan, node by node, against some view of what is taken and which nodes are usable."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from nomadspec.model.domain import NONE, Id
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.logic import Value, all_of, any_of, count, exists, for_all, ite, none_of, not_, remember
from nomadspec.model.quirks import UNCHECKED_UPDATE


@dataclass(frozen=True, slots=True)
class View:
    """What the applier judges by: the store, or its own snapshot."""

    taken: Callable[[Value, Id], Value]
    """The node whose capacity an allocation of a job takes."""
    more: Callable[[Id, Id, Id], Value]
    """The node of which an allocation takes one more unit."""
    used: Callable[[Id], Value]
    """The units of a node that are taken."""
    is_up: Callable[[Id], Value]
    is_eligible: Callable[[Id], Value]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What of a plan may be committed."""

    commits: Callable[[Id], Value]
    """Whether the placement in a slot of the plan is committed."""
    stops: Callable[[Id], Value]
    """Whether the stop of an allocation is committed."""
    keeps: Callable[[Id], Value]
    """Whether the update of an allocation in its place is committed."""
    evicts: Value
    """Whether the allocation of another job is driven out: not where it is dead already."""
    refuses: Callable[[Id], Value]
    """Whether a node is refused, with everything that the plan has for it."""
    is_whole: Value
    has_progress: Value
    """Whether a placement, an update or a stop is committed."""


def count_taken(s: Kernel, node: Value) -> Value:
    """Count the units of a node that are taken."""
    return s.used[node] + s.used_more[node]


def count_needed(s: Kernel, job: Id) -> Value:
    """Count the units that an instance of the job needs."""
    return 1 + s.job_bulk[job]


def view_store(s: Kernel) -> View:
    """View the replicated state as it is."""
    return View(
        taken=lambda job, i: s.occupies[job, i],
        more=lambda job, i, x: s.extra_at[job, i, x],
        used=lambda n: count_taken(s, n),
        is_up=lambda n: s.node_up[n],
        is_eligible=lambda n: s.eligible[n],
    )


def find_victim_node(s: Kernel, worker: Id, view: View) -> Value:
    """Give the node of the allocation that a plan drives out, NONE where there is none alive."""
    return ite(s.preempting > 0, view.taken(s.plan_foe[worker], s.plan_victim[worker]), NONE)


def find_kept(s: Kernel, worker: Id, i: Id) -> Value:
    """Give the node of an allocation that a plan updates in its place, NONE where it does not."""
    kept: Value = NONE
    for a in s.takeovers:
        kept = s.plan_keeps[worker, i, a]
    return kept


def count_leaving(s: Kernel, worker: Id, job: Value, node: Id, view: View) -> Value:
    """Count the units of a node that a plan gives back, those of what it updates included."""

    def goes(i: Id) -> Value:
        is_own = any_of(s.plan_stops[worker, i], find_kept(s, worker, i) != NONE)
        return all_of(is_own, view.taken(job, i) == node)

    foe, victim = s.plan_foe[worker], s.plan_victim[worker]
    own = count(goes(i) for i in s.allocs) + count(
        all_of(goes(i), view.more(job, i, x) == node) for i in s.allocs for x in s.extras
    )
    driven = 1 + count(view.more(foe, victim, x) == node for x in s.extras)
    return own + ite(find_victim_node(s, worker, view) == node, driven, 0)


def count_after(s: Kernel, worker: Id, job: Value, node: Id, view: View) -> Value:
    """Count the units of a node that are taken once a plan is committed."""
    coming = count_coming(s, worker, node)
    more = count(
        all_of(x < s.plan_bulk[worker], s.plan_to[worker, k] == node) for k in s.slots for x in s.extras
    ) + count(
        all_of(x < s.plan_bulk[worker], find_kept(s, worker, i) == node) for i in s.allocs for x in s.extras
    )
    return view.used(node) - count_leaving(s, worker, job, node, view) + coming + more


def count_coming(s: Kernel, worker: Id, node: Id) -> Value:
    """Count what a plan places on a node, or updates there."""
    placed = count(s.plan_to[worker, k] == node for k in s.slots)
    return placed + count(find_kept(s, worker, i) == node for i in s.allocs)


def fits(s: Kernel, worker: Id, job: Id, node: Id, view: View) -> Value:
    """Say that a node can take what the plan has for it; one that only loses something always can.

    A node where the plan only updates what lives there is asked neither whether it may be given more nor,
    with the quirk, whether it has the room.
    """
    placed = count(s.plan_to[worker, k] == node for k in s.slots)
    has_room = count_after(s, worker, job, node, view) <= s.cap
    new = (all_of(find_kept(s, worker, i) == node, view.taken(job, i) != node) for i in s.allocs)
    is_kept = all_of(placed == 0, none_of(exists(new)))
    is_checked = not_(is_kept) if s.has(UNCHECKED_UPDATE) else True
    is_open = any_of(is_kept, view.is_eligible(node))
    is_fit = all_of(view.is_up(node), is_open, any_of(not_(is_checked), has_room))
    return any_of(count_coming(s, worker, node) == 0, is_fit)


def judge(s: Kernel, worker: Id, job: Id, view: View) -> Verdict:
    """Judge each node of a worker's plan: what the plan has for a node stands or falls together."""
    to = s.plan_to[worker]

    @remember
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

    def keeps(i: Id) -> Value:
        node = find_kept(s, worker, i)
        return all_of(node != NONE, stands(node))

    return Verdict(
        commits=commits,
        stops=stops,
        keeps=keeps,
        evicts=stands(find_victim_node(s, worker, view)),
        refuses=lambda n: not_(is_fit(n)),
        is_whole=is_whole,
        has_progress=any_of(
            exists(commits(k) for k in s.slots),
            exists(any_of(stops(i), keeps(i)) for i in s.allocs),
        ),
    )
