"""Kept versions: OBJ-045, JOB-11."""

from nomadspec.model.cluster.entities import Job, VersionTag
from nomadspec.model.cluster.store.versions import prune
from tests.model.cluster.store.made import make_job, register

TAG = VersionTag(name="golden")


def make_versions(count: int, stable: int = -1, tagged: int = -1) -> tuple[Job, ...]:
    return tuple(
        make_job(version=n, stable=n == stable, version_tag=TAG if n == tagged else None)
        for n in reversed(range(count))
    )


def list_numbers(versions: tuple[Job, ...]) -> list[int]:
    return [job.version for job in versions]


def test_six_are_kept() -> None:
    assert [6, 5, 4, 3, 2, 1] == list_numbers(prune(make_versions(7)))
    assert 6 == len(prune(make_versions(6)))


def test_the_last_stable_one_stays_and_the_next_oldest_goes() -> None:
    assert [6, 5, 4, 3, 2, 0] == list_numbers(prune(make_versions(7, stable=0)))


def test_a_stable_one_goes_when_there_is_a_newer_one() -> None:
    versions = tuple(make_job(version=job.version, stable=job.version in {0, 3}) for job in make_versions(7))

    assert [6, 5, 4, 3, 2, 1] == list_numbers(prune(versions))


def test_tagged_ones_do_not_count() -> None:
    assert 7 == len(prune(make_versions(7, tagged=0)))
    assert [7, 6, 5, 4, 3, 2, 0] == list_numbers(prune(make_versions(8, tagged=0)))


def test_registering_keeps_versions() -> None:
    state = register()
    for index in range(3, 11):
        state = register(state, index)

    assert [8, 7, 6, 5, 4, 3] == list_numbers(state.list_job_versions("default", "web"))
