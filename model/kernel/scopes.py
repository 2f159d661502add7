"""The scopes of the kernel that are published: each lets one thing go wrong that the protocol must survive.

Every size that a scope does not name is at its default, and every outside event is off by default.
"""

from typing import Final

from nomadspec.model.model import Scope

SCOPES: Final = (
    Scope(
        "contention",
        "two workers plan for the last free place of the same node, applier in one step",
        {"evals": 3, "spares": 3},
    ),
    Scope(
        "partial",
        "a plan for two instances loses one of its nodes to another plan and is committed in part",
        {"count": 2, "nodes": 2, "cap": 2, "evals": 2, "spares": 3},
    ),
    Scope(
        "pipeline",
        "the applier judges a plan while the entry of the one before is still under way",
        {"depth": 1, "evals": 2, "spares": 2, "node_changes": 1},
    ),
    Scope(
        "failed-entry",
        "an entry fails while the applier judges the next plan by a snapshot that shows it",
        {"depth": 1, "evals": 3, "spares": 3, "failed_entries": 1, "node_changes": 1},
    ),
    Scope(
        "leader-change",
        "leadership is lost while an evaluation is blocked or has just been woken",
        {"nodes": 1, "jobs": 1, "elections": 1, "evals": 4, "spares": 4, "node_changes": 2},
    ),
    Scope(
        "node-loss",
        "a node goes down and comes back, and its jobs are evaluated again",
        {"evals": 3, "spares": 3, "node_changes": 2},
    ),
    Scope(
        "delivery-limit",
        "nobody answers for deliveries until they are used up, and a follow-up is made",
        {"jobs": 1, "nodes": 1, "evals": 3, "spares": 2, "timeouts": 3},
    ),
    Scope(
        "duplicates",
        "a job gets a second blocked evaluation while its first one still waits",
        {"jobs": 1, "nodes": 1, "evals": 4, "spares": 2, "cap": 0, "updates": 2},
    ),
    Scope(
        "update",
        "a job is registered again while its plan is being made",
        {"jobs": 1, "nodes": 1, "workers": 2, "evals": 4, "spares": 4, "updates": 2},
    ),
    Scope(
        "purge",
        "a job is stopped or purged while its plan is being made",
        {"jobs": 1, "nodes": 2, "evals": 3, "spares": 2, "stops": 1, "purges": 1},
    ),
)
