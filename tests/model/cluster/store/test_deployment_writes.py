"""The writes that change deployments."""

import pytest

from nomadspec.model.cluster.entities import DeploymentState, DeploymentStatusUpdate
from nomadspec.model.cluster.store.deployment_writes import (
    merge_planned,
    update_deployment_status,
    write_deployment,
)
from nomadspec.model.cluster.store.draft import Draft
from nomadspec.model.cluster.store.run import RefusedError
from nomadspec.model.specification.profiles import INTENDED, NOMAD_2_0
from tests.model.cluster.store.made import KEY, make_deployment, need, register, with_rows

TIMED = DeploymentState(progress_deadline_ns=100, require_progress_by_ns=5)


def begin(state: DeploymentState | None = None, **fields: object) -> Draft:
    known = with_rows(register(), deployments=(make_deployment(state, **fields),))
    return Draft.of(known, 9, profile=NOMAD_2_0)


def test_a_write_keeps_the_index_of_the_creation() -> None:
    """DEP-19."""
    draft = begin(create_index=4)
    write_deployment(draft, make_deployment(create_index=99))

    assert (4, 9) == (draft.deployments["d1"].create_index, draft.deployments["d1"].modify_index)


def test_a_promotion_cannot_be_undone() -> None:
    """DEP-19."""
    draft = begin(DeploymentState(promoted=True))

    with pytest.raises(RefusedError, match="deployment promotion cannot be undone"):
        write_deployment(draft, make_deployment())


def test_a_group_that_is_left_out_is_no_undone_promotion() -> None:
    draft = begin(DeploymentState(promoted=True))
    write_deployment(draft, make_deployment(task_groups={}))

    assert {} == draft.deployments["d1"].task_groups


def test_success_makes_the_version_stable() -> None:
    """DEP-62."""
    draft = begin()
    write_deployment(draft, make_deployment(status="successful"))

    assert need(draft.jobs.get(KEY)).stable


@pytest.mark.parametrize(("status", "due"), [("running", 150), ("paused", 150), ("failed", 5)])
def test_running_and_pausing_restart_the_clock(status: str, due: int) -> None:
    """DEP-21."""
    draft = begin(TIMED)
    update = DeploymentStatusUpdate(deployment_id="d1", status=status, updated_at_ns=50)
    update_deployment_status(draft, update)
    after = draft.deployments["d1"]

    assert (status, 50, due) == (
        after.status,
        after.modify_time_ns,
        need(after.task_groups["g"]).require_progress_by_ns,
    )


def test_groups_without_a_deadline_or_a_state_stay_as_they_are() -> None:
    draft = begin(task_groups={"g": DeploymentState(), "none": None})
    update_deployment_status(
        draft, DeploymentStatusUpdate(deployment_id="d1", status="running", updated_at_ns=5)
    )

    assert {"g": DeploymentState(), "none": None} == draft.deployments["d1"].task_groups


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("d1", 'Deployment "d1" has terminal status "failed":'),
        ("d2", 'Deployment ID "d2" couldn\'t be updated as it does not exist'),
    ],
)
def test_what_has_ended_or_is_not_there_gets_no_new_status(name: str, text: str) -> None:
    """DEP-20."""
    with pytest.raises(RefusedError, match=text):
        update_deployment_status(begin(status="failed"), DeploymentStatusUpdate(deployment_id=name))


def test_a_plan_keeps_what_clients_moved_and_the_groups_that_it_leaves_out() -> None:
    """OBJ-423."""
    stored = DeploymentState(placed_allocs=3, healthy_allocs=2, require_progress_by_ns=7, desired_total=3)
    draft = begin(task_groups={"g": stored, "other": stored})
    merged = merge_planned(draft, make_deployment(DeploymentState(desired_total=9, placed_canaries=("c",))))

    assert (3, 2, 7, 9, ("c",)) == (
        need(merged.task_groups["g"]).placed_allocs,
        need(merged.task_groups["g"]).healthy_allocs,
        need(merged.task_groups["g"]).require_progress_by_ns,
        need(merged.task_groups["g"]).desired_total,
        need(merged.task_groups["g"]).placed_canaries,
    )
    assert stored == merged.task_groups["other"]


def test_a_new_deployment_is_taken_as_it_is() -> None:
    planned = make_deployment(id="new")

    assert planned is merge_planned(begin(), planned)


def test_a_plan_revives_what_has_ended_but_not_as_intended() -> None:
    """08/S2."""
    state = with_rows(register(), deployments=(make_deployment(status="failed"),))

    assert "running" == merge_planned(Draft.of(state, 9, profile=NOMAD_2_0), make_deployment()).status
    assert "failed" == merge_planned(Draft.of(state, 9, 0, profile=INTENDED), make_deployment()).status
