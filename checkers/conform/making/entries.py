"""Log entries that no made-up history writes: deletions, pools, tags, events, reports about deployments."""

from __future__ import annotations

from random import Random
from typing import Any, Final

from nomadspec.model.cluster.codec import format_instant, write
from nomadspec.model.cluster.entities import Job
from nomadspec.model.cluster.store import State

Entry = tuple[str, dict[str, Any]]
"""The name of a type of entry, and what it asks for."""

_TIME_NS: Final = 1_936_858_000_000_000_000
_UNKNOWN: Final = "unknown-1"


def make_entries(state: State, random: Random) -> list[Entry]:
    """Make some entries about what is in a state, and about what is not."""
    found = [*_list_of_nodes(state, random), *_list_of_jobs(state, random), *_list_of_rest(state, random)]
    return random.sample(found, random.randrange(2, 9))


def _choose(names: list[str], random: Random) -> str:
    return _UNKNOWN if not names or random.random() < 0.1 else random.choice(names)


def _list_of_nodes(state: State, random: Random) -> list[Entry]:
    node = _choose(sorted(state.nodes), random)
    event = {"Message": "seen", "Subsystem": "Cluster", "Timestamp": format_instant(_TIME_NS)}
    return [
        ("NodeDeregister", {"NodeID": node}),
        ("NodeBatchDeregister", {"NodeIDs": [node]}),
        ("UpsertNodeEvents", {"NodeEvents": {node: [event]}}),
        ("BatchNodeUpdateDrain", {"Updates": {node: {"MarkEligible": True}}, "UpdatedAt": _TIME_NS // 10**9}),
        ("NodePoolUpsert", {"NodePools": [{"Name": "yards", "Meta": {"k": str(random.randrange(2))}}]}),
        ("NodePoolDelete", {"Names": [random.choice(("yards", "default", "none"))]}),
        ("NamespaceUpsert", {"Namespaces": [{"Name": "crew", "Hash": "A" * 43 + "="}]}),
        ("NamespaceDelete", {"Namespaces": [random.choice(("crew", "default", "none"))]}),
    ]


def _list_of_jobs(state: State, random: Random) -> list[Entry]:
    job_id = _choose([name for _, name in sorted(state.jobs)], random)
    named = {"JobID": job_id, "Namespace": "default"}
    tag = {"Name": "safe", "Description": "keep", "TaggedTime": _TIME_NS}
    group = next((job.task_groups[0].name for job in state.jobs.values() if job.id == job_id), "main")
    scaled = {"Time": _TIME_NS, "PreviousCount": 1, "Message": "scaled"}
    entries: list[Entry] = [
        ("JobDeregister", {**named, "Purge": random.random() < 0.5, "SubmitTime": _TIME_NS}),
        (
            "JobBatchDeregister",
            {"Jobs": [{"Namespace": "default", "ID": job_id, "Purge": True}], "SubmitTime": _TIME_NS},
        ),
        ("JobStability", {**named, "JobVersion": random.randrange(2), "Stable": random.random() < 0.7}),
        ("JobVersionTag", {**named, "Name": "safe", "Tag": tag}),
        ("JobVersionTag", {**named, "Name": "safe"}),
        ("ScalingEventRegister", {**named, "TaskGroup": group, "ScalingEvent": scaled}),
    ]
    found = next((job for job in state.jobs.values() if job.id == job_id), None)
    return entries if found is None else [*entries, ("JobRegister", _vary(found, random))]


def _vary(job: Job, random: Random) -> dict[str, Any]:
    """Register a job again, as one that is launched by the clock or by somebody's call."""
    block = random.choice(
        (
            {"Periodic": {"Enabled": True, "Spec": "*/5 * * * *", "SpecType": "cron", "TimeZone": "UTC"}},
            {"ParameterizedJob": {"Payload": "optional"}},
            {"Priority": 70},
        )
    )
    return {"Job": {**write(job), **block, "ID": f"{job.id}-varied"}, "Namespace": job.namespace}


def _list_of_rest(state: State, random: Random) -> list[Entry]:
    deployment = _choose(sorted(state.deployments), random)
    allocs = sorted(state.allocs)
    eval_id = _choose(sorted(state.evals), random)
    healthy = random.sample(allocs, min(len(allocs), random.randrange(3)))
    status = random.choice(("failed", "paused", "successful", "cancelled"))
    update = {
        "DeploymentID": deployment,
        "Status": status,
        "StatusDescription": status,
        "UpdatedAt": _TIME_NS,
    }
    health = {
        "DeploymentID": deployment,
        "HealthyAllocationIDs": healthy,
        "UnhealthyAllocationIDs": [each for each in allocs if each not in healthy][:1],
        "Timestamp": format_instant(_TIME_NS),
    }
    return [
        ("EvalDelete", {"Evals": [eval_id], "Allocs": allocs[: random.randrange(2)]}),
        ("EvalUpdate", {"Evals": [_make_eval(state, status, random)]}),
        ("DeploymentStatusUpdate", {"DeploymentUpdate": update}),
        ("DeploymentAllocHealth", health),
        ("DeploymentDelete", {"Deployments": [deployment]}),
        ("AllocUpdateDesiredTransition", {"Allocs": {_choose(allocs, random): {"Migrate": True}}}),
        (
            "SchedulerConfig",
            {
                "Config": {
                    "PreemptionConfig": {"SystemSchedulerEnabled": True},
                    "ModifyIndex": random.choice((0, 11)),
                },
                "CAS": random.random() < 0.5,
            },
        ),
    ]


def _make_eval(state: State, name: str, random: Random) -> dict[str, Any]:
    """Make an eval of a job, some of which are for the collector of garbage."""
    job_id = _choose([each for _, each in sorted(state.jobs)], random)
    return {
        "ID": f"eval-{name}",
        "Namespace": "default",
        "Priority": 50,
        "Type": "service",
        "TriggeredBy": "job-register",
        "JobID": job_id,
        "Status": random.choice(("pending", "complete", "blocked", "canceled")),
        "CreateTime": _TIME_NS,
        "ModifyTime": _TIME_NS,
    }
