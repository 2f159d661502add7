import pytest

from nomadspec.model.cluster.admission.complaint import Complaint
from nomadspec.model.cluster.admission.volume_checks import check_volumes
from nomadspec.model.cluster.entities import MountOptions, TaskGroup, UpdateStrategy, VolumeRequest


def check(
    volume: VolumeRequest, job_type: str = "service", count: int = 1, canary: int = 0
) -> list[Complaint]:
    group = TaskGroup(volumes={"d": volume}, count=count, update=UpdateStrategy(canary=canary))
    return list(check_volumes(group, job_type))


def parts(found: list[Complaint]) -> list[str]:
    return [part.text for one in found for part in one.parts]


HOST = VolumeRequest(type="host", source="s")
CSI = VolumeRequest(
    type="csi", source="s", access_mode="multi-node-multi-writer", attachment_mode="file-system"
)


@pytest.mark.parametrize("volume", [HOST, CSI])
def test_good_volumes(volume: VolumeRequest) -> None:
    assert [] == check(volume, count=3)


def test_an_unknown_type_ends_the_check() -> None:
    assert [
        Complaint("Task group volume validation for d failed: volume has unrecognized type tape")
    ] == check(VolumeRequest(type="tape"))


def test_a_volume_has_a_source() -> None:
    assert ["volume has an empty source"] == parts(check(VolumeRequest(type="host")))


def test_a_storage_volume_says_how_it_is_used() -> None:
    """OBJ-117."""
    assert [
        "CSI volumes must have an attachment mode",
        "CSI volumes must have an access mode",
    ] == parts(check(VolumeRequest(type="csi", source="s")))


def test_no_volume_of_its_own_for_canaries() -> None:
    """OBJ-117."""
    volume = VolumeRequest(type="host", source="s", per_alloc=True)

    assert ["volume cannot be per_alloc when canaries are in use"] == parts(check(volume, canary=1))


@pytest.mark.parametrize(
    ("volume", "job_type"),
    [
        (VolumeRequest(type="host", source="s", per_alloc=True), "system"),
        (VolumeRequest(type="host", source="s", per_alloc=True, sticky=True), "service"),
        (VolumeRequest(type="host", source="s", access_mode="multi-node-multi-writer"), "service"),
        (VolumeRequest(type="host", source="s", access_mode="single-node-reader-only"), "service"),
        (VolumeRequest(type="host", source="s", mount_options=MountOptions()), "service"),
        (
            VolumeRequest(
                type="csi", source="s", access_mode="single-node-writer", attachment_mode="file-system"
            ),
            "service",
        ),
    ],
)
def test_what_is_refused_in_words_of_our_own(volume: VolumeRequest, job_type: str) -> None:
    """OBJ-035, OBJ-117."""
    (found,) = check(volume, job_type, count=2)

    assert [False] == [part.is_worded for part in found.parts]
