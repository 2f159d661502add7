"""The statuses of a deployment."""

from nomadspec.model.lifecycle.deployment import DEPLOYMENT, DeploymentStatus
from nomadspec.model.lifecycle.table import is_legal, list_legal_pairs
from nomadspec.model.specification.profiles import INTENDED, find_profile

S = DeploymentStatus


def test_as_intended_active_deployments_go_anywhere_and_ended_ones_nowhere() -> None:
    active = (S.RUNNING, S.PAUSED)

    assert set(list_legal_pairs(DEPLOYMENT, INTENDED)) == {
        (source, target) for source in active for target in DEPLOYMENT.list_statuses() if source is not target
    }


def test_in_the_release_a_stale_plan_revives_what_failed_or_was_cancelled() -> None:
    stale = find_profile("08/S2")
    revived = {source for source in S if is_legal(DEPLOYMENT, source, S.RUNNING, stale)}

    assert revived == {S.RUNNING, S.PAUSED, S.FAILED, S.CANCELLED}
