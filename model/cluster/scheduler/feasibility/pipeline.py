"""All checks of one attempt, in the order in which a node passes them, and what is known of classes."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Final

from nomadspec.model.cluster.constraints.eligibility import ClassEligibility, ClassStatus
from nomadspec.model.cluster.entities import (
    Constraint,
    Job,
    NetworkResource,
    Node,
    RequestedDevice,
    TaskGroup,
)
from nomadspec.model.cluster.scheduler.context import Context
from nomadspec.model.cluster.scheduler.feasibility.constraints import check_constraints
from nomadspec.model.cluster.scheduler.feasibility.csi_volumes import CSIVolumeCheck
from nomadspec.model.cluster.scheduler.feasibility.devices import check_devices
from nomadspec.model.cluster.scheduler.feasibility.distinct_hosts import DistinctHosts
from nomadspec.model.cluster.scheduler.feasibility.distinct_property import DistinctProperties
from nomadspec.model.cluster.scheduler.feasibility.drivers import check_drivers, check_secrets
from nomadspec.model.cluster.scheduler.feasibility.host_volumes import HostVolumeCheck
from nomadspec.model.cluster.scheduler.feasibility.networks import check_network
from nomadspec.model.cluster.scheduler.feasibility.refusal import refuse
from nomadspec.model.cluster.scheduler.reasons import Filtered
from nomadspec.model.specification.quirks import COARSE_CLASSES, INHERITED_NETWORK

CLASS_INELIGIBLE: Final = "computed class ineligible"

_NO_NETWORK: Final = NetworkResource(mode="none")


@dataclass(frozen=True, slots=True)
class Needs:
    """What a group and its tasks need of a node together.

    Spec: FEAS-15.
    """

    drivers: tuple[str, ...]
    constraints: tuple[Constraint, ...]
    devices: tuple[RequestedDevice, ...]
    providers: tuple[str, ...]


def gather_needs(group: TaskGroup) -> Needs:
    """Gather what the tasks of a group need, and the group before them.

    Spec: FEAS-15, OBJ-135.
    """
    tasks = group.tasks
    return Needs(
        drivers=_unique(task.driver for task in tasks),
        constraints=(*group.constraints, *(each for task in tasks for each in task.constraints)),
        devices=tuple(each for task in tasks if task.resources for each in task.resources.devices),
        providers=_unique(secret.provider for task in tasks for secret in task.secrets),
    )


def _unique(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


@dataclass(frozen=True, slots=True)
class Search:
    """What one search for a node asks for."""

    group: TaskGroup
    needs: Needs
    host_volumes: HostVolumeCheck
    csi_volumes: CSIVolumeCheck
    distinct_hosts: DistinctHosts
    passed: set[str]
    """The nodes that passed the first checks before, and will again: their classes are known."""
    refused: dict[str, Filtered]
    """The nodes that were refused because their classes are known, and will be again."""


@dataclass(slots=True)
class FeasibilityPipeline:
    """The checks of one attempt. Point it to a job, begin a search for a group, then check nodes.

    Spec: FEAS-12.
    """

    context: Context
    job: Job = field(init=False)
    _search: Search = field(init=False)
    _network: NetworkResource = field(default_factory=NetworkResource)
    """That of the last group which had one.

    Spec: FEAS-82, 06/S-02.
    """
    _properties: DistinctProperties = field(init=False)
    _needs: dict[str, tuple[TaskGroup, Needs]] = field(default_factory=dict)
    """By name, a group and what it needs."""
    _passed: dict[str, set[str]] = field(default_factory=dict)
    """By group, the nodes of which nothing has to be looked up any more."""
    _refused: dict[str, dict[str, Filtered]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Begin with nothing counted."""
        self._properties = DistinctProperties(self.context)

    def set_job(self, job: Job) -> None:
        """Point to a version of the job: what was learnt of classes stays.

        Spec: FEAS-24, 06/S-14.
        """
        self.job = job
        self._forget()
        self.context.eligibility = self.context.eligibility.with_job(job)
        self._properties.add_job(job)

    def begin(self, group: TaskGroup, alloc_name: str) -> None:
        """Begin a search; schedulers that place on every node forget what they know of classes.

        Spec: FEAS-23, FEAS-82, SYS-04.
        """
        context = self.context
        if context.is_for_every_node:
            context.eligibility = ClassEligibility(is_escaped=context.eligibility.is_escaped)
            context.missing_resources.clear()
            self._forget()
        if group.networks or not context.profile.has(INHERITED_NETWORK):
            self._network = group.networks[0] if group.networks else _NO_NETWORK
        self._properties.begin(self.job, group)
        self._search = Search(
            group=group,
            needs=self._find_needs(group),
            host_volumes=HostVolumeCheck.begin(context, self.job, group, alloc_name),
            csi_volumes=CSIVolumeCheck.begin(context, self.job, group, alloc_name),
            distinct_hosts=DistinctHosts.begin(context, self.job, group),
            passed=self._passed.setdefault(group.name, set()),
            refused=self._refused.setdefault(group.name, {}),
        )

    def _find_needs(self, group: TaskGroup) -> Needs:
        known = self._needs.get(group.name)
        if known is None or known[0] is not group:
            known = self._needs[group.name] = (group, gather_needs(group))
        return known[1]

    def list_settled(self) -> AbstractSet[str]:
        """List the nodes that will pass again as long as nothing changes on them.

        Where volumes or distinct properties are asked for, there are none.

        Spec: FEAS-13, FEAS-22.
        """
        search = self._search
        is_open = search.host_volumes.requests or search.csi_volumes.wanted or self._properties.is_asked()
        return frozenset() if is_open else search.passed

    def check(self, node: Node) -> Filtered | None:
        """Put a node through all checks; the first that it does not pass is written down.

        Spec: FEAS-12, FEAS-13.
        """
        search = self._search
        refused = search.refused.get(node.id)
        if refused is None and node.id not in search.passed:
            refused = self._check_job(node) or self._check_group(node)
        refused = (
            refused
            or search.host_volumes.check(node)
            or search.csi_volumes.check(node)
            or search.distinct_hosts.check(node)
            or self._properties.check(node)
        )
        if refused is not None:
            self.context.metrics.filter(node, refused.text)
            self.context.reasons.note_visit(refused)
        return refused

    def _check_job(self, node: Node) -> Filtered | None:
        """Check the constraints of the job, unless the class is known not to meet them.

        Spec: FEAS-21.
        """
        node_class, eligibility = node.computed_class, self.context.eligibility
        status = eligibility.find_for_job(node_class)
        if status is ClassStatus.INELIGIBLE:
            return self._keep(refuse(node, "FEAS-21", CLASS_INELIGIBLE, computed_class=node_class))
        refused = check_constraints(node, self.job.constraints)
        is_eligible = refused is None
        if status is ClassStatus.UNKNOWN or (status is ClassStatus.ELIGIBLE and not is_eligible):
            self.context.eligibility = eligibility.with_job_class(node_class, is_eligible=is_eligible)
            if not is_eligible:
                self._forget_passed()
        return refused

    def _check_group(self, node: Node) -> Filtered | None:
        """Check what the class is taken to decide for the group, unless that is known.

        Spec: FEAS-22, 06/S-01.
        """
        node_class, eligibility, group = (
            node.computed_class,
            self.context.eligibility,
            self._search.group.name,
        )
        status = eligibility.find_for_group(group, node_class)
        if not self.context.profile.has(COARSE_CLASSES):
            return self._check_each(node, status)
        if status is ClassStatus.ELIGIBLE:
            self._search.passed.add(node.id)
            return None
        if status is ClassStatus.INELIGIBLE:
            known = refuse(node, "FEAS-22", CLASS_INELIGIBLE, computed_class=node_class, group=group)
            return self._keep(known)
        refused = self._check_class(node)
        if status is ClassStatus.UNKNOWN:
            is_eligible = refused is None
            self.context.eligibility = eligibility.with_group_class(
                group, node_class, is_eligible=is_eligible
            )
        return refused

    def _check_each(self, node: Node, status: ClassStatus) -> Filtered | None:
        """Check a node whatever is known of its class, which one good node makes eligible."""
        refused = self._check_class(node)
        if status is ClassStatus.UNKNOWN or (status is ClassStatus.INELIGIBLE and refused is None):
            self.context.eligibility = self.context.eligibility.with_group_class(
                self._search.group.name, node.computed_class, is_eligible=refused is None
            )
        return refused

    def _check_class(self, node: Node) -> Filtered | None:
        needs = self._search.needs
        return (
            check_drivers(node, needs.drivers)
            or check_constraints(node, needs.constraints)
            or check_devices(node, needs.devices, self.context.choices)
            or check_network(node, self._network)
            or check_secrets(node, needs.providers)
        )

    def _keep(self, refused: Filtered) -> Filtered:
        self._search.refused[refused.node_id] = refused
        return refused

    def _forget(self) -> None:
        self._passed.clear()
        self._refused.clear()

    def _forget_passed(self) -> None:
        for passed in self._passed.values():
            passed.clear()
