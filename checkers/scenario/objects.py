"""The nodes and jobs of scenarios: made of a few words, or read as Nomad's own documents."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from msgspec.structs import replace

from nomadspec.checkers.oracle.reading import read_document
from nomadspec.checkers.scenario.language import Options, WordError
from nomadspec.checkers.scenario.option_values import read_amount, read_duration, read_flag, read_word
from nomadspec.model.cluster.admission.api_conversion import convert_api_job
from nomadspec.model.cluster.admission.api_defaults import fill_api_defaults
from nomadspec.model.cluster.codec import read
from nomadspec.model.cluster.constraints.computed_class import compute_class
from nomadspec.model.cluster.entities import (
    ClientHostVolume,
    Core,
    CpuTopology,
    DriverInfo,
    Job,
    NetworkResource,
    Node,
    NodeDiskResources,
    NodeMemoryResources,
    NodeNetworkAddress,
    NodeNetworkResource,
    NodeProcessorResources,
    NodeResources,
    NodeStatus,
)
from nomadspec.model.errors import InputError, UnreadableError

ADDRESS = "10.0.0.1"
DRIVER = "exec"

NODE_OPTIONS = {
    "cpu": "an amount in MHz",
    "memory": "an amount in MB",
    "class": "a node class",
    "datacenter": "a datacenter",
    "pool": "a node pool",
    "driver": "yes or no: whether its driver works",
    "rack": "a rack, which it has as meta.rack",
    "volume": "a host volume",
}
JOB_OPTIONS = {
    "type": "service, batch, system or sysbatch",
    "groups": "a count; other options of groups then take a value for each: count 2,1",
    "count": "a count",
    "cpu": "an amount in MHz",
    "memory": "an amount in MB",
    "sticky": "yes or no: whether a replacement goes where its predecessor left its disk",
    "port": "a port that it takes on its node, or dynamic",
    "volume": "a host volume that it mounts",
    "priority": "a priority",
    "image": "a name: another one is another version",
    "class": "a node class",
    "distinct": "yes or no: whether no node runs two of it",
    "distinct_property": "an attribute, perhaps with a count: meta.rack=2",
    "spread": "an attribute, perhaps with a value's share of 100: meta.rack=r1:70",
    "datacenter": "a datacenter",
    "pool": "a node pool",
    "namespace": "a namespace",
    "canary": "a count",
    "max_parallel": "a count",
    "auto_promote": "yes or no",
    "auto_revert": "yes or no",
    "health": "task_states or manual",
    "min_healthy": "a duration",
    "healthy_deadline": "a duration",
    "progress_deadline": "a duration",
    "migrate": "a count: how many leave a draining node at a time",
    "restarts": "a count",
    "reschedules": "a count, or unlimited",
    "reschedule_delay": "a duration",
    "reschedule_interval": "a duration: within it reschedules are counted",
    "lost_after": "a duration",
    "replace": "yes or no: whether what is out of reach is replaced",
    "reconcile": "best_score, keep_original, keep_replacement or longest_running",
    "stop_on_client_after": "a duration",
    "max_run": "a duration",
    "scale_min": "a count",
    "scale_max": "a count",
    "cron": "the times of a periodic job",
    "overlap": "yes or no: whether a launch may begin while another runs",
    "parameterized": "yes or no: whether it runs when it is dispatched",
    "meta_required": "the key of a value that a dispatch must bring",
}
OPTIONS_OF_JOBS: Final = frozenset(
    {
        "type",
        "groups",
        "priority",
        "class",
        "distinct",
        "distinct_property",
        "spread",
        "datacenter",
        "pool",
        "namespace",
        "cron",
        "overlap",
        "parameterized",
        "meta_required",
    }
)
"""The options that are said once of a job; each of the others may be said of each group."""

KINDS = ("service", "batch", "system", "sysbatch")
RECONCILE = ("best_score", "keep_original", "keep_replacement", "longest_running")


def build_node(name: str, options: Options) -> Node:
    """Make a node that is ready."""
    has_driver = read_flag(options, "driver", usual=True)
    resources = NodeResources(
        processors=NodeProcessorResources(
            topology=CpuTopology(cores=(Core(base_speed=read_amount(options, "cpu", 4000)),))
        ),
        memory=NodeMemoryResources(memory_mb=read_amount(options, "memory", 8192)),
        disk=NodeDiskResources(disk_mb=100_000),
        networks=(NetworkResource(mode="host", device="eth0", ip=ADDRESS, cidr=f"{ADDRESS}/32", mbits=1000),),
        node_networks=(
            NodeNetworkResource(
                mode="host", device="eth0", addresses=(NodeNetworkAddress(alias="default", address=ADDRESS),)
            ),
        ),
        min_dynamic_port=20000,
        max_dynamic_port=32000,
    )
    node = Node(
        id=name,
        name=name,
        datacenter=options.get("datacenter", "dc1"),
        node_class=options.get("class", ""),
        node_pool=options.get("pool", "default"),
        attributes={"kernel.name": "linux"},
        meta={"rack": options["rack"]} if "rack" in options else {},
        drivers={DRIVER: DriverInfo(detected=has_driver, healthy=has_driver)},
        host_volumes=_build_node_volumes(options),
        node_resources=resources,
        status=NodeStatus.READY,
    )
    return replace(node, computed_class=compute_class(node))


def _build_node_volumes(options: Options) -> dict[str, ClientHostVolume]:
    if "volume" not in options:
        return {}
    name = options["volume"]
    return {name: ClientHostVolume(name=name, path=f"/{name}")}


def build_job(name: str, options: Options) -> Job:
    """Make a job of groups of one task each, filled in as Nomad's own clients do it."""
    kind = read_word(options, "type", KINDS)
    groups = [
        _build_group(f"{name}-{number}" if number > 1 else name, own) | _build_policies(kind, own)
        for number, own in enumerate(_split_options(options), start=1)
    ]
    document: dict[str, Any] = {
        "ID": name,
        "Name": name,
        "Type": kind,
        "Priority": read_amount(options, "priority", 50),
        "Datacenters": [options.get("datacenter", "*")],
        "NodePool": options.get("pool", "default"),
        "Namespace": options.get("namespace", "default"),
        "TaskGroups": groups,
    }
    document["Constraints"] = list(_build_constraints(options))
    if "spread" in options:
        document["Spreads"] = [_build_spread(options["spread"])]
    return complete_job(document | _build_launches(options), name)


