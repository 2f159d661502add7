"""Judges the decisions of schedulers: each is made again, on the state that it names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, product
from typing import Final

import msgspec
from msgspec.structs import replace

from nomadspec.checkers.oracle.compare import Rules
from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.explain.decisions import Committed, Decision, list_decisions
from nomadspec.checkers.oracle.explain.links import compare_links
from nomadspec.checkers.oracle.explain.plan_facts import show_fact
from nomadspec.checkers.oracle.explain.redelivered_calls import (
    is_redelivered,
    list_elections,
    list_last_attempts,
    list_last_calls,
    list_lone_calls,
)
from nomadspec.checkers.oracle.explain.rerun import MADE_BEFORE, Rerun, Run, Way
from nomadspec.checkers.oracle.judgement import ABSENT, Difference
from nomadspec.checkers.oracle.relation.maps import MapOrders
from nomadspec.checkers.oracle.trace_replay import Replay
from nomadspec.model.cluster.entities import EvalStatus
from nomadspec.model.cluster.store.requests import ApplyPlanResults
from nomadspec.model.specification.profiles import Profile

SHUFFLES: Final = 6
"""So many times maps are shuffled, beside being sorted upwards and downwards ..."""
MORE_SHUFFLES: Final = 48
"""... and so many times more where nothing else led to what was recorded."""
MOST_REFUSED: Final = 4
"""So many attempts in a row are supposed to have been rejected before one that left an entry."""
MOST_DOUBTS: Final = 4
"""So many nodes are supposed to be those by which such an attempt was rejected."""
MOST_BACK: Final = 8
"""So many states before the last possible one an attempt is supposed to have been made on."""

_USED_UP_ATTEMPTS: Final = "maximum attempts reached"
"""What begins the description of an evaluation whose attempts were used up."""


class Explained(msgspec.Struct, frozen=True):
    """What became of the attempt to make a decision again."""

    decision: Decision
    is_derived: bool = False
    """Whether some way leads to all that was recorded."""
    runs: tuple[Run, ...] = ()
    """What all ways led to where none led there."""
    is_contended: bool = False
    """Whether other plans were committed meanwhile, so that parts may have been rejected."""
    is_mixed: bool = False
    """Whether calls that broke off may have written a part of what belongs to it."""
    alone: frozenset[str] = frozenset()
    """The places in which one of several attempts may be right on some other state than those of the ways."""

    def list_contradictions(self) -> Iterator[Difference]:
        """List what all ways say alike and the log says otherwise."""
        if self.is_derived or self.is_mixed or not self.runs:
            return
        scored = [run for run in self.runs if _is_but_scored(run)]
        runs = scored or [run for run in self.runs if run.is_complete] or self.runs
        for key in sorted(frozenset.intersection(*(run.list_misses() for run in runs))):
            said = [run.ours.get(key, ABSENT) for run in runs]
            told = runs[0].recorded.get(key, ABSENT)
            is_certain = bool(scored) or not is_of_score(key)
            if is_certain and all(each == said[0] for each in said) and not self._is_open(key, told, said[0]):
                yield Difference(key, show_fact(told), show_fact(said[0]), find_rule(key))

    def _is_open(self, key: str, recorded: object, model: object) -> bool:
        """True if a place depends on attempts or parts of plans of which nothing is known.

        Those before the last of many attempts are not, what was rejected while others wrote, and on which
        state a later attempt was made.

        Spec: GENERIC-09, PLAN-45, PLAN-90.
        """
        outcome = self.decision.outcome
        if outcome.status == EvalStatus.FAILED and outcome.status_description.startswith(_USED_UP_ATTEMPTS):
            return True
        if key in self.alone or key.partition(".")[0] in self.alone:
            return True
        is_of_attempts = "AllocsPreempted" in key or key.endswith(MADE_BEFORE)
        return self.is_contended and (recorded is ABSENT or model is ABSENT or is_of_attempts)


_RULES: Final[Rules] = (
    ("AllocatedResources", "RANK-75"),
    ("RescheduleTracker", "RESCHED-13"),
    ("DeploymentStatus", "GENERIC-35"),
    ("DeploymentID", "GENERIC-26"),
    ("NodeID", "RANK-20"),
    ("Scores", "RANK-74"),
    ("AllocsStopped", "REC-94"),
    ("AllocsPreempted", "PREEMPT-24"),
    ("DeploymentUpdates", "REC-90"),
    ("Deployment", "REC-88"),
    ("FailedTGAllocs", "GENERIC-38"),
    ("QueuedAllocations", "GENERIC-24"),
    ("made.WaitUntil", "RESCHED-21"),
    ("made", "GENERIC-41"),
    ("Evals", "GENERIC-43"),
    ("EvalID", "GENERIC-05"),
    ("without a plan", "GENERIC-05"),
    ("", "GENERIC-16"),
)


def find_rule(path: str) -> str:
    """Find the rule that decides what a scheduler says at a place."""
    inside = path.partition("]")[2]
    return next(rule for part, rule in _RULES if part in inside)


def explain_outcome(replay: Replay, decision: Decision, profile: Profile) -> Explained:
    """Make a decision again in all ways that it may have gone, until one leads to what was recorded."""
    rerun = Rerun(replay, decision, profile)
    if rerun.evaluation is None:
        return Explained(decision)
    runs: list[Run] = []
    settled: set[Sequence[int]] = set()  # the kinds of ways in which no order of a map decides anything
    ways = _list_ways(decision)
    if rerun.has_latest:
        ways = chain(ways, (replace(way, is_latest=True) for way in _list_ways(decision)))
    for way in ways:
        kind = way.kind
        if kind in settled:
            continue
        run = rerun.run(way)
        if not way.maps.used:
            settled.add(kind)
        if run is None:
            continue
        if not run.list_misses() or (_is_but_scored(run) and (run.has_rejected or _finds_order(rerun, way))):
            return Explained(decision, is_derived=True)
        runs.append(run)
    is_redone = is_redelivered(decision.outcome, decision.index, list_elections(replay))
    if is_redone and _is_explained_by_last_call(replay, decision, profile):
        return Explained(decision, is_derived=True)
    return Explained(
        decision,
        runs=tuple(runs),
        is_contended=_is_contended(replay, decision),
        is_mixed=is_redone and len(decision.plans) + len(decision.made) > 1,
        alone=_list_possible_alone(replay, decision, profile),
    )


def _is_but_scored(run: Run) -> bool:
    """True if a run comes to all that was recorded, but for scores."""
    return all(map(is_of_score, run.list_misses()))


def is_of_score(place: str) -> bool:
    """True if a place holds how a node was scored: that depends on what was placed before."""
    return place.endswith(".Scores")


def _finds_order(rerun: Rerun, way: Way) -> bool:
    """True if some other order of maps leads to the scores as well."""
    ways = (replace(way, maps=maps) for maps in (*_list_sorted(), *map(_shuffle, range(MORE_SHUFFLES))))
    return any(run is not None and not run.list_misses() for run in map(rerun.run, ways))


def _list_possible_alone(replay: Replay, decision: Decision, profile: Profile) -> frozenset[str]:
    """List the places of a call with several attempts that are possible by one attempt alone.

    An attempt after the first is made on a state of which nothing is known but that it is fresh enough.

    Spec: PLAN-90, WIRE-135.
    """
    if len(decision.plans) < 2:  # noqa: PLR2004 -- the first attempt is made on a known state
        return frozenset()
    later = (each for each in decision.plans[1:] if is_plan_possible(replay, each, profile))
    runs = (
        run for last in list_last_attempts(decision) for run in _list_quick_runs(Rerun(replay, last, profile))
    )
    told = ((key, fact) for run in runs for key, fact in run.recorded.items() if run.ours.get(key) == fact)
    return frozenset((*(f"raft-log[{each.at}]" for each in later), *(key for key, _ in told)))


def _is_explained_by_last_call(replay: Replay, decision: Decision, profile: Profile) -> bool:
    """True if calls that broke off wrote a part, and the last one came to the rest.

    Spec: WORKER-03, PLAN-98.
    """
    return any(
        _leads_to_all(Rerun(replay, rest, profile))
        and all(is_plan_possible(replay, each, profile) for each in left)
        for rest, left in list_last_calls(decision)
    )


def is_plan_possible(replay: Replay, plan: Committed, profile: Profile) -> bool:
    """True if a call on some recent state comes to a plan, whatever became of it."""
    path = f"raft-log[{plan.at}]"
    return any(
        not any(place.startswith(path) for place in run.list_misses())
        for lone in list_lone_calls(replay, plan)
        for run in _list_quick_runs(Rerun(replay, lone, profile))
    )


def _leads_to_all(rerun: Rerun) -> bool:
    return any(not run.list_misses() for run in _list_quick_runs(rerun))


def _list_quick_runs(rerun: Rerun) -> Iterator[Run]:
    ways = (*(Way(maps) for maps in _list_sorted()), *(Way(_shuffle(seed)) for seed in range(SHUFFLES)))
    if rerun.evaluation is not None:
        yield from (run for way in ways if (run := rerun.run(way)) is not None)


def _is_contended(replay: Replay, decision: Decision) -> bool:
    """True if plans of others were committed between the state of a decision and its last plan."""
    first = decision.outcome.snapshot_index
    last = decision.plans[-1].at if decision.plans else decision.index
    return any(
        first < step.typed.entry.index < last
        and isinstance(step.typed.entry.request, ApplyPlanResults)
        and step.typed.entry.request.eval_id != decision.outcome.id
        for step in replay.steps
    )


def compare_outcomes(replay: Replay, context: Context) -> Iterator[Difference]:
    """Compare what schedulers decided with what they decide in the model, and count what is derived.

    Where no way leads to what was recorded, and they do not agree on what is wrong, nobody knows: that is
    remarked on and no contradiction.

    Spec: GENERIC-16, GENERIC-43, SYSTEM-37, WORKER-20.
    """
    elections = list_elections(replay)
    for decision in list_decisions(replay):
        explained = explain_outcome(replay, decision, context.profile)
        found = [*explained.list_contradictions(), *compare_links(replay, decision, elections, context)]
        yield from found
        if explained.is_derived and not found:
            context.derived.update(decision.list_entries())
        elif not found:
            context.note("a decision of a scheduler was not made again: too many ways lead to it")


def _list_ways(decision: Decision) -> Iterator[Way]:
    """List how a call may have gone, the likely ways first."""
    yield from (Way(maps) for maps in _list_sorted())
    yield from (Way(_shuffle(seed)) for seed in range(SHUFFLES))
    yield from (Way(maps, is_prompt=True) for maps in _list_sorted())
    has_room = decision.index - decision.outcome.snapshot_index > 1
    for hidden in range(MOST_REFUSED + 1 if has_room else 1):
        for is_early in (False, True):
            for is_partial in (False, True) if decision.plans else (False,):
                if hidden or is_partial or is_early:
                    yield from (Way(maps, is_partial, hidden, is_early=is_early) for maps in _list_sorted())
            if hidden:
                yield from (
                    Way(MapOrders(), hidden=hidden, is_early=is_early, doubt=doubt)
                    for doubt in range(1, MOST_DOUBTS + 1)
                )
    for back in range(1, min(decision.index - decision.outcome.snapshot_index, MOST_BACK + 1)):
        for is_partial in (False, True) if decision.plans else (False,):
            yield from (Way(MapOrders(), is_partial, hidden, back=back) for hidden in (0, 1, 2))
        yield from (Way(MapOrders(), hidden=1, back=back, doubt=doubt) for doubt in range(1, MOST_DOUBTS + 1))
    yield from _list_rejected_before() if has_room else ()
    yield from _list_rejected_between(len(decision.plans))
    yield from (Way(_shuffle(seed)) for seed in range(SHUFFLES, SHUFFLES + MORE_SHUFFLES))


def _list_rejected_before() -> Iterator[Way]:
    """List how attempts may have been rejected as a whole by a state, and the next made on a newer one.

    Spec: PLAN-57, PLAN-90.
    """
    for hidden in range(MOST_REFUSED + 1):
        yield from (Way(maps, hidden=hidden, is_fresh=True) for maps in _list_sorted())
        for doubt in range(1, MOST_DOUBTS + 1):
            yield Way(MapOrders(), hidden=hidden, is_fresh=True, doubt=doubt)


def _list_rejected_between(plans: int) -> Iterator[Way]:
    """List how attempts may have been rejected as a whole between two that left entries."""
    for after, hidden in product(range(1, plans), range(1, MOST_REFUSED + 1)):
        for is_early, maps in product((False, True), _list_sorted()):
            yield Way(maps, hidden=hidden, after=after, is_early=is_early)
        for doubt in range(1, MOST_DOUBTS + 1):
            yield Way(MapOrders(), hidden=hidden, after=after, doubt=doubt)


def _list_sorted() -> Iterator[MapOrders]:
    yield MapOrders()
    yield MapOrders(is_descending=True)


def _shuffle(seed: int) -> MapOrders:
    return MapOrders(seed=seed)
