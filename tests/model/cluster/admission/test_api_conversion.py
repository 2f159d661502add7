from typing import Any

import pytest

from nomadspec.model.cluster.admission.api_conversion import convert_api_job
from nomadspec.model.cluster.codec import read
from nomadspec.model.cluster.entities import Job, UpdateStrategy
from nomadspec.model.errors import InputError


def convert(**job: Any) -> Job:
    return read(Job, convert_api_job({"ID": "web", **job}))


def test_what_belongs_to_the_server_is_ignored() -> None:
    """OBJ-033."""
    job = convert(Status="running", Stable=True, ModifyIndex=7, Dispatched=True, ParentID="p", SubmitTime=3)

    assert convert() == job


def test_what_does_not_is_kept() -> None:
    """OBJ-033, OBJ-040."""
    job = convert(Stop=True, Version=7, VersionTag={"Name": "v"})

    assert (True, 7) == (job.stop, job.version)
    assert job.version_tag is not None


@pytest.mark.parametrize(
    ("job_type", "update", "expected"),
    [
        ("service", {"Canary": 2}, (30 * 10**9, 1)),
        ("system", None, (30 * 10**9, 1)),
        ("service", {"MaxParallel": 0}, (0, 0)),
        ("batch", None, (0, 0)),
    ],
)
def test_two_fields_of_the_jobs_update_stay_with_the_job(
    job_type: str, update: dict[str, Any] | None, expected: tuple[int, int]
) -> None:
    """OBJ-050, OBJ-430."""
    stagger_ns, parallel = expected

    assert (
        UpdateStrategy(stagger_ns=stagger_ns, max_parallel=parallel)
        == convert(Type=job_type, Update=update).update
    )


def test_policies_of_the_job_live_on_in_its_groups() -> None:
    """OBJ-050."""
    job = convert(TaskGroups=[{"Name": "g"}], Migrate={"MaxParallel": 3}, Update={"Canary": 2})
    group = job.task_groups[0]

    assert group.migrate is not None
    assert group.update is not None
    assert (3, 2) == (group.migrate.max_parallel, group.update.canary)


def test_options_that_are_gone_are_dropped() -> None:
    """OBJ-070, 01/S5."""
    old = {"MaxClientDisconnect": 1, "StopAfterClientDisconnect": 1, "PreventRescheduleOnLost": True}

    assert convert(TaskGroups=[{"Name": "g"}]) == convert(TaskGroups=[{"Name": "g", **old}])


@pytest.mark.parametrize("most", ["1", 1.5, [1], {"x": 1}])
def test_an_update_that_counts_in_no_numbers_is_refused_where_it_is_read(most: object) -> None:
    with pytest.raises(InputError, match="MaxParallel"):
        convert(Type="service", Update={"MaxParallel": most})
