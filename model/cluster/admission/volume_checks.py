"""Checks of the volumes that a group asks for."""

from collections.abc import Iterator
from typing import Final

from nomadspec.model.cluster.admission.complaint import Complaint, collect, complain, complain_freely
from nomadspec.model.cluster.entities import AccessMode, TaskGroup, VolumeRequest, VolumeType
from nomadspec.model.cluster.entities.job import SYSTEM_TYPES

_SINGLE_NODE_MODES: Final = frozenset(
    {
        AccessMode.SINGLE_NODE_READER,
        AccessMode.SINGLE_NODE_WRITER,
        AccessMode.SINGLE_NODE_SINGLE_WRITER,
        AccessMode.SINGLE_NODE_MULTI_WRITER,
    }
)


def check_volumes(group: TaskGroup, job_type: str) -> Iterator[Complaint]:
    """Check the volumes that a group asks for.

    Spec: OBJ-035, OBJ-117.
    """
    for name, volume in group.volumes.items():
        heading = f"Task group volume validation for {name} failed: "
        if volume.type not in frozenset(VolumeType):
            yield complain(f"{heading}volume has unrecognized type {volume.type}")
        else:
            yield from collect(heading, _check_volume(volume, group, job_type))


def _check_volume(volume: VolumeRequest, group: TaskGroup, job_type: str) -> Iterator[Complaint]:
    if not volume.source:
        yield complain("volume has an empty source")
    if volume.per_alloc:
        yield from _check_per_alloc(volume, group, job_type)
    if volume.type == VolumeType.HOST:
        yield from _check_host_volume(volume)
    else:
        yield from _check_storage_volume(volume, group)


def _check_per_alloc(volume: VolumeRequest, group: TaskGroup, job_type: str) -> Iterator[Complaint]:
    if job_type in SYSTEM_TYPES:
        yield complain_freely(f"volumes of {job_type} jobs cannot be per_alloc")
    if group.update is not None and group.update.canary > 0:
        yield complain("volume cannot be per_alloc when canaries are in use")
    if volume.sticky:
        yield complain_freely("a volume cannot be both per_alloc and sticky")


def _check_host_volume(volume: VolumeRequest) -> Iterator[Complaint]:
    if volume.access_mode and volume.access_mode not in _SINGLE_NODE_MODES:
        yield complain_freely(f"host volumes cannot be used as {volume.access_mode}")
    if volume.access_mode == AccessMode.SINGLE_NODE_READER and not volume.read_only:
        yield complain_freely(f"host volumes used as {volume.access_mode} must be read-only")
    if volume.mount_options is not None:
        yield complain_freely("host volumes have no mount options")


def _check_storage_volume(volume: VolumeRequest, group: TaskGroup) -> Iterator[Complaint]:
    if not volume.attachment_mode:
        yield complain("CSI volumes must have an attachment mode")
    if not volume.access_mode:
        yield complain("CSI volumes must have an access mode")
    if volume.access_mode in _SINGLE_NODE_MODES and group.count > 1 and not volume.per_alloc:
        yield complain_freely(f"a volume used as {volume.access_mode} serves one allocation only")
