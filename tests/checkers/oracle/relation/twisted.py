"""Inputs of scheduler calls that no recording has: updates that are odd, parts of other recordings, and gaps.

Each is a recorded input in which something was changed; what comes out is for the model to say, so only the
model and the judge are held against one another, and both against breaking down.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from random import Random
from typing import Any, Final

Json = Any
"""What JSON can hold."""
Call = dict[str, Any]
Twist = Callable[[Call, Random, Sequence[Mapping[str, Any]]], object]

_KEPT: Final = frozenset({"ID", "Name", "Namespace", "Version", "Type", "Count", "Priority"})
"""What makes a job the job of its evaluation, or a group another one, stays as it is."""


def twist(document: Mapping[str, Any], how: str, seed: int, others: Sequence[Mapping[str, Any]]) -> Call:
    """Change the input of a recorded call in one way; the seed decides where."""
    call = deepcopy(dict(document))
    TWISTS[how](call, Random(f"{seed} {document['id']}"), others)
    return call


def _find_job(call: Call) -> Call | None:
    """Find the current job of the evaluation."""
    known = (call["jobs"][row["JobRef"]] for row in call["state"]["job_table"] or ())
    wanted = call["eval"]["JobID"]
    return next((job for job in known if job["ID"] == wanted), None)


def _list_members(tree: Json) -> Iterator[tuple[Json, Any]]:
    """List every member below a group or task that may be changed, with what holds it."""
    pairs = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for key, value in pairs:
        if isinstance(tree, dict) and key not in _KEPT and value:
            yield tree, key
        yield from _list_members(value)


def _pick(call: Call, random: Random, *, is_list: bool = False) -> tuple[Json, Any] | None:
    job = _find_job(call)
    groups = (job or {}).get("TaskGroups") or ()
    tasks = [task for group in groups for task in group.get("Tasks") or ()]
    found = [
        (holder, key)
        for part in (*groups, *tasks)
        for holder, key in _list_members(part)
        if key != "Tasks" and isinstance(holder[key], list) >= is_list
    ]
    return random.choice(found) if found else None


def _reorder(call: Call, random: Random, _: Sequence[Mapping[str, Any]]) -> None:
    picked = _pick(call, random, is_list=True)
    if picked:
        holder, key = picked
        holder[key] = holder[key][::-1]


def _repeat(call: Call, random: Random, _: Sequence[Mapping[str, Any]]) -> None:
    picked = _pick(call, random, is_list=True)
    if picked:
        holder, key = picked
        holder[key] = [*holder[key], deepcopy(random.choice(holder[key]))]


def _drop(call: Call, random: Random, _: Sequence[Mapping[str, Any]]) -> None:
    picked = _pick(call, random)
    if picked:
        holder, key = picked
        del holder[key]


def _null(call: Call, random: Random, _: Sequence[Mapping[str, Any]]) -> None:
    picked = _pick(call, random)
    if picked:
        holder, key = picked
        holder[key] = None


def _cross_tasks(call: Call, random: Random, others: Sequence[Mapping[str, Any]]) -> None:
    """Let a task ask for what a task of another recording asks for: ports, devices, cores."""
    job = _find_job(call)
    asked = [
        task["Resources"]
        for other in others
        for each in other["jobs"]
        for group in each.get("TaskGroups") or ()
        for task in group.get("Tasks") or ()
        if task.get("Resources")
    ]
    rich = [each for each in asked if each.get("Devices") or each.get("Cores") or each.get("Networks")]
    for group in (job or {}).get("TaskGroups") or ():
        for task in group.get("Tasks") or ():
            task["Resources"] = deepcopy(random.choice(rich or asked))


def _cross_networks(call: Call, random: Random, others: Sequence[Mapping[str, Any]]) -> None:
    """Let a group ask for the ports and host networks of a group of another recording."""
    job = _find_job(call)
    networks = [
        group["Networks"]
        for other in others
        for each in other["jobs"]
        for group in each.get("TaskGroups") or ()
        if group.get("Networks")
    ]
    for group in (job or {}).get("TaskGroups") or () if networks else ():
        group["Networks"] = deepcopy(random.choice(networks))


def _cross_nodes(call: Call, random: Random, others: Sequence[Mapping[str, Any]]) -> None:
    """Give a node the resources of a node of another recording."""
    there = [node for other in others for node in other["state"]["nodes"] if node.get("NodeResources")]
    for node in call["state"]["nodes"][:2]:
        node["NodeResources"] = deepcopy(random.choice(there)["NodeResources"])


def _forget_resources(call: Call, random: Random, _: Sequence[Mapping[str, Any]]) -> None:
    """Tell what an allocation was given in the old form only."""
    allocs = [each for each in call["state"]["allocs"] if each.get("AllocatedResources")]
    if allocs:
        alloc = random.choice(allocs)
        given = alloc.pop("AllocatedResources")
        alloc["TaskResources"] = {
            name: {"CPU": task.get("Cpu", {}).get("CpuShares", 0), "Networks": task.get("Networks")}
            for name, task in (given.get("Tasks") or {}).items()
        }


def _block_ports(call: Call, random: Random, _: Sequence[Mapping[str, Any]]) -> None:
    """Let nodes keep ports in a way that cannot be read, or all but a few of those that they give."""
    for node in call["state"]["nodes"]:
        kept = random.choice(["22,,80", " ", "0", "20002-32000", "65536"])
        node["ReservedResources"] = {"Networks": {"ReservedHostPorts": kept}}


def _lose_configuration(call: Call, _: Random, __: Sequence[Mapping[str, Any]]) -> None:
    """Let pools override a configuration that was never stored."""
    call["state"]["scheduler_config"] = None
    for pool in call["state"]["node_pools"]:
        pool["SchedulerConfiguration"] = {"SchedulerAlgorithm": "spread"}


def _lose_eval(call: Call, _: Random, __: Sequence[Mapping[str, Any]]) -> None:
    """Let the store refuse every plan."""
    call["state"]["evals"] = []


def _unblock_eval(call: Call, _: Random, __: Sequence[Mapping[str, Any]]) -> None:
    """Let the store have as pending what was blocked, so that it is not taken back."""
    call["eval"]["Status"] = "blocked"
    for row in call["state"]["evals"]:
        row["Status"] = "pending"


def _lose_parts(call: Call, random: Random, _: Sequence[Mapping[str, Any]]) -> None:
    """Take from the tasks of one version what the other ones have."""
    for group in (_find_job(call) or {}).get("TaskGroups") or ():
        for task in group.get("Tasks") or ():
            task[random.choice(["Resources", "LogConfig"])] = None


def _entangle_secrets(call: Call, _: Random, __: Sequence[Mapping[str, Any]]) -> None:
    """Give every task of every version a secret whose configuration cannot be compared."""
    for job in call["jobs"]:
        for group in job.get("TaskGroups") or ():
            for task in group.get("Tasks") or ():
                task["Secrets"] = [{"Name": "s", "Provider": "p", "Config": {"list": [1, 2]}}]


TWISTS: Final[Mapping[str, Twist]] = {
    "reorder a list": _reorder,
    "repeat an element": _repeat,
    "drop a field": _drop,
    "null a field": _null,
    "resources of another task": _cross_tasks,
    "networks of another group": _cross_networks,
    "resources of another node": _cross_nodes,
    "an allocation in the old form": _forget_resources,
    "ports that are kept": _block_ports,
    "no configuration": _lose_configuration,
    "an eval that the store lacks": _lose_eval,
    "an eval that is not blocked": _unblock_eval,
    "tasks without a part": _lose_parts,
    "secrets that cannot be compared": _entangle_secrets,
}
"""The ways in which an input is changed."""
