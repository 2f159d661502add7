"""Whether an allocation can follow its job to a new version where it is, or has to be replaced."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from types import MappingProxyType
from typing import Final, TypeVar

from nomadspec.model.cluster.entities.group import TaskGroup
from nomadspec.model.cluster.entities.identity import Consul
from nomadspec.model.cluster.entities.job import Job, find_group
from nomadspec.model.cluster.entities.network import NetworkResource
from nomadspec.model.cluster.entities.policy import RestartPolicy
from nomadspec.model.cluster.entities.resources import RequestedDevice, Resources
from nomadspec.model.cluster.entities.service import ConsulConnect, Service
from nomadspec.model.cluster.entities.task import Secret, Task
from nomadspec.model.errors import NomadSpecError

_Part = TypeVar("_Part")
_Named = TypeVar("_Named", Service, Task)

_NO_RESOURCES: Final = Resources()


def _has_rendering(policy: RestartPolicy | None) -> bool:
    return policy is not None and policy.render_templates


def _show_network(network: NetworkResource) -> tuple[object, ...]:
    """Gather what matters of a network; the number of a dynamic port is not chosen by the job."""
    reserved = [(port.label, port.value, port.to, port.host_network) for port in network.reserved_ports]
    dynamic = [(port.label, port.to, port.host_network) for port in network.dynamic_ports]
    fields = (network.mode, network.mbits, network.hostname, network.dns, network.cni)
    return (*fields, reserved, dynamic)


def _show_networks(networks: tuple[NetworkResource, ...]) -> list[tuple[object, ...]]:
    return list(map(_show_network, networks))


def _resources_of(task: Task) -> Resources:
    return task.resources or _NO_RESOURCES


class _Free:  # noqa: PLW1641 -- it is compared once and kept nowhere
    """What a job may write as it likes, at any depth; Python alone takes true for the number one."""

    def __init__(self, value: object) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        pairs = [(self.value, other.value)] if isinstance(other, _Free) else []
        for ours, theirs in pairs:
            if isinstance(ours, dict) and isinstance(theirs, dict) and ours.keys() == theirs.keys():
                pairs += [(each, theirs[key]) for key, each in ours.items()]
            elif isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
                pairs += zip(ours, theirs, strict=True)
            elif isinstance(ours, bool) is not isinstance(theirs, bool) or ours != theirs:
                return False
        return bool(pairs)


class UncomparableTasksError(NomadSpecError):
    """Two versions of a task cannot be compared: whoever tries breaks off.

    Two secrets hold a list or a map under one key, or only one version has resources, or a log configuration.
    """


class _Needed:  # noqa: PLW1641 -- it is compared once and kept nowhere
    """A part that both versions of a task need, or neither: where one lacks it there is nothing to compare.

    Spec: GENERIC-03, GENERIC-56, SYSTEM-07.
    """

    def __init__(self, name: str, part: object) -> None:
        self.name = name
        self.is_missing = part is None

    def __eq__(self, other: object) -> bool:
        if isinstance(other, _Needed) and self.is_missing is not other.is_missing:
            raise UncomparableTasksError(f"Only one version of a task has {self.name}: write them into both.")
        return isinstance(other, _Needed)


class _SecretConfig:  # noqa: PLW1641 -- it is compared once and kept nowhere
    """What a job passes to the plugin of a secret, of which lists and maps cannot be compared.

    Spec: GENERIC-56, 04/S-24.
    """

    def __init__(self, config: Mapping[str, object]) -> None:
        self.config = config

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _SecretConfig) or self.config.keys() != other.config.keys():
            return False
        for key, value in self.config.items():
            theirs = other.config[key]
            if any(isinstance(value, kind) and isinstance(theirs, kind) for kind in (list, dict)):
                raise UncomparableTasksError(
                    f'config "{key}" of a secret holds a list or a map: write a text instead.'
                )
        return _Free(dict(self.config)) == _Free(dict(other.config))


class _SameSet:  # noqa: PLW1641 -- it is compared once and kept nowhere
    """A list of which neither order nor repetition matters."""

    def __init__(self, elements: object) -> None:
        self.elements = [_Free(each) for each in elements] if isinstance(elements, list) else []

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _SameSet):
            return False
        return _holds_all(self.elements, other.elements) and _holds_all(other.elements, self.elements)


def _holds_all(some: Sequence[object], others: Sequence[object]) -> bool:
    return all(each in some for each in others)


def _show_secret(secret: Secret) -> tuple[object, ...]:
    return secret.name, secret.provider, secret.path, _SecretConfig(secret.config), secret.env


_GATEWAY_LISTS: Final = (("Ingress", "Listeners"), ("Terminating", "Services"))
"""Where a gateway lists what it listens on, and the services that it links."""


def _show_gateway(connect: ConsulConnect) -> tuple[object, ...] | None:
    """Take the lists of a gateway as sets, and all else as it stands.

    Spec: GENERIC-56.
    """
    if connect.gateway is None:
        return None
    rest, sets = dict(connect.gateway), []
    for part, name in _GATEWAY_LISTS:
        inner = rest.get(part)
        if isinstance(inner, Mapping):
            sets.append(_SameSet(inner.get(name)))
            rest[part] = {key: value for key, value in inner.items() if key != name}
    return _Free(rest), sets


def _show_sidecar_task(connect: ConsulConnect) -> _Free:
    """Leave out how the cores of a sidecar's task should lie together.

    Spec: GENERIC-56.
    """
    task = connect.sidecar_task
    resources = task.get("Resources") if task is not None else None
    if task is None or not isinstance(resources, Mapping):
        return _Free(task)
    return _Free({**task, "Resources": {key: each for key, each in resources.items() if key != "NUMA"}})


class _Devices:  # noqa: PLW1641 -- it is compared once and kept nowhere
    """The devices that a task asks for: found by name, so that their order does not matter.

    Two requests of one name that differ never equal anything, themselves included. Of the constraints and
    affinities of the newer version each has to be among those of the older one, which may have more kinds.

    Spec: GENERIC-56, 04/S-25.
    """

    def __init__(self, requests: Sequence[RequestedDevice]) -> None:
        self.requests = requests

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Devices) or len(self.requests) != len(other.requests):
            return False
        newer = {request.name: request for request in other.requests}
        older = {request.name: request for request in self.requests}
        return all(_is_same_device(each, newer.get(each.name)) for each in self.requests) and all(
            _is_same_device(older.get(each.name), each) for each in other.requests
        )


def _is_same_device(older: RequestedDevice | None, newer: RequestedDevice | None) -> bool:
    if older is None or newer is None or older.count != newer.count:
        return False
    return all(
        len(were) == len(are) and _holds_all(were, are)
        for were, are in ((older.constraints, newer.constraints), (older.affinities, newer.affinities))
    )


GROUP_FIELDS: Final[Mapping[str, Callable[[TaskGroup], object]]] = MappingProxyType(
    {
        "number of tasks": lambda group: len(group.tasks),
        "ephemeral disk": lambda group: group.ephemeral_disk,
        "networks": lambda group: _show_networks(group.networks),
        "volume requests": lambda group: group.volumes,
        "restart.render_templates": lambda group: _has_rendering(group.restart_policy),
    }
)
"""What of a group may not differ, beside its tasks, its place in Consul and its mesh.

