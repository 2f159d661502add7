"""Counters of a deployment: OBJ-421, OBJ-422, DEP-24..26."""

import pytest
from msgspec.structs import replace

from nomadspec.model.cluster.entities import Allocation, AllocDeploymentStatus, Deployment, DeploymentState
from nomadspec.model.cluster.store.counters import count_in_deployment
from nomadspec.model.cluster.store.draft import Draft
from nomadspec.model.specification.profiles import INTENDED, NOMAD_2_0, Profile
from tests.model.cluster.store.made import KEY, make_alloc, make_deployment, need, register, with_rows

DEADLINE_NS = 600


def make_member(healthy: bool | None = None, **status: object) -> Allocation:
    health = replace(AllocDeploymentStatus(healthy=healthy, timestamp_ns=40), **status)
    return make_alloc(deployment_id="d1", deployment_status=health, modify_time_ns=30)


def count(
    alloc: Allocation,
    before: Allocation | None,
    state: DeploymentState | None = None,
    profile: Profile = NOMAD_2_0,
    **fields: object,
) -> tuple[Allocation, Deployment]:
    draft = Draft.of(
        with_rows(register(), deployments=(make_deployment(state, **fields),)), 9, 0, profile=profile
    )
    return count_in_deployment(draft, alloc, before), need(draft.deployments.get("d1"))


def read_counts(deployment: Deployment) -> tuple[int, int, int]:
    state = need(deployment.task_groups["g"])
    return state.placed_allocs, state.healthy_allocs, state.unhealthy_allocs


STARTED = DeploymentState(placed_allocs=5, healthy_allocs=3, unhealthy_allocs=2)


@pytest.mark.parametrize(
    ("before", "after", "counts"),
    [
        (None, None, (5, 3, 2)),
        (None, True, (5, 4, 2)),
        (None, False, (5, 3, 3)),
        (True, False, (5, 2, 3)),
        (False, True, (5, 3, 2)),
        (True, None, (5, 3, 2)),
        (True, True, (5, 3, 2)),
    ],
)
def test_by_what_became_of_the_health(
    before: bool | None, after: bool | None, counts: tuple[int, int, int]
) -> None:
    _, deployment = count(make_member(after), make_member(before), STARTED)

    assert counts == read_counts(deployment)


def test_an_alloc_that_becomes_healthy_again_is_counted_so_as_intended() -> None:
    """08/S7."""
    _, deployment = count(make_member(True), make_member(False), STARTED, INTENDED)

    assert (5, 4, 1) == read_counts(deployment)


def test_new_ones_and_those_that_move_in_are_placed_and_their_health_waits() -> None:
    _, fresh = count(make_member(True), None)
    _, moved = count(make_member(True), make_alloc(deployment_id="other"))

    assert (1, 0, 0) == read_counts(fresh) == read_counts(moved)


def test_a_count_dates_the_deployment_and_the_health() -> None:
    alloc, deployment = count(make_member(True), make_member())

    assert 9 == need(alloc.deployment_status).modify_index
    assert (9, 30) == (deployment.modify_index, deployment.modify_time_ns)


def test_what_moves_no_counter_writes_nothing() -> None:
    alloc, deployment = count(make_member(), make_member())

    assert (0, 0) == (need(alloc.deployment_status).modify_index, deployment.modify_index)


def test_canaries_are_listed_once() -> None:
    _, listed = count(make_member(canary=True), None)
    _, again = count(make_member(canary=True), None, DeploymentState(placed_canaries=("a1",)))

    assert (
        ("a1",)
        == need(listed.task_groups["g"]).placed_canaries
        == need(again.task_groups["g"]).placed_canaries
    )


@pytest.mark.parametrize(
    ("before", "healthy", "due", "expected"),
    [
        (False, None, 0, 30 + DEADLINE_NS),
        (False, None, 50, 50),
        (True, True, 0, 40 + DEADLINE_NS),
        (True, True, 9_999, 9_999),
        (True, False, 7, 7),
    ],
)
def test_the_deadline_is_set_by_the_first_placement_and_moved_by_health(
    before: bool, healthy: bool | None, due: int, expected: int
) -> None:
    state = DeploymentState(progress_deadline_ns=DEADLINE_NS, require_progress_by_ns=due)
    _, deployment = count(make_member(healthy), make_member() if before else None, state)

    assert expected == need(deployment.task_groups["g"]).require_progress_by_ns


def test_without_a_deadline_there_is_none() -> None:
    _, deployment = count(make_member(), None)

    assert 0 == need(deployment.task_groups["g"]).require_progress_by_ns


def test_other_groups_and_unknown_deployments_are_not_counted() -> None:
    stranger = replace(make_member(), task_group="other")
    assert (0, 0, 0) == read_counts(count(stranger, None)[1])

    lost = replace(make_member(), deployment_id="gone")
    assert (0, 0, 0) == read_counts(count(lost, None)[1])


def test_counting_in_a_successful_deployment_makes_its_version_stable() -> None:
    """DEP-62."""
    deployment = make_deployment(status="successful")
    draft = Draft.of(with_rows(register(), deployments=(deployment,)), 9, profile=NOMAD_2_0)
    count_in_deployment(draft, make_member(True), make_member())

    assert need(draft.jobs.get(KEY)).stable
