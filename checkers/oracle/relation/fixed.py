"""The parts of an outcome that are the same whatever was chosen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

Json = Any
"""What JSON can hold."""

_OF_PLAN: Final = ("EvalID", "Priority", "AllAtOnce", "JobRef", "JobInfo", "DeploymentUpdates")
_OF_DEPLOYMENT: Final = ("Status", "StatusDescription", "JobVersion", "JobID", "JobModifyIndex", "TaskGroups")


def list_fixed(outcome: Mapping[str, Json]) -> Mapping[str, Json]:
    """List what depends on no choice: the head of the first plan and the deployment that it begins."""
    plans = outcome["plans"]
    if not plans:
        return {}
    first = plans[0]["plan"]
    head = {key: first.get(key) for key in _OF_PLAN}
    return {"plans": [{"plan": {**head, "Deployment": _pick(first.get("Deployment"), _OF_DEPLOYMENT)}}]}


def list_counters(outcome: Mapping[str, Json]) -> list[Json]:
    """List what the reconciler wanted of each group; evictions depend on where things are placed."""
    annotations = [each.get("PlanAnnotations") or {} for each in outcome["updated_evals"]]
    return [
        {
            group: {name: count for name, count in (counters or {}).items() if name != "Preemptions"}
            for group, counters in (each.get("DesiredTGUpdates") or {}).items()
        }
        for each in annotations
    ]


def _pick(row: Mapping[str, Json] | None, names: tuple[str, ...]) -> Mapping[str, Json] | None:
    return None if row is None else {name: row.get(name) for name in names}