Spec: GENERIC-56.
"""

TASK_FIELDS: Final[Mapping[str, Callable[[Task], object]]] = MappingProxyType(
    {
        "driver": lambda task: task.driver,
        "user": lambda task: task.user,
        "config": lambda task: _Free(task.config),
        "env": lambda task: task.env,
        "artifacts": lambda task: task.artifacts,
        "vault": lambda task: task.vault,
        "secrets": lambda task: list(map(_show_secret, task.secrets)),
    }
)
"""What of a task may not differ, and is compared before its place in Consul.

Spec: GENERIC-56.
"""

FILE_FIELDS: Final[Mapping[str, Callable[[Task], object]]] = MappingProxyType(
    {
        "templates": lambda task: task.templates,
        "CSI plugin": lambda task: task.csi_plugin_config,
        "volume mounts": lambda task: task.volume_mounts,
    }
)
"""What of a task may not differ, and is compared after its place in Consul and before its merged meta.

Spec: GENERIC-56.
"""

RESOURCE_FIELDS: Final[Mapping[str, Callable[[Task], object]]] = MappingProxyType(
    {
        "resources": lambda task: _Needed("resources", task.resources),
        "networks": lambda task: _show_networks(_resources_of(task).networks),
        "CPU": lambda task: _resources_of(task).cpu_mhz,
        "cores": lambda task: _resources_of(task).cores,
        "memory": lambda task: _resources_of(task).memory_mb,
        "most memory": lambda task: _resources_of(task).memory_max_mb,
        "devices": lambda task: _Devices(_resources_of(task).devices),
        "NUMA": lambda task: _resources_of(task).numa,
        "room for secrets": lambda task: _resources_of(task).secrets_mb,
        "default identity": lambda task: task.identity,
        "identities": lambda task: task.identities,
        "logs": lambda task: _Needed("logs", task.log_config),
        "logs disabled": lambda task: task.log_config is not None and task.log_config.disabled,
        "restart.render_templates": lambda task: _has_rendering(task.restart_policy),
    }
)
"""What of a task may not differ, and is compared after its merged meta.

