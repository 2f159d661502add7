"""Made-up jobs."""

from hypothesis import given, settings

from nomadspec.checkers.stateful.clusters.jobs import TYPES, jobs
from nomadspec.model.codec import read, write
from nomadspec.model.entities import Job, JobType


@settings(max_examples=30)
@given(job=jobs())
def test_jobs_are_what_a_server_could_store(job: Job) -> None:
    assert job.type in TYPES
    assert job.id == job.type
    assert job == read(Job, write(job))
    assert len(job.task_groups) == len({group.name for group in job.task_groups})


@settings(max_examples=30)
@given(job=jobs((JobType.SYSTEM, JobType.SYSBATCH)))
def test_jobs_of_every_node_have_no_counts(job: Job) -> None:
    assert {1} == {group.count for group in job.task_groups}
    assert not any(group.spreads or group.affinities or group.update for group in job.task_groups)
