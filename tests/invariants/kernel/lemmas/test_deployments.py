from typing import Any

from nomadspec.invariants.kernel.lemmas.deployments import (
    deployments_were_begun,
    only_active_deployments_are_carried_on,
)
from nomadspec.model.kernel.deployments import read_deployment, write_deployment
from nomadspec.model.kernel.statuses import DeploymentPhase
from nomadspec.model.language.domain import Id
from tests.invariants.kernel.deviations import ALONE, Deviation, Matrix, also, spoil


def count_no_deployment(s: Any, t: Any, _job: Id) -> None:
    t.deployments_made = s.deployments_made


MATRIX = Matrix(
    {
        "a deployment is begun and not counted": Deviation(
            (deployments_were_begun,),
            changed=also(write_deployment, count_no_deployment),
            sizes={**ALONE, "evals": 3, "deployments": 2},
        ),
        "a deployment that has failed is carried on": Deviation(
            (only_active_deployments_are_carried_on,),
            changed=spoil(read_deployment, "deployment_read", DeploymentPhase.FAILED, "job"),
            sizes={**ALONE, "deployments": 1},
        ),
    }
)

test_a_deviation_breaks_a_property_that_holds_without_it = MATRIX.make_test()
