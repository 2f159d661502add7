from typing import Any

import pytest
from msgspec.structs import replace

from nomadspec.model.cluster.entities import (
    Allocation,
    AllocDeploymentStatus,
    Deployment,
    Job,
    Node,
    Task,
    TaskGroup,
    UpdateStrategy,
)
from nomadspec.model.cluster.policy.update import UpdateVerdict, compute_budget, has_run_limit, judge_update

GROUP = TaskGroup(name="web", count=9, tasks=(Task(name="t", driver="docker"),))
OLD = Job(type="service", job_modify_index=5, datacenters=("dc*",), node_pool="mills", task_groups=(GROUP,))
NEW = replace(OLD, job_modify_index=9, priority=70)
CHANGED = replace(NEW, task_groups=(replace(GROUP, tasks=(Task(name="t", driver="exec"),)),))
HOME = Node(datacenter="dc1", node_pool="mills", status="down")
LIMITED = replace(OLD, type="batch", task_groups=(replace(GROUP, max_run_duration_ns=1),))
ALLOC = Allocation(task_group="web", job=OLD, desired_status="run", client_status="running")
DONE = replace(ALLOC, client_status="complete")


@pytest.mark.parametrize(
    ("alloc", "job", "node", "verdict", "rule"),
    [
        (ALLOC, replace(CHANGED, job_modify_index=5), None, UpdateVerdict.IGNORE, "GENERIC-47"),
        (ALLOC, CHANGED, HOME, UpdateVerdict.DESTRUCTIVE, "GENERIC-48"),
        (DONE, CHANGED, HOME, UpdateVerdict.DESTRUCTIVE, "GENERIC-48"),
        (DONE, NEW, None, UpdateVerdict.IGNORE, "GENERIC-49"),
        (ALLOC, NEW, None, UpdateVerdict.DESTRUCTIVE, "GENERIC-50"),
        (ALLOC, NEW, replace(HOME, datacenter="east"), UpdateVerdict.DESTRUCTIVE, "GENERIC-51"),
        (ALLOC, NEW, replace(HOME, node_pool="docks"), UpdateVerdict.DESTRUCTIVE, "GENERIC-51"),
        (
            ALLOC,
            replace(NEW, node_pool="all"),
            replace(HOME, node_pool="docks"),
            UpdateVerdict.TRY,
            "GENERIC-53",
        ),
        (ALLOC, replace(NEW, node_pool=""), HOME, UpdateVerdict.DESTRUCTIVE, "GENERIC-51"),
        (ALLOC, NEW, HOME, UpdateVerdict.TRY, "GENERIC-53"),
        (replace(ALLOC, job=LIMITED), NEW, HOME, UpdateVerdict.IN_PLACE, "GENERIC-52"),
    ],
)
def test_what_becomes_of_an_allocation(
    alloc: Allocation, job: Job, node: Node | None, verdict: UpdateVerdict, rule: str
) -> None:
    """GENERIC-47, GENERIC-48, GENERIC-49, GENERIC-50, GENERIC-51, GENERIC-52, GENERIC-53."""
    judgement = judge_update(alloc, job, node)

    assert (verdict, rule) == (judgement.verdict, judgement.rule)
    assert ("driver" if rule == "GENERIC-48" else "") == judgement.change


def test_only_the_version_that_runs_limits_the_run() -> None:
    """GENERIC-52."""
    assert has_run_limit(replace(ALLOC, job=LIMITED))
    assert not has_run_limit(replace(ALLOC, job=replace(LIMITED, type="service")))
    assert not has_run_limit(Allocation(task_group="web"))


def member(healthy: bool | None, deployment_id: str = "d") -> Allocation:
    return Allocation(deployment_id=deployment_id, deployment_status=AllocDeploymentStatus(healthy=healthy))


@pytest.mark.parametrize(
    ("untainted", "changed", "budget"),
    [
        ([], {}, 4),
        ([member(True), member(None), member(None, "other")], {}, 3),
        ([member(True), member(False)], {}, 0),
        ([member(False, "other")], {}, 4),
        ([member(None)] * 5, {}, 0),
        ([], {"is_held": True}, 0),
        ([member(False)], {"moving": 0}, 9),
        ([member(False)], {"deployment": None}, 4),
        ([], {"deployment": None, "is_held": True}, 4),
        ([member(False)], {"group": GROUP}, 9),
        ([member(False)], {"group": replace(GROUP, update=UpdateStrategy())}, 9),
    ],
)
def test_how_many_may_be_replaced(untainted: list[Allocation], changed: dict[str, Any], budget: int) -> None:
    """REC-81."""
    known: dict[str, Any] = {
        "group": replace(GROUP, update=UpdateStrategy(max_parallel=4)),
        "deployment": Deployment(id="d"),
        "is_held": False,
        "moving": 6,
    }

    assert budget == compute_budget(untainted=untainted, **(known | changed))
