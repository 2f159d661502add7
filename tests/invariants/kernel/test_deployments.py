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
    deployment_carried_on_has_not_succeeded,
    deployment_counts_no_alloc_of_an_older_version,
    deployment_ends_for_a_reason,
    ended_deployments_stay_ended,
    good_health_is_followed_by_an_eval,
    new_deployment_begins_empty,
    news_of_health_is_told,
    outdated_deployments_are_cancelled,
    paused_deployment_stays_paused,
    placed_allocations_are_counted,
    placed_only_grows,
    unhealthy_deployments_end,
)
from nomadspec.model.kernel.deployments import (
    cancel_deployment,
    fail_deployment,
    finish_deployment,
    join_deployment,
    read_deployment,
    report_health,
    set_deployment_status,
    watch_health,
    write_deployment,
)
from nomadspec.model.kernel.jobs import purge_job
from nomadspec.model.kernel.statuses import DeploymentPhase
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

ROLLED = {**ALONE, "evals": 3, "deployments": 2}


def count_nothing(s: Any, t: Any, job: Id, _alloc: Id) -> None:
    t.placed[job] = s.placed[job]


def forget_count(_s: Any, t: Any, job: Id, _alloc: Id, _is_good: Any) -> None:
    t.placed[job] = 0


def count_no_eval(s: Any, job: Id) -> Any:
    return s.made[job]


MATRIX = Matrix(
    {
        "a plan brings back what its scheduler saw": Deviation(
            (ended_deployments_stay_ended,), "08/S2", sizes={**ROLLED, "deployment_changes": 1, "kinds": 2}
        ),
        "health that is regained is not counted": Deviation(
            (counters_agree_with_allocations,), "08/S7", sizes={**ROLLED, "deployment_changes": 1}
        ),
        "what is placed is not counted": Deviation(
            (placed_allocations_are_counted,), changed=also(join_deployment, count_nothing), sizes=ROLLED
        ),
        "a report of health wipes what was counted": Deviation(
            (placed_allocations_are_counted, placed_only_grows),
            changed=also(report_health, forget_count),
            sizes=ROLLED,
        ),
        "a deployment succeeds while a plan goes on with it": Deviation(
            (deployment_carried_on_has_not_succeeded,), changed=loosen(finish_deployment, 6), sizes=ROLLED
        ),
        "a watcher lets what is unhealthy be": Deviation(
            (unhealthy_deployments_end,), changed=unfair(fail_deployment), sizes=ROLLED
        ),
        "nobody cancels what is outdated": Deviation(
            (outdated_deployments_are_cancelled,),
            changed=unfair(cancel_deployment),
            sizes={**ROLLED, "updates": 1},
        ),
        "a deployment begins with news of another one": Deviation(
            (new_deployment_begins_empty,),
            changed=spoil(write_deployment, "has_new_health", True, "job"),
            sizes={**ALONE, "deployments": 2, "updates": 1},
        ),
        "a watcher keeps its news": Deviation(
            (news_of_health_is_told,), changed=unfair(watch_health), sizes=ROLLED
        ),
        "a purge leaves news behind": Deviation(
            (good_health_is_followed_by_an_eval,),
            changed=spoil(purge_job, "has_new_health", True, "job"),
            sizes={**ALONE, "purges": 1},
        ),
        "who reads a deployment pauses it": Deviation(
            (paused_deployment_stays_paused,),
            changed=spoil(read_deployment, "deployment", DeploymentPhase.PAUSED, "job"),
            sizes={**ALONE, "deployments": 1},
        ),
        "a deployment succeeds before anything is healthy": Deviation(
            (deployment_ends_for_a_reason,),
            changed=loosen(finish_deployment, 4),
            sizes={**ALONE, "deployments": 1},
        ),
        "the next deployment begins failed": Deviation(
            (new_deployment_begins_empty,),
            changed=spoil(write_deployment, "deployment", DeploymentPhase.FAILED, "job"),
            sizes={**ALONE, "deployments": 2, "updates": 1},
        ),
        "an allocation joins the deployment of another version": Deviation(
            (deployment_counts_no_alloc_of_an_older_version,),
            changed=loosen(join_deployment, 4),
            sizes={**ALONE, "evals": 3, "deployments": 2, "updates": 1},
        ),
        "what was never placed joins a deployment": Deviation(
            (deployment_counts_no_alloc_of_an_older_version,),
            changed=loosen(join_deployment, 2),
            sizes=ROLLED,
        ),
        "a deployment that has ended places on": Deviation(
            (placed_only_grows,),
            changed=loosen(join_deployment, 1),
            sizes={**ROLLED, "deployment_changes": 1},
        ),
        "a deployment of a job that has none is paused": Deviation(
            (ended_deployments_stay_ended,),
            changed=loosen(set_deployment_status, 2),
            sizes={**ROLLED, "deployment_changes": 1},
        ),
        "health of another deployment counts": Deviation(
            (placed_allocations_are_counted,),
            changed=loosen(report_health, 1),
            sizes={**ALONE, "deployments": 1},
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
        (a_deployment_ends_under_a_plan, {**ROLLED, "deployment_changes": 1}),
        (an_allocation_is_unhealthy, ROLLED),
        (a_deployment_fails, {"deployments": 1, "deployment_changes": 1}),
        (a_deployment_succeeds, ROLLED),
        (a_deployment_has_a_later_version, {**ROLLED, "updates": 1, "deployments": 1}),
        (
            a_deployment_goes_on_after_a_pause,
            {"cap": 0, "evals": 3, "deployments": 1, "deployment_changes": 2},
        ),
    ],
)
def test_what_the_properties_are_about_happens(prop: Any, sizes: dict[str, int]) -> None:
    assert find_witness(prop, **{**ALONE, "evals": 2, **sizes}) is not None
