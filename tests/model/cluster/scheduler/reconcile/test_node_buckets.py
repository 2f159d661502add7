"""What becomes of a live allocation: the rows of the table, and which of two that apply is first."""

from typing import Any

import pytest

from nomadspec.model.cluster.entities import (
    NS_PER_S,
    AllocState,
    DesiredTransition,
    DisconnectStrategy,
    Job,
    TaskState,
)
from nomadspec.model.cluster.scheduler.reconcile.node_buckets import LiveCase, NodeBucket, classify_live
from nomadspec.model.specification.profiles import INTENDED, NOMAD_2_0
from tests.model.cluster.scheduler.made import NOW_NS, make_alloc, make_group, make_job, make_node

WAIT_NS = 100 * NS_PER_S
PATIENT = make_job(make_group(disconnect=DisconnectStrategy(lost_after_ns=WAIT_NS)))
ONCE = make_job(type="sysbatch")
DOWN = make_node(status="down")
CUT_OFF = make_node(status="disconnected")
DRAINING = make_node()
DONE = {"main": TaskState(state="dead")}
MIGRATE = DesiredTransition(migrate=True)


def unknown_since(seconds: int) -> tuple[AllocState, ...]:
    return (AllocState(value="unknown", time_ns=NOW_NS - seconds * NS_PER_S),)


def make_case(alloc: Any = None, **fields: Any) -> LiveCase:
    """Make an allocation that is as it should be, on a node that is as it should be."""
    usual: dict[str, Any] = {
        "profile": NOMAD_2_0,
        "alloc": alloc or make_alloc(job=PATIENT),
        "now_ns": NOW_NS,
        "is_required": True,
        "is_tainted": False,
        "node": None,
        "is_not_ready": False,
        "is_eligible": True,
        "is_outdated": False,
    }
    return LiveCase(**usual | fields)


def on(node: Any, alloc: Any = None, **fields: Any) -> LiveCase:
    """Make an allocation on a tainted node; none stands for one that is gone."""
    return make_case(alloc, is_tainted=True, node=node, is_eligible=False, **fields)


UNKNOWN = make_alloc(job=PATIENT, client_status="unknown", alloc_states=unknown_since(50))
EXPIRED = make_alloc(job=PATIENT, client_status="unknown", alloc_states=unknown_since(100))
IMPATIENT = make_alloc(job=make_job(), client_status="unknown", alloc_states=unknown_since(0))
BACK = make_alloc(job=PATIENT, alloc_states=unknown_since(500))
BACK_BEFORE = make_alloc(job=PATIENT, alloc_states=(*unknown_since(500), AllocState(value="running")))
FINISHED = make_alloc(job=ONCE, task_states=DONE)
PENDING = make_alloc(job=PATIENT, client_status="pending")
LEAVING = make_alloc(job=PATIENT, desired_transition=MIGRATE)


@pytest.mark.parametrize(
    ("rule", "bucket", "case"),
    [
        ("NODE-05", NodeBucket.STOP, make_case(is_required=False)),
        ("NODE-05", NodeBucket.STOP, on(DOWN, is_required=False)),
        ("NODE-05", NodeBucket.STOP, make_case(LEAVING, is_required=False)),
        ("NODE-06", NodeBucket.MIGRATE, make_case(LEAVING)),
        ("NODE-06", NodeBucket.MIGRATE, on(DOWN, LEAVING)),
        ("NODE-07", NodeBucket.LOST, on(CUT_OFF, EXPIRED)),
        ("NODE-07", NodeBucket.LOST, make_case(EXPIRED)),
        ("NODE-07", NodeBucket.LOST, on(CUT_OFF, IMPATIENT)),
        ("NODE-08", NodeBucket.IGNORE, on(CUT_OFF, UNKNOWN)),
        ("NODE-08", NodeBucket.IGNORE, on(DOWN, UNKNOWN)),
        ("NODE-08", NodeBucket.IGNORE, make_case(UNKNOWN, is_outdated=True)),
        ("NODE-09", NodeBucket.RECONNECTING, make_case(BACK, is_outdated=True)),
        ("NODE-18", NodeBucket.IGNORE, make_case(BACK_BEFORE)),
        ("NODE-10", NodeBucket.IGNORE, on(None, FINISHED)),
        ("NODE-12", NodeBucket.LOST, on(None, make_alloc(job=PATIENT, task_states=DONE))),
        ("NODE-11", NodeBucket.DISCONNECTING, on(CUT_OFF)),
        ("NODE-11", NodeBucket.DISCONNECTING, on(CUT_OFF, make_alloc(job=make_job()))),
        ("NODE-11", NodeBucket.DISCONNECTING, on(CUT_OFF, BACK)),
        ("NODE-12", NodeBucket.LOST, on(None)),
        ("NODE-12", NodeBucket.LOST, on(DOWN, PENDING)),
        ("NODE-13", NodeBucket.IGNORE, on(CUT_OFF, PENDING)),
        ("NODE-13", NodeBucket.IGNORE, on(DRAINING, is_outdated=True)),
        ("NODE-14", NodeBucket.STOP, make_case(is_not_ready=True, is_outdated=True)),
        ("NODE-14", NodeBucket.IGNORE, make_case(is_not_ready=True, is_eligible=False)),
        ("NODE-15", NodeBucket.STOP, make_case(is_eligible=False)),
        ("NODE-16", NodeBucket.UPDATE, make_case(is_outdated=True)),
        ("NODE-18", NodeBucket.IGNORE, make_case()),
    ],
)
def test_the_first_row_that_applies_decides(rule: str, bucket: NodeBucket, case: LiveCase) -> None:
    row = classify_live(case)

    assert (row.rule, row.bucket) == (rule, bucket)


@pytest.mark.parametrize(("job", "rule"), [(make_job(), "NODE-12"), (PATIENT, "NODE-11")])
def test_without_grace_what_is_cut_off_should_be_lost(job: Job, rule: str) -> None:
    """05/S13."""
    assert classify_live(on(CUT_OFF, make_alloc(job=job), profile=INTENDED)).rule == rule
    assert classify_live(on(CUT_OFF, make_alloc(job=job))).rule == "NODE-11"


@pytest.mark.parametrize("node", [None, DOWN], ids=["gone", "down"])
def test_what_is_unknown_on_a_node_that_is_lost_should_be_lost(node: Any) -> None:
    """X-43: walk 1391 of seed 601 had one on a node that was back for a moment, and then down."""
    assert classify_live(on(node, UNKNOWN, profile=INTENDED)).rule == "NODE-12"
    assert classify_live(on(node, UNKNOWN)).rule == "NODE-08"
    assert classify_live(on(CUT_OFF, UNKNOWN, profile=INTENDED)).rule == "NODE-08"
