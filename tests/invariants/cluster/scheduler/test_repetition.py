"""The property that a second look changes nothing."""

import pytest
from msgspec.structs import replace

from nomadspec.checkers.stateful.clusters import History, live_through
from nomadspec.checkers.stateful.clusters.histories import Register, Report, Step, Wait
from nomadspec.checkers.stateful.clusters.nodes import make_node
from nomadspec.checkers.stateful.clusters.scheduler_findings import make_small_job
from nomadspec.invariants.cluster.scheduler.repetition import describe
from nomadspec.model.cluster.entities import (
    AllocClient,
    Deployment,
    DeploymentStatusUpdate,
    Evaluation,
    Job,
    JobType,
    Plan,
    UpdateStrategy,
)
from nomadspec.model.specification.profiles import INTENDED
from tests.invariants.cluster.scheduler.made import ask, make_decision
from tests.model.cluster.scheduler.made import make_alloc, make_group, make_job


def test_what_is_left_to_do_is_told() -> None:
    """GENERIC-22."""
    surplus = make_decision(job=make_job(make_group(count=0)), had=(make_alloc(job=make_job()),))

    problems = ["stop of j.web[0] is planned again for j"]
    assert problems == ask("a_second_look_moves_nothing", surplus)


def test_nothing_is_asked_of_what_used_up_its_attempts() -> None:
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


def _look_twice(*steps: Step, nodes: int = 1) -> list[str]:
    history = History(nodes=(make_node(),) * nodes, steps=steps)
    return [
        problem
        for decision in live_through(history, profile=INTENDED)
        for name in ("a_second_look_moves_nothing", "a_second_look_ends_no_deployment")
        for problem in ask(name, decision)
    ]


def _make_system_job(canary: int = 0) -> Job:
    job = make_small_job(JobType.SYSTEM)
    strategy = UpdateStrategy(max_parallel=2, health_check="checks", canary=canary)
    group = replace(job.task_groups[0], update=strategy)
    return replace(job, task_groups=(group,), meta={"new": "1"})


@pytest.mark.parametrize("nodes", [1, 3])
def test_canaries_may_be_described_and_ordered_anew(nodes: int) -> None:
    """SYSDEP-18, SYSDEP-21, SYSDEP-25: what is taken back leaves nodes without allocations in the plan."""
    old, new = make_small_job(JobType.SYSTEM), _make_system_job(canary=50)

    assert [] == _look_twice(Register(old), Register(new), nodes=nodes)


def test_a_deployment_that_has_ended_may_be_ended_again() -> None:
    """SYSDEP-11, SYSDEP-23, SYSDEP-24: each plan of a system job carries its deployment."""
    healthy = Report(0, AllocClient.RUNNING, healthy=True)

    assert [] == _look_twice(Register(_make_system_job()), healthy, Wait(1))
