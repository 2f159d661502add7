"""The form that the server gives to a job before it looks at it: what is left out is filled in.

The HTTP API has filled in most of it already. Jobs that come in otherwise get less here than they would
have got there: a sysbatch group, for instance, gets no restart policy.
"""

from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from nomadspec.model.cluster.entities import (
    NAMESPACE_DEFAULT,
    NS_PER_S,
    POOL_DEFAULT,
    DelayFunction,
    DisconnectStrategy,
    DispatchPayloadRule,
    EphemeralDisk,
    HealthCheck,
    Job,
    JobType,
    MigrateStrategy,
    NetworkResource,
    ParameterizedJobConfig,
    Port,
    Reconcile,
    ReschedulePolicy,
    Resources,
    RestartPolicy,
    ScalingPolicy,
    Service,
    ServiceProvider,
    Task,
    TaskGroup,
)

_MINUTE_NS: Final = 60 * NS_PER_S
_HOUR_NS: Final = 60 * _MINUTE_NS
_DAY_NS: Final = 24 * _HOUR_NS
_DEFAULT: Final = "default"

_LASTING_RESTART: Final = RestartPolicy(
    attempts=2, interval_ns=30 * _MINUTE_NS, delay_ns=15 * NS_PER_S, mode="fail"
)
_RESTART: Final[Mapping[str, RestartPolicy]] = {
    JobType.SERVICE: _LASTING_RESTART,
    JobType.SYSTEM: _LASTING_RESTART,
    JobType.BATCH: RestartPolicy(attempts=3, interval_ns=_DAY_NS, delay_ns=15 * NS_PER_S, mode="fail"),
}
_RESCHEDULE: Final[Mapping[str, ReschedulePolicy]] = {
    JobType.SERVICE: ReschedulePolicy(
        delay_ns=30 * NS_PER_S,
        delay_function=DelayFunction.EXPONENTIAL,
        max_delay_ns=_HOUR_NS,
        unlimited=True,
    ),
    JobType.BATCH: ReschedulePolicy(
        attempts=1, interval_ns=_DAY_NS, delay_ns=5 * NS_PER_S, delay_function=DelayFunction.CONSTANT
    ),
}
_MIGRATE: Final[Mapping[str, MigrateStrategy]] = {
    JobType.SERVICE: MigrateStrategy(
        max_parallel=1,
        health_check=HealthCheck.CHECKS,
        min_healthy_time_ns=10 * NS_PER_S,
        healthy_deadline_ns=5 * _MINUTE_NS,
    )
}
_DISK: Final = EphemeralDisk(size_mb=300)
_RESOURCES: Final = Resources(cpu_mhz=100, memory_mb=300)
_KILL_TIMEOUT_NS: Final = 5 * NS_PER_S
_CHECK_ON_UPDATE: Final = "require_healthy"


def canonicalise_job(job: Job, default_priority: int = 50) -> Job:
    """Fill in what a job leaves out.

    Spec: OBJ-030, OBJ-031, OBJ-032, OBJ-038, JOB-02.
    """
    named = replace(job, namespace=job.namespace or NAMESPACE_DEFAULT)
    return replace(
        named,
        priority=job.priority or default_priority,
        datacenters=job.datacenters or ("*",),
        node_pool=job.node_pool or POOL_DEFAULT,
        parameterized_job=job.parameterized_job and _fill_parameterized(job.parameterized_job),
        task_groups=tuple(canonicalise_group(group, named) for group in job.task_groups),
    )


def _fill_parameterized(parameterized: ParameterizedJobConfig) -> ParameterizedJobConfig:
    return replace(parameterized, payload=parameterized.payload or DispatchPayloadRule.OPTIONAL)


def canonicalise_group(group: TaskGroup, job: Job) -> TaskGroup:
    """Fill in what a group leaves out.

    Spec: OBJ-104, OBJ-108, OBJ-110, OBJ-112, RESCHED-02, RESCHED-04.
    """
    restart = group.restart_policy or _RESTART.get(job.type)
    return replace(
        group,
        restart_policy=restart,
        reschedule_policy=group.reschedule_policy or _RESCHEDULE.get(job.type),
        migrate=group.migrate or _MIGRATE.get(job.type),
        disconnect=group.disconnect and _fill_disconnect(group.disconnect),
        ephemeral_disk=group.ephemeral_disk or _DISK,
        scaling=group.scaling and _aim_scaling(group.scaling, group, job),
        networks=tuple(map(_fill_network, group.networks)),
        services=tuple(_fill_service(service, group) for service in group.services),
        tasks=tuple(_fill_task(task, group, restart) for task in group.tasks),
    )


def _fill_disconnect(disconnect: DisconnectStrategy) -> DisconnectStrategy:
    return replace(
        disconnect,
        replace=True if disconnect.replace is None else disconnect.replace,
        reconcile=disconnect.reconcile or Reconcile.BEST_SCORE,
    )


def _aim_scaling(scaling: ScalingPolicy, group: TaskGroup, job: Job) -> ScalingPolicy:
    target = {"Namespace": job.namespace, "Job": job.id, "Group": group.name}
    return replace(scaling, target={**scaling.target, **target})


def _fill_network(network: NetworkResource) -> NetworkResource:
    return replace(
        network,
        reserved_ports=tuple(map(_fill_port, network.reserved_ports)),
        dynamic_ports=tuple(map(_fill_port, network.dynamic_ports)),
    )


def _fill_port(port: Port) -> Port:
    return replace(port, host_network=port.host_network or _DEFAULT)


def _fill_service(service: Service, group: TaskGroup) -> Service:
    provider = service.provider or ServiceProvider.CONSUL
    consul = group.consul.namespace if group.consul and provider == ServiceProvider.CONSUL else ""
    is_clustered = provider == ServiceProvider.CONSUL
    return replace(
        service,
        provider=provider,
        cluster=service.cluster or (_DEFAULT if is_clustered else ""),
        namespace=service.namespace or consul or _DEFAULT,
        checks=tuple(
            replace(check, on_update=check.on_update or service.on_update or _CHECK_ON_UPDATE)
            for check in service.checks
        ),
    )


def _fill_task(task: Task, group: TaskGroup, restart: RestartPolicy | None) -> Task:
    return replace(
        task,
        resources=_fill_resources(task.resources) if task.resources else _RESOURCES,
        restart_policy=task.restart_policy or restart,
        kill_timeout_ns=task.kill_timeout_ns or _KILL_TIMEOUT_NS,
        templates=tuple(
            replace(template, change_signal=template.change_signal.upper()) for template in task.templates
        ),
        services=tuple(_fill_service(service, group) for service in task.services),
    )


def _fill_resources(asked: Resources) -> Resources:
    return replace(
        asked,
        networks=tuple(map(_fill_network, asked.networks)),
        devices=tuple(replace(device, count=device.count or 1) for device in asked.devices),
    )
