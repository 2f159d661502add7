"""Made-up jobs."""

from hypothesis import given, settings

from nomadspec.checkers.stateful.clusters.jobs import TYPES, jobs, plain_jobs
from nomadspec.model.cluster.codec import read, write
from nomadspec.model.cluster.entities import Job, JobType


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
    assert not any(group.spreads or group.affinities for group in job.task_groups)
    assert job.type is JobType.SYSTEM or not any(group.update for group in job.task_groups)


def test_each_wish_is_drawn_some_time() -> None:
    drawn: set[str] = set()

    @settings(max_examples=200)
    @given(job=jobs())
    def collect(job: Job) -> None:
        for group in job.task_groups:
            wishes = {
                "volumes": group.volumes,
                "devices": group.tasks[0].resources and group.tasks[0].resources.devices,
                "canaries of systems": job.type is JobType.SYSTEM and group.update and group.update.canary,
                "reverting systems": job.type is JobType.SYSTEM and group.update and group.update.auto_revert,
                "shares of a spread": any(spread.spread_target for spread in group.spreads),
                "aversions": any(affinity.weight < 0 for affinity in group.affinities),
                "kept originals": group.disconnect and group.disconnect.reconcile == "keep_original",
            }
            drawn.update(name for name, wish in wishes.items() if wish)

    collect()

    assert 7 == len(drawn)


@settings(max_examples=30)
@given(job=plain_jobs())
def test_plain_jobs_want_only_room(job: Job) -> None:
    (group,) = job.task_groups

    assert not any((group.update, group.networks, group.volumes, group.disconnect))
    assert job == read(Job, write(job))
