"""Questions about one allocation, its policy and a time."""

from __future__ import annotations

from random import Random
from typing import Any, Final

from nomadspec.model.cluster.codec import format_instant
from nomadspec.model.cluster.entities import NS_PER_S

_NOW_S: Final = 1_936_858_600
_STATUSES: Final = ("pending", "running", "complete", "failed", "failed", "lost", "unknown")
_DEPLOYMENTS: Final = (
    None,
    None,
    {"ID": "deployment-1", "Status": "running"},
    {"ID": "deployment-1", "Status": "failed"},
)


def make_reschedule(random: Random) -> dict[str, Any]:
    """Make a question about an allocation that mostly has failed."""
    return {
        "now": _instant(0),
        "job_type": random.choice(("service", "batch", "system", "sysbatch")),
        "group": {
            "Name": "main",
            "ReschedulePolicy": _make_policy(random),
            "Disconnect": _make_disconnect(random),
            "KillTimeout": random.choice((0, 5, 40)) * NS_PER_S,
        },
        "alloc": _make_alloc(random),
        "eval_id": random.choice(("eval-now", "eval-later")),
        "disconnecting": random.random() < 0.2,
        "deployment": random.choice(_DEPLOYMENTS),
    }


def _instant(seconds: int) -> str:
    return format_instant((_NOW_S + seconds) * NS_PER_S)


def _make_policy(random: Random) -> dict[str, Any] | None:
    if random.random() < 0.1:
        return None
    policy: dict[str, Any] = {
        "Delay": random.choice((0, 5, 30)) * NS_PER_S,
        "DelayFunction": random.choice(("constant", "exponential", "fibonacci", "")),
        "MaxDelay": random.choice((0, 60, 300)) * NS_PER_S,
    }
    if random.random() < 0.5:
        return policy | {"Unlimited": True}
    return policy | {"Attempts": random.randrange(5), "Interval": random.choice((0, 600, 3600)) * NS_PER_S}


def _make_disconnect(random: Random) -> dict[str, Any] | None:
    if random.random() < 0.5:
        return None
    return {
        "LostAfter": random.choice((0, 60, 600)) * NS_PER_S,
        "Replace": random.random() < 0.5,
        "Reconcile": random.choice(("best_score", "keep_original")),
    } | ({"StopOnClientAfter": random.choice((0, 30)) * NS_PER_S} if random.random() < 0.4 else {})


def _make_alloc(random: Random) -> dict[str, Any]:
    alloc: dict[str, Any] = {
        "ID": "alloc-1",
        "Namespace": "default",
        "EvalID": random.choice(("eval-now", "eval-before")),
        "Name": "web.main[0]",
        "NodeID": "node-1",
        "JobID": "web",
        "TaskGroup": "main",
        "DesiredStatus": random.choice(("run", "run", "run", "stop", "evict")),
        "ClientStatus": random.choice(_STATUSES),
        "CreateTime": (_NOW_S - 1600) * NS_PER_S,
        "ModifyTime": (_NOW_S - random.choice((0, 10, 300))) * NS_PER_S,
    }
    if random.random() < 0.6:
        alloc["TaskStates"] = {"main": _make_task_state(random)}
    if random.random() < 0.4:
        alloc["AllocStates"] = _make_states(random)
    if random.random() < 0.5:
        alloc["RescheduleTracker"] = {"Events": _make_events(random)}
    if random.random() < 0.3:
        alloc["FollowupEvalID"] = random.choice(("eval-now", "eval-later"))
    if random.random() < 0.2:
        alloc["DesiredTransition"] = {random.choice(("Reschedule", "ForceReschedule", "Migrate")): True}
    if random.random() < 0.2:
        alloc["DeploymentID"] = "deployment-1"
    if random.random() < 0.1:
        alloc["NextAllocation"] = "alloc-2"
    return alloc


def _make_task_state(random: Random) -> dict[str, Any]:
    state: dict[str, Any] = {"State": random.choice(("dead", "running")), "StartedAt": _instant(-600)}
    if random.random() < 0.7:
        state["FinishedAt"] = _instant(-random.choice((0, 10, 200)))
    return state | ({"Failed": True} if random.random() < 0.5 else {})


def _make_states(random: Random) -> list[dict[str, Any]]:
    times = sorted(random.sample((-900, -300, -120, -60, -1), random.randrange(1, 4)))
    return [{"Value": random.choice(("unknown", "running", "lost")), "Time": _instant(at)} for at in times]


def _make_events(random: Random) -> list[dict[str, Any]]:
    times = sorted(random.sample((-4000, -1200, -700, -300, -100, -30), random.randrange(1, 5)))
    return [
        {
            "RescheduleTime": (_NOW_S + at) * NS_PER_S,
            "PrevAllocID": f"alloc-before-{number}",
            "PrevNodeID": "node-1",
            "Delay": random.choice((5, 30, 60)) * NS_PER_S,
        }
        for number, at in enumerate(times)
    ]
