from typing import Any

import pytest
from hypothesis import given

from nomadspec.model.cluster.entities import NS_PER_S, Allocation, DisconnectStrategy, Node
from nomadspec.model.cluster.policy.reschedule_filter import Placing, RescheduleCase, filter_alloc
from nomadspec.model.cluster.scheduler.reconcile.buckets import (
    TABLE,
    Bucket,
    classify,
    find_row,
    is_undisturbed,
    sort_into_buckets,
)
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.model.cluster.scheduler.reconcile.made import NOW_NS, Scene, groups

NODES = ("", "drain", "init", "disc", "down", "gone")
UNTAINTED, LOST, MOVES, BACK, CUT_OFF = "untainted", "lost", "migrate", "reconnecting", "disconnecting"

BY_STATUS = [
    ("pending", {}, (UNTAINTED, UNTAINTED, UNTAINTED, LOST, LOST, LOST)),
    ("", {"grace": 300}, (UNTAINTED, UNTAINTED, UNTAINTED, CUT_OFF, LOST, LOST)),
    ("", {"grace": 300, "replace": False}, (UNTAINTED, UNTAINTED, UNTAINTED, CUT_OFF, CUT_OFF, LOST)),
    ("", {}, (UNTAINTED, UNTAINTED, UNTAINTED, LOST, LOST, LOST)),
    ("", {"replace": False}, (UNTAINTED, UNTAINTED, UNTAINTED, LOST, CUT_OFF, LOST)),
    ("ar", {"grace": 300}, (BACK, BACK, UNTAINTED, CUT_OFF, LOST, LOST)),
    ("ar", {"grace": 300, "replace": False}, (BACK, BACK, UNTAINTED, CUT_OFF, CUT_OFF, LOST)),
    ("unk=5", {"grace": 300}, (BACK, BACK, UNTAINTED, UNTAINTED, LOST, LOST)),
    ("unk=5", {"grace": 300, "replace": False}, (BACK, BACK, UNTAINTED, UNTAINTED, UNTAINTED, LOST)),
    ("unk=300", {"grace": 300}, ("expiring",) * 6),
    ("unk=5", {}, ("expiring",) * 6),
    ("ar f=5", {}, (BACK,) * 6),
    ("f=5", {}, (UNTAINTED,) * 6),
    ("complete", {}, (UNTAINTED,) * 6),
    ("lost", {}, (UNTAINTED,) * 6),
    ("mig", {"grace": 300}, (MOVES, MOVES, MOVES, CUT_OFF, MOVES, MOVES)),
    ("mig", {}, (MOVES, MOVES, MOVES, LOST, MOVES, MOVES)),
    ("pending mig", {}, (MOVES, MOVES, MOVES, LOST, MOVES, MOVES)),
    ("unk=5 mig", {"grace": 300}, (MOVES, MOVES, MOVES, UNTAINTED, MOVES, MOVES)),
    ("f=5 mig c", {}, (MOVES,) * 6),
    ("f=5 mig", {}, (UNTAINTED,) * 6),
    ("stop", {}, ("ignore",) * 6),
    ("evict", {}, ("ignore",) * 6),
    ("stop stay", {}, (UNTAINTED,) * 6),
    ("stop ar f=5", {}, ("ignore",) * 6),
    ("stop ar", {"grace": 300}, (BACK, BACK, UNTAINTED, CUT_OFF, LOST, LOST)),
]


def make(marks: str, *, grace: int = 0, replace: bool = True) -> tuple[Allocation, dict[str, Node | None]]:
    disconnect = DisconnectStrategy(lost_after_ns=grace * NS_PER_S, replace=replace)
    allocs = Scene(disconnect=disconnect).make_allocs(f"0 {marks}")
    return allocs.rows[0], allocs.tainted


@pytest.mark.parametrize(("marks", "settings", "expected"), BY_STATUS)
def test_each_status_on_each_node(marks: str, settings: dict[str, Any], expected: tuple[str, ...]) -> None:
    """REC-19, REC-39: on a fine node, draining, draining at its start, out of reach, down, gone."""
    found = [
        classify(*make(f"{marks} {node}", **settings), NOW_NS, profile=NOMAD_2_0).bucket for node in NODES
    ]

    assert list(expected) == found


@pytest.mark.parametrize("replace", [True, False])
def test_unknown_for_no_known_time(replace: bool) -> None:
    """REC-33, REC-35, REC-37: it neither expires nor comes back."""
    _, tainted = make("unk=5 down")
    alloc, _ = make("pending", replace=replace)
    unknown = Allocation(
        job=alloc.job,
        task_group="web",
        node_id=alloc.node_id,
        desired_status="run",
        client_status="unknown",
    )

    expected = Bucket.LOST if replace else Bucket.UNTAINTED
    assert expected == classify(unknown, tainted, NOW_NS, profile=NOMAD_2_0).bucket
    assert Bucket.UNTAINTED == classify(unknown, {}, NOW_NS, profile=NOMAD_2_0).bucket


def test_one_without_a_job_has_no_grace() -> None:
    """REC-29: nothing says that it may be unknown."""
    alloc = Allocation(node_id="n", desired_status="run", client_status="running")

    assert "REC-29" == classify(alloc, {"n": Node(status="disconnected")}, NOW_NS, profile=NOMAD_2_0).rule


def test_a_status_that_nobody_knows_taints_nothing() -> None:
    """REC-38."""
    alloc = Allocation(node_id="n", desired_status="run", client_status="running")

    assert "REC-38" == classify(alloc, {"n": Node(status="odd")}, NOW_NS, profile=NOMAD_2_0).rule


def test_the_table_is_in_the_order_of_its_rules() -> None:
    """REC-19."""
    assert [f"REC-{number}" for number in range(20, 39)] == [row.rule for row in TABLE]


def test_why_is_noted() -> None:
    call = Scene().make_input("0; 1 down")

    buckets = sort_into_buckets(call, {alloc.id: alloc for alloc in call.allocs})

    reasons = call.reasons.build()
    assert reasons is not None
    assert [("a00", "untainted", "REC-33"), ("a01", "lost", "REC-37")] == [
        (each.alloc_id, each.bucket, each.rule) for each in reasons.buckets
    ]
    assert {"a01"} == buckets[Bucket.LOST].keys()


@given(groups())
def test_the_short_way_leads_where_the_table_does(drawn: tuple[Scene, str]) -> None:
    """REC-19: and the filter keeps what it is never asked about."""
    scene, text = drawn
    call = scene.make_input(text)
    for alloc in call.allocs:
        assert find_row(alloc, call.tainted, NOW_NS, profile=NOMAD_2_0) == classify(
            alloc, call.tainted, NOW_NS, profile=NOMAD_2_0
        )
        if is_undisturbed(alloc):
            case = RescheduleCase(
                now_ns=NOW_NS,
                eval_id="E",
                is_batch=call.is_batch,
                deployment=scene.deployment,
                profile=NOMAD_2_0,
            )
            found = filter_alloc(alloc, case)
            assert (Placing.KEPT, None) == (found.placing, found.later_ns)
