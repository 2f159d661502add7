"""A first version of a job is told by what it asks for, a further one by what it changes."""

from msgspec.structs import replace

from nomadspec.checkers.report.job_versions import Jobs
from nomadspec.checkers.stateful.clusters.scheduler_findings import make_small_job
from nomadspec.model.cluster.entities import NS_PER_S, DisconnectStrategy, JobType


def test_a_version_is_told_by_what_it_changes() -> None:
    jobs, job = Jobs(), make_small_job(JobType.SERVICE)
    (group,) = job.task_groups
    lost = replace(group, disconnect=DisconnectStrategy(lost_after_ns=60 * NS_PER_S))
    told = [jobs.tell(each) for each in (job, replace(job, task_groups=(lost,)), job, job)]

    assert [
        "service: Type service, Count 1, Resources.CPU 100, Resources.MemoryMB 64",
        "service again with Disconnect.LostAfter 60s",
        "service again with no Disconnect.LostAfter",
        "service again",
    ] == told


def test_groups_stand_under_their_names_where_there_are_several() -> None:
    job = make_small_job(JobType.BATCH)
    (group,) = job.task_groups
    told = Jobs().tell(replace(job, task_groups=(group, replace(group, name="db", count=2))))

    assert "web.Count 1" in told
    assert "db.Count 2" in told
