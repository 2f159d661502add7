"""Sequences in which a deployment is watched."""

from __future__ import annotations

from random import Random
from typing import Any, Final

from nomadspec.model.cluster.codec import format_instant
from nomadspec.model.cluster.entities import NS_PER_S

_START_S: Final = 946_684_800
_GROUPS: Final = ("web", "db")
_DEADLINE_S: Final = 600


def make_watched(random: Random) -> dict[str, Any]:
    """Make a deployment of one or two groups, and let clients, people and time act on it."""
    groups = _GROUPS[: random.choice((1, 1, 2))]
    versions = [
        {
            "Version": number,
            "Stable": number < 2 and random.random() < 0.7,
            "image": f"v:{random.randrange(3)}",
        }
        for number in reversed(range(random.randrange(1, 4)))
    ]
    states = {name: _make_state(random) for name in groups}
    allocs = [
        {"ID": f"{name}-{number}", "TaskGroup": name, "Canary": number < state.get("DesiredCanaries", 0)}
        for name, state in states.items()
        for number in range(random.randrange(1, 4))
    ]
    for name, state in states.items():
        of_group = [each for each in allocs if each["TaskGroup"] == name]
        state["PlacedAllocs"] = len(of_group)
        canaries = [each["ID"] for each in of_group if each["Canary"]]
        if canaries:
            state["PlacedCanaries"] = canaries
    version = len(versions) - 1
    return {
        "start": format_instant(_START_S * NS_PER_S),
        "job": _make_job(groups, version),
        "versions": versions,
        "deployment": _make_deployment(states, version, random),
        "allocs": allocs,
        "initial_eval": random.random() < 0.8,
        "ops": [{"op": "enable"}, *(_make_operation(random, allocs) for _ in range(random.randrange(1, 9)))],
    }


def _make_state(random: Random) -> dict[str, Any]:
    state: dict[str, Any] = {"DesiredTotal": random.randrange(1, 4)}
    if random.random() < 0.4:
        state |= {"DesiredCanaries": random.randrange(1, 3), "AutoPromote": random.random() < 0.5}
    if random.random() < 0.5:
        state["AutoRevert"] = True
    if random.random() < 0.6:
        state["ProgressDeadline"] = _DEADLINE_S * NS_PER_S
        state["RequireProgressBy"] = format_instant((_START_S + _DEADLINE_S) * NS_PER_S)
    return {name: value for name, value in state.items() if value}


def _make_job(groups: tuple[str, ...], version: int) -> dict[str, Any]:
    return {
        "Namespace": "default",
        "ID": "harbour",
        "Name": "harbour",
        "Type": "service",
        "Priority": 50,
        "NodePool": "default",
        "Datacenters": ["*"],
        "TaskGroups": [
            {
                "Name": name,
                "Count": 1,
                "Update": {
                    "MaxParallel": 1,
                    "HealthCheck": "checks",
                    "ProgressDeadline": _DEADLINE_S * NS_PER_S,
                },
                "Tasks": [{"Name": "main", "Driver": "exec", "Config": {"image": "v:0"}}],
            }
            for name in groups
        ],
        "Version": version,
        "Status": "running",
        "CreateIndex": 100,
        "ModifyIndex": 100 + version,
        "JobModifyIndex": 100 + version,
    }


def _make_deployment(states: dict[str, Any], version: int, random: Random) -> dict[str, Any]:
    status = random.choice(("running", "running", "running", "paused"))
    return {
        "ID": "deployment-1",
        "Namespace": "default",
        "JobID": "harbour",
        "JobVersion": version,
        "JobModifyIndex": 100 + version,
        "JobSpecModifyIndex": 100 + version,
        "JobCreateIndex": 100,
        "TaskGroups": states,
        "Status": status,
        "StatusDescription": f"Deployment is {status}",
        "CreateTime": _START_S * NS_PER_S,
        "ModifyTime": _START_S * NS_PER_S,
    }


def _make_operation(random: Random, allocs: list[dict[str, Any]]) -> dict[str, Any]:
    ids = [each["ID"] for each in allocs]
    some = random.sample(ids, random.randrange(1, len(ids) + 1))
    kind = random.choice(
        (
            "client-update",
            "client-update",
            "client-update",
            "elapse",
            "elapse",
            "pause",
            "promote",
            "set-health",
            "fail",
        )
    )
    match kind:
        case "client-update":
            return {"op": kind, "allocs": [_make_report(random, each) for each in some]}
        case "elapse":
            return {"op": kind, "ns": random.choice((1, 30, 700)) * NS_PER_S}
        case "pause":
            return {"op": kind, "pause": random.random() < 0.6}
        case "promote":
            is_all = random.random() < 0.6
            return {"op": kind, "all": is_all, "groups": [] if is_all else [random.choice(_GROUPS)]}
        case "set-health":
            half = len(some) // 2
            return {"op": kind, "healthy": sorted(some[half:]), "unhealthy": sorted(some[:half])}
    return {"op": kind}


def _make_report(random: Random, alloc_id: str) -> dict[str, Any]:
    status = random.choice(("running", "running", "running", "failed", "complete"))
    healthy = random.choice((True, True, None)) if status == "running" else random.choice((False, None))
    return {"ID": alloc_id, "ClientStatus": status, "Healthy": healthy}
