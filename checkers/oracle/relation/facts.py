"""An outcome taken apart into facts, each under a name that says what it is about and not where it stands."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from nomadspec.checkers.oracle.relation.canonical import BY_NODE

Json = Any
"""What JSON can hold."""

Name = tuple[str, ...]
"""The steps to a fact; an element of a list is called by what it is."""
Facts = Mapping[Name, str]
"""What an outcome says, as text, under the name of each fact."""

_OF_ORDER: Final = frozenset(
    {
        "NodesEvaluated",
        "NodesFiltered",
        "NodesExhausted",
        "ClassFiltered",
        "ConstraintFiltered",
        "ClassExhausted",
        "DimensionExhausted",
        "ScoreMetaData",
    }
)
"""What the metrics of a placement owe to the order in which nodes were visited.

Spec: FEAS-86, RANK-74.
"""

_NEW: Final = re.compile(r"<.*>")
"""The name of something new, inside a text."""
ALL: Final = "all"
"""Begins the name of what several objects say together."""
_SUMMED: Final = ("Name", "TaskGroup", "PreviousAllocation", "DeploymentID", "DeploymentStatus", "JobRef")
_OF_EVAL: Final = ("TriggeredBy", "Type", "Priority", "Status", "StatusDescription", "WaitUntil")
_AMOUNTS: Final = ("CpuShares", "MemoryMB", "MemoryMaxMB", "DiskMB")

_BY_NAME: Final = frozenset({("QueuedAllocations",), ("TaskLifecycles",)})
"""Maps in which nothing says something as well: that there is such a group, or such a task."""

_OF_VISITS: Final = frozenset({"ConstraintFiltered", "MissingNonNodeResources"})


def list_facts(outcome: Mapping[str, Json], *, has_orders: bool, has_one_group: bool = False) -> Facts:
    """List the facts of an outcome in canonical form that no order of nodes touches.

    Who was taken is taken for granted. Has the call orders of nodes, then what metrics count is left out, and
    what was learnt of classes; but where one group failed and there is no other, all nodes were visited.
    """
    facts: dict[Name, str] = {}
    for turn, each in enumerate(outcome["plans"]):
        for name, fact in _list_of_plan(each["plan"], has_orders=has_orders):
            facts["plans", str(turn), *name] = fact
    facts["plans", "#"] = str(len(outcome["plans"]))
    for key, rows in outcome.items():
        if key.endswith("_evals"):
            facts[f"{ALL} {key}",] = _sum_up(rows)
            for name, fact in _list_rows(rows):
                if not (has_orders and _is_learnt(name, has_one_group=has_one_group)):
                    facts[(key, *name)] = fact
    facts["error",] = _write(outcome.get("error"))
    for name in [name for name in facts if name[0] != "plans"]:
        facts["ends", *name] = facts.pop(name)
    return facts


def _list_of_plan(plan: Mapping[str, Json], *, has_orders: bool) -> Iterator[tuple[Name, str]]:
    yield from _list_inside({key: item for key, item in plan.items() if key not in BY_NODE}, ())
    for key in BY_NODE:
        allocs = [
            _without_metrics(alloc) if has_orders and _is_placed(key, alloc) else alloc
            for listed in (plan.get(key) or {}).values()
            for alloc in listed
        ]
        for name, fact in _list_rows(allocs):
            yield (key, *name), fact
        yield from _list_sums(key, allocs)


def _sum_up(rows: Iterable[Mapping[str, Json]]) -> str:
    """Say what all evaluations are together, whichever nodes they are for."""
    return " ".join(sorted(_write([row.get(member) for member in _OF_EVAL]) for row in rows))


def _list_sums(key: str, allocs: Sequence[Mapping[str, Json]]) -> Iterator[tuple[Name, str]]:
    """List what all allocations say of one member together, whoever says it."""
    for member in sorted({member for alloc in allocs for member in alloc}.intersection(_SUMMED)):
        said = [_write(alloc.get(member)) for alloc in allocs if not alloc.get("CreateIndex")]
        yield (f"{ALL} {key}", member), " ".join(sorted(said))
    words = {_NEW.sub("*", alloc.get("DesiredDescription") or "") for alloc in allocs}
    yield (f"{ALL} {key}", "DesiredDescription"), ", ".join(sorted(words))
    amounts = [_write(sorted(_list_amounts(alloc.get("AllocatedResources")))) for alloc in allocs]
    yield (f"{ALL} {key}", "AllocatedResources"), " ".join(sorted(amounts))


def _list_amounts(tree: Json) -> Iterator[tuple[Name, str]]:
    """List how much is given, but not which ports, cores and devices."""
    for name, fact in _list_inside(tree, ()):
        if name[-1] in _AMOUNTS:
            yield name, fact


def _is_placed(key: str, alloc: Mapping[str, Json]) -> bool:
    return key == "NodeAllocation" and not alloc.get("CreateIndex")


def _without_metrics(alloc: Mapping[str, Json]) -> Mapping[str, Json]:
    metrics = {key: item for key, item in (alloc.get("Metrics") or {}).items() if key not in _OF_ORDER}
    return {**alloc, "Metrics": metrics}


def _list_rows(rows: Iterable[Mapping[str, Json]]) -> Iterator[tuple[Name, str]]:
    seen: Counter[str] = Counter()
    for row in rows:
        title = str(row.get("ID", ""))
        seen[title] += 1
        named = title if seen[title] == 1 else f"{title} {seen[title]}"
        yield (named,), "there"
        for name, fact in _list_inside(row, ()):
            yield (named, *name), fact


def _is_learnt(name: Name, *, has_one_group: bool) -> bool:
    """True if a fact depends on which nodes earlier searches visited.

    Spec: FEAS-20, FEAS-22, FEAS-25.
    """
    if _OF_VISITS.intersection(name):
        return True
    return "ClassEligibility" in name and not has_one_group


def _list_inside(tree: Json, name: Name) -> Iterator[tuple[Name, str]]:
    if isinstance(tree, Mapping):
        for key, item in tree.items():
            yield from _list_inside(item, (*name, key))
    elif tree or name[-2:-1] in _BY_NAME:
        yield name, _write(tree)


def _write(tree: Json) -> str:
    return json.dumps(tree, sort_keys=True, default=str)


_LAST: Final = 1_000_000


def find_stage(name: Name) -> int:
    """Find how late in the call a fact is settled: by which attempt, or in the end."""
    return int(name[1]) if name[0] == "plans" and name[1].isdigit() else _LAST


def find_title(name: Name) -> Name:
    """Find the fact that says that the object which another is about is there."""
    return name[: _AT_OBJECT + 1] if name[0] == "plans" else name[: _AT_ROW + 1]


def is_of_eviction(name: Name) -> bool:
    """True if a fact says who was evicted for whom."""
    return "NodePreemptions" in name or "PreemptedAllocations" in name


def generalise(name: Name) -> Name:
    """Say what kind of fact one is, whichever object it is about."""
    if name[0] == "plans" and len(name) > _AT_OBJECT:
        return (*name[:_AT_OBJECT], "*", *name[_AT_OBJECT + 1 :]) if name[2] in BY_NODE else name
    return (*name[:2], "*", *name[3:]) if name[0] == "ends" and len(name) > _AT_ROW else name


_AT_OBJECT: Final = 3
_AT_ROW: Final = 2
