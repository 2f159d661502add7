"""The scopes of the kernel that are published: each lets one thing go wrong that the protocol must survive.

A size that a scope does not name is at its default; every outside event is off by default. Most scopes have
one job and one worker, where that is enough for what they are about: what happens between jobs needs two.
"""

from typing import Final

from nomadspec.model.language.scope import Scope

_ALONE: Final = {"jobs": 1, "nodes": 1, "workers": 1, "allocations": 2}
_GROWS: Final = {"updates": 1, "in_place_updates": 1, "extra_ask": 1}
_PAIR: Final = {"nodes": 2, "allocations": 4, "count": 2}
_PREEMPTS: Final = {"priorities": 1, "preempting": 1}
_ROOM_FOR_TWO: Final = {"nodes": 1, "count": 2, "cap": 2, "allocations": 2}
_PREEMPTS_TWO: Final = {**_ROOM_FOR_TWO, **_PREEMPTS, "several_preempted": 1}
_FAILS: Final = {"deliveries": 1, "errors": 1}
_DEPLOYS: Final = {"deployments": 1, "deployment_changes": 1}
_ALL_OR_NOTHING: Final = {"all_at_once": 1, "rejection_threshold": 1}
_WRITES_STATUSES: Final = {"in_place_updates": 1, "plan_statuses": 1}
_ONCE: Final = {"evals": 2, "allocations": 1, "attempts": 1, "deliveries": 1, "endings": 0}
_FEW: Final = {**_ONCE, **_ALONE}

