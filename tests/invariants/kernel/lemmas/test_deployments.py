from nomadspec.invariants.kernel.deployments import (
    only_active_deployments_are_carried_on,
)
from nomadspec.model.kernel.deployments import read_deployment
from nomadspec.model.kernel.statuses import DeploymentPhase
from tests.invariants.kernel.deviations import ALONE, Deviation, Matrix, spoil

MATRIX = Matrix(
    {
        "a deployment that has failed is carried on": Deviation(
            (only_active_deployments_are_carried_on,),
            changed=spoil(read_deployment, "deployment_read.status", DeploymentPhase.FAILED, "job"),
            sizes={**ALONE, "deployments": 1},
        ),
    }
)

test_a_deviation_breaks_a_property_that_holds_without_it = MATRIX.make_test(every=3)
