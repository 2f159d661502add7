"""Lemmas about deployments."""

from nomadspec.model.kernel.deployments import is_active
from nomadspec.model.kernel.ids import JobId
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import DeploymentPhase
from nomadspec.model.language.logic import Flag, any_of
from nomadspec.model.language.property import always


@always("DEP-01", "DEP-08", why="a deployment that has ended is not carried on", lemma=True, job=Kernel.jobs)
def only_active_deployments_are_carried_on(s: Kernel, job: JobId) -> Flag:
    """The deployment that a scheduler has read for its plan had not ended, if there was one."""
    return any_of(s.deployment_read[job] == DeploymentPhase.ABSENT, is_active(s.deployment_read[job]))