SCOPES: Final = (
    Scope(
        "contention",
        "two workers, two jobs, two nodes with room for one, and the applier in one step",
        {"evals": 3, "allocations": 3},
    ),
    Scope(
        "last-place",
        "two workers plan for the last free place: one plan is rejected, and its job is blocked",
        {"nodes": 1, "evals": 3, "node_changes": 1},
    ),
    Scope(
        "partial",
        "plans for two allocations lose one of their nodes and are committed in part",
        {**_ALONE, **_PAIR, "evals": 3, "node_changes": 1},
    ),
    Scope(
        "pipeline",
        "two plans in the split applier: the next is judged while an entry is still in flight",
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
        {"depth": 1, "attempts": 1, "failed_entries": 1, "node_changes": 1, "endings": 0, "elections": 1},
    ),
    Scope(
        "stale-snapshot",
        "a plan is made from newer state than the applier's snapshot, which is about an entry in flight",
        {**_ALONE, "depth": 1, "evals": 3, "allocations": 3, "updates": 1, "failed_entries": 1},
    ),
    Scope(
        "leader-change",
        "leadership is lost while an evaluation is blocked or has just been woken",
        {**_ALONE, "elections": 1, "evals": 4, "node_changes": 2},
    ),
    Scope(
        "node-loss",
        "a node goes down and comes back, and its jobs are evaluated again",
        {"workers": 1, "evals": 3, "allocations": 3, "node_changes": 1, "elections": 1},
    ),
    Scope(
        "late-loss",
        "a node goes down while an entry that places an allocation there is in flight",
        {**_ALONE, "nodes": 2, "depth": 1, "evals": 3, "allocations": 3, "node_changes": 1},
    ),
    Scope(
        "delivery-limit",
        "deliveries are given back or go unanswered until they are used up, and a follow-up is made",
        {**_ALONE, "evals": 4, "errors": 1, "timeouts": 2, "requests": 1},
    ),
    Scope(
        "reaper",
        "a leader is lost while deliveries of an evaluation are used up, and the next leader reaps it",
        {**_ALONE, **_FAILS, "evals": 3, "elections": 1},
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
        {**_ALONE, **_FAILS, "evals": 3, "pauses": 1, "gc_deletions": 1, "node_changes": 1},
    ),
    Scope(
        "update",
        "a job is registered anew, and then stopped, while its plan is being made",
        {**_ALONE, "evals": 3, "allocations": 3, "updates": 1, "stops": 1, "timeouts": 1},
    ),
    Scope(
        "purge",
        "a job is purged and registered again while its plan is being made",
        {**_ALONE, "evals": 4, "purges": 1, "returns": 1, "errors": 1, "deployments": 1},
    ),
    Scope(
        "gc",
        "garbage collection decides on records that change before its entry",
        {**_ALONE, "evals": 4, "stops": 1, "returns": 1, "gc_deletions": 2},
    ),
    Scope(
        "disconnect",
        "a node disconnects and reconnects, with a replacement running meanwhile",
        {**_ALONE, "nodes": 2, "evals": 4, "allocations": 3, "disconnects": 1, "reports": 1},
    ),
    Scope(
        "deployment",
        "a deployment is paused or failed, and ends while plans for it are being made",
        {**_ALONE, **_DEPLOYS, "allocations": 3, "evals": 4, "updates": 1, "reports": 1},
    ),
    Scope(
        "deployment-system",
        "the deployment of a system job is paused or failed, and purged, while plans for it are being made",
        {**_FEW, **_DEPLOYS, "evals": 4, "kinds": 2, "purges": 1, "external_triggers": 1},
    ),
    Scope(
        "deployment-watched",
        "a deployment is reported on and outdated, in few worlds, for what comes true at last",
        {**_FEW, **_PAIR, "evals": 4, "deployments": 1, "stops": 1},
    ),
    Scope(
        "disconnect-system",
        "a node is disconnected, and back before a worker blocks for it a system job's plan that falls short",
        {**_FEW, **_PAIR, "allocations": 5, "evals": 6, "kinds": 2, "disconnects": 1},
    ),
    Scope(
        "awaited",
        "the only node is disconnected, and starts before it is ready, in few worlds",
        {**_FEW, "evals": 4, "disconnects": 1, "initializations": 1},
    ),
    Scope(
        "awaited-twice",
        "two allocations of a disconnected node wait for one follow-up, in few worlds",
        {**_FEW, "count": 2, "cap": 2, "evals": 4, "disconnects": 1},
    ),
    Scope(
        "drained-once",
        "a node is drained while there is another one, for jobs that may leave it last, in few worlds",
        {**_FEW, **_PAIR, "cap": 2, "kinds": 2, "evals": 4, "migrations": 1, "endings": 1},
    ),
    Scope(
        "drained-last",
        "a node is drained on which a system job and another one may run, in few worlds",
        {**_FEW, "jobs": 2, "cap": 2, "kinds": 2, "evals": 3, "migrations": 1, "endings": 1},
    ),
    Scope(
        "deployment-paused",
        "an operator pauses a deployment that finds no room yet, and lets it go on or fail",
        {**_ALONE, "cap": 0, "evals": 3, "deployments": 1, "deployment_changes": 2},
    ),
    Scope(
        "preemption",
        "a job of a higher priority preempts allocations of another",
        {"nodes": 1, "evals": 3, **_PREEMPTS},
    ),
    Scope(
        "two-preempted",
        "a job of a higher priority preempts two allocations of another at once",
        {**_ONCE, **_PREEMPTS_TWO},
    ),
    Scope(
        "two-preempted-entry",
        "a plan that preempts two allocations of another job goes through the split applier",
        {**_ONCE, **_PREEMPTS_TWO, "depth": 1},
    ),
    Scope(
        "plan-rejections",
        "a node is rejected so often that it becomes ineligible",
        {"nodes": 1, "depth": 1, "evals": 3, "rejection_threshold": 1},
    ),
    Scope(
        "external-triggers",
        "external triggers that differ only in the evaluation that they make",
        {**_ALONE, "evals": 3, "external_triggers": 2},
    ),
    Scope(
        "types",
        "jobs of every type find no place and are blocked, captured or escaped",
        {**_ALONE, "evals": 4, "kinds": 3, "escapes": 1, "node_changes": 2},
    ),
    Scope(
        "outrun",
        "two jobs of any type plan for one place, and the one that was first is stopped",
        {"nodes": 1, "evals": 3, "allocations": 1, "attempts": 1, "kinds": 3, "stops": 1},
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
        "two workers plan for one node, and an in-place update of one of the jobs needs more room",
        {"nodes": 1, "cap": 2, "evals": 2, "allocations": 2, **_GROWS},
    ),
    Scope(
        "grows-by-two",
        "an in-place update needs two units more, on a node that another job's plan may leave one of",
        {"nodes": 1, "cap": 3, "evals": 2, "allocations": 2, **_GROWS, "extra_ask": 2},
    ),
    Scope(
        "revival",
        "an allocation is preempted while an update of it in its place is in flight",
        {**_ONCE, "nodes": 1, "evals": 3, **_PREEMPTS, "updates": 1, "in_place_updates": 1, "reports": 1},
    ),
    Scope(
        "shared",
        "two allocations of a disconnected node wait for one follow-up",
        {**_ALONE, "count": 2, "cap": 2, "allocations": 4, "evals": 6, "disconnects": 1},
    ),
    Scope(
        "initializing",
        "a node that was disconnected is initializing before it is ready",
        {**_ALONE, "nodes": 2, "evals": 5, "disconnects": 1, "initializations": 1},
    ),
    Scope(
        "drain",
        "a node is drained, and an operator stops an allocation",
        {**_ALONE, "nodes": 2, "evals": 4, "allocations": 3, "migrations": 2},
    ),
    Scope(
        "core-evals",
        "core evaluations wait for each other and reach the delivery limit",
        {**_ALONE, **_FAILS, "kinds": 4, "evals": 3, "core_evals": 2},
    ),
    Scope(
        "unhandled-triggers",
        "a scheduler is given an evaluation whose trigger it does not handle",
        {**_ALONE, "evals": 3, "unhandled_triggers": 1, "timeouts": 1},
    ),
    Scope(
        "all-at-once",
        "a plan that is all or nothing loses a node, which counts as a plan rejection of one node",
        {**_ALONE, **_PAIR, **_ALL_OR_NOTHING, "evals": 3, "node_changes": 2},
    ),
    Scope(
        "delivery-limit-blocked",
        "a blocked evaluation is woken and uses up its deliveries",
        {**_ALONE, **_FAILS, "evals": 4, "node_changes": 2},
    ),
    Scope(
        "unlucky",
        "a blocked evaluation is woken, and the node goes down again before its plan is applied",
        {**_ALONE, "evals": 5, "attempts": 1, "node_changes": 3},
    ),
    Scope(
        "retried",
        "a blocked evaluation finds that a node is disconnected",
        {**_ALONE, **_PAIR, "evals": 3, "node_changes": 2, "disconnects": 1},
    ),
    Scope(
        "displaced",
        "blocked evaluations of a system job wait for different nodes, and one of them loses",
        {**_ALONE, **_PAIR, "cap": 0, "kinds": 2, "evals": 6, "requests": 1, "node_changes": 2},
    ),
    Scope(
        "follow-up-canceled",
        "a follow-up is called off that runs all the same, and uses up its deliveries",
        {**_ALONE, **_FAILS, "nodes": 2, "evals": 5, "allocations": 3, "disconnects": 1},
    ),
    Scope(
        "purge-limit",
        "the evaluation of a purged job is delivered and reaches the delivery limit",
        {**_ALONE, **_FAILS, "evals": 3, "purges": 1},
    ),
    Scope(
        "purge-rejected",
        "a job is purged while its plan is queued, and the plan is rejected",
        {**_ALONE, "evals": 3, "purges": 1, "attempts": 1, "node_changes": 1},
    ),
    Scope(
        "woken-twice",
        "the evaluation of a system job is woken by one node, becomes cancelable, and is woken by another",
        {**_FEW, "nodes": 2, "count": 2, "cap": 0, "kinds": 2, "evals": 4, "node_changes": 4, "attempts": 2},
    ),
    Scope(
        "void-entry",
        "an entry is refused by the store, for one of the allocations that it stops was collected",
        {**_ONCE, **_ROOM_FOR_TWO, "depth": 1, "evals": 3, "stops": 1, "reports": 1, "gc_deletions": 1},
    ),
    Scope(
        "untracked",
        "a job is placed by another evaluation while an escaped one is tracked",
        {
            **_ALONE,
            "jobs": 2,
            "evals": 3,
            "allocations": 1,
            "endings": 0,
            "escapes": 1,
            "stops": 1,
            "external_triggers": 1,
        },
    ),
    Scope(
        "escaped",
        "blocked evaluations that no node class answers for are displaced, untracked and flushed",
        {**_ALONE, "evals": 4, "escapes": 1, "node_changes": 1, "requests": 1, "elections": 1},
    ),
    Scope(
        "stale-server",
        "a worker plans by the state of a server that is behind, while a job and a node change",
        {**_ALONE, "stale_server_count": 1, "evals": 3, "updates": 1, "node_changes": 1},
    ),
    Scope(
        "two-stale-servers",
        "two workers plan a new version of a job by two servers that are behind, each by other entries",
        {**_ALONE, "workers": 2, "stale_server_count": 2, "evals": 3, "updates": 1, "timeouts": 1},
    ),
    Scope(
        "stale-server-batch",
        "a worker plans by the state of a server that is behind, after batch work is done",
        {**_FEW, "stale_server_count": 1, "kinds": 1, "reports": 1, "external_triggers": 1, "endings": 1},
    ),
    Scope(
        "stale-server-disconnect",
        "a worker plans by the state of a server that is behind, while a node is disconnected",
        {**_ALONE, **_ONCE, "stale_server_count": 1, "disconnects": 1, "evals": 3},
    ),
    Scope(
        "preempted-entry",
        "a plan that preempts an allocation goes through the split applier",
        {**_ONCE, "nodes": 1, "depth": 1, **_PREEMPTS},
    ),
    Scope(
        "two-entries",
        "two entries are in flight, and the first of them may fail under the second",
        {**_ONCE, "nodes": 1, "depth": 2, "cap": 2, "failed_entries": 1},
    ),
    Scope(
        "late-entries",
        "two entries are in flight when leadership is lost: the log may lose the last of them, or both",
        {**_ONCE, "nodes": 1, "evals": 3, "depth": 2, "stops": 1, "elections": 1},
    ),
    Scope(
        "infeasible-node",
        "a job that is infeasible on one of the nodes waits for the other",
        {**_ALONE, "nodes": 2, "infeasibilities": 1, "evals": 3, "node_changes": 3},
    ),
    Scope(
        "choice-of-preempted",
        "a job of a higher priority has two nodes to choose from, and preempts what is on one of them",
        {**_ONCE, **_PREEMPTS},
    ),
    Scope(
        "done-before",
        "a batch job is registered anew after its work is done",
        {**_ALONE, "evals": 3, "allocations": 3, "kinds": 1, "reports": 1, "updates": 1},
    ),
    Scope(
        "in-place-entry",
        "an in-place update needs more room, by an entry of the split applier",
        {**_ALONE, **_GROWS, "depth": 1, "cap": 2, "evals": 3, "failed_entries": 1},
    ),
    Scope(
        "plan-rejections-atomic",
        "plans that are committed in one step are rejected, which counts as plan rejections of their node",
        {**_ONCE, "nodes": 1, "evals": 3, "rejection_threshold": 1, "stops": 1, "attempts": 2},
    ),
    Scope(
        "second-rejection",
        "a node may be rejected once; that is forgotten, or the second time makes it ineligible",
        {**_ONCE, "nodes": 1, "evals": 3, "rejection_threshold": 2, "stops": 1, "attempts": 2},
    ),
    Scope(
        "all-at-once-entry",
        "the split applier rejects a plan that is all or nothing, for a node that becomes ineligible",
        {**_ALONE, **_ALL_OR_NOTHING, "nodes": 2, "count": 2, "depth": 1, "node_changes": 1, "endings": 0},
    ),
    Scope(
        "ineligible-entry",
        "two plans want one of two nodes: the second becomes an entry that only makes this node ineligible",
        {**_ONCE, "nodes": 2, "depth": 1, "evals": 1, "rejection_threshold": 1},
    ),
    Scope(
        "stopped-entry",
        "a job that needs more room is stopped while its plan is with the split applier",
        {**_ALONE, **_ONCE, **_GROWS, "evals": 3, "depth": 1, "cap": 2, "stops": 1},
    ),
    Scope(
        "cancelable",
        "an evaluation is cancelable while there is a number left for another one",
        {**_ALONE, "evals": 4, "external_triggers": 2},
    ),
    Scope(
        "repeated",
        "a client reports that work is done while a plan is in flight that places it again",
        {**_FEW, "nodes": 2, "evals": 3, "kinds": 1, "disconnects": 1, "reports": 1},
    ),
    Scope(
        "batch-gc",
        "garbage collection looks at allocations of a batch job that are complete or have failed",
        {**_FEW, "evals": 3, "allocations": 2, "kinds": 1, "reports": 1, "updates": 1, "gc_deletions": 1},
    ),
    Scope(
        "turns",
        "two jobs of one priority take turns, though plans of one of them are retried again and again",
        {"nodes": 1, "evals": 4, "updates": 1, "attempts": 1, "endings": 0},
    ),
    Scope(
        "dead-again",
        "a job is purged, registered again and stopped, and garbage collection finds it dead",
        {**_ALONE, **_ONCE, "evals": 4, "purges": 1, "returns": 1, "stops": 1, "gc_deletions": 1},
    ),
    Scope(
        "pending-after-purge",
        "a job is purged while two blocked evaluations, put back again, are pending beside another one",
        {**_ALONE, **_ONCE, "cap": 0, "evals": 4, "purges": 1, "elections": 1, "pauses": 1, "attempts": 2},
    ),
    Scope(
        "failed-stop",
        "the entry that stops a job fails, while another job is planned into its room",
        {**_ONCE, "nodes": 1, "depth": 1, "stops": 1, "failed_entries": 1},
    ),
    Scope(
        "woken-late",
        "a blocked evaluation is woken while another one of its job is at work, and places everything",
        {**_ALONE, **_ONCE, "evals": 3, "node_changes": 2, "external_triggers": 1},
    ),
    Scope(
        "pause-planning",
        "the broker is paused while a plan is with the applier, and delivers its evaluation once more",
        {**_ONCE, "jobs": 1, "allocations": 2, "evals": 1, "pauses": 1},
    ),
    Scope(
        "relabelled",
        "a job is registered anew, and needs more room, while its plan is being made",
        {**_FEW, "cap": 2, "allocations": 1, **_GROWS},
    ),
    Scope(
        "void-stop",
        "the entry that stops a system job is refused by the store, for one of its allocations was collected",
        {**_FEW, "nodes": 2, "depth": 1, "count": 2, "kinds": 2, "stops": 1, "reports": 1, "gc_deletions": 1},
    ),
    Scope(
        "unknown-entry",
        "a plan that writes an allocation as unknown, and places another, goes through the split applier",
        {**_FEW, "nodes": 2, "evals": 4, "depth": 1, **_WRITES_STATUSES, "disconnects": 1, "reports": 1},
    ),
    Scope(
        "unknown-plan",
        "a follow-up finds that the replacement of an unknown allocation is out of reach too",
        {**_FEW, "nodes": 2, "evals": 5, **_WRITES_STATUSES, "disconnects": 2},
    ),
    Scope(
        "outdated-verdict",
        "a node is eligible again, and the plan for it is judged by a snapshot from before",
        {**_FEW, "nodes": 2, "count": 2, "evals": 3, "depth": 1, "kinds": 2, "node_changes": 2},
    ),
    Scope(
        "freed-once",
        "a plan stops what has ended meanwhile, and its node is full",
        {"nodes": 1, "evals": 4, "updates": 1, "reports": 1},
    ),
    Scope(
        "preempting-rejected",
        "a node goes down under a plan that preempts what is on it",
        {**_ONCE, **_PREEMPTS_TWO, "node_changes": 1},
    ),
    Scope(
        "requested-blocked",
        "an operator asks for an evaluation with a priority of its own, which finds no room",
        {**_FEW, "cap": 0, "evals": 4, "priorities": 1, "requests": 1},
    ),
    Scope(
        "requested-first",
        "an evaluation of a higher priority than its job overtakes the plan of another job",
        {**_ONCE, "nodes": 1, "evals": 3, "priorities": 1, "requests": 1, "errors": 1},
    ),
)
