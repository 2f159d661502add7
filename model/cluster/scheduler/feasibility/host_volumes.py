"""Volumes of a node: it must offer each under the name that is asked for, for the wanted use."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from nomadspec.model.cluster.entities import (
    AccessMode,
    Allocation,
    ClientHostVolume,
    HostVolume,
    HostVolumeClaim,
    HostVolumeState,
    Job,
    Node,
    TaskGroup,
    VolumeCapability,
    VolumeRequest,
    VolumeType,
)
from nomadspec.model.cluster.entities.job import find_group
from nomadspec.model.cluster.scheduler.choices import order_map
from nomadspec.model.cluster.scheduler.context import Context
from nomadspec.model.cluster.scheduler.feasibility.refusal import refuse
from nomadspec.model.cluster.scheduler.feasibility.sticky_claims import list_unmet
from nomadspec.model.cluster.scheduler.feasibility.volume_source import find_source
from nomadspec.model.cluster.scheduler.reasons import Filtered
from nomadspec.model.specification.quirks import CONSUMED_CLAIM, LONE_WITNESS

MISSING_VOLUMES: Final = "missing compatible host volumes"

_FILE_SYSTEM: Final = "file-system"


@dataclass(slots=True)
class HostVolumeCheck:
    """The host volumes that one search asks for, and the sticky claims that are open in it."""

    context: Context
    job: Job
    alloc_name: str
    requests: tuple[VolumeRequest, ...]
    unmet: list[HostVolumeClaim] = field(default_factory=list)

    @staticmethod
    def begin(context: Context, job: Job, group: TaskGroup, alloc_name: str) -> HostVolumeCheck:
        """Begin a search: claims are looked up once.

        Spec: FEAS-60, FEAS-65.
        """
        requests = tuple(
            request
            for _, request in order_map(context.choices, group.volumes)
            if request.type == VolumeType.HOST
        )
        is_sticky = any(request.sticky for request in requests)
        unmet = list_unmet(context.snapshot, context.plan, job) if is_sticky else []
        return HostVolumeCheck(context, job, alloc_name, requests, unmet)

    def check(self, node: Node) -> Filtered | None:
        """Refuse a node that cannot serve one of the requests.

        Spec: FEAS-60, FEAS-61.
        """
        for request in self.requests:
            source = find_source(request, self.alloc_name)
            offer = node.host_volumes.get(source)
            rule = "FEAS-61" if offer is None else self._find_broken_rule(node, request, offer)
            if rule:
                return refuse(node, rule, MISSING_VOLUMES, request=request.name, source=source)
        return None

    def _find_broken_rule(self, node: Node, request: VolumeRequest, offer: ClientHostVolume) -> str:
        if not offer.id:
            return "" if is_static_offer_usable(request, offer) else "FEAS-62"
        volume = self.context.snapshot.find_host_volume(self.job.namespace, offer.id)
        if volume is None or not is_volume_usable(request, volume):
            return "FEAS-63"
        mode = compute_capability(request).access_mode
        if mode == AccessMode.SINGLE_NODE_SINGLE_WRITER and not self._has_no_writer(node, volume):
            return "FEAS-64"
        return "" if not request.sticky or self._consume_claims(volume) else "FEAS-67"

    def _has_no_writer(self, node: Node, volume: HostVolume) -> bool:
        """True if none of the groups on a node writes to a volume, by one allocation of each.

        Spec: FEAS-64, 06/S-11.
        """
        allocs = self.context.plan.list_proposed(node.id)
        asked: Iterable[Allocation] = allocs
        if self.context.profile.has(LONE_WITNESS):
            asked = {(alloc.namespace, alloc.job_id, alloc.task_group): alloc for alloc in allocs}.values()
        return not any(self._is_writer(alloc, volume) for alloc in asked)

    def _is_writer(self, alloc: Allocation, volume: HostVolume) -> bool:
        """True if an allocation may write to a volume, as one of an unknown group may."""
        group = find_group(self.context.snapshot.find_job(alloc.namespace, alloc.job_id), alloc.task_group)
        return group is None or volume.name in list_written(group, alloc.name)

    def _consume_claims(self, volume: HostVolume) -> bool:
        """True if the open claims allow a volume; those on it bind nobody in the rest of the search.

        Spec: FEAS-66, FEAS-67, 06/S-10.
        """
        if not self.unmet:
            return True
        others = [claim for claim in self.unmet if claim.volume_id != volume.id]
        is_claimed = len(others) < len(self.unmet)
        if self.context.profile.has(CONSUMED_CLAIM):
            self.unmet = others
        return is_claimed


def is_static_offer_usable(request: VolumeRequest, offer: ClientHostVolume) -> bool:
    """True if a volume that the node's operator declared serves a request.

    Spec: FEAS-62.
    """
    return not request.sticky and (request.read_only or not offer.read_only)


def is_volume_usable(request: VolumeRequest, volume: HostVolume) -> bool:
    """True if a dynamic volume is ready and may be used as asked, other users apart.

    Spec: FEAS-63.
    """
    wanted = compute_capability(request)
    is_offered = volume.state == HostVolumeState.READY and wanted in volume.requested_capabilities
    return is_offered and request.read_only in _READ_ONLY.get(wanted.access_mode, ())


_READ_ONLY: Final[Mapping[str, tuple[bool, ...]]] = {
    AccessMode.SINGLE_NODE_READER: (True,),
    AccessMode.SINGLE_NODE_WRITER: (False,),
    AccessMode.SINGLE_NODE_SINGLE_WRITER: (False, True),
    AccessMode.SINGLE_NODE_MULTI_WRITER: (False, True),
}
"""Under which access modes a request may be read-only, or not."""


def compute_capability(request: VolumeRequest) -> VolumeCapability:
    """Compute how a volume shall be used, where the request leaves it open.

    Spec: FEAS-63.
    """
    default = AccessMode.SINGLE_NODE_READER if request.read_only else AccessMode.SINGLE_NODE_WRITER
    return VolumeCapability(
        access_mode=request.access_mode or default,
        attachment_mode=request.attachment_mode or _FILE_SYSTEM,
    )


def list_written(group: TaskGroup, alloc_name: str) -> Iterator[str]:
    """List the host volumes that an allocation of a group writes to.

    Spec: FEAS-64.
    """
    for request in group.volumes.values():
        if request.type == VolumeType.HOST and not request.read_only:
            yield find_source(request, alloc_name)
