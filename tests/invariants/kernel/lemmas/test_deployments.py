from typing import Any

from nomadspec.invariants.kernel.deployments import (
    plans_begin_or_end_deployments,
    plans_place_for_their_version,
)
from nomadspec.model.kernel.statuses import DeploymentPhase
from nomadspec.model.kernel.worker import plan
from nomadspec.model.language.domain import Id
from tests.invariants.kernel.deviations import ALONE, Deviation, Matrix, also


def pause(_s: Any, t: Any, worker: Id, _job: Id, _to: Any) -> None:
    t.plan[worker].deployment.status_update = DeploymentPhase.PAUSED


def take_another(_s: Any, t: Any, worker: Id, _job: Id, _to: Any) -> None:
    t.plan[worker].deployment.version = 1


MATRIX = Matrix(
    {
        "a plan pauses the deployment": Deviation(
            (plans_begin_or_end_deployments,),
            changed=also(plan, pause),
            sizes={**ALONE, "deployments": 1},
        ),
        "a plan places for the deployment of another version": Deviation(
            (plans_place_for_their_version,),
            changed=also(plan, take_another),
            sizes={**ALONE, "deployments": 1, "updates": 1},
        ),
    }
)

test_a_deviation_breaks_a_property_that_holds_without_it = MATRIX.make_test(every=3)
