"""The constraints that a job has without saying so: what it uses, its nodes must offer.

Most are added only if the group has no such constraint yet. *Such* is one that is equal in full, or one that
only looks at the same attribute, so that the user can ask for something else of it.
"""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from msgspec.structs import replace

from nomadspec.model.cluster.entities import (
    Constraint,
    Job,
    Operand,
    Service,
    ServiceProvider,
    Task,
    TaskGroup,
)

_NOMAD_VERSION: Final = "${attr.nomad.version}"
_CNI_PLUGINS: Final = ("bridge", "firewall", "host-local", "loopback", "portmap")
_DEFAULT_CLUSTER: Final = "default"


class Wish(NamedTuple):
    """A constraint to add, unless one like it is there."""

    constraint: Constraint
    is_left_enough: bool
    """Whether another constraint on the same attribute stands for this one."""


def imply_constraints(job: Job) -> Job:
    """Add the constraints that follow from what the groups and tasks of a job use.

    Spec: OBJ-039, FEAS-40, 06/S-12, 01/S17.
    """
    providers = sorted(
        {s.provider for group in job.task_groups for task in group.tasks for s in task.secrets}
    )
    groups = tuple(_imply_for_group(group, providers) for group in job.task_groups)
    return replace(job, task_groups=groups)


def _imply_for_group(group: TaskGroup, secret_providers: Iterable[str]) -> TaskGroup:
    constraints = group.constraints
    if group.consul is not None and group.consul.partition:
        constraints = (*constraints, _be_in_partition(group.consul.partition))
    for wish in _list_wishes(group, secret_providers):
        constraints = _grant(wish, constraints)
    constraints += tuple(
        _ask(_NOMAD_VERSION, Operand.SEMVER, ">= 1.7.0-a") for task in group.tasks if task.identities
    )[:1]
    return replace(group, constraints=constraints, tasks=tuple(map(_imply_for_task, group.tasks)))


def _imply_for_task(task: Task) -> Task:
    constraints = task.constraints
    if task.consul is not None and task.consul.partition:
        constraints = (*constraints, _be_in_partition(task.consul.partition))
    for wish in _list_consul_wishes(task.services):
        constraints = _grant(wish, constraints)
    return replace(task, constraints=constraints)


def _grant(wish: Wish, constraints: tuple[Constraint, ...]) -> tuple[Constraint, ...]:
    for constraint in constraints:
        if wish.is_left_enough and constraint.ltarget == wish.constraint.ltarget:
            return constraints
        if constraint == wish.constraint:
            return constraints
    return (*constraints, wish.constraint)


def _list_wishes(group: TaskGroup, secret_providers: Iterable[str]) -> Iterator[Wish]:
    """In the order of the rule's table: what is granted first may stand for what comes later."""
    yield from _list_vault_wishes(group)
    for provider in secret_providers:
        yield _unless_looked_at(f"${{attr.plugins.secrets.{provider}.version}}", Operand.IS_SET, "")
    yield from _list_numa_wishes(group)
    signals = sorted({signal for task in group.tasks for signal in _list_signals(task)})
    if signals:
        yield _unless_equal("${attr.os.signals}", Operand.SET_CONTAINS, ",".join(signals))
    yield from _list_service_wishes(group)
    yield from _list_consul_wishes(group.services)
    if any(network.mode == "bridge" for network in group.networks):
        for plugin in _CNI_PLUGINS:
            target = f"${{attr.plugins.cni.version.{plugin}}}"
            yield _unless_looked_at(target, Operand.SEMVER, ">= 0.4.0")
    if any(_has_transparent_proxy(service) for service in group.services):
        yield _unless_looked_at("${attr.plugins.cni.version.consul-cni}", Operand.SEMVER, ">= 1.4.2")
        yield _unless_looked_at(_NOMAD_VERSION, Operand.SEMVER, ">= 1.8.0-dev")
    if any(task.schedule is not None for task in group.tasks):
        yield _unless_looked_at(_NOMAD_VERSION, Operand.SEMVER, ">= 1.8.0-dev")


def _list_vault_wishes(group: TaskGroup) -> Iterator[Wish]:
    for cluster in sorted({task.vault.cluster or _DEFAULT_CLUSTER for task in group.tasks if task.vault}):
        if cluster == _DEFAULT_CLUSTER:
            yield _unless_looked_at("${attr.vault.version}", Operand.SEMVER, ">= 0.6.1")
        else:
            yield _unless_looked_at(f"${{attr.vault.{cluster}.version}}", Operand.SEMVER, ">= 1.11.0")


def _list_numa_wishes(group: TaskGroup) -> Iterator[Wish]:
    numas = (task.resources.numa for task in group.tasks if task.resources)
    if any(numa is not None and numa.affinity != "none" for numa in numas):
        yield _unless_equal(_NOMAD_VERSION, Operand.SEMVER, ">= 1.6.3-dev")
        yield _unless_equal("${attr.kernel.name}", Operand.EQUAL, "linux")


def _list_service_wishes(group: TaskGroup) -> Iterator[Wish]:
    services = (*group.services, *(service for task in group.tasks for service in task.services))
    own = [service for service in services if service.provider == ServiceProvider.NOMAD]
    if own:
        yield _unless_equal("${attr.nomad.service_discovery}", Operand.EQUAL, "true")
    if any(service.checks for service in own):
        yield _unless_equal(_NOMAD_VERSION, Operand.SEMVER, ">= 1.4.0")


def _list_consul_wishes(services: Iterable[Service]) -> Iterator[Wish]:
    for service in services:
        if service.provider == ServiceProvider.CONSUL:
            is_default = service.cluster in {"", _DEFAULT_CLUSTER}
            name = "consul" if is_default else f"consul.{service.cluster}"
            yield _unless_looked_at(f"${{attr.{name}.version}}", Operand.SEMVER, ">= 1.8.0")


def _has_transparent_proxy(service: Service) -> bool:
    sidecar = (service.connect.sidecar_service if service.connect else None) or {}
    proxy = sidecar.get("Proxy")
    return isinstance(proxy, dict) and proxy.get("TransparentProxy") is not None


def _list_signals(task: Task) -> Iterator[str]:
    if task.kill_signal:
        yield task.kill_signal
    if task.vault is not None and task.vault.change_mode == "signal":
        yield task.vault.change_signal
    for template in task.templates:
        if template.change_mode == "signal":
            yield template.change_signal


def _be_in_partition(partition: str) -> Constraint:
    return _ask("${attr.consul.partition}", Operand.EQUAL, partition)


def _unless_looked_at(ltarget: str, operand: Operand, rtarget: str) -> Wish:
    return Wish(_ask(ltarget, operand, rtarget), is_left_enough=True)


def _unless_equal(ltarget: str, operand: Operand, rtarget: str) -> Wish:
    return Wish(_ask(ltarget, operand, rtarget), is_left_enough=False)


def _ask(ltarget: str, operand: Operand, rtarget: str) -> Constraint:
    return Constraint(ltarget=ltarget, operand=operand, rtarget=rtarget)
