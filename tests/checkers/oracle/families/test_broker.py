from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Any

import pytest

from nomadspec.checkers.oracle.judgement import Judgement, Ruling
from tests.recorded import (
    EVERY_THIRD_OR_ALL,
    assert_accepted,
    find_complaint,
    judge_document,
    judge_recordings,
)

Change = Callable[[list[dict[str, Any]]], object]
KIND = "broker/sequences"
CONFIG = {
    "nack_timeout_ns": 5_000_000_000,
    "initial_nack_delay_ns": 1_000_000_000,
    "subsequent_nack_delay_ns": 0,
    "delivery_limit": 2,
}
NOTHING: dict[str, Any] = {
    "ready": {},
    "unack": {},
    "pending": {},
    "slot": {},
    "wait": [],
    "delayed": [],
    "delay_heap": 0,
    "cancelable": [],
    "requeue": {},
    "known": {},
    "stats": {
        "TotalReady": 0,
        "TotalUnacked": 0,
        "TotalPending": 0,
        "TotalWaiting": 0,
        "TotalCancelable": 0,
        "ByScheduler": {},
    },
}
EMPTY: list[dict[str, Any]] = [
    {"op": "dequeue", "schedulers": ["batch"], "answer": None, "error": "eval broker disabled", "t_ms": 0},
    {"op": "set-enabled", "enabled": True, "t_ms": 1},
    {"op": "dequeue", "schedulers": ["batch"], "answer": None, "t_ms": 4},
    {"op": "ack", "eval": "e1", "token": "x", "error": "Evaluation ID not found", "t_ms": 6},
    {"op": "outstanding", "eval": "e1", "answer": {"token": "", "ok": False}, "t_ms": 7},
]


def judge(change: Change = lambda _: None) -> Judgement:
    ops = [{**deepcopy(operation), "state": deepcopy(NOTHING)} for operation in EMPTY]
    change(ops)
    return judge_document(KIND, {"id": "broker-x", "config": CONFIG, "ops": ops})


@EVERY_THIRD_OR_ALL
def test_all_recordings_are_accepted(every: int) -> None:
    assert_accepted(judge_recordings(KIND, every=every))


def test_what_was_written_by_hand_is_accepted() -> None:
    assert Ruling.ACCEPTED == judge().ruling


@pytest.mark.parametrize(
    ("change", "path"),
    [
        (lambda ops: ops[2].update(t_ms=2), "ops[2].t_ms"),
        (lambda ops: ops[4].update(t_ms=6), "ops[4].t_ms"),
        (lambda ops: ops[0].pop("error"), "ops[0].error"),
        (lambda ops: ops[3].update(error="Token does not match for Evaluation ID"), "ops[3].error"),
        (lambda ops: ops[1]["state"]["known"].update(e1=0), "ops[1].state.known.e1"),
        (lambda ops: ops[4]["answer"].update(ok=True), "ops[4].answer.ok"),
        (lambda ops: ops[2].update(answer={"eval": "e1", "token": "T1"}), "ops[2].answer"),
    ],
)
def test_what_differs_is_named(change: Change, path: str) -> None:
    judgement = judge(change)

    assert Ruling.REJECTED == judgement.ruling
    assert judgement.difference
    assert path == judgement.difference.path


def test_what_is_no_operation_is_unreadable() -> None:
    assert "ops[1].enabled" == find_complaint(lambda: judge(lambda ops: ops[1].update(enabled=1)))


@pytest.mark.parametrize("ns", [1, -1_000_000, 1_500_000, 999_999, 2_000_000.0, True])
def test_a_clock_of_whole_milliseconds_moves_by_such_only(ns: float) -> None:
    def wait(ops: list[dict[str, Any]]) -> None:
        ops.append({"op": "elapse", "ns": ns, "t_ms": 12, "state": deepcopy(NOTHING)})

    assert "ops[5].ns" == find_complaint(lambda: judge(wait))


def test_time_that_passes_is_seen_on_the_clock() -> None:
    def wait(ops: list[dict[str, Any]]) -> None:
        ops.append({"op": "elapse", "ns": 5_000_000, "t_ms": 13, "state": deepcopy(NOTHING)})
        ops.append({"op": "elapse", "ns": 0, "t_ms": 14, "state": deepcopy(NOTHING)})

    assert Ruling.ACCEPTED == judge(wait).ruling


def test_the_server_may_choose_among_equal_queues() -> None:
    chosen = {first: _choose(first, second) for first, second in [("e1", "e2"), ("e2", "e1"), ("e3", "e1")]}

    assert {"e1": Ruling.ACCEPTED, "e2": Ruling.ACCEPTED, "e3": Ruling.REJECTED} == chosen


def _choose(first: str, second: str) -> Ruling:
    evals = {
        name: {"ID": name, "Type": queue, "JobID": name, "Namespace": "n"}
        for name, queue in [("e1", "batch"), ("e2", "system")]
    }
    handed = [{"eval": entry, "token": ""} for entry in evals.values()]
    operation = {
        "op": "dequeue",
        "schedulers": ["batch", "system"],
        "answer": {"eval": first, "token": "T1"},
        "any_of": ["e1", "e2"],
        "t_ms": 2,
    }
    state = _show(evals, first, second) if first in evals else NOTHING
    ops = [
        {"op": "set-enabled", "enabled": True, "t_ms": 0, "state": NOTHING},
        {"op": "enqueue-all", "evals": handed, "t_ms": 1, "state": _show(evals)},
        {**operation, "state": state},
    ]
    return judge_document(KIND, {"id": "broker-y", "config": CONFIG, "ops": ops}).ruling


def _show(evals: Mapping[str, dict[str, str]], delivered: str = "", left: str = "") -> dict[str, Any]:
    ready = [left] if left else list(evals)
    counts = {
        entry["Type"]: {"Ready": int(name in ready), "Unacked": int(name == delivered)}
        for name, entry in evals.items()
    }
    totals = {"TotalReady": len(ready), "TotalUnacked": int(bool(delivered)), "ByScheduler": counts}
    return NOTHING | {
        "ready": {evals[name]["Type"]: [name] for name in ready},
        "unack": {delivered: "T1"} if delivered else {},
        "slot": {f"n/{name}": name for name in evals},
        "known": {name: int(name == delivered) for name in evals},
        "stats": NOTHING["stats"] | totals,
    }
