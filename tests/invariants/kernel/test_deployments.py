from typing import Any

import pytest

from nomadspec.invariants.kernel.deployments import (
    a_deployment_ends_under_a_plan,
    a_deployment_goes_on_after_a_pause,
    a_deployment_succeeds,
    an_allocation_is_unhealthy,
    counters_agree_with_allocations,
    ended_deployments_stay_ended,
    news_of_health_is_told,
    outdated_deployments_are_cancelled,
    placed_allocations_are_counted,
    placed_only_grows,
    unhealthy_deployments_end,
    what_a_plan_goes_on_with_has_not_succeeded,
)
from nomadspec.model.domain import Id
from nomadspec.model.kernel.deployments import (
    cancel_rollout,
    fail_rollout,
    finish_rollout,
    join_rollout,
    report_health,
    watch_health,
)
from tests.invariants.kernel.deviations import (
    ALONE,
    Deviation,
    Matrix,
    also,
    find_witness,
    loosen,
    unfair,
)

ROLLED = {**ALONE, "evals": 3, "rollouts": 2}


def count_nothing(s: Any, t: Any, job: Id, _alloc: Id) -> None:
    t.placed[job] = s.placed[job]


def forget_count(_s: Any, t: Any, job: Id, _alloc: Id, _is_good: Any) -> None:
    t.placed[job] = 0


MATRIX = Matrix(
    {
        "a plan brings back what its scheduler saw": Deviation(
            (ended_deployments_stay_ended,), "08/S2", sizes={**ROLLED, "steers": 1}
        ),
        "health that is regained is not counted": Deviation(
            (counters_agree_with_allocations,), "08/S7", sizes={**ROLLED, "steers": 1}
        ),
        "what is placed is not counted": Deviation(
            (placed_allocations_are_counted,),
            changed=also(join_rollout, count_nothing),
            sizes=ROLLED,
        ),
        "a report of health wipes what was counted": Deviation(
            (placed_allocations_are_counted, placed_only_grows),
            changed=also(report_health, forget_count),
            sizes=ROLLED,
        ),
        "a deployment succeeds while a plan goes on with it": Deviation(
            (what_a_plan_goes_on_with_has_not_succeeded,), changed=loosen(finish_rollout, 6), sizes=ROLLED
        ),
        "a watcher lets what is unhealthy be": Deviation(
            (unhealthy_deployments_end,), changed=unfair(fail_rollout), sizes=ROLLED
        ),
        "nobody cancels what is outdated": Deviation(
            (outdated_deployments_are_cancelled,),
            changed=unfair(cancel_rollout),
            sizes={**ROLLED, "updates": 1},
        ),
        "a watcher keeps its news": Deviation(
            (news_of_health_is_told,), changed=unfair(watch_health), sizes=ROLLED
        ),
    }
)

test_a_deviation_breaks_a_property_that_holds_without_it = MATRIX.make_test()


@pytest.mark.parametrize(
    ("prop", "sizes"),
    [
        (a_deployment_ends_under_a_plan, {**ROLLED, "steers": 1}),
        (an_allocation_is_unhealthy, ROLLED),
        (a_deployment_succeeds, ROLLED),
        (a_deployment_goes_on_after_a_pause, {"cap": 0, "evals": 3, "rollouts": 1, "steers": 2}),
    ],
)
def test_what_the_properties_are_about_happens(prop: Any, sizes: dict[str, int]) -> None:
    assert find_witness(prop, **{**ALONE, "evals": 2, **sizes}) is not None
