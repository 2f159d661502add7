"""Brings what came out of a call into a form in which free names and free orders no longer show."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Container, Iterator, Mapping
from typing import Any, Final

Json = Any
"""What JSON can hold."""

_MOST_SHOWN: Final = 5
BY_NODE: Final = ("NodeUpdate", "NodeAllocation", "NodePreemptions")
"""What a plan says, node by node."""

_SETS: Final = frozenset(
    {"PreemptedAllocations", "PreemptedAllocs", "PlacedCanaries", "DeploymentUpdates", "created_evals"}
)
"""Lists whose order is that of a map."""


def make_canonical(outcome: Mapping[str, Json], names: Mapping[str, str]) -> Mapping[str, Json]:
    """Call new objects by what they are, and sort what has no order of its own."""
    renamed: Mapping[str, Json] = _rename(outcome, names)
    plans = [{**each, "plan": sort_plan(each["plan"])} for each in renamed["plans"]]
    rest = {key: _sort_inside(item, key) for key, item in renamed.items() if key != "plans"}
    return {"plans": plans, **rest}


def sort_plan(plan: Mapping[str, Json]) -> dict[str, Json]:
    """Sort what a plan holds for each node; a node without anything is left out."""
    sorted_plan = {key: _sort_inside(item, key) for key, item in plan.items()}
    for name in BY_NODE:
        lists = sorted_plan.get(name) or {}
        sorted_plan[name] = {node: _sort(allocs) for node, allocs in lists.items() if allocs}
    return sorted_plan


def without_followups(tree: Json) -> Json:
    """Leave out which evaluations are waited for: what they are is only known in the end."""
    match tree:
        case Mapping():
            return {key: without_followups(item) for key, item in tree.items() if key != "FollowupEvalID"}
        case list():
            return _sort([without_followups(item) for item in tree])
    return tree


def name_new(alloc: Mapping[str, Json]) -> str:
    """Name a new allocation by its place: name, node, predecessor, canary."""
    canary = (alloc.get("DeploymentStatus") or {}).get("Canary", False)
    parts = (alloc.get("Name"), alloc.get("NodeID"), alloc.get("PreviousAllocation"), canary)
    return "/".join(str(part or "") for part in parts)


def name_all(outcome: Mapping[str, Json], old: Container[str] = ()) -> Iterator[tuple[str, str]]:
    """Pair the IDs of all that is new with names that depend on no choice.

    Old are the evaluations that allocations waited for before the call.
    """
    for turn, each in enumerate(outcome["plans"]):
        plan, seen = each["plan"], Counter[str]()
        for allocs in (plan.get("NodeAllocation") or {}).values():
            for alloc in allocs:
                if not alloc.get("CreateIndex"):
                    name = name_new(alloc)
                    seen[name] += 1
                    yield alloc.get("ID", ""), f"<new {turn} {name} {seen[name]}>"
        deployment = plan.get("Deployment") or {}
        if deployment.get("ID") and not deployment.get("CreateIndex"):
            yield deployment["ID"], f"<deployment {turn}>"
    seen = Counter()
    for created in outcome.get("created_evals", ()):
        parts = (created.get(key, "") for key in ("TriggeredBy", "Status", "WaitUntil", "NodeID"))
        name = "/".join(map(str, parts))
        seen[name] += 1
        yield created.get("ID", ""), f"<eval {name} {seen[name]}>"
    made = {created.get("ID") for created in outcome.get("created_evals", ())}
    for turn, each in enumerate(outcome["plans"]):
        yield from _name_unmade(turn, each["plan"], old, made)
        yield from _name_unplaced(turn, each["plan"])


def _name_unmade(
    turn: int, plan: Mapping[str, Json], old: Container[str], made: Container[str]
) -> Iterator[tuple[str, str]]:
    """Name evaluations that allocations wait for and that nobody made, by those that wait."""
    waiting: dict[str, list[str]] = {}
    for lists in (plan.get("NodeUpdate") or {}, plan.get("NodeAllocation") or {}):
        for alloc in (alloc for allocs in lists.values() for alloc in allocs):
            followup = alloc.get("FollowupEvalID", "")
            if followup and followup not in old and followup not in made:
                waiting.setdefault(followup, []).append(alloc.get("ID", ""))
    for followup, allocs in waiting.items():
        yield followup, f"<unmade {turn} {' '.join(sorted(allocs))}>"


def _name_unplaced(turn: int, plan: Mapping[str, Json]) -> Iterator[tuple[str, str]]:
    """Name what others were evicted for and that was not placed after all, by those that are evicted."""
    placed = {alloc.get("ID") for allocs in (plan.get("NodeAllocation") or {}).values() for alloc in allocs}
    evicted: dict[str, list[str]] = {}
    for allocs in (plan.get("NodePreemptions") or {}).values():
        for alloc in allocs:
            cause = alloc.get("PreemptedByAllocation", "")
            if cause and cause not in placed:
                evicted.setdefault(cause, []).append(alloc.get("ID", ""))
    for cause, allocs in evicted.items():
        yield cause, f"<new unplaced {turn} {' '.join(sorted(allocs))}>"


def _rename(tree: Json, names: Mapping[str, str]) -> Json:
    match tree:
        case Mapping():
            return {key: _rename(item, names) for key, item in tree.items()}
        case list() | tuple():
            return [_rename(item, names) for item in tree]
        case str():
            head, _, last = tree.rpartition(" ")
            return f"{head} {names[last]}".lstrip() if last in names else tree
    return tree


def _sort_inside(tree: Json, name: str = "") -> Json:
    match tree:
        case list() if name == "ScoreMetaData":
            return _sort_scores(tree)
        case Mapping():
            return {key: _sort_inside(item, key) for key, item in tree.items()}
        case list():
            items = [_sort_inside(item) for item in tree]
            return _sort(items) if name in _SETS else items
    return tree


def _sort_scores(shown: list[Json]) -> list[Json]:
    """Sort equal scores by node; of those that equal the last of five, any may be shown."""
    least = shown[-1].get("NormScore") if len(shown) == _MOST_SHOWN else None
    told = [
        {key: item for key, item in each.items() if key != "NodeID" or each.get("NormScore") != least}
        for each in shown
    ]
    return sorted(told, key=lambda each: (-each.get("NormScore", 0.0), each.get("NodeID", "")))


def _sort(items: list[Json]) -> list[Json]:
    return sorted(items, key=lambda item: json.dumps(item, sort_keys=True, default=str))
