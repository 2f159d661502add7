"""Corrupts recorded calls of schedulers the way a wrong scheduler would err: one decision at a time.

Nothing is drawn at random: a digest of the place and the seed chooses, as for all corruptions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from nomadspec.checkers.oracle.context import Document
from nomadspec.checkers.oracle.corrupt import Corruption, draw, shift_time
from nomadspec.checkers.oracle.judgement import ABSENT
from nomadspec.checkers.oracle.paths import list_steps, step_into
from nomadspec.checkers.oracle.sides import list_leaves, put

Json = Any
"""What JSON can hold."""
Choose = Callable[[Sequence[Any]], Any]
Edit = tuple[str, Json]
"""A place and what is put there."""
Edits = tuple[Edit, ...]

_NUMBERED: Final = re.compile(r"\[(\d+)\]$")
_STRAY_ID: Final = "5f0e9c1a-0000-4000-8000-00000000beef"
_METRICS: Final = ("NodesEvaluated", "NodesFiltered", "NodesExhausted", "NodesInPool", "CoalescedFailures")
_BY_VALUE: Final = ("NodesAvailable", "ClassFiltered", "ConstraintFiltered", "DimensionExhausted")
_AMOUNTS: Final = ("CpuShares", "MemoryMB", "MemoryMaxMB", "DiskMB")
_DESCRIPTIONS: Final = (
    "alloc not needed due to job update",
    "alloc not needed as node is tainted",
    "alloc is being migrated",
    "alloc was rescheduled because it failed",
    "created to place remaining allocations",
    "created due to placement conflicts",
    "Deployment is running",
    "Deployment is running but requires manual promotion",
)


def list_scheduler_corruptions(document: Document, *, seed: int = 0) -> Iterator[Corruption]:
    """Corrupt a recorded call once in each way that its outcome leaves room for."""
    for how, list_edits in CORRUPTIONS.items():
        pick = partial(draw, seed, f"{document.get('id')} {how}")
        found = [edits for edits in list_edits(document, pick) if edits]
        if found:
            yield _make(document, how, pick(found))


def _make(document: Document, how: str, edits: Edits) -> Corruption:
    changed: Document = document
    for path, value in edits:
        changed = put(changed, list(list_steps(path)), value)
    path, after = edits[0]
    return Corruption(path, how, find(document, path), after, changed)


def find(tree: Json, path: str) -> Json:
    """Find what stands at a place; ABSENT where nothing does."""
    for step in list_steps(path):
        is_there = step < len(tree) if isinstance(step, int) else step in tree
        if not is_there:
            return ABSENT
        tree = tree[step]
    return tree


# --- what can be corrupted ---


def _list_plans(document: Document) -> Iterator[tuple[str, Mapping[str, Json]]]:
    for turn, each in enumerate(document["outcome"].get("plans") or ()):
        yield f"outcome.plans[{turn}].plan", each["plan"]


def _list_allocs(document: Document, name: str) -> Iterator[tuple[str, Mapping[str, Json]]]:
    for path, plan in _list_plans(document):
        for node, allocs in (plan.get(name) or {}).items():
            at = step_into(f"{path}.{name}", node)
            yield from ((f"{at}[{place}]", alloc) for place, alloc in enumerate(allocs))


def _list_new(document: Document) -> Iterator[tuple[str, Mapping[str, Json]]]:
    for path, alloc in _list_allocs(document, "NodeAllocation"):
        if not alloc.get("CreateIndex"):
            yield path, alloc


def _list_evals(document: Document) -> Iterator[tuple[str, Mapping[str, Json]]]:
    for name in ("created_evals", "updated_evals", "reblocked_evals"):
        for at, row in enumerate(document["outcome"].get(name) or ()):
            yield f"outcome.{name}[{at}]", row


def _list_outcome(document: Document) -> Iterator[Edit]:
    """List the leaves of all that is judged."""
    for path, plan in _list_plans(document):
        yield from list_leaves(plan, path)
    for path, row in _list_evals(document):
        yield from list_leaves(row, path)


def _split(path: str) -> tuple[str, int]:
    """Split the path of an element into that of its list and its place."""
    found = _NUMBERED.search(path)
    return (path[: found.start()], int(found[1])) if found else (path, 0)


def _without(document: Document, path: str) -> Edit:
    holder, at = _split(path)
    items = find(document, holder)
    return holder, [*items[:at], *items[at + 1 :]]


# --- how ---


def _to_other_node(document: Document, pick: Choose) -> Iterator[Edits]:
    """Move a new allocation to another node, in the plan and in what was taken of it."""
    for path, alloc in _list_new(document):
        others = [node for node in document["state"].get("nodes") or () if node["ID"] != alloc["NodeID"]]
        if not others:
            continue
        node = pick(others)
        holder, _ = _split(path)
        target = step_into(holder.removesuffix(step_into("", alloc["NodeID"])).rstrip("."), node["ID"])
        moved = {**alloc, "NodeID": node["ID"], "NodeName": node.get("Name", "")}
        there = find(document, target)
        edits = [(target, [*(there if isinstance(there, list) else ()), moved]), _without(document, path)]
        yield (*edits, *_move_answer(document, path, alloc, node["ID"]))


def _move_answer(document: Document, path: str, alloc: Mapping[str, Json], target: str) -> Iterator[Edit]:
    answered = f"{path.partition('.plan.')[0]}.result.NodeAllocation"
    taken = find(document, answered) if find(document, answered.rpartition(".")[0]) else None
    if isinstance(taken, Mapping) and alloc["ID"] in (taken.get(alloc["NodeID"]) or ()):
        left = [each for each in taken[alloc["NodeID"]] if each != alloc["ID"]]
        yield answered, {**taken, alloc["NodeID"]: left, target: [*(taken.get(target) or ()), alloc["ID"]]}


def _miss_stop(document: Document, _pick: Choose) -> Iterator[Edits]:
    for path, _alloc in _list_allocs(document, "NodeUpdate"):
        yield (_without(document, path),)


def _place_twice(document: Document, _pick: Choose) -> Iterator[Edits]:
    for path, alloc in _list_new(document):
        holder, _ = _split(path)
        yield ((holder, [*find(document, holder), {**alloc, "ID": _STRAY_ID}]),)


def _rename(document: Document, _pick: Choose) -> Iterator[Edits]:
    for path, alloc in _list_new(document):
        found = _NUMBERED.search(alloc.get("Name") or "")
        if found:
            yield ((f"{path}.Name", f"{alloc['Name'][: found.start()]}[{int(found[1]) + 1}]"),)


def _follow_other(document: Document, pick: Choose) -> Iterator[Edits]:
    """Let a new allocation replace another, or none."""
    for path, alloc in _list_new(document):
        known = alloc.get("PreviousAllocation") or ""
        others = [each["ID"] for each in document["state"].get("allocs") or () if each["ID"] != known]
        if known or others:
            yield ((f"{path}.PreviousAllocation", pick([*others, *([""] if known else [])])),)


def _deploy_otherwise(document: Document, pick: Choose) -> Iterator[Edits]:
    for path, alloc in _list_new(document):
        known = alloc.get("DeploymentID") or ""
        yield ((f"{path}.DeploymentID", pick([_STRAY_ID, ""]) if known else _STRAY_ID),)
        status = alloc.get("DeploymentStatus") or {}
        is_canary = bool(status.get("Canary"))
        yield ((f"{path}.DeploymentStatus", {**status, "Canary": not is_canary}),)


def _wait_longer(document: Document, _pick: Choose) -> Iterator[Edits]:
    for path, row in _list_evals(document):
        until = row.get("WaitUntil") or ""
        if path.startswith("outcome.created") and until and not until.startswith("0001"):
            yield ((f"{path}.WaitUntil", shift_time(until)),)


def _count_otherwise(document: Document, pick: Choose) -> Iterator[Edits]:
    """Change what was wanted of a group, what still waits, or what a deployment wants."""
    for path, value in _list_outcome(document):
        is_count = any(
            f".{name}." in path for name in ("DesiredTGUpdates", "QueuedAllocations", "TaskGroups")
        )
        if is_count and isinstance(value, int) and not isinstance(value, bool):
            yield ((path, value + pick((1, 2))),)


def _evict_other(document: Document, pick: Choose) -> Iterator[Edits]:
    """Let another allocation be evicted, one on the same node if there is any."""
    for path, gone in _list_allocs(document, "NodePreemptions"):
        holder, at = _split(path)
        listed = find(document, holder)
        known = {each["ID"] for each in listed}
        others = [each for each in document["state"].get("allocs") or () if each["ID"] not in known]
        near = [each for each in others if each.get("NodeID") == holder.rpartition(".")[2]] or others
        if not near:
            continue
        other = pick(near)["ID"]
        edits = [(holder, [*listed[:at], {**gone, "ID": other}, *listed[at + 1 :]])]
        for place, alloc in _list_new(document):
            evicted = alloc.get("PreemptedAllocations") or []
            if gone["ID"] in evicted:
                told = [other if each == gone["ID"] else each for each in evicted]
                edits.append((f"{place}.PreemptedAllocations", told))
        yield tuple(edits)


def _drop_blocked(document: Document, _pick: Choose) -> Iterator[Edits]:
    for path, row in _list_evals(document):
        if row.get("Status") == "blocked":
            yield (_without(document, path),)


def _judge_class_otherwise(document: Document, _pick: Choose) -> Iterator[Edits]:
    for path, row in _list_evals(document):
        for name, is_eligible in (row.get("ClassEligibility") or {}).items():
            yield ((step_into(f"{path}.ClassEligibility", name), not is_eligible),)


def _measure_otherwise(document: Document, pick: Choose) -> Iterator[Edits]:
    """Change a number of the metrics of what was placed, or of what was not."""
    for path, value in _list_outcome(document):
        steps = [str(step) for step in list_steps(path)]
        is_counted = steps[-1] in _METRICS or (len(steps) > 1 and steps[-2] in _BY_VALUE)
        if is_counted and isinstance(value, int):
            yield ((path, value + pick((1, -1)) if value else 1),)
        elif "ScoreMetaData" in steps and isinstance(value, float):
            yield ((path, value + 1e-3),)


def _describe_otherwise(document: Document, pick: Choose) -> Iterator[Edits]:
    for path, value in _list_outcome(document):
        if path.endswith(("DesiredDescription", "StatusDescription")) and isinstance(value, str) and value:
            yield ((path, pick([each for each in _DESCRIPTIONS if each != value])),)


def _allot_otherwise(document: Document, pick: Choose) -> Iterator[Edits]:
    for path, alloc in _list_new(document):
        told = alloc.get("AllocatedResources") or {}
        for place, value in list_leaves(told, f"{path}.AllocatedResources"):
            if place.rpartition(".")[2] in _AMOUNTS and isinstance(value, int):
                yield ((place, value + pick((1, 64))),)


CORRUPTIONS: Final[Mapping[str, Callable[[Document, Choose], Iterator[Edits]]]] = {
    "other node": _to_other_node,
    "missing stop": _miss_stop,
    "extra placement": _place_twice,
    "wrong name": _rename,
    "wrong previous": _follow_other,
    "wrong deployment or canary": _deploy_otherwise,
    "changed follow-up time": _wait_longer,
    "changed count": _count_otherwise,
    "evicted swapped": _evict_other,
    "dropped blocked": _drop_blocked,
    "changed eligibility": _judge_class_otherwise,
    "changed metric": _measure_otherwise,
    "changed description": _describe_otherwise,
    "changed resources": _allot_otherwise,
}
"""Each way in which a wrong scheduler may err, with what finds the places for it."""
