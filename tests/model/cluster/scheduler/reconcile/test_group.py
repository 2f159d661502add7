from typing import Any

import pytest
from msgspec.structs import replace

from nomadspec.model.cluster.entities import DeploymentState
from nomadspec.model.cluster.scheduler.reconcile.deployments import JobDeployments
from nomadspec.model.cluster.scheduler.reconcile.group import (
    begin_names,
    begin_run,
    hold_canaries_back,
    ignore_finished,
    join_deployment,
    list_visible,
    reconcile_group,
)
from tests.model.cluster.scheduler.reconcile.made import (
    BATCH_POLICY,
    Scene,
    case,
    make_deployment,
    make_update,
)

BATCH: dict[str, Any] = {"is_batch": True, "policy": BATCH_POLICY}

CASES = [
    case("W-72", BATCH, "0 complete stop; 1; 2", place="0", count="Ig3 Pl1"),
    case("W-73", {**BATCH, "version": 2}, "0-2 complete older", place="0 1 2", count="Ig3 Pl3"),
    case(
        "W-74",
        {**BATCH, "version": 2},
        "0 complete older; 1 I; 2 D",
        place="0",
        change="I1 X2",
        count="Ig1 Pl1 In1 De1",
    ),
    case("W-75", BATCH, "0 drain mig stay; 1; 2", stop="0MI", count="Ig2 Mi1"),
    case("W-76", BATCH, "0 stop mig stay; 1; 2", count="Ig3"),
    case("W-79", BATCH, "0 stop mig resched; 1; 2", place="0", count="Ig2 Pl1"),
    case("migrates at once", BATCH, "0 mig; 1; 2", place="0:M", stop="0MI", count="Ig2 Mi1"),
    case("used up", BATCH, "0 f=10 events=60; 1; 2", count="Ig3"),
    case("finished work stays done", BATCH, "0-2 complete", count="Ig3"),
]


@pytest.mark.parametrize(("scene", "allocs", "expected"), CASES)
def test_groups_of_batch_jobs(scene: Scene, allocs: str, expected: dict[str, str]) -> None:
    """REC-14, REC-16, BATCH-03, BATCH-04, BATCH-05, BATCH-06, BATCH-09, BATCH-10, BATCH-12."""
    assert expected == scene.solve(allocs)


def test_a_service_does_not_see_what_is_stopped() -> None:
    """REC-14."""
    text = "0; 1 stop; 2 evict; 3 stop resched; 4 f=5"
    service, batch = Scene().make_input(text), Scene(is_batch=True).make_input(text)

    assert ["a00", "a04"] == list(list_visible(service, {alloc.id: alloc for alloc in service.allocs}))
    assert ["a00", "a01", "a02", "a04"] == list(
        list_visible(batch, {alloc.id: alloc for alloc in batch.allocs})
    )


def test_only_the_batch_scheduler_forgets_finished_work() -> None:
    """REC-16."""
    run = Scene(**BATCH).begin("0 complete older; 1 older; 2 complete")
    other = Scene().begin("0 complete older")

    ignore_finished(run)
    ignore_finished(other)

    assert ["a01", "a02"] == list(run.allocs)
    assert 1 == run.done.counts["ignore"]
    assert ["a00"] == list(other.allocs)


def test_where_a_group_begins() -> None:
    """REC-15."""
    update = make_update(2, auto_revert=True, auto_promote=True, progress_deadline_ns=7)
    fresh, none = Scene(update=update).begin(""), Scene(update=make_update(0, auto_revert=True)).begin("")
    known = Scene(update=update, deployment=make_deployment(desired_total=3)).begin("")

    assert DeploymentState(auto_revert=True, auto_promote=True, progress_deadline_ns=7) == fresh.state
    assert DeploymentState() == none.state
    assert (DeploymentState(desired_total=3), True) == (known.state, known.is_existing)


def test_canaries_out_count_for_nothing_else() -> None:
    """REC-18."""
    out = Scene(deployment=make_deployment(desired_canaries=1)).begin("0; 0 c")
    promoted = Scene(deployment=make_deployment(desired_canaries=1, promoted=True)).begin("0; 0 p")
    for run in (out, promoted):
        run.canaries = {"a01": run.allocs["a01"]}
        hold_canaries_back(run)

    assert ["a00"] == list(out.untainted)
    assert ["a00", "a01"] == list(promoted.untainted)


def test_names_of_all_that_may_stay_are_in_use() -> None:
    """REC-56: what is ignored or dropped leaves its name."""
    run = Scene(count=6).begin("0; 1 mig; 2 down; 3 stop")
    run.now = {"a00": run.untainted.pop("a00")}

    begin_names(run)

    assert frozenset({0, 1, 2}) == run.names.used


def test_a_group_joins_a_deployment_when_something_changes() -> None:
    """REC-87."""
    update = make_update()

    assert "deploy" not in Scene(update=update).solve("0-2; 1 down")
    assert "new total=1 canaries=0" == Scene(update=update).solve("0,1 older")["deploy"]
    assert "deploy" not in Scene(update=update).solve("0,1")
    assert "deploy" not in Scene(update=make_update(0)).solve("0-2 I")
    assert "deploy" not in Scene(update=update).solve("0-2 older")


def test_a_group_joins_the_deployment_of_another_one() -> None:
    """REC-87."""
    run = Scene(update=make_update(), deployment=make_deployment()).begin("")
    run.is_existing, run.state = False, DeploymentState(desired_total=3)

    join_deployment(run)

    assert not run.deployments.is_created
    assert run.state == run.deployments.find_state("web")


def test_a_group_without_work_is_complete_only_under_a_deployment() -> None:
    """REC-89."""
    scene = Scene()
    call, job = scene.make_input("0-2"), scene.make_job(1)
    allocs = {alloc.id: alloc for alloc in call.allocs}

    without = reconcile_group(call, job, job.task_groups[0], JobDeployments(), allocs)
    others = JobDeployments(current=replace(make_deployment(), task_groups={}))
    beside = reconcile_group(call, job, job.task_groups[0], others, allocs)

    assert (False, True) == (without.is_complete, beside.is_complete)
    assert begin_run(call, job, job.task_groups[0], JobDeployments(), {}).is_place_ready()
