"""Which version of a job a failing deployment goes back to."""

from typing import Final, NamedTuple

from nomadspec.model.cluster.admission.spec_change import is_spec_changed
from nomadspec.model.cluster.entities import Job
from nomadspec.model.cluster.store.state import State

ROLLING_BACK: Final = "{} - rolling back to job version {}"
NOT_ROLLING_BACK: Final = (
    "{} - not rolling back to stable job version {} as current job has same specification"
)
NO_TARGET: Final = "{} - no stable job version to auto revert to"


class Revert(NamedTuple):
    """What is said of a failed deployment, and the version that is registered again, if any."""

    description: str
    target: Job | None = None


def find_stable_version(state: State, job: Job) -> Job | None:
    """Find the newest stored version of a job that is stable; it may be the current one.

    Spec: DEP-60.
    """
    versions = state.list_job_versions(job.namespace, job.id)
    stable = (version for version in versions if version.stable)
    return max(stable, key=lambda version: version.version, default=None)


def is_as_deployed(state: State, job: Job) -> bool:
    """True if a job was neither stopped nor registered anew since its version was deployed.

    Spec: 08/S5.
    """
    current = state.find_job(job.namespace, job.id)
    return current is not None and not current.stop and current.version == job.version


def choose_revert(state: State, job: Job, description: str, *, says_no_target: bool = True) -> Revert:
    """Choose what a failing deployment, whose watcher knows this job, goes back to.

    Spec: DEP-03, DEP-60, DEP-64, 08/S5.
    """
    target = find_stable_version(state, job)
    if target is None:
        return Revert(NO_TARGET.format(description) if says_no_target else description)
    if not is_spec_changed(job, target):
        return Revert(NOT_ROLLING_BACK.format(description, target.version))
    return Revert(ROLLING_BACK.format(description, target.version), target)
