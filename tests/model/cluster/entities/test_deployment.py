"""Tests of `model/cluster/entities/deployment.py`."""

import msgspec
import pytest
from msgspec.structs import replace

from nomadspec.model.cluster.entities.deployment import (
    Deployment,
    DeploymentState,
    DeploymentStatusUpdate,
    find_latest,
    has_auto_promote,
    has_placed_canaries,
    is_active,
    is_terminal,
    needs_promotion,
)
from nomadspec.model.lifecycle.deployment import DeploymentStatus
from tests.model.cluster.entities.members import assert_members


@pytest.mark.parametrize(
    ("record", "members"),
    [
        (
            DeploymentState,
            (
                "AutoRevert AutoPromote ProgressDeadline RequireProgressBy Promoted PlacedCanaries "
                "DesiredCanaries DesiredTotal PlacedAllocs HealthyAllocs UnhealthyAllocs"
            ),
        ),
        (
            Deployment,
            (
                "ID Namespace JobID JobVersion JobModifyIndex JobSpecModifyIndex JobCreateIndex "
                "IsMultiregion TaskGroups Status StatusDescription EvalPriority CreateIndex ModifyIndex "
                "CreateTime ModifyTime"
            ),
        ),
        (DeploymentStatusUpdate, "DeploymentID Status StatusDescription UpdatedAt"),
    ],
)
def test_members_are_spelled_as_the_interface_spells_them(record: type[msgspec.Struct], members: str) -> None:
    assert_members(record, members)


CANARIES = DeploymentState(desired_canaries=1)


def make(status: str = "running", **groups: DeploymentState | None) -> Deployment:
    """Make a deployment of some groups."""
    return Deployment(status=status, task_groups=groups)


def test_a_deployment_is_either_active_or_terminal() -> None:
    """OBJ-273."""
    assert all(is_active(make(status)) != is_terminal(make(status)) for status in DeploymentStatus)
    assert {"failed", "successful", "cancelled"} == {s for s in DeploymentStatus if is_terminal(make(s))}


@pytest.mark.parametrize(
    ("deployment", "needs"),
    [
        (make(g=CANARIES, h=None), True),
        (make(g=replace(CANARIES, promoted=True)), False),
        (make("paused", g=CANARIES), False),
        (make(g=DeploymentState()), False),
    ],
)
def test_a_running_deployment_with_canaries_needs_promotion(deployment: Deployment, needs: bool) -> None:
    """OBJ-275."""
    assert needs == needs_promotion(deployment)


@pytest.mark.parametrize(
    ("deployment", "has"),
    [
        (make(g=replace(CANARIES, auto_promote=True), h=DeploymentState()), True),
        (make(g=replace(CANARIES, auto_promote=True), h=CANARIES), False),
        (make(g=DeploymentState()), True),
        (make(), False),
        (make("failed", g=replace(CANARIES, auto_promote=True)), False),
    ],
)
def test_auto_promotion_has_to_cover_all_groups_with_canaries(deployment: Deployment, has: bool) -> None:
    """OBJ-275."""
    assert has == has_auto_promote(deployment)


def test_placed_canaries_are_seen_in_any_group() -> None:
    """OBJ-275."""
    assert has_placed_canaries(make(g=None, h=DeploymentState(placed_canaries=("a",))))
    assert not has_placed_canaries(make(g=None, h=CANARIES))


def test_the_latest_deployment_was_created_last() -> None:
    """OBJ-276."""
    first, second = (Deployment(create_index=index, job_create_index=index - 1) for index in (5, 9))

    assert second == find_latest([first, second])
    assert first == find_latest([first, second], job_create_index=4)
    assert find_latest([]) is None
