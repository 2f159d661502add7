"""The kept versions of a job."""

from typing import Final

from nomadspec.model.cluster.entities import Job
from nomadspec.model.cluster.store.draft import Draft

TRACKED_VERSIONS: Final = 6
"""So many untagged versions of a job are kept, unless a server is set up otherwise."""


def write_version(draft: Draft, job: Job) -> None:
    """Keep a version of a job, in place of what was kept under its number, and drop what is too much.

    Spec: OBJ-045, JOB-11.
    """
    key = (job.namespace, job.id)
    others = [kept for kept in draft.job_versions.get(key, ()) if kept.version != job.version]
    newest_first = sorted((job, *others), key=lambda kept: -kept.version)
    draft.put_job_versions(key, prune(tuple(newest_first)))


def prune(versions: tuple[Job, ...]) -> tuple[Job, ...]:
    """Drop the oldest untagged version beyond the limit, but rather the next one than the last stable one.

    Spec: OBJ-045, JOB-11.
    """
    untagged = [job for job in versions if job.version_tag is None]
    if len(untagged) <= TRACKED_VERSIONS:
        return versions
    newest_stable = next((job for job in versions if job.stable), None)
    oldest, next_oldest = untagged[TRACKED_VERSIONS], untagged[TRACKED_VERSIONS - 1]
    dropped = next_oldest if oldest is newest_stable else oldest
    return tuple(job for job in versions if job is not dropped)