def _build_constraints(options: Options) -> Iterator[dict[str, str]]:
    if "class" in options:
        yield {"LTarget": "${node.class}", "Operand": "=", "RTarget": options["class"]}
    if read_flag(options, "distinct"):
        yield {"LTarget": "", "Operand": "distinct_hosts", "RTarget": "true"}
    if "distinct_property" in options:
        attribute, _, most = options["distinct_property"].partition("=")
        yield {"LTarget": f"${{{attribute}}}", "Operand": "distinct_property", "RTarget": most}


def _build_spread(word: str) -> dict[str, Any]:
    attribute, _, target = word.partition("=")
    spread: dict[str, Any] = {"Attribute": f"${{{attribute}}}", "Weight": 50}
    if target:
        value, _, percent = target.partition(":")
        share = read_amount({"spread": percent}, "spread", 0)
        spread["SpreadTarget"] = [{"Value": value, "Percent": share}]
    return spread


def _split_options(options: Options) -> Iterator[Options]:
    """Give each group its own options: of a list of values it has its own, of a single one the same."""
    groups = read_amount(options, "groups", 1)
    values = {name: word.split(",") for name, word in options.items() if name not in OPTIONS_OF_JOBS}
    for name, words in values.items():
        if len(words) not in {1, groups}:
            raise WordError(options[name], f"{name} has {len(words)} values for {groups} groups")
    for number in range(groups):
        yield {**options} | {name: words[number % len(words)] for name, words in values.items()}


def _build_group(name: str, options: Options) -> dict[str, Any]:
    task = {
        "Name": "main",
        "Driver": DRIVER,
        "Config": {"command": options.get("image", "v1")},
        "Resources": {
            "CPU": read_amount(options, "cpu", 500),
            "MemoryMB": read_amount(options, "memory", 256),
        },
    }
    group: dict[str, Any] = {"Name": name, "Count": read_amount(options, "count", 1), "Tasks": [task]}
    if read_flag(options, "sticky"):
        group["EphemeralDisk"] = {"Sticky": True, "SizeMB": 300}
    if options.get("port") == "dynamic":
        group["Networks"] = [{"Mode": "host", "DynamicPorts": [{"Label": "main"}]}]
    elif "port" in options:
        port = {"Label": "main", "Value": read_amount(options, "port", 0)}
        group["Networks"] = [{"Mode": "host", "ReservedPorts": [port]}]
    if "volume" in options:
        group["Volumes"] = {"main": {"Name": "main", "Type": "host", "Source": options["volume"]}}
    return group


