"""Storage volumes: they must exist, be reachable from the node, and be free for the wanted use."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from nomadspec.model.cluster.entities import (
    AccessMode,
    AllocClient,
    AllocDesired,
    CSIInfo,
    CSIVolume,
    Job,
    Node,
    TaskGroup,
    Topology,
    VolumeRequest,
    VolumeType,
)
from nomadspec.model.cluster.entities.job import find_group
from nomadspec.model.cluster.scheduler.choices import order_map
from nomadspec.model.cluster.scheduler.context import Context
from nomadspec.model.cluster.scheduler.feasibility.refusal import refuse
from nomadspec.model.cluster.scheduler.feasibility.volume_source import find_source
from nomadspec.model.cluster.scheduler.reasons import Filtered
from nomadspec.model.cluster.scheduler.snapshot import Snapshot
from nomadspec.model.specification.quirks import CUT_COUNT

WRITING_MODES: Final = frozenset(
    {AccessMode.SINGLE_NODE_WRITER, AccessMode.MULTI_NODE_SINGLE_WRITER, AccessMode.MULTI_NODE_MULTI_WRITER}
)
"""The modes in which something may write at all.

Spec: FEAS-73.
"""

_ONE_WRITER: Final = frozenset({AccessMode.SINGLE_NODE_WRITER, AccessMode.MULTI_NODE_SINGLE_WRITER})
_ANY_WRITERS: Final = frozenset({AccessMode.MULTI_NODE_MULTI_WRITER, ""})


@dataclass(frozen=True, slots=True)
class Wanted:
    """A volume that is asked for, as it was found at the beginning of the search."""

    request: VolumeRequest
    id: str
    volume: CSIVolume | None


@dataclass(frozen=True, slots=True)
class CSIVolumeCheck:
    """The storage volumes that one search asks for."""

    context: Context
    job: Job
    wanted: tuple[Wanted, ...]

    @staticmethod
    def begin(context: Context, job: Job, group: TaskGroup, alloc_name: str) -> CSIVolumeCheck:
        """Begin a search: volumes are looked up once.

        Spec: FEAS-68.
        """
        wanted = []
        for _, request in order_map(context.choices, group.volumes):
            if request.type == VolumeType.CSI:
                source = find_source(request, alloc_name)
                volume = context.snapshot.find_csi_volume(job.namespace, source)
                wanted.append(Wanted(request, source, volume))
        return CSIVolumeCheck(context, job, tuple(wanted))

    def check(self, node: Node) -> Filtered | None:
        """Refuse a node if a volume is missing, or cannot be used from there.

        Spec: FEAS-69, FEAS-70, FEAS-75.
        """
        missing = [each.id for each in self.wanted if each.volume is None]
        if missing:
            keys = (f"csi-volume:{self.job.namespace}:{volume_id}" for volume_id in missing)
            self.context.missing_resources.update(keys)
            return refuse(node, "FEAS-69", f"missing CSI volume(s) {', '.join(missing)}", missing=missing)
        for each in self.wanted:
            if each.volume is not None:
                refused = self._check_place(node, each.volume) or self._check_use(node, each.volume, each)
                if refused is not None:
                    return refused
        return None

    def _check_place(self, node: Node, volume: CSIVolume) -> Filtered | None:
        """Refuse a node that cannot reach a volume.

        Spec: FEAS-70, FEAS-76.
        """
        plugin_id = volume.plugin_id
        plugin = node.csi_node_plugins.get(plugin_id)
        if plugin is None:
            text = f"CSI plugin {plugin_id} is missing from client {node.id}"
            return refuse(node, "FEAS-70", text, volume=volume.id, plugin=plugin_id)
        if not plugin.healthy:
            text = f"CSI plugin {plugin_id} is unhealthy on client {node.id}"
            return refuse(node, "FEAS-70", text, volume=volume.id, plugin=plugin_id)
        used, limit = (
            self._count_volumes(node, plugin_id),
            plugin.node_info.max_volumes if plugin.node_info else 0,
        )
        if used >= limit:
            text = f"CSI plugin {plugin_id} has the maximum number of volumes on client {node.id}"
            return refuse(node, "FEAS-71", text, plugin=plugin_id, used=used, limit=limit)
        if not is_reachable(volume, plugin):
            return refuse(node, "FEAS-70", "did not meet topology requirement", volume=volume.id)
        return None

    def _count_volumes(self, node: Node, plugin_id: str) -> int:
        """Count the volumes of a plugin in use on a node, up to the first source that leads to none.

        Spec: FEAS-71, 06/S-09.
        """
        snapshot, is_cut = self.context.snapshot, self.context.profile.has(CUT_COUNT)
        namespaces = dict(_list_sources(snapshot, node, is_suffixed=not is_cut))
        counts: Counter[str] = Counter()
        for source, namespace in order_map(self.context.choices, namespaces):
            volume = snapshot.find_csi_volume(namespace, source)
            if volume is not None:
                counts[volume.plugin_id] += 1
            elif is_cut:
                break
        return counts[plugin_id]

    def _check_use(self, node: Node, volume: CSIVolume, each: Wanted) -> Filtered | None:
        """Refuse all nodes if a volume cannot be read, or written to, by one more allocation.

        Spec: FEAS-70, FEAS-76, 06/S-13.
        """
        is_schedulable = has_capacity(volume) and is_schedulable_by_plugin(self.context.snapshot, volume)
        if each.request.read_only:
            text = f"CSI volume {volume.id} is unschedulable or has exhausted its available reader claims"
            return None if is_schedulable else refuse(node, "FEAS-72", text, volume=volume.id)
        if not is_schedulable or not is_writable(volume):
            text = f"CSI volume {volume.id} is unschedulable or is read-only"
            return refuse(node, "FEAS-73", text, volume=volume.id, access_mode=volume.access_mode)
        return None if has_free_write_claim(volume) else self._check_writers(node, volume)

    def _check_writers(self, node: Node, volume: CSIVolume) -> Filtered | None:
        """Refuse all nodes if something else than this job writes to a volume.

        Spec: FEAS-70, FEAS-76.
        """
        text = f"CSI volume {volume.id} has exhausted its available writer claims"
        for alloc_id in self.context.choices.ordered(volume.write_allocs):
            alloc = self.context.snapshot.find_alloc(alloc_id)
            if alloc is None:
                gone = f"is claimed by a garbage collected allocation {alloc_id}"
                waiting = f"{text} and {gone}; waiting for claim to be released"
                return refuse(node, "FEAS-74", waiting, volume=volume.id, writer=alloc_id)
            if (alloc.namespace, alloc.job_id) != (self.job.namespace, self.job.id):
                return refuse(node, "FEAS-74", text, volume=volume.id, writer=alloc_id)
        return None


def _list_sources(snapshot: Snapshot, node: Node, *, is_suffixed: bool) -> Iterator[tuple[str, str]]:
    """List the sources of storage volumes in use on a node with the namespace of their user."""
    for alloc in snapshot.list_allocs_of_node(node.id):
        if alloc.desired_status != AllocDesired.RUN and alloc.client_status != AllocClient.RUNNING:
            continue
        group = find_group(alloc.job, alloc.task_group)
        for request in group.volumes.values() if group else ():
            if request.type == VolumeType.CSI:
                source = find_source(request, alloc.name) if is_suffixed else request.source
                yield source, alloc.namespace


def is_reachable(volume: CSIVolume, plugin: CSIInfo) -> bool:
    """True if one of the places of a volume is within reach of a node.

    Spec: FEAS-70.
    """
    if not volume.topologies:
        return True
    reach = plugin.node_info.accessible_topology if plugin.node_info else None
    return reach is not None and any(_is_within(place, reach) for place in volume.topologies)


def _is_within(place: Topology, reach: Topology) -> bool:
    return place.segments.items() <= reach.segments.items()


def is_schedulable_by_plugin(snapshot: Snapshot, volume: CSIVolume) -> bool:
    """True if the plugin of a volume is healthy enough that it can be given to anybody.

    Spec: FEAS-72.
    """
    plugin = snapshot.find_csi_plugin(volume.plugin_id)
    if plugin is None or plugin.nodes_healthy <= 0:
        return False
    return not plugin.controller_required or plugin.controllers_healthy > 0


def has_capacity(volume: CSIVolume) -> bool:
    """True if a volume was not found exhausted.

    Spec: FEAS-72, FEAS-73.
    """
    return volume.resource_exhausted_ns == 0


def is_writable(volume: CSIVolume) -> bool:
    """True if the mode in which a volume is used, or may be, allows writing.

    Spec: FEAS-73.
    """
    if volume.access_mode:
        return volume.access_mode in WRITING_MODES
    return any(capability.access_mode in WRITING_MODES for capability in volume.requested_capabilities)


def has_free_write_claim(volume: CSIVolume) -> bool:
    """True if one more writer can claim a volume.

    Spec: FEAS-74.
    """
    if volume.access_mode in _ONE_WRITER:
        return not volume.write_claims
    return volume.access_mode in _ANY_WRITERS
