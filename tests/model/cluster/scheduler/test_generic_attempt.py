"""One attempt moves what was reconciled into the plan, in order."""

import pytest
from msgspec.structs import replace

from nomadspec.model.cluster.entities import Deployment, DeploymentState, TaskGroup, UpdateStrategy
from nomadspec.model.cluster.entities.plan import is_no_op
from nomadspec.model.cluster.scheduler.choices import ReplayedChoices
from nomadspec.model.cluster.scheduler.generic_attempt import Attempt, begin_context, refuse_endless
from nomadspec.model.cluster.scheduler.outcome import Answer
from nomadspec.model.errors import InputError
from nomadspec.model.specification.profiles import INTENDED, NOMAD_2_0, Profile
from tests.model.cluster.scheduler.fleet import make_fleet_group, make_host
from tests.model.cluster.scheduler.made import (
    make_alloc,
    make_call,
    make_eval,
    make_group,
    make_job,
    make_snapshot,
)


def test_an_attempt_begins_with_an_empty_plan() -> None:
    """GENERIC-10, GENERIC-11."""
    call = make_call(make_snapshot(make_job(make_fleet_group())), Answer(), evaluation=make_eval(priority=70))

    context = begin_context(call)

    assert context.job == make_job(make_fleet_group())
    assert is_no_op(context.plan)
    assert context.plan.build().priority == 70


def test_a_job_of_another_type_makes_no_deployment_for_the_batch_scheduler() -> None:
    """GENERIC-11, BATCH-01."""
    known = Deployment(id="d", namespace="default", job_id="j", status="running", job_create_index=5)
    call = make_call(
        make_snapshot(make_host("n1"), make_job(make_fleet_group()), deployments=[known]),
        scheduler="batch",
        choices=ReplayedChoices(node_orders=[["n1"]]),
    )
    attempt = Attempt(call)
    attempt.run()

    assert attempt.deployment is None


def test_an_update_in_place_joins_the_deployment_and_loses_its_health() -> None:
    """GENERIC-18, GENERIC-19, X-10."""
    old = make_job(make_fleet_group(update=UpdateStrategy(max_parallel=1)), job_modify_index=4)
    new = replace(old, version=1, job_modify_index=5)
    call = make_call(make_snapshot(make_host("n1"), new, make_alloc(job=old, deployment_id="d0")))
    attempt = Attempt(call)
    attempt.run()

    (updated,) = attempt.context.plan.node_allocation["n1"]

    assert attempt.deployment is not None
    assert updated.deployment_id == attempt.deployment.id
    assert updated.deployment_status is None
    assert attempt.queued == {"web": 0}


def test_a_known_deployment_keeps_the_health_of_its_members() -> None:
    """GENERIC-18, X-10."""
    old = make_job(make_fleet_group(), job_modify_index=4)
    new = replace(old, version=1, job_modify_index=5)
    known = Deployment(
        id="d",
        namespace="default",
        job_id="j",
        job_version=1,
        job_create_index=5,
        status="running",
        task_groups={"web": DeploymentState(desired_total=1)},
    )
    call = make_call(
        make_snapshot(make_host("n1"), new, make_alloc(job=old, deployment_id="d"), deployments=[known])
    )
    attempt = Attempt(call)
    attempt.run()

    (updated,) = attempt.context.plan.node_allocation["n1"]

    assert (updated.deployment_id, updated.eval_id) == ("d", "e1")


@pytest.mark.parametrize(("profile", "marked"), [(NOMAD_2_0, "d"), (INTENDED, "")])
def test_a_cancelled_deployment_marks_what_is_updated(profile: Profile, marked: str) -> None:
    """GENERIC-19, 04/S-08."""
    old = make_job(make_fleet_group(), job_modify_index=4)
    new = replace(old, version=1, job_modify_index=5)
    cancelled = Deployment(id="d", namespace="default", job_id="j", status="running", job_create_index=5)
    call = make_call(
        make_snapshot(make_host("n1"), new, make_alloc(job=old), deployments=[cancelled]), profile=profile
    )
    attempt = Attempt(call)
    attempt.run()

    (updated,) = attempt.context.plan.node_allocation["n1"]

    assert [each.status for each in attempt.context.plan.deployment_updates] == ["cancelled"]
    assert updated.deployment_id == marked


@pytest.mark.parametrize(
    "group", [make_group(count=2**63 - 1), make_group(update=UpdateStrategy(canary=2**31))], ids=str
)
def test_a_job_without_end_is_refused(group: TaskGroup) -> None:
    """OBJ-034."""
    with pytest.raises(InputError, match=r"job j: group 'web' wants \d+ allocations"):
        refuse_endless(make_job(group))

    refuse_endless(make_job(make_group(count=1_000_000)))
