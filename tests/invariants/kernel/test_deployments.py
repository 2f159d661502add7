from typing import Any

import pytest

from nomadspec.invariants.kernel.deployments import (
    a_deployment_ends_under_a_plan,
    a_deployment_fails,
    a_deployment_goes_on_after_a_pause,
    a_deployment_has_a_later_version,
    a_deployment_succeeds,
    an_allocation_is_unhealthy,
    counters_agree_with_allocations,
    deployment_counts_no_alloc_of_an_older_version,
    deployment_ends_for_a_reason,
    deployments_end,
    ended_deployments_stay_ended,
    new_deployment_begins_empty,
    paused_deployment_stays_paused,
    placed_allocations_are_counted,
    placed_allocs_belong_to_their_deployment,
    placed_only_grows,
    scheduler_ends_deployment_for_a_reason,
    versions_get_a_deployment,
)
from nomadspec.model.kernel.applier import apply_plan
from nomadspec.model.kernel.deployments import (
    fail_deployment,
    report_health,
    set_deployment_status,
    watch_health,
)
from nomadspec.model.kernel.statuses import DeploymentPart, DeploymentPhase, Stage
from nomadspec.model.kernel.worker import plan, write_outcome
from nomadspec.model.language.domain import Id
from tests.invariants.kernel.deviations import (
    ALONE,
    Deviation,
    Matrix,
    also,
    find_witness,
    loosen,
    spoil,
    unfair,
)

ROLLED = {**ALONE, "evals": 3, "deployments": 1}


def forget_count(_s: Any, t: Any, job: Id, _alloc: Id, _is_good: Any) -> None:
    t.placed[job] = 0


def count_no_eval(s: Any, job: Id) -> Any:
    return s.made[job]


def count_nothing(s: Any, t: Any, _worker: Id, job: Id) -> None:
    t.placed[job] = s.placed[job]


def begin_with_news(_s: Any, t: Any, _worker: Id, job: Id) -> None:
    t.has_new_health[job] = True


def begin_failed(s: Any, t: Any, worker: Id, job: Id) -> None:
    t.when(s.plan[worker].deployment.part == DeploymentPart.NEW).deployment[job] = DeploymentPhase.FAILED


def join_all(s: Any, t: Any, _worker: Id, job: Id) -> None:
    """Let what was never placed belong to the deployment."""
    for i in s.allocs:
        t.in_deployment[job, i] = True


def call(update: DeploymentPhase) -> Any:
    """Let each plan that a scheduler makes have a status update."""

    def tell(_s: Any, t: Any, worker: Id, _job: Id, _to: Any) -> None:
        t.plan[worker].deployment.status_update = update

    return tell


def begin_none(_s: Any, t: Any, worker: Id, _job: Id, _to: Any) -> None:
    t.plan[worker].deployment.part = DeploymentPart.NOTHING


def join_none(s: Any, t: Any, _worker: Id, job: Id) -> None:
    for i in s.allocs:
        t.in_deployment[job, i] = False


def end_unasked(s: Any, t: Any, worker: Id, job: Id, _number: Id) -> None:
    """Let the outcome of an evaluation end the deployment."""
    t.when(s.stage[worker] == Stage.DECIDED).deployment[job] = DeploymentPhase.SUCCESSFUL


def pause(s: Any, t: Any, _worker: Id, job: Id) -> None:
    is_running = s.deployment[job] == DeploymentPhase.RUNNING
    t.when(is_running).deployment[job] = DeploymentPhase.PAUSED


