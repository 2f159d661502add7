"""Where objects lie in the recordings, so that all of them can be read and written."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from nomadspec.checkers.oracle.reading import read_document, read_lines
from nomadspec.model.cluster.codec import Dialect
from nomadspec.model.cluster.entities import (
    Allocation,
    AllocationStub,
    CSIPlugin,
    CSIVolume,
    Deployment,
    DeploymentStatusUpdate,
    Evaluation,
    HostVolume,
    HostVolumeClaim,
    Job,
    JobScalingEvents,
    JobSummary,
    Namespace,
    NetworkResource,
    Node,
    NodePool,
    PeriodicConfig,
    PeriodicLaunch,
    Plan,
    SchedulerConfiguration,
)

Record = type[msgspec.Struct]
ZEROS: tuple[Any, ...] = (None, 0, "", [], {}, "0001-01-01T00:00:00Z")
SOME_TIME = "2099-01-01T00:00:00Z"
"""Stands for a time that the server took from its wall clock."""

_TABLES: Mapping[str, Record] = {
    "allocs": Allocation,
    "deployment": Deployment,
    "evals": Evaluation,
    "job_summary": JobSummary,
    "job_version": Job,
    "jobs": Job,
    "namespaces": Namespace,
    "node_pools": NodePool,
    "nodes": Node,
    "periodic_launch": PeriodicLaunch,
    "scaling_event": JobScalingEvents,
    "scheduler_config": SchedulerConfiguration,
}

_REQUESTS: Mapping[str, Record] = {
    "Alloc[]": Allocation,
    "AllocsPreempted[]": Allocation,
    "AllocsStopped[]": Allocation,
    "AllocsUpdated[]": Allocation,
    "Deployment": Deployment,
    "DeploymentUpdate": DeploymentStatusUpdate,
    "DeploymentUpdates[]": DeploymentStatusUpdate,
    "Eval": Evaluation,
    "Evals[]": Evaluation,
    "Job": Job,
    "Namespaces[]": Namespace,
    "Node": Node,
    "NodePools[]": NodePool,
    "PreemptionEvals[]": Evaluation,
}

COMPONENTS: Mapping[str, Mapping[str, Record]] = {
    "blocked/sequences": {"ops[].eval": Evaluation},
    "broker/sequences": {"ops[].eval": Evaluation, "ops[].answer.eval": Evaluation},
    "computed-class/escape": {"job": Job},
    "computed-class/pairs": {"a": Node, "b": Node},
    "deployment-watcher/sequences": {"job": Job, "deployment": Deployment},
    "fit-and-score/allocs-fit": {"node": Node, "allocs[]": Allocation},
    "fit-and-score/ports": {"node": Node, "allocs[]": Allocation, "ask": NetworkResource},
    "gc/cases": {
        "state.nodes[]": Node,
        "state.jobs[]": Job,
        "state.evals[]": Evaluation,
        "state.allocs[]": Allocation,
        "state.deployments[]": Deployment,
        "state.deployment[]": Deployment,
    },
    "job-admission/admission": {"job": Job, "result": Job},
    "job-admission/job-update": {"old": Job, "new": Job},
    "job-admission/spec-changed": {"old": Job, "new": Job},
    "periodic/dispatcher": {"ops[].job": Job},
    "periodic/next-launch": {"periodic": PeriodicConfig},
    "plan-applier/plans": {
        "state.nodes[]": Node,
        "state.jobs[]": Job,
        "state.allocs[]": Allocation,
        "plan": Plan,
        "result.NodeUpdate{}[]": Allocation,
        "result.NodePreemptions{}[]": Allocation,
        "result.Deployment": Deployment,
        "result.DeploymentUpdates[]": DeploymentStatusUpdate,
    },
    "reschedule/cases": {"alloc": Allocation},
    "state-store/sequences": {
        **{f"initial.tables.{table}[]": record for table, record in _TABLES.items()},
        **{f"entries[].tables.{table}.created[]": record for table, record in _TABLES.items()},
        **{f"entries[].tables.{table}.changed[]": record for table, record in _TABLES.items()},
        **{f"entries[].request.{path}": record for path, record in _REQUESTS.items()},
        "entries[].request.Config": SchedulerConfiguration,
    },
    "tasks-updated/bases": {"job": Job},
}
"""Sparse objects, by file and path."""

_SCHEDULER_TABLES: Mapping[str, Record] = {
    "nodes[]": Node,
    "allocs[]": Allocation,
    "evals[]": Evaluation,
    "deployments[]": Deployment,
    "node_pools[]": NodePool,
    "scheduler_config": SchedulerConfiguration,
    "host_volumes[]": HostVolume,
    "host_volume_claims[]": HostVolumeClaim,
    "csi_volumes[]": CSIVolume,
    "csi_plugins[]": CSIPlugin,
}

SCHEDULER: Mapping[str, Record] = {
    "jobs[]": Job,
    "eval": Evaluation,
    **{f"state.{path}": record for path, record in _SCHEDULER_TABLES.items()},
    **{f"outcome.plans[].state_after.{path}": record for path, record in _SCHEDULER_TABLES.items()},
    "outcome.plans[].plan": Plan,
    "outcome.created_evals[]": Evaluation,
    "outcome.updated_evals[]": Evaluation,
    "outcome.reblocked_evals[]": Evaluation,
}
"""Dense objects of the scheduler's recordings."""