Spec: GENERIC-56.
"""


def _find_port(connect: ConsulConnect) -> object:
    return connect.sidecar_service.get("Port", "") if connect.sidecar_service is not None else ""


CONNECT_FIELDS: Final[Mapping[str, Callable[[ConsulConnect], object]]] = MappingProxyType(
    {
        "native": lambda connect: connect.native,
        "gateway": _show_gateway,
        "sidecar task": _show_sidecar_task,
        "sidecar service": lambda connect: connect.sidecar_service is None,
        "sidecar port": _find_port,
    }
)
"""What of the mesh part of a service may not differ; tags and proxy of the sidecar may.

Spec: GENERIC-56.
"""

SERVICE_FIELDS: Final[Mapping[str, Callable[[Service], object]]] = MappingProxyType(
    {
        "port label": lambda service: service.port_label,
        "cluster": lambda service: service.cluster,
    }
)
"""What of a service with a mesh part may not differ.

Spec: GENERIC-56.
"""


def find_destructive_change(old: Job, new: Job, group_name: str) -> str | None:
    """Find something of a group that an allocation cannot follow where it is; None if it can.

    Spec: GENERIC-48, GENERIC-56, GENERIC-57, VERS-05, SYSTEM-16.
    """
    before, after = find_group(old, group_name), find_group(new, group_name)
    if before is None or after is None:
        return None if before is after else "group"
    changes = chain(
        _list_differing(GROUP_FIELDS, before, after),
        _list_consul_changes(before.consul, after.consul),
        _list_connect_changes(before, after),
    )
    change = next(changes, None)
    return _find_task_change(old, new, before, after) if change is None else change


def is_destructive(old: Job, new: Job, group_name: str) -> bool:
    """True if allocations of a group have to be replaced to follow their job.

    Spec: GENERIC-48.
    """
    return find_destructive_change(old, new, group_name) is not None


def _list_differing(
    fields: Mapping[str, Callable[[_Part], object]], before: _Part, after: _Part
) -> Iterator[str]:
    return (name for name, show in fields.items() if show(before) != show(after))


def _list_consul_changes(before: Consul | None, after: Consul | None) -> Iterator[str]:
    """Compare what both blocks say; a block that is only on one side changes nothing."""
    if before is not None and after is not None:
        if before.cluster != after.cluster:
            yield "Consul cluster"
        if before.partition != after.partition:
            yield "Consul partition"


def _list_connect_changes(before: TaskGroup, after: TaskGroup) -> Iterator[str]:
    earlier = _name_first(before.services)
    for service in after.services:
        old = earlier.get(service.name)
        if service.connect is None or old is None:
            continue
        if old.connect is None:
            yield "mesh"
        else:
            yield from _list_differing(CONNECT_FIELDS, old.connect, service.connect)
            yield from _list_differing(SERVICE_FIELDS, old, service)


def _find_task_change(old: Job, new: Job, before: TaskGroup, after: TaskGroup) -> str | None:
    earlier = _name_first(before.tasks)
    for task in after.tasks:
        was = earlier.get(task.name)
        if was is None:
            return "task"
        metas = _merge_meta(old, before, was), _merge_meta(new, after, task)
        change = next(_list_task_changes(was, task, *metas), None)
        if change is not None:
            return change
    return None


def _list_task_changes(
    was: Task, task: Task, old_meta: Mapping[str, str], new_meta: Mapping[str, str]
) -> Iterator[str]:
    """List what of a task differs; the order matters, since some comparisons break off.

    Spec: GENERIC-56, SYSTEM-15, 04/S-24.
    """
    yield from _list_differing(TASK_FIELDS, was, task)
    yield from _list_consul_changes(was.consul, task.consul)
    yield from _list_differing(FILE_FIELDS, was, task)
    if old_meta != new_meta:
        yield "meta"
    yield from _list_differing(RESOURCE_FIELDS, was, task)


def _name_first(parts: Iterable[_Named]) -> Mapping[str, _Named]:
    """Find parts by name; of several that share one the first is found."""
    found: dict[str, _Named] = {}
    for part in parts:
        found.setdefault(part.name, part)
    return found


def _merge_meta(job: Job, group: TaskGroup, task: Task) -> dict[str, str]:
    return {**job.meta, **group.meta, **task.meta}
