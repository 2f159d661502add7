"""The property that a second look changes nothing."""

from nomadspec.invariants.cluster.scheduler.repetition import describe
from nomadspec.model.cluster.entities import Deployment, DeploymentStatusUpdate, Evaluation, Job, Plan
from tests.invariants.cluster.scheduler.made import ask, make_decision
from tests.model.cluster.scheduler.made import make_alloc, make_group, make_job


def test_what_is_left_to_do_is_told() -> None:
    """GENERIC-22."""
    surplus = make_decision(job=make_job(make_group(count=0)), had=(make_alloc(job=make_job()),))

    problems = ["stop of j.web[0] is planned again for j"]
    assert problems == ask("a_second_look_moves_nothing", surplus)


def test_nothing_is_asked_of_what_was_given_up() -> None:
    failed = (Evaluation(status="failed"),)
    surplus = make_decision(
        job=make_job(make_group(count=0)), had=(make_alloc(job=make_job()),), updated_evals=failed
    )

    assert not ask("a_second_look_moves_nothing", surplus)


def test_a_plan_is_described_by_what_it_changes() -> None:
    plan = Plan(
        job=Job(),
        node_update={"n": (make_alloc(),)},
        node_allocation={"n": (make_alloc(name="b"),)},
        deployment_updates=(DeploymentStatusUpdate(status="failed"),),
        deployment=Deployment(),
    )

    assert "stop of j.web[0], write of b, status failed, a deployment" == describe(plan)
