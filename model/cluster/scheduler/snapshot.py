"""What an attempt of a scheduler sees: the replicated state, volumes beside it, and look-ups built once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from nomadspec.model.cluster.entities import (
    Allocation,
    CSIPlugin,
    CSIVolume,
    Deployment,
    HostVolume,
    HostVolumeClaim,
    Job,
    Node,
    NodePool,
    SchedulerConfiguration,
)
from nomadspec.model.cluster.entities.allocation import is_client_terminal
from nomadspec.model.cluster.memo import remember_last
from nomadspec.model.cluster.resources.use import Use
from nomadspec.model.cluster.store.state import State


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The state at one index, with the look-ups that schedulers repeat."""

    state: State
    nodes: tuple[Node, ...]
    """All nodes by ID."""
    ready_nodes: tuple[Node, ...]
    """Those that schedulers may place something on, by ID."""
    other_nodes: tuple[Node, ...]
    """The others, by ID."""
    host_volumes: Mapping[tuple[str, str], HostVolume] = field(default_factory=dict)
    """By namespace and ID."""
    claims_by_job: Mapping[tuple[str, str], tuple[HostVolumeClaim, ...]] = field(default_factory=dict)
    """Claims of sticky volumes by namespace and job, in the order of group and volume."""
    csi_volumes: Mapping[tuple[str, str], CSIVolume] = field(default_factory=dict)
    """By namespace and ID."""
    csi_plugins: Mapping[str, CSIPlugin] = field(default_factory=dict)
    allocs_by_node: dict[str, tuple[Allocation, ...]] = field(default_factory=dict, compare=False, repr=False)
    """Of each node that was asked for its allocations by ID, ended ones too."""
    uses: dict[str, Use] = field(default_factory=dict, compare=False, repr=False)
    """By node, what was found out of its use last: whoever reads it compares the node and the allocations."""

    @staticmethod
    def of(
        state: State,
        *,
        host_volumes: Iterable[HostVolume] = (),
        host_volume_claims: Iterable[HostVolumeClaim] = (),
        csi_volumes: Iterable[CSIVolume] = (),
        csi_plugins: Iterable[CSIPlugin] = (),
    ) -> Snapshot:
        """Build the look-ups of a state and of the tables beside it."""
        nodes = state.sort_nodes()
        return Snapshot(
            state=state,
            nodes=nodes.nodes,
            ready_nodes=nodes.ready,
            other_nodes=nodes.others,
            uses=_share_uses(state.derived.known),
            host_volumes={(volume.namespace, volume.id): volume for volume in host_volumes},
            claims_by_job=_group_claims(host_volume_claims),
            csi_volumes={(volume.namespace, volume.id): volume for volume in csi_volumes},
            csi_plugins={plugin.id: plugin for plugin in csi_plugins},
        )

    @property
    def configuration(self) -> SchedulerConfiguration | None:
        """The configuration of the schedulers; None where none was ever stored."""
        return self.state.configuration

    @property
    def latest_index(self) -> int:
        """The greatest index of any table."""
        return self.state.latest_index

    def find_node(self, node_id: str) -> Node | None:
        """Find a node by its ID."""
        return self.state.find_node(node_id)

    def find_job(self, namespace: str, job_id: str) -> Job | None:
        """Find the current version of a job."""
        return self.state.find_job(namespace, job_id)

    def find_job_version(self, namespace: str, job_id: str, version: int) -> Job | None:
        """Find a kept version of a job."""
        return self.state.find_job_version(namespace, job_id, version)

    def find_alloc(self, alloc_id: str) -> Allocation | None:
        """Find an allocation by its ID."""
        return self.state.allocs.get(alloc_id)

    def find_node_pool(self, name: str) -> NodePool | None:
        """Find a node pool by its name."""
        return self.state.find_node_pool(name)

    def find_latest_deployment(self, namespace: str, job_id: str) -> Deployment | None:
        """Find the deployment of a job that was created last."""
        return self.state.find_latest_deployment(namespace, job_id)

    def list_deployments_of_job(self, namespace: str, job_id: str) -> tuple[Deployment, ...]:
        """List the deployments of a job by ID, those of earlier jobs of its name too."""
        return self.state.list_deployments_of_job(namespace, job_id)

    def list_allocs_of_job(self, namespace: str, job_id: str) -> tuple[Allocation, ...]:
        """List the allocations of a job by ID, those of earlier jobs of its name too."""
        return self.state.list_allocs_of_job(namespace, job_id)

    def list_allocs_of_node(self, node_id: str) -> tuple[Allocation, ...]:
        """List the allocations of a node by ID."""
        found = self.allocs_by_node.get(node_id)
        if found is None:
            found = self.allocs_by_node[node_id] = self.state.list_allocs_of_node(node_id)
        return found

    def map_present_on_node(self, node_id: str) -> Mapping[str, Allocation]:
        """Map the allocations of a node that have not ended there by ID: none may change what is answered."""
        return self.state.recall(_map_present, "allocs_by_node", node_id)

    def find_host_volume(self, namespace: str, volume_id: str) -> HostVolume | None:
        """Find a dynamic host volume of a namespace."""
        return self.host_volumes.get((namespace, volume_id))

    def list_claims_of_job(self, namespace: str, job_id: str) -> tuple[HostVolumeClaim, ...]:
        """List the claims of a job on sticky volumes."""
        return self.claims_by_job.get((namespace, job_id), ())

    def find_csi_volume(self, namespace: str, volume_id: str) -> CSIVolume | None:
        """Find a storage volume of a namespace, as it was last written."""
        return self.csi_volumes.get((namespace, volume_id))

    def find_csi_plugin(self, plugin_id: str) -> CSIPlugin | None:
        """Find a storage plugin."""
        return self.csi_plugins.get(plugin_id)


def _map_present(allocs: tuple[Allocation, ...]) -> Mapping[str, Allocation]:
    return {alloc.id: alloc for alloc in allocs if not is_client_terminal(alloc)}


@remember_last
def _share_uses(_: object) -> dict[str, Use]:
    """Begin to measure the nodes of a cluster; its later states begin with what was measured before."""
    return {}


def _group_claims(claims: Iterable[HostVolumeClaim]) -> Mapping[tuple[str, str], tuple[HostVolumeClaim, ...]]:
    found: dict[tuple[str, str], list[HostVolumeClaim]] = {}
    for claim in sorted(claims, key=lambda claim: (claim.task_group_name, claim.volume_id)):
        found.setdefault((claim.namespace, claim.job_id), []).append(claim)
    return {job: tuple(each) for job, each in found.items()}
