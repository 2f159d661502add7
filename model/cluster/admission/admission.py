"""The way of a job into the server: it is filled in, then judged."""

from dataclasses import dataclass

from nomadspec.model.cluster.admission.canonical import canonicalise_job
from nomadspec.model.cluster.admission.complaint import Complaint
from nomadspec.model.cluster.admission.identities import give_identities
from nomadspec.model.cluster.admission.implied_constraints import imply_constraints
from nomadspec.model.cluster.admission.job_checks import check_job
from nomadspec.model.cluster.admission.surroundings import Surroundings
from nomadspec.model.cluster.admission.warnings import list_warnings
from nomadspec.model.cluster.entities import Job


@dataclass(frozen=True, slots=True)
class Admission:
    """The job as it would be stored, what keeps it from being stored, and what is doubtful about it."""

    job: Job
    errors: tuple[Complaint, ...]
    warnings: tuple[Complaint, ...]

    @property
    def is_accepted(self) -> bool:
        """True if nothing keeps the job from being stored."""
        return not self.errors


def admit(job: Job, surroundings: Surroundings) -> Admission:
    """Take a job through the steps of registration up to the comparison with what is stored.

    Spec: OBJ-038, JOB-01, JOB-02.
    """
    filled = give_identities(
        imply_constraints(canonicalise_job(job, default_priority=surroundings.default_priority))
    )
    return Admission(filled, check_job(filled, surroundings), list_warnings(filled, surroundings))