MATRIX = Matrix(
    {
        "a plan brings back what its scheduler saw": Deviation(
            (ended_deployments_stay_ended,), "08/S2", sizes={**ROLLED, "deployment_changes": 1, "kinds": 2}
        ),
        "health that is regained is not counted": Deviation(
            (counters_agree_with_allocations, deployments_end),
            "08/S7",
            sizes={**ROLLED, "deployment_changes": 1},
        ),
        "what is placed is not counted": Deviation(
            (placed_allocations_are_counted,), changed=also(apply_plan, count_nothing), sizes=ROLLED
        ),
        "a report of health wipes what was counted": Deviation(
            (placed_allocations_are_counted, placed_only_grows),
            changed=also(report_health, forget_count),
            sizes=ROLLED,
        ),
        "a watcher lets what is unhealthy be": Deviation(
            (deployments_end,), changed=unfair(fail_deployment), sizes=ROLLED
        ),
        "a watcher keeps its news": Deviation((deployments_end,), changed=unfair(watch_health), sizes=ROLLED),
        "the plan of a stopped job leaves its deployment": Deviation(
            (deployments_end,),
            changed=also(plan, call(DeploymentPhase.ABSENT)),
            sizes={**ROLLED, "stops": 1},
        ),
        "a deployment begins with news of another one": Deviation(
            (new_deployment_begins_empty,),
            changed=also(apply_plan, begin_with_news),
            sizes={**ALONE, "deployments": 1},
        ),
        "the next deployment begins failed": Deviation(
            (new_deployment_begins_empty,),
            changed=also(apply_plan, begin_failed),
            sizes={**ALONE, "deployments": 1},
        ),
        "a report of health is no news": Deviation(
            (deployments_end,), changed=spoil(report_health, "has_new_health", False, "job"), sizes=ROLLED
        ),
        "a plan pauses a deployment": Deviation(
            (paused_deployment_stays_paused,),
            changed=also(apply_plan, pause),
            sizes={**ROLLED, "updates": 1},
        ),
        "each plan calls its deployment successful": Deviation(
            (scheduler_ends_deployment_for_a_reason,),
            changed=also(plan, call(DeploymentPhase.SUCCESSFUL)),
            sizes={**ALONE, "deployments": 1},
        ),
        "each plan cancels its deployment": Deviation(
            (scheduler_ends_deployment_for_a_reason,),
            changed=also(plan, call(DeploymentPhase.CANCELLED)),
            sizes={**ALONE, "deployments": 1},
        ),
        "a plan for a new version begins no deployment": Deviation(
            (versions_get_a_deployment,),
            changed=also(plan, begin_none),
            sizes={**ALONE, "deployments": 1, "updates": 1, "evals": 3, "allocations": 3},
        ),
        "what a plan places belongs to no deployment": Deviation(
            (placed_allocs_belong_to_their_deployment,),
            changed=also(apply_plan, join_none),
            sizes={**ALONE, "deployments": 1},
        ),
        "a worker that is done calls the deployment successful": Deviation(
            (deployment_ends_for_a_reason,),
            changed=also(write_outcome, end_unasked),
            sizes={**ALONE, "deployments": 1},
        ),
        "what was never placed joins a deployment": Deviation(
            (deployment_counts_no_alloc_of_an_older_version, placed_allocations_are_counted),
            changed=also(apply_plan, join_all),
            sizes=ROLLED,
        ),
        "a deployment of a job that has none is paused": Deviation(
            (ended_deployments_stay_ended,),
            changed=loosen(set_deployment_status, 2),
            sizes={**ROLLED, "deployment_changes": 1},
        ),
        "health of a batch job, which has no deployment, counts": Deviation(
            (placed_allocations_are_counted,),
            changed=loosen(report_health, 1),
            sizes={**ALONE, "deployments": 1, "kinds": 2},
        ),
        "a deployment fails though nothing is unhealthy": Deviation(
            (deployment_ends_for_a_reason,),
            changed=loosen(fail_deployment, 2),
            sizes={**ALONE, "evals": 3, "deployments": 1},
        ),
        "a deployment fails and nobody looks at the job": Deviation(
            (deployment_ends_for_a_reason,),
            changed=spoil(fail_deployment, "made", count_no_eval, "job"),
            sizes={**ALONE, "evals": 3, "deployments": 1},
        ),
    }
)

test_a_deviation_breaks_a_property_that_holds_without_it = MATRIX.make_test()


@pytest.mark.parametrize(
    ("prop", "sizes"),
    [
        (
            a_deployment_ends_under_a_plan,
            {**ROLLED, "deployment_changes": 1, "reports": 1, "allocations": 2},
        ),
        (an_allocation_is_unhealthy, ROLLED),
        (a_deployment_fails, {"deployments": 1, "deployment_changes": 1}),
        (a_deployment_succeeds, ROLLED),
        (a_deployment_has_a_later_version, {**ROLLED, "updates": 1}),
        (
            a_deployment_goes_on_after_a_pause,
            {"cap": 0, "evals": 3, "deployments": 1, "deployment_changes": 2},
        ),
    ],
)
def test_what_the_properties_are_about_happens(prop: Any, sizes: dict[str, int]) -> None:
    assert find_witness(prop, **{**ALONE, "evals": 2, **sizes}) is not None
