"""Lemmas about deployments."""

from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import DeploymentPhase
from nomadspec.model.language.logic import Value, any_of, for_all
from nomadspec.model.language.property import always


@always("DEP-08", why="a deployment that nobody began would be counted by nobody", lemma=True)
def deployments_were_begun(s: Kernel) -> Value:
    """There is a deployment only where one was made."""
    return for_all(
        any_of(s.deployments_made > 0, s.deployment[job] == DeploymentPhase.ABSENT) for job in s.jobs
    )
