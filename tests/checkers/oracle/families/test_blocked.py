from collections.abc import Callable
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
KIND = "blocked/sequences"
NOTHING: dict[str, Any] = {
    "captured": [],
    "escaped": [],
    "system_by_node": {},
    "jobs": {},
    "duplicates": [],
    "unblock_indexes": {},
    "stats": {
        "TotalBlocked": 0,
        "TotalEscaped": 0,
        "TotalQuotaLimit": 0,
        "ByJob": {},
        "ByClassInDC": {},
    },
}
EVAL = {
    "ID": "b01",
    "Namespace": "n",
    "JobID": "j",
    "Type": "service",
    "SnapshotIndex": 3,
    "Status": "blocked",
}
OPS: list[dict[str, Any]] = [
    {"op": "set-enabled", "enabled": True, "enqueued": [], "state": NOTHING},
    {
        "op": "unblock",
        "class": "c",
        "index": 5,
        "enqueued": [],
        "state": NOTHING | {"unblock_indexes": {"c": 5}},
    },
    {"op": "block", "eval": EVAL, "enqueued": ["b01"], "state": NOTHING | {"unblock_indexes": {"c": 5}}},
    {"op": "get-duplicates", "answer": [], "enqueued": [], "state": NOTHING | {"unblock_indexes": {"c": 5}}},
]


def judge(change: Change = lambda _: None) -> Judgement:
    ops = [{"broker_requeue": {}, **deepcopy(operation)} for operation in OPS]
    change(ops)
    return judge_document(KIND, {"id": "blocked-x", "ops": ops})


@EVERY_THIRD_OR_ALL
def test_all_recordings_are_accepted(every: int) -> None:
    assert_accepted(judge_recordings(KIND, every=every))


def test_what_was_written_by_hand_is_accepted() -> None:
    assert Ruling.ACCEPTED == judge().ruling


@pytest.mark.parametrize(
    ("change", "path"),
    [
        (lambda ops: ops[2]["enqueued"].clear(), "ops[2].enqueued[0]"),
        (lambda ops: ops[3]["enqueued"].append("b01"), "ops[3].enqueued[0]"),
        (lambda ops: ops[1]["state"]["unblock_indexes"].update(c=6), "ops[1].state.unblock_indexes.c"),
        (lambda ops: ops[2]["state"]["captured"].append("b01"), "ops[2].state.captured[0]"),
        (lambda ops: ops[3]["answer"].append("b01"), "ops[3].answer[0]"),
        (lambda ops: ops[2]["broker_requeue"].update(T1="b01"), "ops[2].broker_requeue.T1"),
        (lambda ops: ops[0].pop("enqueued"), "ops[0].enqueued"),
        (lambda ops: ops[2].update(enqueued=["b01", {}]), "ops[2].enqueued[1]"),
    ],
)
def test_what_differs_is_named(change: Change, path: str) -> None:
    judgement = judge(change)

    assert Ruling.REJECTED == judgement.ruling
    assert judgement.difference
    assert path == judgement.difference.path


def test_what_is_no_operation_is_unreadable() -> None:
    assert "ops[0].op" == find_complaint(lambda: judge(lambda ops: ops[0].update(op="jump")))