_EVENTS: Mapping[str, Record] = {
    "Events[].Payload.Allocation": Allocation,
    "Events[].Payload.Deployment": Deployment,
    "Events[].Payload.Evaluation": Evaluation,
    "Events[].Payload.Job": Job,
    "Events[].Payload.Node": Node,
}
_RAFT_STATE: Mapping[str, Record] = {
    "Allocs[]": Allocation,
    "Deployments[]": Deployment,
    "Evals[]": Evaluation,
    "JobSummaries[]": JobSummary,
    "JobVersions[]": Job,
    "Jobs[]": Job,
    "Nodes[]": Node,
    "PeriodicLaunches[]": PeriodicLaunch,
    "ScalingEvents[]": JobScalingEvents,
}
_RAFT_LOG: Mapping[str, Record] = {f"Body.{path}": record for path, record in _REQUESTS.items()}
_ANSWERS: Mapping[str, Mapping[str, Record]] = {
    "/v1/allocation/.*": {"body": Allocation},
    "/v1/allocations": {"body[]": AllocationStub},
    "/v1/deployments": {"body[]": Deployment},
    "/v1/evaluations": {"body[]": Evaluation},
    "/v1/job/.*/summary": {"body": JobSummary},
    "/v1/job/.*/versions": {"body.Versions[]": Job},
    "/v1/job/.*": {"body": Job},
    "/v1/namespaces": {"body[]": Namespace},
    "/v1/node/pools": {"body[]": NodePool},
    "/v1/node/.*": {"body": Node},
    "/v1/operator/scheduler/configuration": {"body.SchedulerConfig": SchedulerConfiguration},
}
"""What an answer holds, by the path that was asked; the first that matches counts."""

Found = tuple[Record, Any, Dialect]


def list_found(document: Any, paths: Mapping[str, Record], dialect: Dialect = Dialect.API) -> Iterator[Found]:
    """List the objects that lie at some paths of a document."""
    for path, record in paths.items():
        steps = path.replace("[]", ".[]").replace("{}", ".{}").split(".")
        yield from ((record, raw, dialect) for raw in _follow(document, steps) if isinstance(raw, dict))


def _follow(value: Any, steps: list[str]) -> Iterator[Any]:
    if not steps:
        yield value
    elif steps[0] == "[]":
        for each in value if isinstance(value, list) else []:
            yield from _follow(each, steps[1:])
    elif isinstance(value, dict):
        for each in value.values() if steps[0] == "{}" else [value.get(steps[0])]:
            yield from _follow(each, steps[1:])


def list_trace_objects(folder: Path) -> Iterator[Found]:
    """List the objects of a recorded cluster, in all the dialects that it speaks."""
    for line in read_lines(folder / "events.ndjson.xz"):
        yield from list_found(line.document, _EVENTS)
    yield from list_found(read_document(folder / "raft-state.json.xz"), _RAFT_STATE)
    for line in read_lines(folder / "raft-log.ndjson.xz"):
        yield from list_found(line.document, _RAFT_LOG, Dialect.LOG)
    for name in ("initial.json.xz", "final.json.xz"):
        for answer in read_document(folder / name)["answers"]:
            asked = answer["path"].partition("?")[0]
            paths = (found for pattern, found in _ANSWERS.items() if re.fullmatch(pattern, asked))
            yield from list_found(answer, next(paths, {}))


def fill_in_times(value: Any) -> Any:
    """Replace the sign for a time of the wall clock by some time."""
    if isinstance(value, dict):
        return {key: fill_in_times(inside) for key, inside in value.items()}
    if isinstance(value, list):
        return [fill_in_times(inside) for inside in value]
    return SOME_TIME if value == "NOW" else value


def drop_zeros(value: Any) -> Any:
    """Leave out what says nothing, so that dense and sparse objects can be compared."""
    if isinstance(value, dict):
        kept = ((key, drop_zeros(inside)) for key, inside in value.items() if key != "JobRef")
        return {key: inside for key, inside in kept if inside not in ZEROS}
    return [drop_zeros(inside) for inside in value] if isinstance(value, list) else value
