"""Which parts of a recording are answers of the server; all the rest is what it was asked.

Left out is what the recordings hold for information only: opaque names of classes, labels, hints, tags.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from nomadspec.checkers.oracle.paths import fits

ANSWERS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "alloc-names/cases": (
            "initial",
            "ops[].answer",
            "ops[].is_duplicate_before",
            "ops[].is_duplicate_after",
            "ops[].state",
        ),
        "blocked/sequences": ("ops[].enqueued", "ops[].broker_requeue", "ops[].answer", "ops[].state"),
        "broker/sequences": ("ops[].answer", "ops[].any_of", "ops[].error", "ops[].t_ms", "ops[].state"),
        "computed-class/eligibility": ("ops[].answer", "classes", "has_escaped"),
        "computed-class/escape": ("job_constraints_escaped", "job_escaped", "groups_escaped", "has_escaped"),
        "computed-class/pairs": ("same",),
        "constraints/device-operands": ("left_parsed", "right_parsed", "result"),
        "constraints/operands": ("result",),
        "constraints/targets": ("value", "found"),
        "deployment-watcher/sequences": (
            "ops[].calls",
            "ops[].deployment",
            "ops[].job",
            "ops[].error",
            "ops[].made_eval",
            "ops[].reverted_to",
        ),
        "fit-and-score/allocs-fit": (
            "fits",
            "dimension",
            "used",
            "error",
            "score_binpack",
            "score_spread",
        ),
        "fit-and-score/ports": (
            "set_node_error",
            "collision",
            "collision_reason",
            "used_ports",
            "error",
            "ports",
        ),
        "fit-and-score/scores": ("score_binpack", "score_spread"),
        "gc/cases": ("calls", "per_eval"),
        "job-admission/admission": ("accepted", "result", "warnings", "error"),
        "job-admission/api-defaults": ("result",),
        "job-admission/job-update": ("error",),
        "job-admission/spec-changed": ("changed",),
        "periodic/dispatcher": (
            "ops[].eval",
            "ops[].error",
            "ops[].at",
            "ops[].launched",
            "ops[].tracked",
        ),
        "periodic/next-launch": ("validate_error", "error", "next", "next_utc"),
        "plan-applier/plans": (
            "nodes",
            "rejected",
            "rejected_one_of",
            "result",
            "no_op",
            "full_commit",
            "expected",
            "actual",
            "error",
        ),
        "reschedule/cases": (
            "last_event_time",
            "next_delay_ns",
            "next_time",
            "next_time_from_now",
            "eligible_by_policy",
            "should_reschedule",
            "attempted",
            "attempts",
            "pre_filter",
            "decision",
            "filter",
            "last_unknown",
            "needs_to_reconnect",
            "expired",
            "replace_on_disconnect",
            "disconnect_timeout",
            "should_client_stop",
            "wait_client_stop",
        ),
        "scheduler": (
            "outcome.plans[].plan",
            "outcome.created_evals",
            "outcome.updated_evals",
            "outcome.reblocked_evals",
            "outcome.error",
        ),
        "state-store/sequences": (
            "entries[].error",
            "entries[].answer",
            "entries[].tables",
            "entries[].indexes",
        ),
        "tasks-updated/cases": ("destructive", "destructive_reverse"),
    }
)
"""Each kind of recordings with the members that are answers."""


def is_answer(kind: str, path: str) -> bool:
    """True if a path leads to an answer, or into one."""
    return any(fits(f"^{member}", path) for member in ANSWERS.get(kind, ()))
