from nomadspec.invariants.kernel.rollouts import (
    deployments_begin_with_nothing,
    deployments_count_their_own,
    deployments_end_for_a_reason,
    deployments_go_where_they_are_steered,
    health_is_counted_once,
    health_is_written_as_reported,
    news_of_health_is_told_once,
    only_deployments_of_jobs_are_seen_to,
    plans_that_go_on_leave_the_status,
    schedulers_read_the_deployment_of_the_version,
)
from nomadspec.model.kernel.deployments import (
    draft_rollout,
    finish_rollout,
    join_rollout,
    report_health,
    steer_rollout,
    watch_health,
    write_rollout,
)
from nomadspec.model.kernel.state import Health, Rollout
from tests.invariants.kernel.deviations import ALONE, Deviation, Matrix, loosen, spoil

ROLLED = {**ALONE, "rollouts": 1}

MATRIX = Matrix(
    {
        "a scheduler reads another status": Deviation(
            (schedulers_read_the_deployment_of_the_version,),
            changed=spoil(draft_rollout, "draft", Rollout.PAUSED, "job"),
            sizes=ROLLED,
        ),
        "a deployment begins with an allocation": Deviation(
            (deployments_begin_with_nothing,),
            changed=spoil(write_rollout, "placed", 1, "job"),
            sizes=ROLLED,
        ),
        "what joins a deployment is not counted": Deviation(
            (deployments_count_their_own,),
            changed=spoil(join_rollout, "placed", 0, "job"),
            sizes=ROLLED,
        ),
        "a report of health is not written": Deviation(
            (health_is_written_as_reported,),
            changed=spoil(report_health, "health", Health.UNSET, "job", "alloc"),
            sizes=ROLLED,
        ),
        "a report of health is not counted": Deviation(
            (health_is_counted_once,),
            changed=spoil(report_health, "healthy", 0, "job"),
            sizes=ROLLED,
        ),
        "a deployment succeeds with nothing": Deviation(
            (deployments_end_for_a_reason,), changed=loosen(finish_rollout, 4), sizes=ROLLED
        ),
        "good news is told again": Deviation(
            (news_of_health_is_told_once,),
            changed=spoil(watch_health, "is_news", True, "job"),
            sizes=ROLLED,
        ),
        "a deployment cannot be paused": Deviation(
            (deployments_go_where_they_are_steered,),
            changed=spoil(steer_rollout, "rollout", Rollout.RUNNING, "job"),
            sizes={**ROLLED, "steers": 1},
        ),
        "a plan that goes on with a deployment pauses it": Deviation(
            (plans_that_go_on_leave_the_status,),
            changed=spoil(write_rollout, "rollout", Rollout.PAUSED, "job"),
            sizes={**ROLLED, "rollouts": 2},
        ),
        "deployments are watched without a leader": Deviation(
            (only_deployments_of_jobs_are_seen_to,),
            changed=loosen(watch_health, 0),
            sizes={**ROLLED, "evals": 3, "elections": 1},
        ),
    }
)

test_a_deviation_breaks_a_property_that_holds_without_it = MATRIX.make_test()