def _build_launches(options: Options) -> dict[str, Any]:
    launches: dict[str, Any] = {}
    if "cron" in options:
        launches["Periodic"] = {
            "Enabled": True,
            "SpecType": "cron",
            "Specs": [options["cron"]],
            "ProhibitOverlap": not read_flag(options, "overlap", usual=True),
        }
    if read_flag(options, "parameterized") or "meta_required" in options:
        required = [options["meta_required"]] if "meta_required" in options else []
        launches["ParameterizedJob"] = {"Payload": "optional", "MetaRequired": required}
    return launches


def _build_policies(kind: str, options: Options) -> dict[str, Any]:
    group: dict[str, Any] = {}
    if kind in {"service", "system"}:
        group["Update"] = _build_update(options)
    if kind == "service" and "migrate" in options:
        group["Migrate"] = {"MaxParallel": read_amount(options, "migrate", 1)}
    if "restarts" in options:
        group["RestartPolicy"] = {
            "Attempts": read_amount(options, "restarts", 2),
            "Interval": 1_800_000_000_000,
            "Delay": 1_000_000_000,
            "Mode": "fail",
        }
    if "max_run" in options:
        group["MaxRunDuration"] = read_duration(options, "max_run", "1h")
    if "scale_min" in options or "scale_max" in options:
        group["Scaling"] = {
            "Type": "horizontal",
            "Enabled": True,
            "Min": read_amount(options, "scale_min", 0),
            "Max": read_amount(options, "scale_max", 100),
        }
    return group | _build_disconnect(options) | _build_reschedule(options)


def _build_update(options: Options) -> dict[str, Any]:
    return {
        "MaxParallel": read_amount(options, "max_parallel", 1),
        "Canary": read_amount(options, "canary", 0),
        "AutoPromote": read_flag(options, "auto_promote"),
        "AutoRevert": read_flag(options, "auto_revert"),
        "MinHealthyTime": read_duration(options, "min_healthy", "10s"),
        "HealthyDeadline": read_duration(options, "healthy_deadline", "5m"),
        "ProgressDeadline": read_duration(options, "progress_deadline", "10m"),
        "HealthCheck": read_word(options, "health", ("task_states", "manual")),
    }


def _build_disconnect(options: Options) -> dict[str, Any]:
    disconnect: dict[str, Any] = {}
    if "lost_after" in options:
        disconnect["LostAfter"] = read_duration(options, "lost_after", "1m")
    if "stop_on_client_after" in options:
        disconnect["StopOnClientAfter"] = read_duration(options, "stop_on_client_after", "1m")
    if not disconnect:
        return {}
    disconnect["Replace"] = read_flag(options, "replace", usual=True)
    disconnect["Reconcile"] = read_word(options, "reconcile", RECONCILE)
    return {"Disconnect": disconnect}


def _build_reschedule(options: Options) -> dict[str, Any]:
    if not {"reschedules", "reschedule_delay", "reschedule_interval"} & set(options):
        return {}
    is_unlimited = options.get("reschedules", "unlimited") == "unlimited"
    return {
        "ReschedulePolicy": {
            "Attempts": 0 if is_unlimited else read_amount(options, "reschedules", 1),
            "Interval": 0 if is_unlimited else read_duration(options, "reschedule_interval", "1d"),
            "Delay": read_duration(options, "reschedule_delay", "5s"),
            "MaxDelay": 3_600_000_000_000 if is_unlimited else 0,
            "DelayFunction": "constant",
            "Unlimited": is_unlimited,
        }
    }


def read_job(path: Path) -> Job:
    """Read a job from a file as the HTTP API shows it."""
    try:
        document = read_document(path)
    except UnreadableError as error:  # without its hint: scenarios have no options for larger files
        raise UnreadableError(error.file, error.problem, at=error.at) from error
    if isinstance(document, dict) and isinstance(document.get("Job"), dict):
        document = document["Job"]
    if not isinstance(document, dict):
        raise InputError(str(path), "expected an object: a job as the HTTP API shows it")
    return complete_job(document, str(path))


def complete_job(document: dict[str, Any], source: str) -> Job:
    """Fill a job's document in as clients do, and read it."""
    try:
        filled = fill_api_defaults(document)
    except InputError as error:
        raise InputError(source, error.problem, at=error.at, hint=error.hint) from error
    return read(Job, convert_api_job(filled), source=source)
