"""The scopes of the kernel that are published: each lets one thing go wrong that the protocol must survive.

A size that a scope does not name is at its default; every outside event is off by default. Most scopes have
one job and one worker, where that is enough for what they are about: what happens between jobs needs two.
"""

from typing import Final

from nomadspec.model.model import Scope

_ALONE: Final = {"jobs": 1, "nodes": 1, "workers": 1, "spares": 2}
_ONCE: Final = {"evals": 2, "spares": 1, "attempts": 1, "deliveries": 1, "endings": 0}

SCOPES: Final = (
    Scope(
        "contention",
        "two workers, two jobs, two nodes with room for one, and the applier in one step",
        {"evals": 3, "spares": 3},
    ),
    Scope(
        "last-place",
        "two workers plan for the last free place: one plan is refused, and its job is blocked",
        {"nodes": 1, "evals": 3, "node_changes": 1},
    ),
    Scope(
        "partial",
        "plans for two instances lose one of their nodes and are committed in part",
        {**_ALONE, "nodes": 2, "count": 2, "spares": 4, "evals": 3, "node_changes": 1},
    ),
    Scope(
        "pipeline",
        "two plans in the split applier: the next is judged while an entry is still under way",
        {"nodes": 1, "depth": 1, "evals": 2, "node_changes": 1},
    ),
    Scope(
        "failed-entry",
        "an entry fails while the applier judges the next plan by a snapshot that shows it",
        {"depth": 1, "attempts": 1, "failed_entries": 1, "node_changes": 1, "endings": 0},
    ),
    Scope(
        "reference",
        "the split applier with two jobs, nodes and workers, an entry that fails and a leader that is lost: "
        "engines are measured by it",
        {
            "depth": 1,
            "attempts": 1,
            "failed_entries": 1,
            "node_changes": 1,
            "endings": 0,
            "elections": 1,
        },
    ),
    Scope(
        "stale-snapshot",
        "a plan is made from newer state than the applier's snapshot, which is about an entry under way",
        {**_ALONE, "depth": 1, "evals": 3, "spares": 3, "updates": 1, "failed_entries": 1},
    ),
    Scope(
        "leader-change",
        "leadership is lost while an evaluation is blocked or has just been woken",
        {**_ALONE, "elections": 1, "evals": 4, "node_changes": 2},
    ),
    Scope(
        "node-loss",
        "a node goes down and comes back, and its jobs are evaluated again",
        {"workers": 1, "evals": 3, "spares": 3, "node_changes": 1, "elections": 1},
    ),
    Scope(
        "late-loss",
        "a node goes down while an entry that places an allocation there is under way",
        {**_ALONE, "nodes": 2, "depth": 1, "evals": 3, "spares": 3, "node_changes": 1},
    ),
    Scope(
        "delivery-limit",
        "deliveries are given back or go unanswered until they are used up, and a follow-up is made",
        {**_ALONE, "evals": 4, "errors": 1, "timeouts": 2, "requests": 1},
    ),
    Scope(
        "duplicates",
        "a job gets a second blocked evaluation while its first one still waits",
        {**_ALONE, "cap": 0, "evals": 5, "requests": 2, "failed_entries": 1},
    ),
    Scope(
        "redelivery",
        "a delivery goes unanswered while a blocked evaluation is planned again",
        {**_ALONE, "evals": 3, "node_changes": 3, "timeouts": 1},
    ),
    Scope(
        "pause",
        "the operator pauses the broker while evaluations fail and are deleted",
        {
            **_ALONE,
            "evals": 3,
            "deliveries": 1,
            "errors": 1,
            "pauses": 1,
            "collections": 1,
            "node_changes": 1,
        },
    ),
    Scope(
        "update",
        "a job is registered anew, and then stopped, while its plan is being made",
        {**_ALONE, "evals": 3, "spares": 3, "updates": 1, "stops": 1, "timeouts": 1},
    ),
    Scope(
        "purge",
        "a job is purged and registered again while its plan is being made",
        {**_ALONE, "evals": 4, "purges": 1, "returns": 1, "errors": 1, "rollouts": 1},
    ),
    Scope(
        "collection",
        "a collector decides on records that change before its entry",
        {**_ALONE, "evals": 4, "stops": 1, "returns": 1, "collections": 2},
    ),
    Scope(
        "silence",
        "a node is disconnected and heard again, with a replacement running meanwhile",
        {**_ALONE, "nodes": 2, "evals": 4, "spares": 3, "silences": 1, "reports": 1},
    ),
    Scope(
        "rollout",
        "a deployment is steered and ends while plans for it are being made",
        {**_ALONE, "evals": 3, "rollouts": 2, "steers": 1, "updates": 1},
    ),
    Scope(
        "watched",
        "a deployment is reported on and outdated, in few worlds, for what comes true at last",
        {**_ONCE, **_ALONE, "evals": 3, "rollouts": 2, "stops": 1},
    ),
    Scope(
        "awaited",
        "the only node is disconnected, and starts before it is ready, in few worlds",
        {**_ONCE, **_ALONE, "evals": 4, "silences": 1, "boots": 1},
    ),
    Scope(
        "evacuated",
        "a node is drained while there is another one, in few worlds",
        {**_ONCE, **_ALONE, "nodes": 2, "evals": 4, "moves": 1},
    ),
    Scope(
        "steered",
        "an operator pauses a deployment that finds no room yet, and lets it go on or fail",
        {**_ALONE, "cap": 0, "evals": 3, "rollouts": 1, "steers": 2},
    ),
    Scope(
        "urgency",
        "an urgent job drives out allocations of another",
        {"nodes": 1, "evals": 3, "urgency": 1, "preempting": 1},
    ),
    Scope(
        "strikes",
        "a node is refused so often that it is closed",
        {"nodes": 1, "depth": 1, "evals": 3, "strikes": 1},
    ),
    Scope(
        "occasions",
        "outside events that differ only in the evaluation that they make",
        {**_ALONE, "evals": 3, "occasions": 2},
    ),
    Scope(
        "types",
        "jobs of every type find no place and are blocked, captured or escaped",
        {**_ALONE, "evals": 4, "kinds": 3, "escapes": 1, "node_changes": 2},
    ),
    Scope(
        "batch",
        "allocations of a batch job complete by themselves",
        {**_ALONE, "evals": 3, "kinds": 1, "reports": 1},
    ),
    Scope(
        "two-tokens",
        "two workers have the same evaluation, one of them with a token that is no longer valid",
        {**_ALONE, "workers": 2, "timeouts": 1},
    ),
    Scope(
        "in-place",
        "two workers plan for one node, and an allocation of one of the jobs grows in its place",
        {"nodes": 1, "cap": 2, "evals": 2, "spares": 2, "updates": 1, "amends": 1, "growth": 1},
    ),
    Scope(
        "revival",
        "an allocation is driven out while an update of it in its place is under way",
        {
            **_ONCE,
            "nodes": 1,
            "evals": 3,
            "urgency": 1,
            "preempting": 1,
            "updates": 1,
            "amends": 1,
            "reports": 1,
        },
    ),
    Scope(
        "shared",
        "two allocations of a silent node wait for one follow-up",
        {**_ALONE, "count": 2, "cap": 2, "spares": 4, "evals": 6, "silences": 1},
    ),
    Scope(
        "boot",
        "a node that was disconnected is initializing before it is ready",
        {**_ALONE, "nodes": 2, "evals": 5, "silences": 1, "boots": 1},
    ),
    Scope(
        "drain",
        "a node is drained, and an operator stops an allocation",
        {**_ALONE, "nodes": 2, "evals": 4, "spares": 3, "moves": 2},
    ),
    Scope(
        "chores",
        "core evaluations wait for each other and are given up",
        {**_ALONE, "kinds": 4, "evals": 3, "chores": 2, "deliveries": 1, "errors": 1},
    ),
    Scope(
        "misfits",
        "a scheduler is given an evaluation whose trigger it does not handle",
        {**_ALONE, "evals": 3, "misfits": 1, "timeouts": 1},
    ),
    Scope(
        "gang",
        "a plan that is all or nothing loses a node, which is held against one of the nodes",
        {
            **_ALONE,
            "nodes": 2,
            "count": 2,
            "spares": 4,
            "evals": 3,
            "gangs": 1,
            "strikes": 1,
            "node_changes": 2,
        },
    ),
    Scope(
        "spent",
        "a blocked evaluation is woken and uses up its deliveries",
        {**_ALONE, "evals": 4, "node_changes": 2, "deliveries": 1, "errors": 1},
    ),
    Scope(
        "unlucky",
        "a blocked evaluation is woken, and the node goes down again before its plan is applied",
        {**_ALONE, "evals": 5, "attempts": 1, "node_changes": 3},
    ),
    Scope(
        "retried",
        "a blocked evaluation finds that a node has fallen silent",
        {**_ALONE, "nodes": 2, "count": 2, "spares": 4, "evals": 3, "node_changes": 2, "silences": 1},
    ),
    Scope(
        "displaced",
        "blocked evaluations of a system job wait for different nodes, and one of them loses",
        {
            **_ALONE,
            "nodes": 2,
            "count": 2,
            "spares": 4,
            "cap": 0,
            "kinds": 2,
            "evals": 6,
            "requests": 1,
            "node_changes": 2,
        },
    ),
    Scope(
        "called-off",
        "a follow-up is called off that runs all the same, and uses up its deliveries",
        {**_ALONE, "nodes": 2, "evals": 5, "spares": 3, "silences": 1, "deliveries": 1, "errors": 1},
    ),
    Scope(
        "purge-limit",
        "the evaluation of a purged job is delivered and given up",
        {**_ALONE, "evals": 3, "purges": 1, "deliveries": 1, "errors": 1},
    ),
    Scope(
        "purge-refused",
        "a job is purged while its plan is queued, and the plan is refused",
        {**_ALONE, "evals": 3, "purges": 1, "attempts": 1, "node_changes": 1},
    ),
    Scope(
        "woken-twice",
        "the evaluation of a system job is woken by one node, superseded, and woken by another",
        {
            **_ALONE,
            "nodes": 2,
            "count": 2,
            "cap": 0,
            "kinds": 2,
            "evals": 4,
            "deliveries": 1,
            "endings": 0,
            "node_changes": 4,
        },
    ),
    Scope(
        "void-entry",
        "an entry is refused by the store, for one of the allocations that it stops was collected",
        {
            "nodes": 1,
            "depth": 1,
            "count": 2,
            "cap": 2,
            "spares": 2,
            "evals": 2,
            "kinds": 1,
            "attempts": 1,
            "deliveries": 1,
            "endings": 0,
            "stops": 1,
            "reports": 1,
            "collections": 1,
        },
    ),
    Scope(
        "untracked",
        "a job is placed by another evaluation while an escaped one is tracked",
        {
            "jobs": 2,
            "nodes": 1,
            "workers": 1,
            "evals": 3,
            "spares": 1,
            "endings": 0,
            "escapes": 1,
            "stops": 1,
            "occasions": 1,
        },
    ),
    Scope(
        "escaped",
        "blocked evaluations that no node class answers for are displaced, untracked and flushed",
        {**_ALONE, "evals": 4, "escapes": 1, "node_changes": 1, "requests": 1, "elections": 1},
    ),
    Scope(
        "behind",
        "a worker plans by the state of a server that is behind, while a job and a node change",
        {**_ALONE, "lag": 1, "evals": 3, "updates": 1, "node_changes": 1},
    ),
    Scope(
        "driven-out",
        "a plan that drives out an allocation goes through the split applier",
        {
            **_ONCE,
            "nodes": 1,
            "depth": 1,
            "urgency": 1,
            "preempting": 1,
        },
    ),
    Scope(
        "two-entries",
        "two entries are under way, and the first of them may fail under the second",
        {
            **_ONCE,
            "nodes": 1,
            "depth": 2,
            "cap": 2,
            "failed_entries": 1,
        },
    ),
    Scope(
        "barred",
        "a job that is infeasible on one of the nodes waits for the other",
        {**_ALONE, "nodes": 2, "bars": 1, "evals": 3, "node_changes": 3},
    ),
    Scope(
        "choice-of-victims",
        "an urgent job has two nodes to choose from, and drives out what is on one of them",
        {
            **_ONCE,
            "urgency": 1,
            "preempting": 1,
        },
    ),
    Scope(
        "done-before",
        "a batch job is registered anew after its work is done",
        {**_ALONE, "evals": 3, "spares": 3, "kinds": 1, "reports": 1, "updates": 1},
    ),
    Scope(
        "in-place-entry",
        "an allocation grows in its place, by an entry of the split applier",
        {
            **_ALONE,
            "depth": 1,
            "cap": 2,
            "evals": 3,
            "updates": 1,
            "amends": 1,
            "growth": 1,
            "failed_entries": 1,
        },
    ),
    Scope(
        "refusals",
        "plans that are committed in one step are refused, which is held against their node",
        {"nodes": 1, "evals": 3, "spares": 1, "deliveries": 1, "endings": 0, "strikes": 1, "stops": 1},
    ),
    Scope(
        "second-refusal",
        "a node may refuse once; what is held against it is forgotten, or it is closed at the second time",
        {"nodes": 1, "evals": 3, "spares": 1, "deliveries": 1, "endings": 0, "strikes": 2, "stops": 1},
    ),
    Scope(
        "gang-entry",
        "the split applier refuses a plan that is all or nothing, and closes the node that it met first",
        {
            **_ALONE,
            "nodes": 2,
            "count": 2,
            "depth": 1,
            "evals": 2,
            "gangs": 1,
            "strikes": 1,
            "node_changes": 1,
            "endings": 0,
        },
    ),
    Scope(
        "closing-entry",
        "two plans want one of two nodes: the second becomes an entry that has only this node to close",
        {**_ONCE, "nodes": 2, "depth": 1, "evals": 1, "strikes": 1},
    ),
    Scope(
        "overtaken",
        "an evaluation is superseded while there is a number left for another one",
        {**_ALONE, "evals": 4, "occasions": 2},
    ),
    Scope(
        "repeated",
        "a client reports that work is done while a plan is under way that places it again",
        {
            **_ALONE,
            "nodes": 2,
            "evals": 3,
            "kinds": 1,
            "silences": 1,
            "reports": 1,
            "deliveries": 1,
            "attempts": 1,
            "endings": 0,
        },
    ),
    Scope(
        "dead-again",
        "a job is purged, registered again and stopped, and the collector finds it dead",
        {
            **_ALONE,
            "evals": 4,
            "spares": 1,
            "attempts": 1,
            "deliveries": 1,
            "endings": 0,
            "purges": 1,
            "returns": 1,
            "stops": 1,
            "collections": 1,
        },
    ),
    Scope(
        "left-behind",
        "a job is purged while two blocked evaluations, put back again, wait behind a pending one",
        {
            **_ALONE,
            "cap": 0,
            "evals": 4,
            "spares": 1,
            "deliveries": 1,
            "endings": 0,
            "purges": 1,
            "elections": 1,
            "pauses": 1,
        },
    ),
)
