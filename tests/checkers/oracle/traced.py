"""A cluster of one node that tests write down by hand."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

NODE = {
    "ID": "n1",
    "NodePool": "default",
    "Status": "ready",
    "SchedulingEligibility": "eligible",
    "StatusUpdatedAt": 60,
}
STORED_NODE = {
    **NODE,
    "Events": [{"Message": "Node registered", "Subsystem": "Cluster", "Timestamp": "1970-01-01T00:01:00Z"}],
    "CreateIndex": 3,
    "ModifyIndex": 3,
}
CONFIGURATION = {"SchedulerAlgorithm": "spread"}
STORED_CONFIGURATION = {**CONFIGURATION, "CreateIndex": 2, "ModifyIndex": 2}
DEPLOYMENT = {
    "ID": "d1",
    "Namespace": "default",
    "JobID": "web",
    "Status": "running",
    "TaskGroups": {"g": {"ProgressDeadline": 100, "RequireProgressBy": "2031-01-01T00:00:00Z"}},
}
PROMOTED = {
    **DEPLOYMENT,
    "StatusDescription": "Deployment is running",
    "TaskGroups": {
        "g": {"ProgressDeadline": 100, "RequireProgressBy": "2031-01-02T00:00:00Z", "Promoted": True}
    },
    "CreateIndex": 4,
    "ModifyIndex": 5,
}


def make_command(index: int, name: str, body: Mapping[str, Any]) -> dict[str, Any]:
    """Make a line of the log."""
    return {
        "LogType": "LogCommand",
        "Term": 1,
        "Index": index,
        "CommandType": f"{name}RequestType",
        "Body": body,
    }


def make_event(
    index: int, topic: str, key: str, kind: str, row: Mapping[str, Any], **more: Any
) -> dict[str, Any]:
    """Make an event."""
    return {
        "Topic": topic,
        "Type": kind,
        "Key": key,
        "Namespace": more.pop("namespace", ""),
        "FilterKeys": more.pop("filter_keys", None),
        "Index": index,
        "Payload": {topic: row, **more},
    }


def make_line(index: int, *events: Mapping[str, Any]) -> dict[str, Any]:
    """Make a line of the stream."""
    return {"Index": index, "Events": list(events)}


def make_trace() -> dict[str, Any]:
    """Make the files of a trace: the log registers a node, and writes and promotes a deployment."""
    answers = [
        {"path": "/v1/namespaces?stale", "index": 1, "body": [_list_namespace()]},
        {"path": "/v1/node/pools?stale", "index": 1, "body": _list_pools()},
        {
            "path": "/v1/operator/scheduler/configuration?stale",
            "body": {"SchedulerConfig": STORED_CONFIGURATION},
        },
    ]
    job = {"ID": "web", "Namespace": "default"}
    deployment = {**DEPLOYMENT, "CreateIndex": 4, "ModifyIndex": 4}
    keys = {"namespace": "default", "filter_keys": ["web"]}
    trace = {
        "raft-log.ndjson": [
            {"LogType": "LogNoop", "Term": 1, "Index": 1},
            make_command(2, "SchedulerConfig", {"Config": CONFIGURATION}),
            make_command(3, "NodeRegister", {"Node": NODE}),
            make_command(4, "ApplyPlanResults", {"Deployment": DEPLOYMENT, "Job": job}),
            make_command(5, "DeploymentPromote", {"DeploymentID": "d1", "All": True}),
        ],
        "raft-state.json": {
            "Nodes": [STORED_NODE],
            "Deployments": [PROMOTED],
            "Indexes": [
                {"Key": "namespaces", "Value": 1},
                {"Key": "node_pools", "Value": 1},
                {"Key": "nodes", "Value": 3},
                {"Key": "csi_plugins", "Value": 3},
                {"Key": "allocs", "Value": 5},
                {"Key": "deployment", "Value": 5},
            ],
        },
        "events.ndjson": [
            {},
            make_line(3, make_event(3, "Node", "n1", "NodeRegistration", STORED_NODE)),
            make_line(4, make_event(4, "Deployment", "d1", "PlanResult", deployment, **keys)),
            make_line(5, make_event(5, "Deployment", "d1", "DeploymentPromotion", PROMOTED, **keys)),
        ],
        "initial.json": {"answers": answers},
        "final.json": {"answers": answers},
        "scenario.json": {"stop_index": 5, "stream_reconnects": []},
    }
    unshared: dict[str, Any] = json.loads(json.dumps(trace))
    return unshared


def write_trace(folder: Path, trace: Mapping[str, Any]) -> Path:
    """Write the files of a trace."""
    for name, content in trace.items():
        lines: Sequence[Any] = content if name.endswith(".ndjson") else [content]
        (folder / name).write_text("".join(json.dumps(line) + "\n" for line in lines))
    return folder


def _list_namespace() -> dict[str, Any]:
    return {
        "Name": "default",
        "Description": "Default shared namespace",
        "Hash": "C7UbjDwBK0dK8wQq7Izg7SJIzaV+lIo2X7wRtzY3pSw=",
        "CreateIndex": 1,
        "ModifyIndex": 1,
    }


def _list_pools() -> list[dict[str, Any]]:
    shared = {"NodeIdentityTTL": 86_400_000_000_000, "CreateIndex": 1, "ModifyIndex": 1}
    return [
        {"Name": "all", "Description": "Node pool with all nodes in the cluster.", **shared},
        {"Name": "default", "Description": "Default node pool.", **shared},
    ]
