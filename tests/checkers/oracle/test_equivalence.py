"""What may differ without being wrong."""

from typing import Any

import pytest

from nomadspec.checkers.oracle.equivalence import EQUIVALENCES, find_row
from nomadspec.checkers.oracle.registry import TRACE, list_kinds

REASON = "nodes.n1.reason"
WATCHER = "deployment-watcher/sequences"
CALLS = "ops[0].calls"
EVENTS = "events[3].Events"
PROMOTE = {"call": "DeploymentPromote", "all": True}
FAIL = {"call": "DeploymentStatusUpdate"}


def test_every_row_is_about_recordings_and_says_why() -> None:
    assert {row.kind for row in EQUIVALENCES} <= {*list_kinds(), TRACE.family}
    assert all(row.reason and row.pattern for row in EQUIVALENCES)


@pytest.mark.parametrize(
    ("kind", "path", "recorded", "other", "row"),
    [
        ("plan-applier/plans", REASON, "a: port collision: x", "a: port collision: y", "collision-details"),
        ("plan-applier/plans", REASON, "a: port collision: x", "b: port collision: x", None),
        ("plan-applier/plans", REASON, "memory", "memories", None),
        ("plan-applier/plans", REASON, "a: port collision: x", None, None),
        ("plan-applier/plans", "error", "1 error", "2 errors", "errors-met-before-the-stop"),
        ("plan-applier/plans", "error", "1 error", "", None),
        ("state-store/sequences", "entries[1].tables.jobs.created[0].x", "NOW", "xNOW", "wall-clock"),
        ("state-store/sequences", "entries[1].tables.jobs.created[0].x", "now", "xNOW", None),
        ("fit-and-score/ports", "ports[0].Value_recorded", 20001, 20002, "chosen-port"),
        (WATCHER, CALLS, [FAIL, PROMOTE], [FAIL, PROMOTE, PROMOTE], "repeated-promotion"),
        (WATCHER, CALLS, ["odd"], ["odd", "odd"], None),
        (WATCHER, CALLS, [FAIL], [FAIL, FAIL], None),
        (WATCHER, CALLS, [FAIL, PROMOTE], [FAIL], None),
        (WATCHER, CALLS, [FAIL], None, None),
        ("fit-and-score/ports", "ports[0].Value_recorded", 20001, None, None),
        ("trace", EVENTS, [{"Key": "a"}, {"Key": "b"}], [{"Key": "b"}, {"Key": "a"}], "order-of-events"),
        ("trace", EVENTS, [{"Key": "a"}, {"Key": "b"}], [{"Key": "a"}, {"Key": "a"}], None),
        ("trace", EVENTS, [{"Key": "a"}], None, None),
        ("blocked/sequences", "ops[3].enqueued", ["b01"], ["b01", "b02"], None),
        ("broker/sequences", "error", "1 error", "2 errors", None),
        ("scheduler", "outcome.error", {"a": [{"b": 0}], "c": 1}, {"a": [{}], "c": 1}, "absent-is-zero"),
        ("scheduler", "outcome.plans[0].plan", {"a": 0}, {"a": 1}, None),
        ("scheduler", "state.index", {"a": 0}, {}, None),
    ],
)  # fmt: skip
def test_a_row_allows_what_it_says_and_nothing_else(
    kind: str, path: str, recorded: Any, other: Any, row: str | None
) -> None:
    found = find_row(kind, path, recorded, other)

    assert row == (found.id if found else None)
