"""The recordings of evaluated plans are accepted; what depends on an order may have any outcome of it."""

from copy import deepcopy
from typing import Any

import pytest

from nomadspec.checkers.oracle.judgement import Judgement, Ruling
from tests.recorded import EVERY_THIRD_OR_ALL, assert_accepted, judge_document, judge_recordings

KIND = "plan-applier/plans"

ALLOC = {"EvalID": "e", "Namespace": "n", "JobID": "j", "ClientStatus": "pending", "DesiredStatus": "run"}
READY = {"Status": "ready", "SchedulingEligibility": "eligible", "NodeResources": {}}
REJECTED = {"fit": False, "reason": "node does not exist"}
FAILED = {"fit": False, "reason": "max allocation exceeded", "error": "plan exceeds max allocation"}


def make(**answers: Any) -> dict[str, Any]:
    """Make a recording of a plan for a node that is not there and for two that have too many allocations."""
    full = [{"ID": name, "NodeMaxAllocs": 1, **READY} for name in ("full-1", "full-2")]
    placed = {
        node: [{"ID": f"{node}-{number}", "NodeID": node, **ALLOC} for number in range(2)]
        for node in ("full-1", "full-2", "gone")
    }
    return {
        "id": "plan-x",
        "tags": [],
        "state": {"index": {"nodes": 5, "allocs": 7, "latest": 9}, "nodes": full, "jobs": [], "allocs": []},
        "plan": {"EvalID": "e", "AllAtOnce": True, "NodeAllocation": placed},
        "nodes": {"full-1": FAILED, "full-2": FAILED, "gone": REJECTED},
        "order_dependent": True,
        **answers,
    }


GANG_REJECTED: dict[str, Any] = {
    "rejected_one_of": ["gone"],
    "result": {
        "NodeUpdate": {},
        "NodeAllocation": {},
        "NodePreemptions": {},
        "Deployment": None,
        "DeploymentUpdates": [],
        "RefreshIndex": 7,
    },
    "no_op": True,
    "full_commit": False,
    "expected": 6,
    "actual": 0,
}
ONE = "1 error occurred:\n\t* plan exceeds max allocation\n\n"
TWO = "2 errors occurred:\n\t* plan exceeds max allocation\n\t* plan exceeds max allocation\n\n"


def judge(document: dict[str, Any]) -> Judgement:
    return judge_document(KIND, document)


@EVERY_THIRD_OR_ALL
def test_recordings_are_accepted(every: int) -> None:
    assert_accepted(judge_recordings(KIND, every=every))


@pytest.mark.parametrize("answers", [GANG_REJECTED, {"error": ONE}, {"error": TWO}])
def test_a_refusal_or_an_error_may_come_first(answers: dict[str, Any]) -> None:
    """PLAN-47."""
    assert Ruling.ACCEPTED == judge(make(**answers)).ruling


@pytest.mark.parametrize("error", [ONE + "\n", ONE.replace("1", "3"), "plan exceeds max allocation"])
def test_other_errors_are_rejected(error: str) -> None:
    judgement = judge(make(error=error))

    assert judgement.difference is not None
    assert "error" == judgement.difference.path


def test_without_a_rejected_node_nothing_depends_on_the_order() -> None:
    told = make(error=TWO)
    del told["plan"]["NodeAllocation"]["gone"], told["nodes"]["gone"]
    judgement = judge(told)

    assert judgement.difference is not None
    assert ("order_dependent", "PLAN-47") == (judgement.difference.path, judgement.difference.rule)


@pytest.mark.parametrize(
    ("updates", "preemptions", "named", "ruling"),
    [
        (("x", "y"), ("z",), "x", Ruling.ACCEPTED),
        (("x", "y"), ("z",), "y", Ruling.ACCEPTED),
        (("x", "y"), ("z",), "z", Ruling.REJECTED),
        ((), ("z",), "z", Ruling.ACCEPTED),
    ],
)
def test_any_unknown_allocation_may_be_met_first(
    updates: tuple[str, ...], preemptions: tuple[str, ...], named: str, ruling: Ruling
) -> None:
    """PLAN-40: stops are looked up before preemptions."""
    told = make(error=f"alloc {named} doesn't exist")
    told["plan"]["NodeUpdate"] = {"gone": [{"ID": name} for name in updates]}
    told["plan"]["NodePreemptions"] = {
        "gone": [{"ID": name, "PreemptedByAllocation": "p"} for name in preemptions]
    }

    assert ruling == judge(told).ruling


def test_a_changed_verdict_is_rejected_where_it_was_changed() -> None:
    told = deepcopy(make(**GANG_REJECTED))
    told["nodes"]["gone"] = {"fit": True, "reason": ""}
    judgement = judge(told)

    assert judgement.difference is not None
    assert ("nodes.gone.fit", "PLAN-51") == (judgement.difference.path, judgement.difference.rule)
