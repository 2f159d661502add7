"""Properties of where allocations go."""

from typing import Any

import pytest
from msgspec.structs import replace

from nomadspec.model.cluster.entities import (
    AllocatedCpu,
    AllocatedResources,
    AllocatedTask,
    Constraint,
    DriverInfo,
    EphemeralDisk,
    Job,
    Node,
    Task,
)
from tests.invariants.cluster.scheduler.made import ask, make_decision
from tests.model.cluster.scheduler.made import make_alloc, make_group, make_job, make_node

WELL = {"exec": DriverInfo(detected=True, healthy=True)}
EXEC = (Task(name="main", driver="exec"),)


def find_problems(name: str, job: Job, node: Node) -> list[str]:
    """Ask a property about one new allocation."""
    return ask(name, make_decision(node, job=job, placed=(make_alloc(job=job, client_status="pending"),)))


def test_a_plan_must_fit_the_state_that_it_was_made_from() -> None:
    """PLAN-54."""
    large = AllocatedResources(tasks={"main": AllocatedTask(cpu=AllocatedCpu(cpu_shares=1))})
    placed = (make_alloc(allocated_resources=large),)

    assert ["n1 cannot take its part of the plan"] == ask(
        "plans_fit", make_decision(make_node(), placed=placed)
    )
    assert not ask("plans_fit", make_decision(make_node(), placed=(make_alloc(),)))


def test_what_grows_in_place_must_fit_though_the_release_does_not_look() -> None:
    """PLAN-54, 03/S8."""
    large = AllocatedResources(tasks={"main": AllocatedTask(cpu=AllocatedCpu(cpu_shares=1))})
    grown = make_decision(make_node(), had=(make_alloc(),), placed=(make_alloc(allocated_resources=large),))

    assert ["n1 cannot take its part of the plan"] == ask("plans_fit", grown)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, []),
        ({"status": "down"}, ["n1 is not ready for j.web[0]"]),
        ({"datacenter": "x"}, ["n1 is none of the nodes of j"]),
        ({"node_pool": "gpu"}, ["n1 is none of the nodes of j"]),
    ],
)
def test_nodes_must_be_candidates(fields: dict[str, Any], expected: list[str]) -> None:
    """FEAS-06, FEAS-07, FEAS-08."""
    assert expected == find_problems("nodes_are_candidates", make_job(), make_node(**fields))


def test_a_kept_disk_may_be_anywhere() -> None:
    """RANK-12."""
    job = make_job(make_group(ephemeral_disk=EphemeralDisk(sticky=True)))

    assert not find_problems("nodes_are_candidates", job, make_node(datacenter="x"))


@pytest.mark.parametrize("level", ["job", "group", "task"])
def test_constraints_of_all_levels_must_be_met(level: str) -> None:
    """FEAS-12."""
    wanted = (Constraint(ltarget="${meta.rack}", operand="is_set"),)
    tasks = (Task(name="main", constraints=wanted if level == "task" else ()),)
    group = make_group(tasks=tasks, constraints=wanted if level == "group" else ())
    job = make_job(group, constraints=wanted if level == "job" else ())

    assert not find_problems("constraints_are_met", job, make_node(meta={"rack": ""}))
    problem = "j.web[0] is on n1, which does not meet ${meta.rack} is_set "
    assert [problem] == find_problems("constraints_are_met", job, make_node())


def test_drivers_must_work() -> None:
    """FEAS-26."""
    job = make_job(make_group(tasks=EXEC))

    assert not find_problems("drivers_work", job, make_node(drivers=WELL))
    assert ["j.web[0] is on n1, where exec does not work"] == find_problems("drivers_work", job, make_node())


def test_hosts_must_be_distinct_where_that_is_wanted() -> None:
    """FEAS-43, FEAS-45."""
    job = make_job(constraints=(Constraint(operand="distinct_hosts"),))
    had, placed = (make_alloc("a1"),), (make_alloc("a2", job=job),)
    shared = make_decision(make_node(), job=job, had=had, placed=placed)

    assert ["j.web[0] shares n1 with j.web[0]"] == ask("hosts_are_distinct", shared)
    assert not ask(
        "hosts_are_distinct", replace(shared, evaluation=replace(shared.evaluation, type="system"))
    )
    assert not ask("hosts_are_distinct", make_decision(make_node(), job=job, placed=placed))
