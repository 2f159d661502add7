"""Tests of `model/cluster/entities/job.py`."""

import msgspec
import pytest

from nomadspec.model.cluster.entities.group import TaskGroup
from nomadspec.model.cluster.entities.job import (
    Job,
    Multiregion,
    UIConfig,
    UILink,
    VersionTag,
    find_group,
    is_multiregion,
    is_parameterized,
    is_periodic,
    is_periodic_active,
    is_stopped,
)
from nomadspec.model.cluster.entities.periodic import ParameterizedJobConfig, PeriodicConfig
from tests.model.cluster.entities.members import assert_members


@pytest.mark.parametrize(
    ("record", "members"),
    [
        (Multiregion, "Strategy Regions"),
        (UILink, "Label Url"),
        (UIConfig, "Description Links"),
        (VersionTag, "Name Description TaggedTime"),
        (
            Job,
            (
                "Stop Region Namespace ID ParentID Name Type Priority AllAtOnce Datacenters NodePool "
                "Constraints Affinities Spreads TaskGroups Update Multiregion Periodic ParameterizedJob "
                "Dispatched DispatchIdempotencyToken Payload Meta ConsulNamespace VaultNamespace "
                "NomadTokenID Status StatusDescription Stable Version SubmitTime CreateIndex "
                "ModifyIndex JobModifyIndex "
                "UI VersionTag"
            ),
        ),
    ],
)
def test_members_are_spelled_as_the_interface_spells_them(record: type[msgspec.Struct], members: str) -> None:
    assert_members(record, members)


CLOCK = PeriodicConfig(enabled=True)
FORM = ParameterizedJobConfig()


def test_a_periodic_job_may_be_switched_off() -> None:
    """OBJ-055, OBJ-056."""
    assert is_periodic(Job(periodic=PeriodicConfig()))
    assert not is_periodic_active(Job(periodic=PeriodicConfig()))
    assert is_periodic_active(Job(periodic=CLOCK))
    assert not is_periodic(Job())


@pytest.mark.parametrize("job", [Job(periodic=CLOCK, stop=True), Job(periodic=CLOCK, parameterized_job=FORM)])
def test_a_stopped_or_parameterized_job_is_not_launched_by_the_clock(job: Job) -> None:
    """OBJ-056."""
    assert is_periodic(job)
    assert not is_periodic_active(job)


def test_a_dispatched_child_is_an_ordinary_job() -> None:
    """OBJ-057, OBJ-061."""
    assert is_parameterized(Job(parameterized_job=FORM))
    assert not is_parameterized(Job(parameterized_job=FORM, dispatched=True))


def test_a_job_that_is_gone_is_stopped() -> None:
    """OBJ-058."""
    assert is_stopped(None)
    assert is_stopped(Job(stop=True))
    assert not is_stopped(Job())


def test_a_job_for_no_region_is_not_multiregion() -> None:
    """OBJ-059."""
    assert not is_multiregion(Job(multiregion=Multiregion()))
    assert is_multiregion(Job(multiregion=Multiregion(regions=({"Name": "east"},))))


def test_a_group_is_found_by_name() -> None:
    job = Job(task_groups=(TaskGroup(name="a"), TaskGroup(name="b", count=2)))

    assert TaskGroup(name="b", count=2) == find_group(job, "b")
    assert find_group(job, "c") is None
    assert find_group(None, "a") is None
