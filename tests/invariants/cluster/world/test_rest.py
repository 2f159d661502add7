"""When a deployment that goes on at rest is forgotten, and when it is not."""

from pathlib import Path
from typing import Final

from msgspec.structs import replace

from nomadspec.invariants.cluster.world.rest import deployment_ends_or_waits_for_operator
from nomadspec.model.cluster.world import World
from tests.invariants.cluster.world.planted import RUNNING, change, play, still

RACE: Final = "docs/scenarios/deployments/older-deployment-ends-before-the-plan-that-cancels-it.scenario"


def _list_forgotten(world: World) -> list[str]:
    return list(deployment_ends_or_waits_for_operator.check(still(world)))


def _without_deadline(world: World, **fields: int) -> World:
    (deployment,) = world.state.deployments.values()
    ((name, group),) = deployment.task_groups.items()
    assert group is not None
    bare = replace(group, **{"require_progress_by_ns": 0, **fields})
    return change(world, "deployments", status="running", task_groups={name: bare})


def test_a_deployment_without_a_deadline_that_nothing_looks_at_is_forgotten() -> None:
    world = _without_deadline(play(RUNNING))

    assert ["no deadline" in said for said in _list_forgotten(world)] == [True]


def test_nobody_waits_for_one_that_asks_for_no_progress_or_will_be_looked_at() -> None:
    """DEP-26, EVAL-15."""
    world = _without_deadline(play(RUNNING))

    assert [] == _list_forgotten(_without_deadline(play(RUNNING), progress_deadline_ns=0))
    assert [] == _list_forgotten(change(world, "evals", status="blocked"))


def test_an_older_deployment_that_ends_too_early_leaves_the_new_one_without_a_deadline_for_a_moment() -> None:
    """DEP-22, DEP-43: the store drops the plan's updates, but an evaluation looks again."""
    text = (Path(__file__).parents[4] / RACE).read_text(encoding="utf-8")
    early = play(text.partition("release SubmitPlan")[0])
    _, begun = sorted(early.state.deployments.values(), key=lambda each: each.job_version)

    assert [0] == [group.require_progress_by_ns for group in begun.task_groups.values() if group]
    assert [] == _list_forgotten(early)
    late = play(text).state.deployments[begun.id]
    assert ("running", "successful") == (begun.status, late.status)


def test_a_system_job_without_a_node_is_looked_at_once_there_is_one() -> None:
    """NODE-04: nothing is placed before, so that no deadline begins."""
    lines = ["cluster 1 nodes", "register agent type system", "hold worker", "purge agent"]
    lines += ["register agent type system", "do 'SetEligibility(node-1, False)'", "release worker", "wait 3h"]
    world = play("\n".join(lines))
    (running,) = [each for each in world.state.deployments.values() if each.status == "running"]

    assert [] == _list_forgotten(world)
    assert [0] == [group.require_progress_by_ns for group in running.task_groups.values() if group]
    assert [
        "no deadline" in said
        for said in _list_forgotten(change(world, "nodes", scheduling_eligibility="eligible"))
    ]
    later = play("\n".join([*lines, "do 'SetEligibility(node-1, True)'", "wait 3h"]))
    assert {each.status for each in later.state.deployments.values()} <= {"successful", "cancelled"}
