"""Tests of `model/cluster/entities/plan.py`."""

import msgspec
import pytest

from nomadspec.model.cluster.entities.allocation import Allocation
from nomadspec.model.cluster.entities.deployment import Deployment, DeploymentStatusUpdate
from nomadspec.model.cluster.entities.plan import NamespacedId, Plan, PlanResult, is_no_op
from tests.model.cluster.entities.members import assert_members


@pytest.mark.parametrize(
    ("record", "members"),
    [
        (NamespacedId, "Namespace ID"),
        (
            Plan,
            (
                "EvalID EvalToken Priority AllAtOnce Job JobInfo NodeUpdate NodeAllocation Annotations "
                "Deployment DeploymentUpdates NodePreemptions SnapshotIndex"
            ),
        ),
        (
            PlanResult,
            (
                "NodeUpdate NodeAllocation Deployment DeploymentUpdates NodePreemptions RejectedNodes "
                "IneligibleNodes RefreshIndex AllocIndex"
            ),
        ),
    ],
)
def test_members_are_spelled_as_the_interface_spells_them(record: type[msgspec.Struct], members: str) -> None:
    assert_members(record, members)


def test_evictions_alone_do_not_make_a_plan() -> None:
    """OBJ-281."""
    assert is_no_op(Plan(node_preemptions={"n": (Allocation(),)}))


@pytest.mark.parametrize(
    "plan",
    [
        Plan(node_update={"n": ()}),
        Plan(node_allocation={"n": (Allocation(),)}),
        Plan(deployment=Deployment()),
        Plan(deployment_updates=(DeploymentStatusUpdate(),)),
    ],
)
def test_a_plan_that_names_something_is_one(plan: Plan) -> None:
    """OBJ-281."""
    assert not is_no_op(plan)
